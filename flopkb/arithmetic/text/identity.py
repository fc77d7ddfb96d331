"""Symbolic equations: two sides in symbols are equal for all values, off by a constant factor, or left alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from flopkb.arithmetic.formula import FormulaError, Name, Rational, normal_form, parse
from flopkb.arithmetic.text.clause import Clause
from flopkb.arithmetic.text.lexer import Sign, Token

_MAX_TOKENS = 80
_DIFFERENCE = re.compile(r"[A-Za-z]-[0-9]")
_INSIDE = (Sign.NUMBER, Sign.WORD, Sign.OPERATOR, Sign.OPEN, Sign.CLOSE, Sign.FUNCTION)


@dataclass(frozen=True, slots=True)
class Symbolic:
    """One side in symbols: its tokens, its normal form, how many operations it has, how far its numbers are rounded."""

    first: int
    last: int
    form: Rational
    operations: int
    rounding: Fraction


@dataclass(frozen=True, slots=True)
class IdentityOutcome:
    """``equal`` for all values, or off by the constant ``factor``."""

    equal: bool
    left: Symbolic
    right: Symbolic
    factor: Fraction | None = None


def judge_symbols(clause: Clause, relation: int, *, chained: bool) -> IdentityOutcome | None:
    """Decide the relation at ``relation`` between symbols; None where it defines, conditions, or cannot be read."""
    left_span, right_span = _span(clause, relation, -1), _span(clause, relation, 1)
    spans = (*left_span, *right_span)
    symbols = any(clause.kind(at) is Sign.WORD for at in spans)
    if (
        not symbols
        or not right_span
        or _assigns(clause, left_span, relation)
        or not _operations([clause.tokens[at] for at in left_span], split=False)
    ):
        return None
    outcomes = []
    pressed = any(_pressed(clause, at) for at in spans)
    for split in (True,) if pressed else (False, True):
        left, right = _side(clause, left_span, split=split), _side(clause, right_span, split=split)
        if left is None or right is None:
            continue
        outcome = _decided(left, right, chained=chained and clause.kind(left_span.start - 1) is Sign.RELATION)
        if outcome is not None and outcome.equal:
            return outcome
        outcomes.append(outcome)
    certain = [outcome for outcome in outcomes if outcome is not None]
    bullet = clause.operator(left_span.start) == "-" and clause.gap(left_span.start + 1)
    factors = [(outcome.factor or 1) * (-1 if bullet else 1) for outcome in certain]
    if any(factor < 0 or factor == 1 for factor in factors):
        return None  # a dash before an item is no sign, and some products change their sign with their order
    if clause.kind(left_span.start - 1) is Sign.OPAQUE or _symbols_in_fractions(clause, left_span):
        return None
    words = {clause.text(at) for at in spans if clause.kind(at) is Sign.WORD}
    if "d" in words and any(clause.text(at) == "frac" for at in spans):
        return None  # a derivative
    macros = any(_macro(clause.text(at)) for at in spans if clause.kind(at) is Sign.WORD)
    return certain[0] if certain and len(certain) == len(outcomes) and not macros else None


def _symbols_in_fractions(clause: Clause, left: range) -> bool:
    """``\\left(\\frac{-4}{p}\\right)``: a fraction that has parentheses to itself may be Legendre's symbol."""
    closing = clause.match.get(left.start) if left and clause.kind(left.start) is Sign.OPEN else None
    return closing == left.stop - 1 and clause.text(left.start) == "(" and clause.text(left.start + 1) == "frac"


def _assigns(clause: Clause, left: range, relation: int) -> bool:
    """``a=1 a=2``: a name pressed against the relation, with a space before it, is no factor of what stands before."""
    last = relation - 1
    pressed = clause.kind(last) is Sign.WORD and not clause.gap(relation) and clause.gap(last)
    return pressed and len(left) > 1 and _touching(clause.tokens[last - 1], clause.tokens[last])


def _macro(word: str) -> bool:
    """Whether a name is a command of LaTeX: what it stands for, and whether it multiplies, is not known."""
    return word.startswith("\\")


def _pressed(clause: Clause, at: int) -> bool:
    """``2mnb``: letters pressed against a number are a product."""
    word = clause.kind(at) is Sign.WORD and _splits(clause.text(at)) and not clause.gap(at)
    return word and clause.kind(at - 1) is Sign.NUMBER


def _decided(left: Symbolic, right: Symbolic, *, chained: bool) -> IdentityOutcome | None:
    if left.form == right.form:
        return IdentityOutcome(True, left, right)
    if right.form.constant() is not None or left.form.constant() is not None or not right.form.numerator.terms:
        return None
    factor = (left.form / right.form).constant()
    if factor is not None and abs(factor - 1) <= left.rounding + right.rounding:
        return IdentityOutcome(True, left, right, factor)
    enough = chained or (left.operations > 1 and right.operations > 1)
    if factor is None or not enough or not right.operations:
        return None
    return IdentityOutcome(False, left, right, factor)


def _span(clause: Clause, relation: int, step: int) -> range:
    """The tokens of symbolic arithmetic that end at a relation (``step`` -1) or begin behind it (1)."""
    at = first = relation + step
    near, far = (Sign.OPEN, Sign.CLOSE) if step > 0 else (Sign.CLOSE, Sign.OPEN)
    while 0 <= at < len(clause.tokens) and abs(at - relation) < _MAX_TOKENS and clause.kind(at) in _INSIDE:
        if (at != first and _apart(clause, min(at, at - step))) or clause.kind(at) is far:
            break
        if clause.kind(at) is near:
            partner = clause.match.get(at)
            if partner is None:
                return range(0) if step > 0 else range(at + 1, relation)
            opening = min(at, partner)
            if clause.kind(opening - 1) is Sign.WORD and not clause.gap(opening) and opening != first:
                return range(0)
            at = partner
        at += step
    return range(first, at) if step > 0 else range(at + 1, relation)


def _apart(clause: Clause, at: int) -> bool:
    """Whether the tokens at ``at`` and behind it belong to different phrases: words side by side are prose.

    Single letters may multiply by standing side by side (``B S H``), and so may a number and a letter.
    """
    if not clause.gap(at + 1) or not _touching(clause.tokens[at], clause.tokens[at + 1]):
        return False
    words = [clause.text(index) for index in (at, at + 1) if clause.kind(index) is Sign.WORD]
    return any(len(word.partition("_")[0].lstrip("\\")) > 1 for word in words)


def _side(clause: Clause, span: range, *, split: bool) -> Symbolic | None:
    part = [clause.tokens[at] for at in span if clause.kind(at) is not Sign.NEWLINE]
    text = _formula(part, split=split)
    if text is None:
        return None
    try:
        expr = parse(text)
        form = normal_form(expr, _atom)
    except (FormulaError, ArithmeticError, ValueError, RecursionError):
        return None
    return Symbolic(span.start, span.stop, form, _operations(part, split=split), _rounding(part))


def _rounding(part: list[Token]) -> Fraction:
    """The relative error of the numbers that may have been rounded."""
    error = Fraction(0)
    for token in part:
        if token.kind is Sign.NUMBER and token.value and token.place is not None and token.place != 1:
            error += token.place / 2 / token.value
    return error


def _atom(name: Name) -> Rational:
    return Rational.atom(".".join(name.parts))


def _operations(part: list[Token], *, split: bool) -> int:
    count = sum(token.kind in (Sign.OPERATOR, Sign.FUNCTION) for token in part)
    count += sum(_touching(one, other) for one, other in pairwise(part))
    if split:
        count += sum(len(token.text) - 1 for token in part if token.kind is Sign.WORD and _splits(token.text))
    return count


def _touching(one: Token, other: Token) -> bool:
    """Whether two tokens multiply by standing side by side."""
    ends = one.kind in (Sign.NUMBER, Sign.WORD) or (one.kind is Sign.CLOSE and one.text != "}")
    starts = other.kind in (Sign.NUMBER, Sign.WORD, Sign.FUNCTION) or (other.kind is Sign.OPEN and other.text != "{")
    return ends and starts


def _splits(word: str) -> bool:
    return word.isalpha() and word.isascii() and 1 < len(word) <= 8


def _formula(part: list[Token], *, split: bool) -> str | None:
    """The tokens in the notation of formulas, or None where they are not arithmetic in symbols."""
    out: list[str] = []
    at = 0
    while at < len(part):
        token = part[at]
        if at and (_touching(part[at - 1], token) or (part[at - 1].text == "}" and _starts(token))):
            out.append("*")
        if token.kind in (Sign.NUMBER, Sign.WORD):
            piece, at = _product(part, at, split=split)
        elif token.text == "frac":
            piece, at = _fraction(part, at + 1, split=split)
        else:
            piece, at = _sign(token), at + 1
        if piece is None:
            return None
        out.append(piece)
    return "".join(out) if out else None


def _fraction(part: list[Token], at: int, *, split: bool) -> tuple[str | None, int]:
    """The two groups in braces at ``at``, one over the other."""
    halves: list[str] = []
    while len(halves) < 2:
        depths = accumulate((token.text == "{") - (token.text == "}") for token in part[at:])
        close = next((place for place, depth in enumerate(depths, at) if not depth), at)
        half = _formula(part[at + 1 : close], split=split)
        if half is None:
            return None, at
        halves.append(half)
        at = close + 1
    return f"(({halves[0]})/({halves[1]}))", at


def _product(part: list[Token], at: int, *, split: bool) -> tuple[str | None, int]:
    """``2mn^2``: what is pressed together is one product, so that a slash before it divides by all of it."""
    factors: list[str] = []
    while at < len(part) and part[at].kind in (Sign.NUMBER, Sign.WORD):
        if factors and part[at].kind is Sign.NUMBER:
            return None, at  # a register such as \\dimen4, not a product
        factor = _factor(part[at], split=split)
        if factor is None:
            return None, at
        power, at = _power(part, at + 1)
        factors.append(factor + power)
    if at < len(part) and part[at].text == "^":
        return "*".join(factors), at  # what follows is raised is the last factor alone
    return (f"({'*'.join(factors)})" if len(factors) > 1 else factors[0]), at


def _power(part: list[Token], at: int) -> tuple[str, int]:
    """A whole exponent at ``at``: ``²``, ``^2``, ``^{2}``."""
    if at >= len(part) or part[at].kind is not Sign.OPERATOR or part[at].text != "^":
        return "", at
    if part[at].value is not None:
        return f"**{part[at].value}", at + 1
    braced = at + 3 < len(part) and part[at + 1].text == "{" and part[at + 3].text == "}"
    number = part[at + 2] if braced else part[at + 1] if at + 1 < len(part) else part[at]
    if number.kind is not Sign.NUMBER or number.value is None or number.value.denominator != 1:
        return "", at
    return f"**{number.value}", at + (4 if braced else 2)


def _factor(token: Token, *, split: bool) -> str | None:
    if token.kind is Sign.NUMBER:
        value = token.value or Fraction(0)
        return str(value) if value.denominator == 1 else f"({value.numerator}/{value.denominator})"
    if _DIFFERENCE.match(token.text):
        return None  # ``j-1`` is hardly a name
    if split and _splits(token.text):
        return "(" + "*".join(f"v_{letter}" for letter in token.text) + ")"
    name = re.sub(r"\W", "_", token.text)
    return f"v_{name}" if name.isascii() else None


def _starts(token: Token) -> bool:
    return token.kind in (Sign.NUMBER, Sign.WORD, Sign.FUNCTION) or (token.kind is Sign.OPEN and token.text != "{")


def _sign(token: Token) -> str | None:
    if token.kind is Sign.OPERATOR:
        return f"**{token.value}" if token.value is not None else {"^": "**", "//": None}.get(token.text, token.text)
    return {"(": "(", ")": ")", "{": "(", "}": ")"}.get(token.text)
