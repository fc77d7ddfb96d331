"""Recomputing one side against the number quoted on the other: every reading that puts both in one unit is tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product

from flopkb.arithmetic.formula import Binary, Expr, Unary, children
from flopkb.arithmetic.rounding import Closeness, closeness, is_rounding
from flopkb.arithmetic.text.grammar import TextSide
from flopkb.arithmetic.text.measures import CALENDARS, NONE, Choice, Measure, dims_of, measure, scale_of
from flopkb.arithmetic.text.tree import Evaluated, Measured, evaluate, numbers, open_choices, suffix_scale


class ScanVerdict(StrEnum):
    """What is said of an equation in running text, from harmless to bad."""

    OK = "ok"
    TRUNCATED = "truncated"
    AMBIGUOUS = "ambiguous"
    WRONG = "wrong"

    @property
    def badness(self) -> int:
        """The place in the order above, from 0."""
        return list(ScanVerdict).index(self)


NOISE = Fraction(1, 10**12)
"""Results of floating-point arithmetic are this near."""
NOWHERE = Fraction(10**9)
"""The distance of numbers that cannot be compared: of different sign, or one of them zero."""


@dataclass(frozen=True, slots=True)
class Relation:
    """``=``, ``≈`` or ``~``; in a ``foreign`` document a decimal prefix may stand for a power of 1024."""

    sign: str
    foreign: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on one relation; ``computed`` stands in ``unit``; ``regrouped`` is the unusual reading that is right.

    ``distance`` is how many times the computed value is off, ``level`` how far-fetched the reading is.
    """

    verdict: ScanVerdict
    computed: Fraction
    quoted: TextSide
    unit: str
    reading: str
    regrouped: Expr | None = None
    distance: Fraction = Fraction(0)
    level: int = 0


def rank(outcome: Judged) -> tuple[int, bool, Fraction]:
    """Better outcomes come first; of wrong ones, that of the likelier reading and then the nearer."""
    return outcome.verdict.badness, outcome.level > 1, outcome.distance


def distance(v: Fraction, q: Fraction) -> Fraction:
    """How many times one number is the other, at least 1."""
    if not v or not q or v * q < 0:
        return NOWHERE if v != q else Fraction(0)
    return max(v / q, q / v)


@dataclass(frozen=True, slots=True)
class SignedNumber:
    """A number with its sign; ``power`` marks a bare power of ten, which is one digit."""

    number: Measured
    negative: bool = False
    power: bool = False

    @property
    def unit(self) -> Measure | None:
        """The unit it stands in, None where there is none."""
        return self.number.unit

    @property
    def unit_text(self) -> str:
        """Suffix and unit as written, ``1`` where there are none."""
        return self.number.suffix + (self.unit.text if self.unit is not None else "") or "1"

    @property
    def precise(self) -> bool:
        """Whether three digits are written: they agree with a wrong reading by chance once in a hundred times."""
        number = self.number
        return number.value != 0 and number.place > 0 and number.value / number.place >= 100

    def value(self, setting: Choice) -> Fraction:
        """The number with its sign and suffix, in its own unit."""
        value = self.number.value * suffix_scale(self.number, setting)
        return -value if self.negative else value


def as_quote(node: Expr) -> SignedNumber | None:
    """The node as a quoted number: digits with a sign and a unit, or a bare power of ten; None for anything else."""
    if isinstance(node, Measured):
        return SignedNumber(node)
    if isinstance(node, Unary):
        inner = as_quote(node.operand)
        return replace(inner, negative=not inner.negative) if inner is not None else None
    if not isinstance(node, Binary):
        return None
    if node.op == "*" and isinstance(node.right, Measured) and node.right.is_unit:
        return _with_unit(as_quote(node.left), node.right, node.end)
    if node.op == "**" and isinstance(node.left, Measured) and node.left.value == 10 and node.left.unit is None:
        return _power_of_ten(node)
    return None


def _with_unit(inner: SignedNumber | None, unit: Measured, end: int) -> SignedNumber | None:
    """``10^9 bytes``: the unit stands behind the power."""
    if inner is None or inner.number.unit is not None or inner.number.suffix:
        return None
    number = replace(inner.number, unit=unit.unit, suffix=unit.suffix, noun=unit.noun, end=end)
    return replace(inner, number=number)


def _power_of_ten(node: Binary) -> SignedNumber | None:
    exponent = node.right
    sign = -1 if isinstance(exponent, Unary) else 1
    inner = exponent.operand if isinstance(exponent, Unary) else exponent
    if not isinstance(inner, Measured) or inner.value.denominator != 1 or abs(inner.value) > 400:
        return None
    power = Fraction(10) ** (sign * int(inner.value))
    return SignedNumber(Measured(power, power, power, offset=node.offset, end=node.end), power=True)


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


def settings(nodes: tuple[Expr, ...], *, foreign: bool = True) -> list[Choice]:
    """The choices that these expressions leave open, the usual one first."""
    features = set(open_choices(nodes))
    choices = product(
        (False, True) if "kilo" in features else (False,),
        (False, True) if foreign and "binary" in features else (False,),
        (False, True) if "b_bytes" in features else (False,),
        (False, True) if "rate" in features else (False,),
        range(len(CALENDARS)) if "calendar" in features else (0,),
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
    if setting.calendar:
        month, year = CALENDARS[setting.calendar]
        parts.append(f"a year of {float(year):g} days, a month of {float(month):.4g}")
    return ", ".join(parts)


def readings(value: Evaluated, quote: SignedNumber, setting: Choice, node: Expr) -> Iterator[Reading]:
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


def _without_unit(value: Evaluated) -> Iterator[Reading]:
    if value.dims == NONE:
        yield Reading(value.base, AS_WRITTEN)
        if value.base != value.digits:
            yield Reading(value.digits, "numbers alone", 1)
        return
    yield Reading(value.digits, "in the unit of the other side")
    yield Reading(value.base, "in base units", 1)


def _plain(value: Evaluated, scale: Fraction, node: Expr, exact: bool) -> Iterator[Reading]:
    """A result without a physical unit: a percentage, a multiple, a number of operations."""
    yield Reading(value.base / scale, AS_WRITTEN, exact=exact)
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
    for sibling, size in _SIBLINGS.get(dims, ()):
        if size not in (1, scale) and not (sibling == "bits" and setting.binary):
            yield Reading(value.digits * size / scale, f"the other side in {sibling}", 2, exact=exact)
    if (dims[0] or dims == (0, -1, 0, 0)) and scale % 1000 == 0 and abs(value.digits) < _SMALL_NUMBERS:
        yield Reading(value.digits / 1000, f"the other side in thousandths of {name}", 1)


def _large_binary(unit: Measure | None) -> bool:
    """Whether a prefix above kilo is read as a power of 1024: that is granted only where it makes the result exact."""
    return unit is not None and unit.binary is not None and unit.binary != unit.scale * Fraction(1024, 1000)


_MOST = Fraction(1, 20)


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
    return Fraction(0) if exact else node.place / 2 / size


_VERDICTS = {
    Closeness.RIGHT: ScanVerdict.OK, Closeness.QUALIFIED: ScanVerdict.OK, Closeness.CUT: ScanVerdict.TRUNCATED,
}  # fmt: skip


def recomputed(node: Expr, quoted: TextSide, quote: SignedNumber, relation: Relation) -> Judged | None:
    """The best outcome over all readings of an expression and the number it is said to give."""
    best: Judged | None = None
    for setting in settings((node, quote.number), foreign=relation.foreign):
        for outcome in _outcomes(node, quoted, quote, relation, setting):
            if outcome.verdict is ScanVerdict.OK:
                return outcome
            if best is None or rank(outcome) < rank(best):
                best = outcome
    return best


def _outcomes(
    node: Expr, quoted: TextSide, quote: SignedNumber, relation: Relation, setting: Choice
) -> Iterator[Judged]:
    try:
        value = evaluate(node, setting)
    except ArithmeticError:
        return
    q = quote.value(setting)
    for reading in readings(value, quote, setting, node):
        verdict = _VERDICTS.get(_closeness(reading, quoted, quote, relation, setting, node), ScanVerdict.WRONG)
        if reading.exact and reading.value != q and not (verdict is ScanVerdict.OK and quote.precise):
            continue
        if verdict is ScanVerdict.TRUNCATED and (setting != Choice() or reading.level > 1):
            verdict = ScanVerdict.WRONG  # a cut by a reading that nobody asked for says nothing
        names = [name for name in (reading.name if reading.name != AS_WRITTEN else "", named(setting)) if name]
        computed = reading.value / suffix_scale(quote.number, setting)
        label = ", ".join(names) or AS_WRITTEN
        off = distance(reading.value, q)
        yield Judged(verdict, computed, quoted, quote.unit_text, label, None, off, reading.level)


def _closeness(
    reading: Reading, quoted: TextSide, quote: SignedNumber, relation: Relation, setting: Choice, node: Expr
) -> Closeness:
    """The rounding rule, with the leniency that ranges, bounds, ellipses and approximate inputs ask for."""
    q, v = quote.value(setting), reading.value
    scale = suffix_scale(quote.number, setting)
    place, nonzero = quote.number.place * scale, quote.number.nonzero * scale
    if quoted.high is not None:
        return _in_range(quoted, v, scale)
    if quoted.bound in ("<", ">"):
        return Closeness.RIGHT if (v > q) == (quoted.bound == ">") or v == q else Closeness.OFF
    if v == q or (place < 1 and abs(v - q) <= abs(v) * NOISE):
        return Closeness.RIGHT
    approximate = relation.sign in ("≈", "~") or quoted.approximate or quote.number.approximate
    close = closeness(q, place, nonzero, approximate, v)
    if quoted.bound == "…" and close is Closeness.CUT:
        return Closeness.RIGHT
    if close in (Closeness.RIGHT, Closeness.QUALIFIED):
        return close
    slack = loose(node, setting)
    if slack and abs(v - q) <= place / 2 + abs(v) * slack:
        return Closeness.QUALIFIED
    return close


def _in_range(quoted: TextSide, v: Fraction, scale: Fraction) -> Closeness:
    low, high = quoted.node, quoted.high
    assert isinstance(low, Measured) and isinstance(high, Measured)
    inside = low.value * scale <= v <= high.value * scale
    ends = any(is_rounding(end.value * scale, end.place * scale, v) for end in (low, high))
    return Closeness.RIGHT if inside or ends else Closeness.OFF
