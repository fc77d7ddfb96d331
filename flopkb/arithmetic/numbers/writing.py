"""Rewriting a stale quote: the recomputed value in the form in which the old one was written."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flopkb.arithmetic.numbers.judging import as_bytes, judge, unit_fault
from flopkb.arithmetic.numbers.reading import SUFFIXES, Ending, Quoted, ReadError, read
from flopkb.arithmetic.numeral import round_half_up
from flopkb.arithmetic.units import Unit

_MAX_EXTRA = 24
"""How many digits may be added until the text is near enough (``3x`` cannot say 1.49, ``1.5x`` can)."""


def rewrite(quoted: Quoted, values: Sequence[Fraction], declared: Unit) -> str | None:
    """The text with its digits replaced by the value's, rounded half up: same unit, qualifier, suffix and separators.

    A quote that already stands is returned as it is. None where new digits alone would not keep the meaning: a range,
    a bound, a word, a ratio, a set of several values, another sign, a unit that does not fit.
    """
    number = quoted.number
    if quoted.bound or quoted.end or number is None or len(set(values)) != 1:
        return quoted.text if judge(quoted, values, declared).ok else None
    reading = as_bytes(quoted, declared)
    if unit_fault(reading, declared) is not None:
        return None
    if judge(quoted, values, declared).ok:
        return quoted.text
    value = values[0] / (reading.unit.scale if reading.unit is not None else Fraction(1))
    if value * number.value < 0 or (not value) != (not number.value):
        return None
    assert reading.number is not None
    return _fitting(quoted, reading.number, value, values, declared)


def _fitting(quoted: Quoted, number: Ending, value: Fraction, values: Sequence[Fraction], declared: Unit) -> str | None:
    """The shortest writing, from the old number of decimals on, that judges right."""
    for scale in _scales(number, abs(value)):
        for extra in range(_MAX_EXTRA + 1):
            text = _with_digits(quoted, number, number.numeral.write(abs(value) / scale, extra))
            try:
                if judge(read(text), values, declared).ok:
                    return text
            except ReadError:
                break
    return None


def _scales(number: Ending, size: Fraction) -> list[Fraction]:
    """Which readings of the suffix to try: 1024 only where it gives a whole number and 1000 does not."""
    usual, *others = SUFFIXES[number.suffix]
    binary = [scale for scale in others if (size / scale).denominator == 1 and (size / usual).denominator != 1]
    return [*binary, usual]


def _with_digits(quoted: Quoted, number: Ending, digits: str) -> str:
    start = number.stop - len(number.numeral.text)
    return quoted.text[:start] + digits + quoted.text[number.stop :]


def rounded_text(value: Fraction, decimals: int) -> str:
    """``value`` with exactly ``decimals`` decimals, half up."""
    digits = str(round_half_up(value, decimals)).rjust(decimals + 1, "0")
    sign = "-" if value < 0 and digits.strip("0") else ""
    return sign + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)
