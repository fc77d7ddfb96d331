"""A table directive cannot be read.

A block fenced as ``flopkb-table`` holds YAML: ``formula:`` and ``rows: {input: [values]}`` at least, and if wanted
``with:``, ``at:``, ``over:``, ``columns:``, ``unit:``, ``digits:``, ``labels:`` and ``caption:``. Its cells are
computed and checked as figures are.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import BadTable
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "bad-table"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every BadTable of the record."""
    yield from map(of_fault, base.faults_of(subject.id, BadTable))
