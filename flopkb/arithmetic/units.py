"""Units as exact scales and integer powers, and the strict reading of a recorded amount such as ``3350 GB/s`` (a leaf).

Bytes, seconds, joules and dollars are physical: they must balance everywhere. Nouns that only count things (flop,
token, layer, ...) are kept apart from them, because a formula may introduce a count by declaring it, but never a byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache

from flopkb.arithmetic.diagnostics import shortened
from flopkb.arithmetic.numeral import MAX_EXPONENT, PLAIN, TO_ASCII, NumeralError, numeral_from
from flopkb.arithmetic.unit_table import COUNTS, PHYSICAL, PREFIXES, SUFFIXES, WHOLE_NAMES, Powers, named_unit

_MAX_TEXT = 80
_MAX_POWER = 16


class UnitError(ValueError):
    """A unit or amount that cannot be read: ``text`` as written, ``reason``, and what to write instead, if known."""

    def __init__(self, text: str, reason: str, suggestion: str | None = None) -> None:
        super().__init__(text, reason, suggestion)
        self.text = text
        self.reason = reason
        self.suggestion = suggestion

    def __str__(self) -> str:
        tail = f"; write {self.suggestion}" if self.suggestion else ""
        return f"`{shortened(self.text, _MAX_TEXT)}` {self.reason}{tail}"


@dataclass(frozen=True, slots=True)
class Unit:
    """``scale`` base units times the product of ``powers`` (sorted by name); ``text`` is how it was written."""

    scale: Fraction
    powers: Powers = ()
    text: str = field(default="", compare=False)

    def __mul__(self, other: Unit) -> Unit:
        return Unit(self.scale * other.scale, _add(self.powers, other.powers, 1), _join(self, "*", other))

    def __truediv__(self, other: Unit) -> Unit:
        return Unit(self.scale / other.scale, _add(self.powers, other.powers, -1), _join(self, "/", other))

    def __pow__(self, exponent: int) -> Unit:
        powers = tuple((name, power * exponent) for name, power in self.powers if exponent)
        return Unit(self.scale**exponent, powers, f"{self.text or '1'}^{exponent}")

    @property
    def dimension(self) -> Powers:
        """The physical powers alone."""
        return tuple(item for item in self.powers if item[0] in PHYSICAL)

    @property
    def counts(self) -> Powers:
        """The powers of counted nouns alone."""
        return tuple(item for item in self.powers if item[0] not in PHYSICAL)

    @property
    def base_text(self) -> str:
        """The unit without its scale, in base units: ``byte/second``, ``flop/byte``, ``1``."""
        over = [_power_text(name, power) for name, power in self.powers if power > 0]
        under = [_power_text(name, -power) for name, power in self.powers if power < 0]
        return "/".join(["*".join(over) or "1", *under])

    def __str__(self) -> str:
        return self.text or (self.base_text if self.scale == 1 else f"{self.scale} {self.base_text}")


ONE = Unit(Fraction(1), (), "1")
"""The unit of a plain number."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact number of a unit."""

    value: Fraction
    unit: Unit = ONE

    @property
    def base(self) -> Fraction:
        """The number in base units (bytes, seconds, joules, dollars, counts)."""
        return self.value * self.unit.scale


def _power_text(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"


def _join(a: Unit, sign: str, b: Unit) -> str:
    if b.text in ("", "1"):
        return a.text
    if a.text in ("", "1"):
        return b.text if sign == "*" else f"1/{b.text}"
    return f"{a.text}{sign}{b.text}"


def _add(a: Powers, b: Powers, sign: int) -> Powers:
    if not b:
        return a
    powers = dict(a)
    for name, power in b:
        powers[name] = powers.get(name, 0) + sign * power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _unknown(text: str, name: str) -> UnitError:
    """The error for a name that is no unit, with the most useful advice."""
    if name in ("KB", "Kb", "KBit", "Kbit", "kb"):
        kilo = "kbit or Kibit" if name.lower().endswith("bit") or name in ("Kb", "kb") else "kB"
        if kilo == "kB":
            return UnitError(text, "could mean 1000 or 1024 bytes", "kB (1000 bytes) or KiB (1024 bytes)")
        return UnitError(text, "could mean bits or bytes", f"{kilo} for bits, kB or KiB for bytes")
    if name == "b":
        return UnitError(text, "could mean bits or bytes", "bit or B")
    if re.fullmatch(r"[kMGTPE]b", name):
        return UnitError(text, "could mean bits or bytes", f"{name[0]}bit or {name[0]}B")
    if re.fullmatch(r"[mgtp]b", name) or re.fullmatch(r"[KMGTP]IB", name):
        return UnitError(text, "is not a unit", f"{name[0].upper()}B or {name[0].upper()}iB")
    reason = f"is not a unit: `{name}` is not known" if text != name else "is not a unit"
    return UnitError(text, reason, _nearest(name))


@lru_cache(maxsize=4096)
def _nearest(name: str) -> str | None:
    """The unit that is spelled most like a name, if one is."""
    known = [*WHOLE_NAMES, *COUNTS, "GB", "GiB", "kB", "KiB", "MB", "MiB", "TB", "TFLOP", "ms", "us", "kWh"]
    return next(iter(get_close_matches(name, known, n=1, cutoff=0.75)), None)


_TOKEN = re.compile(
    r"\s*(?:(\*\*|\^)\s*(-?[0-9]{1,2})|([⁻⁰¹²³⁴-⁹]+)|(/|\bper\b)|([*·⋅])|(\()|(\))|([A-Za-zµμ]+|[$%×¢]|1(?![0-9.]))|(-))\s*"
)
_PER_CENT = re.compile(r"\bper cent\b", re.IGNORECASE)
_PER_SECOND = re.compile(r"\s*(?:/|per\b)\s*(?:s|sec|second)\b")
_PER_SECOND_NAME = re.compile(r"([kMGTP])(i?)(b|B)ps")


class _UnitParser:
    """Recursive descent over ``product (/ product)*``: names side by side bind tighter than a slash."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self.text, self.at)

    def parse(self) -> Unit:
        unit = self.quotient()
        if self.at != len(self.text):
            raise UnitError(self.text, f"is not a unit from `{self.text[self.at :].strip()[:12]}` on")
        return unit

    def quotient(self) -> Unit:
        unit = self.product()
        while (token := self.peek()) is not None and (token[4] or token[5]):
            self.at = token.end()
            other = self.product()
            unit = unit / other if token[4] else unit * other
        return unit

    def product(self) -> Unit:
        unit = self.power()
        while (token := self.peek()) is not None and (token[8] or token[6] or token[9]):
            if token[9]:
                self.at = token.end()
            unit = unit * self.power()
        return unit

    def power(self) -> Unit:
        unit = self.single()
        token = self.peek()
        if token is None or not (token[1] or token[3]):
            return unit
        self.at = token.end()
        exponent = int(token[2] or token[3].translate(TO_ASCII))
        if abs(exponent) > _MAX_POWER:
            raise UnitError(self.text, f"has the exponent {exponent}", f"one between -{_MAX_POWER} and {_MAX_POWER}")
        return unit**exponent

    def single(self) -> Unit:
        token = self.peek()
        if token is None or not (token[6] or token[8]):
            raise UnitError(
                self.text, "is not a unit" if self.text else "is empty", None if self.text else "1 for a plain number"
            )
        self.at = token.end()
        if token[6]:
            return self.group()
        return self.named(token[8])

    def group(self) -> Unit:
        self.depth += 1
        unit = self.quotient()
        token = self.peek()
        if token is None or not token[7] or self.depth > _MAX_POWER:
            raise UnitError(self.text, "has a parenthesis that is not closed")
        self.at = token.end()
        return unit

    def named(self, name: str) -> Unit:
        rate = _PER_SECOND_NAME.fullmatch(name)
        if rate:
            prefix = PREFIXES["large"][rate[1]]
            scale = prefix.binary if rate[2] and prefix.binary is not None else prefix.scale
            return Unit(scale / 8 if rate[3] == "b" else scale, (("byte", 1), ("second", -1)), name)
        if re.fullmatch(r"[kMGTP]b", name) and _PER_SECOND.match(self.text, self.at):
            return Unit(PREFIXES["large"][name[0]].scale / 8, (("byte", 1),), name)
        unit = named_unit(name)
        if unit is None:
            raise _unknown(self.text, name)
        return Unit(unit.scale, unit.powers, name)


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit:
    """Read a unit such as ``GB/s``, ``flop/byte``, ``KiB/token`` or ``$/GPU-hour``; raise :class:`UnitError`."""
    stripped = text.strip()
    if len(stripped) > _MAX_TEXT:
        raise UnitError(stripped, "is too long for a unit")
    unit = _UnitParser(_PER_CENT.sub("percent", stripped)).parse()
    return Unit(unit.scale, unit.powers, stripped)


def _leading_decimal(text: str) -> tuple[Fraction, str]:
    """The signed decimal that a text begins with, and what follows it."""
    sign = text[:1] if text.startswith(("-", "+")) else ""
    match = PLAIN.digits.match(text, len(sign))
    if match is None:
        raise UnitError(text, "does not begin with a number", "digits and a unit, as in 80 GiB or 3350 GB/s")
    try:
        numeral, stop = numeral_from(text, match.span(), "", PLAIN, len(text))
    except NumeralError:
        raise UnitError(text, "is out of range", f"an exponent from -{MAX_EXPONENT} to {MAX_EXPONENT}") from None
    return -numeral.value if sign == "-" else numeral.value, text[stop:]


def parse_amount(text: str) -> Amount:
    """Read a recorded value: plain digits and an optional unit (``3350 GB/s``, ``32Ki token``); raise :class:`UnitError`.

    A count suffix that could mean 1000 or 1024 is refused here: a value that others compute with must be exact.
    """
    stripped = text.strip()
    value, rest = _leading_decimal(stripped)
    if rest[:1].isdigit() or re.match(r"[.,_][0-9]", rest):
        raise UnitError(stripped, "is not a plain number", "digits without separators, as in 118784")
    scale = re.match(r"\s?(Ki|Mi|Gi|Ti)(?![A-Za-z])", rest)
    if scale:
        value, rest = value * PREFIXES["binary"][scale[1]].scale, rest[scale.end() :]
    suffix = re.match(r"([kKMBT])(?![A-Za-z/])|\s([kKMT])(?![A-Za-z/])", rest)
    if suffix and not scale:
        raise _suffix_error(stripped, value, suffix[1] or suffix[2])
    return Amount(value, parse_unit(rest) if rest.strip() else ONE)


def _suffix_error(text: str, value: Fraction, suffix: str) -> UnitError:
    usual = SUFFIXES[suffix][0]
    decimal = value * usual
    shown = str(decimal) if decimal.denominator == 1 else f"{text[: text.index(suffix)].strip()}e{len(str(usual)) - 1}"
    if suffix in "kK":
        binary = value * 1024
        offer = f"{shown}, or {binary} (as {text[: text.index(suffix)].strip()}Ki) for multiples of 1024"
        return UnitError(text, "could mean 1000 or 1024", offer)
    other = f", or `{text[:-1].strip()} B` for bytes" if suffix == "B" else ""
    return UnitError(text, "has a suffix in place of digits", shown + other)
