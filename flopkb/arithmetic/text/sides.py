"""The two sides of a relation: where each begins and ends in running text, and every reading that the text allows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Expr
from flopkb.arithmetic.numbers.reading import APPROXIMATELY, BOUNDS
from flopkb.arithmetic.text.grammar import FUNCTIONS, PARTIAL, Failed, Parser, TextSide, doubtful
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import STOP_WORDS
from flopkb.arithmetic.text.tree import Measured, operators

_MAX_REGION = 160
_MAX_WORDS = 5
_INSIDE = (Sign.NUMBER, Sign.OPERATOR, Sign.PERCENT, Sign.CURRENCY, Sign.FUNCTION, Sign.TILDE, Sign.NEWLINE)
_ABOUT = frozenset([*(word.removesuffix(".") for word in APPROXIMATELY), "some"])
_EXACT = frozenset(["exactly", "only", "just", "precisely", "a", "an", "total", "the"])
_BOUNDS = {
    phrase.removeprefix("at ").split()[0]: sign[0]
    for phrase, sign in BOUNDS.items()
    if phrase[0].isalpha() and not phrase.startswith(("no ", "not "))
}
"""The words that bound, by the one that tells: ``most`` of ``at most``, ``more`` of ``more than``."""
_BEHIND_BOUNDS = frozenset(phrase.split()[-1] for phrase in BOUNDS if " " in phrase) - _BOUNDS.keys()
"""What may follow such a word: ``than``, ``to``, ``of``."""
_ELLIPSES = frozenset({"...", "…", "\\ldots", "\\dots", "\\cdots", "&hellip;"})
_OPERATIONS = frozenset({"times", "plus", "minus", "divided", "multiplied", "squared", "cubed"})
_REMAINDER = frozenset(["mod", "modulo", "remainder", "rem", "r", "R"])


def left_sides(clause: Parser, relation: int) -> list[TextSide]:
    """The readings of the side that ends at a relation, the most likely first."""
    start, blocked = _region(clause, relation)
    while start < relation and clause.kind(start) is Sign.NEWLINE:
        start += 1
    if blocked or start >= relation or _refused(clause, start):
        return []
    start, doubt = _opening(clause, start)
    doubt = doubt or _keyword(clause, start)
    if start < 0 or start >= relation:
        return []
    sides = _parsed(clause, start, relation, doubt)
    if sides and not sides[0].doubt:
        sides += _shortened(clause, start, relation)
    return sides


def _region(clause: Parser, relation: int) -> tuple[int, bool]:
    """Where the arithmetic before a relation begins, and whether something unreadable blocks it."""
    at = relation - 1
    while at >= 0 and relation - at < _MAX_REGION:
        kind = clause.kind(at)
        if kind in _INSIDE:
            at -= 1
        elif kind is Sign.CLOSE:
            opening = clause.match.get(at)
            if opening is None:
                return at + 1, False
            if any(token.kind is Sign.RELATION for token in clause.tokens[opening:at]) and not _annotated(
                clause, opening
            ):
                return at + 1, True
            if clause.text(at) == "}" and clause.kind(opening - 1) is Sign.WORD:
                return at + 1, False  # the argument of some command
            at = opening - 1
            if clause.kind(at) is Sign.WORD and not clause.gap(opening):
                at, fits = _before_words(clause, at) if clause.text(at).lower() not in FUNCTIONS else (at - 1, True)
                if not fits:
                    return opening, True
        elif kind is Sign.WORD:
            before, fits = _before_words(clause, at)
            if not fits:
                return at + 1, False
            at = before
        else:
            return at + 1, False
    return at + 1, at >= 0


def _annotated(clause: Parser, opening: int) -> bool:
    """Whether parentheses stand directly behind a number (so that what is in them is a remark)."""
    return clause.kind(opening - 1) is Sign.NUMBER


def _before_words(clause: Parser, at: int) -> tuple[int, bool]:
    """The index before the words that end at ``at``, and whether they belong to a number there."""
    count, last = 0, at
    while clause.kind(at) is Sign.WORD and count < _MAX_WORDS:
        word = clause.text(at).lower()
        if word in STOP_WORDS or (word == "of" and not _percentage(clause, at - 1)):
            return at, False
        at, count = at - 1, count + 1
    if clause.operator(at) == "/":
        if clause.kind(at - 1) is Sign.WORD:
            return _before_words(clause, at - 1)
        return at - 1, clause.kind(at - 1) in (Sign.NUMBER, Sign.CLOSE)
    if clause.operator(at) == "^" and clause.tokens[at].value is not None:
        return at, True
    if clause.kind(at) is Sign.CLOSE:
        return at, clause.match.get(at) is not None
    return (at, True) if clause.kind(at) in (Sign.NUMBER, Sign.PERCENT) else (last, False)


def _percentage(clause: Parser, at: int) -> bool:
    return clause.kind(at) is Sign.PERCENT or clause.text(at) in ("percent", "x") or clause.kind(at) is Sign.NUMBER


def _refused(clause: Parser, start: int) -> bool:
    """Whether what stands before ``start`` makes the side only a part of something else."""
    before = clause.tokens[start - 1] if start > 0 else None
    if before is None:
        return False
    if before.kind is Sign.WORD:
        word = before.text.lower()
        called = clause.kind(start) is Sign.OPEN and not clause.gap(start)
        of = word in ("of", "by") and clause.text(start - 2).lower() in PARTIAL
        joined = not clause.gap(start) and clause.kind(start) is not Sign.CURRENCY
        return called or word in PARTIAL or of or (joined and before.text.isascii())
    if before.kind is Sign.OPAQUE:
        return not clause.gap(start) or before.text in ("{", "}", "==", "_") or before.text[-1:] == "="
    derivative = before.text in ("'", "’") and clause.kind(start) is Sign.OPEN
    return (before.kind is Sign.CLOSE or derivative) and not clause.gap(start)


def _keyword(clause: Parser, start: int) -> bool:
    """``256 × T=32 × D=768``: a factor with its name before it."""
    pressed = clause.kind(start - 1) is Sign.RELATION and not clause.gap(start) and not clause.gap(start - 1)
    return pressed and clause.kind(start - 2) is Sign.WORD and clause.kind(start - 3) is Sign.OPERATOR


def _opening(clause: Parser, start: int) -> tuple[int, bool]:
    """Skip a dash or a comment sign at the start; (-1, ...) where the start shows that symbols stand before it."""
    if clause.kind(start) is not Sign.OPERATOR:
        return start, False
    sign, word = (clause.text(start), clause.kind(start - 1) in (Sign.WORD, Sign.OPAQUE, Sign.CLOSE))
    if sign == "//":
        return start + 1, clause.kind(start - 1) in (Sign.NUMBER, Sign.CLOSE)
    if sign not in "+-":
        return -1, True
    if clause.gap(start) and clause.gap(start + 1):
        return start + 1, word
    if word and not clause.gap(start):
        return -1, True
    return start, word


def _parsed(clause: Parser, start: int, relation: int, doubt: bool) -> list[TextSide]:
    """Parse the whole region, or what is left of it behind tokens that are no part of the side."""
    for _ in range(4):
        side = clause.whole(start, relation, doubt)
        if isinstance(side, TextSide):
            return [side]
        start = _restart(clause, max(side, start + 1), relation)
        if start < 0:
            return []
        doubt = doubt or clause.kind(start - 1) is not Sign.WORD
    return []


def _restart(clause: Parser, at: int, relation: int) -> int:
    """The next index at which a side may begin after a failure at ``at``."""
    for index in range(at, relation):
        fits = clause.kind(index) in (Sign.NUMBER, Sign.CURRENCY, Sign.FUNCTION, Sign.OPEN, Sign.TILDE)
        if fits and clause.kind(index - 1) is not Sign.OPERATOR and clause.gap(index):
            return index if clause.match.get(index, relation) <= relation else -1
    return -1


def _shortened(clause: Parser, start: int, relation: int) -> list[TextSide]:
    """Shorter readings: behind a spaced dash, behind a comment sign, behind a mark such as ``(2)``."""
    cuts: list[int] = []
    depth = 0
    for at in range(start, relation):
        depth += (clause.kind(at) is Sign.OPEN) - (clause.kind(at) is Sign.CLOSE)
        dash = clause.kind(at) is Sign.OPERATOR and (
            (clause.text(at) == "-" and clause.gap(at) and clause.gap(at + 1)) or clause.text(at) == "//"
        )
        if depth == 0 and dash and at > start:
            cuts.append(at + 1)
    if clause.kind(start) is Sign.OPEN and clause.match.get(start) == start + 2 and clause.gap(start + 3):
        cuts.append(start + 3)
    sides = [clause.whole(cut, relation, False) for cut in cuts[-3:]]
    return [replace(side, secondary=True) for side in sides if isinstance(side, TextSide) and operators(side.node)]


def right_sides(clause: Parser, relation: int) -> list[TextSide]:
    """The readings of the side that begins behind a relation, the most likely first."""
    at, approximate, bound = _qualifiers(clause, relation + 1)
    try:
        node, end = clause.expression(at)
    except Failed:
        return []
    fits, doubt = _ending(clause, end, node)
    if not fits:
        return []
    if clause.text(end) in _ELLIPSES and not bound:
        bound = "…"
    side = TextSide(node, at, end, doubt or doubtful(node), approximate=approximate, bound=bound, clause=clause)
    found = _spans(clause, side) or [side]
    return found + _wrapped(clause, side) + _first_number(clause, at, end, found[0])


def _qualifiers(clause: Parser, at: int) -> tuple[int, bool, str]:
    """Skip ``about``, ``exactly``, ``~`` and the like: the index behind them, whether they widen, and a bound."""
    approximate, bound = False, ""
    for _ in range(4):
        kind, word = clause.kind(at), clause.text(at).lower()
        if kind is Sign.TILDE or (kind is Sign.RELATION and word in ("≈", "~")):
            approximate = True
        elif kind is Sign.WORD and (word in _ABOUT or word.removesuffix(".") in _ABOUT):
            approximate = True
            at += clause.text(at + 1) == "." and clause.kind(at + 2) is Sign.NUMBER
        elif kind is Sign.WORD and word in _BOUNDS and _bounding(clause, at):
            bound = _BOUNDS[word]
            at += clause.text(at + 1) in _BEHIND_BOUNDS
        elif not (
            kind is Sign.NEWLINE or (kind is Sign.WORD and word in _EXACT) or (kind is Sign.WORD and word == "at")
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
    if word in _ELLIPSES:
        return True, False
    if kind is Sign.NEWLINE:
        return True, clause.kind(end + 1) is Sign.OPERATOR and not clause.gap(end + 2)
    if kind is Sign.OPERATOR:
        return _before_operator(clause, end, node), True
    if kind is Sign.OPEN:
        return _before_remark(clause, end, node), False
    if kind in (Sign.OPAQUE, Sign.FUNCTION):
        return kind is Sign.OPAQUE and clause.gap(end), True
    if kind is Sign.WORD:
        return _before_word(clause, end)
    if kind is Sign.NUMBER:
        return True, len(word) == 3 and word.isdigit()
    listed = word == "," and clause.kind(end + 1) is Sign.NUMBER and not clause.gap(end + 1)
    return True, kind is Sign.PUNCTUATION and listed


def _before_operator(clause: Parser, end: int, node: Expr) -> bool:
    """A dash before words ends a side, a comment sign too, and a unit that goes on in words that are not known."""
    word, after = clause.text(end), clause.kind(end + 1)
    if word in "*/" and after is Sign.WORD and isinstance(node, Measured) and node.unit is not None:
        return True
    dash = word in "+-" and clause.gap(end) and clause.gap(end + 1) and after is Sign.WORD
    return dash or word == "//"


def _before_remark(clause: Parser, end: int, node: Expr) -> bool:
    """Parentheses behind a result are a remark unless they are pressed against it, or name a modulus."""
    if clause.text(end + 1).lstrip("\\") in ("mod", "bmod", "pmod", "modulo"):
        return False
    if clause.gap(end) or clause.text(end) == "[":
        return True
    return isinstance(node, Measured) and node.unit is not None and clause.remark(end)


def _before_word(clause: Parser, end: int) -> tuple[bool, bool]:
    """Words end a side, but a symbol or ``3 of 4`` may change what it says."""
    word = clause.text(end)
    if word in _REMAINDER or word.startswith("\\") or word.lower() in _OPERATIONS:
        return False, True
    symbol = len(word) == 1 and word.isascii() and word not in "aAI"
    pair = word.lower() in ("or", "of", "to") and clause.kind(end + 1) in (Sign.NUMBER, Sign.CURRENCY)
    return True, symbol or pair or not clause.gap(end)


def _spans(clause: Parser, side: TextSide) -> list[TextSide]:
    """``20-30 ms`` behind a relation is a range, not a difference; ``10+`` a bound; ``50 000`` one number."""
    node, end = side.node, side.last
    if isinstance(node, Binary) and node.op == "-" and not node.grouped and not node.spaced:
        low, high = node.left, node.right
        if isinstance(low, Measured) and isinstance(high, Measured) and low.value < high.value:
            unit = replace(low, unit=low.unit or high.unit, suffix=low.suffix or high.suffix)
            return [replace(side, node=unit, high=high)]
    if isinstance(node, Measured) and clause.kind(end) is Sign.NUMBER and node.end == clause.tokens[end - 1].end:
        joined = _joined(clause, side)
        return [joined, side] if joined else []
    if clause.operator(end) == "+" and isinstance(node, Measured):
        return [replace(side, bound=">", doubt=True)]
    return []


def _wrapped(clause: Parser, side: TextSide) -> list[TextSide]:
    """The number with the unit that stands on the next line."""
    node, end = side.node, side.last
    if not isinstance(node, Measured) or node.unit is not None or clause.kind(end) is not Sign.NEWLINE:
        return []
    phrase = clause.after(end + 1)
    if not (phrase.suffix or (phrase.unit is not None and phrase.unit.known)):
        return []
    return [replace(side, node=clause.dressed(node, phrase), last=phrase.end, doubt=True)]


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
    if stop == end and isinstance(node, Binary) and node.op == "**" and isinstance(node.left, Measured):
        node = node.left
    elif stop >= end:
        return []
    return [TextSide(node, at, stop, True, True, side.approximate, side.bound)]
