"""From clauses to equations: the relations of a chain are judged one by one and reported as one equation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from html import unescape
from typing import NamedTuple

from flopkb.arithmetic.formula import Binary, Expr
from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.text.advice import advice
from flopkb.arithmetic.text.equations import ScannedEquation, UnreadEquation
from flopkb.arithmetic.text.grammar import Parser
from flopkb.arithmetic.text.identity import IdentityOutcome, judge_symbols
from flopkb.arithmetic.text.left_side import left_sides
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import STOP_WORDS, Choice
from flopkb.arithmetic.text.otherwise import explained
from flopkb.arithmetic.text.right_side import right_sides
from flopkb.arithmetic.text.sides import TextSide
from flopkb.arithmetic.text.standing import parted
from flopkb.arithmetic.text.tree import evaluate, numbers, operators, with_numbers
from flopkb.arithmetic.text.unread import looks_like_arithmetic, unread
from flopkb.arithmetic.text.verdict import NOWHERE, Judged, Relation, ScanVerdict
from flopkb.arithmetic.text.verdicts import judge_sides
from flopkb.arithmetic.text.words import BEFORE_RESULTS

_MOST_RELATIONS = 200
"""A clause with more of them is no text that anybody writes."""


class JudgedRelation(NamedTuple):
    """One judged relation: the first tokens of its sides, and what is to be said of what it covers."""

    left_first: int
    right_first: int
    said: ScannedEquation


def links(clause: Parser, text: str, *, foreign: bool = True) -> Iterator[JudgedRelation | UnreadEquation]:
    """The relations of a clause, from left to right; ``foreign`` texts may mean 1024 by a decimal prefix."""
    earlier: list[TextSide] = []
    before: TextSide | None = None
    if len(clause.relations) > _MOST_RELATIONS:
        first, last = clause.tokens[0].start, clause.tokens[-1].end
        yield UnreadEquation(f"more than {_MOST_RELATIONS} signs of equality in one sentence", start=first, end=last)
        return
    for index, relation in enumerate(clause.relations):
        lefts = left_sides(clause, relation)
        rights = right_sides(clause, relation) if lefts else []
        sign = clause.text(relation)
        chained = bool(earlier and lefts and lefts[0].first == earlier[-1].last + 1)
        asked = Relation(sign, foreign, chained)
        outcome = judge_sides(lefts, rights, asked)
        wrong = outcome is not None and outcome.verdict is ScanVerdict.WRONG
        if wrong and chained:
            again = judge_sides(earlier, rights, asked)
            outcome = again if again is not None and again.verdict is not ScanVerdict.WRONG else outcome
        if wrong and before is not None and outcome is not None and outcome.verdict is ScanVerdict.WRONG:
            outcome = _run_on(before, lefts[0], rights, asked) or outcome
        if outcome is not None and outcome.verdict is ScanVerdict.WRONG and _one_decimal_comma(clause, lefts, rights):
            outcome = None
        held = outcome is not None and outcome.verdict.badness < ScanVerdict.TRUNCATED.badness
        earlier = [*earlier[-3:], lefts[0]] if held else []
        before = lefts[0] if outcome is not None and outcome.verdict is not ScanVerdict.WRONG else None
        if outcome is not None:
            # In one's own text an equation that is wrong as it stands is to be written otherwise, whatever explains it.
            said = _unless_doubtful(clause, outcome, lefts, rights, text) if foreign else None
            yield said or _numeric(outcome, lefts, rights, text)
            continue
        symbols = judge_symbols(clause, relation, chained=index > 0) if not (lefts and rights) else None
        judged = _symbolic(symbols, clause, text) if symbols is not None else None
        if (
            symbols is not None
            and judged is not None
            and (symbols.equal or _certain(symbols, judged.said, sign, text, foreign))
        ):
            yield judged
        elif looks_like_arithmetic(clause, relation):
            yield unread(clause, relation, lefts, rights)


def _unless_doubtful(
    clause: Parser, outcome: Judged, lefts: list[TextSide], rights: list[TextSide], text: str
) -> JudgedRelation | UnreadEquation:
    """What is said of a relation; of a wrong one nothing, where it does not stand for itself or something explains it."""
    judged = _numeric(outcome, lefts, rights, text)
    reason = ""
    if outcome.verdict is ScanVerdict.WRONG:
        if not parted(text, judged.said.start, judged.said.end):
            reason = "what stands beside it may belong to it"
        elif _bought_at(clause, outcome, lefts, rights):
            reason = "the number before it belongs to the sentence, perhaps"
        elif _is_a_remark(clause, lefts[0]):
            reason = "parentheses behind a word are a remark on it, perhaps"
        else:
            reason = explained(outcome, lefts, rights, text)
    return UnreadEquation(reason, True, start=judged.said.start, end=judged.said.end) if reason else judged


def _run_on(before: TextSide, left: TextSide, rights: list[TextSide], asked: Relation) -> Judged | None:
    """``7 / 3 = 2.3 x 100 = 233``: the calculation runs on with the unrounded result; None where that is not right."""
    first = next(numbers(left.node))
    if left.first != before.last + 1:
        return None
    try:
        exact = evaluate(before.node, Choice()).digits
    except ArithmeticError:
        return None
    if not first.value or abs(exact / first.value - 1) > _ROUNDED or not operators(left.node):
        return None
    node = with_numbers(
        left.node, {first.offset: replace(first, value=exact, place=Fraction(0), nonzero=Fraction(0), suffix="")}
    )
    again = judge_sides([replace(left, node=node)], rights, asked)
    if again is None or again.verdict.badness > ScanVerdict.TRUNCATED.badness:
        return None
    return replace(again, verdict=max(again.verdict, ScanVerdict.WITHIN, key=lambda v: v.badness))


_ROUNDED = Fraction(1, 20)


def _is_a_remark(clause: Parser, left: TextSide) -> bool:
    """``one coin (6 × 2 units) = 6``: all of the side is in parentheses behind a noun."""
    whole = clause.text(left.first) == "(" and clause.match.get(left.first) == left.last - 1
    word = clause.text(left.first - 1).lower() if left.first and clause.kind(left.first - 1) is Sign.WORD else ""
    return whole and word != "" and word not in STOP_WORDS | BEFORE_RESULTS


def _bought_at(clause: Parser, outcome: Judged, lefts: list[TextSide], rights: list[TextSide]) -> bool:
    """``sold at $70 = 5 × ($70 - $50) = $100``: a number of the sentence before an equation of its own."""
    alone = outcome.verdict is ScanVerdict.WRONG and any(outcome.quoted is side for side in lefts)
    prose = clause.kind(lefts[0].first - 1) is Sign.WORD if lefts and lefts[0].first else False
    return alone and prose and clause.kind(rights[0].last) is Sign.RELATION


def _one_decimal_comma(clause: Parser, lefts: list[TextSide], rights: list[TextSide]) -> bool:
    """``1,2 + 3 = 5``: a single comma between digits, before the relation, may part two items of a list."""
    first, last = min(side.first for side in lefts), max(side.last for side in lefts)
    until = max(side.last for side in rights)
    commas = [at for at in range(first, until) if clause.tokens[at].note == "comma"]
    return len(commas) == 1 and commas[0] < last


def _numeric(outcome: Judged, lefts: list[TextSide], rights: list[TextSide], text: str) -> JudgedRelation:
    quoted_right = any(outcome.quoted is side for side in rights)
    left = lefts[0] if quoted_right else outcome.quoted
    right = outcome.quoted if quoted_right else rights[0]
    start, end = min(left.node.offset, right.node.offset), max(_end(left), _end(right))
    said_besides = advice(outcome)
    if outcome.regrouped is not None:
        usual = grouped((left if quoted_right else right).node, text)
        said_besides = f"read as {usual}; right as {grouped(outcome.regrouped, text)}: write the parentheses"
    quoted = as_read(text[outcome.quoted.node.offset : _end(outcome.quoted)])
    computed = decimal_text(outcome.computed)
    said = ScannedEquation(computed, quoted, outcome.unit, outcome.verdict, outcome.reading, said_besides)
    off = outcome.distance if outcome.distance < NOWHERE else Fraction(0)
    said = replace(said, start=start, end=closed(text, start, end), off=off)
    return JudgedRelation(lefts[0].first, rights[0].first, said)


def _end(side: TextSide) -> int:
    return side.high.end if side.high is not None else side.node.end


def _certain(outcome: IdentityOutcome, said: ScannedEquation, sign: str, text: str, foreign: bool) -> bool:
    """Whether symbols that differ are wrong beyond doubt: ``9.6 kΩ ≈ 10 kΩ`` is as near as one digit tells."""
    near = sign != "=" and outcome.factor is not None and abs(outcome.factor - 1) <= Fraction(1, 20)
    return not near and (not foreign or parted(text, said.start, said.end))


def _symbolic(outcome: IdentityOutcome, clause: Parser, text: str) -> JudgedRelation:
    edges: list[tuple[int, int]] = []
    for side in (outcome.left, outcome.right):
        span = [token for token in clause.tokens[side.first : side.last] if token.kind is not Sign.NEWLINE]
        edges.append((span[0].start, span[-1].end))
    start, end = edges[0][0], closed(text, edges[0][0], edges[1][1])
    reading = (
        "equal for all values" if outcome.equal else f"off by a factor of {_fraction(outcome.factor or Fraction(1))}"
    )
    left, right = (as_read(text[slice(*edge)]) for edge in edges)
    verdict = ScanVerdict.OK if outcome.equal else ScanVerdict.WRONG
    said = ScannedEquation(left, right, "1", verdict, f"symbols: {reading}", start=start, end=end)
    return JudgedRelation(outcome.left.first, outcome.right.first, said)


def _fraction(value: Fraction) -> str:
    return str(value) if value.denominator == 1 or value.denominator < 100 else decimal_text(value)


_MARKS = re.compile(r"`+|\*\*|</?[A-Za-z][^<>]*>|\\(?:text|mathrm|mathbf|textbf|textrm|boxed)\b\s*\{?")
_SPACES = re.compile(r"\\[,;: ]|\\q?quad\b|~|\s+")


def as_read(text: str) -> str:
    """A piece of the document as a reader sees it: without emphasis, code marks, tags and styles."""
    plain = unescape(_MARKS.sub("", text)).replace("{,}", ",").replace("\\%", "%").replace("\\$", "$")
    plain = " ".join(_SPACES.sub(" ", plain).split())
    plain = plain.replace("$", "") if plain.count("$") % 2 and not plain.startswith(("$", "-$")) else plain
    return plain if plain.count("{") == plain.count("}") else plain.replace("{", "").replace("}", "")


def closed(text: str, start: int, end: int) -> int:
    """The end of an equation, with the marks that close what was opened in it."""
    missing = text.count("{", start, end) - text.count("}", start, end)
    while missing > 0 and text.startswith("}", end):
        end, missing = end + 1, missing - 1
    for mark in ("**", "`"):
        if text.count(mark, start, end) % 2 and text.startswith(mark, end):
            end += len(mark)
    return end


def grouped(node: Expr, text: str) -> str:
    """The expression with parentheses around every part that precedence binds."""
    marks: list[tuple[int, str]] = []
    _brackets(node, marks, top=True)
    out, at = [], node.offset
    for offset, mark in sorted(marks, key=lambda item: (item[0], item[1] == "(")):
        out.append(text[at:offset] + mark)
        at = offset
    return as_read("".join(out) + text[at : node.end])


def _brackets(node: Expr, marks: list[tuple[int, str]], *, top: bool = False) -> None:
    if not isinstance(node, Binary):
        return
    if not top and not node.grouped and node.op != "**":
        marks += [(node.offset, "("), (node.end, ")")]
    for part, keep in ((node.left, node.op in "*+" and _sign(node.left) == node.op), (node.right, False)):
        _brackets(part, marks, top=keep)


def _sign(node: Expr) -> str:
    return node.op if isinstance(node, Binary) else ""


def chains(found: list[JudgedRelation]) -> Iterator[list[JudgedRelation]]:
    """Group the relations whose sides are shared: ``a = b = c`` is one equation."""
    group: list[JudgedRelation] = []
    for link in found:
        if group and link.left_first != group[-1].right_first:
            yield group
            group = []
        group.append(link)
    if group:
        yield group


def worst(group: list[JudgedRelation]) -> JudgedRelation:
    """The link that decides the verdict of a chain: the worst, of equals the first."""
    return max(group, key=lambda link: link.said.verdict.badness)
