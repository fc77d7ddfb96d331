"""The side before a relation: where it begins in running text, and every reading that the text allows."""

from __future__ import annotations

from dataclasses import replace

from flopkb.arithmetic.text.grammar import Parser
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import STOP_WORDS, measure
from flopkb.arithmetic.text.sides import TextSide
from flopkb.arithmetic.text.tree import operators
from flopkb.arithmetic.text.words import BEFORE_RESULTS, NUMBERED, PARTIAL, function_name, is_logarithm

_MAX_REGION = 160
_MAX_WORDS = 5
_INSIDE = (Sign.NUMBER, Sign.OPERATOR, Sign.PERCENT, Sign.CURRENCY, Sign.FUNCTION, Sign.TILDE, Sign.NEWLINE)


def left_sides(clause: Parser, relation: int) -> list[TextSide]:
    """The readings of the side that ends at a relation, the most likely first."""
    if clause.text(relation - 1) == "(" and clause.kind(relation - 2) in (Sign.NUMBER, Sign.WORD):
        return _before_parenthesis(clause, relation - 1)
    if _assigned(clause, relation):
        return []
    start, blocked = _region(clause, relation)
    while start < relation and clause.kind(start) is Sign.NEWLINE:
        start += 1
    if blocked or start >= relation or _refused(clause, start):
        return []
    start, doubt = _opening(clause, start)
    doubt = doubt or _keyword(clause, start) or (_alone(clause, start, relation) and _named(clause, start))
    doubt = doubt or _in_a_condition(clause, start, relation) or _ends_a_range(clause, start, relation)
    doubt = doubt or _times_a_letter(clause, start) or _ends_with_an_unknown(clause, relation - 1)
    if start < 0 or start >= relation:
        return []
    doubt = doubt or (clause.text(start - 1) in ("\n", ".") and _cut_number(clause, start))
    sides = _parsed(clause, start, relation, doubt)
    if sides and not sides[0].doubt:
        sides += _shortened(clause, start, relation)
    if sides and clause.text(start - 1).lower() in NUMBERED:
        sides[0] = replace(sides[0], doubt=True)
    if sides and clause.operator(start - 1) == "-":
        signed = clause.whole(start - 1, relation, True)
        sides += [signed] if isinstance(signed, TextSide) else []
    return sides


def _alone(clause: Parser, start: int, relation: int) -> bool:
    """Whether a side is one token, up to ends of lines."""
    return all(clause.kind(at) is Sign.NEWLINE for at in range(start + 1, relation))


def _cut_number(clause: Parser, start: int) -> bool:
    """``26.`` at the end of the line before ``86 - 23 = 3``: one number that is broken at its point."""
    newline = clause.kind(start - 1) is Sign.NEWLINE
    at = start - 2 if newline else start - 1
    if clause.gap(start) and not newline:
        return False
    return clause.text(at) == "." and at > 0 and clause.kind(at - 1) is Sign.NUMBER and not clause.gap(at)


def _before_parenthesis(clause: Parser, opening: int) -> list[TextSide]:
    """``286720 (= 35 × 8192)``: the number before the parentheses."""
    for start in (opening - 1, opening - 2):  # a unit may stand between
        if clause.kind(start) is Sign.NUMBER and clause.match.get(opening) is not None and not _named(clause, start):
            side = clause.whole(start, opening, False)
            return [side] if isinstance(side, TextSide) else []
    return []


def _assigned(clause: Parser, relation: int) -> bool:
    """``18/100 loss=2.3``: a key pressed against its value, as logs have it; or a comparison that may be false."""
    key = clause.kind(relation - 1) is Sign.WORD and clause.gap(relation - 1) and not clause.gap(relation)
    if key and not clause.gap(relation + 1) and not measure(clause.text(relation - 1)).known:
        return True
    return key and "_" in clause.text(relation - 1)


def _named(clause: Parser, start: int) -> bool:
    """``Stage 2``, ``pass@10``, ``top 5``: the number at ``start`` ends a name."""
    before = clause.tokens[start - 1] if start > 0 else None
    if before is None or "," in clause.text(start):
        return False
    if before.text in ("@", "#", ":"):
        return not clause.gap(start)
    word = before.text.lower()
    return before.kind is Sign.WORD and word not in STOP_WORDS and word not in BEFORE_RESULTS


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
            if clause.kind(at) is Sign.WORD and function_name(clause.text(at)):
                at -= 1
            elif clause.kind(at) is Sign.WORD and not clause.gap(opening):
                at, fits = _before_words(clause, at)
                if not fits:
                    return opening, clause.text(opening - 1).isascii()
        elif kind is Sign.WORD and is_logarithm(clause.text(at)):
            at -= 1
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
        if word == "of" and count == 0 and clause.kind(at - 1) is Sign.WORD and clause.kind(at - 2) is Sign.NUMBER:
            return at - 2, True
        if word in STOP_WORDS or word in _SQUARED or (word == "of" and not _percentage(clause, at - 1)):
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
    if count == 1 and clause.names_a_number(last):
        return at, True
    return (at, True) if clause.kind(at) in (Sign.NUMBER, Sign.PERCENT) else (last, False)


_SQUARED = frozenset({"squared", "cubed"})


def _percentage(clause: Parser, at: int) -> bool:
    return clause.kind(at) is Sign.PERCENT or clause.text(at) in ("percent", "x") or clause.kind(at) is Sign.NUMBER


def _refused(clause: Parser, start: int) -> bool:
    """Whether what stands before ``start`` makes the side only a part of something else."""
    before = clause.tokens[start - 1] if start > 0 else None
    if before is None:
        return False
    if before.kind is Sign.WORD:
        word = before.text.lower().removeprefix("\\")
        called = clause.kind(start) is Sign.OPEN and not clause.gap(start) and before.text.isascii()
        if word in ("max", "min") and clause.kind(start) is not Sign.OPEN:
            return False
        of = word in ("of", "by") and clause.text(start - 2).lower() in PARTIAL
        joined = not clause.gap(start) and clause.kind(start) is not Sign.CURRENCY
        return called or word.partition("_")[0] in PARTIAL or of or (joined and before.text.isascii())
    if before.text in ("@", "#") and not clause.gap(start):
        return True
    if before.kind is Sign.OPAQUE:
        shifted = before.text in (">>", "<<") and clause.kind(start - 2) in (Sign.WORD, Sign.NUMBER, Sign.CLOSE)
        return not clause.gap(start) or before.text in ("{", "}", "==", "_") or before.text[-1:] == "=" or shifted
    derivative = before.text in ("'", "’", "′", "″", "\\prime") and clause.kind(start) is Sign.OPEN
    return (before.kind is Sign.CLOSE or derivative) and not clause.gap(start)


def _keyword(clause: Parser, start: int) -> bool:
    """``256 × T=32 × D=768``: a factor with its name before it."""
    pressed = clause.kind(start - 1) is Sign.RELATION and not clause.gap(start) and not clause.gap(start - 1)
    factor = clause.kind(start - 3) is Sign.OPERATOR and clause.kind(start - 4) in (Sign.NUMBER, Sign.CLOSE)
    return pressed and clause.kind(start - 2) is Sign.WORD and factor


def _times_a_letter(clause: Parser, start: int) -> bool:
    """``x \\log 5 = \\log 17``: the letter before a function multiplies it."""
    letter = clause.kind(start - 1) is Sign.WORD and len(clause.text(start - 1)) == 1
    return letter and clause.text(start - 1).isalpha() and is_logarithm(clause.text(start))


def _ends_with_an_unknown(clause: Parser, last: int) -> bool:
    """``3 \\sqrt{4} y = 0``: a small letter that is no unit, behind a root or parentheses."""
    word, before = clause.text(last), clause.kind(last - 1)
    letter = clause.kind(last) is Sign.WORD and len(word) == 1 and word.isascii() and word.islower()
    return letter and before is Sign.CLOSE and not measure(word).known


def _ends_a_range(clause: Parser, start: int, relation: int) -> bool:
    """``from 1 to 4 = 15``: the number is the upper end of what the words before it are about."""
    return relation - start == 1 and clause.text(start - 1) == "to" and clause.kind(start - 2) is Sign.NUMBER


def _in_a_condition(clause: Parser, start: int, relation: int) -> bool:
    """``if 3 == 4``, ``2 == 3  # False``: a comparison that nobody says is true; in code few are."""
    note, before = clause.tokens[relation].note, clause.text(start - 1).lower()
    if note == "compared":
        return before != "assert"
    words = {before, *(token.text.lower() for token in clause.tokens[relation + 1 : relation + 8])}
    return note == "=" and not words.isdisjoint(_CONDITIONS)


_CONDITIONS = frozenset({"if", "elif", "while", "not", "and", "or", "return", "false", "?", "assertfalse"})


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
        return start + 1, word or _goes_on_from_above(clause, start)
    if word and not clause.gap(start):
        return -1, True
    symbol = len(clause.text(start - 1)) < 3 and clause.text(start - 1).lower() not in STOP_WORDS | BEFORE_RESULTS
    return start, _goes_on_from_above(clause, start) or (word and (symbol or clause.kind(start - 1) is not Sign.WORD))


def _goes_on_from_above(clause: Parser, start: int) -> bool:
    """Whether a line that begins with a plus adds to the one before it."""
    return clause.text(start) == "+" and start == 0


def _parsed(clause: Parser, start: int, relation: int, doubt: bool) -> list[TextSide]:
    """Parse the whole region, or what is left of it behind tokens that are no part of the side."""
    for _ in range(4):
        side = clause.whole(start, relation, doubt)
        if isinstance(side, TextSide):
            return [side]
        start = _restart(clause, max(side, start + 1), relation)
        if start < 0 or clause.text(start - 1).lower().removeprefix("\\") in PARTIAL:
            return []
        doubt = doubt or not (clause.kind(start - 1) in _PARTED or _behind_a_remark(clause, start))
    return []


_PARTED = (Sign.WORD, Sign.NEWLINE)
"""What parts a side from what cannot belong to it."""


def _behind_a_remark(clause: Parser, start: int) -> bool:
    """``(roughly) 3 * 4``: only words stand in the parentheses before it."""
    opening = clause.match.get(start - 1, start) if clause.kind(start - 1) is Sign.CLOSE else start
    return opening < start and all(token.kind is Sign.WORD for token in clause.tokens[opening + 1 : start - 1])


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
