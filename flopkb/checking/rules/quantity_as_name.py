"""A name or an alias reads as a quantity.

Numbers within the names of records need no link (``RTX 4090``), in any prose of the base. A name that is a number itself,
such as ``300x`` or ``9999 GB/s``, would let that number pass everywhere: leave it out, or put a word before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.arithmetic.numbers import ReadError, read
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at

_TIMES = re.compile(r"(?<=[0-9])\s?[x×*]\s?(?=[0-9])")


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """The names of the record that are numbers."""
    name = record.document.root.get("name")
    for given in (*((name,) if isinstance(name, Scalar) else ()), *record.aliases):
        if is_quantity(given.text):
            yield at(
                given,
                f"{given.text} is a quantity and would pass as a name in all prose; put a word before it, or drop it",
            )


def is_quantity(text: str) -> bool:
    """Whether a name can be read as a number, or as one times another (``8x80GB``)."""
    try:
        for part in (text,) if not _TIMES.search(text) else _TIMES.split(text):
            read(part)
    except ReadError:
        return False
    return True


RULE = RecordRule(id="quantity-as-name", doc=__doc__, run=check)
