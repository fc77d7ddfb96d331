"""What is found in prose, and the pieces that a Markdown text is taken apart into; offsets are into the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from flopkb.arithmetic.prose.plain import Mapped
from flopkb.arithmetic.prose.targets import Target, TargetError


# -- Markdown taken apart ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Destination:
    """Where a link leads: the spans of the target (without angle brackets) and of the title, if there is one."""

    start: int
    end: int
    title: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CitedSource:
    """One source of a citation: where its id stands in the group, what leads to it (``@``, ``-@``, ``see @``)."""

    id: str
    start: int
    end: int
    lead: str
    locator: str | None


@dataclass(frozen=True, slots=True)
class Citation:
    """``@id`` within brackets; the offsets are those of the id."""

    id: str
    start: int
    end: int


class PieceKind(Enum):
    """How a piece is rendered."""

    RENDERED = "rendered"
    """As ``MarkupPiece.text``: an entity, a tag (nothing, or a space)."""
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


class MarkupPiece:
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


@dataclass(slots=True, eq=False)
class RawLink:
    """A link of one of flopkb's schemes; ``plain`` is set when it is rendered: where its text is in the plain text.

    ``prose`` says that numbers in its text are bare (a claim vouches for none). ``only`` is the kind of the one piece
    that its text consists of, if it does.
    """

    start: int
    end: int
    inner: int
    target: Destination
    scheme: str | None
    prose: bool
    plain: tuple[int, int] = (0, 0)
    only: PieceKind | None = None


class BlockKind(Enum):
    """What holds a stretch of prose."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CELL = "cell"
    HTML = "html"


@dataclass(slots=True)
class Inlines:
    """What is not seen as it stands in a stretch of prose, in order; all else is text. Offsets are its own."""

    pieces: list[MarkupPiece] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    titles: list[tuple[int, int]] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    tags: list[tuple[int, int]] = field(default_factory=list)
    closed: list[tuple[int, int]] = field(default_factory=list)
    """Where a link cannot stand: in the text of another, in that of an image."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of prose, without white space at its ends, with what is in it; all offsets are into the source."""

    kind: BlockKind
    start: int
    end: int
    inlines: Inlines


@dataclass(frozen=True, slots=True)
class CodeBlock:
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
    code: tuple[CodeBlock, ...]
    definitions: Mapping[str, Destination]


# -- what is found ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Link:
    """``[text](scheme:target)`` with one of flopkb's schemes.

    ``text`` is what a reader sees; in the source it spans ``text_start:text_end`` (within backticks, dollars and
    emphasis), and stands there character for character unless it holds escapes or line breaks. ``start:end`` is the
    whole link. ``target`` is raw; where it is an error, ``parsed`` says why. ``code`` and ``math`` say that the whole
    text is a code span or mathematics. ``plain_start:plain_end`` is the text's place in the plain rendering.
    """

    text: str
    text_start: int
    text_end: int
    start: int
    end: int
    scheme: str
    target: str
    target_start: int
    parsed: Target | TargetError
    code: bool = False
    math: bool = False
    plain_start: int = 0
    plain_end: int = 0


class BareKind(Enum):
    """How a quantity is written that nothing stands behind."""

    NUMBER = "number"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class BareNumber:
    """A number (with sign, currency, suffix; a range is one) or a multiplying word outside links and equations."""

    text: str
    start: int
    end: int
    kind: BareKind
    plain_start: int = field(default=0, compare=False)
    plain_end: int = field(default=0, compare=False)


class EquationKind(Enum):
    """Where an equation stands."""

    CODE = "code"
    MATH = "math"
    DISPLAY = "display"
    FENCE = "fence"


@dataclass(frozen=True, slots=True)
class Equation:
    """A code span, ``$...$``, ``$$...$$`` or a line of a code block that holds an equals sign, ``≈`` or an inequality.

    ``text`` stands at ``start`` character for character (marks of block quotes are spaces). Whether it is an equation
    that can be judged is for the reader of equations to say. ``info`` is the info string of the code block.
    ``plain_end`` is where the plain rendering goes on behind it (-1 for code blocks, which are not in it).
    """

    text: str
    start: int
    end: int
    kind: EquationKind
    info: str = ""
    plain_start: int = -1
    plain_end: int = -1


@dataclass(frozen=True, slots=True)
class TableDirective:
    """A block fenced as ``flopkb-table``: ``body`` is its YAML, each offset of which maps to the source."""

    body: Mapped
    start: int
    end: int
    info: str = ""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A text that was meant to be replaced."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment, marks included."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place that an effect names.

    ``start:end`` is what the effect's words cover in the plain text (for a beginning with ``…``: up to the end of its
    sentence), ``source_start:source_end`` the same in the source. ``links`` lie in the sentences that a whole effect
    touches, or between the beginning and the end of its sentence.
    """

    start: int
    end: int
    source_start: int
    source_end: int
    links: tuple[Link, ...]
