"""A statement decided: proved by signs, refuted at a point, proved or refuted by the solver, or tested.

In this order: the domain must hold a point; whatever is divided by must not be zero in it; then signs, the boundaries
and seeded points, every point where there are few, the solver, and in a thorough run Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.claims import solver
from flopkb.claims.prover import Prover
from flopkb.claims.reading import Divisor
from flopkb.claims.smaller import deciding, smallest
from flopkb.claims.space import DividedByZero, Point, Space
from flopkb.claims.statement import Statement
from flopkb.formula import TooLargeError, ZeroDenominator

POINTS, THOROUGH_POINTS = 48, 1000
EVERY = 256
SHRINK_EXAMPLES, SEARCH_EXAMPLES = 200, 2000
MAX_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Holds:
    """Proved, by ``method``."""

    method: str


@dataclass(frozen=True, slots=True)
class Passed:
    """Holds at ``points`` points; ``why`` it is not proved."""

    points: int
    why: str


@dataclass(frozen=True, slots=True)
class Fails:
    """Fails at ``point``, which is as small as it can be; both sides exactly."""

    statement: Statement
    point: Point
    left: Fraction
    right: Fraction


@dataclass(frozen=True, slots=True)
class ZeroDivisor:
    """Something is divided by that is zero at ``point``."""

    divisor: Divisor
    point: Point


@dataclass(frozen=True, slots=True)
class NoPoint:
    """Nothing was found in the domain; ``certain`` where nothing is."""

    certain: bool


Outcome = Holds | Passed | Fails | ZeroDivisor | NoPoint


@dataclass(slots=True)
class Effort:
    """How much is spent on a statement; ``seconds`` adds up what each layer took, for the benchmark."""

    thorough: bool = False
    use_solver: bool = True
    clock: Callable[[], float] | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def solver(self) -> bool:
        """Whether the solver may be asked."""
        return self.use_solver and solver.available()

    def timed[T](self, layer: str, work: Callable[[], T]) -> T:
        """Does the work, and books its time."""
        if self.clock is None:
            return work()
        began = self.clock()
        try:
            return work()
        finally:
            self.seconds[layer] = self.seconds.get(layer, 0.0) + self.clock() - began
