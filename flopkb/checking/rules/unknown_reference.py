"""A reference names an id that no record has.

``sources``, ``affected_by_hardware``, roles in bindings, citations ``[@id]`` and links all name records by id.
Correct the id, or add the record.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import UnknownRecord
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "unknown-reference"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every UnknownRecord of the record."""
    yield from map(of_fault, base.faults_of(subject.id, UnknownRecord))
