"""A record uses one that is deprecated.

A deprecated record keeps its id so that old links do not break, but nothing new may stand on it: use the record that
took its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import DeprecatedRecord
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "deprecated-reference"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every DeprecatedRecord of the record."""
    yield from map(of_fault, base.faults_of(subject.id, DeprecatedRecord))
