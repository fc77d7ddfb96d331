"""The nodes of a record: where each begins and ends in the text of its file, and what the schema says of it.

The tree has the place of every node's first character; the last one is found here by reading on: to the closing quote,
the closing bracket, the last indented line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from flopkb.base.document import Document, Mapping, Node, Scalar, Sequence, Style, children
from flopkb.base.schema.files import SchemaPart, kind_schema, schema_file
from flopkb.base.schema.validate import kind_of
from flopkb.base.writing import SourceMap

_SINGLE = re.compile(r"(?:''|[^'])*'")
_DOUBLE = re.compile(r'(?:\\.|[^"\\])*"', re.DOTALL)
_FILLING = re.compile(r"(?:[\s,]|(?<=\s)#[^\n]*)*")
"""What may stand between the items of a list in brackets: blanks, commas, comments."""


class Spans:
    """The spans of a document's nodes, as offsets in its source."""

    def __init__(self, document: Document) -> None:
        self.source = document.source
        self.root = document.root
        self.places = SourceMap(document.source)

    def start(self, node: Node) -> int:
        """The offset of the node's first character."""
        return self.places.offset(node.location)

    def line(self, offset: int) -> int:
        """The line that holds an offset, counted from 0."""
        return self.places.line(offset) - 1

    def column(self, node: Node) -> int:
        """How many characters stand before the node on its line."""
        return node.location.column - 1

    def is_flow(self, node: Node) -> bool:
        """Whether a list or mapping is written in brackets."""
        return not isinstance(node, Scalar) and self.source[self.start(node)] in "[{"

    def end(self, node: Node) -> int:
        """The offset behind the node's last character (of a block: of its last line that holds anything)."""
        if isinstance(node, Scalar):
            return self._scalar_end(node)
        if self.is_flow(node):
            return self._flow_end(node)
        below = list(children(node))
        return max(self.start(node), *(self.end(child) for child in below)) if below else self.start(node)

    def written(self, node: Node) -> str:
        """The node as it stands in the file."""
        return self.source[self.start(node) : self.end(node)]

    def _scalar_end(self, node: Scalar) -> int:
        start = self.start(node)
        if node.style is Style.SINGLE:
            return _matched(_SINGLE, self.source, start + 1)
        if node.style is Style.DOUBLE:
            return _matched(_DOUBLE, self.source, start + 1)
        if node.style is Style.PLAIN:
            return self.places.offset(node.at(len(node.text) - 1)) + 1 if node.text else start
        return self._block_end(node)

    def _block_end(self, node: Scalar) -> int:
        """The end of the last line of a `|` or `>` text, with the blank lines that `+` keeps."""
        content = node.text.rstrip("\n")
        header = self.line(self.start(node))
        last = self.line(self.places.offset(node.at(len(content) - 1))) if content else header
        if self.keeps_blanks(node):
            while self._has_line(last + 1) and not self.row(last + 1).strip():
                last += 1
        return self.places.starts[last] + len(self.row(last).removesuffix("\r"))

    def _has_line(self, line: int) -> bool:
        """Whether the file has a line of that number; what follows its last newline is none."""
        starts = self.places.starts
        return line < len(starts) and starts[line] < len(self.source)

    def keeps_blanks(self, node: Scalar) -> bool:
        """Whether blank lines below a text belong to it: `|+`."""
        header = self.row(self.line(self.start(node)))[self.column(node) :].split("#")[0]
        return node.style in (Style.LITERAL, Style.FOLDED) and "+" in header

    def _flow_end(self, node: Mapping | Sequence) -> int:
        at = max((self.end(child) for child in children(node)), default=self.start(node) + 1)
        colon = re.compile(r"(?:\s|(?<=\s)#[^\n]*)*:").match(self.source, at)
        if colon and isinstance(node, Mapping):  # the last value is empty
            at = colon.end()
        return _matched(_FILLING, self.source, at) + 1

    def row(self, line: int) -> str:
        """A line (counted from 0) without its newline."""
        starts = self.places.starts
        stop = starts[line + 1] - 1 if line + 1 < len(starts) else len(self.source)
        return self.source[starts[line] : stop]


def _matched(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    assert match is not None, (pattern.pattern, text[at : at + 40])
    return match.end()


_LETTER_FOR_LETTER = "as_printed"
"""The key under which stands what a source prints: nothing in there is touched."""


@cache
def _amount_pattern() -> str:
    pattern: str = schema_file("common")["$defs"]["amount"]["pattern"]
    return pattern


def parts(document: Document) -> Iterator[tuple[Node, SchemaPart]]:
    """Every node that the schema of the record's kind knows, with its part of the schema, outer nodes first."""
    kind = kind_of(document)
    if kind is not None:
        yield from _below(document.root, kind_schema(kind))


def _below(node: Node, part: SchemaPart) -> Iterator[tuple[Node, SchemaPart]]:
    yield node, part
    if isinstance(node, Sequence):
        for item in node:
            yield from _below(item, part.get("items", {}))
    elif isinstance(node, Mapping):
        for key, value in node:
            if key.text != _LETTER_FOR_LETTER:
                yield from _below(value, part_of(part, key.text))


def part_of(part: SchemaPart, key: str) -> SchemaPart:
    """The part of the schema for the value under a key."""
    found = part.get("properties", {}).get(key) or part.get("additionalProperties") or {}
    return found if isinstance(found, dict) else {}


def ordered(keys: list[str], part: SchemaPart) -> list[str]:
    """The keys in the order of the schema; as they are where it fixes none, or where one of them is unknown to it."""
    known = list(part.get("properties", ()))
    if not set(keys) <= set(known):
        return keys
    return sorted(keys, key=known.index)


def is_amount(part: SchemaPart) -> bool:
    """Whether a text here is a number with its unit."""
    return bool(part.get("pattern") == _amount_pattern())


def is_prose(part: SchemaPart) -> bool:
    """Whether a text here is Markdown."""
    return part.get("contentMediaType") == "text/markdown"


def is_number(node: Node, part: SchemaPart) -> bool:
    """Whether a node is a number, where the schema allows one."""
    kinds = part.get("type", ())
    allowed = {kinds} if isinstance(kinds, str) else set(kinds)
    numeric = isinstance(node, Scalar) and not isinstance(node.value, (str, bool, type(None)))
    return numeric and bool(allowed & {"number", "integer"})
