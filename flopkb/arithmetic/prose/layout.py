"""Where the lines of a Markdown text stand: a token of markdown-it-py knows its lines and no more.

Prose is read in ``masked``: the source, character for character, with the marks of block quotes on continuation lines
replaced by spaces and the backslash of ``\\|`` in tables by NUL, so that every offset stays true.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from flopkb.arithmetic.prose.parts import BlockKind, CodeBlock, Destination, Inlines, MarkdownText, Stretch
from flopkb.arithmetic.prose.plain import Mapped

_FRONT = re.compile(r"---[ \t]*\r?\n(?:.*\r?\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)*+)\]:[ \t\n>]*", re.DOTALL)
_PIPE = re.compile(r"(?<!\\)\|")
_HEADING = re.compile(r"#{1,6}[ \t]*")

BlockRule = Callable[[StateBlock, int, int, bool], bool]


class Layout:
    """Where the contents of blocks stand in the source, noted while the parser knows it."""

    def __init__(self, text: str, *, front_matter: bool) -> None:
        self.text = text.replace("\0", "\ufffd")
        header = _FRONT.match(self.text) if front_matter else None
        normal = self.text
        if header:
            normal = re.sub(r"[^\r\n]", " ", header[0]) + normal[header.end() :]
        self.returns = [match.start() - order for order, match in enumerate(re.finditer("\r\n", normal))]
        self.normal = normal.replace("\r\n", "\n").replace("\r", "\n")
        self.stretches: list[tuple[BlockKind, Mapped, int, list[Token]]] = []
        self.places: dict[int, Mapped] = {}
        self.found: dict[int, Inlines] = {}
        self.code: list[CodeBlock] = []
        self.definitions: dict[str, Destination] = {}
        self.masks: list[tuple[int, int, str]] = []

    def source(self, at: int) -> int:
        """The place in the source of one in the text with normal line ends."""
        return at + bisect_left(self.returns, at) if self.returns else at

    def note(self, state: StateBlock, tokens: Sequence[Token], start: int) -> None:
        """Note the block that has just been read, from line ``start`` on."""
        kind = tokens[0].type if tokens else "reference"
        if kind in ("paragraph_open", "heading_open"):
            self.note_lines(state, tokens[1], BlockKind.HEADING if kind == "heading_open" else BlockKind.PARAGRAPH)
        elif kind == "table_open":
            self.note_cells(state, [token for token in tokens if token.type == "inline"])
        elif kind == "html_block":
            self.note_lines(state, tokens[0], BlockKind.HTML)
        elif kind == "reference":
            self.note_definition(state, start)
        else:
            self.note_code(state, tokens[0])

    def note_lines(self, state: StateBlock, token: Token, kind: BlockKind) -> None:
        """A stretch of whole lines; the marks of containers before the second and later ones are hidden."""
        first = (token.map or [0])[0]
        starts, sources, at, begin = [], [], 0, 0
        content = token.content.rstrip(" \t\n")
        for number, line in enumerate(content.split("\n"), first):
            begin = state.bMarks[number] + state.tShift[number]
            lead = len(line) - len(line.lstrip(" \t"))
            if token.level and number == first and (head := _HEADING.match(state.src, begin)):
                begin = head.end() if kind is BlockKind.HEADING else begin
            starts.append(at + lead)
            sources.append(self.source(begin))
            if number > first:
                self.mask(self.source(state.src.rfind("\n", 0, begin) + 1), sources[-1])
            at += len(line) + 1
            begin += len(line) - lead
        if content:
            self.add(kind, token, content, starts, sources)

    def add(self, kind: BlockKind, token: Token, content: str, starts: list[int], sources: list[int]) -> None:
        """A stretch of prose whose content stands at ``sources`` from each of ``starts`` on."""
        places = Mapped(content, tuple(starts), tuple(sources), (-1,) * len(starts))
        children = token.children if token.children is not None else []
        self.stretches.append((kind, places, places.end(len(content)), children))
        self.places[id(children)] = places

    def note_cells(self, state: StateBlock, tokens: Sequence[Token]) -> None:
        """The cells of a table."""
        row = -1
        cells: Iterator[tuple[int, int]] = iter(())
        for token in tokens:
            number = (token.map or [0])[0]
            if number != row:
                row = number
                cells = iter(_cells(state.src, state.bMarks[row] + state.tShift[row], state.eMarks[row]))
            start, end = next(cells, (0, 0))
            if start < end:
                self.note_cell(state.src, token, start, end)

    def note_cell(self, src: str, token: Token, start: int, end: int) -> None:
        """One cell: the backslash of an escaped bar is not seen."""
        starts, sources, at = [0], [start], start
        while (at := src.find("\\|", at, end)) >= 0:
            where = self.source(at)
            self.masks.append((where, where + 1, "\0"))
            starts.append(at - start - len(starts) + 1)
            sources.append(at + 1)
            at += 2
        self.add(BlockKind.CELL, token, token.content, starts, [self.source(place) for place in sources])

    def note_code(self, state: StateBlock, token: Token) -> None:
        """A block of code, with or without fences."""
        first, stop = token.map or [0, 1]
        fence = token.type == "fence"
        rows = []
        lines = token.content.split("\n")
        for number, line in enumerate(lines if lines[-1] else lines[:-1], first + fence):
            end = state.eMarks[number]
            rows.append((self.source(max(state.bMarks[number], end - len(line))), self.source(end)))
        start = self.source(state.bMarks[first] + state.tShift[first])
        end = self.source(state.eMarks[stop - 1]) if fence else rows[-1][1]
        self.code.append(CodeBlock(token.info.strip(), start, end, tuple(rows)))

    def note_definition(self, state: StateBlock, start: int) -> None:
        """``[label]: target "title"``; the first of a label counts."""
        label = _LABEL.match(state.src, state.bMarks[start] + state.tShift[start])
        if label is None:
            return
        target, title, _ = destination(state, label.end(), len(state.src))
        where = (self.source(title[0]), self.source(title[1])) if title else None
        known = Destination(self.source(target[0]), self.source(target[1]), where)
        self.definitions.setdefault(normalizeReference(label[1]), known)

    def mask(self, start: int, end: int) -> None:
        """Hide the marks of containers before the content of a line that goes on a block."""
        if ">" in self.text[start:end]:
            self.masks.append((start, end, " " * (end - start)))

    def finish(self, html: MarkdownIt) -> MarkdownText:
        """Mask the source, and put the stretches together in its order; HTML blocks are read by ``html``."""
        parts, at = [], 0
        for start, end, mask in sorted(self.masks):
            parts += [self.text[at:start], mask]
            at = end
        masked = "".join([*parts, self.text[at:]])
        stretches = []
        for kind, places, end, children in sorted(self.stretches, key=lambda stretch: stretch[1].sources[0]):
            start = places.sources[0]
            inlines = self.html(html, masked, start, end) if kind is BlockKind.HTML else self.found.get(id(children))
            stretches.append(Stretch(kind, start, end, inlines or Inlines()))
        code = sorted(self.code, key=lambda block: block.start)
        return MarkdownText(masked, tuple(stretches), tuple(code), self.definitions)

    def html(self, parser: MarkdownIt, masked: str, start: int, end: int) -> Inlines:
        """Read an HTML block."""
        tokens: list[Token] = []
        self.places[id(tokens)] = Mapped("", (0,), (start,), (-1,))
        parser.inline.parse(masked[start:end], parser, {"layout": self}, tokens)
        return self.found[id(tokens)]


def noted_by(rule: BlockRule) -> BlockRule:
    """The rule, which notes where the lines of its block stand."""

    def noted(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        before = len(state.tokens)
        found = rule(state, start, end, silent)
        layout = state.env.get("layout")
        if found and not silent and layout is not None:
            layout.note(state, state.tokens[before:], start)
        return found

    return noted


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The cells of a table row, without the white space around them; ``\\|`` does not end a cell."""
    spans, at = [], start
    for pipe in _PIPE.finditer(text, start, end):
        spans.append((at, pipe.start()))
        at = pipe.end()
    spans.append((at, end))
    trimmed = []
    for first, last in spans:
        part = text[first:last]
        left = first + len(part) - len(part.lstrip(" \t\n"))
        trimmed.append((left, max(left, first + len(part.rstrip(" \t\n")))))
    return trimmed[1:] if trimmed[0][0] == trimmed[0][1] else trimmed


def destination(
    state: StateBlock | StateInline, at: int, end: int
) -> tuple[tuple[int, int], tuple[int, int] | None, int]:
    """The spans of the target at ``at`` (without angle brackets) and of its title, and the offset behind them."""
    src, helpers = state.src, state.md.helpers
    found = helpers.parseLinkDestination(src, at, end)
    target, after = (at, at), at
    if found.ok:
        angled = src.startswith("<", at)
        target, after = (at + angled, found.pos - angled), found.pos
    title_at = skip_space(src, after, end)
    title = helpers.parseLinkTitle(src, title_at, end) if title_at > after else None
    if title is not None and title.ok:
        return target, (title_at + 1, title.pos - 1), skip_space(src, title.pos, end)
    return target, None, title_at


def skip_space(text: str, at: int, end: int) -> int:
    """The offset of what stands behind the white space at ``at``, no further than ``end``."""
    while at < end and text[at] in " \t\n":
        at += 1
    return at
