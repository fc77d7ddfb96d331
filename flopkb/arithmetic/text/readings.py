"""The readings of a computed side in the unit of the number that is quoted, in the order of likelihood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flopkb.arithmetic.formula import Expr
from flopkb.arithmetic.text.conversions import SIBLINGS, converted, in_a_unit_left_out, natural, unit_behind_all
from flopkb.arithmetic.text.measures import CALENDARS, NONE, Choice, Dimension, Measure, dims_of, measure, scale_of
from flopkb.arithmetic.text.quotes import SignedNumber
from flopkb.arithmetic.text.tree import Evaluated, Measured, numbers, open_choices

AS_WRITTEN = "as written"
_PERCENT = Fraction(1, 100)
_SMALL_NUMBERS = 10**6
"""Up to here a bare number may stand for thousands of its unit (``4 * 18 * 400 / 8 = 3.6TB/s`` counts in GB/s)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """``value`` is the computed side in the unit of the quote; ``level`` says how far-fetched that is."""

    value: Fraction
    name: str
    level: int = 0
    """0 for what the text says, 1 where units had to be set aside, 2 for a unit that nothing names."""
    exact: bool = False
    """Only a precise match may pass by this reading."""
    unlike: str = ""
    """The unit of the computed side, where no factor makes the two equal: ``value`` is in it."""


def settings(nodes: tuple[Expr, ...], *, foreign: bool = True) -> list[Choice]:
    """The choices that these expressions leave open, the usual one first."""
    features = set(open_choices(nodes))
    if not features:
        return [Choice()]

    def either(feature: str) -> tuple[bool, ...]:
        return (False, True) if feature in features else (False,)

    choices = product(
        either("kilo"),
        either("binary") if foreign and "told apart" not in features else (False,),
        either("b_bytes"),
        either("rate"),
        range(len(CALENDARS)) if "calendar" in features else (0,),
        either("stored"),
        either("apart"),
        range(3) if "logarithm" in features else (0,),
    )
    return [Choice(*choice) for choice in choices]


def named(setting: Choice) -> str:
    """The name of a choice, empty for the usual one."""
    parts = []
    if setting.kilo:
        parts.append("K as 1024")
    if setting.binary:
        parts.append("prefixes of bytes as powers of 1024")
    if setting.b_bytes:
        parts.append("B as bytes")
    if setting.stored:
        parts.append("a number format as its bytes")
    if setting.logarithm:
        parts.append(f"log to the base {(10, 2)[setting.logarithm - 1]}")
    if setting.calendar:
        month, year = CALENDARS[setting.calendar]
        parts.append(f"a year of {float(year):g} days, a month of {float(month):.4g}")
    return ", ".join(parts)


def readings(value: Evaluated, quote: SignedNumber, setting: Choice, node: Expr) -> Iterator[Reading]:
    """The computed side in the unit of the quote, by every reading in the order of likelihood."""
    unit = quote.unit
    bytes_meant = quote.number.suffix == "B" and setting.b_bytes and unit is None
    if unit is None and not bytes_meant:
        yield from _without_unit(value, quote, setting)
        return
    scale = Fraction(1) if unit is None else scale_of(unit, setting)
    dims = (1, 0, 0, 0) if unit is None else dims_of(unit, setting)
    inexact = setting.binary and _large_binary(unit)
    if not value.units and dims == NONE:
        yield from _plain(value, unit, scale, node, inexact)
    elif not value.units:
        yield from _unit_left_out(value, unit, setting, dims, inexact)
    elif value.dims == dims:
        yield Reading(value.base / scale, AS_WRITTEN, exact=inexact)
        yield from _by_a_factor(value, unit, setting, node, dims, scale)
    elif unit is not None and value.dims == _numerator(unit).dims:
        name = f"in {unit.text.partition('/')[0]}, what it is counted by left aside"
        yield Reading(value.base / scale_of(_numerator(unit), setting), name, exact=inexact)
        yield from _by_a_factor(value, unit, setting, node, dims, scale)
    elif value.dims is None or dims == NONE:
        yield Reading(value.digits, "numbers alone, since the units do not combine", 1)
        yield Reading(value.base / scale, "in base units, with units left out", 1, exact=inexact)
    else:
        if unit is not None and unit_behind_all(node, unit):
            yield Reading(value.digits, "the unit behind the last number stands for the whole", 1)
        if value.dims == (dims[0] + 1, *dims[1:]) and any(_is_width(number) for number in numbers(node)):
            yield Reading(value.base * 8 / scale, "the width of a bus counts pins", exact=inexact)
            if any(_is_eight(number) for number in numbers(node)):  # it spells out the change from bits to bytes
                yield Reading(value.base * 64 / scale, "a bus counts pins, and 8 bit are a byte", exact=inexact)
        for factor in in_a_unit_left_out(node, value.dims, dims):
            yield Reading(value.base * factor / scale, "a number in a unit that is left out", 1, exact=inexact)
        yield from _by_a_factor(value, unit, setting, node, dims, scale)
        amount, name = natural(value.base, value.dims)
        yield Reading(amount, AS_WRITTEN, 0, unlike=name)


def _is_width(number: Measured) -> bool:
    """Whether it is a width in bits: ``384-bit``."""
    return number.unit is not None and number.unit.text in ("bit", "bits")


def _is_eight(number: Measured) -> bool:
    """Whether it is a bare 8."""
    return number.value == 8 and number.unit is None and not number.suffix


def _by_a_factor(
    value: Evaluated, unit: Measure | None, setting: Choice, node: Expr, dims: Dimension, scale: Fraction
) -> Iterator[Reading]:
    """A factor of the expression may only spell out the change of units: ``1 Gbps / 8 = 125 MB/s``."""
    for amount in converted(node, setting, value, dims, scale):
        yield Reading(amount, "a factor converts the unit", 1)
    if unit is not None and any(name in unit.text for name in ("llion", "thousand")):
        yield Reading(value.digits, "numbers alone, since a factor converts the unit", 1)


def _numerator(unit: Measure) -> Measure:
    """The unit without what it is counted by: ``GB`` of ``GB/day``."""
    return measure(unit.text.partition("/")[0]) if "/" in unit.text else unit


def _without_unit(value: Evaluated, quote: SignedNumber, setting: Choice) -> Iterator[Reading]:
    if value.dims == NONE:
        yield Reading(value.base, AS_WRITTEN)
        if value.base != value.digits:
            yield Reading(value.digits, "numbers alone", 1)
        if value.percent:
            yield Reading(value.base * 100, "in percent", 1)
        if quote.number.suffix in ("G", "T") and not value.units:
            yield Reading(value.digits * quote.scale(setting), f"the other side in {quote.number.suffix}", 1)
        return
    yield Reading(value.digits, "in the unit of the other side")
    yield Reading(value.base, "in base units", 1)


_POINTS = frozenset({"points", "point", "pts", "percentage points"})


def _plain(value: Evaluated, unit: Measure | None, scale: Fraction, node: Expr, exact: bool) -> Iterator[Reading]:
    """A result without a physical unit: a percentage, a multiple, a number of operations."""
    yield Reading(value.base / scale, AS_WRITTEN, exact=exact)
    if unit is not None and unit.text in _POINTS:
        yield Reading(value.base * 100, "in points of percent")
    if scale == _PERCENT and abs(value.digits) >= 1:
        yield Reading(value.digits, "numbers in percent", 1)
    elif scale not in (1, _PERCENT):
        if value.base != value.digits:
            yield Reading(value.digits / scale, "numbers alone, in base units", 1)
        yield Reading(value.digits, "numbers alone", 1)


def _unit_left_out(
    value: Evaluated, unit: Measure | None, setting: Choice, dims: tuple[int, int, int, int], exact: bool
) -> Iterator[Reading]:
    scale = Fraction(1) if unit is None else scale_of(unit, setting)
    name = unit.text if unit is not None else "bytes"
    if scale == 1:
        yield Reading(value.digits, f"the other side in {name}", exact=exact)
    else:
        yield Reading(value.digits / scale, "the other side in base units", exact=exact)
        yield Reading(value.digits, f"the other side in {name}")
    for sibling, size in SIBLINGS.get(dims, ()):
        if size not in (1, scale) and not (sibling == "bits" and setting.binary):
            yield Reading(value.digits * size / scale, f"the other side in {sibling}", 2, exact=exact)
    if (dims[0] or dims == (0, -1, 0, 0)) and scale % 1000 == 0 and abs(value.digits) < _SMALL_NUMBERS:
        likely = abs(value.digits) < _SMALL_NUMBERS / 10
        yield Reading(value.digits / 1000, f"the other side in thousandths of {name}", 1 if likely else 2)


def _large_binary(unit: Measure | None) -> bool:
    """Whether a prefix above kilo is read as a power of 1024: that is granted only where it makes the result exact."""
    return unit is not None and unit.binary is not None and unit.binary != unit.scale * Fraction(1024, 1000)
