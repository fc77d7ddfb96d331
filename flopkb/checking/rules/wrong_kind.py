"""A reference names a record of a kind that cannot stand there.

A source must be a ``source`` record, a product an ``accelerator``, the role ``model`` a ``model`` record, and so on. An
id that exists but is of another kind is nearly always a slip of the pen.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import WrongKind
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "wrong-kind"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every WrongKind of the record."""
    yield from map(of_fault, base.faults_of(subject.id, WrongKind))
