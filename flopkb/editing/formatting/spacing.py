"""Blanks: one behind `:` and `-`, none at the end of a line, no two blank lines in a row, a newline at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.base.document import Document, Mapping, Node, Scalar, Style
from flopkb.base.document import Sequence as ListNode
from flopkb.editing.formatting.numbers import Change
from flopkb.editing.formatting.spans import Spans

_COLON = re.compile(r"[ \t]*:[ \t]*")
_DASH = re.compile(r"(?<![^ \t\n])-([ \t]{2,}|\t)\Z")
_BLOCKS = (Style.LITERAL, Style.FOLDED)


def spacing_changes(node: Node, spans: Spans) -> Iterator[Change]:
    """What changes around the colons and dashes of what is not in brackets."""
    if isinstance(node, Scalar) or spans.is_flow(node):
        return
    if isinstance(node, Mapping):
        for key, value in node:
            yield from _colon(spans.end(key), spans.start(value), value, spans)
            yield from spacing_changes(value, spans)
    else:
        for item in node:
            yield from _dash(item, spans)
            yield from spacing_changes(item, spans)


def _colon(end: int, start: int, value: Node, spans: Spans) -> Iterator[Change]:
    """``key : value`` to ``key: value``; an empty value, or one on the next line, has no blank before it."""
    match = _COLON.match(spans.source, end)
    if match is None or match.end() > start:
        colon = spans.source.index(":", end) if match else end
        if colon > end and not spans.source[end:colon].strip(" \t"):
            yield end, colon + 1, ":"
        return
    same_line = match.end() == start
    wanted = ": " if same_line else ":"
    stop = match.end() if same_line else end + match[0].index(":") + 1
    if spans.source[end:stop] != wanted:
        yield end, stop, wanted


def _dash(item: Node, spans: Spans) -> Iterator[Change]:
    """``-   item`` to ``- item``; a mapping below a dash keeps its column, which its other keys share."""
    start = spans.start(item)
    if (not isinstance(item, Scalar) and not spans.is_flow(item)) or spans.end(item) == start:
        return
    line = spans.places.starts[spans.line(start)]
    match = _DASH.search(spans.source[line:start])
    if match:
        yield line + match.start(), start, "- "


def without_stray_blanks(document: Document) -> str:
    """The source without blanks at the ends of lines and without blank lines that say nothing."""
    kept = set(_kept(document.root, Spans(document)))
    found: list[tuple[str, bool]] = []
    for number, line in enumerate(document.source.removesuffix("\n").split("\n")):
        if number in kept:
            found.append((line, True))
            continue
        text = line.rstrip(" \t\r")
        if text or (found and found[-1][0].strip()):
            found.append((text + ("\r" if line.endswith("\r") else ""), False))
    while found and not found[-1][1] and not found[-1][0].strip():
        found.pop()
    return "".join(f"{line}\n" for line, _ in found)


def _kept(node: Node, spans: Spans) -> Iterator[int]:
    """The lines whose ends belong to a text of several lines."""
    if isinstance(node, Mapping):
        for key, value in node:
            yield from _kept(key, spans)
            yield from _kept(value, spans)
    elif isinstance(node, ListNode):
        for item in node:
            yield from _kept(item, spans)
    else:
        first, last = spans.line(spans.start(node)), spans.line(spans.end(node))
        yield from range(first + 1, last + 1) if node.style in _BLOCKS else range(first, last)
