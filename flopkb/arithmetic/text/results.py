"""What a scan finds: equations with their verdicts, and notes on suppressions."""

from __future__ import annotations

from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Diagnostic

VERDICTS = ("ok", "truncated", "ambiguous", "wrong")
"""From harmless to bad."""


@dataclass(frozen=True, slots=True)
class Equation:
    """One equation as read: where it begins, what it says, what it comes to.

    ``computed`` is the exact value of the computed side as a decimal, in ``unit``; ``quoted`` is the other side as
    written. ``reading`` names the interpretation that was taken; ``advice`` says which parentheses to add to an
    ambiguous one. ``start:end`` are offsets into the text.
    """

    path: str
    line: int
    column: int
    text: str
    computed: str
    quoted: str
    unit: str
    verdict: str
    reading: str
    advice: str = ""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The equations of one document in the order of the text; ``suppressed`` are those a comment silences."""

    path: str
    equations: tuple[Equation, ...] = ()
    suppressed: tuple[Equation, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def count(self, verdict: str) -> int:
        """How many equations have this verdict."""
        return sum(equation.verdict == verdict for equation in self.equations)

    @property
    def counts(self) -> dict[str, int]:
        """How many equations have each verdict."""
        return {verdict: self.count(verdict) for verdict in VERDICTS}
