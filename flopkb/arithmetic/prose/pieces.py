"""What inline reading finds in a stretch of prose that is not seen as it stands in the source."""

from __future__ import annotations

from enum import Enum

from flopkb.arithmetic.prose.destinations import Destination


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
