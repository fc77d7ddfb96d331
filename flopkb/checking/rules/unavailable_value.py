"""A formula needs a value that a record cannot give.

The part lacks the precision, has none published, or gives only a sparse peak where a dense one is meant: the ridge of a
part is that of its dense peak.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import Unavailable
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "unavailable-value"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every Unavailable of the record."""
    yield from map(of_fault, base.faults_of(subject.id, Unavailable))
