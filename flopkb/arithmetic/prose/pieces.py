"""A Markdown text taken apart: its stretches of prose, and in each what is not seen as it stands in the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a link leads: the spans of the target (without angle brackets) and of the title, if there is one."""

    start: int
    end: int
    title: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """``@id`` within brackets; the offsets are those of the id."""

    id: str
    start: int
    end: int


class PieceKind(Enum):
    """How a piece is rendered."""

    RENDERED = "rendered"
    """As ``Piece.text``: an entity, a tag (nothing, or a space)."""
    EMPHASIS = "emphasis"
    """Not seen; where it stands within a word, the word falls apart."""
    CODE = "code"
    MATH = "math"
    DISPLAY = "display"
    """Mathematics between ``$$``."""
    URL = "url"
    """An autolink: seen, but no prose."""
    CITATION = "citation"
    """Not seen, and the space before it neither."""
    OPEN = "open"
    """The bracket before the text of a link: not seen."""
    CLOSE = "close"
    """What follows the text of a link: not seen."""


class Piece:
    """``source[start:end]``, of which ``source[inner_start:inner_end]`` is seen of code and mathematics."""

    __slots__ = ("end", "inner_end", "inner_start", "kind", "link", "start", "text")

    def __init__(self, kind: PieceKind, start: int, end: int, text: str = "", inner: int = 0) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.inner_start = start + inner
        self.inner_end = end - inner
        self.link: RawLink | None = None


class RawLink:
    """A link of one of flopkb's schemes; ``plain`` is set when it is rendered: where its text is in the plain text.

    ``prose`` says that numbers in its text are bare (a claim vouches for none). ``only`` is the kind of the one piece
    that its text consists of, if it does.
    """

    __slots__ = ("end", "inner", "only", "plain", "prose", "scheme", "start", "target")

    def __init__(self, start: int, end: int, inner: int, target: Destination, scheme: str | None, prose: bool) -> None:
        self.start = start
        self.end = end
        self.inner = inner
        self.target = target
        self.scheme = scheme
        self.prose = prose
        self.plain = (0, 0)
        self.only: PieceKind | None = None


class BlockKind(Enum):
    """What holds a stretch of prose."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CELL = "cell"
    HTML = "html"


@dataclass(slots=True)
class Inlines:
    """What is not seen as it stands in a stretch of prose, in order; all else is text. Offsets are its own."""

    pieces: list[Piece] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    titles: list[tuple[int, int]] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    tags: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of prose, without white space at its ends, with what is in it; all offsets are into the source."""

    kind: BlockKind
    start: int
    end: int
    inlines: Inlines


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced block, or an indented one (without ``info``); ``rows`` are its lines without their indentation."""

    info: str
    start: int
    end: int
    rows: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MarkdownText:
    """A Markdown text with its places."""

    masked: str = field(repr=False)
    prose: tuple[Stretch, ...]
    code: tuple[Code, ...]
    definitions: Mapping[str, Destination]
