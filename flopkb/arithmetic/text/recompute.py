"""Recomputing one side against the number quoted on the other: every reading is tried."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import Closeness, closeness
from flopkb.arithmetic.text.clause import Side
from flopkb.arithmetic.text.measures import Setting
from flopkb.arithmetic.text.outcome import NOISE, Outcome, Relation, distance, rank
from flopkb.arithmetic.text.quotes import Quote
from flopkb.arithmetic.text.readings import AS_WRITTEN, Reading, named, readings, settings
from flopkb.arithmetic.text.spread import loose
from flopkb.arithmetic.text.tree import Node, Number, Unreadable, evaluate, suffix_scale

_VERDICTS = {Closeness.RIGHT: "ok", Closeness.QUALIFIED: "ok", Closeness.CUT: "truncated"}


def recomputed(node: Node, quoted: Side, quote: Quote, relation: Relation) -> Outcome | None:
    """The best outcome over all readings of an expression and the number it is said to give."""
    best: Outcome | None = None
    for setting in settings((node, quote.number), foreign=relation.foreign):
        for outcome in _outcomes(node, quoted, quote, relation, setting):
            if outcome.verdict == "ok":
                return outcome
            if best is None or rank(outcome) < rank(best):
                best = outcome
    return best


def _outcomes(node: Node, quoted: Side, quote: Quote, relation: Relation, setting: Setting) -> Iterator[Outcome]:
    try:
        value = evaluate(node, setting)
    except (Unreadable, OverflowError):
        return
    q = quote.value(setting)
    for reading in readings(value, quote, setting, node):
        verdict = _VERDICTS.get(_closeness(reading, quoted, quote, relation, setting, node), "wrong")
        if reading.exact and reading.value != q and not (verdict == "ok" and quote.precise):
            continue
        if verdict == "truncated" and (setting != Setting() or reading.level > 1):
            verdict = "wrong"  # a cut by a reading that nobody asked for says nothing
        names = [name for name in (reading.name if reading.name != AS_WRITTEN else "", named(setting)) if name]
        computed = reading.value / suffix_scale(quote.number, setting)
        label = ", ".join(names) or AS_WRITTEN
        off = distance(reading.value, q)
        yield Outcome(verdict, computed, quoted, quote.unit_text, label, None, off, reading.level)


def _closeness(
    reading: Reading, quoted: Side, quote: Quote, relation: Relation, setting: Setting, node: Node
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


def _in_range(quoted: Side, v: Fraction, scale: Fraction) -> Closeness:
    low, high = quoted.node, quoted.high
    assert isinstance(low, Number) and isinstance(high, Number)
    inside = (low.value - low.place / 2) * scale <= v <= (high.value + high.place / 2) * scale
    return Closeness.RIGHT if inside else Closeness.OFF
