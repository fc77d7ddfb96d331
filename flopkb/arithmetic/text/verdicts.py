"""Judging one relation: every reading of both sides is tried, and a wrong result is told only where it is beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Expr, walk
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import NONE, Choice, measure
from flopkb.arithmetic.text.quotes import SignedNumber, as_fraction, as_quote
from flopkb.arithmetic.text.readings import AS_WRITTEN, named, settings
from flopkb.arithmetic.text.recompute import recomputed
from flopkb.arithmetic.text.sides import TextSide
from flopkb.arithmetic.text.something_else import adds_to_a_symbol, pressed, something_else
from flopkb.arithmetic.text.tolerance import NOISE, in_whole_numbers, loose, rounded
from flopkb.arithmetic.text.tree import Evaluated, Measured, calls, evaluate, numbers, operators
from flopkb.arithmetic.text.verdict import NOWHERE, Judged, Relation, ScanVerdict, distance, rank
from flopkb.arithmetic.unit_table import counted_noun

_APART = Fraction(3, 2)
"""Two expressions that are said to be about equal are wrong only from here on."""
_HAIR = 1 + Fraction(1, 10**6)
"""Two exact expressions that are nearer than this are shown for being so near."""
_FAR = 2000
"""A result this many times off is more likely misread than wrong (a slip of one prefix is a thousand)."""
_FAR_WITHOUT_UNITS = 32
"""Behind this only a slip of zeros is told: a wrong digit changes a number by less."""
_FEW = Fraction(1, 20)
_LARGE = 10**6
_FAR_IN_EXPONENTS = 10**6
"""An exponent is mistyped as easily as a digit."""
_FULL = 10**8
"""Who writes numbers this large writes them in base units."""


def sure(computed: TextSide, quoted: TextSide, quote: SignedNumber, best: Judged, relation: Relation) -> bool:
    """Whether an expression that does not give the quoted number is wrong beyond doubt."""
    if computed.doubt or quoted.doubt or quoted.high is not None or quoted.bound not in ("", "…"):
        return False
    if _in_a_unit_behind(quoted, quote, best, computed.node):
        return False
    parts = list(numbers(computed.node))
    if quote.unit is None and quote.number.noun and _has_dimension(computed.node):
        return False  # the noun may be a unit that is not known here
    if not _arithmetic(computed.node, parts) or something_else(computed, quoted, quote, best):
        return False
    if best.unlike:
        money = {
            sign for part in (*parts, quote.number) if part.unit is not None for sign in _MONEY & set(part.unit.text)
        }
        if len(money) > 1:
            return False  # the price of one currency in another
        return not best.level and not quote.number.noun and all(_understood(part) for part in parts)
    if best.level and any(part.noun for part in parts):
        return False
    if _without_the_size(parts, quote, best):
        return False
    if quoted.first < computed.first and (
        _numbered(quoted) or _unknown(quote.number) or not _result_first(computed.node, parts, quote, best)
    ):
        return False
    if _PREFIXED.fullmatch(_word_behind(quoted)) is not None and best.distance <= _FAR:
        return True
    return _within_reach(parts, quote, best, relation, computed_last=quoted.first < computed.first)


def _word_behind(quoted: TextSide) -> str:
    clause = quoted.clause
    behind = range(quoted.first, quoted.last + 2)
    return next((clause.text(at) for at in behind if clause.kind(at) is Sign.WORD), "") if clause is not None else ""


_MONEY = frozenset("$€£¥")


def _in_a_unit_behind(quoted: TextSide, quote: SignedNumber, best: Judged, node: Expr) -> bool:
    """``12/4000 = 3 mA``: words behind the number may be a unit that is not known here.

    Then a power of a thousand may be its prefix; decibels are no ratio at all, but they add.
    """
    if quote.unit is not None:
        return False
    word = _word_behind(quoted)
    if word.startswith("dB"):
        return calls(node) or any(isinstance(part, Binary) and part.op not in "+-" for part in walk(node))
    prefixed = _PREFIXED.fullmatch(word) is not None
    return prefixed and any(abs(best.distance / 1000**n - 1) < _NEARLY for n in (1, 2, 3, 4))


_PREFIXED = re.compile(r"(?:[fpnuµμmckMGT]|\\mu)(?:[AVWΩΩFHJTNCSlgms]|Hz|Pa|eV|[Oo]hms?|\\Omega)?")
_NEARLY = Fraction(1, 50)


def _without_the_size(parts: list[Measured], quote: SignedNumber, best: Judged) -> bool:
    """``100 LEDs × 4 strips = 1200 bytes``: things are counted, and how much each takes is left out."""
    if (
        quote.unit is None
        or not quote.unit.physical
        or any(part.unit is not None and (part.unit.physical or part.unit.stored is not None) for part in parts)
    ):
        return False
    counted = any(part.noun or (part.unit is not None and part.unit.counts) for part in parts)
    size = best.distance.limit_denominator(8)
    return counted and size <= _MOST_OF_ONE and abs(best.distance / size - 1) <= _NEARLY


_MOST_OF_ONE = 64


def _understood(part: Measured) -> bool:
    """Whether a number has no words beside it that could be a unit."""
    return not part.label and (part.unit.known if part.unit is not None else not part.noun)


def sure_of_two(left: TextSide, right: TextSide, best: Judged, relation: Relation) -> bool:
    """Whether two expressions that differ are wrong beyond doubt."""
    if (
        left.doubt
        or right.doubt
        or left.secondary
        or right.secondary
        or (relation.sign != "=" and best.distance < _APART)
        or best.reading != AS_WRITTEN
    ):
        return False
    for side in (left, right):
        if (
            pressed(side.node, "-/")
            or adds_to_a_symbol(side.node)
            or any(part.noun or part.unit is not None for part in numbers(side.node))
        ):
            return False
    return _HAIR < best.distance <= _FAR_WITHOUT_UNITS


def _has_dimension(node: Expr) -> bool:
    """Whether physical units are left over in it."""
    try:
        return evaluate(node, Choice()).dims != NONE
    except ArithmeticError:
        return True


def _arithmetic(node: Expr, parts: list[Measured]) -> bool:
    """Whether something is computed at all; ``2x + 3`` may hold an unknown."""
    return operators(node) > 0 and (len(parts) > 1 or calls(node)) and not any(map(_unknown, parts))


def _unknown(part: Measured) -> bool:
    """``2x``: an unknown, perhaps."""
    return part.unit is not None and part.unit.text in ("x", "X")


def _numbered(quoted: TextSide) -> bool:
    """``0=720x480/576, 1=704x480/576``: a small number pressed against the sign is the code of what follows."""
    if quoted.clause is not None and quoted.clause.tokens[quoted.last + 2].note == "by":
        return True  # 3 = 60x22
    pressed = (
        quoted.clause is not None and not quoted.clause.gap(quoted.last) and not quoted.clause.gap(quoted.last + 1)
    )
    return pressed and isinstance(quoted.node, Measured) and quoted.node.value < 32


def _result_first(node: Expr, parts: list[Measured], quote: SignedNumber, best: Judged) -> bool:
    """Whether a number before the relation is the result of what stands behind it, not a label of it."""
    if quote.number.noun or best.level or (best.reading != AS_WRITTEN and any(part.unit is not None for part in parts)):
        return False
    return not pressed(node, "/") and not any(part.noun for part in parts)


def _within_reach(
    parts: list[Measured], quote: SignedNumber, best: Judged, relation: Relation, *, computed_last: bool
) -> bool:
    """Whether the numbers are near enough that the text was hardly misread."""
    if computed_last and best.distance > _FAR_WITHOUT_UNITS:
        return False  # 12345 = 1 × 10 → ...: the first step of many
    if best.distance == NOWHERE:
        comparable = not best.computed or not quote.number.value or abs(best.computed) / quote.number.value < _FAR
        return best.reading == AS_WRITTEN and quote.unit is None and comparable
    if relation.sign == "~":
        return best.distance <= 10
    if best.reading == AS_WRITTEN and quote.number.place >= _LARGE:
        return best.distance <= _FAR_IN_EXPONENTS
    if best.reading == AS_WRITTEN and quote.unit is not None and quote.unit.physical:
        return best.distance <= _FAR_IN_EXPONENTS  # units on both sides
    full = best.reading == AS_WRITTEN or any(part.value >= _FULL for part in parts)
    if best.distance <= _FAR_WITHOUT_UNITS:
        return True
    physical = quote.unit is not None and quote.unit.physical
    return full and best.distance <= _FAR and (physical or _by_zeros(best.distance))


def _by_zeros(distance: Fraction) -> bool:
    """Whether a number is off by about a power of ten: a slip of zeros or of a prefix."""
    return any(abs(distance / 10**power - 1) <= _FEW for power in (2, 3))


_PERCENT = Fraction(1, 100)
_MOST = Fraction(1, 10)
"""However few digits are written, expressions further apart than this are not equal."""
_NEAR = 16
"""Two amounts further apart than this are not meant to be one."""
_CONVERTIBLE = ((1, 0, 0, 0), (0, 1, 0, 0), (1, -1, 0, 0), (0, -1, 0, 0))


def judge_sides(lefts: list[TextSide], rights: list[TextSide], relation: Relation) -> Judged | None:
    """The best verdict over all readings of both sides; None where nothing can be said with confidence."""
    best: Judged | None = None
    for left in lefts:
        for right in rights:
            outcome = _pair(left, right, relation)
            if outcome is None:
                continue
            if outcome.verdict is ScanVerdict.OK:
                return outcome
            if best is None or rank(outcome) < rank(best):
                best = outcome
    return best


def _pair(left: TextSide, right: TextSide, relation: Relation) -> Judged | None:
    left_quote, right_quote = as_quote(left.node), as_quote(right.node)
    if left_quote is not None and right_quote is not None:
        return _conversion(left, left_quote, right, right_quote, relation)
    if right_quote is not None:
        return _quoted(left, right, right_quote, relation)
    if left_quote is not None:
        outcome = _quoted(right, left, left_quote, relation)
        ranged = relation.sign == "~" and outcome is not None and outcome.verdict is ScanVerdict.WRONG
        return None if ranged else outcome
    if (fraction := as_fraction(right.node)) is not None:
        return _unless_rounded(_quoted(left, right, fraction, relation), right, about=relation.sign != "=")
    return _unless_rounded(_equal(left, right, relation), right, about=relation.sign != "=")


def _unless_rounded(outcome: Judged | None, right: TextSide, *, about: bool) -> Judged | None:
    """No verdict where large whole numbers of a fraction may be rounded: ``632,456 × 0.01 / 20 = 6,325 / 20``."""
    if outcome is None or not isinstance(right.node, Binary) or right.node.op != "/":
        return outcome
    parts = [part for part in numbers(right.node) if part.value >= 1000]
    slack = sum((Fraction(1, 2) / part.value for part in parts), Fraction(0))
    if about:
        slack = max([slack, *(part.nonzero / part.value for part in parts)])  # 1/50,000,000 has one digit
    return None if 0 < outcome.distance - 1 <= slack else outcome


def _quoted(computed: TextSide, quoted: TextSide, quote: SignedNumber, relation: Relation) -> Judged | None:
    """An expression and a single number."""
    best = recomputed(computed.node, quoted, quote, relation)
    if best is None or best.verdict not in (ScanVerdict.AMBIGUOUS, ScanVerdict.WRONG):
        return best
    for other in computed.regrouped():
        again = recomputed(other, quoted, quote, relation)
        if again is not None and again.verdict is ScanVerdict.OK and again.reading in (AS_WRITTEN, best.reading):
            return replace(best, verdict=ScanVerdict.AMBIGUOUS, regrouped=other)
    return best if sure(computed, quoted, quote, best, relation) else None


def _conversion(left: TextSide, a: SignedNumber, right: TextSide, b: SignedNumber, relation: Relation) -> Judged | None:
    """Two single numbers: read only where one spells out or converts the other."""
    if relation.sign == "~":
        return None  # a range
    if left.high is not None or right.high is not None or not (_spells_out(a, b) or _same_kind(a, b)):
        return None
    forward, backward = recomputed(left.node, right, b, relation), recomputed(right.node, left, a, relation)
    for outcome in (forward, backward):
        if outcome is not None and outcome.verdict is ScanVerdict.OK and outcome.reading.startswith(_DIRECT):
            return outcome
    if forward is None or left.doubt or right.doubt or forward.level or forward.distance > _NEAR:
        return None
    certain = _pure(a, b) and (relation.chained or _counted(a) == _counted(b))
    certain = certain or (a.number.sci and _bare(a, b) and relation.sign == "=" and not _stands_for_more(b))
    return forward if certain else None


def _counted(quote: SignedNumber) -> frozenset[str]:
    """What is counted beside the physical units of a number: ``request`` of ``million requests per month``."""
    words = re.findall(r"[A-Za-z]+", quote.unit.text) if quote.unit is not None else []
    nouns = {counted_noun(word) or word for word in words if measure(word).dims == NONE and measure(word).scale == 1}
    return frozenset(nouns - {"per"})


def _stands_for_more(b: SignedNumber) -> bool:
    """Whether the number stands for something else than its value: it has a suffix or words behind it."""
    return bool(b.number.suffix) or b.number.noun


_DIRECT = (AS_WRITTEN, "K as", "B as", "prefixes", "a year")
"""How the names of readings begin that need no unit to be guessed."""


def _bare(a: SignedNumber, b: SignedNumber) -> bool:
    return all(quote.unit is None or (not quote.unit.physical and quote.unit.scale == 1) for quote in (a, b))


def _spells_out(a: SignedNumber, b: SignedNumber) -> bool:
    """``32k = 32,768``, ``10^3 = 1000``, ``0.5 = 50%``."""
    shares = [quote.unit is not None and quote.unit.scale == _PERCENT for quote in (a, b)]
    if shares[0] != shares[1]:
        return any(quote.unit is None for quote in (a, b))
    return _bare(a, b) and (a.number.suffix, a.power, a.number.place) != (b.number.suffix, b.power, b.number.place)


def _same_kind(a: SignedNumber, b: SignedNumber) -> bool:
    """Whether both have physical units, written differently."""
    one, other = a.unit, b.unit
    return one is not None and other is not None and one.physical and other.physical and one.text != other.text


def _pure(a: SignedNumber, b: SignedNumber) -> bool:
    """Whether both are times, amounts of bytes or bandwidths, and nothing else is counted."""
    one, other = a.unit, b.unit
    if one is None or other is None or one.text == other.text:
        return False
    simple = one.dims == other.dims and one.dims in _CONVERTIBLE
    return simple and not a.number.noun and not b.number.noun


def _equal(left: TextSide, right: TextSide, relation: Relation) -> Judged | None:
    """Two expressions: equal exactly, or within what the rounding of their numbers can explain."""
    best: Judged | None = None
    for setting in settings((left.node, right.node), foreign=relation.foreign):
        try:
            a, b = evaluate(left.node, setting), evaluate(right.node, setting)
        except ArithmeticError:
            continue
        for v, q, name in _alternatives(a, b):
            label = ", ".join(part for part in (name, named(setting)) if part) or AS_WRITTEN
            near = v == q or abs(v - q) <= abs(v) * _slack(left.node, right.node, setting, relation.sign)
            verdict = ScanVerdict.OK if near else ScanVerdict.WRONG
            if not near and relation.foreign and q.denominator == 1 and q in in_whole_numbers(left.node, setting):
                verdict, label = ScanVerdict.ROUNDED, "rounded down"
            outcome = Judged(verdict, v, right, "1", label, distance=distance(v, q))
            if verdict is ScanVerdict.OK:
                return outcome
            if best is None or rank(outcome) < rank(best):
                best = outcome
    if best is not None and best.verdict is ScanVerdict.ROUNDED:
        return best
    return best if best is not None and sure_of_two(left, right, best, relation) else None


def _slack(left: Expr, right: Expr, setting: Choice, sign: str) -> Fraction:
    """How far two expressions may be apart, as a share: by the rounding of their numbers, and somewhat more."""
    rounding = sum((error(node, setting) for node in (left, right) for error in (rounded, loose)), Fraction(0))
    if not rounding:
        return NOISE
    return max(min(rounding * Fraction(3, 2), _MOST), Fraction(1, 200) if sign == "=" else _MOST)


def _alternatives(a: Evaluated, b: Evaluated) -> Iterator[tuple[Fraction, Fraction, str]]:
    """The values of two expressions in one unit, by every reading."""
    same = a.dims == b.dims
    yield a.base, b.base, "" if same else "units set aside"
    if (a.base, b.base) != (a.digits, b.digits):
        yield a.digits, b.digits, "numbers alone"
    if not same:
        yield a.base, b.digits, "units set aside"
        yield a.digits, b.base, "units set aside"
