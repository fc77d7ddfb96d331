"""The rows on a quantity show its effect on one side of the ridge only, although the class can be on either.

Where a cost is the longer of two times, a quantity acts on one side and not on the other: bandwidth while memory is the
limit, the arithmetic rate beyond the ridge. If the declared domains reach both sides, the rows on that quantity must
give a point on each (in one row or in several).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.claims import claims_of
from flopkb.base.elasticity import BranchElasticity, branch_elasticities
from flopkb.base.evaluate import Evaluation
from flopkb.base.link import FormulaRef
from flopkb.base.model import HardwareRow, Record
from flopkb.checking.findings import Finding, RecordRule, at
from flopkb.checking.rules.hardware_rows import at_point, at_points, cost_of


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every quantity of which a side is missing, at the first of its rows."""
    groups: defaultdict[tuple[str, FormulaRef], list[HardwareRow]] = defaultdict(list)
    for row in record.rows:
        cost = cost_of(row, record, base)
        if isinstance(cost, FormulaRef) and row.elasticity:
            groups[row.parameter.text, cost].append(row)
    for (quantity, cost), rows in groups.items():
        yield from missing_side(quantity, cost, rows, record, base)


def missing_side(
    quantity: str, cost: FormulaRef, rows: list[HardwareRow], record: Record, base: Evaluation
) -> Iterator[Finding]:
    """The finding on a quantity that is shown on one side only."""
    found = [at.computed for row in rows for at in at_points(row, record, base)]
    shown = {value for value in found if isinstance(value, Fraction)}
    first = rows[0].cost
    if len(shown) != 1 or len(found) > len([v for v in found if isinstance(v, Fraction)]) or first is None:
        return
    (only,) = shown
    other = next(
        (r for r in branch_elasticities(claims_of(base).checker, record, first, quantity) if r.elasticity != only), None
    )
    if other is None:
        return
    where = named_point(quantity, cost, other, record, base)
    example = where or "a point such as " + ", ".join(map(str, other.example))
    message = f"{first.text} has another side, where the elasticity of {quantity} is {decimal_text(other.elasticity)}"
    yield at(first, f"{message}, not {decimal_text(only)}; give it there too, at {example}")


def named_point(
    quantity: str, cost: FormulaRef, other: BranchElasticity, record: Record, base: Evaluation
) -> str | None:
    """A point of the record that lies on the other side."""
    for point in record.points.values():
        if at_point(cost, quantity, point, record, base, point.key) == other.elasticity:
            return f"the point {point.name}"
    return None


RULE = RecordRule(id="cost-one-sided", doc=__doc__, run=check)
