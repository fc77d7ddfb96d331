"""A figure in a hardware row does not depend on the row's parameter.

A magnitude says how much the parameter matters, so the figure must move when the parameter does. With ``demand: true``
the figure is instead an amount in the parameter's unit: what the class asks of it, as 16 GiB of memory_capacity.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.units import parse_unit
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.model import HardwareRow, Record
from flopkb.base.quantities import HARDWARE
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every magnitude that its row's parameter does not move, or that is no amount of it."""
    for row in record.rows:
        for name in row.magnitude:
            value = base.figures.get((record.id, name.text))
            reason = unfit(row, value) if isinstance(value, Value) else None
            if reason:
                yield at(name, f"{name.text} {reason}")


def unfit(row: HardwareRow, value: Value) -> str | None:
    """Why a figure is no magnitude of the row's parameter."""
    parameter = row.parameter.text
    if parameter not in HARDWARE:
        return None
    if not row.demand:
        moves = value.depends_on_quantity(parameter)
        return (
            None if moves else f"does not depend on {parameter}; quote one that does, or say demand: true for an amount"
        )
    unit = parse_unit(HARDWARE[parameter].unit)
    same = value.unit.dimension == unit.dimension
    return None if same else f"is in {value.unit}, which is no amount of {parameter} ({unit})"


RULE = RecordRule(id="magnitude-without-parameter", doc=__doc__, run=check)
