"""Rounding: which numbers are right ways to round an exact value, and how one is rounded when it is written.

The tie rule stands here and nowhere else: both roundings of a tie are right (:func:`is_rounding`), and the one away
from zero is written (:func:`round_half_up`).
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction


class Closeness(Enum):
    """How a plain number stands to a value."""

    RIGHT = "right"
    QUALIFIED = "right because of its qualifier"
    CUT = "cut, not rounded"
    COARSE = "right to its last digit, which is too coarse"
    OFF = "off"


def is_rounding(q: Fraction, place: Fraction, v: Fraction) -> bool:
    """Whether ``q``, whose last digit is worth ``place``, is ``v`` rounded there (of a tie, both neighbours are)."""
    return abs(v - q) <= place / 2


def closeness(q: Fraction, place: Fraction, nonzero_place: Fraction, approximate: bool, v: Fraction) -> Closeness:
    """Judge ``q``, whose last digit is worth ``place``, against the exact ``v`` (all in one unit).

    ``nonzero_place`` is the worth of the last digit that is not zero: a qualifier widens the tolerance to half of it at most.
    """
    difference, size = abs(v - q), abs(q)
    if v * q < 0 or (not q) != (not v):
        return Closeness.OFF if q or place < abs(v) else Closeness.COARSE
    rounded = is_rounding(q, place, v)
    if rounded and difference <= size / 10:
        return Closeness.RIGHT
    wide = (rounded and difference <= size / 4) or (is_rounding(q, nonzero_place, v) and difference <= size / 20)
    if approximate and wide:
        return Closeness.QUALIFIED
    excess = abs(v) - size
    if any(
        unit and unit / 2 <= excess < unit and size % unit == 0 for unit in (place, nonzero_place if approximate else 0)
    ):
        return Closeness.CUT
    return Closeness.COARSE if rounded else Closeness.OFF


def magnitude(value: Fraction) -> int:
    """The exponent of ten of the first digit of a positive number: ``10**e <= value < 10**(e+1)``."""
    exponent = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100000 + 1
    while value < Fraction(10) ** exponent:
        exponent -= 1
    return exponent


def round_half_up(value: Fraction, decimals: int) -> int:
    """``|value| * 10**decimals`` to the nearest integer, ties away from zero."""
    scaled = abs(value) * 10**decimals
    return int((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator))
