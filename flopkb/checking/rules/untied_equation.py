"""An equation in a record that nothing stands behind.

An equation of numbers is recomputed as it stands, but a derivation of one of the record's formulas, or a number given
to one of its symbols, has to be linked to be checked. An error where it holds a number, else a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.equations import UNTIED, equation_faults
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.findings import Finding
from flopkb.checking.rules.quotes import equation_finding

ID = "untied-equation"


def check(subject: Record, base: Evaluation) -> Iterator[Finding]:
    """Every such fault in the equations of the record."""
    return (equation_finding(fault) for fault in equation_faults(subject, base) if fault.rule == UNTIED)
