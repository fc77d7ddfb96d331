"""A counterexample made small: each symbol as small as it can be, the others being held, exactly by isolating roots.

Between two neighbouring roots of the polynomials that decide it, nothing changes. So of a grid of any length only the
values next to a root need to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flopkb.arithmetic.formula import Opaque, Polynomial, Rational, TooLargeError, ZeroDenominator
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.signs import branches
from flopkb.arithmetic.prover.space import DividedByZero, FreeSymbol, Point, Space

EXAMPLES, MAX_ROUNDS = 100, 50
MAX_SCAN, NEAR = 256, 8
DIGITS = (Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000))

Coefficients = tuple[Fraction, ...]
"""A polynomial in one unknown, lowest power first."""


@dataclass(frozen=True, slots=True)
class Shrinking:
    """Makes a ``refuted`` point of ``space`` smaller: the signs of ``difference`` and of the conditions decide it."""

    space: Space
    difference: Rational
    refuted: Callable[[Point], bool]

    def shrunk(self, point: Point, *, search: bool) -> Point:
        """A point that is refuted too, and no symbol of which can be made smaller without its holding.

        With ``search`` Hypothesis looks for one that is smaller in several symbols at once.
        """
        point = self.minimised(point)
        if not search or all(point[symbol.atom] == symbol.domain.low for symbol in self.space.symbols):
            return point
        from flopkb.arithmetic.prover import search as hypothesis

        smaller = hypothesis.search(
            self.space, lambda other: other != point and self.fails(other), EXAMPLES, below=point
        )
        return self.minimised(smaller) if smaller is not None else point

    def minimised(self, point: Point) -> Point:
        """One symbol after the other made as small as it can be, until none can."""
        for _ in range(MAX_ROUNDS):
            before = dict(point)
            for symbol in self.space.symbols:
                point = self.scaled_down(symbol.atom, point)
            for symbol in self.space.symbols:
                point = {**point, symbol.atom: self.smallest(symbol.atom, point)}
            if point == before:
                break
        return point

    def fails(self, point: Point) -> bool:
        """Whether it fails at a point of the space."""
        try:
            return self.refuted(point)
        except (DividedByZero, ZeroDenominator):
            return False

    def pieces(self, atom: Hashable, point: Point) -> tuple[Rational, ...] | None:
        """Forms whose signs decide everything as ``atom`` moves; None where a floor or a ceil moves with it."""
        forms = (self.difference, *(condition.form for condition in self.space.conditions))
        try:
            split = list(branches(tuple(settled(form, atom, point) for form in forms)))
        except (TooLargeError, ZeroDenominator):
            return None
        if any(branch.bounds for branch in split):
            return None  # between any two values of a grid
        return tuple(dict.fromkeys(form for branch in split for form in (*branch.forms, *branch.leads)))

    def scaled_down(self, atom: Hashable, point: Point) -> Point:
        """The point with a symbol at its least value, and what is a multiple of it the same multiple, if that fails."""
        least = self.space.symbol(atom).domain.low
        if not least or not point[atom]:
            return point
        ratio = least / point[atom]
        children = {
            symbol.atom: point[symbol.atom] * ratio for symbol in self.space.symbols if self.is_multiple(symbol, atom)
        }
        moved = {**point, **children, atom: least}
        return moved if children and self.fails(moved) else point

    def is_multiple(self, symbol: FreeSymbol, atom: Hashable) -> bool:
        """Whether a symbol is a whole multiple of another."""
        return any(parent == Rational.atom(atom) for parent in symbol.parents)

    def smallest(self, atom: Hashable, point: Point) -> Fraction:
        """The smallest value of one symbol at which it still fails."""
        symbol = self.space.symbol(atom)
        is_parent = any(atom in p.atoms() for other in self.space.symbols for p in other.parents)
        is_parent = is_parent or any(atom in whole.atoms() for whole in self.space.wholes)
        pieces = None if is_parent else self.pieces(atom, point)
        polynomials = None if pieces is None else deciding(pieces, atom, point)
        domain = symbol.domain
        for parent in symbol.parents:
            domain = domain.on_grid(parent.evaluate(point))
        children = [point[other.atom] for other in self.space.symbols if self.is_multiple(other, atom)]

        def fails(value: Fraction) -> bool:
            if any(not value or (child / value).denominator != 1 for child in children):
                return False
            return self.fails({**point, atom: value})

        return smallest(fails, point[atom], domain, symbol.scale, polynomials)


def settled(form: Rational, atom: Hashable, point: Point) -> Rational:
    """The form with the value at ``point`` of every min, max, floor and ceil that does not move with ``atom``."""
    values = {opaque: opaque.evaluate(point) for opaque in form.opaques() if not opaque.depends_on(atom)}
    return form.substitute(values) if values else form


@dataclass(frozen=True, slots=True)
class Multiples:
    """The multiples of ``step`` from the ``low``-th to the ``high``-th, by their numbers."""

    step: Fraction
    low: int
    high: int


def smallest(
    fails: Callable[[Fraction], bool],
    value: Fraction,
    domain: ValueSet,
    scale: Fraction,
    deciding: Sequence[Coefficients] | None,
) -> Fraction:
    """The smallest value in ``domain`` for which ``fails``; it does for ``value``.

    ``deciding`` are the polynomials whose signs decide it, or None where that is not known (then small values are
    tried, as many as is cheap).
    """
    if domain.values:
        return next(v for v in sorted(domain.values, key=abs) if v == value or fails(v))
    for step in (domain.step,) if domain.step is not None else (scale * digit for digit in DIGITS):
        grid = Multiples(step, int(-(-domain.low // step)), int(domain.high // step))
        for candidate in candidates(grid, value, deciding):
            if candidate == value or (domain.holds(candidate) and fails(candidate)):
                return candidate
    return value


def candidates(grid: Multiples, value: Fraction, deciding: Sequence[Coefficients] | None) -> Iterator[Fraction]:
    """Values in rising size, among which the smallest that fails is (where ``deciding`` is known)."""
    start = min(max(0, grid.low), grid.high)
    reach = NEAR if deciding is not None else MAX_SCAN
    numbers = set(range(max(start - reach, grid.low), min(start + reach, grid.high) + 1)) | {grid.low, grid.high}
    if value % grid.step == 0:
        numbers.add(int(value / grid.step))
    for polynomial in deciding or ():
        for place in sign_changes(scaled(polynomial, grid.step), grid.low, grid.high):
            numbers.update((place - 1, place, place + 1, place + 2))
    inside = (n for n in numbers if grid.low <= n <= grid.high)
    yield from (n * grid.step for n in sorted(inside, key=lambda n: (abs(n), n < 0)))


def scaled(polynomial: Coefficients, step: Fraction) -> Coefficients:
    """The polynomial in the number of steps."""
    return tuple(c * step**power for power, c in enumerate(polynomial))


def in_one(form: Polynomial, atom: Hashable, point: Point) -> Coefficients | None:
    """A polynomial in ``atom`` alone, the others being held; None where it is inside a min, max, ceil or floor."""
    if any(isinstance(a, Opaque) for a in form.atoms()):
        return None
    parts = form.in_powers_of(atom)
    values = {power: Fraction(part.evaluate(point)) for power, part in parts.items()}
    return tuple(values.get(power, Fraction(0)) for power in range(max(values, default=0) + 1))


def deciding(forms: Sequence[Rational], atom: Hashable, point: Point) -> list[Coefficients] | None:
    """The polynomials in ``atom`` whose signs decide the signs of ``forms``, or None where there are none."""
    found = []
    for form in forms:
        for part in (form.numerator, form.denominator):
            one = in_one(part, atom, point)
            if one is None:
                return None
            found.append(one)
    return found


def sign_changes(polynomial: Coefficients, low: int, high: int) -> Iterator[int]:
    """Every whole number n with a real root of the polynomial in [n, n + 1], from ``low`` to ``high``."""
    chain = sturm(trimmed(polynomial))
    if len(chain) < 2:
        return
    if len(chain[-1]) > 1:  # what is left is the repeated part, which would be zero along the whole chain
        chain = sturm(divided(chain[0], chain[-1])[0])
    stack = [(low - 1, high + 1)]
    while stack:
        left, right = stack.pop()
        if variations(chain, left) == variations(chain, right):
            continue
        if right - left == 1:
            yield left
            continue
        middle = (left + right) // 2
        stack += [(left, middle), (middle, right)]


def trimmed(polynomial: Coefficients) -> Coefficients:
    """Without leading zeros."""
    end = len(polynomial)
    while end and not polynomial[end - 1]:
        end -= 1
    return polynomial[:end]


def sturm(polynomial: Coefficients) -> list[Coefficients]:
    """The chain whose sign variations count distinct real roots (of the polynomial without repeated factors)."""
    if not polynomial:
        return []
    slope = trimmed(tuple(n * c for n, c in enumerate(polynomial))[1:])
    chain = [polynomial, slope]
    while chain[-1]:
        chain.append(tuple(-c for c in divided(chain[-2], chain[-1])[1]))
    return chain[:-1]


def divided(left: Coefficients, right: Coefficients) -> tuple[Coefficients, Coefficients]:
    """The whole part of a division, and what is left."""
    rest, found = list(left), [Fraction(0)] * max(0, len(left) - len(right) + 1)
    for place in reversed(range(len(found))):
        found[place] = rest[place + len(right) - 1] / right[-1]
        for power, coefficient in enumerate(right):
            rest[place + power] -= found[place] * coefficient
    return trimmed(tuple(found)), trimmed(tuple(rest))


def variations(chain: Sequence[Coefficients], at: int) -> int:
    """How often the signs along the chain change at a point."""
    signs = [s for s in (sign_at(polynomial, at) for polynomial in chain) if s]
    return sum(1 for one, two in pairwise(signs) if one != two)


def sign_at(polynomial: Coefficients, at: int) -> int:
    """The sign of the value at a whole number."""
    value = Fraction(0)
    for coefficient in reversed(polynomial):
        value = value * at + coefficient
    return (value > 0) - (value < 0)
