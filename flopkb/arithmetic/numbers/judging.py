"""The rounding rule: whether a quoted number is a right way to write an exact value, and what to write where it is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from flopkb.arithmetic.numbers.reading import Ending, Quoted, ReadError, read
from flopkb.arithmetic.numbers.writing import decimal_text, with_unit
from flopkb.arithmetic.rounding import Closeness, closeness
from flopkb.arithmetic.unit_table import SUFFIXES
from flopkb.arithmetic.units import ONE, Unit, UnitError, parse_unit

_FLOP_PER_BYTE = parse_unit("flop/byte")
_BYTE = parse_unit("byte")
_MAX_EXTRA = 24
"""How many digits may be added until the text is near enough (``3x`` cannot say 1.49, ``1.5x`` can)."""


class Verdict(Enum):
    """What is to be said of a quote."""

    OK = "ok"
    LOOSE_BOUND = "loose bound"
    """The inequality holds, but is more than a quarter away from the value."""
    TRUNCATED = "truncated"
    """The digits were cut where they should have been rounded."""
    WRONG = "wrong"
    UNIT_MISMATCH = "unit mismatch"
    UNIT_MISSING = "unit missing"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its facts: ``computed`` and ``difference`` are numbers in the unit named by ``unit``.

    ``note`` says what a reader should know besides: why it passes at all, or what is right instead.
    """

    verdict: Verdict
    quoted: str
    computed: str = ""
    difference: str = ""
    unit: str = "1"
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether the quote may stand (a loose bound may, with a warning)."""
        return self.verdict in (Verdict.OK, Verdict.LOOSE_BOUND)


def judge(quoted: Quoted, values: Sequence[Fraction], declared: Unit) -> Judgement:
    """Judge a quote of ``values`` (exact, in base units of ``declared``; several values are a set).

    Unit and counts are judged first, then the number in the quote's own unit. Raises ValueError where there is no value.
    """
    if not values:
        raise ValueError("a quote is judged against at least one value")
    reading = as_bytes(quoted, declared)
    fault = unit_fault(reading, declared)
    if fault is not None:
        return Judgement(fault[0], quoted.text, unit=str(declared), note=fault[1])
    scale = reading.unit.scale if reading.unit is not None else Fraction(1)
    own = [value / scale for value in values]
    return _judged(reading, own)


def as_bytes(quoted: Quoted, declared: Unit) -> Quoted:
    """``70B`` counts 70 billion, but is 70 bytes where bytes are declared."""
    number = quoted.number
    if number is None or number.suffix != "B" or quoted.unit is not None or declared.dimension != _BYTE.dimension:
        return quoted
    end = replace(quoted.end, suffix="") if quoted.end else None
    return replace(quoted, number=replace(number, suffix=""), end=end, unit=parse_unit("B"))


def unit_fault(quoted: Quoted, declared: Unit) -> tuple[Verdict, str] | None:
    """Why the unit of a quote does not fit the declared one, or None if it does (counts may be left out)."""
    if quoted.unit is None:
        bare = not declared.dimension and declared.scale == 1
        if bare or (declared.powers == _FLOP_PER_BYTE.powers and declared.scale == 1):
            return None
        return Verdict.UNIT_MISSING, f"write the unit {declared} after the number"
    if quoted.unit.dimension != declared.dimension:
        return Verdict.UNIT_MISMATCH, f"{quoted.unit} cannot measure {declared}"
    known = dict(declared.counts)
    strange = [name for name, power in quoted.unit.counts if known.get(name) != power]
    if strange:
        return Verdict.UNIT_MISMATCH, f"{quoted.unit} counts {strange[0]}, {declared} does not"
    return None


def _judged(quoted: Quoted, own: list[Fraction]) -> Judgement:
    if quoted.bound:
        return _judge_bound(quoted, own, quoted.value)
    if quoted.one_sided and max(own) > quoted.value:
        note = f"`{quoted.qualifier}` says that the value is below"
        return _judgement(Verdict.WRONG, quoted, max(own), note)
    if quoted.ratio is not None:
        room = abs(quoted.ratio) / 20 if quoted.approximate else 0
        return _judge_each(quoted, own, lambda v: Closeness.RIGHT if abs(v - quoted.value) <= room else Closeness.OFF)
    if quoted.word is not None:
        return _judge_word(quoted, own)
    if quoted.end is not None:
        return _judge_range(quoted, own)
    number = quoted.number
    assert number is not None, "a quote has a word, a ratio or digits"
    return _judge_each(quoted, own, lambda v: _ending_closeness(number, quoted.approximate, v)[0])


def _ending_closeness(number: Ending, approximate: bool, v: Fraction) -> tuple[Closeness, int]:
    """How digits and suffix stand to ``v``, and which scale of the suffix was taken.

    A suffix that may be binary is read so only where that gives the value exactly.
    """
    usual, *others = SUFFIXES[number.suffix]
    numeral = number.numeral
    for scale in others:
        if number.value * scale == v:
            return Closeness.RIGHT, scale
    parts = (number.value * usual, numeral.place * usual, numeral.nonzero_place * usual)
    return closeness(*parts, approximate, v), usual


def _judge_each(quoted: Quoted, own: list[Fraction], how: Callable[[Fraction], Closeness]) -> Judgement:
    """One number for all values: the worst decides."""
    order = list(Closeness)
    _, worst = max((order.index(how(value)), value) for value in own)
    return _result(quoted, how(worst), worst, own)


def _result(quoted: Quoted, close: Closeness, v: Fraction, own: list[Fraction]) -> Judgement:
    verdict = Verdict.WRONG
    if close in (Closeness.RIGHT, Closeness.QUALIFIED):
        verdict = Verdict.OK
    elif close is Closeness.CUT:
        verdict = Verdict.TRUNCATED
    return _judgement(verdict, quoted, v, _note(quoted, close, v, own))


def _note(quoted: Quoted, close: Closeness, v: Fraction, own: list[Fraction]) -> str:
    if close is Closeness.QUALIFIED:
        return f"passes only because of `{quoted.qualifier}`"
    if close is Closeness.RIGHT:
        return _binary_note(quoted.number, v)
    if _is_percentage(quoted, v):
        return f"as a percentage it is right: write {quoted.text}%"
    if len(set(own)) > 1:
        return f"the figure is a set from {decimal_text(min(own))} to {decimal_text(max(own))}: write a range"
    if close is Closeness.CUT:
        return "the digits are cut off, not rounded"
    if close is Closeness.COARSE:
        return "the last digit is right, but too coarse: it is more than a tenth off"
    return _swapped_prefix(quoted, v)


def _binary_note(number: Ending | None, v: Fraction) -> str:
    scale = _ending_closeness(number, False, v)[1] if number else 1
    return f"`{number.suffix}` is read as {scale} here" if number and scale != SUFFIXES[number.suffix][0] else ""


def _swapped_prefix(quoted: Quoted, v: Fraction) -> str:
    """Whether GiB for GB (or the reverse) is all that is wrong."""
    if quoted.unit is None or quoted.number is None:
        return ""
    text = quoted.unit.text
    binary = re.search(r"\b([kKMGTP])(i?)(?=B|bit)", text)
    if binary is None:
        return ""
    prefix = binary[1].lower() if binary[2] and binary[1] == "K" else binary[1]
    prefix = prefix if binary[2] else ("K" if prefix == "k" else prefix) + "i"
    other = text[: binary.start()] + prefix + text[binary.end() :]
    try:
        unit = parse_unit(other)
    except UnitError:
        return ""
    number = quoted.number
    close = _ending_closeness(number, quoted.approximate, v * quoted.unit.scale / unit.scale)[0]
    if close not in (Closeness.RIGHT, Closeness.QUALIFIED):
        return ""
    return f"right in {other}, which is not {text}: G is 10^9, Gi is 2^30"


def _judgement(
    verdict: Verdict, quoted: Quoted, v: Fraction, note: str = "", against: Fraction | None = None
) -> Judgement:
    unit = quoted.unit if quoted.unit is not None else ONE
    off = abs(v - (quoted.value if against is None else against))
    return Judgement(verdict, quoted.text, decimal_text(v), decimal_text(off), str(unit), note)


def _judge_range(quoted: Quoted, own: list[Fraction]) -> Judgement:
    """The ends of a range are the least and the greatest value of the set."""
    assert quoted.number is not None and quoted.end is not None
    results = []
    for number, value in ((quoted.number, min(own)), (quoted.end, max(own))):
        close = _ending_closeness(number, quoted.approximate, value)[0]
        results.append((list(Closeness).index(close), close, value, number.value * SUFFIXES[number.suffix][0]))
    _, close, value, against = max(results, key=lambda result: result[0])
    verdict = _result(quoted, close, value, [value]).verdict
    if verdict is Verdict.OK:
        return _judgement(verdict, quoted, value, against=against)
    span = f"{decimal_text(min(own))} to {decimal_text(max(own))}"
    note = (
        f"the values run from {span}"
        if min(own) != max(own)
        else f"there is one value, {decimal_text(value)}, not a range"
    )
    return replace(
        _judgement(verdict, quoted, value, note, against),
        computed=span if min(own) != max(own) else decimal_text(value),
    )


def _judge_bound(quoted: Quoted, own: list[Fraction], limit: Fraction) -> Judgement:
    """An inequality holds exactly for every value; the nearest value shows whether it says much."""
    upper = quoted.bound.startswith("<")
    nearest = max(own) if upper else min(own)
    if quoted.number and any(quoted.number.value * scale == nearest for scale in SUFFIXES[quoted.number.suffix]):
        limit = nearest
    if quoted.bound == "=":
        return _judge_exactly(quoted, own, limit)
    holds = nearest < limit if quoted.bound == "<" else nearest <= limit
    if not upper:
        holds = nearest > limit if quoted.bound == ">" else nearest >= limit
    if not holds:
        return _judgement(Verdict.WRONG, quoted, nearest, f"`{quoted.bound}` does not hold", limit)
    if abs(nearest - limit) > abs(limit) / 4:
        return _judgement(
            Verdict.LOOSE_BOUND, quoted, nearest, "holds, but is more than 25% away from the value", limit
        )
    return _judgement(Verdict.OK, quoted, nearest, against=limit)


def _judge_exactly(quoted: Quoted, own: list[Fraction], limit: Fraction) -> Judgement:
    """``exactly 8``: every value is what is written."""
    furthest = max(own, key=lambda value: abs(value - limit))
    if furthest == limit:
        return _judgement(Verdict.OK, quoted, furthest)
    return _judgement(Verdict.WRONG, quoted, furthest, "it is not exactly this", limit)


def _judge_word(quoted: Quoted, own: list[Fraction]) -> Judgement:
    """Half, twice: within 5%; an order of magnitude: half an order either way."""
    word = quoted.word
    assert word is not None
    off = [value for value in own if not (value > 0 and word.low_square <= value * value <= word.high_square)]
    if off:
        return _judgement(Verdict.WRONG, quoted, off[0])
    return _judgement(Verdict.OK, quoted, own[0])


def rewrite(quoted: Quoted, values: Sequence[Fraction], declared: Unit) -> str | None:
    """The text with its digits replaced by the value's, rounded half up: same unit, qualifier, suffix and separators.

    A quote that already stands is returned as it is. None where new digits alone would not keep the meaning: a range,
    a bound, a word, a ratio, a set of several values, another sign, a unit that does not fit.
    """
    number = quoted.number
    if quoted.bound or quoted.end or number is None or number.numeral.spelled or len(set(values)) != 1:
        return quoted.text if judge(quoted, values, declared).ok else None
    reading = as_bytes(quoted, declared)
    if unit_fault(reading, declared) is not None:
        return None
    if judge(quoted, values, declared).ok:
        return quoted.text
    value = values[0] / (reading.unit.scale if reading.unit is not None else Fraction(1))
    if value * number.value < 0 or (not value) != (not number.value):
        return None
    if _is_percentage(reading, value):
        return None
    assert reading.number is not None
    return _fitting(quoted, reading.number, value, values, declared)


def _is_percentage(quoted: Quoted, v: Fraction) -> bool:
    """Whether a plain number is right for a share once it has a percent sign (``97.5`` for 0.975)."""
    number = quoted.number
    share = quoted.unit is None and number is not None and 0 < abs(v) < 1
    return share and number is not None and _ending_closeness(number, quoted.approximate, v * 100)[0] is Closeness.RIGHT


def _fitting(quoted: Quoted, number: Ending, value: Fraction, values: Sequence[Fraction], declared: Unit) -> str | None:
    """The shortest writing, from the old number of decimals on, that judges right."""
    for scale in _scales(number, abs(value)):
        for extra in range(_MAX_EXTRA + 1):
            text = _with_digits(quoted, number, number.numeral.write(abs(value) / scale, extra))
            try:
                if judge(read(text), values, declared).ok:  # what is nearly 12.4 is not 12.4
                    return None if quoted.one_sided and read(text).value == value else text
            except ReadError:
                break
    return None


def _scales(number: Ending, size: Fraction) -> list[int]:
    """Which readings of the suffix to try: 1024 only where it gives a whole number and 1000 does not."""
    usual, *others = SUFFIXES[number.suffix]
    binary = [scale for scale in others if (size / scale).denominator == 1 and (size / usual).denominator != 1]
    return [*binary, usual]


def _with_digits(quoted: Quoted, number: Ending, digits: str) -> str:
    start = number.stop - len(number.numeral.text)
    return quoted.text[:start] + digits + quoted.text[number.stop :]


_WHAT = {
    Verdict.WRONG: "is wrong",
    Verdict.TRUNCATED: "is cut, not rounded",
    Verdict.LOOSE_BOUND: "is a loose bound",
    Verdict.UNIT_MISMATCH: "has the wrong unit",
    Verdict.UNIT_MISSING: "has no unit",
}


def misquoted(text: str, title: str, judgement: Judgement, instead: str | None = None, advice: str = "") -> str:
    """What is wrong with ``text``, which stands for ``title``: computed, difference, and ``instead`` (else ``advice``)."""
    what = f"{text} {_WHAT[judgement.verdict]}"
    if judgement.verdict in (Verdict.UNIT_MISMATCH, Verdict.UNIT_MISSING) or not judgement.difference:
        return f"{what}: {judgement.note}"
    computed, difference = (
        with_unit(n, judgement.unit, tight=True) for n in (judgement.computed, judgement.difference)
    )
    note = f" ({judgement.note})" if judgement.note and judgement.verdict is not Verdict.TRUNCATED else ""
    return f"{what}: {title} is {computed}, {difference} off{note}" + (f"; write {instead}" if instead else advice)


def miscomputed(quoted: str, computed: str, *, cut: bool) -> str:
    """What is said of an equation that does not come out: ``it ...`` where its left side is not named before."""
    return f"{quoted} is cut, not rounded: it comes to {computed}" if cut else f"comes to {computed}, not {quoted}"
