"""Exact values for a person: the declared unit with the prefix that makes the number short (a leaf)."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.units import Unit, parse_unit

_LADDERS: dict[str, tuple[str, ...]] = {
    "byte": ("TB", "GB", "MB", "kB"),
    "byte/s": ("TB/s", "GB/s", "MB/s"),
    "flop": ("PFLOP", "TFLOP", "GFLOP"),
    "flop/s": ("PFLOP/s", "TFLOP/s", "GFLOP/s"),
    "s": ("s", "ms", "µs", "ns"),
}
_BINARY = ("GiB", "MiB", "KiB")


def readable(base: Fraction, unit: Unit) -> str:
    """``base`` (in base units) in ``unit`` or a multiple of it: ``502.5 TFLOP/s``, ``16 GiB``, ``4.87432 ms``."""
    text = unit.text or "1"
    prefixed = _prefixed(base, text)
    if prefixed is not None:
        return prefixed
    number = decimal_text(base / unit.scale)
    return number if text == "1" else f"{number} {text}"


def _prefixed(base: Fraction, text: str) -> str | None:
    """The amount with a prefix, where the unit has them and one shortens the number."""
    head, slash, rest = text.partition("/")
    ladder = _LADDERS.get(text) or (_LADDERS.get(head) if head == "byte" else None)
    if ladder is None:
        return None
    tail = "" if text in _LADDERS else slash + rest
    if head == "byte" and not text.endswith("/s"):
        whole = next((name for name in _BINARY if base and _is_short(base / parse_unit(name).scale)), None)
        if whole is not None:
            return f"{decimal_text(base / parse_unit(whole).scale)} {whole}{tail}"
    for name in ladder:
        scale = parse_unit(name).scale
        if abs(base) >= scale and (scale >= 1000 or text == "s"):
            return f"{decimal_text(base / scale)} {name}{tail}"
    return None


def _is_short(number: Fraction) -> bool:
    """Whether it is whole and not so large that another prefix must be meant: 80 GB is no 78125000 KiB."""
    return number.denominator == 1 and abs(number) < 1 << 20
