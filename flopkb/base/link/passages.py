"""Prose that was read, and the links in it with what they stand for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.units import Unit
from flopkb.base.document import Scalar
from flopkb.base.faults import Fault
from flopkb.base.link.tables import Table
from flopkb.base.link.targets import Computation, FactTarget, FigureTarget, InputTarget, QuoteTarget
from flopkb.base.model import Prose

if TYPE_CHECKING:
    from flopkb.arithmetic.prose import Link, ProseReading


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A prose field of a record (or a whole document), read."""

    holder: str
    prose: Prose
    reading: ProseReading = field(repr=False)
    quotes: tuple[Quote, ...] = field(default=(), repr=False)
    faults: tuple[Fault, ...] = ()
    """What is wrong with its citations and tables."""
    tables: tuple[Table, ...] = field(default=(), repr=False)

    @property
    def scalar(self) -> Scalar:
        """The text with its places in the file."""
        return self.prose.scalar


@dataclass(frozen=True, slots=True)
class Quote:
    """One link: ``target`` is what it stands for, or what is wrong with it. ``points`` are the points that it names."""

    holder: str
    scalar: Scalar = field(repr=False)
    link: Link
    target: QuoteTarget | Fault
    field: str = ""
    """The prose field of the record that it stands in."""
    points: tuple[tuple[str, str], ...] = ()
    column: Unit | None = None
    """The unit that the head of its column states, for a number in a table."""

    @property
    def location(self) -> Location:
        """Where the quoted text begins."""
        return self.at(0)

    @property
    def length(self) -> int:
        """How many characters the quoted text has in the file."""
        return max(1, self.link.text_end - self.link.text_start)

    def at(self, offset: int) -> Location:
        """The place of a character of the quoted text."""
        return self.scalar.at(self.link.text_start + offset)

    @property
    def is_math(self) -> bool:
        """Whether the text is a code span or mathematics: an equation or a derivation, not a number."""
        return self.link.code or self.link.math

    @property
    def title(self) -> str:
        """How messages name the target."""
        target = self.target
        if isinstance(target, FigureTarget):
            return target.name if target.record == self.holder else f"{target.record}.{target.name}"
        if isinstance(target, FactTarget):
            return target.title or f"{target.record}.{target.path}" + (f"@{target.source}" if target.source else "")
        if isinstance(target, InputTarget):
            return f"{target.owner}.{target.binding.name}"
        return target.title if isinstance(target, Computation) else self.link.target
