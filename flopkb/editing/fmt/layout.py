"""What is moved between lines: lists and mappings in brackets, and the order of keys.

Brackets stand on the line of their key while they fit, otherwise an entry to a line; one that holds a comment, a text of
several lines or an empty value is left as it is. Keys stand in the order of the schema, comments going with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.base.document import Document, Mapping, Node, Scalar, children, scalars
from flopkb.base.document import Sequence as ListNode
from flopkb.base.schema.files import SchemaPart
from flopkb.base.writing import Change
from flopkb.editing.fmt.nodes import Spans, ordered, part_of, parts

WIDTH = 120
"""Lines of a record hold at most this many characters."""

_KEY_ABOVE = re.compile(r":[ \t]*\r?\n[ \t]*\Z")
_REST = re.compile(r"[ \t\r]*(#[^\n]*)?(?=\n|\Z)")
_BETWEEN = re.compile(r"[\s,:{}\[\]]*")


def flow_changes(root: Node, part: SchemaPart, spans: Spans, newline: str) -> Iterator[Change]:
    """What changes in the file for the outermost lists and mappings in brackets to be in the usual style."""
    if isinstance(root, ListNode):
        for item in root:
            yield from _child(item, None, part.get("items", {}), spans, newline)
    elif isinstance(root, Mapping):
        for key, value in root:
            yield from _child(value, key, part_of(part, key.text), spans, newline)


def _child(node: Node, key: Scalar | None, part: SchemaPart, spans: Spans, newline: str) -> Iterator[Change]:
    if isinstance(node, Scalar):
        return
    if not spans.is_flow(node):
        yield from flow_changes(node, part, spans, newline)
        return
    change = _placed(node, key, part, spans, newline) if is_plain(node, spans) else None
    if change is not None and spans.source[change[0] : change[1]] != change[2]:
        yield change


def is_plain(node: Node, spans: Spans) -> bool:
    """Whether nothing in brackets needs a hand of its own: no comment, no text of several lines, no empty value."""
    at = spans.start(node)
    for leaf in scalars(node):
        start, end = spans.start(leaf), spans.end(leaf)
        if start == end or "\n" in spans.source[start:end] or not _BETWEEN.fullmatch(spans.source, at, start):
            return False
        at = end
    return _BETWEEN.fullmatch(spans.source, at, spans.end(node)) is not None


def _placed(node: Node, key: Scalar | None, part: SchemaPart, spans: Spans, newline: str) -> Change | None:
    """The node on the line of its key or dash, or broken up below it; None where neither is safe."""
    start, end = spans.start(node), spans.end(node)
    rest = _REST.match(spans.source, end)
    if rest is None:
        return None  # something else follows on the line
    above = _KEY_ABOVE.search(spans.source, spans.end(key), start) if key is not None else None
    if above is not None:
        start = above.start() + 1
    line_start = spans.places.starts[spans.line(start)]
    before = spans.source[line_start:start] + (" " if above else "")
    text = one_line(node, part, spans)
    if len(before) + len(text) <= WIDTH:
        return start, end, f" {text}" if above else text
    alone = above is None and not before.strip()
    if rest[1] or alone or (key is None and isinstance(node, ListNode)):
        return None
    if key is None:
        lines = _Broken(spans, newline).entries(node, part, len(before))
        return start, end, newline.join(lines).lstrip(" ")
    lines = _Broken(spans, newline).entries(node, part, spans.column(key) + 2)
    return (start if above else _trimmed(spans.source, start)), end, newline.join(["", *lines])


def _trimmed(source: str, at: int) -> int:
    """The offset without the blanks before it."""
    while source[at - 1] in " \t":
        at -= 1
    return at


def one_line(node: Node, part: SchemaPart, spans: Spans) -> str:
    """The node in brackets on one line, its keys in the order of the schema."""
    if isinstance(node, Scalar):
        return spans.written(node)
    if isinstance(node, ListNode):
        return f"[{', '.join(one_line(item, part.get('items', {}), spans) for item in node)}]"
    return f"{{{', '.join(_pair(key, value, part, spans) for key, value in in_order(node, part))}}}"


def _pair(key: Scalar, value: Node, part: SchemaPart, spans: Spans) -> str:
    return f"{spans.written(key)}: {one_line(value, part_of(part, key.text), spans)}"


def in_order(node: Mapping, part: SchemaPart) -> list[tuple[Scalar, Node]]:
    """The entries of a mapping in the order of the schema."""
    entries = {key.text: (key, value) for key, value in node}
    return [entries[name] for name in ordered(list(entries), part)]


@dataclass(frozen=True, slots=True)
class _Broken:
    """Writes what was in brackets with an entry to a line; what fits into a line stays in brackets."""

    spans: Spans
    newline: str

    def entries(self, node: Node, part: SchemaPart, indent: int) -> Iterator[str]:
        """The lines of a mapping or list whose entries begin at a column."""
        assert not isinstance(node, Scalar)
        blank = " " * indent
        if isinstance(node, ListNode):
            for item in node:
                yield from self.item(item, part.get("items", {}), f"{blank}- ")
            return
        for key, value in in_order(node, part):
            below = part_of(part, key.text)
            line = f"{blank}{_pair(key, value, part, self.spans)}"
            if len(line) <= WIDTH or isinstance(value, Scalar):
                yield line
            else:
                yield f"{blank}{self.spans.written(key)}:"
                yield from self.entries(value, below, indent + 2)

    def item(self, node: Node, part: SchemaPart, lead: str) -> Iterator[str]:
        """The lines of one item of a list."""
        line = lead + one_line(node, part, self.spans)
        if len(line) <= WIDTH or not isinstance(node, Mapping):
            yield line
        else:
            first, *others = self.entries(node, part, len(lead))
            yield lead + first.lstrip(" ")
            yield from others


_MODELINE = "yaml-language-server"


@dataclass(frozen=True, slots=True)
class _Entry:
    """The lines of one key: from the comments above it (``top``) over its own to deeper comments below (``stop``)."""

    name: str
    top: int
    first: int
    stop: int


Lines = list[str | None]
"""The lines of a file; None is one that was taken out, so that the others keep their numbers."""


def in_schema_order(document: Document) -> str:
    """The source with the keys of every such mapping in the order of the schema."""
    spans = Spans(document)
    lines: Lines = list(document.source.split("\n"))
    for node, part in reversed(list(parts(document))):  # inner ones first: lines then move within those of outer ones
        if isinstance(node, Mapping) and not spans.is_flow(node):
            _rearrange(node, part, spans, lines)
    return "\n".join(line for line in lines if line is not None)


def _rearrange(node: Mapping, part: SchemaPart, spans: Spans, lines: Lines) -> None:
    """Moves the lines of a mapping's entries within ``lines``, unless a comment would have no place."""
    names = [key.text for key, _ in node]
    wanted = ordered(names, part)
    if wanted == names:
        return
    entries = _entries(node, spans, lines)
    first, last = entries[0], entries[-1]
    column = spans.column(node)
    chunks = {entry.name: lines[entry.top : entry.stop] for entry in entries}
    top = lines[first.first] or ""
    lead = top[:column]
    chunks[first.name][first.first - first.top] = " " * column + top[column:]
    moved: Lines = []
    for name in wanted:
        # Nothing is to stand above the first key; a text that keeps its blank lines would keep those of the next key too.
        apart = moved and not _keeps_blanks(node.get(wanted[wanted.index(name) - 1]), spans)
        moved += chunks[name] if apart else _without_blanks(chunks[name])
    start = next(number for number, line in enumerate(moved) if line is not None)
    if lead.strip():  # behind a dash
        if _is_comment(moved[start]):
            return
        moved[start] = lead + (moved[start] or "")[column:]
    lines[first.top : last.stop] = moved


def _without_blanks(lines: Lines) -> Lines:
    """The lines without the blank ones at the top."""
    start = next(number for number, line in enumerate(lines) if line is not None and line.strip())
    return [None] * start + lines[start:]


def _keeps_blanks(node: Node | None, spans: Spans) -> bool:
    """Whether a node ends with a text to which blank lines below it belong."""
    last = node
    while last is not None and not isinstance(last, Scalar):
        *_, last = children(last)
    return last is not None and spans.keeps_blanks(last)


def _entries(node: Mapping, spans: Spans, lines: Lines) -> list[_Entry]:
    column = spans.column(node)
    starts = [spans.line(spans.start(key)) for key, _ in node]
    tops = [_top_of_first(starts[0], column, lines)]
    stops = []
    for (key, value), following in zip(node, [*starts[1:], len(lines)], strict=True):
        own = spans.line(max(spans.end(key), spans.end(value))) + 1
        stops.append(_below(own, following, column, lines))
    tops += stops[:-1]
    names = [key.text for key, _ in node]
    return [_Entry(*entry) for entry in zip(names, tops, starts, stops, strict=True)]


def _top_of_first(first: int, column: int, lines: Lines) -> int:
    """The first of the comment lines that stand directly above a mapping's first key; the modeline is none of them."""
    top = first
    if (lines[first] or "")[:column].strip():
        return top
    while top > 0 and _is_comment(lines[top - 1]) and _indent(lines[top - 1]) == column:
        if _MODELINE in (lines[top - 1] or ""):
            break
        top -= 1
    return top


def _below(start: int, stop: int, column: int, lines: Lines) -> int:
    """The line behind the comments below an entry that are indented further than its key."""
    end = start
    for number in range(start, stop):
        line = lines[number]
        if _is_comment(line) and _indent(line) > column:
            end = number + 1
        elif line is not None and line.strip():
            break
    return end


def _is_comment(line: str | None) -> bool:
    return line is not None and line.lstrip().startswith("#")


def _indent(line: str | None) -> int:
    return len(line) - len(line.lstrip(" ")) if line is not None else 0
