"""An input lies outside the domain that its symbol declares.

Either the input is wrong, or the domain is narrower than what the record speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import OutsideDomain
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "outside-domain"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every OutsideDomain of the record."""
    yield from map(of_fault, base.faults_of(subject.id, OutsideDomain))
