"""A ``claim:`` link names a claim that the record does not make.

``claim:name`` looks in the record that holds the prose, ``claim:record.name`` in another. Correct the name, or add the
claim under ``claims:``.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import UnknownClaim
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "unknown-claim"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every UnknownClaim of the record."""
    yield from map(of_fault, base.faults_of(subject.id, UnknownClaim))
