"""An input, a unit or a recorded value that cannot be read as what it should be.

Inputs are plain digits with a unit (``3350 GB/s``, ``32768``, ``32Ki``), the id of a record, or an expression in
symbols. ``32k`` could mean 32,000 or 32,768 and is refused; ``KB`` and a bare ``b`` likewise.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import BadInput
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, of_fault

ID = "bad-input"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every BadInput of the record."""
    yield from map(of_fault, base.faults_of(subject.id, BadInput))
