"""Judging one relation between two sides: every reading of both is tried, and the one that makes it right is taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.quoted import Closeness, closeness, decimal_text
from flopkb.scan.measures import Setting
from flopkb.scan.readings import AS_WRITTEN, Quote, Reading, named, quote_value, readings, settings
from flopkb.scan.sides import Side
from flopkb.scan.tree import (
    Binary,
    Negative,
    Node,
    Number,
    Unreadable,
    calls,
    evaluate,
    numbers,
    operators,
    suffix_scale,
)

ORDER = ("ok", "truncated", "ambiguous", "wrong")
_FAR = 1000
"""A result this many times off is more likely misread than wrong."""
_FAR_WITHOUT_UNITS = 32
_FULL = 10**8
"""Who writes numbers this large writes them in base units."""
_NOISE = Fraction(1, 10**12)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict on one relation; ``computed`` stands in ``unit``; ``regrouped`` is the unusual reading that is right."""

    verdict: str
    computed: Fraction
    quoted: Side
    unit: str
    reading: str
    regrouped: Node | None = None
    distance: Fraction = Fraction(0)
    level: int = 0


def judge_sides(lefts: list[Side], rights: list[Side], sign: str) -> Outcome | None:
    """The best verdict over all readings of both sides; None where nothing can be said with confidence."""
    best: Outcome | None = None
    for left in lefts:
        for right in rights:
            outcome = _pair(left, right, sign)
            if outcome is None:
                continue
            if outcome.verdict == "ok":
                return outcome
            if best is None or _rank(outcome) < _rank(best):
                best = outcome
    return best


def _rank(outcome: Outcome) -> tuple[int, bool, Fraction]:
    return ORDER.index(outcome.verdict), outcome.level > 1, outcome.distance


def as_quote(node: Node) -> Quote | None:
    """The node as a quoted number: digits with a sign and a unit, or a bare power of ten."""
    if isinstance(node, Number):
        return Quote(node)
    if isinstance(node, Negative):
        inner = as_quote(node.operand)
        return replace(inner, negative=not inner.negative) if inner is not None else None
    if not isinstance(node, Binary):
        return None
    if (
        node.sign == "*"
        and node.grouped
        and isinstance(node.right, Number)
        and node.right.place == 0
        and node.right.value == 1
    ):
        inner = as_quote(node.left)
        if inner is None or inner.number.unit is not None or inner.number.suffix:
            return None
        number = replace(
            inner.number, unit=node.right.unit, suffix=node.right.suffix, noun=node.right.noun, end=node.end
        )
        return replace(inner, number=number)
    if node.sign == "^" and isinstance(node.left, Number) and node.left.value == 10 and node.left.unit is None:
        return _power_of_ten(node)
    return None


def _power_of_ten(node: Binary) -> Quote | None:
    exponent = node.right
    sign = -1 if isinstance(exponent, Negative) else 1
    inner = exponent.operand if isinstance(exponent, Negative) else exponent
    if not isinstance(inner, Number) or inner.value.denominator != 1 or abs(inner.value) > 400:
        return None
    power = Fraction(10) ** (sign * int(inner.value))
    return Quote(Number(node.start, node.end, power, power, power), power=True)


def _pair(left: Side, right: Side, sign: str) -> Outcome | None:
    left_quote, right_quote = as_quote(left.node), as_quote(right.node)
    if left_quote is not None and right_quote is not None:
        return _conversion(left, left_quote, right, right_quote, sign)
    if right_quote is not None:
        return _quoted(left, right, right_quote, sign)
    if left_quote is not None:
        return _quoted(right, left, left_quote, sign)
    return _equal(left, right, sign)


def _quoted(computed: Side, quoted: Side, quote: Quote, sign: str) -> Outcome | None:
    """An expression and a single number."""
    best = _best(computed.node, quoted, quote, sign)
    if best is None or best.verdict in ("ok", "truncated"):
        return best
    for other in computed.other:
        again = _best(other, quoted, quote, sign)
        if again is not None and again.verdict == "ok" and again.reading.startswith(AS_WRITTEN):
            return replace(best, verdict="ambiguous", regrouped=other)
    return best if _sure(computed, quoted, quote, best, sign) else None


def _best(node: Node, quoted: Side, quote: Quote, sign: str) -> Outcome | None:
    best: Outcome | None = None
    for setting in settings((node, quote.number)):
        for outcome in _outcomes(node, quoted, quote, sign, setting):
            if outcome.verdict == "ok":
                return outcome
            if best is None or _rank(outcome) < _rank(best):
                best = outcome
    return best


def _outcomes(node: Node, quoted: Side, quote: Quote, sign: str, setting: Setting) -> Iterator[Outcome]:
    try:
        value = evaluate(node, setting)
    except (Unreadable, OverflowError):
        return
    for reading in readings(value, quote, setting, node):
        close = _closeness(reading, quoted, quote, sign, setting, value.loose)
        verdict = {Closeness.RIGHT: "ok", Closeness.QUALIFIED: "ok", Closeness.CUT: "truncated"}.get(close, "wrong")
        if reading.exact and reading.value != quote_value(quote, setting) and not (verdict == "ok" and _precise(quote)):
            continue
        if verdict == "truncated" and (setting != Setting() or not reading.level) and setting.calendar:
            verdict = "wrong"
        names = [part for part in (reading.name if reading.name != AS_WRITTEN else "", named(setting)) if part]
        distance = _distance(reading.value, quote_value(quote, setting))
        unit = quote.number.suffix + (quote.unit.text if quote.unit is not None else "")
        value_shown = reading.value / suffix_scale(quote.number, setting)
        yield Outcome(
            verdict, value_shown, quoted, unit or "1", ", ".join(names) or AS_WRITTEN, None, distance, reading.level
        )


def _precise(quote: Quote) -> bool:
    """Whether three digits are written, so that they fit a power of 1024 by chance only once in a hundred times."""
    number = quote.number
    return number.value != 0 and number.place > 0 and number.value / number.place >= 100


def _distance(v: Fraction, q: Fraction) -> Fraction:
    if not v or not q or v * q < 0:
        return Fraction(10**9) if v != q else Fraction(0)
    return max(v / q, q / v)


def _closeness(reading: Reading, quoted: Side, quote: Quote, sign: str, setting: Setting, loose: Fraction) -> Closeness:
    q, v = quote_value(quote, setting), reading.value
    scale = suffix_scale(quote.number, setting)
    place, nonzero = quote.number.place * scale, quote.number.nonzero * scale
    if quoted.high is not None:
        return _in_range(quoted, v, scale)
    if quoted.bound and quoted.bound != "…":
        return Closeness.RIGHT if (v > q) == (quoted.bound in (">", "+")) or v == q else Closeness.OFF
    if abs(v - q) <= abs(v) * _NOISE:
        return Closeness.RIGHT
    approximate = sign in ("≈", "~") or quoted.approximate or quote.number.approximate
    close = closeness(q, place, nonzero, approximate, v)
    if quoted.bound == "…" and close is Closeness.CUT:
        return Closeness.RIGHT
    if loose and close not in (Closeness.RIGHT, Closeness.QUALIFIED) and abs(v - q) <= place / 2 + abs(v) * loose:
        return Closeness.QUALIFIED
    return close


def _in_range(quoted: Side, v: Fraction, scale: Fraction) -> Closeness:
    low, high = quoted.node, quoted.high
    assert isinstance(low, Number) and isinstance(high, Number)
    inside = (low.value - low.place / 2) * scale <= v <= (high.value + high.place / 2) * scale
    return Closeness.RIGHT if inside else Closeness.OFF


def _sure(computed: Side, quoted: Side, quote: Quote, best: Outcome, sign: str) -> bool:
    """Whether a wrong result may be called wrong: nothing about it may suggest that it was misread."""
    if (
        computed.doubt
        or quoted.doubt
        or quoted.high is not None
        or quoted.bound not in ("", "…")
        or (quote.number.noun
        and not computed.first < quoted.first)
    ):
        return False
    parts = list(numbers(computed.node))
    if (
        operators(computed.node) == 0
        or (len(parts) < 2 and not calls(computed.node))
        or any(part.unit and part.unit.text in ("x", "X") for part in parts)
    ):
        return False
    if quoted.first < computed.first and (
        quote.number.noun
        or best.reading != AS_WRITTEN
        or _plain_ratio(computed.node)
        or any(part.noun for part in parts)
    ):
        return False
    if _looks_like_something_else(computed.node, parts, quote):
        return False
    full = best.reading == AS_WRITTEN or any(part.value >= _FULL for part in parts)
    far = _FAR if full else _FAR_WITHOUT_UNITS
    if sign == "~":
        far = 2
    return best.distance <= far or (best.distance == 10**9 and best.reading == AS_WRITTEN and not quote.unit)


def _plain_ratio(node: Node) -> bool:
    """``7/8``: behind a relation it may be a label."""
    return isinstance(node, Binary) and operators(node) == 1 and node.sign == "/" and not node.spaced


def _looks_like_something_else(node: Node, parts: list[Number], quote: Quote) -> bool:
    """Ranges, ratios and binary digits written with an operator's sign."""
    single = isinstance(node, Binary) and operators(node) == 1
    if single and isinstance(node, Binary):
        if node.sign == "-" and not node.spaced:
            return True
        if any(part.value == quote.number.value and part.unit is None and not part.suffix for part in parts):
            return True
        if node.sign == "^" and all(part.value.denominator == 1 for part in parts):
            left, right = (int(part.value) for part in parts)
            if left ^ right == quote.number.value:
                return True
    digits = {*(str(part.value) for part in parts), str(quote.number.value)}
    return all(set(text) <= {"0", "1"} for text in digits) and any(len(text) > 1 for text in digits)


def _conversion(left: Side, a: Quote, right: Side, b: Quote, sign: str) -> Outcome | None:
    """Two single numbers: read only where both have units of one dimension, or one has a suffix the other spells out."""
    one, other = a.unit, b.unit
    same = one is not None and other is not None and one.physical and other.physical and one.text != other.text
    bare = not any(unit is not None and (unit.physical or unit.scale != 1) for unit in (one, other))
    spelled = bare and a.number.suffix != b.number.suffix
    percent = (
        (one is None) != (other is None) and Fraction(1, 100) in ((one or other).scale,) if (one or other) else False
    )
    powers = a.power != b.power or (bare and a.number.place != b.number.place)
    if not (same or spelled or percent or powers) or left.high or right.high:
        return None
    forward = _best(a.number if not a.negative else left.node, right, b, sign)
    backward = _best(b.number if not b.negative else right.node, left, a, sign)
    outcomes = [
        outcome
        for outcome in (forward, backward)
        if (outcome is not None and outcome.reading in _CONVERTED) or (outcome is not None and outcome.verdict == "ok")
    ]
    right_ones = [outcome for outcome in outcomes if outcome.verdict == "ok" and _fits(outcome)]
    if right_ones:
        return right_ones[0]
    if a.number.sci and b.number.sci and bare and forward is not None and not (left.doubt or right.doubt):
        return forward if forward.distance <= 16 and sign == "=" else None
    if not same or forward is None or not _pure(a, b) or left.doubt or right.doubt or forward.level:
        return None
    return forward if forward.distance <= 16 else None


_CONVERTED = (AS_WRITTEN,)


def _fits(outcome: Outcome) -> bool:
    return "alone" not in outcome.reading and "left out" not in outcome.reading and "other side" not in outcome.reading


def _pure(a: Quote, b: Quote) -> bool:
    """Whether both are times or both amounts of bytes, and nothing else is counted."""
    one, other = a.unit, b.unit
    assert one is not None and other is not None
    simple = one.dims == other.dims and one.dims in ((1, 0, 0, 0), (0, 1, 0, 0), (1, -1, 0, 0))
    return simple and not one.counts and not other.counts and not a.number.noun and not b.number.noun


def _equal(left: Side, right: Side, sign: str) -> Outcome | None:
    """Two expressions: equal exactly, or within what the rounding of their numbers can explain."""
    best: Outcome | None = None
    for setting in settings((left.node, right.node)):
        try:
            a, b = evaluate(left.node, setting), evaluate(right.node, setting)
        except (Unreadable, OverflowError):
            continue
        for v, q, name in _alternatives(a.base, a.digits, b.base, b.digits, a.dims == b.dims):
            slack = abs(v) * (a.rounded + b.rounded + a.loose + b.loose)
            extra = Fraction(1, 10) if sign != "=" else Fraction(1, 200)
            verdict = (
                "ok"
                if v == q or abs(v - q) <= max(slack * Fraction(3, 2), abs(v) * (extra if slack else _NOISE))
                else "wrong"
            )
            label = ", ".join(part for part in (name, named(setting)) if part) or AS_WRITTEN
            outcome = Outcome(verdict, v, right, "1", label, distance=_distance(v, q))
            if verdict == "ok":
                return outcome
            if best is None or outcome.distance < best.distance:
                best = outcome
    return best if best is not None and _sure_of_two(left, right, best, sign) else None


def _alternatives(
    a: Fraction, a_digits: Fraction, b: Fraction, b_digits: Fraction, same: bool
) -> Iterator[tuple[Fraction, Fraction, str]]:
    yield a, b, "" if same else "units set aside"
    if (a, b) != (a_digits, b_digits):
        yield a_digits, b_digits, "numbers alone"
    if not same:
        yield a, b_digits, "units set aside"
        yield a_digits, b, "units set aside"


def _sure_of_two(left: Side, right: Side, best: Outcome, sign: str) -> bool:
    if left.doubt or right.doubt or left.secondary or right.secondary or sign != "=" or best.reading != AS_WRITTEN:
        return False
    for side in (left, right):
        node = side.node
        if isinstance(node, Binary) and operators(node) == 1 and not node.spaced and node.sign in "-/":
            return False
        if any(part.noun or part.unit is not None for part in numbers(node)):
            return False
    return best.distance <= 32


def computed_text(outcome: Outcome) -> str:
    """The computed value as text."""
    return decimal_text(outcome.computed)
