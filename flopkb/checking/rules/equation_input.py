"""A number in an equation is no input of the figure that it is tied to.

Every number on the left must be an input or a constant of the figure's formula (or a value between them that it
computes), as often as the formula has it. Then the equation moves with its inputs: when one of them is corrected, the
finding stands at the number that stayed behind.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.equations import INPUT, equation_faults
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding
from flopkb.checking.rules.quotes import equation_finding

ID = "equation-input"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every such fault in the equations of the record."""
    return (equation_finding(fault) for fault in equation_faults(subject, base) if fault.rule == INPUT)
