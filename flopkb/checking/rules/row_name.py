"""A row of peak rates is not named after what it holds.

A row is named by its number format (``bf16``), with ``_sparse`` where its rate counts skipped zeros, and
``_<format>_accumulate`` where it says in which format sums are kept: whoever reads ``peak_flops.fp8_sparse`` in a link
knows what it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Fact, Record
from flopkb.checking.findings import Finding, RecordRule


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every row whose name is another than its content makes it."""
    for path, fact in record.facts.items():
        name = path.partition(".")[2]
        if fact.dtype is None or fact.dtype.target.text not in base.kb.records or name in names_of(fact):
            continue
        message = f"a {fact.sparsity} row for {fact.dtype.target.text} is named {names_of(fact)[0]}, not {name}"
        yield Finding(fact.location, f"{message}; correct the name or the row", length=len(name))


def names_of(fact: Fact) -> tuple[str, ...]:
    """The names that a row may have, the plainest first."""
    assert fact.dtype is not None
    stem = fact.dtype.target.text
    stems = [stem] if fact.accumulate is None else [f"{stem}_{fact.accumulate}_accumulate", stem]
    return tuple(f"{each}_sparse" if fact.sparsity == "sparse" else each for each in reversed(stems))


RULE = RecordRule(id="row-name", doc=__doc__, run=check)
