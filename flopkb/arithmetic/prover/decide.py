"""A statement decided: proved by signs, refuted at a point, proved or refuted by the solver, or tested.

In this order: the domain must hold a point; whatever is divided by must not be zero in it; then signs, the boundaries
and seeded points, every point where there are few, the solver, and in a thorough run Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from flopkb.arithmetic.formula import Rational, ZeroDenominator, compares
from flopkb.arithmetic.prover import solver
from flopkb.arithmetic.prover.meeting import meeting_points
from flopkb.arithmetic.prover.shrink import Shrinking
from flopkb.arithmetic.prover.signs import Prover
from flopkb.arithmetic.prover.space import (
    Condition,
    Derived,
    DividedByZero,
    Divisor,
    FreeSymbol,
    Point,
    Space,
    Term,
    at,
    check_divisors,
)

T = TypeVar("T")
POINTS, THOROUGH_POINTS = 48, 1000
EVERY = 256
SEARCH_EXAMPLES = 2000
ZERO = Rational.of(0)
NEGATED = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}


class Second(Derived):
    """A second value of a symbol, for statements that compare two points."""

    wording = "{}'"


@dataclass(frozen=True, slots=True)
class Statement:
    """``left op right`` everywhere in ``space``; with ``varied`` the sides are at two values of that symbol."""

    op: str
    left: Term
    right: Term
    space: Space
    varied: Hashable | None = None
    power: int | None = None
    """With ``varied``: the sides are equal where the value goes with this power of the symbol."""

    @property
    def difference(self) -> Rational:
        """The left side less the right."""
        return self.left.form - self.right.form

    def values(self, point: Point) -> tuple[Fraction, Fraction]:
        """Both sides, exactly; :class:`DividedByZero` where one divides by zero."""
        check_divisors((*self.left.divisors, *self.right.divisors), point)
        return self.left.form.evaluate(point), self.right.form.evaluate(point)

    def holds(self, point: Point) -> bool:
        """Whether it holds at a point of the space."""
        return compares(self.op, *self.values(point))

    def refuted_by(self, point: Point) -> bool:
        """Whether a point is in the space and the statement fails there."""
        return self.space.admits(point) and not self.holds(point)

    def relevant(self) -> Statement:
        """The same over the symbols that it needs."""
        atoms = {a for form in (self.left.form, self.right.form) for a in form.atoms()}
        atoms.update(a for d in (*self.left.divisors, *self.right.divisors) for a in d.form.atoms())
        return replace(self, space=self.space.restricted(atoms))


def at_second(atom: Hashable) -> dict[Hashable, Rational]:
    """What puts the second value of a symbol in its place."""
    return {atom: Rational.atom(Second(atom))}


def paired(space: Space, atom: Hashable, text: str) -> Space:
    """The space of two points that differ in one symbol alone, the second value being the larger."""
    second, symbols = at_second(atom), list[FreeSymbol]()
    for symbol in space.symbols:
        both = dict.fromkeys((*symbol.parents, *(at(parent, second) for parent in symbol.parents)))
        symbols.append(replace(symbol, parents=symbol.parents if symbol.atom == atom else tuple(both)))
        if symbol.atom == atom:
            symbols.append(replace(symbol, atom=Second(atom)))
    order = Condition("<", Rational.atom(atom) - second[atom], text, (), False)
    again = tuple(
        condition.at(second)
        for condition in space.conditions
        if atom in condition.form.atoms() or any(atom in d.form.atoms() for d in condition.divisors)
    )
    wholes = dict.fromkeys((*space.wholes, *(at(whole, second) for whole in space.wholes)))
    return Space(tuple(symbols), (*space.conditions, *again, order), tuple(wholes))


@dataclass(frozen=True, slots=True)
class Holds:
    """Proved, by ``method``."""

    method: str


@dataclass(frozen=True, slots=True)
class Passed:
    """Holds at ``points`` points; ``why`` it is not proved.

    ``size`` is how many points the domain has, its conditions aside; None where it is no grid.
    """

    points: int
    why: str
    size: int | None = None


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
    expect_failure: bool = False
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
        if self.expect_failure:
            failed = self.effort.timed("points", lambda: self.first_failure(open_divisors))
            if failed is not None:
                return failed
        method = self.effort.timed("signs", lambda: self.by_signs(prover))
        if method and not open_divisors:
            return Holds(method)
        if not self.expect_failure:
            failed = self.effort.timed("points", lambda: self.first_failure(open_divisors))
            if failed is not None:
                return failed
        if self.space.every(EVERY) is not None:
            return Holds(method or f"evaluation at every point ({self.looked_at})")
        return self.beyond_points(method, open_divisors)

    def _missing_point(self) -> NoPoint | None:
        """Whether the space is empty; a point of it is looked for only where something narrows it."""
        space = self.space
        if not space.conditions and not space.wholes and not any(symbol.parents for symbol in space.symbols):
            return None
        lowest = {symbol.atom: symbol.domain.low for symbol in space.symbols}
        if space.nearest(lowest) is not None:
            return None
        every = space.every(EVERY)
        if every is not None:
            return None if every else NoPoint(certain=True)
        if next(space.points(self.seed, THOROUGH_POINTS), None) is not None:
            return None
        if next(meeting_points(space, self.equations(), self.seed), None) is not None:
            return None
        if Prover(space).proves(">", ZERO):
            return NoPoint(certain=True)
        if self.effort.has_solver:
            answer = self.effort.timed("solver", lambda: self.effort.ask(space, "==", ZERO))
            if isinstance(answer, solver.Witness) and space.admits(answer.point):
                return None
            return NoPoint(certain=isinstance(answer, solver.Impossible))
        return NoPoint(certain=False)

    def unproved_divisors(self) -> tuple[Divisor, ...]:
        """What is divided by and is not proved to be never zero: of a condition, where those before it hold."""
        left, before = [], Prover(self.space.before(0))
        for place, condition in enumerate(self.space.conditions):
            left += [d for d in condition.divisors if not before.proves("!=", d.form)]
            before = Prover(self.space.before(place + 1))
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
        if not method:
            failed = self.effort.timed("points", self.where_symbols_meet)
            if failed is not None:
                return failed
        if self.effort.thorough:
            found = self.effort.timed("hypothesis", self._searched)
            if found is not None:
                return found
        if method:
            why = f"`{left[0].text}` is not known never to be zero"
        return Passed(self.looked_at, why, self.space.size)

    def equations(self) -> list[Rational]:
        """The conditions that leave but a few points of the domain."""
        return [condition.form for condition in self.space.conditions if condition.op == "=="]

    def where_symbols_meet(self) -> Outcome | None:
        """A failure beside the zeros of the difference of both sides."""
        seen = 0
        try:
            for point in meeting_points(self.space, [self.statement.difference, *self.equations()], self.seed):
                seen += 1
                if not self.statement.holds(point):
                    return self.failure(point)
        except (DividedByZero, ZeroDenominator):
            return None  # another point is as good, and divisors are looked at before
        finally:
            self.looked_at += seen
        return None

    def _solved(self, method: str | None, left: list[Divisor]) -> Outcome | str | None:
        """The solver's proof or refutation; takes the divisors that are never zero out of ``left``."""
        for divisor in tuple(left):
            answer = self.effort.ask(self.space, "==", divisor.form)
            if isinstance(answer, solver.Impossible):
                left.remove(divisor)
            elif isinstance(answer, solver.Witness) and self._is_zero(divisor, answer.point):
                return ZeroDivisor(divisor, answer.point)
        if method:
            return method
        answer = self.effort.ask(self.space, NEGATED[self.statement.op], self.statement.difference)
        if isinstance(answer, solver.Impossible):
            return "the solver"
        if isinstance(answer, solver.Witness) and self.statement.refuted_by(answer.point):
            return self.failure(answer.point)
        return None

    def _is_zero(self, divisor: Divisor, point: Point) -> bool:
        return self.space.admits(point) and not divisor.form.evaluate(point)

    def _searched(self) -> Outcome | None:
        from flopkb.arithmetic.prover.search import search

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
        self.statement.values(point)  # a division by zero is another fault, and is not made smaller
        shrinking = Shrinking(self.space, self.statement.difference, self.statement.refuted_by)
        small = self.effort.timed("shrink", lambda: shrinking.shrunk(point, search=not self.expect_failure))
        return Fails(self.statement, small, *self.statement.values(small))


def decide(statement: Statement, effort: Effort, seed: int, *, expect_failure: bool = False) -> Outcome:
    """How a statement ends: proved, held at so many points, or refuted by as small a point as ``effort`` finds.

    The same ``seed`` tries the same points. A division by zero in the domain, and a domain without a point, are
    outcomes too: nothing is raised for them.
    """
    return Decision(statement.relevant(), effort, seed, expect_failure).outcome()


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
