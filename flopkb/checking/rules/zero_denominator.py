"""A formula divides by something that is zero for the inputs given.

Such a value does not exist; correct the input or the formula.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import DividesByZero
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "zero-denominator"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every DividesByZero of the record."""
    yield from map(of_fault, base.faults_of(subject.id, DividesByZero))
