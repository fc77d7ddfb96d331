"""Formulas or inputs that are defined by each other.

The message shows the way round. One of them must be written without the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import Cycle
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, of_fault

ID = "cycle"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every Cycle of the record."""
    yield from map(of_fault, base.faults_of(record.id, Cycle))
