"""Where a fault is, how bad it is, and what to do about it (a leaf: it imports nothing of flopkb)."""

from __future__ import annotations

from dataclasses import dataclass
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
    return shortened(" ".join(text.split()), most)
