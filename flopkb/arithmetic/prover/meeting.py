"""Points where two symbols meet: where a form may be zero along one symbol, for many values of another.

A statement such as ``a*b != 853487`` fails at two points of a million, which neither boundaries nor points at random
find: for each value of ``a`` the one of ``b`` is solved for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, permutations
from math import isqrt
from random import Random

from flopkb.arithmetic.formula import Polynomial, Rational
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.space import Point, Space

_NEAREST, _FARTHEST, _DRAWN = 1024, 64, 64
"""How many of the smallest, the largest and other values of a symbol are tried."""
_STANDING = 4
"""How many values of all other symbols are tried."""
_PAIRS = 12


def meeting_points(space: Space, forms: Iterable[Rational], seed: int) -> Iterator[Point]:
    """Points of the space beside the zeros of each form, along each pair of symbols (without ``min``, ``ceil``, ...)."""
    for form in forms:
        if not form.opaques():
            yield from _beside_zeros(space, form, seed)


def _beside_zeros(space: Space, form: Rational, seed: int) -> Iterator[Point]:
    over = form.numerator
    inside = [symbol.atom for symbol in space.symbols if symbol.atom in over.atoms()]
    standing = list(islice(space.points(seed, 0), _STANDING)) or [anywhere(space)]
    for one, other in islice(permutations(inside, 2), _PAIRS):
        if over.degree(other) > 2:
            continue
        parts = over.in_powers_of(other)
        domain = space.symbol(other).domain
        for point in standing if len(inside) > 2 else standing[:1]:
            yield from _along(space, parts, point, (one, other), domain, seed)


def _along(
    space: Space,
    parts: dict[int, Polynomial],
    point: Point,
    pair: tuple[Hashable, Hashable],
    domain: ValueSet,
    seed: int,
) -> Iterator[Point]:
    one, other = pair
    for value in tried_values(space.symbol(one).domain, seed):
        at = {**point, one: value}
        wanted = [Fraction(parts[power].evaluate(at)) if power in parts else Fraction(0) for power in range(3)]
        for root in zeros(wanted):
            for near in beside(root, domain):
                found = {**at, other: near}
                if space.admits(found):
                    yield found


def anywhere(space: Space) -> Point:
    """The least value of every symbol, where no point of the space is known."""
    return {symbol.atom: symbol.domain.nearest(symbol.domain.low) for symbol in space.symbols}


def tried_values(domain: ValueSet, seed: int) -> Iterator[Fraction]:
    """The smallest values of a set, the largest, and some between."""
    count = domain.finite
    if domain.values:
        yield from domain.values[:_NEAREST]
        return
    if count is not None and domain.step is not None:
        low, step = domain.low, domain.step
        yield from (low + k * step for k in range(min(count, _NEAREST)))
        yield from (low + k * step for k in range(max(_NEAREST, count - _FARTHEST), count))
    if count is None or count > _NEAREST + _FARTHEST:
        random = Random(seed)
        yield from (domain.drawn(random) for _ in range(_DRAWN))


def zeros(coefficients: Sequence[Fraction]) -> Iterator[Fraction]:
    """Where ``c + b*x + a*x**2`` is zero, or turns, as far as that is a rational number; else beside it."""
    c, b, a = coefficients
    if a:
        yield -b / (2 * a)
        under = b * b - 4 * a * c
        if under > 0:
            root = Fraction(isqrt(under.numerator * under.denominator), under.denominator)
            yield from ((-b + root) / (2 * a), (-b - root) / (2 * a))
    elif b:
        yield -c / b


def beside(value: Fraction, domain: ValueSet) -> Iterator[Fraction]:
    """The value of the set nearest to a number, and those beside it."""
    if not domain.low <= value <= domain.high:
        return
    near = domain.nearest(value)
    yield near
    if domain.step is not None and near != value:
        yield from (other for other in (near - domain.step, near + domain.step) if domain.holds(other))
