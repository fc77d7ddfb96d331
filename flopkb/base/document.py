"""A YAML file as a tree of frozen nodes, each with its position (a leaf)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location

Plain = None | bool | int | Fraction | str


class Style(Enum):
    """How a scalar is written in the file."""

    PLAIN = "plain"
    SINGLE = "single-quoted"
    DOUBLE = "double-quoted"
    LITERAL = "literal"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Segment:
    """From ``offset`` in the value on, characters stand side by side in the file from ``line``:``column`` on."""

    offset: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Scalar:
    """A leaf of the tree.

    ``value`` is the YAML 1.2 value (a number is an int or an exact Fraction), ``text`` the string it was written as
    (``3.350`` stays ``3.350``; escapes of quoted scalars are resolved), ``segments`` map offsets in ``text`` to the file.
    """

    location: Location
    value: Plain
    text: str
    style: Style = Style.PLAIN
    segments: tuple[Segment, ...] = field(default=(), compare=False, repr=False)

    def whole(self, record: str) -> tuple[Location, str, int]:
        """Where a fault on the whole text stands, in ``record``."""
        return self.location, record, len(self.text)

    def at(self, offset: int) -> Location:
        """The place in the file of the character at ``offset`` of ``text``."""
        index = bisect_right(self.segments, offset, key=lambda s: s.offset) - 1
        if index < 0:
            return self.location
        segment = self.segments[index]
        return Location(self.location.path, segment.line, segment.column + offset - segment.offset)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A YAML list."""

    location: Location
    items: tuple[Node, ...]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class Mapping:
    """A YAML mapping, in the order of the file; its keys are scalars with positions of their own."""

    location: Location
    entries: tuple[tuple[Scalar, Node], ...]

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.entries)

    def get(self, key: str) -> Node | None:
        """The value under ``key``, or None."""
        return next((value for name, value in self.entries if name.text == key), None)

    def key(self, key: str) -> Scalar | None:
        """The key node itself (for its position), or None."""
        return next((name for name, _ in self.entries if name.text == key), None)


Node = Scalar | Sequence | Mapping


@dataclass(frozen=True, slots=True)
class Document:
    """One file: its path as reported, its whole text, and its tree."""

    path: str
    source: str = field(repr=False, compare=False)
    root: Mapping


def extent(root: Mapping, path: str) -> tuple[Location, Location | None] | None:
    """Where the entry at a dotted path begins, and where what follows it does (None: nothing); None if there is none."""
    node: Node = root
    start, end = root.location, None
    for part in path.split("."):
        entries = node.entries if isinstance(node, Mapping) else ()
        at = next((i for i, (name, _) in enumerate(entries) if name.text == part), None)
        if at is None:
            return None
        start, node = entries[at][0].location, entries[at][1]
        end = entries[at + 1][0].location if at + 1 < len(entries) else end
    return start, end


def plain(node: Node) -> object:
    """The node as plain Python data (dicts, lists, scalars), as a JSON Schema validator wants it."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, keys too, in the order of the file."""
    if isinstance(node, Sequence):
        yield from node.items
    elif isinstance(node, Mapping):
        for entry in node.entries:
            yield from entry


def scalars(node: Node) -> Iterator[Scalar]:
    """Every scalar of a tree, keys too, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
    for child in children(node):
        yield from scalars(child)


def folded(name: str) -> str:
    """A name without what people write differently: ``Llama-3-8B`` and ``llama_3_8b`` are both ``llama38b``."""
    return "".join(c for c in name.casefold() if c.isalnum())
