"""An expression does not parse, or is larger than flopkb computes with.

Formulas are names, numbers, ``+ - * / **``, ``min max ceil floor``; conditions add comparisons. A constant with a
unit is a symbol with ``value:``, never a number inside the expression.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.evaluate import Evaluation
from flopkb.faults import BadExpression
from flopkb.findings import Finding, of_fault
from flopkb.model import Record

ID = "formula-syntax"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every BadExpression of the record."""
    yield from map(of_fault, base.faults_of(record.id, BadExpression))
