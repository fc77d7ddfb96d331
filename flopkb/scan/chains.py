"""From clauses to equations: the relations of a chain are judged one by one and reported as one equation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flopkb.quoted import decimal_text
from flopkb.scan.identity import IdentityOutcome, judge_symbols
from flopkb.scan.sides import Clause, Side
from flopkb.scan.tokens import Kind
from flopkb.scan.tree import Binary, Node
from flopkb.scan.verdicts import ORDER, Outcome, judge_sides


@dataclass(frozen=True, slots=True)
class Link:
    """One judged relation: the offsets of what it covers, the first tokens of its sides, and what is to be said."""

    start: int
    end: int
    left_first: int
    right_first: int
    verdict: str
    computed: str
    quoted: str
    unit: str
    reading: str
    advice: str = ""


def links(clause: Clause, text: str) -> Iterator[Link]:
    """The judged relations of a clause, from left to right."""
    earlier: list[Side] = []
    for index, relation in enumerate(clause.relations):
        lefts, rights = clause.left(relation), clause.right(relation)
        outcome = judge_sides(lefts, rights, clause.text(relation)) if lefts and rights else None
        if outcome is not None and outcome.verdict == "wrong" and earlier and lefts[0].first == earlier[-1].last + 1:
            again = judge_sides(earlier, rights, clause.text(relation))
            outcome = again if again is not None and again.verdict == "ok" else outcome
        earlier = [*earlier[-3:], lefts[0]] if lefts else []
        if outcome is not None:
            yield _numeric(outcome, lefts, rights, text)
        elif not (lefts and rights):
            chained = len(clause.relations) > 1
            symbols = judge_symbols(clause, relation, chained=chained and index > 0)
            if symbols is not None:
                yield _symbolic(symbols, clause, text)


def _numeric(outcome: Outcome, lefts: list[Side], rights: list[Side], text: str) -> Link:
    quoted_right = any(outcome.quoted is side for side in rights)
    left = lefts[0] if quoted_right else outcome.quoted
    right = outcome.quoted if quoted_right else rights[0]
    start = min(left.node.start, right.node.start)
    end = max(left.node.end, right.node.end, right.high.end if right.high else 0)
    node = outcome.quoted.node
    last = outcome.quoted.high.end if outcome.quoted.high is not None else node.end
    advice = ""
    computed_side = left if quoted_right else right
    if outcome.regrouped is not None:
        usual, other = grouped(computed_side.node, text), grouped(outcome.regrouped, text)
        advice = f"read as {usual}; right as {other}: write the parentheses"
    return Link(
        start, end, lefts[0].first, rights[0].first, outcome.verdict, decimal_text(outcome.computed),
        _written(text[node.start : last]), outcome.unit, outcome.reading, advice,
    )  # fmt: skip


def _symbolic(outcome: IdentityOutcome, clause: Clause, text: str) -> Link:
    left, right = outcome.left, outcome.right
    spans = [clause.tokens[side.first : side.last] for side in (left, right)]
    starts = [next(token.start for token in span if token.kind is not Kind.NEWLINE) for span in spans]
    ends = [span[-1].end for span in spans]
    factor = outcome.factor or Fraction(1)
    reading = "symbols: equal for all values" if outcome.equal else f"symbols: off by a factor of {_fraction(factor)}"
    computed, quoted = (_written(text[start:end]) for start, end in zip(starts, ends, strict=True))
    verdict = "ok" if outcome.equal else "wrong"
    return Link(min(starts), max(ends), left.first, right.first, verdict, computed, quoted, "1", reading)


def _fraction(value: Fraction) -> str:
    return str(value) if value.denominator == 1 or value.denominator < 100 else decimal_text(value)


def _written(text: str) -> str:
    return " ".join(text.split())


def grouped(node: Node, text: str) -> str:
    """The expression with parentheses around every part that precedence binds."""
    marks: list[tuple[int, str]] = []
    _brackets(node, marks, top=True)
    out, at = [], node.start
    for offset, mark in sorted(marks, key=lambda item: (item[0], item[1] == "(")):
        out.append(text[at:offset] + mark)
        at = offset
    return _written("".join(out) + text[at : node.end])


def _brackets(node: Node, marks: list[tuple[int, str]], *, top: bool = False) -> None:
    if not isinstance(node, Binary):
        return
    if not top and not node.grouped and node.sign != "^":
        marks += [(node.start, "("), (node.end, ")")]
    for part, keep in ((node.left, node.sign in "*+" and _sign(node.left) == node.sign), (node.right, False)):
        _brackets(part, marks, top=keep)


def _sign(node: Node) -> str:
    return node.sign if isinstance(node, Binary) else ""


def chains(found: list[Link]) -> Iterator[list[Link]]:
    """Group the relations whose sides are shared: ``a = b = c`` is one equation."""
    group: list[Link] = []
    for link in found:
        if group and link.left_first != group[-1].right_first:
            yield group
            group = []
        group.append(link)
    if group:
        yield group


def worst(group: list[Link]) -> Link:
    """The link that decides the verdict of a chain: the worst, of equals the first."""
    return max(group, key=lambda link: ORDER.index(link.verdict))
