"""The inline Markdown of one block: links, code spans, mathematics, emphasis, citations, HTML, in one pass."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from flopkb.prose.destinations import Destination, inline_destination, normal_label
from flopkb.prose.emphasis import Run, pair, run_of
from flopkb.prose.lines import CLOSE_TAG, OPEN_TAG
from flopkb.prose.pieces import Piece, PieceKind, RawLink
from flopkb.prose.targets import entity, scheme_of

_SPECIAL = re.compile(r"`+|\$\$?|\\|!?\[|\]|<|&|\*+|(?<!\w)_+|(?<!_)_++(?!\w)|(?<!~)~~(?!~)")
_ESCAPED = re.compile(r"\\(?:([!-/:-@\[-`{-~])|\r?\n)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x20]*|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255})>")
_TAG = re.compile(rf"{OPEN_TAG}|{CLOSE_TAG}")
_TAG_NAME = re.compile(r"</?([A-Za-z0-9-]+)")
_BRACKETED = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">"))
_HTML_SKIPPED = re.compile(r"<(script|style|pre|textarea)(?=[\s>])", re.IGNORECASE)
_HTML_SPECIAL = re.compile(r"<|&")
_NOTE = re.compile(r"\[\^[^\s\[\]]+\]")
_CITED = re.compile(r"\[(?=[^\[\]]{0,12}@)([^\[\]`]{1,600})\](?![(\[])")
_CITATION = re.compile(r"\s*(?:(?:see|see also|e\.g\.,?|cf\.)\s+)?-?@(\w+(?:[:.-]\w+)*)\s*(,[^;]*)?")
_MATH_END = re.compile(r"(?<![\s\\])\$(?![0-9$])")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999}+)\]", re.DOTALL)
_ARXIV_ID = re.compile(r"[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?")
_MAX_MATH = 2000
_RUNS = re.compile(r"`+")
_PHRASING = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time "
    "tt u var wbr".split()
)


@dataclass(frozen=True, slots=True)
class Citation:
    """``@id`` within brackets; the offsets are those of the id."""

    id: str
    start: int
    end: int


@dataclass(slots=True)
class _Bracket:
    """An open ``[``: its piece, and how many runs of delimiters came before it."""

    piece: int
    start: int
    inner: int
    runs: int
    image: bool
    nested: bool = False


class Inline:
    """Reads ``text[start:end]``; the results are in ``pieces``, ``links``, ``citations``, ``titles``, ``comments``, ``tags``."""

    def __init__(self, text: str, start: int, end: int, definitions: Mapping[str, Destination]) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.definitions = definitions
        self.pieces: list[Piece] = []
        self.links: list[RawLink] = []
        self.citations: list[Citation] = []
        self.titles: list[tuple[int, int]] = []
        self.comments: list[tuple[int, int]] = []
        self.tags: list[tuple[int, int]] = []
        self.brackets: list[_Bracket] = []
        self.inactive = 0  # brackets below this place in the stack hold a link already
        self.runs: list[Run] = []
        self.ticks: dict[int, list[int]] | None = None
        self.dollar = start  # the next dollar that can close, if it is beyond the place where one is sought
        self.missing: set[str] = set()  # closing marks that do not occur any more

    def read_markdown(self) -> Inline:
        """Read Markdown."""
        at = self.start
        while special := _SPECIAL.search(self.text, at, self.end):
            self.plain(at, special.start())
            at = self.take(special[0], special.start(), special.end())
        self.plain(at, self.end)
        pair(self.runs)
        return self

    def read_html(self) -> Inline:
        """Read an HTML block, in which Markdown means nothing."""
        at = self.start
        while special := _HTML_SPECIAL.search(self.text, at, self.end):
            self.plain(at, special.start())
            skipped = _HTML_SKIPPED.match(self.text, special.start(), self.end)
            if skipped:
                closing = re.compile(f"</{skipped[1]}>", re.IGNORECASE).search(self.text, skipped.end(), self.end)
                at = closing.end() if closing else self.end
                self.render(" ", special.start(), at)
            else:
                at = self.take_entity(special.start()) if special[0] == "&" else self.take_angle(special.start())
        self.plain(at, self.end)
        return self

    def plain(self, start: int, end: int) -> None:
        """Text as it stands."""
        if start < end:
            self.pieces.append(Piece(PieceKind.TEXT, start, end))

    def render(self, text: str, start: int, end: int) -> None:
        """Markup that is seen as ``text``."""
        self.pieces.append(Piece(PieceKind.RENDERED, start, end, text))

    def take(self, mark: str, start: int, end: int) -> int:
        """Read what begins with ``mark``; the offset behind it."""
        first = mark[0]
        if first == "`":
            return self.take_code(start, end)
        if first == "$":
            return self.take_math(start, end)
        if first == "\\":
            return self.take_escape(start)
        if first in "![":
            return self.take_opening(start, end)
        if first == "]":
            return self.take_closing(start)
        if first == "<":
            return self.take_angle(start)
        if first == "&":
            return self.take_entity(start)
        piece = Piece(PieceKind.DELIMITER, start, end)
        self.pieces.append(piece)
        self.runs.append(run_of(self.text, piece, self.start, self.end))
        return end

    def take_code(self, start: int, end: int) -> int:
        """A code span ends with as many backticks as it begins with."""
        if self.ticks is None:
            self.ticks = {}
            for run in _RUNS.finditer(self.text, start, self.end):
                self.ticks.setdefault(run.end() - run.start(), []).append(run.start())
        closing = self.ticks.get(end - start, [])
        index = bisect_right(closing, start)
        if index == len(closing):
            self.plain(start, end)
            return end
        self.pieces.append(Piece(PieceKind.CODE, end, closing[index]))
        return closing[index] + end - start

    def take_math(self, start: int, end: int) -> int:
        """``$x$`` (no white space within the dollars, no digit behind them: prices are prices) or ``$$x$$``."""
        mark = self.text[start:end]
        stop = self.next_display(end) if mark == "$$" else self.next_dollar(start, end)
        if stop < 0:
            self.plain(start, end)
            return end
        self.pieces.append(Piece(PieceKind.MATH, end, stop, display=mark == "$$"))
        return stop + len(mark)

    def next_display(self, end: int) -> int:
        """Where ``$$`` closes, or -1."""
        stop = self.text.find("$$", end, self.end) if "$$" not in self.missing else -1
        if stop < 0:
            self.missing.add("$$")
        return stop

    def next_dollar(self, start: int, end: int) -> int:
        """Where the mathematics that begins behind this dollar ends; -1 where it is a price, or holds a link."""
        if end >= self.end or self.text[end].isspace() or (start > self.start and self.text[start - 1].isalnum()):
            return -1
        if self.dollar <= end:
            closing = _MATH_END.search(self.text, end + 1, self.end)
            self.dollar = closing.start() if closing else self.end
        inner = self.text[end : self.dollar] if self.dollar - end <= _MAX_MATH and self.dollar < self.end else "`"
        return -1 if "`" in inner or "](" in inner else self.dollar

    def take_escape(self, start: int) -> int:
        """A backslash before a mark is not seen, nor is one at the end of a line."""
        escaped = _ESCAPED.match(self.text, start, self.end)
        if escaped is None:
            self.plain(start, start + 1)
            return start + 1
        self.plain(start + 1, escaped.end())
        return escaped.end()

    def take_entity(self, start: int) -> int:
        """``&times;`` is seen as one character."""
        match = _ENTITY.match(self.text, start, self.end)
        shown = entity(match[0]) if match else None
        if match is None or shown is None:
            self.plain(start, start + 1)
            return start + 1
        self.render(shown, start, match.end())
        return match.end()

    def take_angle(self, start: int) -> int:
        """An autolink, a tag or a comment."""
        auto = _AUTOLINK.match(self.text, start, self.end)
        if auto:
            scheme = scheme_of(self.text, *auto.span(1))
            if scheme:
                place, span = len(self.pieces), Destination(*auto.span(1))
                self.links.append(RawLink(start, auto.end(), start + 1, place, place + 1, span, scheme))
            self.pieces.append(Piece(PieceKind.URL, *auto.span(1)))
            return auto.end()
        tag = _TAG.match(self.text, start, self.end)
        if tag:
            self.tags.append(tag.span())
            self.render(_seen(tag[0]), start, tag.end())
            return tag.end()
        return self.take_bracketed(start)

    def take_bracketed(self, start: int) -> int:
        """A comment, a processing instruction, CDATA or a declaration; or nothing but a ``<``."""
        for opening, closing in _BRACKETED:
            if self.text.startswith(opening, start, self.end) and closing not in self.missing:
                stop = self.text.find(closing, start + 2 if opening == "<!--" else start + len(opening), self.end)
                if stop < 0:
                    self.missing.add(closing)
                    continue
                if opening == "<!--":
                    self.comments.append((start, stop + 3))
                self.render("", start, stop + len(closing))
                return stop + len(closing)
        self.plain(start, start + 1)
        return start + 1

    def take_opening(self, start: int, end: int) -> int:
        """``[`` or ``![``: a footnote mark, a citation, or what may become a link."""
        image = self.text[start] == "!"
        if not image:
            note = _NOTE.match(self.text, start, self.end)
            if note:
                self.render("", start, note.end())
                return note.end()
            cited = self.take_citation(start)
            if cited:
                return cited
        if self.brackets:
            self.brackets[-1].nested = True
        self.brackets.append(_Bracket(len(self.pieces), start, end, len(self.runs), image))
        self.plain(start, end)
        return end

    def take_citation(self, start: int) -> int | None:
        """``[@a; @b]``, also with a locator behind a comma (which stays to be seen); the offset behind it."""
        group = _CITED.match(self.text, start, self.end)
        if group is None:
            return None
        found, at, whole = [], group.start(1), True
        for part in group[1].split(";"):
            match = _CITATION.fullmatch(self.text, at, at + len(part))
            if match is None:
                return None
            whole = whole and match[2] is None
            found.append(Citation(match[1], *match.span(1)))
            at += len(part) + 1
        self.citations += found
        if whole:
            self.pieces.append(Piece(PieceKind.CITATION, start, group.end()))
        else:
            self.plain(start, group.end())
        return group.end()

    def take_closing(self, start: int) -> int:
        """``]``: the end of a link's text, if a destination or a defined label follows."""
        if not self.brackets:
            self.plain(start, start + 1)
            return start + 1
        bracket = self.brackets.pop()
        active = bracket.image or len(self.brackets) >= self.inactive
        self.inactive = min(self.inactive, len(self.brackets))
        found = self.destination(bracket, start) if active else None
        if found is None:
            self.plain(start, start + 1)
            return start + 1
        self.link(bracket, *found)
        return found[1]

    def destination(self, bracket: _Bracket, start: int) -> tuple[Destination, int] | None:
        """Where the link leads whose text ends at ``start``, and the offset behind it."""
        if self.text.startswith("(", start + 1, self.end):
            found = inline_destination(self.text, start + 1, self.end)
            if found:
                return found
        if not self.definitions:
            return None
        label, end = (self.text[bracket.inner : start] if not bracket.nested else ""), start + 1
        full = _LABEL.match(self.text, start + 1, self.end)
        if full:
            label, end = full[1] or label, full.end()
        target = self.definitions.get(normal_label(label)) if len(label) < 1000 else None
        return (target, end) if target else None

    def link(self, bracket: _Bracket, target: Destination, end: int) -> None:
        """Close a link: its brackets are not seen, and emphasis pairs within its text."""
        pair(self.runs[bracket.runs :])
        del self.runs[bracket.runs :]
        opening = self.pieces[bracket.piece]
        opening.kind = PieceKind.RENDERED
        if target.title:
            self.titles.append(target.title)
        if bracket.image:
            return
        self.inactive = len(self.brackets)
        scheme = scheme_of(self.text, target.start, target.end)
        first, last = bracket.piece + 1, len(self.pieces)
        if scheme:
            self.links.append(RawLink(bracket.start, end, bracket.inner, first, last, target, scheme))
        if scheme not in (None, "claim") or self.names_paper(first, last, target):
            for piece in self.pieces[first:last]:
                piece.linked = True

    def names_paper(self, first: int, last: int, target: Destination) -> bool:
        """Whether a web link is an arXiv number that leads there: ``[2402.02750](https://arxiv.org/abs/2402.02750)``."""
        if last - first != 1 or "arxiv.org/" not in self.text[target.start : target.end]:
            return False
        return _ARXIV_ID.fullmatch(self.text, self.pieces[first].start, self.pieces[first].end) is not None


def _seen(tag: str) -> str:
    """What a reader sees of a tag: a power for ``<sup>``, nothing for inline tags, white space for all others."""
    match = _TAG_NAME.match(tag)
    name = match[1].lower() if match else ""
    if name == "sup" and not tag.startswith("</"):
        return "^"
    return "" if name in _PHRASING else " "
