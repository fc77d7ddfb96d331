"""An equation in prose does not come out.

An equation tied to a figure (`` [`2*32*8*128*2 = 128 KiB/token`](fig:kv_8b) ``) is recomputed as it stands, and its
result is judged against the figure as any quoted number is. One that stands alone, in a code span, between dollars or
in a document, is recomputed as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.equations import MISMATCH, equation_faults
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding
from flopkb.checking.rules.quotes import equation_finding

ID = "equation-mismatch"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every such fault in the equations of the record."""
    return (equation_finding(fault) for fault in equation_faults(subject, base) if fault.rule == MISMATCH)
