"""What is to be said of one relation, and how outcomes are ranked."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.text.clause import Side
from flopkb.arithmetic.text.tree import Node

ORDER = ("ok", "truncated", "ambiguous", "wrong")
"""Verdicts from harmless to bad."""
NOISE = Fraction(1, 10**12)
"""Results of floating-point arithmetic are this near."""
NOWHERE = Fraction(10**9)
"""The distance of numbers that cannot be compared: of different sign, or one of them zero."""


@dataclass(frozen=True, slots=True)
class Relation:
    """``=``, ``≈`` or ``~``; in a ``foreign`` document a decimal prefix may stand for a power of 1024."""

    sign: str
    foreign: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict on one relation; ``computed`` stands in ``unit``; ``regrouped`` is the unusual reading that is right.

    ``distance`` is how many times the computed value is off, ``level`` how far-fetched the reading is.
    """

    verdict: str
    computed: Fraction
    quoted: Side
    unit: str
    reading: str
    regrouped: Node | None = None
    distance: Fraction = Fraction(0)
    level: int = 0


def rank(outcome: Outcome) -> tuple[int, bool, Fraction]:
    """Better outcomes come first; of wrong ones, that of the likelier reading and then the nearer."""
    return ORDER.index(outcome.verdict), outcome.level > 1, outcome.distance


def distance(v: Fraction, q: Fraction) -> Fraction:
    """How many times one number is the other, at least 1."""
    if not v or not q or v * q < 0:
        return NOWHERE if v != q else Fraction(0)
    return max(v / q, q / v)
