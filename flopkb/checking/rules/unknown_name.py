"""An expression uses a name that is neither symbol, formula, role nor record.

Names are looked up among the record's own symbols and formulas, then as ``record.formula`` or ``role.value``.
Symbols of another record are out of reach: only roles flow from formula to formula.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import UnknownName
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, of_fault

ID = "unknown-name"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every UnknownName of the record."""
    yield from map(of_fault, base.faults_of(record.id, UnknownName))
