"""A figure or a quote leaves an input open that its value depends on.

Nothing defaults: a symbol that no binding, point or role gives a value must cancel exactly, or the figure needs it.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import MissingInput
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "missing-input"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every MissingInput of the record."""
    yield from map(of_fault, base.faults_of(subject.id, MissingInput))
