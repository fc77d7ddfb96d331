"""What a plain YAML scalar means: the core schema of YAML 1.2, with exact numbers.

``no``, ``on`` and dates are strings; ``989.4e12`` is a number. What no exact finite number stands for is refused.
"""

from __future__ import annotations

import re
from fractions import Fraction

from flopkb.base.document import Plain

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)
_OCTAL = re.compile(r"0o[0-7]+", re.ASCII)
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+", re.ASCII)
_DECIMAL = re.compile(r"([-+]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([-+]?[0-9]+))?", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", re.ASCII)
_FIRST = frozenset("0123456789+-.")

LONGEST_NUMBER = 400
"""A number written with more characters than this is refused (no quantity needs them, and they cost time)."""

LARGEST_EXPONENT = 308
"""Numbers from 1e309 on, and those not over 1e-309, are out of range."""


class NumberError(ValueError):
    """A plain scalar that looks like a number but stands for none that a record may hold; ``str()`` is the sentence."""


def plain_value(text: str) -> Plain:
    """The value of a plain scalar; raises :class:`NumberError` for infinities, NaN and numbers out of range."""
    if not text or text[0] not in _FIRST:
        return None if text in _NULL else _BOOLEAN.get(text, text)
    if len(text) > LONGEST_NUMBER:
        return _long(text)
    if _INTEGER.fullmatch(text):
        return _in_range(int(text), text)
    if _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return _in_range(int(text, 0), text)
    match = _DECIMAL.fullmatch(text)
    if match:
        return _decimal(match, text)
    if _NOT_FINITE.fullmatch(text):
        raise NumberError(f"`{text}` cannot be computed with: write a finite number, or leave the key out")
    return text


def _long(text: str) -> str:
    if any(p.fullmatch(text) for p in (_DECIMAL, _HEXADECIMAL, _OCTAL)):
        raise NumberError(f"a number of {len(text)} characters: write it in at most {LONGEST_NUMBER}")
    return text


def _decimal(match: re.Match[str], text: str) -> int | Fraction:
    """The exact value; the size is judged from the digits and the exponent before any power is taken."""
    sign, whole, part, bare, exponent_text = match.groups()
    part = bare or part or ""
    digits = ((whole or "") + part).lstrip("0")
    if not digits:
        return 0
    exponent = int(exponent_text or "0") - len(part)
    if abs(exponent + len(digits)) > 2 * LARGEST_EXPONENT:
        raise _range(text)
    mantissa = int(sign + digits)
    value = Fraction(mantissa * 10**exponent) if exponent >= 0 else Fraction(mantissa, 10**-exponent)
    return _in_range(value.numerator if value.denominator == 1 else value, text)


_LIMIT: int = 10 ** (LARGEST_EXPONENT + 1)
_SMALLEST = Fraction(1, _LIMIT)


def _in_range(value: int | Fraction, text: str) -> int | Fraction:
    size = -value if value < 0 else value
    if size >= _LIMIT or 0 < size <= _SMALLEST:
        raise _range(text)
    return value


def _range(text: str) -> NumberError:
    shown = text if len(text) <= 40 else text[:37] + "…"
    return NumberError(f"`{shown}` is out of range: a number lies between 1e-309 and 1e309 in size")
