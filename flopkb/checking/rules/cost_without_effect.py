"""The parameter of a hardware row does not move the row's cost, or does although the row denies it.

A row says that a quantity of the hardware matters. If at none of its points a change of it changes the cost, it does
not, and the row must say so: ``moves: false`` (worth stating for the arithmetic rate of a class bound by memory).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import HardwareRow, Record
from flopkb.checking.findings import Finding, RecordRule, at
from flopkb.checking.rules.hardware_rows import at_points


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every row whose ``moves`` is not what its points show."""
    for row in record.rows:
        yield from denied(row, record, base)


def denied(row: HardwareRow, record: Record, base: Evaluation) -> Iterator[Finding]:
    """What the points of a row say against it."""
    points = at_points(row, record, base)
    computed = [(found, found.computed) for found in points if isinstance(found.computed, Fraction)]
    if not computed or len(computed) < len(points) or row.cost is None:
        return
    parameter, cost = row.parameter.text, row.cost.text
    if row.moves and not any(value for _, value in computed):
        where = "at its point" if len(computed) == 1 else "at any of its points"
        message = f"{parameter} does not move {cost} {where}; say moves: false, or name a cost that it moves"
        yield at(row.parameter, message)
    for found, value in computed:
        if not row.moves and value:
            change = f"one per cent more {parameter} changes {cost} by {decimal_text(value)} per cent"
            place = f"the row says moves: false, but at {found.point.text}"
            yield at(found.declared, f"{place} {change}; leave out moves: false")


RULE = RecordRule(id="cost-without-effect", doc=__doc__, run=check)
