"""The dimension of a formula: bytes, seconds, joules and dollars must balance, counts are left aside."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flopkb.arithmetic.formula.errors import DimensionError, shown
from flopkb.arithmetic.formula.tree import Binary, Call, Compare, Expr, Name, Number, Unary, exponent, to_text
from flopkb.arithmetic.units import ONE, Unit


def dimension(expr: Expr | Compare, resolve: Callable[[Name], Unit]) -> Unit:
    """The physical unit of ``expr`` in base units, each name's being what ``resolve`` gives; a condition has ``ONE``.

    Raises :class:`DimensionError` where the sides of ``+ - min max`` or of a comparison do not agree. A written 0
    agrees with everything: it is nothing in any unit.
    """
    if isinstance(expr, Number):
        return ONE
    if isinstance(expr, Name):
        return Unit(Fraction(1), resolve(expr).dimension)
    if isinstance(expr, Unary):
        return dimension(expr.operand, resolve)
    if isinstance(expr, Call):
        return _of_call(expr, [dimension(arg, resolve) for arg in expr.args])
    left = dimension(expr.left, resolve)
    if isinstance(expr, Binary) and expr.op == "**":
        return left ** exponent(expr)
    right = dimension(expr.right, resolve)
    if expr.op == "*":
        return left * right
    if expr.op == "/":
        return left / right
    agreed = _agreed(expr, expr.op, (expr.left, left), (expr.right, right))
    return ONE if isinstance(expr, Compare) else agreed


def _of_call(expr: Call, units: list[Unit]) -> Unit:
    if expr.func in ("min", "max"):
        agreed = (expr.args[0], units[0])
        for pair in zip(expr.args[1:], units[1:], strict=True):
            agreed = (pair[0], _agreed(expr, expr.func, agreed, pair))
        return agreed[1]
    # Rounding means the same in every unit only for a plain number; bytes come whole, seconds do not.
    if units[0].dimension not in ((), (("byte", 1),)):
        found = units[0].base_text
        text = shown(to_text(expr.args[0]))
        reason = f"{text} is in {found}: {expr.func} takes a plain number or bytes, which come whole"
        raise DimensionError(found, "1", expr, reason)
    return units[0]


def _agreed(expr: Expr | Compare, sign: str, left: tuple[Expr, Unit], right: tuple[Expr, Unit]) -> Unit:
    if _is_zero(left[0]):
        return right[1]
    if _is_zero(right[0]) or left[1].dimension == right[1].dimension:
        return left[1]
    one, two = left[1].base_text, right[1].base_text
    sides = f"{shown(to_text(left[0]))} is in {one}, {shown(to_text(right[0]))} in {two}"
    raise DimensionError(one, two, expr, f"{sides}: the sides of {sign} must have one unit, counts aside")


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Number) and expr.value == 0
