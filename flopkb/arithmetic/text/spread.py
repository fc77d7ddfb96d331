"""How far the value of an expression may be off because its numbers were rounded."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.text.measures import Setting
from flopkb.arithmetic.text.tree import Binary, Negative, Node, Number, evaluate

_MOST = Fraction(1, 20)


def loose(node: Node, setting: Setting) -> Fraction:
    """The relative error of the numbers that are marked as approximate (``~50k``)."""
    return _error(node, setting, marked=True)


def rounded(node: Node, setting: Setting) -> Fraction:
    """The relative error of all numbers that may have been rounded: those with decimals, exponents or suffixes."""
    return _error(node, setting, marked=False)


def _error(node: Node, setting: Setting, *, marked: bool) -> Fraction:
    if isinstance(node, Number):
        return _of_number(node, marked=marked)
    if isinstance(node, Negative):
        return _error(node.operand, setting, marked=marked)
    if not isinstance(node, Binary):
        return max(_error(arg, setting, marked=marked) for arg in node.args)
    left, right = (_error(part, setting, marked=marked) for part in (node.left, node.right))
    if not left and not right:
        return left
    if node.sign in "+-":
        a, b, whole = (abs(evaluate(part, setting).base) for part in (node.left, node.right, node))
        return (a * left + b * right) / (whole or 1)
    if node.sign == "^":
        return left * abs(evaluate(node.right, setting).digits)
    return left + right


def _of_number(node: Number, *, marked: bool) -> Fraction:
    size = abs(node.value)
    if not size:
        return Fraction(0)
    if marked:
        if not node.approximate:
            return Fraction(0)
        return max(node.place / 2 / size, min(node.nonzero / 2 / size, _MOST))
    exact = node.place == 1 and not node.suffix and not node.sci
    return Fraction(0) if exact else node.place / 2 / size
