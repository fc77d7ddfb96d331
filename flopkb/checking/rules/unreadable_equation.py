"""An equation that is tied to a figure cannot be read.

It uses a name that is neither symbol nor formula of the figure's record, or a notation that flopkb does not know.
Nothing would be checked, so it is an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.equations import UNREADABLE, equation_faults
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding
from flopkb.checking.rules.quotes import equation_finding

ID = "unreadable-equation"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every such fault in the equations of the record."""
    return (equation_finding(fault) for fault in equation_faults(subject, base) if fault.rule == UNREADABLE)
