"""The pieces that inline reading cuts a stretch of prose into."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from flopkb.prose.destinations import Destination


class PieceKind(Enum):
    """How a piece is rendered."""

    TEXT = "text"
    """As it stands."""
    RENDERED = "rendered"
    """As ``Piece.text``: an entity, a tag (nothing, or a space)."""
    DELIMITER = "delimiter"
    """Emphasis: what is left of it after pairing stands in the text."""
    CODE = "code"
    MATH = "math"
    URL = "url"
    """An autolink: seen, but no prose."""
    CITATION = "citation"
    """Not seen, and the space before it neither."""


@dataclass(slots=True)
class Piece:
    """``source[start:end]``; a delimiter shrinks when it is used up.

    ``linked``: within the text of a link to a figure, fact, input or literal. ``display``: mathematics between ``$$``.
    """

    kind: PieceKind
    start: int
    end: int
    text: str = ""
    linked: bool = False
    display: bool = False


@dataclass(frozen=True, slots=True)
class RawLink:
    """A link by its places: ``first`` and ``last`` delimit its text among the pieces (``last`` is behind it)."""

    start: int
    end: int
    inner: int
    first: int
    last: int
    target: Destination
    scheme: str
