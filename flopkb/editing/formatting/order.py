"""The order of keys in mappings with a key to a line: that of the schema, comments going with their keys."""

from __future__ import annotations

from dataclasses import dataclass

from flopkb.base.document import Document, Mapping, Node, Scalar
from flopkb.base.schema.files import SchemaPart
from flopkb.editing.formatting.shape import ordered, parts
from flopkb.editing.formatting.spans import Spans, children

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
