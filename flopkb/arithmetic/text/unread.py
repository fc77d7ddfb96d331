"""Why something that looks like an equation of numbers got no verdict."""

from __future__ import annotations

from flopkb.arithmetic.text.clause import Clause
from flopkb.arithmetic.text.equations import UnreadEquation
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import STOP_WORDS
from flopkb.arithmetic.text.sides import TextSide
from flopkb.arithmetic.text.words import PARTIAL, function_name

_REACH = 14
_ENDS = (Sign.RELATION, Sign.ORDER, Sign.BREAK)
_SIGNS = frozenset("*/+^-")


def looks_like_arithmetic(clause: Clause, relation: int) -> bool:
    """Whether numbers stand close on both sides of a relation, and one of them is part of a computation."""
    before, behind = _window(clause, relation, -1), _window(clause, relation, 1)
    if not behind or clause.kind(behind[0]) not in (
        Sign.NUMBER,
        Sign.CURRENCY,
        Sign.OPEN,
        Sign.TILDE,
        Sign.FUNCTION,
        Sign.OPERATOR,
    ):
        return False
    numbers = [any(clause.kind(at) is Sign.NUMBER for at in window) for window in (before, behind)]
    return all(numbers) and any(_computes(clause, at) for at in (*before, *behind))


def _window(clause: Clause, relation: int, step: int) -> list[int]:
    """The tokens up to the next relation or the end of the phrase."""
    found: list[int] = []
    at = relation + step
    while 0 <= at < len(clause.tokens) and len(found) < _REACH and clause.kind(at) not in _ENDS:
        if clause.kind(at) is Sign.PUNCTUATION and clause.text(at) in ",;:.!?":
            break
        if clause.kind(at) is Sign.WORD and clause.text(at).lower() in STOP_WORDS:
            break
        found.append(at)
        at += step
    return found


def _computes(clause: Clause, at: int) -> bool:
    """Whether an operator stands between operands, one of them a number."""
    if clause.kind(at) is Sign.FUNCTION:
        return True
    if clause.operator(at) not in _SIGNS or not clause.operator(at):
        return False
    beside = (clause.kind(at - 1) if at else Sign.BREAK, clause.kind(at + 1))
    operands = (Sign.NUMBER, Sign.CLOSE, Sign.OPEN, Sign.WORD, Sign.CURRENCY, Sign.PERCENT, Sign.FUNCTION)
    return Sign.NUMBER in beside and all(kind in operands for kind in beside)


def unread(clause: Clause, relation: int, lefts: list[TextSide], rights: list[TextSide]) -> UnreadEquation:
    """The equation around a relation, with the reason."""
    before, behind = _window(clause, relation, -1), _window(clause, relation, 1)
    first = lefts[0].first if lefts else before[-1] if before else relation
    last = rights[0].last - 1 if rights else behind[-1] if behind else relation
    start, end = clause.tokens[first].start, clause.tokens[max(first, last)].end
    return UnreadEquation(_reason(clause, relation, lefts, rights), bool(lefts and rights), start=start, end=end)


def _reason(clause: Clause, relation: int, lefts: list[TextSide], rights: list[TextSide]) -> str:
    if not lefts:
        return _obstacle(clause, _window(clause, relation, -1), "before")
    if not rights:
        return _obstacle(clause, _window(clause, relation, 1), "behind")
    if lefts[0].doubt or rights[0].doubt:
        return "what stands beside it may change its meaning"
    return "a range, a label, a conversion or a definition, or too far off to be meant so"


def _obstacle(clause: Clause, window: list[int], where: str) -> str:
    for at in window:
        word = clause.text(at)
        if clause.kind(at) is Sign.OPAQUE:
            return f"{word or 'a sign'} {where} it is no number that can be read"
        if clause.kind(at) is Sign.WORD and (word.lower().lstrip("\\") in PARTIAL or function_name(word)):
            return f"{word} {where} it is a function or a part that is not computed"
        if clause.kind(at) is Sign.WORD:
            return f"{word} {where} it is a symbol or a word"
    return f"what stands {where} it is no arithmetic"
