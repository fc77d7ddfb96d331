"""The blocks of a Markdown text: which stretches are prose and which are code, in one pass over its lines.

The prose stretches are read in ``masked``: the source, character for character, with the marks of block quotes on
continuation lines replaced by spaces and the backslash of ``\\|`` in tables by NUL, so that every offset stays true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from flopkb.arithmetic.prose import lines
from flopkb.arithmetic.prose.destinations import Destination, definition
from flopkb.arithmetic.prose.lines import Cursor

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")
_BLANK = re.compile(r"(?:[ \t]*+(?:\r\n|\n|\r))*+")
_FRONT = re.compile(r"---[ \t]*\r?\n(?:.*\r?\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)")
_MAX_DEPTH = 64


class BlockKind(Enum):
    """What holds a stretch of prose."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CELL = "cell"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of prose, without white space at its ends."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block, or an indented one (without ``info``); ``rows`` are its lines without their indentation."""

    info: str
    start: int
    end: int
    rows: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Blocks:
    """The block structure of a text."""

    masked: str = field(repr=False)
    prose: tuple[Block, ...]
    code: tuple[CodeBlock, ...]
    definitions: Mapping[str, Destination]


@dataclass(slots=True)
class _Container:
    """A block quote (``width`` 0) or a list item or footnote whose lines are indented by ``width``."""

    width: int
    empty: bool = False


@dataclass(slots=True)
class _Fence:
    """An open fence: its character and length, how far it is indented, and its lines so far."""

    mark: str
    indent: int
    info: str
    start: int
    end: int
    rows: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Html:
    """An open HTML block and what closes it (None: a blank line)."""

    closing: re.Pattern[str] | None
    start: int
    end: int


def split_blocks(text: str, *, front_matter: bool = False) -> Blocks:
    """Find the blocks of ``text``; with ``front_matter`` a YAML header at its very beginning is no prose."""
    text = text.replace("\0", "\ufffd")
    header = _FRONT.match(text) if front_matter else None
    splitter = _Splitter(text)
    at = header.end() if header else 0
    while at < len(text):
        line = _LINE.match(text, at)
        assert line is not None
        splitter.line(line.start(1), line.end(1))
        at = line.end()
        if splitter.verbatim is None and not line[1].strip(" \t"):
            blank = _BLANK.match(text, at)  # more blank lines change nothing
            at = blank.end() if blank else at
    return splitter.finish()


class _Splitter:
    """The state between two lines: the open containers and the one open leaf."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stack: list[_Container] = []
        self.rows: list[tuple[int, int, int]] = []  # of the open paragraph: content, end, beginning of the line
        self.verbatim: _Fence | _Html | None = None
        self.table = False
        self.display = False  # the open paragraph is within $$ ... $$: nothing in it is block structure
        self.prose: list[Block] = []
        self.code: list[CodeBlock] = []
        self.definitions: dict[str, Destination] = {}
        self.masks: list[tuple[int, int, str]] = []

    def finish(self) -> Blocks:
        """Close what is open, and mask the source."""
        self.close(0)
        parts, at = [], 0
        for start, end, mask in self.masks:
            parts += [self.text[at:start], mask]
            at = end
        masked = "".join([*parts, self.text[at:]])
        return Blocks(masked, tuple(self.prose), tuple(self.code), self.definitions)

    def line(self, start: int, end: int) -> None:
        """Take one line (without its end)."""
        cursor = Cursor(self.text, start, end)
        depth = self.match(cursor)
        if self.verbatim is not None:
            if depth == len(self.stack):
                self.verbatim_line(self.verbatim, cursor)
                return
            self.close_verbatim()
        interrupting = bool(self.rows) and depth == len(self.stack)
        while len(self.stack) < _MAX_DEPTH and not (self.display and interrupting):
            container = self.container(cursor, interrupting=interrupting)
            if container is None:
                break
            self.close(depth)
            self.stack.append(container)
            depth, interrupting = depth + 1, False
        self.leaf(cursor, depth)

    def match(self, cursor: Cursor) -> int:
        """How many of the open containers the line goes on; the cursor is behind their marks."""
        for depth, container in enumerate(self.stack):
            at, indent = cursor.indent()
            blank = at == cursor.end
            if not container.width:
                if blank or indent > 3 or self.text[at] != ">":
                    return depth
                self.pass_quote(cursor, at, indent)
            elif blank:
                if container.empty:
                    return depth
            elif indent >= container.width:
                cursor.skip(container.width)
                container.empty = False
            else:
                return depth
        return len(self.stack)

    def pass_quote(self, cursor: Cursor, at: int, indent: int) -> None:
        """Go behind ``>`` and one space."""
        cursor.skip(indent)
        cursor.pass_marker(at + 1)
        if cursor.pos < cursor.end and self.text[cursor.pos] in " \t":
            cursor.skip(1)

    def container(self, cursor: Cursor, *, interrupting: bool) -> _Container | None:
        """The container that begins here, if one does; the cursor is then behind its mark."""
        at, indent = cursor.indent()
        if at == cursor.end or indent > 3:
            return None
        if self.text[at] == ">":
            self.pass_quote(cursor, at, indent)
            return _Container(0)
        note = lines.FOOTNOTE.match(self.text, at, cursor.end)
        if note:
            cursor.skip(indent)
            cursor.pass_marker(note.end())
            return _Container(4)
        return self.item(cursor, at, indent, interrupting=interrupting)

    def item(self, cursor: Cursor, at: int, indent: int, *, interrupting: bool) -> _Container | None:
        """A list item; one that interrupts a paragraph must not be empty, and counts from 1."""
        marker = lines.BULLET.match(self.text, at, cursor.end)
        if marker is None or lines.RULE.match(self.text, at, cursor.end):
            return None
        bare = not self.text[marker.end() : cursor.end].strip(" \t")
        if interrupting and (bare or marker[1] not in (None, "1")):
            return None
        cursor.skip(indent)
        cursor.pass_marker(marker.end())
        after = 1 if bare else cursor.indent()[1]
        after = 1 if after > 4 else after
        cursor.skip(after)
        return _Container(indent + len(marker[0]) + after, empty=bare)

    def leaf(self, cursor: Cursor, depth: int) -> None:
        """What the rest of the line is, behind all marks of containers."""
        at, indent = cursor.indent()
        end = cursor.end
        lazy = depth < len(self.stack)
        if at == end:
            self.close(depth)
        elif self.rows and (indent > 3 or (self.display and not lazy)):
            self.add(cursor, at)
        elif self.rows and not lazy and self.second_line(cursor, at):
            pass
        elif indent > 3:
            self.close(depth)
            cursor.skip(4)
            self.code.append(CodeBlock("", cursor.pos, end, ((cursor.pos, end),)))
        elif not self.other_start(cursor, at, indent, depth):
            self.text_line(cursor, at, depth, lazy=lazy)

    def text_line(self, cursor: Cursor, at: int, depth: int, *, lazy: bool) -> None:
        """A row of the open table, or a line of a paragraph (a lazy one goes on that of a deeper container)."""
        if self.table and not lazy:
            self.table_row(at, cursor.end)
            return
        if not self.rows:
            self.close(depth)
        self.add(cursor, at)

    def add(self, cursor: Cursor, at: int) -> None:
        """A line of the open paragraph."""
        line = self.text[at : cursor.end]
        if self.display:
            self.display = "$$" not in line
        else:
            self.display = line.startswith("$$") and "$$" not in line[2:]
        self.rows.append((at, cursor.end, cursor.start))

    def second_line(self, cursor: Cursor, at: int) -> bool:
        """Whether this line makes the one above it the head of a table, or the paragraph a heading."""
        text, end = self.text, cursor.end
        head, head_end, _ = self.rows[-1]
        if lines.is_columns(text, at, end) and "|" in text[head:head_end]:
            row = lines.cells(text, head, head_end)
            if len(row) == len(lines.cells(text, at, end)):
                self.rows.pop()
                self.close(len(self.stack))
                self.table_row(head, head_end)
                self.table = True
                return True
        if not lines.UNDERLINE.match(text, at, end):
            return False
        before = len(self.prose)
        self.close_paragraph(BlockKind.HEADING)
        return len(self.prose) > before  # else there were only definitions above the line

    def table_row(self, start: int, end: int) -> None:
        """The cells of a row."""
        for cell_start, cell_end in lines.cells(self.text, start, end):
            if cell_start < cell_end:
                self.prose.append(Block(BlockKind.CELL, cell_start, cell_end))
                escaped = self.text.find("\\|", cell_start, cell_end)
                while escaped >= 0:
                    self.masks.append((escaped, escaped + 1, "\0"))
                    escaped = self.text.find("\\|", escaped + 2, cell_end)

    def other_start(self, cursor: Cursor, at: int, indent: int, depth: int) -> bool:
        """Whether a fence, a heading, a rule or an HTML block begins here."""
        text, end = self.text, cursor.end
        if text[at] not in "`~#<*-_":
            return False
        fence = lines.FENCE.match(text, at, end)
        head = lines.heading(text, at, end)
        html = lines.html_start(text, at, end, interrupting=bool(self.rows))
        if not (fence or head or html or lines.RULE.match(text, at, end)):
            return False
        self.close(depth)
        if fence:
            self.verbatim = _Fence(fence[1] or fence[3], indent, (fence[2] or fence[4] or "").strip(), at, end)
        elif head and head[0] < head[1]:
            self.prose.append(Block(BlockKind.HEADING, *head))
        elif html:
            self.verbatim = _Html(html.end, at, end)
            if html.end is not None and html.end.search(text, at, end):
                self.close_verbatim()
        return True

    def verbatim_line(self, leaf: _Fence | _Html, cursor: Cursor) -> None:
        """A line of the open fence or HTML block."""
        at, indent = cursor.indent()
        if isinstance(leaf, _Html):
            self.html_line(leaf, cursor, at)
            return
        line = self.text[at : cursor.end].rstrip(" \t")
        leaf.end = cursor.end
        if indent <= 3 and len(line) >= len(leaf.mark) and not line.strip(leaf.mark[0]):
            self.close_verbatim()
            return
        cursor.skip(min(indent, leaf.indent))
        leaf.rows.append((cursor.pos, cursor.end))

    def html_line(self, leaf: _Html, cursor: Cursor, at: int) -> None:
        if leaf.closing is None and at == cursor.end:
            self.close_verbatim()
            return
        self.mask(cursor.start, at)
        leaf.end = cursor.end
        if leaf.closing is not None and leaf.closing.search(self.text, at, cursor.end):
            self.close_verbatim()

    def mask(self, start: int, end: int) -> None:
        """Hide the marks of containers before the content of a line that goes on a block."""
        if ">" in self.text[start:end]:
            self.masks.append((start, end, " " * (end - start)))

    def close(self, depth: int) -> None:
        """Close the open leaf and the containers beyond ``depth``."""
        self.close_paragraph(BlockKind.PARAGRAPH)
        self.close_verbatim()
        self.table = False
        del self.stack[depth:]

    def close_verbatim(self) -> None:
        """Close the open fence or HTML block."""
        leaf, self.verbatim = self.verbatim, None
        if isinstance(leaf, _Fence):
            self.code.append(CodeBlock(leaf.info, leaf.start, leaf.end, tuple(leaf.rows)))
        elif leaf is not None:
            self.prose.append(Block(BlockKind.HTML, *lines.content(self.text, leaf.start, leaf.end)))

    def close_paragraph(self, kind: BlockKind) -> None:
        """Close the open paragraph: the definitions at its head are no prose."""
        rows, self.rows, self.display = self.rows, [], False
        if not rows:
            return
        for at, _, line in rows[1:]:
            self.mask(line, at)
        start, end = rows[0][0], rows[-1][1]
        if self.text[start] == "[":
            start += self.take_definitions(start, end)
        start, end = lines.content(self.text, start, end)
        if start < end:
            self.prose.append(Block(kind, start, end))

    def take_definitions(self, start: int, end: int) -> int:
        """Read the definitions that a paragraph begins with; how long they are."""
        chars = list(self.text[start:end])
        for mask_start, mask_end, mask in reversed(self.masks):
            if mask_start < start:
                break
            chars[mask_start - start : mask_end - start] = mask
        text, at = "".join(chars), 0
        while found := definition(text, at, len(text)):
            label, target, at = found
            self.definitions.setdefault(label, target.moved(start))
        return at
