"""How a claim ended: proved, tested, refuted, or not a claim that can be decided (a leaf).

Facts first; ``str`` makes the sentence. A value is exact and in base units; an :class:`Assignment` holds the text that
stands for it in the record's own terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location, shortened


@dataclass(frozen=True, slots=True)
class Assignment:
    """A symbol or role of the record with the value that it has in an example."""

    name: str
    text: str
    value: Fraction | None = None
    """The exact value in the symbol's unit; None for the record in a role."""

    def __str__(self) -> str:
        return f"{self.name} = {self.text}"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison in an example: what was written, and its exact value in base units."""

    text: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class Proved:
    """It holds everywhere in its domain. ``method`` says how that is known; ``witness`` is where what exists does."""

    method: str
    witness: tuple[Assignment, ...] = ()

    def __str__(self) -> str:
        where = f": {_listed(self.witness)}" if self.witness else ""
        return f"proved by {self.method}{where}"


@dataclass(frozen=True, slots=True)
class Tested:
    """It holds exactly at every one of ``points`` points of its domain, and nothing shows that it holds elsewhere."""

    points: int
    why: str = ""

    def __str__(self) -> str:
        return f"tested at {self.points} points" + (f" ({self.why})" if self.why else "")


@dataclass(frozen=True, slots=True)
class Refuted:
    """It fails at ``counterexample``, where no symbol can be made smaller without its holding; both sides are exact.

    ``wanted`` is what the left side should be of the right one (``at most``). Where something was said to exist and
    does not, there is no counterexample, and ``reason`` tells how far was looked.
    """

    counterexample: tuple[Assignment, ...]
    left: Side | None = None
    wanted: str = ""
    right: Side | None = None
    reason: str = ""

    def __str__(self) -> str:
        if self.left is None or self.right is None:
            return self.reason
        where = f"at {_listed(self.counterexample)}" if self.counterexample else "whatever the inputs"
        right = shortened(self.right.text, 60)
        value = _exact(self.right.value)
        known = "" if right == value else f", which is {value}"
        return (
            f"{where}: {shortened(self.left.text, 60)} is {_exact(self.left.value)}, not {self.wanted} {right}{known}"
        )


@dataclass(frozen=True, slots=True)
class Invalid:
    """It cannot be decided as it stands: a missing or empty domain, a zero denominator, an unknown name, too large.

    ``blocked`` where another fault, reported at its own place, is the reason.
    """

    reason: str
    location: Location
    length: int = 1
    blocked: bool = False

    def __str__(self) -> str:
        return self.reason


ClaimVerdict = Proved | Tested | Refuted | Invalid


@dataclass(frozen=True, slots=True)
class CorrectionVerdicts:
    """A correction: each counterexample against what was stated, what was stated where it held, and what stands now."""

    counterexamples: tuple[ClaimVerdict, ...]
    holds_when: ClaimVerdict | None = None
    now: ClaimVerdict | None = None


def _listed(assignments: tuple[Assignment, ...]) -> str:
    return ", ".join(map(str, assignments))


def _exact(value: Fraction) -> str:
    """The exact value; where that takes more digits than a message holds, how many it takes."""
    text = str(value)
    if len(text) <= 40:
        return text
    power = len(str(abs(value.numerator))) - len(str(value.denominator))
    return f"{text[:24]}… (an exact fraction of {len(text)} characters, about 1e{power})"
