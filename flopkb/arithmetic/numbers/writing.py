"""Writing exact values for people: their digits, a number with its unit, the prefix that makes a number short."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flopkb.arithmetic.numeral import MAX_EXPONENT
from flopkb.arithmetic.rounding import magnitude, round_half_up
from flopkb.arithmetic.units import Unit, parse_unit

TIGHT = ("x", "×", "%")
"""Units that prose writes without a space."""

_USUAL_DIGITS = 4
_SPOKEN_DIGITS = 3
_EXACT_DIGITS = 15
"""No more digits than these tell a person anything; ``--exact`` writes all."""
_CHUNK = 4000
"""Python refuses to write longer integers in one piece."""
_LONG_BITS = 1000
"""The digits of more bits tell a person nothing."""
_LADDERS: dict[str, tuple[str, ...]] = {
    "byte": ("TB", "GB", "MB", "kB"),
    "byte/s": ("TB/s", "GB/s", "MB/s"),
    "flop": ("PFLOP", "TFLOP", "GFLOP"),
    "flop/s": ("PFLOP/s", "TFLOP/s", "GFLOP/s"),
    "s": ("s", "ms", "µs", "ns"),
}
_BINARY = ("GiB", "MiB", "KiB")


def ladders() -> dict[str, tuple[tuple[str, Fraction], ...]]:
    """The prefixes of units, the greatest first, with their scales; those of bytes in powers of two as ``binary``."""
    return {
        name: tuple((unit, parse_unit(unit).scale) for unit in units)
        for name, units in (*_LADDERS.items(), ("binary", _BINARY))
    }


def unit_behind(unit: str, *, tight: bool = False) -> str:
    """A unit as it follows a number: nothing for ``1``; ``x`` and ``%`` without a space where it is to be ``tight``."""
    return "" if unit in ("", "1") else unit if tight and unit in TIGHT else f" {unit}"


def with_unit(number: str, unit: str, *, tight: bool = False) -> str:
    """A number, already written, with its unit: ``3350 GB/s``, ``16``, tight also ``295x`` and ``75%``."""
    return number + unit_behind(unit, tight=tight)


def readable(base: Fraction, unit: Unit) -> str:
    """``base`` (in base units) in ``unit`` or a multiple of it: ``502.5 TFLOP/s``, ``16 GiB``, ``4.87432 ms``."""
    number, name = in_readable_unit(base, unit)
    return with_unit(decimal_text(number), name)


def short_text(base: Fraction, unit: Unit) -> str:
    """``base`` as a person says it: ``16.1 GB``, ``6.08 ms``, ``163 token/s``; whole digits and six of them stay."""
    number, name = in_spoken_unit(base, unit)
    return with_unit(_spoken(number), name, tight=True)


def column_texts(bases: Sequence[Fraction], unit: Unit) -> list[str]:
    """The short texts of values that stand below each other, all in the unit in which most of them are said."""
    said = [in_spoken_unit(base, unit)[1] for base in bases if base]
    binary = sum(name.startswith(_BINARY) for name in said) * 2 >= len(said)
    alike = [name for name in said if name.startswith(_BINARY) == binary]
    if not said:
        return [short_text(base, unit) for base in bases]
    name = max(alike, key=lambda each: (alike.count(each), parse_unit(each).scale))
    scale = parse_unit(name).scale
    return [with_unit(_spoken(base / scale), name, tight=True) for base in bases]


def answer_text(base: Fraction, unit: Unit) -> str:
    """The short text, and all digits in the declared unit where it has lost some: ``8 GiB (8,589,934,592 byte)``."""
    number, name = in_spoken_unit(base, unit)
    short = with_unit(_spoken(number), name, tight=True)
    exact = base / unit.scale
    kept = _spoken(number) == grouped(decimal_text(number, exponent=False)) and name[:3] not in _BINARY
    if kept or not _ends(exact, _EXACT_DIGITS):
        return short
    return f"{short} ({with_unit(all_digits(exact), unit.text or '1')})"


def _spoken(number: Fraction) -> str:
    return digits_text(number, 6 if _ends(number, 6) else _SPOKEN_DIGITS)


def _ends(number: Fraction, digits: int) -> bool:
    """Whether so many significant digits are all that a number has."""
    power = magnitude(abs(number)) if number else 0
    return (number * Fraction(10) ** (digits - 1 - power)).denominator == 1


def all_digits(number: Fraction) -> str:
    """Every digit of a number whose decimals end, thousands grouped; else the fraction itself."""
    rest, places = number.denominator, 0
    while rest > 1 and (rest % 2 == 0 or rest % 5 == 0):
        rest = rest // 10 if rest % 10 == 0 else rest // 2 if rest % 2 == 0 else rest // 5
        places += 1
    endless = rest > 1 or max(places, magnitude(abs(number)) if number else 0) >= _CHUNK
    return exact_text(number) if endless else grouped(rounded_text(number, places))


def in_readable_unit(base: Fraction, unit: Unit) -> tuple[Fraction, str]:
    """``base`` (in base units) as a number in ``unit``, or in a multiple of it that makes the number short."""
    text = unit.text or "1"
    return _prefixed(base, text) or (base / unit.scale, text)


def in_spoken_unit(base: Fraction, unit: Unit) -> tuple[Fraction, str]:
    """The same, with the prefix of bytes that leaves the fewest digits: ``8 kB``, ``12 KiB``, ``274.5 MiB``."""
    number, name = in_readable_unit(base, unit)
    head, slash, rest = (unit.text or "1").partition("/")
    if head != "byte" or rest == "s" or not base:
        return number, name
    binary = ((base / parse_unit(prefix).scale, f"{prefix}{slash}{rest}") for prefix in _BINARY)
    fitting = next((item for item in binary if abs(item[0]) >= 1 and _ends(item[0], 6)), None)
    if fitting is not None and abs(fitting[0]) >= 1024 and not fitting[1].startswith(_BINARY[0]):
        fitting = None  # 10,656 MiB is no number of MiB that a person says
    decimal = _on_ladder(base, _LADDERS["byte"], slash + rest) or (base / unit.scale, unit.text)
    return fitting if fitting is not None and _digits(fitting[0]) < _digits(decimal[0]) else decimal


def _digits(number: Fraction) -> int:
    """How many significant digits tell all of a number, up to fifteen."""
    return next((count for count in range(1, _EXACT_DIGITS) if _ends(number, count)), _EXACT_DIGITS)


def _prefixed(base: Fraction, text: str) -> tuple[Fraction, str] | None:
    """The amount with a prefix, where the unit has them and one shortens the number."""
    head, slash, rest = text.partition("/")
    ladder = _LADDERS.get(text) or (_LADDERS.get(head) if head == "byte" else None)
    if ladder is None:
        return None
    tail = "" if text in _LADDERS else slash + rest
    if head == "byte" and not text.endswith("/s"):
        whole = next((name for name in _BINARY if base and _is_short(base / parse_unit(name).scale)), None)
        if whole is not None:
            return base / parse_unit(whole).scale, f"{whole}{tail}"
    if text == "s":
        return _on_ladder(base, ladder, tail, least=0) or ((base / parse_unit("ns").scale, "ns") if base else None)
    return _on_ladder(base, ladder, tail)


def _on_ladder(base: Fraction, ladder: tuple[str, ...], tail: str, least: int = 1000) -> tuple[Fraction, str] | None:
    """The amount with the first prefix of a ladder that it reaches."""
    for name in ladder:
        scale = parse_unit(name).scale
        if abs(base) >= scale >= least:
            return base / scale, f"{name}{tail}"
    return None


def _is_short(number: Fraction) -> bool:
    """Whether it is whole and not so large that another prefix must be meant: 80 GB is no 78125000 KiB."""
    return number.denominator == 1 and abs(number) < 1 << 20


def amount_text(value: Fraction, unit: Unit, digits: int | None = None) -> str:
    """``value`` (in base units) in ``unit``: all its digits where they are few, else rounded to ``digits`` of them."""
    return with_unit(digits_text(value / unit.scale, digits or _USUAL_DIGITS), unit.text, tight=True)


def digits_text(value: Fraction, digits: int) -> str:
    """Plain decimals: all of them where they are no more than ``digits``, else rounded half up; whole digits stay."""
    if not value:
        return "0"
    power = magnitude(abs(value))
    if power > MAX_EXPONENT:
        return decimal_text(value, digits)
    decimals = max(0, digits - 1 - power)
    if (value * 10**decimals).denominator == 1:
        return grouped(decimal_text(value, exponent=False))
    return grouped(rounded_text(value, decimals))


def significant_text(value: Fraction, digits: int) -> str:
    """Plain decimals with just so many significant digits, zeros at the end among them; whole digits stay."""
    power = magnitude(abs(value)) if value else 0
    return grouped(rounded_text(value, max(0, digits - 1 - power)))


def grouped(text: str) -> str:
    """Thousands grouped by commas."""
    sign = "-" if text.startswith("-") else ""
    whole, point, rest = text.removeprefix("-").partition(".")
    return sign + (f"{int(whole):,}" if whole.isdigit() and not whole.startswith("0") else whole) + point + rest


def rounded_text(value: Fraction, decimals: int) -> str:
    """``value`` with exactly ``decimals`` decimals, half up."""
    digits = str(round_half_up(value, decimals)).rjust(decimals + 1, "0")
    sign = "-" if value < 0 and digits.strip("0") else ""
    return sign + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)


def decimal_text(v: Fraction, digits: int = 6, *, exponent: bool = True) -> str:
    """``v`` in plain decimals: exact where it ends within 12 significant digits, else rounded to ``digits`` of them.

    Numbers from 10^15 on and below 10^-6 are written with an exponent, as ``3.3e24``, unless ``exponent`` is false.
    """
    if v.denominator == 1 and abs(v) < 10**12:
        return str(v.numerator)
    sign, size = "-" if v < 0 else "", abs(v)
    power = magnitude(size)
    if exponent and (power >= 15 or power < -6):
        mantissa = _shortest(size / Fraction(10) ** power, digits)
        if mantissa == "10":
            mantissa, power = "1", power + 1
        return f"{sign}{mantissa}e{power}"
    return sign + _shortest(size, digits)


def _shortest(size: Fraction, digits: int) -> str:
    power = magnitude(size)
    decimals = max(0, 11 - power)
    if (size * 10**decimals).denominator != 1:
        decimals = max(0, digits - 1 - power)
    text = str(round_half_up(size, decimals)).rjust(decimals + 1, "0")
    if not decimals:
        return text
    return f"{text[:-decimals]}.{text[-decimals:]}".rstrip("0").rstrip(".")


def integer_text(value: int) -> str:
    """The digits of an integer of any size."""
    if abs(value) < 10**_CHUNK:
        return str(value)
    sign, rest, parts = "-" if value < 0 else "", abs(value), []
    while rest:
        rest, part = divmod(rest, 10**_CHUNK)
        parts.append(str(part).rjust(_CHUNK, "0") if rest else str(part))
    return sign + "".join(reversed(parts))


def exact_text(value: Fraction) -> str:
    """``1979/67``, or ``16`` for a whole number, however many digits that takes."""
    whole = integer_text(value.numerator)
    return whole if value.denominator == 1 else f"{whole}/{integer_text(value.denominator)}"


def exact_or_near(value: Fraction) -> str:
    """The exact text, or, where nobody would read so many digits, about what it is."""
    long = value.numerator.bit_length() + value.denominator.bit_length() > _LONG_BITS
    return f"about {decimal_text(value, 17)}" if long else exact_text(value)
