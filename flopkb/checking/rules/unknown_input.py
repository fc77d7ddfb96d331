"""A binding names something that the formula's record does not have, or a point that does not exist.

An input that nothing reads would be ignored, and a misspelt one would leave the real one unbound, so both are errors.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import UnknownInput
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "unknown-input"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every UnknownInput of the record."""
    yield from map(of_fault, base.faults_of(subject.id, UnknownInput))
