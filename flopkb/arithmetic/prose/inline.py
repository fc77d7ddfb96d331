"""The inline Markdown of one block: links, code spans, mathematics, emphasis, citations, HTML, in one pass."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from flopkb.arithmetic.prose.destinations import Destination, inline_destination, normal_label
from flopkb.arithmetic.prose.emphasis import Run, pair
from flopkb.arithmetic.prose.lines import CLOSE_TAG, OPEN_TAG
from flopkb.arithmetic.prose.pieces import Piece, PieceKind, RawLink
from flopkb.arithmetic.prose.targets import entity, scheme_of

_SPECIAL = re.compile(r"`+|\$\$?|\\|!?\[|\]|<|&|\*+|(?<!\w)_+|(?<!_)_++(?!\w)|(?<!~)~~(?!~)")
_ESCAPED = re.compile(r"\\(?:([!-/:-@\[-`{-~])|\r?\n)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_AUTOLINK = re.compile(
    r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x20]*|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255})>"
)
_TAG = re.compile(rf"{OPEN_TAG}|{CLOSE_TAG}")
_TAG_NAME = re.compile(r"</?([A-Za-z0-9-]+)")
_BRACKETED = re.compile(r"<!--|<\?|<!\[CDATA\[|<![A-Za-z]")
_CLOSING = {"<!-": "-->", "<?": "?>", "<![": "]]>"}
_HTML_SKIPPED = re.compile(r"<(script|style|pre|textarea)(?=[\s>])", re.IGNORECASE)
_HTML_SPECIAL = re.compile(r"<|&")
_NOTE = re.compile(r"\[\^[^\s\[\]]+\]")
_CITED = re.compile(r"\[([^\[\]`]{1,600})\](?![(\[])")
_CITATION = re.compile(r"\s*(?:(?:see|see also|e\.g\.,?|cf\.)\s+)?-?@(\w+(?:[:.-]\w+)*)\s*(,[^;]*)?")
_MATH_END = re.compile(r"(?<![\s\\])\$(?![0-9$])")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999}+)\]", re.DOTALL)
_ARXIV_ID = re.compile(r"[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?")
_MAX_MATH = 2000
_WORDY = re.compile(r"[\w$]")
_RUNS = re.compile(r"`+")
_PHRASING = re.compile(
    r"a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|time|"
    r"tt|u|var|wbr"
)


@dataclass(frozen=True, slots=True)
class Citation:
    """``@id`` within brackets; the offsets are those of the id."""

    id: str
    start: int
    end: int


class _Bracket:
    """An open ``[`` (or ``![``): how many runs of delimiters came before it, and whether brackets lie within."""

    __slots__ = ("image", "inner", "nested", "runs", "start")

    def __init__(self, start: int, inner: int, runs: int, image: bool) -> None:
        self.start = start
        self.inner = inner
        self.runs = runs
        self.image = image
        self.nested = False


class Inline:
    """Reads ``text[start:end]``: ``pieces`` are what is not seen as it stands, in order; all else is text.

    ``citations``, and the spans of ``titles``, ``comments`` and ``tags``, are noted on the way.
    """

    def __init__(self, text: str, start: int, end: int, definitions: Mapping[str, Destination]) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.definitions = definitions
        self.pieces: list[Piece] = []
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
            at = self.take(special[0], special.start(), special.end())
        self.pair(0)
        self.pieces.sort(key=lambda piece: piece.start)
        return self

    def read_html(self) -> Inline:
        """Read an HTML block, in which Markdown means nothing."""
        at = self.start
        while special := _HTML_SPECIAL.search(self.text, at, self.end):
            at = special.start()
            skipped = _HTML_SKIPPED.match(self.text, at, self.end)
            if skipped:
                closing = re.compile(f"</{skipped[1]}>", re.IGNORECASE).search(self.text, skipped.end(), self.end)
                stop = closing.end() if closing else self.end
                at = self.add(PieceKind.RENDERED, at, stop, " ")
            else:
                at = self.take_entity(at) if special[0] == "&" else self.take_tag(at)
        return self

    def add(self, kind: PieceKind, start: int, end: int, text: str = "", inner: int = 0) -> int:
        """Note a piece; the offset behind it."""
        self.pieces.append(Piece(kind, start, end, text, inner))
        return end

    def take(self, mark: str, start: int, end: int) -> int:
        """Read what begins with ``mark``; the offset behind it."""
        first = mark[0]
        if first in "*_~":
            self.runs.append(Run(self.text, start, end, self.start, self.end))
            return end
        if first in "![":
            return self.take_opening(start, end)
        if first == "]":
            return self.take_closing(start)
        if first == "`":
            return self.take_code(start, end)
        if first == "$":
            return self.take_math(start, end)
        if first == "\\":
            return self.take_escape(start)
        return self.take_angle(start) if first == "<" else self.take_entity(start)

    def take_code(self, start: int, end: int) -> int:
        """A code span ends with as many backticks as it begins with; a space at either end is not seen."""
        if self.ticks is None:
            self.ticks = {}
            for run in _RUNS.finditer(self.text, start, self.end):
                self.ticks.setdefault(run.end() - run.start(), []).append(run.start())
        closing = self.ticks.get(end - start, [])
        index = bisect_right(closing, start)
        if index == len(closing):
            return end
        width, stop = end - start, closing[index]
        padded = self.text[end] in " \r\n" and self.text[stop - 1] in " \r\n" and not self.text[end:stop].isspace()
        return self.add(PieceKind.CODE, start, stop + width, inner=width + padded)

    def take_math(self, start: int, end: int) -> int:
        """``$x$`` (no white space within the dollars, no digit behind them: prices are prices) or ``$$x$$``."""
        width = end - start
        stop = self.next_display(end) if width == 2 else self.next_dollar(start, end)
        if stop < 0:
            return end
        kind = PieceKind.DISPLAY if width == 2 else PieceKind.MATH
        return self.add(kind, start, stop + width, inner=width)

    def next_display(self, end: int) -> int:
        """Where ``$$`` closes, or -1."""
        stop = self.text.find("$$", end, self.end) if "$$" not in self.missing else -1
        if stop < 0:
            self.missing.add("$$")
        return stop

    def next_dollar(self, start: int, end: int) -> int:
        """Where the mathematics that begins behind this dollar ends; -1 where it is a price, or holds a link."""
        if end >= self.end or self.text[end].isspace() or (start > self.start and _WORDY.match(self.text, start - 1)):
            return -1
        if self.dollar <= end:
            closing = _MATH_END.search(self.text, end + 1, self.end)
            self.dollar = closing.start() if closing else self.end
        if self.dollar - end > _MAX_MATH or self.dollar == self.end:
            return -1
        holds_link = self.text.find("](", end, self.dollar) >= 0 or self.text.find("`", end, self.dollar) >= 0
        return -1 if holds_link else self.dollar

    def take_escape(self, start: int) -> int:
        """A backslash before a mark is not seen, nor is one at the end of a line."""
        escaped = _ESCAPED.match(self.text, start, self.end)
        if escaped is None:
            return start + 1
        self.add(PieceKind.RENDERED, start, start + 1)
        return escaped.end()

    def take_entity(self, start: int) -> int:
        """``&times;`` is seen as one character."""
        match = _ENTITY.match(self.text, start, self.end)
        shown = entity(match[0]) if match else None
        if match is None or shown is None:
            return start + 1
        return self.add(PieceKind.RENDERED, start, match.end(), shown)

    def take_angle(self, start: int) -> int:
        """An autolink, a tag or a comment."""
        auto = _AUTOLINK.match(self.text, start, self.end) if self.text[start + 1 : start + 2].isalnum() else None
        if auto is None:
            return self.take_tag(start)
        self.add(PieceKind.URL, start, auto.end(), inner=1)
        scheme = scheme_of(self.text, *auto.span(1))
        if scheme:
            target = Destination(*auto.span(1))
            self.pieces[-1].link = RawLink(start, auto.end(), start + 1, target, scheme, prose=False)
        return auto.end()

    def take_tag(self, start: int) -> int:
        """A tag or a comment; or nothing but a ``<``."""
        following = self.text[start + 1 : start + 2]
        if following in ("!", "?"):
            return self.take_bracketed(start)
        tag = _TAG.match(self.text, start, self.end) if following == "/" or following.isalpha() else None
        if tag is None:
            return start + 1
        self.tags.append(tag.span())
        return self.add(PieceKind.RENDERED, start, tag.end(), _seen(tag[0]))

    def take_bracketed(self, start: int) -> int:
        """A comment, a processing instruction, CDATA or a declaration; or nothing but a ``<``."""
        opening = _BRACKETED.match(self.text, start, self.end)
        if opening is None:
            return start + 1
        closing = _CLOSING.get(opening[0][:3], ">")
        begin = start + 2 if closing == "-->" else opening.end()
        stop = self.text.find(closing, begin, self.end) if closing not in self.missing else -1
        if stop < 0:
            self.missing.add(closing)
            return start + 1
        if closing == "-->":
            self.comments.append((start, stop + 3))
        return self.add(PieceKind.RENDERED, start, stop + len(closing))

    def take_opening(self, start: int, end: int) -> int:
        """``[`` or ``![``: a footnote mark, a citation, or what may become a link."""
        image = end - start == 2
        if not image and self.text.startswith("^", end, self.end):
            note = _NOTE.match(self.text, start, self.end)
            if note:
                return self.add(PieceKind.RENDERED, start, note.end())
        if not image and 0 <= self.text.find("@", end, end + 14) < self.end:
            cited = self.take_citation(start)
            if cited:
                return cited
        if self.brackets:
            self.brackets[-1].nested = True
        self.brackets.append(_Bracket(start, end, len(self.runs), image))
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
            self.add(PieceKind.CITATION, start, group.end())
        return group.end()

    def take_closing(self, start: int) -> int:
        """``]``: the end of a link's text, if a destination or a defined label follows."""
        if not self.brackets:
            return start + 1
        bracket = self.brackets.pop()
        active = bracket.image or len(self.brackets) >= self.inactive
        self.inactive = min(self.inactive, len(self.brackets))
        found = self.destination(bracket, start) if active else None
        if found is None:
            return start + 1
        self.link(bracket, start, *found)
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

    def link(self, bracket: _Bracket, close: int, target: Destination, end: int) -> None:
        """Close a link: its brackets are not seen, and emphasis pairs within its text."""
        self.pair(bracket.runs)
        self.add(PieceKind.OPEN, bracket.start, bracket.inner)
        self.add(PieceKind.CLOSE, close, end)
        if target.title:
            self.titles.append(target.title)
        if bracket.image:
            return
        self.inactive = len(self.brackets)
        scheme = scheme_of(self.text, target.start, target.end)
        prose = scheme in (None, "claim") and not self.names_paper(bracket.inner, close, target)
        if scheme or not prose:
            link = RawLink(bracket.start, end, bracket.inner, target, scheme, prose)
            self.pieces[-1].link = self.pieces[-2].link = link

    def names_paper(self, start: int, end: int, target: Destination) -> bool:
        """Whether a web link is an arXiv number that leads there: ``[2402.02750](https://arxiv.org/abs/2402.02750)``."""
        if _ARXIV_ID.fullmatch(self.text, start, end) is None:
            return False
        return self.text.find("arxiv.org/", target.start, target.end) >= 0

    def pair(self, bottom: int) -> None:
        """Pair the runs of delimiters from ``bottom`` on: those used up are not seen."""
        runs = self.runs[bottom:]
        if not runs:
            return
        del self.runs[bottom:]
        pair(runs)
        for run in runs:
            if run.start < run.left:
                self.add(PieceKind.EMPHASIS, run.start, run.left)
            if run.right < run.end:
                self.add(PieceKind.EMPHASIS, run.right, run.end)


def has_markup(text: str, start: int, end: int) -> bool:
    """Whether anything in the block can be other than plain text."""
    return _SPECIAL.search(text, start, end) is not None


def _seen(tag: str) -> str:
    """What a reader sees of a tag: a power for ``<sup>``, nothing for inline tags, white space for all others."""
    match = _TAG_NAME.match(tag)
    name = match[1].lower() if match else ""
    if name == "sup" and not tag.startswith("</"):
        return "^"
    return "" if _PHRASING.fullmatch(name) else " "
