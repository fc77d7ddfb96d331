"""Where a fault is, how bad it is, and what to do about it (a leaf: it imports nothing of flopkb)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum


class Severity(Enum):
    """How a finding counts: an error makes ``flopkb check`` exit 1, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, order=True, slots=True)
class Location:
    """A position in a file: line and column count characters from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault: where, which rule, one sentence that says what to do.

    ``quoted`` and ``computed`` are set where the fault is about a number.
    ``length`` is how many characters the fault spans (for the caret line of the text report).
    """

    location: Location
    severity: Severity
    rule: str
    message: str
    quoted: str | None = None
    computed: str | None = None
    length: int = 1
    replacement: str | None = None
    """What to write in place of the ``length`` characters at the location, where that mends the fault."""
    missing: str = field(default="", compare=False)
    """What it names that is not there, so that what names the same can be told together."""

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Path, line, column, rule, message: the order in which findings are reported."""
        where = self.location
        return (where.path, where.line, where.column, self.rule, self.message)


def shortened(text: str, most: int) -> str:
    """The text, its end cut off for an ellipsis where it holds more than ``most`` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def on_one_line(text: str, most: int) -> str:
    """The same of a text whose blanks and line breaks count as single blanks."""
    return shortened(" ".join(with_names(text).split()), most)


_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff]"
)
_WIDE = "[\u00a0\u2000-\u200a\u202f\u205f\u3000]+"
_BLANK = re.compile(rf"(?:(?<=[`'\"])|\A){_WIDE}|{_WIDE}(?=[`'\"]|\Z)")
"""Blanks that nobody sees: those within a text stand where a blank belongs."""


def with_names(text: str) -> str:
    """The text with the names of characters that cannot be seen, or that turn the text around."""
    if text.isascii():
        return text
    return _BLANK.sub(_names, _INVISIBLE.sub(_names, text))


def named_character(character: str) -> str:
    """``U+00A0 no-break space``."""
    return f"U+{ord(character):04X} {unicodedata.name(character, 'control character').lower()}"


def _names(found: re.Match[str]) -> str:
    return "".join(f"<{named_character(character)}>" for character in found[0])
