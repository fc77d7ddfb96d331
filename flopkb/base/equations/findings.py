"""What is wrong with an equation: which rule says so, where, and what to write instead where that is clear."""

from __future__ import annotations

from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location, Severity
from flopkb.arithmetic.text.strict import EquationSide, WrittenNumber
from flopkb.base.link import Passage

MISMATCH = "equation-mismatch"
INPUT = "equation-input"
DERIVATION = "derivation-mismatch"
UNREADABLE = "unreadable-equation"
UNTIED = "untied-equation"


@dataclass(frozen=True, slots=True)
class EquationFault:
    """``start:end`` are offsets into the text of the passage; ``instead`` is what belongs there, if it is clear."""

    rule: str
    passage: Passage = field(repr=False)
    start: int
    end: int
    message: str
    quoted: str | None = None
    computed: str | None = None
    severity: Severity = Severity.ERROR
    instead: str | None = None

    @property
    def location(self) -> Location:
        """Where it stands in the file."""
        return self.passage.scalar.at(self.start)

    @property
    def length(self) -> int:
        """How many characters it spans."""
        return max(1, self.end - self.start)


@dataclass(frozen=True, slots=True)
class EquationPlace:
    """Where the text of an equation stands in a passage: ``offsets`` is that of each of its characters."""

    passage: Passage
    offsets: tuple[int, ...]

    def fault(
        self,
        rule: str,
        start: int,
        end: int,
        message: str,
        *,
        quoted: str | None = None,
        computed: str | None = None,
        severity: Severity = Severity.ERROR,
        instead: str | None = None,
    ) -> EquationFault:
        """A fault at ``start:end`` of the equation's text."""
        first = self.offsets[min(start, len(self.offsets) - 1)]
        last = self.offsets[min(max(end, start + 1), len(self.offsets)) - 1] + 1
        return EquationFault(rule, self.passage, first, last, message, quoted, computed, severity, instead)

    def told(
        self,
        rule: str,
        part: EquationSide | WrittenNumber,
        message: str,
        *,
        computed: str | None = None,
        instead: str | None = None,
    ) -> EquationFault:
        """A fault of a whole side or of a number, which it quotes."""
        where = part.start, part.end
        return self.fault(rule, *where, message, quoted=part.text, computed=computed, instead=instead)
