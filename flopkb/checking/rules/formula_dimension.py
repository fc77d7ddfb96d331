"""A formula does not balance.

Bytes, seconds, joules and dollars of the expression must be those of its declared unit, and sums, ``min``, ``max`` and
comparisons need like amounts. Counts such as flop and token may be introduced by the declaration.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import BadDimension
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, of_fault

ID = "formula-dimension"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every BadDimension of the record."""
    yield from map(of_fault, base.faults_of(record.id, BadDimension))
