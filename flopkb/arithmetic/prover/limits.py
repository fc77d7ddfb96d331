"""Limits of quotients of polynomials by degrees, and statements that one form tends to another.

Every moving symbol becomes its end plus something that vanishes. Where a ``min`` is in the way, the difference is
followed far out instead.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Polynomial, Rational, TooLargeError, ZeroDenominator
from flopkb.arithmetic.prover.decide import Outcome, Passed, Statement
from flopkb.arithmetic.prover.signs import at_value
from flopkb.arithmetic.prover.space import Derived, Divisor, Point, Space, Term

INFINITY = None
"""The end that ``infinity`` names."""

End = Fraction | None
Ends = Mapping[Hashable, End]
FAR = 40
"""A limit that degrees do not give is followed to 2**80, 2**160 and 2**320 (or as near to a finite end)."""
SAMPLES = 16


class Vanishing(Derived):
    """What tends to zero in the place of a symbol that tends to its end."""

    wording = "step of {}"


@dataclass(frozen=True, slots=True)
class Finite:
    """The limit is ``form``, wherever ``divisor`` is not zero."""

    form: Rational
    divisor: Rational


@dataclass(frozen=True, slots=True)
class Infinite:
    """There is no finite limit."""


Limit = Finite | Infinite | None


def limit(form: Rational, ends: Ends) -> Limit:
    """The limit as all symbols of ``ends`` go there together, as a form in the others, or that there is no finite one.

    None where degrees do not tell: a ``min``, ``max``, ``ceil`` or ``floor`` moves, both parts of the quotient vanish,
    or they grow too large.
    """
    inside = set(ends)
    if any(inside & opaque.atoms() for opaque in form.opaques()):
        return None
    try:
        return _limit(form, ends)
    except TooLargeError:
        return None


def _limit(form: Rational, ends: Ends) -> Limit:
    moved = form.substitute(approaches(ends))
    over, under = (gone(part, ends) for part in (moved.numerator, moved.denominator))
    if under.terms:
        return Finite(Rational(over, under), Rational(under))
    return Infinite() if over.terms else None


def approaches(ends: Ends) -> dict[Hashable, Rational]:
    """Every moving symbol by what vanishes as it goes to its end."""
    steps = {atom: Rational.atom(Vanishing(atom)) for atom in ends}
    return {atom: 1 / steps[atom] if end is INFINITY else steps[atom] + end for atom, end in ends.items()}


def gone(polynomial: Polynomial, ends: Ends) -> Polynomial:
    """The polynomial where everything that vanishes is zero."""
    for atom in ends:
        polynomial = at_value(polynomial, Vanishing(atom), Fraction(0))
    return polynomial


def leading(form: Rational, ends: Ends) -> Rational:
    """What a divisor is near the limit, without powers of what vanishes; zero where that is not known."""
    if any(set(ends) & opaque.atoms() for opaque in form.opaques()):
        return form
    over = form.substitute(approaches(ends)).numerator
    shared: dict[Hashable, int] = {a: power for a, power in over.common().items() if isinstance(a, Vanishing)}
    return Rational(gone(over.divided(1, shared), ends))


@dataclass(frozen=True, slots=True)
class NoLimit:
    """The difference of two forms does not vanish: it is ``unbounded``, or not small far out, at ``point``.

    ``point`` has a value for each symbol that a person is to see; None where no point is known.
    """

    left: Term
    right: Term
    unbounded: bool
    point: Point | None


def decide_limit(
    left: Term, right: Term, ends: Ends, space: Space, decide: Callable[[Statement], Outcome], seed: int
) -> Outcome | NoLimit:
    """How a statement ends that the difference of the sides vanishes as the symbols of ``ends`` go there together."""
    for atom in ends:
        space = space.without(atom)
    gap = limit(left.form - right.form, ends)
    if isinstance(gap, Finite):
        return decide(limit_statement(left, right, gap, ends, space))
    points = space.points(seed, SAMPLES)
    if isinstance(gap, Infinite):
        point = next(iter(points), None)
        atoms = (left.form.atoms() | right.form.atoms()) - set(ends)
        return NoLimit(left, right, True, point and {atom: v for atom, v in point.items() if atom in atoms})
    return followed(left, right, ends, space, points)


def limit_statement(left: Term, right: Term, gap: Finite, ends: Ends, space: Space) -> Statement:
    """That the limits are equal; what is divided by must not vanish on the way."""
    divisors = tuple(vanishing((*left.divisors, *right.divisors), ends))
    limits = [limit(side.form, ends) for side in (left, right)]
    one, other = (found.form if isinstance(found, Finite) else None for found in limits)
    name = f"the limit of {left.text}"
    if one is None or other is None:
        return Statement(
            "==", Term(f"{name} - {right.text}", gap.form, divisors), Term("0", Rational.of(0), divisors), space
        )
    return Statement("==", Term(name, one, divisors), Term(right.text, other, divisors), space)


def vanishing(divisors: tuple[Divisor, ...], ends: Ends) -> Iterator[Divisor]:
    """What each divisor is like near the limit, up to powers of what vanishes."""
    for divisor in divisors:
        yield replace(divisor, form=leading(divisor.form, ends))


def followed(left: Term, right: Term, ends: Ends, space: Space, points: Iterable[Point]) -> Passed | NoLimit:
    """The difference followed along the way at sampled values of the other symbols: it must go on shrinking."""
    tried = 0
    for point in points:
        try:
            places = [{**point, **at_distance(ends, space, FAR * factor)} for factor in (2, 4, 8)]
            _, near, last = (abs(left.form.evaluate(p) - right.form.evaluate(p)) for p in places)
        except ZeroDenominator:
            continue
        tried += 1
        if last and last * 2 ** (FAR // 2) > near:
            atoms = left.form.atoms() | right.form.atoms()
            return NoLimit(left, right, False, {atom: v for atom, v in places[0].items() if atom in atoms})
    return Passed(tried, "a limit through min, max, ceil or floor is followed, not derived")


def at_distance(ends: Ends, space: Space, power: int) -> Point:
    """Values of the moving symbols on their way: to a finite end from inside their domains."""
    found: Point = {}
    for atom, end in ends.items():
        symbol = space.symbol(atom)
        side = 0 if end is None else -1 if end >= symbol.domain.high else 1
        found[atom] = symbol.scale * 2**power if end is None else end + side * symbol.scale / 2**power
    return found
