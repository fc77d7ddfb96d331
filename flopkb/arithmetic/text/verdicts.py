"""Judging one relation between two sides: every reading of both is tried, and the one that makes it right is taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.text.clause import Side
from flopkb.arithmetic.text.confidence import sure, sure_of_two
from flopkb.arithmetic.text.measures import Setting
from flopkb.arithmetic.text.outcome import NOISE, Outcome, Relation, distance, rank
from flopkb.arithmetic.text.quotes import Quote, as_quote
from flopkb.arithmetic.text.readings import AS_WRITTEN, named, settings
from flopkb.arithmetic.text.recompute import recomputed
from flopkb.arithmetic.text.spread import loose, rounded
from flopkb.arithmetic.text.tree import Node, Unreadable, Value, evaluate

_PERCENT = Fraction(1, 100)
_MOST = Fraction(1, 10)
"""However few digits are written, expressions further apart than this are not equal."""
_NEAR = 16
"""Two amounts further apart than this are not meant to be one."""
_CONVERTIBLE = ((1, 0, 0, 0), (0, 1, 0, 0), (1, -1, 0, 0))


def judge_sides(lefts: list[Side], rights: list[Side], sign: str, *, foreign: bool = True) -> Outcome | None:
    """The best verdict over all readings of both sides; None where nothing can be said with confidence."""
    best: Outcome | None = None
    for left in lefts:
        for right in rights:
            outcome = _pair(left, right, Relation(sign, foreign))
            if outcome is None:
                continue
            if outcome.verdict == "ok":
                return outcome
            if best is None or rank(outcome) < rank(best):
                best = outcome
    return best


def _pair(left: Side, right: Side, relation: Relation) -> Outcome | None:
    left_quote, right_quote = as_quote(left.node), as_quote(right.node)
    if left_quote is not None and right_quote is not None:
        return _conversion(left, left_quote, right, right_quote, relation)
    if right_quote is not None:
        return _quoted(left, right, right_quote, relation)
    if left_quote is not None:
        return _quoted(right, left, left_quote, relation)
    return _equal(left, right, relation)


def _quoted(computed: Side, quoted: Side, quote: Quote, relation: Relation) -> Outcome | None:
    """An expression and a single number."""
    best = recomputed(computed.node, quoted, quote, relation)
    if best is None or best.verdict in ("ok", "truncated"):
        return best
    for other in computed.regrouped():
        again = recomputed(other, quoted, quote, relation)
        if again is not None and again.verdict == "ok" and again.reading in (AS_WRITTEN, best.reading):
            return replace(best, verdict="ambiguous", regrouped=other)
    return best if sure(computed, quoted, quote, best, relation) else None


def _conversion(left: Side, a: Quote, right: Side, b: Quote, relation: Relation) -> Outcome | None:
    """Two single numbers: read only where one spells out or converts the other."""
    if left.high is not None or right.high is not None or not (_spells_out(a, b) or _same_kind(a, b)):
        return None
    forward, backward = recomputed(left.node, right, b, relation), recomputed(right.node, left, a, relation)
    for outcome in (forward, backward):
        if outcome is not None and outcome.verdict == "ok" and outcome.reading.startswith(_DIRECT):
            return outcome
    if forward is None or left.doubt or right.doubt or forward.level or forward.distance > _NEAR:
        return None
    certain = _pure(a, b) or (a.number.sci and b.number.sci and _bare(a, b) and relation.sign == "=")
    return forward if certain else None


_DIRECT = (AS_WRITTEN, "K as", "B as", "prefixes", "a year")
"""How the names of readings begin that need no unit to be guessed."""


def _bare(a: Quote, b: Quote) -> bool:
    return all(quote.unit is None or (not quote.unit.physical and quote.unit.scale == 1) for quote in (a, b))


def _spells_out(a: Quote, b: Quote) -> bool:
    """``32k = 32,768``, ``10^3 = 1000``, ``0.5 = 50%``."""
    shares = [quote.unit is not None and quote.unit.scale == _PERCENT for quote in (a, b)]
    if shares[0] != shares[1]:
        return any(quote.unit is None for quote in (a, b))
    return _bare(a, b) and (a.number.suffix, a.power, a.number.place) != (b.number.suffix, b.power, b.number.place)


def _same_kind(a: Quote, b: Quote) -> bool:
    """Whether both have physical units, written differently."""
    one, other = a.unit, b.unit
    return one is not None and other is not None and one.physical and other.physical and one.text != other.text


def _pure(a: Quote, b: Quote) -> bool:
    """Whether both are times, amounts of bytes or bandwidths, and nothing else is counted."""
    one, other = a.unit, b.unit
    if one is None or other is None or one.text == other.text:
        return False
    simple = one.dims == other.dims and one.dims in _CONVERTIBLE
    return simple and not one.counts and not other.counts and not a.number.noun and not b.number.noun


def _equal(left: Side, right: Side, relation: Relation) -> Outcome | None:
    """Two expressions: equal exactly, or within what the rounding of their numbers can explain."""
    best: Outcome | None = None
    for setting in settings((left.node, right.node), foreign=relation.foreign):
        try:
            a, b = evaluate(left.node, setting), evaluate(right.node, setting)
        except (Unreadable, OverflowError):
            continue
        for v, q, name in _alternatives(a, b):
            label = ", ".join(part for part in (name, named(setting)) if part) or AS_WRITTEN
            near = v == q or abs(v - q) <= abs(v) * _slack(left.node, right.node, setting, relation.sign)
            verdict = "ok" if near else "wrong"
            outcome = Outcome(verdict, v, right, "1", label, distance=distance(v, q))
            if verdict == "ok":
                return outcome
            if best is None or outcome.distance < best.distance:
                best = outcome
    return best if best is not None and sure_of_two(left, right, best, relation) else None


def _slack(left: Node, right: Node, setting: Setting, sign: str) -> Fraction:
    """How far two expressions may be apart, as a share: by the rounding of their numbers, and somewhat more."""
    rounding = sum((error(node, setting) for node in (left, right) for error in (rounded, loose)), Fraction(0))
    if not rounding:
        return NOISE
    return max(min(rounding * Fraction(3, 2), _MOST), Fraction(1, 200) if sign == "=" else _MOST)


def _alternatives(a: Value, b: Value) -> Iterator[tuple[Fraction, Fraction, str]]:
    """The values of two expressions in one unit, by every reading."""
    same = a.dims == b.dims
    yield a.base, b.base, "" if same else "units set aside"
    if (a.base, b.base) != (a.digits, b.digits):
        yield a.digits, b.digits, "numbers alone"
    if not same:
        yield a.base, b.digits, "units set aside"
        yield a.digits, b.base, "units set aside"
