"""An elasticity of a hardware row is not what its cost formula gives.

``elasticity`` says, for each named point, by how many per cent the ``cost`` changes when the row's parameter changes by
one: -1 for the bandwidth of a class that is bound by memory, 0 for its peak rate there. It is recomputed from the
formulas by exact differentiation and must agree at the precision written. ``floor`` and ``ceil`` count as what is
inside them. Where both sides of a ``max`` are equal there is no such number: take a point on either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import ReadError, decimal_text, judge, read
from flopkb.arithmetic.units import ONE
from flopkb.base.elasticity import Tie
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import Blocked, Fault
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at, of_fault
from flopkb.checking.rules.hardware_rows import AtPoint, at_points, cost_of


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every cost that is no formula or has no elasticity, and every elasticity that is wrong or cannot be had."""
    for row in record.rows:
        cost = cost_of(row, record, base)
        if isinstance(cost, Fault) and not isinstance(cost, Blocked):
            yield of_fault(cost)
        if row.cost is not None and not row.elasticity:
            yield at(row.cost, "a cost needs the elasticity at a point that shows it, as elasticity: {h100: -1}")
        for found in at_points(row, record, base):
            yield from judged(found, row.parameter.text)


def judged(found: AtPoint, parameter: str) -> Iterator[Finding]:
    """What is wrong with one elasticity."""
    computed, declared = found.computed, found.declared
    if isinstance(computed, Tie):
        yield at(found.point, f"{found.point.text}: {computed}")
    elif isinstance(computed, Fault):
        if not isinstance(computed, Blocked):
            yield at(found.point, f"no elasticity at {found.point.text}: {computed}")
    elif not agrees(declared.text, computed):
        shown = decimal_text(computed)
        message = f"the elasticity of {parameter} at {found.point.text} is {shown}, not {declared.text}; write {shown}"
        yield Finding(declared.location, message, quoted=declared.text, computed=shown, length=len(declared.text))


def agrees(text: str, computed: Fraction) -> bool:
    """Whether a number as written is the computed one, at its precision."""
    try:
        return judge(read(text), (computed,), ONE).ok
    except ReadError:
        return False


RULE = RecordRule(id="cost-elasticity", doc=__doc__, run=check)
