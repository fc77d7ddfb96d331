"""An expression does not parse, or is larger than flopkb computes with.

Formulas are names, numbers, ``+ - * / **``, ``min max ceil floor``; conditions add comparisons. A constant with a
unit is a symbol with ``value:``, never a number inside the expression.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import BadExpression
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, of_fault

ID = "formula-syntax"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every BadExpression of the record."""
    yield from map(of_fault, base.faults_of(record.id, BadExpression))
