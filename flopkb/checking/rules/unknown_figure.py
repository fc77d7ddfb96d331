"""A link or a figure names a figure or formula that does not exist.

``fig:name`` looks in the record that holds the prose, ``fig:record.name`` in another. Correct the name or declare the
figure under ``figures:``.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import UnknownFigure
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "unknown-figure"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every UnknownFigure of the record."""
    yield from map(of_fault, base.faults_of(subject.id, UnknownFigure))
