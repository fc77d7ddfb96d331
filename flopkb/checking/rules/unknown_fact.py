"""A ``fact:`` link, a ``from:`` or an expression names a value that the record does not hold.

The path is that of the record's keys (``memory_bandwidth``, ``peak_flops.bf16``); ``@source`` picks what a source
states otherwise under ``disputed``.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import UnknownFact
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "unknown-fact"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every UnknownFact of the record."""
    yield from map(of_fault, base.faults_of(subject.id, UnknownFact))
