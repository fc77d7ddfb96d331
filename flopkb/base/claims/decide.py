"""A statement decided: proved by signs, refuted at a point, proved or refuted by the solver, or tested.

In this order: the domain must hold a point; whatever is divided by must not be zero in it; then signs, the boundaries
and seeded points, every point where there are few, the solver, and in a thorough run Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from flopkb.arithmetic.formula import Rational, TooLargeError, ZeroDenominator
from flopkb.base.claims import solver
from flopkb.base.claims.branches import branches
from flopkb.base.claims.prover import Prover
from flopkb.base.claims.reading import Divisor
from flopkb.base.claims.smaller import deciding, smallest
from flopkb.base.claims.space import Axis, DividedByZero, Point, Space
from flopkb.base.claims.statement import Statement

T = TypeVar("T")
POINTS, THOROUGH_POINTS = 48, 1000
EVERY = 256
SHRINK_EXAMPLES, SEARCH_EXAMPLES = 100, 2000
MAX_ROUNDS = 50
ZERO = Rational.of(0)
NEGATED = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}


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
    _inside: float = 0.0

    @property
    def has_solver(self) -> bool:
        """Whether the solver may be asked."""
        return self.use_solver and solver.available()

    def ask(self, space: Space, op: str, form: Rational) -> solver.Answer:
        """What the solver says of ``form op 0`` in a space; in a thorough run it may spend more."""
        return solver.solve(space, op, form, solver.THOROUGH_RESOURCES if self.thorough else solver.RESOURCES)

    def timed(self, layer: str, work: Callable[[], T]) -> T:
        """Does the work, and books its time."""
        if self.clock is None:
            return work()
        began, outside, self._inside = self.clock(), self._inside, 0.0
        try:
            return work()
        finally:
            spent = self.clock() - began
            self.seconds[layer] = self.seconds.get(layer, 0.0) + spent - self._inside
            self._inside = outside + spent


@dataclass(slots=True)
class Decision:
    """The work on one statement."""

    statement: Statement
    effort: Effort
    seed: int
    doubtful: bool = False
    """Where it is likelier to fail: points come first, and Hypothesis does not look for a smaller example."""
    looked_at: int = 0

    @property
    def space(self) -> Space:
        """The space of the statement."""
        return self.statement.space

    def outcome(self) -> Outcome:
        """How the statement ends."""
        try:
            return self._outcome()
        except DividedByZero as error:
            return ZeroDivisor(error.divisor, error.point)

    def _outcome(self) -> Outcome:
        prover = Prover(self.space)
        missing = self.effort.timed("points", self._missing_point)
        if missing is not None:
            return missing
        open_divisors = self.effort.timed("signs", self.unproved_divisors)
        if self.doubtful:
            failed = self.effort.timed("points", lambda: self.first_failure(open_divisors))
            if failed is not None:
                return failed
        method = self.effort.timed("signs", lambda: self.by_signs(prover))
        if method and not open_divisors:
            return Holds(method)
        if not self.doubtful:
            failed = self.effort.timed("points", lambda: self.first_failure(open_divisors))
            if failed is not None:
                return failed
        if self.complete():
            return Holds(method or f"evaluation at every point ({self.looked_at})")
        return self.beyond_points(method, open_divisors)

    def _missing_point(self) -> NoPoint | None:
        """Whether the space is empty; a point of it is looked for only where something narrows it."""
        space = self.space
        if not space.conditions and not space.wholes and not any(axis.parents for axis in space.axes):
            return None
        lowest = {axis.atom: axis.span.low for axis in space.axes}
        if space.made(lowest) is not None:
            return None
        every = space.every(EVERY)
        if every is not None:
            return None if every else NoPoint(certain=True)
        if next(space.points(self.seed, THOROUGH_POINTS), None) is not None:
            return None
        if Prover(space).contradictory():
            return NoPoint(certain=True)
        if self.effort.has_solver:
            answer = self.effort.timed("solver", lambda: self.effort.ask(space, "==", ZERO))
            if isinstance(answer, solver.Candidate) and space.admits(answer.point):
                return None
            return NoPoint(certain=isinstance(answer, solver.Impossible))
        return NoPoint(certain=False)

    def unproved_divisors(self) -> tuple[Divisor, ...]:
        """What is divided by and is not proved to be never zero: of a condition, where those before it hold."""
        left, before = [], Prover(replace_conditions(self.space, 0))
        for place, condition in enumerate(self.space.conditions):
            left += [d for d in condition.divisors if not before.proves("!=", d.form)]
            before = Prover(replace_conditions(self.space, place + 1))
        sides = (*self.statement.left.divisors, *self.statement.right.divisors)
        left += [d for d in dict.fromkeys(sides) if not before.proves("!=", d.form)]
        return tuple(dict.fromkeys(left))

    def by_signs(self, prover: Prover) -> str | None:
        """The proof by normal form or by signs, if there is one."""
        difference = self.statement.difference
        if not difference.numerator.terms and self.statement.op in ("==", "<=", ">="):
            return "normal form"
        return "signs" if prover.proves(self.statement.op, difference) else None

    def first_failure(self, divisors: tuple[Divisor, ...]) -> Outcome | None:
        """The first of the points at which it fails, or at which something is divided by zero."""
        for point in self.points():
            self.looked_at += 1
            for divisor in divisors:
                zero = zero_near(divisor, point, self.space)
                if zero is not None:
                    return ZeroDivisor(divisor, zero)
            if not self.statement.holds(point):
                return self.failure(point)
        return None

    def points(self) -> Iterable[Point]:
        """Every point where there are few, else the boundaries and seeded ones."""
        every = self.space.every(EVERY)
        if every is not None:
            return every
        return self.space.points(self.seed, THOROUGH_POINTS if self.effort.thorough else POINTS)

    def complete(self) -> bool:
        """Whether the points were all that there are."""
        return self.space.every(EVERY) is not None

    def beyond_points(self, method: str | None, divisors: tuple[Divisor, ...]) -> Outcome:
        """What the solver says, and a thorough search."""
        left, why = list(divisors), "no solver is installed"
        if self.effort.has_solver:
            why = "the solver does not know"
            solved = self.effort.timed("solver", lambda: self._solved(method, left))
            if not isinstance(solved, str | None):
                return solved
            method = solved
            if method and not left:
                return Holds(method)
        if self.effort.thorough:
            found = self.effort.timed("hypothesis", self._searched)
            if found is not None:
                return found
        if method:
            why = f"`{left[0].text}` is not known never to be zero"
        return Passed(self.looked_at, why)

    def _solved(self, method: str | None, left: list[Divisor]) -> Outcome | str | None:
        """The solver's proof or refutation; takes the divisors that are never zero out of ``left``."""
        for divisor in tuple(left):
            answer = self.effort.ask(self.space, "==", divisor.form)
            if isinstance(answer, solver.Impossible):
                left.remove(divisor)
            elif isinstance(answer, solver.Candidate) and self._is_zero(divisor, answer.point):
                return ZeroDivisor(divisor, answer.point)
        if method:
            return method
        answer = self.effort.ask(self.space, NEGATED[self.statement.op], self.statement.difference)
        if isinstance(answer, solver.Impossible):
            return "the solver"
        if isinstance(answer, solver.Candidate) and self.statement.refuted_by(answer.point):
            return self.failure(answer.point)
        return None

    def _is_zero(self, divisor: Divisor, point: Point) -> bool:
        return self.space.admits(point) and not divisor.form.evaluate(point)

    def _searched(self) -> Outcome | None:
        from flopkb.base.claims.search import search

        def fails(point: Point) -> bool:
            try:
                return not self.statement.holds(point)
            except DividedByZero:
                return True

        point = search(self.space, fails, SEARCH_EXAMPLES)
        self.looked_at += SEARCH_EXAMPLES
        return self.failure(point) if point is not None else None

    def failure(self, point: Point) -> Fails:
        """The refutation at ``point``, made as small as it can be."""
        small = self.effort.timed("shrink", lambda: self.shrunk(point))
        return Fails(self.statement, small, *self.statement.values(small))

    def shrunk(self, point: Point) -> Point:
        """A point at which it fails too, and no symbol of which can be made smaller without its holding."""
        self.statement.values(point)  # a division by zero is another fault, and is not made smaller
        point = self.minimised(point)
        if self.doubtful or all(point[axis.atom] == axis.span.low for axis in self.space.axes):
            return point
        from flopkb.base.claims.search import search

        smaller = search(self.space, lambda other: other != point and self.fails(other), SHRINK_EXAMPLES, below=point)
        return self.minimised(smaller) if smaller is not None else point

    def minimised(self, point: Point) -> Point:
        """One symbol after the other made as small as it can be, until none can."""
        for _ in range(MAX_ROUNDS):
            before = dict(point)
            for axis in self.space.axes:
                point = self.scaled_down(axis.atom, point)
            for axis in self.space.axes:
                point = {**point, axis.atom: self.smallest(axis.atom, point)}
            if point == before:
                break
        return point

    def fails(self, point: Point) -> bool:
        """Whether it fails at a point of the space."""
        try:
            return self.statement.refuted_by(point)
        except (DividedByZero, ZeroDenominator):
            return False

    def pieces(self, atom: Hashable, point: Point) -> tuple[Rational, ...] | None:
        """Forms whose signs decide everything as ``atom`` moves; None where a floor or a ceil moves with it."""
        forms = (self.statement.difference, *(condition.form for condition in self.space.conditions))
        try:
            split = list(branches(tuple(settled(form, atom, point) for form in forms)))
        except (TooLargeError, ZeroDenominator):
            return None
        if any(branch.bounds for branch in split):
            return None  # between any two values of a grid
        return tuple(dict.fromkeys(form for branch in split for form in (*branch.forms, *branch.leads)))

    def scaled_down(self, atom: Hashable, point: Point) -> Point:
        """The point with a symbol at its least value, and what is a multiple of it the same multiple, if that fails."""
        least = self.space.axis(atom).span.low
        if not least or not point[atom]:
            return point
        ratio = least / point[atom]
        children = {axis.atom: point[axis.atom] * ratio for axis in self.space.axes if self.is_multiple(axis, atom)}
        moved = {**point, **children, atom: least}
        return moved if children and self.fails(moved) else point

    def is_multiple(self, axis: Axis, atom: Hashable) -> bool:
        """Whether a symbol is a whole multiple of another."""
        return any(parent == Rational.atom(atom) for parent in axis.parents)

    def smallest(self, atom: Hashable, point: Point) -> Fraction:
        """The smallest value of one symbol at which it still fails."""
        axis = self.space.axis(atom)
        is_parent = any(atom in p.atoms() for other in self.space.axes for p in other.parents)
        is_parent = is_parent or any(atom in whole.atoms() for whole in self.space.wholes)
        pieces = None if is_parent else self.pieces(atom, point)
        polynomials = None if pieces is None else deciding(pieces, atom, point)
        span = axis.span
        for parent in axis.parents:
            span = span.on_grid(parent.evaluate(point))
        children = [point[other.atom] for other in self.space.axes if self.is_multiple(other, atom)]

        def fails(value: Fraction) -> bool:
            if any(not value or (child / value).denominator != 1 for child in children):
                return False
            return self.fails({**point, atom: value})

        return smallest(fails, point[atom], span, axis.scale, polynomials)


def decide(statement: Statement, effort: Effort, seed: int, *, doubtful: bool = False) -> Outcome:
    """How a statement ends."""
    return Decision(statement.relevant(), effort, seed, doubtful).outcome()


def replace_conditions(space: Space, count: int) -> Space:
    """The space with its first conditions only."""
    return space if count == len(space.conditions) else Space(space.axes, space.conditions[:count], space.wholes)


def settled(form: Rational, atom: Hashable, point: Point) -> Rational:
    """The form with the value at ``point`` of every min, max, floor and ceil that does not move with ``atom``."""
    values = {opaque: opaque.evaluate(point) for opaque in form.opaques() if not opaque.depends_on(atom)}
    return form.substitute(values) if values else form


def zero_near(divisor: Divisor, point: Point, space: Space) -> Point | None:
    """A point of the space with the divisor zero: ``point``, or ``point`` with one symbol changed to where it is."""
    if not divisor.form.evaluate(point):
        return point
    over = divisor.form.numerator
    if divisor.form.opaques():
        return None
    for atom in sorted(over.atoms(), key=str):
        if over.degree(atom) == 1:
            parts = over.in_powers_of(atom)
            slope = parts[1].evaluate(point)
            if slope:
                rest = parts[0].evaluate(point) if 0 in parts else 0
                moved = {**point, atom: -Fraction(rest) / slope}
                if space.admits(moved):
                    return moved
    return None
