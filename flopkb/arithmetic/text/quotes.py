"""A single number on one side of an equation: with its sign, its suffix and its unit, or a bare power of ten."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Expr, Unary
from flopkb.arithmetic.text.measures import Choice, Measure
from flopkb.arithmetic.text.tree import Measured, suffix_scale


@dataclass(frozen=True, slots=True)
class SignedNumber:
    """A number with its sign; ``power`` marks a bare power of ten, which is one digit."""

    number: Measured
    negative: bool = False
    power: bool = False

    @property
    def unit(self) -> Measure | None:
        """The unit it stands in, None where there is none."""
        return self.number.unit

    @property
    def unit_text(self) -> str:
        """Suffix and unit as written, ``1`` where there are none."""
        unit = self.unit.text if self.unit is not None else ""
        return (self.number.suffix + " " * (unit[:1].isalpha() and bool(self.number.suffix)) + unit) or "1"

    @property
    def telling(self) -> bool:
        """Whether at least two digits are written."""
        number = self.number
        return number.value != 0 and number.place > 0 and number.value / number.place >= 10

    @property
    def precise(self) -> bool:
        """Whether three digits are written: they agree with a wrong reading by chance once in a hundred times."""
        number = self.number
        return number.value != 0 and number.place > 0 and number.value / number.place >= 100

    def scale(self, setting: Choice) -> Fraction:
        """What its suffix is worth under one reading."""
        return suffix_scale(self.number, setting)

    def value(self, setting: Choice) -> Fraction:
        """The number with its sign and suffix, in its own unit."""
        value = self.number.value * self.scale(setting)
        return -value if self.negative else value


def as_quote(node: Expr) -> SignedNumber | None:
    """The node as a quoted number: digits with a sign and a unit, or a bare power of ten; None for anything else."""
    if isinstance(node, Measured):
        return SignedNumber(node)
    if isinstance(node, Unary):
        inner = as_quote(node.operand)
        return replace(inner, negative=not inner.negative) if inner is not None else None
    if not isinstance(node, Binary):
        return None
    if node.op == "*" and isinstance(node.right, Measured) and node.right.is_unit:
        return _with_unit(as_quote(node.left), node.right, node.end)
    if node.op == "**" and isinstance(node.left, Measured) and node.left.value == 10 and node.left.unit is None:
        return _power_of_ten(node)
    return None


def as_fraction(node: Expr) -> SignedNumber | None:
    """``9/32 bytes``: two whole numbers pressed together, as an exact number; None for anything else."""
    if not isinstance(node, Binary) or node.op != "/" or node.spaced or node.grouped:
        return None
    over, under = node.left, node.right
    if not isinstance(over, Measured) or not isinstance(under, Measured) or over.unit is not None or over.suffix:
        return None
    if over.place != 1 or under.place != 1 or under.suffix or not under.value:
        return None
    exact = replace(under, value=over.value / under.value, place=Fraction(0), nonzero=Fraction(0), offset=node.offset)
    return SignedNumber(exact)


def _with_unit(inner: SignedNumber | None, unit: Measured, end: int) -> SignedNumber | None:
    """``10^9 bytes``: the unit stands behind the power."""
    if inner is None or inner.number.unit is not None or inner.number.suffix:
        return None
    number = replace(inner.number, unit=unit.unit, suffix=unit.suffix, noun=unit.noun, end=end)
    return replace(inner, number=number)


def _power_of_ten(node: Binary) -> SignedNumber | None:
    exponent = node.right
    sign = -1 if isinstance(exponent, Unary) else 1
    inner = exponent.operand if isinstance(exponent, Unary) else exponent
    if not isinstance(inner, Measured) or inner.value.denominator != 1 or abs(inner.value) > 400:
        return None
    power = Fraction(10) ** (sign * int(inner.value))
    return SignedNumber(Measured(power, power, power, offset=node.offset, end=node.end), power=True)
