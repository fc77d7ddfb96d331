"""Units as they stand in foreign text: wider and more forgiving than those of records, each with its other readings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from flopkb.arithmetic.unit_table import PREFIXES, SUFFIXES, UNITS, counted_noun

Dimension = tuple[int, int, int, int]
"""Powers of byte, second, joule and dollar."""

NONE: Dimension = (0, 0, 0, 0)
_BYTE: Dimension = (1, 0, 0, 0)


class Measure(NamedTuple):
    """A unit: ``scale`` base units of ``dims``.

    ``binary`` is the scale with prefixes as powers of 1024 (``KB``), ``rate`` whether it may or may not be per second
    (``TFLOPS``), ``calendar`` the power of months or years in it, ``known`` whether every word of it is a unit or a
    usual count, ``counts`` whether a counted noun stands beside a physical unit.
    """

    text: str
    scale: Fraction
    dims: Dimension = NONE
    binary: Fraction | None = None
    rate: bool = False
    month: int = 0
    year: int = 0
    known: bool = True
    counts: bool = False
    stored: Fraction | None = None
    """Bytes of one element, where the word names a number format (``fp32``)."""

    @property
    def physical(self) -> bool:
        """Whether bytes, seconds, joules or dollars are in it."""
        return self.dims != NONE


class Choice(NamedTuple):
    """One choice among the readings that a text leaves open."""

    kilo: bool = False
    """Count suffixes K and M are powers of 1024."""
    binary: bool = False
    """Prefixes of bytes are powers of 1024."""
    b_bytes: bool = False
    """A B behind a number is bytes, not billion."""
    rate: bool = False
    """FLOPS is a count of operations, not a rate."""
    calendar: int = 0
    """Which month and year (see ``CALENDARS``)."""
    stored: bool = False
    """A number format behind a number stands for its bytes."""
    apart: bool = False
    """A percentage that is added is one hundredth, not a part of what stands before it."""
    logarithm: int = 0
    """Which base ``log`` has: e, 10, 2."""

    @property
    def unusual(self) -> bool:
        """Whether the text says something else at first sight."""
        return self.kilo or self.binary or bool(self.calendar) or self.stored


CALENDARS = (
    (Fraction(30), Fraction(365)),
    (Fraction(1461, 48), Fraction(1461, 4)),
    (Fraction(365, 12), Fraction(365)),
)
"""Days of a month and of a year, the usual ones first."""

_DAY = Fraction(86400)
STOP_WORDS = frozenset(
    "is are was were be and or so then with at for in on to from by than that which we it its gives give get gets "  # noqa: SIM905
    "have has had use uses using means where when if but not only over under the a an as into equals equal yields "
    "makes because since while i you they he she this these those there here can could would will may might must do "
    "does did also".split()
)
"""Words that end a phrase of annotation: what follows a number up to one of them may be its unit, the rest is prose."""


def _atoms() -> Iterator[tuple[str, Measure]]:
    """The measure of every spelling in the table, those of records and the loose ones."""
    for row in UNITS:
        powers = dict(row.powers)
        dims = (powers.get("byte", 0), powers.get("second", 0), powers.get("joule", 0), powers.get("dollar", 0))
        for name in f"{row.names} {row.loose}".split():
            yield name, _atom(name, Fraction(row.scale), dims, rate="flop" in powers and name.endswith("PS"))
        for stem, letter, prefix in row.with_prefixes(loose=True):
            binary = prefix.binary * row.scale if prefix.binary is not None and "byte" in powers else None
            rate = "flop" in powers and stem.lower().endswith("ps") and not stem.endswith("Ps")
            yield letter + stem, _atom(letter + stem, prefix.scale * row.scale, dims, binary, rate=rate)
    for month in ("month", "months", "mo", "月", "个月"):
        yield month, Measure(month, _DAY, (0, 1, 0, 0), month=1)
    for year in ("year", "years", "yr", "yrs", "年"):
        yield year, Measure(year, _DAY, (0, 1, 0, 0), year=1)
    for name, power in (("TF", 4), ("PF", 5), ("GF", 3)):
        yield name, Measure(name, Fraction(1000) ** power)
    yield "bps", Measure("bps", Fraction(1, 8), (1, -1, 0, 0))
    for letter, prefix in PREFIXES["large, K"].items():
        yield from _byte_spellings(letter, prefix.scale, prefix.binary or prefix.scale)


def _atom(name: str, scale: Fraction, dims: Dimension, binary: Fraction | None = None, *, rate: bool) -> Measure:
    """A spelling; ``FLOPS`` is a rate unless the text says otherwise."""
    return Measure(name, scale, (0, -1, 0, 0) if rate else dims, binary, rate)


def _byte_spellings(letter: str, decimal: Fraction, binary: Fraction) -> Iterator[tuple[str, Measure]]:
    """``gb``, ``GiB`` and ``GBps``, in the cases that people write."""
    yield f"{letter}B".lower(), Measure(f"{letter}B".lower(), decimal, _BYTE, binary)
    for name in (f"{letter}iB", f"{letter.upper()}IB", f"{letter}ib".lower()):
        yield name, Measure(name, binary, _BYTE)
    yield f"{letter}Bps", Measure(f"{letter}Bps", decimal, (1, -1, 0, 0), binary)
    yield f"{letter}bps", Measure(f"{letter}bps", decimal / 8, (1, -1, 0, 0))


_ATOMS = dict(_atoms())
_WORDS = {name.lower(): unit for name, unit in _ATOMS.items() if len(name) > 3}
_SCALES = {
    **{name: SUFFIXES[name][0] for name in ("thousand", "million", "billion", "trillion", "k", "K", "M", "B")},
    **{"Mtok": 10**6, "MTok": 10**6, "Mtokens": 10**6, "ktok": 10**3},
}
_FORMATS = re.compile(r"(?:b?float|bf|fp|u?int|[fiu])(4|8|16|32|64)", re.IGNORECASE)
_SPLIT = re.compile(r"\s*(/|\bper\b)\s*|\s*[-\s·*]\s*")


@lru_cache(maxsize=8192)
def atom(name: str) -> Measure | None:
    """The measure of one word, or None; counted nouns have no dimension."""
    found = _ATOMS.get(name) or _WORDS.get(name.lower())
    if found is not None:
        return found
    if name in _SCALES:
        return Measure(name, Fraction(_SCALES[name]))
    if name.isascii() and name.isdecimal() and len(name) < 20:
        return Measure(name, Fraction(max(1, int(name))))
    if (stored := _FORMATS.fullmatch(name)) is not None:
        return Measure(name, Fraction(1), counts=True, stored=Fraction(int(stored[1]), 8))
    return Measure(name, Fraction(1), counts=True) if counted_noun(name) is not None else None


@lru_cache(maxsize=8192)
def measure(text: str) -> Measure:
    """A phrase such as ``GB/s``, ``hours / day``, ``GPU-hours`` or ``bytes per parameter``; unknown words count."""
    scale, binary, dims = Fraction(1), Fraction(1), [0, 0, 0, 0]
    rate = known_binary = counts = False
    month = year = 0
    stored: Fraction | None = None
    known, sign, at = True, 1, 0
    for match in [*_SPLIT.finditer(text), None]:
        word = text[at : match.start() if match else len(text)].strip("() ")
        unit = atom(word) if word else None
        known = known and (unit is not None or not word)
        if unit is not None:
            scale *= unit.scale**sign
            binary *= (unit.binary or unit.scale) ** sign
            known_binary = known_binary or unit.binary is not None
            dims = [have + sign * power for have, power in zip(dims, unit.dims, strict=True)]
            stored = unit.stored if sign > 0 and unit.stored else stored
            rate, month, year = rate or unit.rate, month + sign * unit.month, year + sign * unit.year
        counts = counts or (bool(word) and (unit is None or unit.counts))
        if match:
            sign, at = -1 if match[1] or sign < 0 else 1, match.end()
    whole: Dimension = (dims[0], dims[1], dims[2], dims[3])
    rate = rate and whole[1] == -1
    return Measure(text, scale, whole, binary if known_binary else None, rate, month, year, known, counts, stored)


def priced(unit: Measure | None, sign: str) -> Measure:
    """A measure in dollars: ``$3``, ``$3/hour``."""
    dollar = _ATOMS[sign]
    if unit is None:
        return dollar
    dims = (unit.dims[0], unit.dims[1], unit.dims[2], unit.dims[3] + 1)
    return unit._replace(text=f"{sign}{unit.text.removeprefix('1')}", dims=dims)


def scale_of(unit: Measure, setting: Choice) -> Fraction:
    """How many base units (bytes, seconds, joules, dollars, counts) one of the unit is under one reading."""
    scale = unit.binary if setting.binary and unit.binary is not None else unit.scale
    if unit.month or unit.year:
        month, year = CALENDARS[setting.calendar]
        scale *= month**unit.month * year**unit.year
    return scale * unit.stored if setting.stored and unit.stored is not None else scale


def dims_of(unit: Measure, setting: Choice) -> Dimension:
    """The dimension under one reading: FLOPS with or without its second."""
    if unit.rate and setting.rate:
        return (unit.dims[0], unit.dims[1] + 1, unit.dims[2], unit.dims[3])
    if setting.stored and unit.stored is not None:
        return (unit.dims[0] + 1, unit.dims[1], unit.dims[2], unit.dims[3])
    return unit.dims
