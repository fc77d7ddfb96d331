"""Inline arithmetic in any text: every equation is read, recomputed exactly, and given one verdict."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.diagnostics import Diagnostic, Location, Severity
from flopkb.scan.chains import Link, chains, links, worst
from flopkb.scan.markup import Markup, clauses, markup_of
from flopkb.scan.results import VERDICTS, Equation, ScanResult
from flopkb.scan.sides import Clause
from flopkb.scan.suppress import LineAt, Suppression, suppressions

__all__ = ["VERDICTS", "Equation", "Markup", "ScanResult", "scan_text"]


def scan_text(text: str, path: str, kind: Markup | None = None) -> ScanResult:
    """Read every equation of a document; ``kind`` is taken from the name and the text where it is not given."""
    markup = kind if kind is not None else markup_of(path, text)
    if "\0" in text:
        return ScanResult(path)
    lines = LineAt(text)
    found = [equation for clause in clauses(text, markup) for equation in _equations(clause, text, path, lines)]
    found.sort(key=lambda equation: (equation.start, equation.end))
    comments = list(suppressions(text, markup, lines))
    silenced = {
        id(equation): comment for equation in found for comment in comments if _covers(comment, equation, lines)
    }
    used = {comment.start for comment in silenced.values()}
    return ScanResult(
        path,
        tuple(equation for equation in found if id(equation) not in silenced),
        tuple(equation for equation in found if id(equation) in silenced),
        tuple(_unused(comment, path, lines) for comment in comments if comment.start not in used),
    )


def _equations(tokens: list, text: str, path: str, lines: LineAt) -> Iterator[Equation]:
    clause = Clause(tokens)
    for group in chains(list(links(clause, text))):
        yield _equation(group, text, path, lines)


def _equation(group: list[Link], text: str, path: str, lines: LineAt) -> Equation:
    start, end = min(link.start for link in group), max(link.end for link in group)
    said = worst(group)
    return Equation(
        path, lines(start), lines.column(start), " ".join(text[start:end].split()), said.computed, said.quoted, said.unit,
        said.verdict, said.reading, said.advice, start, end,
    )  # fmt: skip


def _covers(comment: Suppression, equation: Equation, lines: LineAt) -> bool:
    return comment.first <= lines(max(equation.start, equation.end - 1)) and lines(equation.start) <= comment.last


def _unused(comment: Suppression, path: str, lines: LineAt) -> Diagnostic:
    where = Location(path, lines(comment.start), lines.column(comment.start))
    message = "this suppression silences no equation: remove it, or put it on the line of the equation"
    return Diagnostic(where, Severity.WARNING, "unused-suppression", message, length=comment.end - comment.start)
