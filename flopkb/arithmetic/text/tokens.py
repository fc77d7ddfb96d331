"""What a document is read into: tokens that keep their place (a leaf of the scanner)."""

from __future__ import annotations

from enum import Enum, auto
from fractions import Fraction
from typing import NamedTuple


class Kind(Enum):
    """What a token is to the grammar."""

    NUMBER = auto()
    WORD = auto()
    OPERATOR = auto()
    """``+ - * / // ^``"""
    RELATION = auto()
    """``=`` or ``≈``; ``~`` where it is only a tilde"""
    ORDER = auto()
    """an inequality: it parts sides, and is not judged"""
    OPEN = auto()
    CLOSE = auto()
    PERCENT = auto()
    CURRENCY = auto()
    FUNCTION = auto()
    """``frac``, ``sqrt``: LaTeX commands with arguments in braces, and ``√``"""
    TILDE = auto()
    PUNCTUATION = auto()
    """parts one phrase from the next"""
    BREAK = auto()
    """parts one block from the next"""
    OPAQUE = auto()
    """dates, versions, addresses, torn numbers: nothing beside them is read"""
    NEWLINE = auto()
    MARK = auto()
    """emphasis, braces of styles and the like, until they are resolved"""
    STYLE = auto()
    DROP = auto()
    LINK = auto()


class Token(NamedTuple):
    """``start`` and ``end`` are offsets into the document; ``gap`` says whether white space stands before it.

    A number carries its value, the value of its last written digit and that of its last digit that is not zero.
    ``note`` keeps what the grammar needs of the writing: ``power`` (a power of ten), ``sci`` (with ``×10^k``),
    ``raw`` (an ASCII star), ``dash`` (a typographic dash).
    """

    kind: Kind
    text: str
    start: int
    end: int
    gap: bool = False
    value: Fraction | None = None
    place: Fraction | None = None
    nonzero: Fraction | None = None
    note: str = ""
