"""The smallest value of one symbol at which a claim still fails, the others being held: exact, by isolating roots.

Between two neighbouring roots of the polynomials that decide it, nothing changes. So of a grid of any length only the
values next to a root need to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flopkb.arithmetic.formula import Opaque, Polynomial, Rational
from flopkb.base.claims.space import Point
from flopkb.base.claims.spans import Span

MAX_SCAN, NEAR = 256, 8
DIGITS = (Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000))

Coefficients = tuple[Fraction, ...]
"""A polynomial in one unknown, lowest power first."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The multiples of ``step`` from the ``low``-th to the ``high``-th, by their numbers."""

    step: Fraction
    low: int
    high: int


def smallest(
    fails: Callable[[Fraction], bool],
    value: Fraction,
    span: Span,
    scale: Fraction,
    deciding: Sequence[Coefficients] | None,
) -> Fraction:
    """The smallest value in ``span`` for which ``fails``; it does for ``value``.

    ``deciding`` are the polynomials whose signs decide it, or None where that is not known (then small values are
    tried, as many as is cheap).
    """
    if span.values:
        return next(v for v in sorted(span.values, key=abs) if v == value or fails(v))
    for step in (span.step,) if span.step is not None else (scale * digit for digit in DIGITS):
        grid = grid_of(span, step)
        for candidate in candidates(grid, value, deciding):
            if candidate == value or (span.holds(candidate) and fails(candidate)):
                return candidate
    return value


def grid_of(span: Span, step: Fraction) -> Grid:
    """The grid of a span."""
    return Grid(step, int(-(-span.low // step)), int(span.high // step))


def candidates(grid: Grid, value: Fraction, deciding: Sequence[Coefficients] | None) -> Iterator[Fraction]:
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
        chain = sturm(quotient(chain[0], chain[-1]))
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
        chain.append(tuple(-c for c in remainder(chain[-2], chain[-1])))
    return chain[:-1]


def quotient(left: Coefficients, right: Coefficients) -> Coefficients:
    """The whole part of a division."""
    rest, found = list(left), [Fraction(0)] * (len(left) - len(right) + 1)
    for place in reversed(range(len(found))):
        found[place] = rest[place + len(right) - 1] / right[-1]
        for power, coefficient in enumerate(right):
            rest[place + power] -= found[place] * coefficient
    return trimmed(tuple(found))


def remainder(left: Coefficients, right: Coefficients) -> Coefficients:
    """What is left of a polynomial after division."""
    rest = list(left)
    while len(rest) >= len(right):
        factor = rest[-1] / right[-1]
        for place in range(1, len(right) + 1):
            rest[-place] -= factor * right[-place]
        rest.pop()
    return trimmed(tuple(rest))


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
