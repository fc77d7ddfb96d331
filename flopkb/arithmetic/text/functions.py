"""Logarithms, the exponential function and factorials, exact where they are rational, else to more digits than anybody writes."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import factorial as whole_factorial

FACTORIAL_UP_TO = 1000
_CONTEXT = Context(prec=50)


@lru_cache(maxsize=512)
def logarithm(value: Fraction, base: int) -> Fraction:
    """The logarithm of a positive number to a base of 2 or 10, or the natural one (``base`` 0)."""
    if base:
        for power in range(-64, 129):
            if value == Fraction(base) ** power:
                return Fraction(power)
    natural = _natural(value)
    return natural / _natural(Fraction(base)) if base else natural


def _natural(value: Fraction) -> Fraction:
    return Fraction(_decimal(value).ln(_CONTEXT))


def exponential(value: Fraction) -> Fraction:
    """``e`` to a power."""
    return Fraction(_decimal(value).exp(_CONTEXT))


def _decimal(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


@lru_cache(maxsize=64)
def factorial(value: int) -> Fraction:
    """The product of the whole numbers up to ``value``."""
    return Fraction(whole_factorial(value))
