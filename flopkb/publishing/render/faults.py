"""What stops a render: a fault with the place in the template that it is about (a leaf of this package)."""

from __future__ import annotations

from dataclasses import dataclass

from flopkb.arithmetic.diagnostics import Location


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

    ``argument`` is the number of the argument at fault (None: the call as a whole).
    """

    def __init__(self, reason: str, argument: int | None = None, inside: int = 0, rule: str = "template") -> None:
        super().__init__(reason)
        self.reason = reason
        self.argument = argument
        self.inside = inside
        self.rule = rule


def place(source: str, offset: int, path: str) -> Location:
    """The line and column (from 1) of a character of the template."""
    offset = max(0, min(offset, len(source)))
    line = source.count("\n", 0, offset) + 1
    return Location(path, line, offset - (source.rfind("\n", 0, offset) + 1) + 1)
