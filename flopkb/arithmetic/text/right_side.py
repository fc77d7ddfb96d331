"""The side behind a relation: where it ends in running text, and every reading that the text allows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Call, Expr
from flopkb.arithmetic.text.clause import is_symbol
from flopkb.arithmetic.text.grammar import Failed, Parser
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import measure
from flopkb.arithmetic.text.sides import TextSide, doubtful
from flopkb.arithmetic.text.tree import Measured
from flopkb.arithmetic.text.words import ABOUT, BEHIND_BOUNDS, BOUND_WORDS, ELLIPSES, EXACT, OPERATIONS, REMAINDER


def right_sides(clause: Parser, relation: int) -> list[TextSide]:
    """The readings of the side that begins behind a relation, the most likely first."""
    at, approximate, bound = _qualifiers(clause, relation + 1)
    clause.is_result = True
    try:
        node, end = clause.expression(at)
    except Failed:
        return []
    finally:
        clause.is_result = False
    fits, doubt = _ending(clause, end, node)
    if not fits:
        return []
    if clause.text(end) in ELLIPSES and not bound:
        bound = "…"
    side = TextSide(node, at, end, doubt or doubtful(node), approximate=approximate, bound=bound, clause=clause)
    found = _spans(clause, side) or [*_factorial(clause, side), side]
    return found + _wrapped(clause, side) + _first_number(clause, at, end, found[0])


def _qualifiers(clause: Parser, at: int) -> tuple[int, bool, str]:
    """Skip ``about``, ``exactly``, ``~`` and the like: the index behind them, whether they widen, and a bound."""
    approximate, bound = False, ""
    for _ in range(4):
        kind, word = clause.kind(at), clause.text(at).lower()
        if kind is Sign.TILDE or (kind is Sign.RELATION and word in ("≈", "~")):
            approximate = True
        elif kind is Sign.WORD and (word in ABOUT or word.removesuffix(".") in ABOUT):
            approximate = True
            at += clause.text(at + 1) == "." and clause.kind(at + 2) is Sign.NUMBER
        elif kind is Sign.WORD and word in BOUND_WORDS and _bounding(clause, at):
            bound = BOUND_WORDS[word]
            at += clause.text(at + 1) in BEHIND_BOUNDS
        elif not (
            kind is Sign.NEWLINE
            or (kind is Sign.WORD and word in EXACT and clause.gap(at + 1))
            or (kind is Sign.WORD and word == "at")
        ):
            break
        at += 1
    return at, approximate, bound


def _bounding(clause: Parser, at: int) -> bool:
    return (
        clause.kind(at + 1) is Sign.NUMBER
        or clause.kind(at + 2) in (Sign.NUMBER, Sign.CURRENCY)
        or clause.kind(at + 1) is Sign.CURRENCY
    )


def _ending(clause: Parser, end: int, node: Expr) -> tuple[bool, bool]:
    """Whether a side may end before the token at ``end``, and whether that leaves a doubt."""
    kind, word = clause.kind(end), clause.text(end)
    if word in ELLIPSES:
        return True, False
    if kind is Sign.NEWLINE:
        return True, clause.kind(end + 1) is Sign.OPERATOR and not clause.gap(end + 2)
    if kind is Sign.OPERATOR:
        prose = _is_dash(clause, end) and len(clause.text(end + 1)) > 1 and not is_symbol(clause.text(end + 1))
        return _before_operator(clause, end, node), not prose
    if kind is Sign.OPEN:
        return _before_remark(clause, end, node), False
    if kind in (Sign.OPAQUE, Sign.FUNCTION):
        return kind is Sign.OPAQUE and clause.gap(end), True
    if kind is Sign.WORD:
        return _before_word(clause, end)
    if kind is Sign.NUMBER:
        return True, (len(word) == 3 and word.isdigit()) or not clause.gap(end)
    digits = clause.kind(end + 1) in (Sign.NUMBER, Sign.OPEN, Sign.OPAQUE)  # 3,_{...}125
    listed = word == "," and digits and not clause.gap(end + 1)
    return True, kind is Sign.PUNCTUATION and listed


def _before_operator(clause: Parser, end: int, node: Expr) -> bool:
    """A dash before words ends a side, a comment sign too, and a unit that goes on in words that are not known."""
    word = clause.text(end)
    if word in "*/" and clause.kind(end + 1) is Sign.WORD and isinstance(node, Measured) and node.unit is not None:
        return True
    more = word == "+" and not clause.gap(end) and not clause.operand_at(end + 1)  # 4.2 MB+
    return _is_dash(clause, end) or word == "//" or more


def _is_dash(clause: Parser, at: int) -> bool:
    """A dash before words."""
    spaced = clause.gap(at) and clause.gap(at + 1)
    return clause.text(at) in "+-" and spaced and clause.kind(at + 1) is Sign.WORD


def _before_remark(clause: Parser, end: int, node: Expr) -> bool:
    """Parentheses behind a result are a remark unless they are pressed against it, or name a modulus."""
    if clause.text(end + 1).lstrip("\\") in ("mod", "bmod", "pmod", "modulo"):
        return False
    foreign = clause.kind(end + 1) is Sign.WORD and not clause.text(end + 1).isascii()
    if clause.gap(end) or clause.text(end) == "[" or foreign:
        return True
    return isinstance(node, Measured) and node.unit is not None and clause.remark(end)


def _before_word(clause: Parser, end: int) -> tuple[bool, bool]:
    """Words end a side, but a symbol or ``3 of 4`` may change what it says."""
    word = clause.text(end)
    if word in REMAINDER or word.startswith("\\") or word.lower() in OPERATIONS:
        return False, True
    noun = word.isupper() and clause.kind(end + 1) is Sign.WORD and clause.text(end + 1).islower()  # 5 E procs
    symbol = len(word) == 1 and word.isascii() and word not in "aAI" and not noun
    share = word.lower() == "or" and clause.kind(end + 2) is Sign.PERCENT  # 0.8 or 80%
    pair = word.lower() in ("or", "of", "to") and not share and clause.kind(end + 1) in (Sign.NUMBER, Sign.CURRENCY)
    return True, symbol or (pair and not clause.amount_of(end)) or not clause.gap(end)


def _spans(clause: Parser, side: TextSide) -> list[TextSide]:
    """``20-30 ms`` behind a relation is a range, not a difference; ``10+`` a bound; ``50 000`` one number."""
    node, end = side.node, side.last
    if isinstance(node, Binary) and node.op == "-" and not node.grouped and not node.spaced:
        low, high = node.left, node.right
        if isinstance(low, Measured) and isinstance(high, Measured) and low.value < high.value:
            unit = replace(low, unit=low.unit or high.unit, suffix=low.suffix or high.suffix)
            return [replace(side, node=unit, high=high)]
    if (timed := _hours_and_minutes(clause, side)) is not None:
        return [timed]
    if isinstance(node, Measured) and clause.kind(end) is Sign.NUMBER and node.end == clause.tokens[end - 1].end:
        joined = _joined(clause, side)
        return [joined, side] if joined else []
    if clause.operator(end) == "+" and isinstance(node, Measured):
        return [replace(side, bound=">", doubt=True)]
    return []


def _factorial(clause: Parser, side: TextSide) -> list[TextSide]:
    """``3 × 2 = 3!`` at the end of a sentence or of mathematics, where the sign may also be an exclamation."""
    pressed = clause.text(side.last) == "!" and not clause.gap(side.last) and isinstance(side.node, Measured)
    if not pressed:
        return []
    node = Call("factorial", (side.node,), offset=side.node.offset, end=clause.tokens[side.last].end)
    return [replace(side, node=node, last=side.last + 1, doubt=True)]


_CLOCK = {"d": 86400, "day": 86400, "days": 86400, "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600,
          "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
          "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1}  # fmt: skip


def _hours_and_minutes(clause: Parser, side: TextSide) -> TextSide | None:
    """``1 h 23 m``: one amount of time, in the last of its units."""
    node, at = side.node, side.last
    if not isinstance(node, Measured) or node.unit is None or node.unit.text not in _CLOCK or node.place != 1:
        return None
    total, size = node.value * _CLOCK[node.unit.text], _CLOCK[node.unit.text]
    while clause.kind(at) is Sign.NUMBER and 1 <= (step := _CLOCK.get(clause.text(at + 1), 0)) < size:
        number = clause.tokens[at]
        assert number.value is not None and number.place is not None and number.nonzero is not None
        total, size, at = total + number.value * step, step, at + 2
        node = replace(node, place=number.place, nonzero=number.nonzero, end=clause.tokens[at - 1].end)
    if at == side.last:
        return None
    names = {86400: "days", 3600: "h", 60: "min", 1: "s"}
    return replace(side, node=replace(node, value=total / size, unit=measure(names[size])), last=at)


def _wrapped(clause: Parser, side: TextSide) -> list[TextSide]:
    """The number with the unit that stands on the next line."""
    node, end = side.node, side.last
    if not isinstance(node, Measured) or node.unit is not None or clause.kind(end) is not Sign.NEWLINE:
        return []
    phrase = clause.after(end + 1)
    if not (phrase.suffix or (phrase.unit is not None and phrase.unit.known)):
        return []
    doubt = phrase.unit is None or not phrase.unit.physical or len(phrase.unit.text) < 2
    return [replace(side, node=clause.dressed(node, phrase), last=phrase.end, doubt=doubt)]


def _joined(clause: Parser, side: TextSide) -> TextSide | None:
    """Digits grouped by plain spaces."""
    node, at = side.node, side.last
    first = clause.tokens[at - 1]
    if (
        not isinstance(node, Measured)
        or first.kind is not Sign.NUMBER
        or not first.text.isdigit()
        or len(first.text) > 3
    ):
        return None
    value = node.value
    while clause.kind(at) is Sign.NUMBER and len(clause.text(at)) == 3 and clause.text(at).isdigit():
        value = value * 1000 + Fraction(clause.text(at))
        at += 1
    if at == side.last:
        return None
    last = clause.number(at - 1)
    unit = last[0].unit if isinstance(last[0], Measured) else None
    return replace(side, node=replace(node, value=value, unit=unit, end=last[0].end), last=last[1], doubt=True)


def _first_number(clause: Parser, at: int, end: int, side: TextSide) -> list[TextSide]:
    """The first number alone, where the side goes on (a running calculation), or without a footnote's mark."""
    if isinstance(side.node, Measured):
        return []
    try:
        node, stop = clause.factor(at)
    except Failed:
        return []
    if clause.operator(stop) == "/" and not clause.gap(stop) and not clause.gap(stop + 1):
        return []  # a fraction is the result
    if stop == end and isinstance(node, Binary) and node.op == "**" and isinstance(node.left, Measured):
        node = node.left
    elif stop >= end:
        return []
    return [TextSide(node, at, stop, True, True, side.approximate, side.bound)]
