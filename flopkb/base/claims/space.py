"""The domain of a claim: the axes of its free symbols, narrowed by conditions, and the points in it.

Points are made to satisfy the conditions, not thrown away until they do: symbols take their values in an order, and a
condition whose other symbols have theirs already narrows what the last one may take.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from flopkb.arithmetic.formula import Polynomial, Rational, ZeroDenominator, compares
from flopkb.base.claims.reading import Condition, Divisor
from flopkb.base.claims.spans import NOTHING, Span

Point = dict[Hashable, Fraction]
"""A value for each free symbol, in base units."""

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class DividedByZero(Exception):
    """A divisor is zero at a point of the domain. Never leaves this package."""

    def __init__(self, divisor: Divisor, point: Point) -> None:
        super().__init__(divisor.text)
        self.divisor = divisor
        self.point = point


@dataclass(frozen=True, slots=True)
class Axis:
    """A free symbol with its values.

    ``scale`` is its unit (written ``unit``), ``parents`` are forms of which it is a whole multiple.
    """

    atom: Hashable
    span: Span
    scale: Fraction = Fraction(1)
    unit: str = "1"
    parents: tuple[Rational, ...] = ()
    place: int = 0
    """Where it comes in what a person reads."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A condition in one symbol, the others being known: ``slope*x + rest op 0`` where ``under`` is positive."""

    op: str
    slope: Polynomial
    rest: Polynomial
    under: Polynomial

    def narrow(self, span: Span, point: Mapping[Hashable, Fraction]) -> Span:
        """The values of ``span`` that satisfy it."""
        under = self.under.evaluate(point)
        if not under:
            return span
        slope, rest = Fraction(self.slope.evaluate(point)) / under, Fraction(self.rest.evaluate(point)) / under
        if not slope:
            return span if compares(self.op, rest, Fraction(0)) else NOTHING
        end = -rest / slope
        op = self.op if slope > 0 else MIRRORED[self.op]
        if op == "==":
            return span.narrowed(end, end) if span.holds(end) else NOTHING
        if op == "!=":
            return span
        open_ = op in ("<", ">")
        return span.narrowed(high=end, open_=open_) if op in ("<", "<=") else span.narrowed(low=end, open_=open_)


def linear(condition: Condition, atom: Hashable) -> Linear | None:
    """The condition as one on ``atom`` alone, where it is linear in it."""
    over, under = condition.form.numerator, condition.form.denominator
    if condition.form.opaques() or under.degree(atom) or over.degree(atom) > 1:
        return None
    parts = over.in_powers_of(atom)
    zero = Polynomial({})
    return Linear(condition.op, parts.get(1, zero), parts.get(0, zero), under)


@dataclass(slots=True)
class Space:
    """Axes, those that others are multiples of first, and the conditions in the order in which they are written.

    ``wholes`` must be whole numbers at a point: an input that is given as an expression is a multiple like any other.
    """

    axes: tuple[Axis, ...]
    conditions: tuple[Condition, ...] = ()
    wholes: tuple[Rational, ...] = ()
    _linear: dict[Hashable, list[Linear]] = field(default_factory=dict, repr=False)
    _due: dict[Hashable, list[Condition]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        order = {axis.atom: place for place, axis in enumerate(self.axes)}
        for condition in self.conditions:
            inside = [atom for atom in condition.form.atoms() if atom in order]
            if not inside:
                continue
            last = max(inside, key=order.__getitem__)
            found = linear(condition, last)
            if found is not None:
                self._linear.setdefault(last, []).append(found)
            else:
                self._due.setdefault(last, []).append(condition)

    @property
    def atoms(self) -> tuple[Hashable, ...]:
        """The free symbols, in their order."""
        return tuple(axis.atom for axis in self.axes)

    def axis(self, atom: Hashable) -> Axis:
        """The axis of a free symbol."""
        return next(axis for axis in self.axes if axis.atom == atom)

    def feasible(self, axis: Axis, point: Point) -> Span:
        """What ``axis`` may take, the axes before it having their values in ``point``."""
        span = axis.span
        for parent in axis.parents:
            try:
                span = span.on_grid(parent.evaluate(point))
            except ZeroDenominator:
                return NOTHING
        for bound in self._linear.get(axis.atom, ()):
            span = bound.narrow(span, point)
        return span

    def made(self, wanted: Mapping[Hashable, Fraction]) -> Point | None:
        """The point of the domain whose values, one after the other, are nearest to those wanted; None for none."""
        point: Point = {}
        try:
            for axis in self.axes:
                span = self.feasible(axis, point)
                if span.empty:
                    return None
                point[axis.atom] = span.nearest(wanted[axis.atom])
                if not all(met(condition, point) for condition in self._due.get(axis.atom, ())):
                    return None
        except ZeroDenominator:
            return None
        return point if self.admits(point) else None

    def admits(self, point: Point) -> bool:
        """Whether a point is in the domain; :class:`DividedByZero` where deciding that divides by zero."""
        for axis in self.axes:
            value = point[axis.atom]
            if not axis.span.holds(value):
                return False
            for parent in axis.parents:
                unit = parent.evaluate(point)
                if not unit or (value / unit).denominator != 1:
                    return False
        if not all(whole_at(whole, point) for whole in self.wholes):
            return False
        return all(self._satisfied(condition, point) for condition in self.conditions)

    def _satisfied(self, condition: Condition, point: Point) -> bool:
        check_divisors(condition.divisors, point)
        try:
            return met(condition, point)
        except ZeroDenominator as error:
            divisor = Divisor(condition.source.text, error.denominator, Rational(condition.form.denominator))
            raise DividedByZero(divisor, point) from error

    def restricted(self, atoms: Iterable[Hashable]) -> Space:
        """The space without axes that neither ``atoms`` nor the conditions nor their parents need."""
        wanted = set(atoms).union(*(condition.form.atoms() for condition in self.conditions))
        wanted.update(a for c in self.conditions for d in c.divisors for a in d.form.atoms())
        wanted.update(a for whole in self.wholes for a in whole.atoms())
        for axis in reversed(self.axes):
            if axis.atom in wanted:
                wanted.update(atom for parent in axis.parents for atom in parent.atoms())
        return Space(tuple(axis for axis in self.axes if axis.atom in wanted), self.conditions, self.wholes)

    def points(self, seed: int, count: int) -> Iterator[Point]:
        """Boundary values of every axis (each at least once), then ``count`` points at random; each point once."""
        random = Random(seed)
        seen: set[tuple[Fraction, ...]] = set()
        for wanted in self._wanted(random, count):
            point = self.made(wanted)
            if point is not None and (key := tuple(point[a] for a in self.atoms)) not in seen:
                seen.add(key)
                yield point

    def _wanted(self, random: Random, count: int) -> Iterator[Point]:
        marks = {axis.atom: tuple(axis.span.marks()) for axis in self.axes}
        yield {axis.atom: axis.span.low for axis in self.axes}
        yield {axis.atom: axis.span.high for axis in self.axes}
        for axis in self.axes:
            for mark in marks[axis.atom]:
                for _ in range(2):
                    point = {other.atom: self._either(other, marks, random) for other in self.axes}
                    yield {**point, axis.atom: mark}
        for _ in range(count if self.axes else 0):
            yield {axis.atom: self._either(axis, marks, random) for axis in self.axes}

    def _either(self, axis: Axis, marks: Mapping[Hashable, tuple[Fraction, ...]], random: Random) -> Fraction:
        """A boundary value or any other."""
        return random.choice(marks[axis.atom]) if random.random() < 0.3 else axis.span.drawn(random)

    def every(self, most: int) -> Sequence[Point] | None:
        """Every point of the domain, where the axes have no more than ``most`` combinations."""
        total = 1
        for axis in self.axes:
            count = axis.span.finite
            if count is None or total * count > most:
                return None
            total *= count
        return [point for point in self._all(0, {}) if self.admits(point)]

    def _all(self, place: int, point: Point) -> Iterator[Point]:
        if place == len(self.axes):
            yield dict(point)
            return
        span = self.axes[place].span
        values = span.values or tuple(span.low + k * (span.step or 1) for k in range(span.finite or 0))
        for value in values:
            yield from self._all(place + 1, {**point, self.axes[place].atom: value})


def whole_at(form: Rational, point: Point) -> bool:
    """Whether a form is a whole number at a point."""
    try:
        return form.evaluate(point).denominator == 1
    except ZeroDenominator:
        return False


def met(condition: Condition, point: Point) -> bool:
    """Whether a condition holds at a point."""
    form = condition.form
    if form.opaques() or form.denominator.atoms():
        return compares(condition.op, form.evaluate(point), Fraction(0))
    # The denominator is a positive number: the numerator has the sign.
    return compares(condition.op, Fraction(form.numerator.evaluate(point)), Fraction(0))


def check_divisors(divisors: Iterable[Divisor], point: Point) -> None:
    """Raise :class:`DividedByZero` where one of them is zero at ``point``."""
    for divisor in divisors:
        if not divisor.form.evaluate(point):
            raise DividedByZero(divisor, point)
