"""Where a statement is made: its free symbols with their domains, narrowed by conditions, and the points in it.

Points are made to satisfy the conditions, not thrown away until they do: symbols take their values in an order, and a
condition whose other symbols have theirs already narrows what the last one may take.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from random import Random
from typing import ClassVar

from flopkb.arithmetic.formula import Polynomial, Rational, ZeroDenominator, compares
from flopkb.arithmetic.prover import NOTHING, ValueSet

Point = dict[Hashable, Fraction]
"""A value for each free symbol, in base units."""

Values = Mapping[Hashable, Fraction] | Mapping[Hashable, Rational]
"""What is put in the place of symbols."""

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Derived:
    """An unknown that a proof makes from a symbol; each kind of it has its ``wording``."""

    atom: Hashable
    wording: ClassVar[str]

    def __str__(self) -> str:
        return self.wording.format(self.atom)


@dataclass(frozen=True, slots=True)
class Divisor:
    """Something that is divided by: it must not be zero anywhere in the domain, even where it cancels."""

    title: str
    text: str
    form: Rational

    def at(self, values: Values) -> Divisor:
        """The divisor with numbers or forms for some of its symbols."""
        return replace(self, form=at(self.form, values))


@dataclass(frozen=True, slots=True)
class Condition:
    """``left op right`` (written as ``text``) as the sign of one form: it holds where ``form op 0`` does."""

    op: str
    form: Rational
    text: str
    divisors: tuple[Divisor, ...] = ()
    written: bool = True
    """False for what a domain asks, which is no condition of the claim's own."""
    required: bool = False
    """Whether a formula requires it, wherever it is asked."""

    def at(self, values: Values) -> Condition:
        """The condition with numbers or forms for some of its symbols."""
        return replace(self, form=at(self.form, values), divisors=tuple(d.at(values) for d in self.divisors))


@dataclass(frozen=True, slots=True)
class Term:
    """One side of a statement, as written and as a form; ``divisors`` are what its value divides by on the way."""

    text: str
    form: Rational
    divisors: tuple[Divisor, ...] = ()

    def at(self, values: Values) -> Term:
        """The side with numbers or forms for some of its symbols."""
        return Term(self.text, at(self.form, values), tuple(d.at(values) for d in self.divisors))


def at(form: Rational, values: Values) -> Rational:
    """The form with numbers or forms for some of its symbols."""
    inside = {atom: values[atom] for atom in form.atoms() if atom in values}
    return form.substitute(inside) if inside else form


class DividedByZero(Exception):
    """A divisor is zero at a point of the domain."""

    def __init__(self, divisor: Divisor, point: Point) -> None:
        super().__init__(divisor.text)
        self.divisor = divisor
        self.point = point


@dataclass(frozen=True, slots=True)
class FreeSymbol:
    """A symbol that is left open, with the values of its own that it may take (as multiples of others only some).

    ``scale`` is its unit (written ``unit``), ``parents`` are forms of which it is a whole multiple.
    """

    atom: Hashable
    domain: ValueSet
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

    def narrow(self, domain: ValueSet, point: Mapping[Hashable, Fraction]) -> ValueSet:
        """The values of ``domain`` that satisfy it."""
        under = self.under.evaluate(point)
        if not under:
            return domain
        slope, rest = Fraction(self.slope.evaluate(point)) / under, Fraction(self.rest.evaluate(point)) / under
        if not slope:
            return domain if compares(self.op, rest, Fraction(0)) else NOTHING
        end = -rest / slope
        op = self.op if slope > 0 else MIRRORED[self.op]
        if op == "==":
            return domain.narrowed(end, end) if domain.holds(end) else NOTHING
        if op == "!=":
            return domain
        open_ = op in ("<", ">")
        return domain.narrowed(high=end, open_=open_) if op in ("<", "<=") else domain.narrowed(low=end, open_=open_)


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
    """The symbols, those that others are multiples of first, and the conditions in the order in which they are written.

    ``wholes`` must be whole numbers at a point: an input that is given as an expression is a multiple like any other.
    """

    symbols: tuple[FreeSymbol, ...]
    conditions: tuple[Condition, ...] = ()
    wholes: tuple[Rational, ...] = ()
    _linear: dict[Hashable, list[Linear]] = field(default_factory=dict, repr=False)
    _due: dict[Hashable, list[Condition]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        order = {symbol.atom: place for place, symbol in enumerate(self.symbols)}
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
        return tuple(symbol.atom for symbol in self.symbols)

    def symbol(self, atom: Hashable) -> FreeSymbol:
        """The free symbol of an atom."""
        return next(symbol for symbol in self.symbols if symbol.atom == atom)

    def feasible(self, symbol: FreeSymbol, point: Point) -> ValueSet:
        """What ``symbol`` may take, the symbols before it having their values in ``point``."""
        domain = symbol.domain
        for parent in symbol.parents:
            try:
                domain = domain.on_grid(parent.evaluate(point))
            except ZeroDenominator:
                return NOTHING
        for bound in self._linear.get(symbol.atom, ()):
            domain = bound.narrow(domain, point)
        return domain

    def nearest(self, wanted: Mapping[Hashable, Fraction]) -> Point | None:
        """The point of the domain whose values, one after the other, are nearest to those wanted; None for none."""
        point: Point = {}
        try:
            for symbol in self.symbols:
                domain = self.feasible(symbol, point)
                if domain.empty:
                    return None
                point[symbol.atom] = domain.nearest(wanted[symbol.atom])
                if not all(met(condition, point) for condition in self._due.get(symbol.atom, ())):
                    return None
        except ZeroDenominator:
            return None
        return point if self.admits(point) else None

    def admits(self, point: Point) -> bool:
        """Whether a point is in the domain; :class:`DividedByZero` where deciding that divides by zero."""
        for symbol in self.symbols:
            value = point[symbol.atom]
            if not symbol.domain.holds(value):
                return False
            for parent in symbol.parents:
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
            divisor = Divisor(condition.text, error.denominator, Rational(condition.form.denominator))
            raise DividedByZero(divisor, point) from error

    def restricted(self, atoms: Iterable[Hashable]) -> Space:
        """The space without symbols that neither ``atoms`` nor the conditions nor their parents need."""
        wanted = set(atoms).union(*(condition.form.atoms() for condition in self.conditions))
        wanted.update(a for c in self.conditions for d in c.divisors for a in d.form.atoms())
        wanted.update(a for whole in self.wholes for a in whole.atoms())
        for symbol in reversed(self.symbols):
            if symbol.atom in wanted:
                wanted.update(atom for parent in symbol.parents for atom in parent.atoms())
        return Space(tuple(symbol for symbol in self.symbols if symbol.atom in wanted), self.conditions, self.wholes)

    def where(self, condition: Condition) -> Space:
        """The space narrowed once more."""
        return Space(self.symbols, (*self.conditions, condition), self.wholes)

    def before(self, place: int) -> Space:
        """The space without its conditions from the one at ``place`` on."""
        return self if place == len(self.conditions) else Space(self.symbols, self.conditions[:place], self.wholes)

    def without(self, atom: Hashable) -> Space:
        """The space without the conditions on a symbol (the symbol itself goes where nothing needs it)."""
        kept = tuple(c for c in self.conditions if atom not in c.form.atoms())
        symbols = (replace(s, parents=tuple(p for p in s.parents if atom not in p.atoms())) for s in self.symbols)
        return Space(tuple(symbols), kept, tuple(w for w in self.wholes if atom not in w.atoms()))

    def points(self, seed: int, count: int) -> Iterator[Point]:
        """Boundary values of every symbol (each at least once), then ``count`` points at random; each point once."""
        random = Random(seed)
        seen: set[tuple[Fraction, ...]] = set()
        for wanted in self._wanted(random, count):
            point = self.nearest(wanted)
            if point is not None and (key := tuple(point[a] for a in self.atoms)) not in seen:
                seen.add(key)
                yield point

    def _wanted(self, random: Random, count: int) -> Iterator[Point]:
        boundaries = {symbol.atom: tuple(symbol.domain.boundary_points()) for symbol in self.symbols}
        yield {symbol.atom: symbol.domain.low for symbol in self.symbols}
        yield {symbol.atom: symbol.domain.high for symbol in self.symbols}
        for symbol in self.symbols:
            for boundary in boundaries[symbol.atom]:
                for _ in range(2):
                    point = {other.atom: self._either(other, boundaries[other.atom], random) for other in self.symbols}
                    yield {**point, symbol.atom: boundary}
        for _ in range(count if self.symbols else 0):
            yield {symbol.atom: self._either(symbol, boundaries[symbol.atom], random) for symbol in self.symbols}

    def _either(self, symbol: FreeSymbol, boundaries: Sequence[Fraction], random: Random) -> Fraction:
        """A boundary value or any other."""
        return random.choice(boundaries) if random.random() < 0.3 else symbol.domain.drawn(random)

    @property
    def size(self) -> int | None:
        """How many points the domains have together, conditions aside; None where one is no grid."""
        counts = [symbol.domain.finite for symbol in self.symbols]
        return None if None in counts else prod(count for count in counts if count is not None)

    def every(self, most: int) -> Sequence[Point] | None:
        """Every point of the domain, where the symbols have no more than ``most`` combinations."""
        total = 1
        for symbol in self.symbols:
            count = symbol.domain.finite
            if count is None or total * count > most:
                return None
            total *= count
        return [point for point in self._all(0, {}) if self.admits(point)]

    def _all(self, place: int, point: Point) -> Iterator[Point]:
        if place == len(self.symbols):
            yield dict(point)
            return
        domain = self.symbols[place].domain
        values = domain.values or tuple(domain.low + k * (domain.step or 1) for k in range(domain.finite or 0))
        for value in values:
            yield from self._all(place + 1, {**point, self.symbols[place].atom: value})


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
