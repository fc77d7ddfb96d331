"""Where the inlines of a stretch of prose stand: what markdown-it-py reads, noted rule by rule."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any, Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from flopkb.arithmetic.prose.layout import Layout, destination, skip_space
from flopkb.arithmetic.prose.parts import Citation, CitedSource, Destination, Inlines, MarkupPiece, PieceKind, RawLink
from flopkb.arithmetic.prose.plain import Mapped
from flopkb.arithmetic.prose.targets import scheme_of

_MATH_END = re.compile(r"(?<![\s\\])\$(?![0-9$])")
_WORDY = re.compile(r"[\w$]")
_MAX_MATH = 2000
_ARXIV_ID = re.compile(r"[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?")
_SPAN_DATA = re.compile(r"""\sdata-flopkb\s*=\s*["']?((?<=["'])[^"'<>]*|[^\s"'<>=`]+?(?=/?>|\s))""", re.IGNORECASE)
_TAG_NAME = re.compile(r"</?([A-Za-z0-9-]+)")
_TOLD = re.compile(r"""\s(?:alt|title|aria-label)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
"""What a reader is told by an attribute."""
_PHRASING = re.compile(
    r"a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|time|"
    r"tt|u|var|wbr"
)

Environment = MutableMapping[str, Any]


class OpenTag(NamedTuple):
    """A tag of HTML that is open, and the link that it is, if it is one."""

    name: str
    opening: MarkupPiece
    link: RawLink | None


class PlacedInlines(ParserInline):
    """The library's, which tells where each rule matched."""

    def __init__(self, made: ParserInline) -> None:
        super().__init__()
        self.ruler = made.ruler
        self.ruler2 = made.ruler2
        self.ruler2.before("fragments_join", "settle", _settle)

    def parse(self, src: str, md: MarkdownIt, env: Environment, tokens: list[Token]) -> list[Token]:
        """Read ``src`` to ``tokens``; what is found goes to the layout, by the identity of ``tokens``."""
        outer = env.get("within")
        state = env["within"] = InlineState(src, md, env, tokens, outer)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        env["within"] = outer
        if state.layout is not None:
            state.take_left_open()
            state.found.pieces.sort(key=lambda piece: piece.start)
            state.layout.found[id(tokens)] = state.found
        return state.tokens

    def tokenize(self, state: StateInline) -> None:
        """Apply the rules, one after the other."""
        assert isinstance(state, InlineState)
        rules, deepest = self.ruler.getRules(""), state.md.options["maxNesting"]
        while state.pos < state.posMax:
            start, before = state.pos, len(state.tokens)
            state.image = start + 2
            if state.level < deepest and any(rule(state, False) for rule in rules):
                if len(state.tokens) > before and state.layout is not None:
                    state.take(start, before)
            else:
                state.append_pending(state.src[start])
                state.pos = start + 1
        if state.pending:
            state.pushPending()


class InlineState(StateInline):
    """Reads one stretch, or the text of an image within the ``outer`` one, and notes what is not seen as it stands."""

    def __init__(
        self, src: str, md: MarkdownIt, env: Environment, tokens: list[Token], outer: InlineState | None
    ) -> None:
        super().__init__(src, md, env, tokens)
        self.layout: Layout | None = env.get("layout")
        self.places = _NOWHERE
        self.base = self.image = self.label_end = 0
        self.found = Inlines()
        self.spans: list[OpenTag] = []  # those that are links, and those of the same name within
        self.anchor = (0, 0)  # the link of HTML that is open
        self.marks: list[tuple[int, int, Token]] = []
        self.sought = self.dollar = -1  # the dollar that can close mathematics, and from where it was sought
        if self.layout is None:
            return
        if id(tokens) in self.layout.places:
            self.places = self.layout.places[id(tokens)]
        elif outer is not None:
            self.places, self.base, self.found = outer.places, outer.base + outer.image, outer.found

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if ttype == "link_close":
            self.label_end = self.pos
        return super().push(ttype, tag, nesting)

    def add(self, kind: PieceKind, start: int, end: int, text: str = "", inner: int = 0) -> MarkupPiece:
        """Note a piece."""
        piece = MarkupPiece(kind, *self.span(start, end), text, inner)
        self.found.pieces.append(piece)
        return piece

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the source."""
        return self.places.at(self.base + start), self.places.end(self.base + end)

    def take(self, start: int, before: int) -> None:
        """A rule has matched from ``start`` on and made the tokens from ``before`` on."""
        token, pos = self.tokens[-1], self.pos
        kind = token.type
        if kind == "text":
            self.take_marks(start)
        elif kind == "text_special":
            self.take_special(token, start)
        elif kind == "code_inline":
            width = len(token.markup)
            self.add(PieceKind.CODE, start, pos, inner=width + (pos - start - 2 * width - len(token.content)) // 2)
        elif kind in ("math_inline", "math_inline_double"):
            double = kind == "math_inline_double"
            self.add(PieceKind.DISPLAY if double else PieceKind.MATH, start, pos, inner=1 + double)
        elif kind == "link_close" and token.markup == "autolink":
            self.take_autolink(start)
        elif kind == "link_close":
            self.take_link(start, start + 1, self.label_end, image=False)
        elif kind == "image":
            self.take_link(start, start + 2, start + 2 + len(token.content), image=True)
        elif kind == "html_inline":
            self.take_html(token.content, start)
        elif kind == "citation":
            self.take_citation(token, start)
        elif kind in ("footnote_ref", "note", "raw"):
            self.add(PieceKind.RENDERED, start, pos, " " if kind == "raw" else "")
        elif kind == "hardbreak" and self.src[start] == "\\":
            self.add(PieceKind.RENDERED, start, start + 1)

    def take_marks(self, start: int) -> None:
        """Marks that may become emphasis, which is known when all is read."""
        at = self.pos
        for token in reversed(self.tokens):
            if at <= start:
                break
            at -= len(token.content)
            self.marks.append((at, at + len(token.content), token))

    def take_special(self, token: Token, start: int) -> None:
        """An entity, or what a backslash escapes."""
        if token.info == "entity":
            self.add(PieceKind.RENDERED, start, self.pos, token.content)
        elif token.content != token.markup:
            self.add(PieceKind.RENDERED, start, start + 1)

    def take_html(self, tag: str, start: int) -> None:
        """A tag, a comment, a processing instruction, CDATA or a declaration."""
        for told in _TOLD.finditer(tag) if _TAG_NAME.match(tag) else ():
            group = 1 if told[1] is not None else 2
            self.found.titles.append(self.span(start + told.start(group), start + told.end(group)))
        if self.take_span(tag, start):
            return
        named = _TAG_NAME.match(tag)
        if named and named[1].lower() == "a":
            self.take_anchor(start, opens=not tag.startswith("</"))
        piece = self.add(PieceKind.RENDERED, start, self.pos, _seen(tag, named[1].lower()) if named else "")
        if named:
            self.found.tags.append((piece.start, piece.end))
        elif tag.startswith("<!--"):
            self.found.comments.append((piece.start, piece.end))

    def take_anchor(self, start: int, *, opens: bool) -> None:
        """A link that is written in HTML begins, or ends: to where the stretch does, if nothing ends it."""
        if opens:
            self.anchor = self.span(start, len(self.src))
            self.found.closed.append(self.anchor)
        elif self.anchor in self.found.closed:
            self.found.closed[self.found.closed.index(self.anchor)] = (self.anchor[0], self.span(start, self.pos)[1])

    def take_span(self, tag: str, start: int) -> bool:
        """A ``<span data-flopkb="fig:speedup">``, which is a link that no renderer takes for one, or its end."""
        named = _TAG_NAME.match(tag)
        name = named[1].lower() if named else ""
        if tag.startswith("</"):
            return bool(self.spans) and self.spans[-1].name == name and self.take_span_end(start)
        data = _SPAN_DATA.search(tag) if named else None
        if data is None and all(span.name != name for span in self.spans):
            return False
        scheme = scheme_of(tag, *data.span(1)) if data is not None else None
        if not _PHRASING.fullmatch(name):
            self.add(PieceKind.RENDERED, start, start, " ")
        opening = self.add(PieceKind.OPEN, start, self.pos)
        made = None
        if data is not None and scheme is not None:
            target = Destination(*self.span(start + data.start(1), start + data.end(1)))
            made = RawLink(opening.start, opening.end, opening.end, target, scheme, prose=scheme == "claim")
        self.spans.append(OpenTag(name, opening, made))
        return True

    def take_span_end(self, start: int) -> bool:
        """The tag that ends the last one that is open."""
        opened = self.spans.pop()
        if opened.link is None:
            return False
        closing = self.add(PieceKind.CLOSE, start, self.pos)
        opened.link.end = closing.end
        opened.opening.link = closing.link = opened.link
        return True

    def take_left_open(self) -> None:
        """Tags that nothing ends hold no number, which is a finding."""
        for opened in self.spans:
            if opened.link is not None:
                closing = MarkupPiece(PieceKind.CLOSE, opened.opening.end, opened.opening.end)
                self.found.pieces.append(closing)
                opened.opening.link = closing.link = opened.link

    def take_citation(self, token: Token, start: int) -> None:
        """A citation with a locator stays to be seen."""
        cited: list[CitedSource] = token.meta["cited"]
        for source in cited:
            self.found.citations.append(Citation(source.id, *self.span(start + source.start, start + source.end)))
        if all(source.locator is None for source in cited):
            self.add(PieceKind.CITATION, start, self.pos)

    def take_autolink(self, start: int) -> None:
        """An address in angle brackets."""
        piece = self.add(PieceKind.URL, start, self.pos, inner=1)
        scheme = scheme_of(self.src, start + 1, self.pos)
        if scheme:
            target = Destination(piece.inner_start, piece.inner_end)
            piece.link = RawLink(piece.start, piece.end, piece.inner_start, target, scheme, prose=False)

    def take_link(self, start: int, inner: int, close: int, *, image: bool) -> None:
        """A link or an image: its brackets are not seen."""
        opening = self.add(PieceKind.OPEN, start, inner)
        closing = self.add(PieceKind.CLOSE, close, self.pos)
        target, written = self.target(inner, close)
        self.found.closed.append(self.span(start, self.pos))
        if target.title:
            self.found.titles.append(target.title)
        scheme = scheme_of(written, 0, len(written))
        paper = _ARXIV_ID.fullmatch(self.src, inner, close) is not None and "arxiv.org/" in written
        prose = scheme in (None, "claim") and not paper
        if not image and (scheme or not prose):
            link = RawLink(opening.start, closing.end, opening.end, target, scheme, prose)
            opening.link = closing.link = link

    def target(self, inner: int, close: int) -> tuple[Destination, str]:
        """Where the link leads whose text ends at ``close``, also as it is written."""
        if self.src.startswith("(", close + 1):
            span, title, after = destination(self, skip_space(self.src, close + 2, self.posMax), self.posMax)
            if after + 1 == self.pos and self.src.startswith(")", after):
                place = self.span(*span) if span[0] < span[1] else (self.span(close, span[0])[1],) * 2
                return Destination(*place, self.span(*title) if title else None), self.src[slice(*span)]
        label = self.src[close + 2 : self.pos - 1] or self.src[inner:close]
        assert self.layout is not None
        known = self.layout.definitions[normalizeReference(label)]
        return known, self.layout.text[known.start : known.end]

    def next_dollar(self, start: int) -> int:
        """Where the mathematics that begins with this dollar ends; -1 where it is a price, or holds a link."""
        src, end = self.src, start + 1
        if end >= self.posMax or src[end].isspace() or (start and _WORDY.match(src, start - 1)):
            return -1
        if not self.sought <= end < self.dollar:
            closing = _MATH_END.search(src, end + 1)
            self.sought, self.dollar = end, closing.start() if closing else len(src)
        if self.dollar - end > _MAX_MATH or self.dollar >= self.posMax:
            return -1
        return -1 if "](" in src[end : self.dollar] or "`" in src[end : self.dollar] else self.dollar


_NOWHERE = Mapped("")


def _settle(state: StateInline) -> None:
    """Marks of emphasis are not seen."""
    assert isinstance(state, InlineState)
    for start, end, token in state.marks:
        if token.type != "text" or not token.content:
            state.add(PieceKind.EMPHASIS, start, end)


def _seen(tag: str, name: str) -> str:
    """What a reader sees of a tag: a power for ``<sup>``, nothing for inline tags, white space for all others."""
    if name == "sup" and not tag.startswith("</"):
        return "^"
    return "" if _PHRASING.fullmatch(name) else " "
