"""The Markdown that a template gives: marks stand in it for document objects, every character knows its place.

A mark is three characters of Unicode's private use area, so that no digit or letter of it is ever read as prose.
Beside it: the faults that stop a render, with their place in the template.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Scalar, Segment, Style

MOST_WRITTEN = 500_000
OBJECT, TEXT = "\ue000", "\ue001"
_FIRST, _BASE = 0xE100, 4096
MARK = re.compile("[\ue000\ue001][\ue100-\uf0ff][\ue100-\uf0ff]")
STRAY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]")
"""Characters that no text of a template may hold: a mark must not be forged."""

MOST = _BASE * _BASE


def mark(kind: str, index: int) -> str:
    """The mark of the object (or the text) with this number."""
    high, low = divmod(index, _BASE)
    return kind + chr(_FIRST + high) + chr(_FIRST + low)


def index_of(written: str) -> int:
    """The number behind a mark."""
    return (ord(written[1]) - _FIRST) * _BASE + ord(written[2]) - _FIRST


@dataclass(slots=True)
class WrittenPiece:
    """A stretch of the text that the template gives: where it stands in the template, and the text."""

    text: str
    offset: int


_NEAR = 4000
"""How far behind the beginning of a call its texts are looked for."""


@dataclass(slots=True)
class Expanded:
    """``text`` holds the marks of objects; ``places`` are (offset in the text, offset in the template, whether it
    runs on with the template)."""

    text: str
    places: list[tuple[int, int, bool]] = field(repr=False)

    def offset(self, at: int) -> int:
        """The place in the template of a character of the text."""
        index = bisect_right(self.places, at, key=lambda place: place[0]) - 1
        if index < 0:
            return 0
        start, offset, runs = self.places[index]
        return offset + (at - start if runs else 0)


def expand(marked: str, pieces: Sequence[WrittenPiece], template: str) -> Expanded:
    """The text with the marks of texts replaced by them; marks of objects stay.

    Raises :class:`TemplateFault` where it grows too long.
    """
    parts: list[str] = []
    places: list[tuple[int, int, bool]] = []
    at = 0
    for m in MARK.finditer(marked):
        if m[0][0] == TEXT:
            piece = pieces[index_of(m[0])]
            part, offset = piece.text, piece.offset
            runs = template.startswith(part, offset)
            words = part.strip()
            found = template.find(words, offset, offset + _NEAR + len(words)) if words and not runs else -1
            if found >= 0:  # a text given to a function, as a caption is: its words have a place of their own
                lead = part.index(words)
                places.append((at, offset, False))
                places.append((at + lead, found, True))
                places.append((at + lead + len(words), offset, False))
                parts.append(part)
                at += len(part)
                continue
        else:
            part, offset, runs = m[0], -1, False
        places.append((at, offset, runs))
        parts.append(part)
        at += len(part)
        if at > MOST_WRITTEN:
            raise TemplateFault(f"the template writes more than {MOST_WRITTEN:,} characters", 0)
    return Expanded("".join(parts), places)


def placed(expanded: Expanded, objects: Sequence[tuple[object, int]]) -> Expanded:
    """The same, with objects at their places."""
    found = []
    for start, offset, runs in expanded.places:
        if start >= len(expanded.text):
            continue
        own = offset if offset >= 0 else objects[index_of(expanded.text[start : start + 3])][1]
        found.append((start, own, runs))
    return Expanded(expanded.text, found)


def scalar(expanded: Expanded, template: str, path: str) -> Scalar:
    """The text as prose of a file: every character at the line and column of the template where it comes from."""
    lines = [0]
    for index, character in enumerate(template):
        if character == "\n":
            lines.append(index + 1)
    segments: list[Segment] = []
    ends = [place[0] for place in expanded.places[1:]] + [len(expanded.text)][: len(expanded.places)]
    for (start, offset, runs), end in zip(expanded.places, ends, strict=True):
        row = bisect_right(lines, offset) - 1
        column = offset - lines[row] + 1
        segments.append(Segment(start, row + 1, column))
        if not runs:
            segments.extend(Segment(at, row + 1, column) for at in range(start + 1, end))
        newline = expanded.text.find("\n", start, end)
        while newline >= 0 and runs:
            row += 1
            segments.append(Segment(newline + 1, row + 1, 1))
            newline = expanded.text.find("\n", newline + 1, end)
    return Scalar(Location(path, 1, 1), expanded.text, expanded.text, Style.LITERAL, tuple(segments))


@dataclass(frozen=True, slots=True)
class TemplateFault(Exception):
    """A fault of a template: ``offset`` counts characters of its text from 0, ``rule`` names the kind of fault."""

    reason: str
    offset: int
    rule: str = "template"

    def __str__(self) -> str:
        return self.reason


class Bad(Exception):
    """A function of the document API cannot do what it is asked; ``inside`` is where in its first text argument.

    ``argument`` is the number of the argument at fault (None: the call as a whole); ``words`` are what stands in a cell
    of a table where a formula does not apply.
    """

    def __init__(
        self, reason: str, argument: int | None = None, inside: int = 0, rule: str = "template", words: str = ""
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.argument = argument
        self.inside = inside
        self.rule = rule
        self.words = words


def place(source: str, offset: int, path: str) -> Location:
    """The line and column (from 1) of a character of the template."""
    offset = max(0, min(offset, len(source)))
    line = source.count("\n", 0, offset) + 1
    return Location(path, line, offset - (source.rfind("\n", 0, offset) + 1) + 1)
