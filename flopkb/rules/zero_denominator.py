"""A formula divides by something that is zero for the inputs given.

Such a value does not exist; correct the input or the formula.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.evaluate import Evaluation
from flopkb.faults import DividesByZero
from flopkb.findings import Finding, of_fault
from flopkb.model import Subject

ID = "zero-denominator"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every DividesByZero of the record."""
    yield from map(of_fault, base.faults_of(subject.id, DividesByZero))
