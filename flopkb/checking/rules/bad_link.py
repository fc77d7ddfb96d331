"""A link target is not of the form that its scheme takes.

``fig:[record.]name[?point&input=value]``, ``in:[record.]owner.input``, ``fact:record.path[@source]``, ``lit:reason``
and ``claim:[record.]name`` are the forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import BadTarget
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "bad-link"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every BadTarget of the record."""
    yield from map(of_fault, base.faults_of(subject.id, BadTarget))
