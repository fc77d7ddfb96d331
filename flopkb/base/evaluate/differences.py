"""How two stated values differ: one is rounded, they are written in two notations, or the sources contradict each other."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction

from flopkb.arithmetic.rounding import Closeness, closeness
from flopkb.arithmetic.units import UnitError, parse_amount, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate.facts import fact_value
from flopkb.base.model import Fact, Record

SLACK = Fraction(1, 50)
"""Makers round clocks and rates before they multiply them: so far two values may be apart, digits aside."""
_NEAR = (Closeness.RIGHT, Closeness.QUALIFIED, Closeness.CUT)
_BINARY = [Fraction(1024, 1000) ** power for power in range(1, 6)]
_LINKS = ("interconnect_bandwidth", "host_bandwidth", "bandwidth")


class Difference(Enum):
    """How far another source's value is from the one that stands."""

    ROUNDING = "rounding"
    """The same number with fewer digits."""
    NOTATION = "notation"
    """The same thing in another way: with sparsity, both directions of a link added, GB for GiB."""
    CONFLICT = "conflict"
    """Another value."""


def difference(fact: Fact, other: Fact) -> Difference:
    """How ``other`` differs from ``fact``; what cannot be read is a conflict."""
    one, two = _stated(fact), _stated(other)
    if one is None or two is None:
        return Difference.CONFLICT
    if _near(one, two):
        return Difference.ROUNDING
    factors = (factor for each in notations(fact) for factor in (each, 1 / each))
    return Difference.NOTATION if any(_near(_times(one, f), two) for f in factors) else Difference.CONFLICT


def conflicts(fact: Fact) -> tuple[Fact, ...]:
    """The values that other sources state and that contradict this one."""
    return tuple(other for other in fact.disputed if difference(fact, other) is Difference.CONFLICT)


def notations(fact: Fact) -> list[Fraction]:
    """What the value of a quantity is multiplied by in another notation."""
    if fact.path.startswith("peak_flops"):
        return [Fraction(2)]
    if fact.path in _LINKS:
        return [Fraction(2), *_BINARY]
    return _BINARY if dict(parse_unit(fact.unit).dimension).get("byte") == 1 else []


_Number = tuple[Fraction, Fraction, Fraction]
"""A value with the worth of its last digit and of its last digit that is not zero."""


def _times(number: _Number, factor: Fraction) -> _Number:
    value, place, nonzero = number
    return value * factor, place * factor, nonzero * factor


def _near(one: _Number, two: _Number) -> bool:
    """Whether one of the two is the other with fewer digits."""
    return closeness(*one, True, two[0]) in _NEAR or closeness(*two, True, one[0]) in _NEAR


def _stated(fact: Fact) -> _Number | None:
    from flopkb.arithmetic.numbers import ReadError, read  # a question compares nothing where one source states a value

    if fact.value is None or fact.is_flag:
        return None
    try:
        quoted = read(fact.value.text)
        scale = parse_amount(fact.value.text).unit.scale if quoted.unit is not None else parse_unit(fact.unit).scale
    except (ReadError, UnitError):
        return None
    place = max(quoted.place * scale, _printed_place(fact, abs(quoted.value * scale)))
    return quoted.value * scale, place, max(place, quoted.nonzero_place * scale)


def _printed_place(fact: Fact, value: Fraction) -> Fraction:
    """What the last digit of the printed form is worth in a value that a reading computes from it."""
    from flopkb.arithmetic.numbers import ReadError, read_printed

    if fact.as_printed is None or fact.reading is None:
        return Fraction(0)
    try:
        printed = read_printed(fact.as_printed.text, binary=fact.reading.text == "binary")
    except ReadError:
        return Fraction(0)
    return printed.place * value / abs(printed.value) if printed.value else Fraction(0)


Interval = tuple[Fraction, Fraction]


def exact(fact: Fact, record: Record) -> Fraction:
    """The value of a fact in base units; 0 where it has none."""
    value = fact_value(fact, record)
    return value if isinstance(value, Fraction) else Fraction(0)


def interval(fact: Fact, record: Record) -> Interval | None:
    """What the digits of a value leave open, in base units; None where it cannot be read."""
    from flopkb.arithmetic.numbers import ReadError, read

    value = exact(fact, record)
    if not value or fact.value is None:
        return None
    try:
        place = read(fact.value.text).place * value / parse_amount(fact.value.text).value
    except (ReadError, UnitError, ZeroDivisionError):
        return None
    return value - place / 2, value + place / 2


def meet(one: Interval, two: Interval) -> bool:
    """Whether two intervals meet, up to the slack."""
    return one[0] <= two[1] * (1 + SLACK) and two[0] <= one[1] * (1 + SLACK)


def floating_bits(fact: Fact, records: Mapping[str, Record]) -> int | None:
    """The width of the floating-point format that a fact is about; None of another format."""
    record = records.get(fact.dtype.target.text) if fact.dtype is not None else None
    floating = record.document.root.get("is_floating") if record is not None else None
    bits = record.facts.get("bits") if record is not None else None
    if bits is None or bits.value is None or not isinstance(floating, Scalar) or floating.value is not True:
        return None
    return bits.value.value if isinstance(bits.value.value, int) else None
