"""The quoted side of an equation: one number, with its sign and its unit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.text.measures import Measure, Setting
from flopkb.arithmetic.text.tree import Binary, Negative, Node, Number, suffix_scale


@dataclass(frozen=True, slots=True)
class Quote:
    """A number with its sign; ``power`` marks a bare power of ten, which is one digit."""

    number: Number
    negative: bool = False
    power: bool = False

    @property
    def unit(self) -> Measure | None:
        """The unit it stands in, None where there is none."""
        return self.number.unit

    @property
    def unit_text(self) -> str:
        """Suffix and unit as written, ``1`` where there are none."""
        return self.number.suffix + (self.unit.text if self.unit is not None else "") or "1"

    @property
    def precise(self) -> bool:
        """Whether three digits are written: they agree with a wrong reading by chance once in a hundred times."""
        number = self.number
        return number.value != 0 and number.place > 0 and number.value / number.place >= 100

    def value(self, setting: Setting) -> Fraction:
        """The number with its sign and suffix, in its own unit."""
        value = self.number.value * suffix_scale(self.number, setting)
        return -value if self.negative else value


def as_quote(node: Node) -> Quote | None:
    """The node as a quoted number: digits with a sign and a unit, or a bare power of ten; None for anything else."""
    if isinstance(node, Number):
        return Quote(node)
    if isinstance(node, Negative):
        inner = as_quote(node.operand)
        return replace(inner, negative=not inner.negative) if inner is not None else None
    if not isinstance(node, Binary):
        return None
    if node.sign == "*" and isinstance(node.right, Number) and node.right.is_unit:
        return _with_unit(as_quote(node.left), node.right, node.end)
    if node.sign == "^" and isinstance(node.left, Number) and node.left.value == 10 and node.left.unit is None:
        return _power_of_ten(node)
    return None


def _with_unit(inner: Quote | None, unit: Number, end: int) -> Quote | None:
    """``10^9 bytes``: the unit stands behind the power."""
    if inner is None or inner.number.unit is not None or inner.number.suffix:
        return None
    number = replace(inner.number, unit=unit.unit, suffix=unit.suffix, noun=unit.noun, end=end)
    return replace(inner, number=number)


def _power_of_ten(node: Binary) -> Quote | None:
    exponent = node.right
    sign = -1 if isinstance(exponent, Negative) else 1
    inner = exponent.operand if isinstance(exponent, Negative) else exponent
    if not isinstance(inner, Number) or inner.value.denominator != 1 or abs(inner.value) > 400:
        return None
    power = Fraction(10) ** (sign * int(inner.value))
    return Quote(Number(node.start, node.end, power, power, power), power=True)
