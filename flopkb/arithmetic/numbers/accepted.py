"""Which values a quoted number is right for, as plain bounds: what :func:`judge` decides, for who has no judge at hand.

``accepted(read("about 295"), ONE).holds([v])`` is ``judge(read("about 295"), [v], ONE).ok`` for every v; a test holds
the two to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.numbers.judging import as_bytes, unit_fault
from flopkb.arithmetic.numbers.reading import Ending, Quoted
from flopkb.arithmetic.unit_table import SUFFIXES
from flopkb.arithmetic.units import Unit


@dataclass(frozen=True, slots=True)
class Band:
    """The values from ``low`` to ``high`` (None: no end), without the ends where ``open``, and those of ``also``.

    ``squared``: the ends are squares of the values, which are above 0. ``but`` are values that are none of them.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    open: bool = False
    squared: bool = False
    also: tuple[Fraction, ...] = ()
    but: tuple[Fraction, ...] = ()

    def holds(self, value: Fraction) -> bool:
        """Whether a value is one of them."""
        if value in self.also or value in self.but:
            return value in self.also
        at = value * value if self.squared else value
        if self.squared and value <= 0:
            return False
        if self.open:
            return (self.low is None or at > self.low) and (self.high is None or at < self.high)
        return (self.low is None or at >= self.low) and (self.high is None or at <= self.high)

    def times(self, factor: Fraction) -> Band:
        """The same of values that are ``factor`` times as great."""
        by = factor * factor if self.squared else factor
        low, high = (None if end is None else end * by for end in (self.low, self.high))
        also, but = (tuple(value * factor for value in values) for values in (self.also, self.but))
        return replace(self, low=low, high=high, also=also, but=but)


@dataclass(frozen=True, slots=True)
class Accepted:
    """What must hold of each value of a set, of the least and of the greatest; None where nothing must."""

    each: Band | None = None
    least: Band | None = None
    greatest: Band | None = None

    def holds(self, values: Sequence[Fraction]) -> bool:
        """Whether the quote is right for these values, which are in base units."""
        asked = [(self.each, value) for value in values]
        asked += [(self.least, min(values)), (self.greatest, max(values))]
        return all(band is None or band.holds(value) for band, value in asked)

    def times(self, factor: Fraction) -> Accepted:
        """The same of values that are ``factor`` times as great."""
        each, least, greatest = (
            None if band is None else band.times(factor) for band in (self.each, self.least, self.greatest)
        )
        return Accepted(each, least, greatest)


def accepted(quoted: Quoted, declared: Unit) -> Accepted | None:
    """The values for which a quote is right, in base units of ``declared``; None where its unit does not fit."""
    reading = as_bytes(quoted, declared)
    if unit_fault(reading, declared) is not None:
        return None
    scale = reading.unit.scale if reading.unit is not None else Fraction(1)
    return _accepted(reading).times(scale)


def _accepted(quoted: Quoted) -> Accepted:
    if quoted.bound:
        return _bound(quoted)
    found = _two_sided(quoted)
    if not quoted.one_sided:
        return found
    below = Band(high=quoted.value)
    return replace(found, each=below) if found.each is None else replace(found, greatest=below)


def _two_sided(quoted: Quoted) -> Accepted:
    number = quoted.number
    if quoted.ratio is not None:
        room = abs(quoted.ratio) / 20 if quoted.approximate else Fraction(0)
        return Accepted(each=Band(quoted.value - room, quoted.value + room))
    if quoted.word is not None:
        return Accepted(each=Band(quoted.word.low_square, quoted.word.high_square, squared=True))
    assert number is not None, "a quote has a word, a ratio or digits"
    if quoted.end is not None:
        return Accepted(least=_around(number, quoted.approximate), greatest=_around(quoted.end, quoted.approximate))
    return Accepted(each=_around(number, quoted.approximate))


def _around(number: Ending, approximate: bool) -> Band:
    """The values that digits are a right way to round."""
    usual, *others = SUFFIXES[number.suffix]
    q, place, nonzero = number.value * usual, number.numeral.place * usual, number.numeral.nonzero_place * usual
    room = min(place / 2, abs(q) / 10)
    if approximate:
        room = max(room, min(place / 2, abs(q) / 4), min(nonzero / 2, abs(q) / 20))
    return Band(q - room, q + room, also=tuple(number.value * scale for scale in others))


def _bound(quoted: Quoted) -> Accepted:
    """An inequality; a suffix that may be binary is read so where that is the value."""
    limit, strict = quoted.value, quoted.bound in ("<", ">")
    number = quoted.number
    others = tuple(number.value * scale for scale in SUFFIXES[number.suffix][1:]) if number is not None else ()
    if quoted.bound == "=":
        return Accepted(each=Band(limit, limit, also=others))
    also, but = ((), others) if strict else (others, ())
    if quoted.bound.startswith("<"):
        return Accepted(greatest=Band(high=limit, open=strict, also=also, but=but))
    return Accepted(least=Band(low=limit, open=strict, also=also, but=but))
