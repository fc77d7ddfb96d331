"""Inline arithmetic in any text: every equation is read, recomputed exactly, and given one verdict."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.arithmetic.text.chains import JudgedRelation, chains, links, worst
from flopkb.arithmetic.text.comparisons import compared_amounts
from flopkb.arithmetic.text.equations import ScannedEquation, ScanResult, UnreadEquation
from flopkb.arithmetic.text.grammar import Parser
from flopkb.arithmetic.text.lexer import Token
from flopkb.arithmetic.text.markup import clauses
from flopkb.arithmetic.text.pages import SOURCES, SUFFIXES, Markup, fenced, markup_of, page_of
from flopkb.arithmetic.text.silence import LineAt, SilencingComment, suppressions
from flopkb.arithmetic.text.verdict import STRICT, ScanVerdict

__all__ = [
    "SOURCES",
    "STRICT",
    "SUFFIXES",
    "Markup",
    "ScanResult",
    "ScanVerdict",
    "ScannedEquation",
    "UnreadEquation",
    "scan_text",
]


def scan_text(
    text: str, path: str, kind: Markup | None = None, *, foreign: bool = True, comparisons: bool = False
) -> ScanResult:
    """Read every equation of a document; ``kind`` is taken from the name and the text where it is not given.

    With ``comparisons`` those are read too (``3x faster (90 s to 30 s)``).

    A ``foreign`` document may write KB, and mean a power of 1024 by MB or GB where that makes a result right; where it
    is not foreign, prefixes mean what the contract says.
    """
    if "\0" in text:
        return ScanResult(path)
    markup = kind if kind is not None else markup_of(path, text)
    lines = LineAt(text)
    page = page_of(text, markup)
    found: list[ScannedEquation] = []
    left: list[UnreadEquation] = []
    for clause in clauses(page, markup, foreign=foreign):
        if isinstance(clause, UnreadEquation):
            left.append(_placed(clause, page.text, path, lines))
            continue
        judged, others = _read(clause, page.text, foreign=foreign)
        found += (_equation(group, page.text, path, lines) for group in chains(judged))
        left += (_placed(each, page.text, path, lines) for each in others)
    if comparisons:
        compared = compared_amounts(page.text)
        found += (_equation([JudgedRelation(0, 0, said)], page.text, path, lines) for said in compared)
    found.sort(key=lambda equation: (equation.start, equation.end))
    left.sort(key=lambda each: (each.start, each.end))
    comments = list(suppressions(text, markup, lines))
    cover = {equation.start: _silencer(equation, comments, lines) for equation in found} if comments else {}
    used = {comment.start for comment in cover.values() if comment is not None}
    examples = fenced(text) if comments and markup is Markup.MARKDOWN else []
    idle = [c for c in comments if c.start not in used and not any(a <= c.start < b for a, b in examples)]
    return ScanResult(
        path,
        tuple(equation for equation in found if cover.get(equation.start) is None),
        tuple(equation for equation in found if cover.get(equation.start) is not None),
        tuple(left),
        tuple(_unused(comment, path, lines) for comment in idle),
    )


def _read(tokens: list[Token], text: str, *, foreign: bool) -> tuple[list[JudgedRelation], list[UnreadEquation]]:
    """The relations of a clause, judged and not; a fault in one clause takes no other with it."""
    judged: list[JudgedRelation] = []
    others: list[UnreadEquation] = []
    try:
        for found in links(Parser(tokens), text, foreign=foreign):
            if isinstance(found, JudgedRelation):
                judged.append(found)
            else:
                others.append(found)
    except Exception as error:  # reported with its place, and all else is read
        reason = f"a fault of flopkb itself ({type(error).__name__}); please report it"
        others.append(UnreadEquation(reason, start=tokens[0].start, end=tokens[-1].end))
    return judged, others


def _placed(each: UnreadEquation, text: str, path: str, lines: LineAt) -> UnreadEquation:
    line, column = lines(each.start), lines.column(each.start)
    return replace(
        each,
        path=path,
        line=line,
        column=column,
        text=_shown(text[each.start : min(each.end, each.start + _MOST_SHOWN)]),
    )


_MOST_SHOWN = 1000
"""Of what is not read for its size no more is shown than this, in characters."""


def _equation(group: list[JudgedRelation], text: str, path: str, lines: LineAt) -> ScannedEquation:
    start, end = min(link.said.start for link in group), max(link.said.end for link in group)
    line, column = lines(start), lines.column(start)
    return replace(
        worst(group).said, path=path, line=line, column=column, text=_shown(text[start:end]), start=start, end=end
    )


def _shown(text: str) -> str:
    """The equation on one line; a code mark that closes elsewhere is left out."""
    return " ".join((text.replace("`", "") if text.count("`") % 2 else text).split())


def _silencer(equation: ScannedEquation, comments: list[SilencingComment], lines: LineAt) -> SilencingComment | None:
    """The comment that covers a line of the equation, if there is one (comments stand in the order of the text)."""
    first, last = lines(equation.start), lines(max(equation.start, equation.end - 1))
    at = bisect_left(comments, first, key=lambda comment: comment.last)
    return comments[at] if at < len(comments) and comments[at].first <= last else None


def _unused(comment: SilencingComment, path: str, lines: LineAt) -> Diagnostic:
    where = Location(path, lines(comment.start), lines.column(comment.start))
    message = "this suppression silences no equation: remove it, or put it on the line of the equation"
    return Diagnostic(where, Severity.WARNING, "unused-suppression", message, length=comment.end - comment.start)
