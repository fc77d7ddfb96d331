"""A placeholder was left in prose, such as ``TODO``, ``%s``, ``{{`` or ``TBD``.

Such a text was meant to be filled in before anyone reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record, Subject
from flopkb.checking.findings import Finding, PageRule

_CONFLICT = re.compile(r"^[ \t]*(?:<{7}|>{7}|\|{7})(?=[ \t]|$)|^[ \t]*={7}[ \t]*$", re.MULTILINE)
"""The marks that git leaves where a merge did not decide: in a document at the beginning of a line."""


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every placeholder in the prose of the record."""
    for passage in base.passages(subject.id):
        for left in passage.reading.placeholders:
            yield Finding(
                passage.scalar.at(left.start),
                f"{left.text} was left in the prose; write what belongs there",
                length=left.end - left.start,
            )
        marks = [m for m in _CONFLICT.finditer(passage.scalar.text) if isinstance(subject, Record) or m[0][0] in "<=>|"]
        for mark in marks if any("<" in mark[0] or ">" in mark[0] for mark in marks) else ():
            yield Finding(
                passage.scalar.at(mark.start()),
                f"{mark[0].strip()} is left of a merge; decide which text stands",
                length=7,
            )


RULE = PageRule(id="placeholder", doc=__doc__, run=check)
