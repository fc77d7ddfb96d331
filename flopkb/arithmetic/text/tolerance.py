"""How far a result may be off because of how its numbers are written: rounded, cut, marked as approximate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

from flopkb.arithmetic.formula import Binary, Call, Expr, Unary, children, walk
from flopkb.arithmetic.rounding import Closeness, closeness, is_rounding
from flopkb.arithmetic.text.measures import Choice
from flopkb.arithmetic.text.quotes import SignedNumber
from flopkb.arithmetic.text.tree import Measured, evaluate
from flopkb.arithmetic.text.verdict import ScanVerdict

NOISE = Fraction(1, 10**12)
"""Results of floating-point arithmetic are this near."""
_MOST = Fraction(1, 20)
"""The rounding of inputs explains no more than this share of the result."""
_HARDLY = Fraction(1, 1000)
"""Whole numbers that may have been rounded explain no more than this."""
_NEARLY = Fraction(1, 40)
"""A result that is said to be approximate is loose, not wrong, up to here."""
_NOTHING = Fraction(1, 1000)
"""What is smaller is nothing, where a whole 0 is said to be near."""


def loose(node: Expr, setting: Choice) -> Fraction:
    """The relative error of the numbers that are marked as approximate (``~50k``)."""
    return _error(node, setting, marked=True)


def rounded(node: Expr, setting: Choice) -> Fraction:
    """The relative error of all numbers that may have been rounded: those with decimals, exponents or suffixes."""
    return _error(node, setting, marked=False)


def _error(node: Expr, setting: Choice, *, marked: bool) -> Fraction:
    if isinstance(node, Measured):
        return _of_number(node, marked=marked)
    parts = [_error(part, setting, marked=marked) for part in children(node)]
    if not isinstance(node, Binary):
        return max(parts)
    left, right = parts
    if not left and not right:
        return left
    if node.op in "+-":
        a, b, whole = (abs(evaluate(part, setting).base) for part in (node.left, node.right, node))
        return (a * left + b * right) / (whole or 1)
    if node.op == "**":
        return left * abs(evaluate(node.right, setting).digits)
    return left + right


def _of_number(node: Measured, *, marked: bool) -> Fraction:
    size = abs(node.value)
    if not size:
        return Fraction(0)
    if marked:
        if not node.approximate:
            return Fraction(0)
        return max(node.place / 2 / size, min(node.nonzero / 2 / size, _MOST))
    exact = node.place == 1 and not node.suffix and not node.sci
    return Fraction(0) if exact or _chosen(node) else node.place / 2 / size


def _in_all(node: Expr) -> Fraction:
    """The relative error if every number but the smallest was rounded to a whole one or to its last digit."""
    parts = [part for part in walk(node) if isinstance(part, Measured) and part.value]
    return sum((part.place / 2 / abs(part.value) for part in parts if part.value >= 100 * part.place), Fraction(0))


def _of_a_total(node: Expr) -> Fraction:
    """How far the sum of three or more large whole numbers may be off, if each is rounded; 0 for anything else."""
    parts = [part for part in walk(node) if isinstance(part, Measured)]
    sums = all(part.op in "+-" for part in walk(node) if isinstance(part, Binary))
    large = [part for part in parts if part.place == 1 and not part.suffix and part.value >= _LARGE]
    return Fraction(len(large), 2) if sums and len(large) > 2 else Fraction(0)


_LARGE = 100_000


def _chosen(node: Measured) -> bool:
    """Whether a number looks as if it were chosen, not rounded: one digit, or two that end in 5 or 0."""
    digits = node.value / node.nonzero if node.nonzero else 0
    return digits < 10 or (digits < 100 and digits % 5 == 0)


def verdict_of(
    v: Fraction, quote: SignedNumber, node: Expr, setting: Choice, *, approximate: bool, exact: bool = False
) -> tuple[ScanVerdict, str]:
    """The verdict on a plain number by the exact value ``v`` in its unit, and what the reading adds (``rounded up``).

    With ``exact`` only the rounding of the number itself counts.
    """
    q, scale = quote.value(setting), quote.scale(setting)
    place, nonzero = quote.number.place * scale, quote.number.nonzero * scale
    if v == q or (place < 1 and abs(v - q) <= abs(v) * NOISE):
        return ScanVerdict.OK, ""
    close = closeness(q, place, nonzero, approximate, v)
    if close in (Closeness.RIGHT, Closeness.QUALIFIED):
        return ScanVerdict.OK, ""
    slack = loose(node, setting)
    if slack and abs(v - q) <= place / 2 + abs(v) * slack:
        return ScanVerdict.OK, ""
    if exact:
        return (ScanVerdict.TRUNCATED if close is Closeness.CUT else ScanVerdict.WRONG), ""
    if not q:
        return (ScanVerdict.OK if approximate and abs(v) < _NOTHING else _zero(v, place)), ""
    if close is Closeness.COARSE:
        return ScanVerdict.LOOSE, ""
    if quote.power and approximate and v > 0 and q / 10 < v < q * 10:
        return ScanVerdict.LOOSE, "an order of magnitude"
    whole = _whole(quote, place) and _divides(node)
    if whole and q == ceil(v):
        return ScanVerdict.ROUNDED, "rounded up"
    if close is Closeness.CUT:
        return ScanVerdict.TRUNCATED, ""
    if whole and q in in_whole_numbers(node, setting):
        return ScanVerdict.ROUNDED, "rounded down"
    slack, off = min(rounded(node, setting), _MOST), abs(v - q)
    if quote.number.nonzero and v % (100 * nonzero) == 0 and q % (100 * nonzero):
        slack = max(slack, min(_in_all(node), _HARDLY))  # more decimals than these numbers can give
    if (slack and off <= place / 2 + abs(v) * slack) or off <= _of_a_total(node):
        return ScanVerdict.WITHIN, ""
    amount = bool(quote.number.suffix) or (quote.unit is not None and (quote.unit.physical or quote.unit.scale != 1))
    near = abs(q) / (20 if amount or abs(q) >= 10 * nonzero else 100)
    if (is_rounding(q, nonzero, v) and off <= near) or (
        approximate and (off <= abs(q) * _NEARLY or (is_rounding(q, nonzero, v) and off <= abs(q) / 4))
    ):
        return ScanVerdict.LOOSE, ""
    return ScanVerdict.WRONG, ""


def _zero(v: Fraction, place: Fraction) -> ScanVerdict:
    return ScanVerdict.LOOSE if abs(v) <= place / 2 else ScanVerdict.TRUNCATED if abs(v) < place else ScanVerdict.WRONG


def _whole(quote: SignedNumber, place: Fraction) -> bool:
    """Whether things are counted in whole numbers."""
    unit = quote.unit
    return place == 1 and not quote.number.suffix and (unit is None or (not unit.physical and unit.counts))


def _divides(node: Expr) -> bool:
    parts = list(walk(node))
    return any(isinstance(part, Binary) and part.op == "/" for part in parts) and not any(
        isinstance(part, Call) for part in parts
    )


def in_whole_numbers(node: Expr, setting: Choice) -> Iterator[Fraction]:
    """The values where every division of the expression gives a whole number: cut downward, and towards zero."""
    for sign in ("//", "quot"):
        try:
            yield evaluate(_with_whole_division(node, sign), setting).base
        except ArithmeticError:
            return


def _with_whole_division(node: Expr, sign: str) -> Expr:
    if isinstance(node, Unary):
        return replace(node, operand=_with_whole_division(node.operand, sign))
    if not isinstance(node, Binary):
        return node
    left, right = (_with_whole_division(part, sign) for part in (node.left, node.right))
    return replace(node, op=sign if node.op == "/" else node.op, left=left, right=right)
