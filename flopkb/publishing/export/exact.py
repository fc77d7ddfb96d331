"""An exact value on its way out of the program: numerator and denominator as text, and a decimal (a leaf)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text, exact_text, integer_text, with_unit
from flopkb.arithmetic.units import parse_unit

DIGITS = 17
"""Significant digits of a decimal that does not end: enough to tell any two doubles apart."""


@dataclass(frozen=True, slots=True)
class Exact:
    """A value in its declared unit."""

    value: Fraction
    unit: str

    @classmethod
    def of_base(cls, base: Fraction, unit: str) -> Exact:
        """The value ``base``, which is in base units, in ``unit``."""
        return cls(base / parse_unit(unit).scale, unit)

    @property
    def base(self) -> Fraction:
        """The value in base units (byte, second, flop, ...)."""
        return self.value * parse_unit(self.unit).scale

    @property
    def numerator(self) -> str:
        """The numerator in decimal digits; it carries the sign."""
        return integer_text(self.value.numerator)

    @property
    def denominator(self) -> str:
        """The denominator in decimal digits, positive and with no factor in common with the numerator."""
        return integer_text(self.value.denominator)

    @property
    def fraction(self) -> str:
        """``1979/67``, or ``16`` for a whole number."""
        return exact_text(self.value)

    @property
    def decimal(self) -> str:
        """A decimal number: exact where it ends within 12 digits, else rounded half up to 17; ``3.3e24`` if large."""
        return decimal_text(self.value, DIGITS)

    @property
    def decimal_is_exact(self) -> bool:
        """Whether the decimal is the value itself."""
        return Fraction(self.decimal) == self.value

    @property
    def nearest(self) -> float | None:
        """The nearest double, for programs that calculate on; None where it is too large for one."""
        try:
            return float(self.value)
        except OverflowError:
            return None

    @property
    def short(self) -> str:
        """For a reader: at least six significant digits, with the unit."""
        return with_unit(decimal_text(self.value), self.unit)
