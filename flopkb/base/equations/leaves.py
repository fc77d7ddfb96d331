"""The numbers that a value is computed from: inputs, recorded values, constants, and the formulas between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.amounts import readable
from flopkb.arithmetic.formula import Binary, Expr, Name, Number, children, exponent
from flopkb.arithmetic.numbers import Quoted, judge
from flopkb.arithmetic.units import ONE, Unit
from flopkb.base.evaluate.environment import BoundExpression, Computed, Unbound
from flopkb.base.evaluate.values import Value
from flopkb.base.faults import Fault
from flopkb.base.link.targets import FormulaRef, LinkedExpr, Target

PREFIXES = tuple(Fraction(10) ** power for power in (3, 6, 9, 12, 15, -3, -6, -9)) + tuple(
    Fraction(2) ** p for p in (10, 20, 30, 40)
)
"""What a number without a unit may be counted in."""

_MOST = 400


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number of a formula: its value in base units, its unit, and its name (none, if it is a constant)."""

    value: Fraction
    unit: Unit
    name: str = ""
    between: bool = False
    """Whether it is the value of a formula that the formula uses, not an input."""

    def __str__(self) -> str:
        number = readable(self.value, self.unit)
        return f"{self.name} = {number}" if self.name else number


def leaves_of(value: Value) -> list[Leaf]:
    """The leaves of the one case of a value, in the order in which its formula names them (powers count them again)."""
    found: list[Leaf] = []
    for side in value.cases[0].sides:
        walker = _Walker(side)
        found += walker.target(side.env.formula, top=True)
    return found[:_MOST]


class _Walker:
    """Follows the names of an expression down to its inputs."""

    def __init__(self, side: Computed) -> None:
        self.side = side

    def target(self, target: Target, *, top: bool = False) -> Iterator[Leaf]:
        if isinstance(target, FormulaRef):
            body = self.side.env.kb.formulas[target].body
            if not top and target in self.side.formulas:
                yield Leaf(self.side.formulas[target], self.side.unit(target), target.name, between=True)
            if body is not None:
                yield from self.expr(body.expr, body)
            return
        standing = self.side.env.standing(target)
        if isinstance(standing, (Fault, Unbound)) or target not in self.side.targets:
            return
        if isinstance(standing, BoundExpression):
            yield Leaf(self.side.targets[target], self.side.unit(target), str(target), between=True)
            yield from self.expr(standing.body.expr, standing.body)
            return
        yield Leaf(self.side.targets[target], self.side.unit(target), str(target))

    def expr(self, expr: Expr, body: LinkedExpr) -> Iterator[Leaf]:
        if isinstance(expr, Number):
            yield Leaf(expr.value, ONE)
        elif isinstance(expr, Name):
            yield from self.target(body.targets[expr])
        elif isinstance(expr, Binary) and expr.op == "**":
            for _ in range(max(1, min(abs(exponent(expr)), 16))):
                yield from self.expr(expr.left, body)
        else:
            for child in children(expr):
                yield from self.expr(child, body)


def says(reading: Quoted, leaf: Leaf) -> bool:
    """Whether a number of an equation is this input; without a unit it may be in any prefix of the input's."""
    if reading.number is None or reading.bound or reading.end is not None:
        return False
    if reading.unit is not None:
        return judge(reading, [leaf.value], leaf.unit).ok
    if reading.value == leaf.value:
        return True
    scales = (Fraction(1), leaf.unit.scale, *(PREFIXES if leaf.unit.powers else ()))
    size = abs(reading.value)
    near = (
        leaf.value / scale for scale in dict.fromkeys(scales) if 3 * size <= 4 * abs(leaf.value / scale) <= 5 * size
    )
    return any(judge(reading, [value], ONE).ok for value in near)
