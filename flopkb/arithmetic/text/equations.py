"""What a scan gives of a document: its equations, each with a verdict, and those that were not read, each with a reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.arithmetic.text.verdict import ScanVerdict


@dataclass(frozen=True, slots=True)
class ScannedEquation:
    """One equation as read: where it begins, what it says, what it comes to.

    ``computed`` is the exact value of the computed side as a decimal, in ``unit``; ``quoted`` is the other side as
    written. ``reading`` names the interpretation that was taken; ``advice`` says what to write or to look at.
    ``off`` is how many times one is the other (0 where they cannot be compared). ``start:end`` are offsets into the text.
    """

    computed: str
    quoted: str
    unit: str
    verdict: ScanVerdict
    reading: str
    advice: str = ""
    path: str = ""
    line: int = 0
    column: int = 0
    text: str = ""
    off: Fraction = Fraction(1)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class UnreadEquation:
    """Something that looks like an equation of numbers and got no verdict: ``read`` if its sides could be read."""

    reason: str
    read: bool = False
    path: str = ""
    line: int = 0
    column: int = 0
    text: str = ""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The equations of one document in the order of the text; ``suppressed`` are those a comment silences."""

    path: str
    equations: tuple[ScannedEquation, ...] = ()
    suppressed: tuple[ScannedEquation, ...] = ()
    unread: tuple[UnreadEquation, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def counts(self) -> dict[ScanVerdict, int]:
        """How many equations have each verdict."""
        return {verdict: sum(e.verdict is verdict for e in self.equations) for verdict in ScanVerdict}

    @property
    def judged(self) -> int:
        """How many equations got a verdict."""
        return len(self.equations) + len(self.suppressed)

    @property
    def read(self) -> int:
        """How many equations were read, with or without a verdict."""
        return self.judged + sum(each.read for each in self.unread)

    @property
    def seen(self) -> int:
        """How many equations there seem to be."""
        return self.judged + len(self.unread)
