"""Limits of quotients of polynomials, by degrees: every moving symbol becomes its end plus something that vanishes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.formula import Polynomial, Rational, TooLargeError
from flopkb.base.claims.prover import at_value

INFINITY = None
"""The end that ``infinity`` names."""

End = Fraction | None


@dataclass(frozen=True, slots=True)
class Vanishing:
    """What tends to zero in the place of a symbol that tends to its end."""

    atom: Hashable

    def __str__(self) -> str:
        return f"step of {self.atom}"


@dataclass(frozen=True, slots=True)
class Finite:
    """The limit is ``form``, wherever ``divisor`` is not zero."""

    form: Rational
    divisor: Rational


@dataclass(frozen=True, slots=True)
class Infinite:
    """There is no finite limit."""


Limit = Finite | Infinite | None


def limit(form: Rational, ends: Mapping[Hashable, End]) -> Limit:
    """The limit as all symbols of ``ends`` go there together; None where degrees do not tell."""
    inside = set(ends)
    if any(inside & opaque.atoms() for opaque in form.opaques()):
        return None
    try:
        return _limit(form, ends)
    except TooLargeError:
        return None


def _limit(form: Rational, ends: Mapping[Hashable, End]) -> Limit:
    steps: dict[Hashable, Rational] = {}
    for atom, end in ends.items():
        step = Rational.atom(Vanishing(atom))
        steps[atom] = 1 / step if end is INFINITY else step + end
    moved = form.substitute(steps)
    over, under = (gone(part, ends) for part in (moved.numerator, moved.denominator))
    if under.terms:
        return Finite(Rational(over, under), Rational(under))
    return Infinite() if over.terms else None


def gone(polynomial: Polynomial, ends: Mapping[Hashable, End]) -> Polynomial:
    """The polynomial where everything that vanishes is zero."""
    for atom in ends:
        polynomial = at_value(polynomial, Vanishing(atom), Fraction(0))
    return polynomial


def leading(form: Rational, ends: Mapping[Hashable, End]) -> Rational:
    """What a divisor is near the limit, without powers of what vanishes; zero where that is not known."""
    if any(set(ends) & opaque.atoms() for opaque in form.opaques()):
        return form
    steps = {
        atom: 1 / Rational.atom(Vanishing(atom)) if end is INFINITY else Rational.atom(Vanishing(atom)) + end
        for atom, end in ends.items()
    }
    over = form.substitute(steps).numerator
    shared: dict[Hashable, int] = {a: power for a, power in over.common().items() if isinstance(a, Vanishing)}
    return Rational(gone(over.divided(1, shared), ends))
