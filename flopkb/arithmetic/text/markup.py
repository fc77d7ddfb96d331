"""From a document of any kind to the stretches of it that may hold equations, as clauses of tokens.

All kinds of documents go the same way here, around each relation, once ``pages`` has told code from prose; of Markdown,
fences and dollars are told apart by a pattern each. The reader in ``prose`` is not used: a scan of an article takes 4.6
times what markdown-it-py needs to parse it and may take 5 times; that reader takes 1.9 times, and says nothing of the
other kinds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.arithmetic.text.equations import UnreadEquation
from flopkb.arithmetic.text.lexer import Sign, Token, tokens
from flopkb.arithmetic.text.pages import Markup, Page
from flopkb.arithmetic.text.refine import refine

_REACH = 700
"""How far from a relation its sides may reach, in characters."""
_RELATION = re.compile(
    r"(?<![=<>!:+\-/%|^?])(?:==(?=[ ]?[-(]?[0-9])|=(?!\s{0,20}[\"'=>])|[≈≃≅≒≊∼~]|\\approx|\\simeq"
    r"|\\cong|\\sim(?![a-z])|&asymp;|&approx;|&ap;|&#8776;|&equals;)"
)
_ARITHMETIC = re.compile(r"[0-9*/^×·]|\\(?:d?frac|cdot|times)")
_NAMES = r"""\s*+(?:[A-Za-z_%][\w.]*+(?:\s++|$))++$"""
_ASSIGNED = re.compile(r"""(?:^|[,;:"|(\[{]|\}\n)""" + _NAMES)
"""Names alone before a relation, up to a sign that no side goes across: ``[line width=``, ``(%add.12 =``."""
_ASSIGNED_ON_A_LINE = re.compile(r"""(?:^|[,;:"|(\[{]|(?<![0-9])\n)""" + _NAMES)
_LINE_START = re.compile(r"[ \t]*(?:[-*+•‣–]\s+|[0-9]{1,3}[.)]\s+|#{1,6}\s|>\s?|\||:::|\\item\b)?")
_BULLET = re.compile(r"[ \t]*(?:[-*+•‣–]\s|[0-9]{1,3}[.)]\s|#{1,6}\s|\||\\item\b|:::)")
_ITEM = re.compile(r"[ \t]*\\item\b")
_SLASHES = re.compile(r"[ \t]*//+!?(?=[ \t])")
_COMMENT_SIGN = re.compile(r"[ \t]*(?://+!?|#+|\*|--|;+|%+)(?=[ \t])")


@dataclass(frozen=True, slots=True)
class _Stretch:
    start: int
    end: int
    whole: bool
    """Whether nothing was cut off before it."""
    code: bool
    refused: str = ""
    """Why it is not read: it has more relations than are."""


def clauses(page: Page, markup: Markup, *, foreign: bool = True) -> Iterator[list[Token] | UnreadEquation]:
    """The clauses of a document that hold a relation and a number; tokens keep their offsets in its text.

    In a ``foreign`` one a comma may stand before decimals. A line of more relations than are read is named as such.
    """
    seen = page.text
    for stretch in _stretches(page):
        if stretch.refused:
            yield UnreadEquation(stretch.refused, start=stretch.start, end=stretch.end)
            continue
        math = _math_marks(seen, stretch.start, stretch.end, markup)
        raw = list(tokens(seen, stretch.start, stretch.end, tex=markup is Markup.LATEX, math=math, commas=foreign))
        if not stretch.whole:
            raw.insert(0, Token(Sign.OPAQUE, "==", stretch.start, stretch.start, True))
        yield from _split(
            refine(_broken(raw, seen, hard=stretch.code, bullet=_ITEM if markup is Markup.LATEX else _BULLET))
        )


def _split(found: list[Token]) -> Iterator[list[Token]]:
    clause: list[Token] = []
    relation = arithmetic = False
    for token in found:
        if token.kind is Sign.BREAK:
            if relation and arithmetic:
                yield clause
            clause, relation, arithmetic = [], False, False
            continue
        clause.append(token)
        relation = relation or token.kind in (Sign.RELATION, Sign.TILDE)
        arithmetic = arithmetic or token.kind in (Sign.NUMBER, Sign.OPERATOR, Sign.FUNCTION)
    if relation and arithmetic:
        yield clause


def _stretches(page: Page) -> Iterator[_Stretch]:
    """The parts of the text within reach of a relation with a digit near it, cut at blank lines and fences."""
    current: _Stretch | None = None
    count = 0
    for line in _lines_of_relations(page.text):
        if len(line) > _MOST_ON_A_LINE:
            if _ARITHMETIC.search(page.text, line[0].start(), line[-1].end()):
                reason = f"more than {_MOST_ON_A_LINE} signs of equality on one line"
                yield _Stretch(line[0].start(), line[-1].end(), True, False, reason)
            continue
        for match in line:
            reached = _reached(page, match)
            if reached is None:
                continue
            count += 1
            if count > _MOST_IN_A_DOCUMENT:
                if current is not None:
                    yield current
                reason = f"what follows {_MOST_IN_A_DOCUMENT:,} signs of equality in one document: split it"
                yield _Stretch(max(match.start(), current.end if current else 0), len(page.text), True, False, reason)
                return
            start, low, end = reached
            if current is not None and start <= current.end and low <= current.start:
                current = _Stretch(current.start, max(end, current.end), current.whole, current.code)
                continue
            if current is not None:
                yield current
            start = _word_edge(page.text, start) if start > low else start
            current = _Stretch(start, end, start == low, page.is_code(match.start()))
    if current is not None:
        yield current


def _reached(page: Page, match: re.Match[str]) -> tuple[int, int, int] | None:
    """Where the reach of a relation begins, where its part of the text does, and where both end; None without digits."""
    text, edges, at = page.text, page.edges, match.start()
    if not _near_arithmetic(text, at, match.end(), _ASSIGNED_ON_A_LINE if page.is_code(at) else _ASSIGNED):
        return None
    index = bisect_right(edges, at)
    low, high = edges[index - 1] if index else 0, edges[index] if index < len(edges) else len(text)
    return max(low, at - _REACH), low, min(high, match.end() + _REACH)


_MOST_ON_A_LINE = 400
"""A line with more signs of equality is data, and costs more to read than it tells."""


_MOST_IN_A_DOCUMENT = 8_000
"""A megabyte of mathematics has some six thousand beside arithmetic."""


def _lines_of_relations(text: str) -> Iterator[list[re.Match[str]]]:
    """The signs of equality of each line that has any."""
    line: list[re.Match[str]] = []
    end = -1
    for match in _RELATION.finditer(text):
        if match.start() > end:
            if line:
                yield line
            line, end = [], text.find("\n", match.start())
            end = len(text) if end < 0 else end
        line.append(match)
    if line:
        yield line


def _near_arithmetic(text: str, at: int, end: int, assigned: re.Pattern[str]) -> bool:
    """Whether digits or signs of arithmetic stand close before the relation and something could be a side behind it."""
    before = text[max(0, at - 90) : at]
    if _ARITHMETIC.search(before) is None or assigned.search(before) is not None:
        return False
    return text[end : end + 60].strip(" *_`$~\n") != ""


def _word_edge(text: str, at: int) -> int:
    """The next white space, so that no number is cut in two."""
    for index in range(at, min(len(text), at + 80)):
        if text[index].isspace():
            return index
    return at


def _broken(raw: list[Token], text: str, *, hard: bool, bullet: re.Pattern[str]) -> list[Token]:
    """Line ends told apart: breaks between items and lines of code, plain space inside a paragraph."""
    out: list[Token] = []
    skip = -1
    for at, token in enumerate(raw):
        if token.start < skip:
            continue
        if token.kind is not Sign.NEWLINE:
            if hard and token.gap and out and _in_the_next_column(out[-1], token, text):
                out.append(Token(Sign.BREAK, "", token.start, token.start))
            out.append(token._replace(note="compared") if hard and token.note == "=" else token)
            continue
        line = token.end
        if bullet.match(text, line) and not _goes_on(raw, at):
            out.append(token._replace(kind=Sign.BREAK, text=""))
            continue
        if text.startswith(_LINE_BREAK, line - len(_LINE_BREAK)) and not _goes_on(raw, at) and not _unfinished(out):
            out.append(token._replace(kind=Sign.BREAK, text=""))
            continue
        sign = (_COMMENT_SIGN if hard else _SLASHES).match(text, line)
        skip = sign.end() if sign else -1
        if hard and not _goes_on(raw, at, skip) and not _unfinished(out):
            out.append(token._replace(kind=Sign.BREAK, text="") if not _unit_follows(raw, at, skip) else token)
        elif not (out and out[-1].kind is Sign.NEWLINE):
            out.append(token)
    return out


_COLUMNS = "  "
_LINE_BREAK = "  \n"
"""In Markdown two blanks at the end of a line break it."""


def _in_the_next_column(last: Token, token: Token, text: str) -> bool:
    """Whether more than one blank parts two operands on a line of code: they stand in columns."""
    signs = (Sign.OPERATOR, Sign.RELATION, Sign.OPEN, Sign.CLOSE, Sign.NEWLINE, Sign.BREAK)
    return last.kind not in signs and token.kind is Sign.NUMBER and text.startswith(_COLUMNS, last.end)


def _goes_on(raw: list[Token], at: int, skip: int = -1) -> bool:
    """Whether the next line begins with a relation or a sign of multiplication, so that it goes on with this one."""
    following = next((token for token in raw[at + 1 : at + 4] if token.start >= skip and token.text != "&"), None)
    if following is None:
        return False
    times = following.kind is Sign.OPERATOR and following.text in ("*", "/") and following.note != "raw"
    return times or following.kind is Sign.RELATION


def _unfinished(out: list[Token]) -> bool:
    """Whether the line so far ends with a sign that wants an operand."""
    return bool(out) and out[-1].kind in (Sign.OPERATOR, Sign.RELATION)


def _unit_follows(raw: list[Token], at: int, skip: int) -> bool:
    """Whether a number at the end of this line may have its unit on the next."""
    following = next((token for token in raw[at + 1 : at + 4] if token.start >= skip), None)
    return following is not None and following.kind is Sign.WORD and at > 0 and raw[at - 1].kind is Sign.NUMBER


def _math_marks(text: str, start: int, end: int, markup: Markup) -> frozenset[int]:
    """The dollar signs that delimit mathematics (all others before a digit are prices)."""
    marks = [at for at in range_of(text, "$", start, end) if at == 0 or text[at - 1] != "\\"]
    if markup in (Markup.LATEX, Markup.TYPST):
        return frozenset(marks)
    found: set[int] = set()
    index = 0
    while index < len(marks):
        at = marks[index]
        if text.startswith("$$", at):
            found.update((at, at + 1))
            index += 2 if index + 1 < len(marks) and marks[index + 1] == at + 1 else 1
            continue
        close = _closing(text, marks, index)
        if close is None:
            index += 1
            continue
        found.update((at, marks[close]))
        index = close + 1
    return frozenset(found)


def range_of(text: str, char: str, start: int, end: int) -> Iterator[int]:
    """The offsets of a character in a part of the text."""
    at = text.find(char, start, end)
    while at >= 0:
        yield at
        at = text.find(char, at + 1, end)


def _closing(text: str, marks: list[int], index: int) -> int | None:
    """The index of the dollar sign that closes the mathematics opened by that at ``index``, if it opens any."""
    at = marks[index]
    if text[at + 1 : at + 2].isspace():
        return None
    for later in range(index + 1, min(len(marks), index + 6)):
        close = marks[later]
        if text[close - 1].isspace() or text[close + 1 : close + 2].isdigit():
            continue
        inside = text[at + 1 : close]
        if "\n\n" in inside or len(inside) > 400:
            return None
        marked = re.search(r"\\[A-Za-z]|[\^_{}]", inside) is not None
        prose = re.search(r"[A-Za-z]{3,}\s+[A-Za-z]{2,}", inside) is not None
        return later if marked or not prose else None
    return None
