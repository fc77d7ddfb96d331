"""What is said of an equation in running text: the verdicts in their order, and one judged relation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from flopkb.arithmetic.formula import Expr

if TYPE_CHECKING:
    from flopkb.arithmetic.text.sides import TextSide


class ScanVerdict(StrEnum):
    """What is said of an equation in running text, from harmless to bad."""

    OK = "ok"
    ROUNDED = "rounded"
    """A count was rounded up or down to a whole number; the reading says which."""
    WITHIN = "within"
    """The numbers it is computed from are shown rounded, and that explains the difference."""
    LOOSE = "loose"
    """Fewer digits are right than are written, or so few are written that they say little."""
    TRUNCATED = "truncated"
    """The digits were cut where they should have been rounded."""
    AMBIGUOUS = "ambiguous"
    """Right by another precedence than the usual one."""
    DIFFERENT = "different"
    """A comparison of amounts that they do not bear out."""
    WRONG = "wrong"

    @property
    def badness(self) -> int:
        """The place in the order above, from 0."""
        return _BADNESS[self]


_BADNESS = {verdict: place for place, verdict in enumerate(ScanVerdict)}


STRICT = frozenset(
    {ScanVerdict.LOOSE, ScanVerdict.TRUNCATED, ScanVerdict.AMBIGUOUS, ScanVerdict.DIFFERENT, ScanVerdict.WRONG}
)
"""The verdicts that a strict run does not pass."""

NOWHERE = Fraction(10**9)
"""The distance of numbers that cannot be compared: of different sign, or one of them zero."""


@dataclass(frozen=True, slots=True)
class Relation:
    """``=``, ``≈`` or ``~``; in a ``foreign`` document a decimal prefix may stand for a power of 1024.

    ``chained`` says that its left side is the right one of a relation before it.
    """

    sign: str
    foreign: bool = True
    chained: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on one relation; ``computed`` stands in ``unit``; ``regrouped`` is the unusual reading that is right.

    ``distance`` is how many times the computed value is off, ``level`` how far-fetched the reading is; ``unlike`` says
    that no factor makes the two units equal.
    """

    verdict: ScanVerdict
    computed: Fraction
    quoted: TextSide
    unit: str
    reading: str
    regrouped: Expr | None = None
    distance: Fraction = Fraction(0)
    level: int = 0
    unlike: bool = False


def rank(outcome: Judged) -> tuple[int, bool, Fraction]:
    """Better outcomes come first; of wrong ones, that of the likelier reading and then the nearer."""
    return outcome.verdict.badness, outcome.level > 1, outcome.distance


def distance(v: Fraction, q: Fraction) -> Fraction:
    """How many times one number is the other, at least 1."""
    if not v or not q or v * q < 0:
        return NOWHERE if v != q else Fraction(0)
    return max(v / q, q / v)
