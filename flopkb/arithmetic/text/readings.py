"""The ways in which a computed side and a quoted side can be put in one unit, each with its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flopkb.arithmetic.text.measures import CALENDARS, NONE, Measure, Setting, dims_of, measure, scale_of
from flopkb.arithmetic.text.quotes import Quote
from flopkb.arithmetic.text.tree import Node, Value, numbers, setting_features

AS_WRITTEN = "as written"
_PERCENT = Fraction(1, 100)
_CONVERSIONS = frozenset(
    (
        *(Fraction(1000) ** power for power in (-3, -2, -1, 1, 2, 3, 4)),
        *(Fraction(1024) ** power for power in (1, 2, 3, 4)),
        *(Fraction(value) for value in (8, 24, 60, 1440, 3600, 86400)),
        *(Fraction(value) for value in (7, 12, 28, 30, 31, 52, 168, 365, 720, 730, 744, 8760)),
    )
)
"""Factors that turn one unit into another."""
_SMALL_NUMBERS = 10**5
"""Up to here a bare number may stand for thousands of its unit (``4 * 18 * 400 / 8 = 3.6TB/s`` counts in GB/s)."""

_SIBLINGS: dict[tuple[int, int, int, int], tuple[tuple[str, Fraction], ...]] = {
    (0, 1, 0, 0): (
        ("seconds", Fraction(1)), ("minutes", Fraction(60)), ("hours", Fraction(3600)), ("days", Fraction(86400)),
        ("weeks", Fraction(604800)), ("ms", Fraction(1, 1000)), ("us", Fraction(1, 10**6)), ("ns", Fraction(1, 10**9)),
    ),
    (0, 0, 0, 1): (("cents", Fraction(1, 100)),),
    (1, 0, 0, 0): (("bits", Fraction(1, 8)),),
}  # fmt: skip
"""Units that a bare number may stand in where the result has another of the same kind: ``60 * 24 = 1 day``."""


@dataclass(frozen=True, slots=True)
class Reading:
    """``value`` is the computed side in the unit of the quote; ``level`` says how far-fetched that is."""

    value: Fraction
    name: str
    level: int = 0
    """0 for what the text says, 1 where units had to be set aside, 2 for a unit that nothing names."""
    exact: bool = False
    """Only an exact match may pass by this reading."""


def settings(nodes: tuple[Node, ...], *, foreign: bool = True) -> list[Setting]:
    """The choices that these expressions leave open, the usual one first."""
    features = set(setting_features(nodes))
    choices = product(
        (False, True) if "kilo" in features else (False,),
        (False, True) if foreign and "binary" in features else (False,),
        (False, True) if "b_bytes" in features else (False,),
        (False, True) if "rate" in features else (False,),
        range(len(CALENDARS)) if "calendar" in features else (0,),
    )
    return [Setting(*choice) for choice in choices]


def named(setting: Setting) -> str:
    """The name of a choice, empty for the usual one."""
    parts = []
    if setting.kilo:
        parts.append("K as 1024")
    if setting.binary:
        parts.append("prefixes of bytes as powers of 1024")
    if setting.b_bytes:
        parts.append("B as bytes")
    if setting.calendar:
        month, year = CALENDARS[setting.calendar]
        parts.append(f"a year of {float(year):g} days, a month of {float(month):.4g}")
    return ", ".join(parts)


def readings(value: Value, quote: Quote, setting: Setting, node: Node) -> Iterator[Reading]:
    """The computed side in the unit of the quote, by every reading in the order of likelihood."""
    unit = quote.unit
    bytes_meant = quote.number.suffix == "B" and setting.b_bytes and unit is None
    if unit is None and not bytes_meant:
        yield from _without_unit(value)
        return
    scale = Fraction(1) if unit is None else scale_of(unit, setting)
    dims = (1, 0, 0, 0) if unit is None else dims_of(unit, setting)
    inexact = setting.binary and _large_binary(unit)
    if not value.units and dims == NONE:
        yield from _plain(value, scale, node, inexact)
    elif not value.units:
        yield from _unit_left_out(value, unit, setting, dims, inexact)
    elif unit is not None and value.dims == _numerator(unit).dims and value.dims != dims:
        yield Reading(
            value.base / scale_of(_numerator(unit), setting),
            f"in {unit.text.partition('/')[0]}, what it is counted by left aside",
            exact=inexact,
        )
        yield Reading(value.digits, "numbers alone, since the units do not combine", 1)
    elif value.dims == dims:
        yield Reading(value.base / scale, AS_WRITTEN, exact=inexact)
        shared = unit is not None and any(name in unit.text for name in ("llion", "thousand"))
        if shared or any(part.unit is None and part.value in _CONVERSIONS for part in numbers(node)):
            yield Reading(value.digits, "numbers alone, since a factor converts the unit", 1)
    else:
        yield Reading(value.digits, "numbers alone, since the units do not combine", 1)
        yield Reading(value.base / scale, "in base units, with units left out", 1, exact=inexact)
        yield Reading(value.digits / scale, "numbers alone, in base units", 1, exact=inexact)


def _numerator(unit: Measure) -> Measure:
    """The unit without what it is counted by: ``GB`` of ``GB/day``."""
    return measure(unit.text.partition("/")[0]) if "/" in unit.text else unit


def _without_unit(value: Value) -> Iterator[Reading]:
    if value.dims == NONE:
        yield Reading(value.base, AS_WRITTEN)
        if value.base != value.digits:
            yield Reading(value.digits, "numbers alone", 1)
        return
    yield Reading(value.digits, "in the unit of the other side")
    yield Reading(value.base, "in base units", 1)


def _plain(value: Value, scale: Fraction, node: Node, exact: bool) -> Iterator[Reading]:
    """A result without a physical unit: a percentage, a multiple, a number of operations."""
    yield Reading(value.base / scale, AS_WRITTEN, exact=exact)
    if scale == _PERCENT and abs(value.digits) >= 1:
        yield Reading(value.digits, "numbers in percent", 1)
    elif scale not in (1, _PERCENT):
        if value.base != value.digits:
            yield Reading(value.digits / scale, "numbers alone, in base units", 1)
        yield Reading(value.digits, "numbers alone", 1)


def _unit_left_out(
    value: Value, unit: Measure | None, setting: Setting, dims: tuple[int, int, int, int], exact: bool
) -> Iterator[Reading]:
    scale = Fraction(1) if unit is None else scale_of(unit, setting)
    name = unit.text if unit is not None else "bytes"
    if scale == 1:
        yield Reading(value.digits, f"the other side in {name}", exact=exact)
    else:
        yield Reading(value.digits / scale, "the other side in base units", exact=exact)
        yield Reading(value.digits, f"the other side in {name}")
    for sibling, size in _SIBLINGS.get(dims, ()):
        if size not in (1, scale) and not (sibling == "bits" and setting.binary):
            yield Reading(value.digits * size / scale, f"the other side in {sibling}", 2, exact=exact)
    if dims[0] and scale % 1000 == 0 and abs(value.digits) < _SMALL_NUMBERS:
        yield Reading(value.digits / 1000, f"the other side in thousandths of {name}", 1)
    if dims == (0, -1, 0, 0) and scale % 1000 == 0 and abs(value.digits) < _SMALL_NUMBERS:
        yield Reading(value.digits / 1000, f"the other side in thousandths of {name}", 1)


def _large_binary(unit: Measure | None) -> bool:
    """Whether a prefix above kilo is read as a power of 1024: that is granted only where it makes the result exact."""
    return unit is not None and unit.binary is not None and unit.binary != unit.scale * Fraction(1024, 1000)
