"""Recomputing one side against the number quoted on the other: every reading that puts both in one unit is tried."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.formula import Expr
from flopkb.arithmetic.rounding import is_rounding
from flopkb.arithmetic.text.measures import Choice
from flopkb.arithmetic.text.quotes import SignedNumber
from flopkb.arithmetic.text.readings import AS_WRITTEN, Reading, named, readings, settings
from flopkb.arithmetic.text.sides import TextSide
from flopkb.arithmetic.text.tolerance import verdict_of
from flopkb.arithmetic.text.tree import Measured, evaluate
from flopkb.arithmetic.text.verdict import NOWHERE, Judged, Relation, ScanVerdict, distance, rank


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
        found = list(readings(value, quote, setting, node))
    except ArithmeticError:
        return
    q = quote.value(setting)
    for reading in found:
        level = max(reading.level, 2 * setting.unusual)
        if reading.unlike:
            label = f"in {reading.unlike}, which is no {quote.unit_text}"
            yield Judged(ScanVerdict.WRONG, reading.value, quoted, reading.unlike, label, None, NOWHERE, level, True)
            continue
        verdict, how = _verdict(reading, quoted, quote, relation, setting, node)
        if reading.exact and reading.value != q and not (verdict is ScanVerdict.OK and quote.telling):
            continue
        if verdict is not ScanVerdict.OK and (reading.level > 1 or (setting.unusual and not quote.precise)):
            verdict = ScanVerdict.WRONG  # nearly right by a reading that nobody asked for says nothing
        names = [name for name in (reading.name if reading.name != AS_WRITTEN else "", named(setting), how) if name]
        computed = reading.value / quote.scale(setting)
        label = ", ".join(names) or AS_WRITTEN
        yield Judged(verdict, computed, quoted, quote.unit_text, label, None, distance(reading.value, q), level)


def _verdict(
    reading: Reading, quoted: TextSide, quote: SignedNumber, relation: Relation, setting: Choice, node: Expr
) -> tuple[ScanVerdict, str]:
    """The rounding rule, with the leniency that ranges, bounds and ellipses ask for, and what the reading adds."""
    q, v = quote.value(setting), reading.value
    if quoted.high is not None:
        return (ScanVerdict.OK if _in_range(quoted, v, quote.scale(setting)) else ScanVerdict.WRONG), ""
    if quoted.bound in ("<", ">"):
        rounded = relation.foreign and is_rounding(q, quote.number.place * quote.scale(setting), v)
        return (ScanVerdict.OK if (v > q) == (quoted.bound == ">") or v == q or rounded else ScanVerdict.WRONG), ""
    approximate = relation.sign in ("≈", "~") or quoted.approximate or quote.number.approximate
    verdict, how = verdict_of(v, quote, node, setting, approximate=approximate, exact=not relation.foreign)
    if quoted.bound == "…" and verdict is ScanVerdict.TRUNCATED:
        return ScanVerdict.OK, how
    return verdict, how


def _in_range(quoted: TextSide, v: Fraction, scale: Fraction) -> bool:
    low, high = quoted.node, quoted.high
    assert isinstance(low, Measured) and isinstance(high, Measured)
    inside = low.value * scale <= v <= high.value * scale
    return inside or any(is_rounding(end.value * scale, end.place * scale, v) for end in (low, high))
