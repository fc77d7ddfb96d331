"""What a formula's tree is worth: its normal form, its exact value and derivative at a point, and its dimension."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

from flopkb.arithmetic.formula.errors import (
    DimensionError,
    NotDifferentiable,
    TieError,
    TooLargeError,
    ZeroDenominator,
    shown,
)
from flopkb.arithmetic.formula.polynomial import MAX_BITS
from flopkb.arithmetic.formula.rational import Rational, apply, call, powered, raised
from flopkb.arithmetic.formula.tree import (
    Among,
    Binary,
    Call,
    Compare,
    Condition,
    Expr,
    Has,
    Inner,
    Name,
    Number,
    Rebound,
    Sum,
    Unary,
    children,
    exponent,
    fold,
    to_text,
)
from flopkb.arithmetic.units import ONE, Unit

MAX_VALUE_BITS = 1_000_000
"""Of the parts of a value at given inputs: ``(1 - k/E)**B`` has some 500,000 for a batch of 65,536. The value itself stays
below ``2**MAX_BITS``, and forms keep to that: Python writes no longer integers."""
MAX_LARGE_STEPS = 32
"""So many steps of one expression may have over MAX_BITS bits: each takes up to a quarter of a second."""

Dual = tuple[Fraction, Fraction]
"""A value and its derivative."""

_COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def normal_form(expr: Expr, resolve: Callable[[Name], Rational]) -> Rational:
    """The quotient of polynomials that ``expr`` is, each name being what ``resolve`` gives.

    Raises :class:`ZeroDenominator` and :class:`TooLargeError` with the part of the formula at fault.
    """

    def leaf(node: Number | Name) -> Rational:
        return Rational.of(node.value) if isinstance(node, Number) else resolve(node)

    return fold(expr, leaf, _joined_forms)


def _joined_forms(expr: Inner, operands: list[Rational]) -> Rational:
    if isinstance(expr, Unary):
        return -operands[0]
    try:
        return _combined(expr, *operands) if isinstance(expr, Binary) else apply(_expanded(expr).func, tuple(operands))
    except TooLargeError as error:
        error.expr = error.expr or expr
        raise


def _expanded(expr: Inner) -> Call:
    """What is left of a formula once its sums, its calls with inputs and ``has`` are put in: no more than functions."""
    if not isinstance(expr, Call):
        raise TypeError(f"{to_text(expr)} is expanded before it has a value")
    return expr


def _combined(expr: Binary, left: Rational, right: Rational) -> Rational:
    if expr.op == "+":
        return left + right
    if expr.op == "-":
        return left - right
    if expr.op == "*":
        return left * right
    under = expr.right if expr.op == "/" else expr.left if (right.constant() or 0) < 0 else None
    if under is not None and not (right if expr.op == "/" else left).numerator.terms:
        raise ZeroDenominator(to_text(under), under)
    return left / right if expr.op == "/" else raised(left, right)


def evaluate(expr: Expr, resolve: Callable[[Name], Fraction]) -> Fraction:
    """The exact value, each name being what ``resolve`` gives.

    Raises :class:`ZeroDenominator` with the divisor at fault, :class:`TooLargeError` with what grew too large, or with
    the step at which too many were large.
    """
    large = 0

    def leaf(node: Number | Name) -> Fraction:
        return node.value if isinstance(node, Number) else resolve(node)

    def joined(part: Inner, operands: list[Fraction]) -> Fraction:
        nonlocal large
        value = _joined_values(part, operands)
        large += _bits(value) > MAX_BITS
        if large > MAX_LARGE_STEPS:
            raise TooLargeError(f"more than {MAX_LARGE_STEPS} steps with numbers of more than {MAX_BITS} bits", part)
        return value

    return fold(expr, leaf, joined)


def _joined_values(expr: Inner, operands: list[Fraction]) -> Fraction:
    if isinstance(expr, Binary):
        return _applied(expr, *operands)
    return -operands[0] if isinstance(expr, Unary) else call(_expanded(expr).func, operands)


def holds(condition: Compare, resolve: Callable[[Name], Fraction]) -> bool:
    """Whether a condition is true where each name is what ``resolve`` gives; raises what :func:`evaluate` does."""
    left, right = evaluate(condition.left, resolve), evaluate(condition.right, resolve)
    return compares(condition.op, left, right)


def compares(op: str, left: Fraction, right: Fraction) -> bool:
    """Whether ``left op right`` is true, ``op`` being that of a :class:`Compare`."""
    return _COMPARISONS[op](left, right)


def dual(expr: Expr, resolve: Callable[[Name], Dual]) -> Dual:
    """The value and the derivative at a point, each name's being what ``resolve`` gives: exact, by the chain rule.

    ``min`` and ``max`` follow the argument that wins (:class:`TieError` where several do at different rates);
    ``ceil`` and ``floor`` are flat. Raises what :func:`evaluate` does.
    """

    def leaf(node: Number | Name) -> Dual:
        return (node.value, Fraction(0)) if isinstance(node, Number) else resolve(node)

    return fold(expr, leaf, _joined_duals)


def _joined_duals(expr: Inner, operands: list[Dual]) -> Dual:
    if not isinstance(expr, Binary | Unary):
        return _dual_call(_expanded(expr), operands)
    left, left_slope = operands[0]
    if isinstance(expr, Unary):
        return -left, -left_slope
    right, right_slope = operands[1]
    value = _applied(expr, left, right)
    if expr.op == "**":
        if right_slope:
            raise NotDifferentiable(to_text(expr.right), to_text(expr))
        # At power 0 the base may be 0, where its power -1 has no value.
        return value, right * _raised(expr, left, right - 1) * left_slope if right and left_slope else Fraction(0)
    if expr.op == "*":
        return value, left_slope * right + left * right_slope
    if expr.op == "/":
        return value, (left_slope - value * right_slope) / right
    return value, left_slope + right_slope if expr.op == "+" else left_slope - right_slope


def _dual_call(expr: Call, args: list[Dual]) -> Dual:
    value = call(expr.func, [arg for arg, _ in args])
    if expr.func in ("ceil", "floor"):
        return value, Fraction(0)
    slopes = tuple(dict.fromkeys(slope for arg, slope in args if arg == value))
    if len(slopes) > 1:
        raise TieError(expr, value, slopes)
    return value, slopes[0]


def _applied(expr: Binary, left: Fraction, right: Fraction) -> Fraction:
    if expr.op == "+":
        result = left + right
    elif expr.op == "-":
        result = left - right
    elif expr.op == "*":
        result = left * right
    elif expr.op == "**":
        return _raised(expr, left, right)
    elif right:
        result = left / right
    else:
        raise ZeroDenominator(to_text(expr.right), expr.right)
    return _bounded(expr, result)


def _raised(expr: Binary, base: Fraction, power: Fraction) -> Fraction:
    if power < 0 and not base:
        raise ZeroDenominator(to_text(expr.left), expr.left)
    try:
        return powered(base, power, MAX_VALUE_BITS)
    except TooLargeError as error:
        error.expr = error.expr or expr
        raise


def _bounded(expr: Expr, value: Fraction) -> Fraction:
    # Each operand was within the bounds, so that no step before this one can have been slow.
    large = value.numerator.bit_length() - value.denominator.bit_length() > MAX_BITS
    if large or _bits(value) > MAX_VALUE_BITS:
        raise TooLargeError(f"whole numbers of more than {MAX_BITS if large else MAX_VALUE_BITS} bits", expr)
    return value


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def dimension(expr: Expr | Condition, resolve: Callable[[Name], Unit]) -> Unit:
    """The physical unit of ``expr`` in base units, each name's being what ``resolve`` gives; a condition has ``ONE``.

    Raises :class:`DimensionError` where the sides of ``+ - min max`` or of a comparison do not agree. A written 0
    agrees with everything: it is nothing in any unit.
    """
    if isinstance(expr, Compare):
        sides = [(side, dimension(side, resolve)) for side in (expr.left, expr.right)]
        _agreed(expr, expr.op, *sides)
        return ONE
    if isinstance(expr, Condition):
        for part in children(expr) if not isinstance(expr, Among) else ():  # a type has no unit
            dimension(part, resolve)
        return ONE

    def leaf(node: Number | Name) -> Unit:
        return ONE if isinstance(node, Number) else Unit(Fraction(1), resolve(node).dimension)

    return fold(expr, leaf, _joined_units)


def _joined_units(expr: Inner, operands: list[Unit]) -> Unit:
    if isinstance(expr, Unary | Sum | Rebound):
        return operands[0]
    if isinstance(expr, Has):
        return ONE
    if isinstance(expr, Call):
        return _of_call(expr, operands)
    left, right = operands
    if expr.op == "**":
        return _power_unit(expr, left, right)
    if expr.op == "*":
        return left * right
    return left / right if expr.op == "/" else _agreed(expr, expr.op, (expr.left, left), (expr.right, right))


def _power_unit(expr: Binary, base: Unit, power: Unit) -> Unit:
    fixed = exponent(expr)
    if fixed is not None:
        return base**fixed
    for side, unit in ((expr.left, base), (expr.right, power)):
        if unit.dimension:
            text = shown(to_text(side))
            reason = f"{text} is in {unit.base_text}: a power with a variable exponent takes plain numbers"
            raise DimensionError(unit.base_text, "1", expr, reason)
    return ONE


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


def _agreed(expr: Expr | Condition, sign: str, left: tuple[Expr, Unit], right: tuple[Expr, Unit]) -> Unit:
    if _is_zero(left[0]):
        return right[1]
    if _is_zero(right[0]) or left[1].dimension == right[1].dimension:
        return left[1]
    one, two = left[1].base_text, right[1].base_text
    sides = f"{shown(to_text(left[0]))} is in {one}, {shown(to_text(right[0]))} in {two}"
    raise DimensionError(one, two, expr, f"{sides}: the sides of {sign} must have one unit, counts aside")


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Number) and expr.value == 0
