"""Units as they stand in foreign text: wider and more forgiving than those of records, each with its other readings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from flopkb.arithmetic.units import is_count

Dimension = tuple[int, int, int, int]
"""Powers of byte, second, joule and dollar."""

NONE: Dimension = (0, 0, 0, 0)
_BYTE: Dimension = (1, 0, 0, 0)
_SECOND: Dimension = (0, 1, 0, 0)
_DOLLAR: Dimension = (0, 0, 0, 1)


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


CALENDARS = (
    (Fraction(30), Fraction(365)),
    (Fraction(1461, 48), Fraction(1461, 4)),
    (Fraction(365, 12), Fraction(365)),
)
"""Days of a month and of a year, the usual ones first."""

_DAY = 86400
_TIMES = {
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
    "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600, "day": _DAY, "days": _DAY, "week": 7 * _DAY,
    "weeks": 7 * _DAY, "wk": 7 * _DAY, "秒": 1, "分钟": 60, "小时": 3600, "時間": 3600, "天": _DAY,
}  # fmt: skip
_SMALL = {
    "ms": -3, "msec": -3, "msecs": -3, "millisecond": -3, "milliseconds": -3, "us": -6, "µs": -6, "μs": -6,
    "usec": -6, "usecs": -6, "microsecond": -6, "microseconds": -6, "ns": -9, "nsec": -9, "nanosecond": -9,
    "nanoseconds": -9, "ps": -12, "毫秒": -3, "微秒": -6,
}  # fmt: skip
_PREFIXES = {"k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "Z": 7, "Y": 8}
_SPELLED = {"kilo": 1, "mega": 2, "giga": 3, "tera": 4, "peta": 5, "exa": 6, "zetta": 7, "yotta": 8}
_FLOPS = ("FLOP", "FLOPs", "FLOPS", "flop", "flops", "Flop", "Flops", "OP", "OPs", "OPS", "ops", "MAC", "MACs", "op")
_NOUN_STOPS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "and",
        "or",
        "so",
        "then",
        "with",
        "at",
        "for",
        "in",
        "on",
        "to",
        "from",
        "by",
        "than",
        "that",
        "which",
        "we",
        "it",
        "its",
        "gives",
        "give",
        "get",
        "gets",
        "have",
        "has",
        "had",
        "use",
        "uses",
        "using",
        "means",
        "where",
        "when",
        "if",
        "but",
        "not",
        "only",
        "over",
        "under",
        "the",
        "a",
        "an",
        "as",
        "into",
        "equals",
        "equal",
        "yields",
        "makes",
        "because",
        "since",
        "while",
        "i",
        "you",
        "they",
        "he",
        "she",
        "this",
        "these",
        "those",
        "there",
        "here",
        "can",
        "could",
        "would",
        "will",
        "may",
        "might",
        "must",
        "do",
        "does",
        "did",
        "also",
    ]
)
STOP_WORDS = _NOUN_STOPS
"""Words that end a phrase of annotation: what follows a number up to one of them may be its unit, the rest is prose."""


def _plain_atoms() -> Iterator[tuple[str, Measure]]:
    for name, seconds in _TIMES.items():
        yield name, Measure(name, Fraction(seconds), _SECOND)
    for name, power in _SMALL.items():
        yield name, Measure(name, Fraction(10) ** power, _SECOND)
    for name in ("month", "months", "mo", "月", "个月"):
        yield name, Measure(name, Fraction(_DAY), _SECOND, month=1)
    for name in ("year", "years", "yr", "yrs", "年"):
        yield name, Measure(name, Fraction(_DAY), _SECOND, year=1)
    for name, scale in (("dollar", 1), ("dollars", 1), ("USD", 1), ("$", 1), ("€", 1), ("£", 1), ("EUR", 1)):
        yield name, Measure(name, Fraction(scale), _DOLLAR)
    for name in ("cent", "cents", "¢"):
        yield name, Measure(name, Fraction(1, 100), _DOLLAR)
    for name in ("%", "percent", "pct"):
        yield name, Measure(name, Fraction(1, 100))
    for name in ("x", "×", "X", "times", "fold"):
        yield name, Measure(name, Fraction(1))


def _byte_atoms() -> Iterator[tuple[str, Measure]]:
    for name in ("B", "byte", "bytes", "Byte", "Bytes", "字节"):
        yield name, Measure(name, Fraction(1), _BYTE)
    for name in ("bit", "bits"):
        yield name, Measure(name, Fraction(1, 8), _BYTE)
    for prefix, power in _PREFIXES.items():
        decimal, binary = Fraction(1000) ** power, Fraction(1024) ** power
        for name in (prefix + "B", (prefix + "B").lower(), prefix + "Byte", prefix + "Bytes", prefix + "bytes"):
            yield name, Measure(name, decimal, _BYTE, binary)
        for name in (prefix + "iB", prefix.upper() + "IB", (prefix + "ib").lower()):
            yield name, Measure(name, binary, _BYTE)
        for name in (prefix + "bit", prefix + "bits", prefix + "b"):
            if name not in ("kb",):
                yield name, Measure(name, decimal / 8, _BYTE, binary / 8)
        yield prefix + "Bps", Measure(prefix + "Bps", decimal, (1, -1, 0, 0), binary)
        yield prefix + "bps", Measure(prefix + "bps", decimal / 8, (1, -1, 0, 0))
    yield "bps", Measure("bps", Fraction(1, 8), (1, -1, 0, 0))
    for spelled, power in _SPELLED.items():
        for name in ("byte", "bytes"):
            yield spelled + name, Measure(spelled + name, Fraction(1000) ** power, _BYTE, Fraction(1024) ** power)


def _flop_atoms() -> Iterator[tuple[str, Measure]]:
    for prefix, power in {"": 0, **_PREFIXES, **_SPELLED}.items():
        for name in _FLOPS:
            rate = name.endswith("PS") or (name.endswith("ps") and bool(prefix))
            yield (
                prefix + name,
                Measure(prefix + name, Fraction(1000) ** power, (0, -1, 0, 0) if rate else NONE, rate=rate),
            )
    for prefix, power in {"T": 4, "P": 5, "G": 3}.items():
        yield prefix + "F", Measure(prefix + "F", Fraction(1000) ** power)
        yield prefix + "OP", Measure(prefix + "OP", Fraction(1000) ** power)


def _energy_atoms() -> Iterator[tuple[str, Measure]]:
    small = {
        "m": Fraction(1, 1000),
        "u": Fraction(1, 10**6),
        "µ": Fraction(1, 10**6),
        "n": Fraction(1, 10**9),
        "p": Fraction(1, 10**12),
    }
    scales = {"": Fraction(1), **{prefix: Fraction(1000) ** power for prefix, power in _PREFIXES.items()}, **small}
    for prefix, scale in scales.items():
        yield prefix + "J", Measure(prefix + "J", scale, (0, 0, 1, 0))
        yield prefix + "W", Measure(prefix + "W", scale, (0, -1, 1, 0))
        yield prefix + "Wh", Measure(prefix + "Wh", scale * 3600, (0, 0, 1, 0))
        yield prefix + "Hz", Measure(prefix + "Hz", scale, (0, -1, 0, 0))
    for name in ("watt", "watts", "Watt", "Watts"):
        yield name, Measure(name, Fraction(1), (0, -1, 1, 0))
    for name in ("joule", "joules", "Joule", "Joules"):
        yield name, Measure(name, Fraction(1), (0, 0, 1, 0))


_ATOMS: dict[str, Measure] = {
    **dict(_energy_atoms()),
    **dict(_flop_atoms()),
    **dict(_byte_atoms()),
    **dict(_plain_atoms()),
}
_WORDS = {name.lower(): unit for name, unit in _ATOMS.items() if len(name) > 3}
_SCALES = {
    "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "k": 1000, "K": 1000, "M": 10**6,
    "B": 10**9, "Mtok": 10**6, "MTok": 10**6, "Mtokens": 10**6, "ktok": 1000,
}  # fmt: skip
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
    return Measure(name, Fraction(1), counts=True) if is_count(name) else None


@lru_cache(maxsize=8192)
def measure(text: str) -> Measure:
    """A phrase such as ``GB/s``, ``hours / day``, ``GPU-hours`` or ``bytes per parameter``; unknown words count."""
    scale, binary, dims = Fraction(1), Fraction(1), [0, 0, 0, 0]
    rate = known_binary = counts = False
    month = year = 0
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
            rate, month, year = rate or unit.rate, month + sign * unit.month, year + sign * unit.year
        counts = counts or (bool(word) and (unit is None or unit.counts))
        if match:
            sign, at = -1 if match[1] or sign < 0 else 1, match.end()
    whole: Dimension = (dims[0], dims[1], dims[2], dims[3])
    rate = rate and whole[1] == -1
    return Measure(text, scale, whole, binary if known_binary else None, rate, month, year, known, counts)


def priced(unit: Measure | None, sign: str) -> Measure:
    """A measure in dollars: ``$3``, ``$3/hour``."""
    dollar = _ATOMS[sign]
    if unit is None:
        return dollar
    dims = (unit.dims[0], unit.dims[1], unit.dims[2], unit.dims[3] + 1)
    return unit._replace(text=f"{sign}{unit.text.removeprefix('1')}", dims=dims)


def scale_of(unit: Measure, setting: Choice) -> Fraction:
    """The scale under one reading."""
    scale = unit.binary if setting.binary and unit.binary is not None else unit.scale
    if unit.month or unit.year:
        month, year = CALENDARS[setting.calendar]
        scale *= month**unit.month * year**unit.year
    return scale


def dims_of(unit: Measure, setting: Choice) -> Dimension:
    """The dimension under one reading: FLOPS with or without its second."""
    if unit.rate and setting.rate:
        return (unit.dims[0], unit.dims[1] + 1, unit.dims[2], unit.dims[3])
    return unit.dims
