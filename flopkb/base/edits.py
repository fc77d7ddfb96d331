"""Changes to the text of a file, given by places in the scalars that a reader sees."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Document, Node, Scalar
from flopkb.base.document import Sequence as ListNode


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` takes the place of the characters ``start:end`` of a scalar's text.

    ``note`` says for a person what changes: ``296x -> 295x``.
    """

    scalar: Scalar = field(repr=False)
    start: int
    end: int
    text: str
    note: str = field(default="", compare=False)

    @property
    def path(self) -> str:
        """The file, as reported."""
        return self.scalar.location.path

    @property
    def location(self) -> Location:
        """Where the change begins."""
        return self.scalar.at(self.start)

    @property
    def old(self) -> str:
        """What is replaced."""
        return self.scalar.text[self.start : self.end]


def narrowest(scalar: Scalar, start: int, end: int, text: str) -> Edit:
    """The edit without the characters that stay the same at both ends."""
    old = scalar.text[start:end]
    head = 0
    while head < min(len(old), len(text)) and old[head] == text[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(text)) - head and old[-1 - tail] == text[-1 - tail]:
        tail += 1
    return Edit(scalar, start + head, end - tail, text[head : len(text) - tail])


class SourceMap:
    """Offsets of places in a file's source (every character of it, a byte order mark too)."""

    def __init__(self, source: str) -> None:
        self.mark = 1 if source.startswith("\ufeff") else 0
        self.starts = [0]
        at = source.find("\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = source.find("\n", at + 1)

    def offset(self, where: Location) -> int:
        """The offset of a place."""
        return self.starts[where.line - 1] + where.column - 1 + (self.mark if where.line == 1 else 0)

    def line(self, offset: int) -> int:
        """The line (from 1) that holds an offset."""
        return bisect_right(self.starts, offset)

    def span(self, edit: Edit) -> tuple[int, int]:
        """Where an edit stands in the source."""
        start = self.offset(edit.scalar.at(edit.start))
        return start, max(start, self.offset(edit.scalar.at(edit.end))) if edit.end > edit.start else start


def applied(source: str, edits: Iterable[Edit]) -> str:
    """The source with the edits made; one that overlaps an earlier one is left out."""
    places = SourceMap(source)
    spans = sorted(((*places.span(edit), edit.text) for edit in edits), key=lambda span: span[:2])
    parts, at = [], 0
    for start, end, text in spans:
        if start >= at:
            parts += [source[at:start], text]
            at = end
    return "".join([*parts, source[at:]])


def as_intended(old: Document, new: Document, edits: Sequence[Edit]) -> bool:
    """Whether the new file reads as the old one with nothing changed but what the edits say."""
    before, after = list(scalars(old.root)), list(scalars(new.root))
    if len(before) != len(after):
        return False
    return all(a.style is b.style and _edited(a, edits) == b.text for a, b in zip(before, after, strict=True))


def _edited(scalar: Scalar, edits: Sequence[Edit]) -> str:
    text = scalar.text
    own = [edit for edit in edits if edit.scalar.location == scalar.location]
    for edit in sorted(own, key=lambda e: (e.start, e.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def scalars(node: Node) -> Iterator[Scalar]:
    """Every scalar of a tree, keys too, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, ListNode):
        for item in node:
            yield from scalars(item)
    else:
        for key, value in node:
            yield key
            yield from scalars(value)
