"""The greatest value of one symbol at which conditions hold: exactly, where they hold up to a value and not beyond.

Whether they do is decided by how the parts of a condition grow, else by looking at every value of a small domain, else by
the prover. Where none of these tells, nothing is searched: bisection would find some end, not the greatest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from flopkb.arithmetic.formula import Opaque, Polynomial, Rational, compares
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.decide import Effort, Holds, Statement, at_second, decide, paired
from flopkb.arithmetic.prover.space import FreeSymbol, Space, Term

EVERY = 4096
"""A domain with so many values is looked at value by value where nothing else tells."""


@dataclass(frozen=True, slots=True)
class Bound:
    """``excess op 0`` must hold (``op`` is ``<=`` or ``<``)."""

    op: str
    excess: Rational


class Outcome(Enum):
    """How a search ends where there is no greatest value."""

    EVERYWHERE = "it holds throughout"
    NOWHERE = "it holds at no value"
    UNKNOWN = "it may hold, fail and hold again"


def bound(op: str, left: Rational, right: Rational) -> Bound | None:
    """A comparison as a bound from above; None for ``==`` and ``!=``."""
    if op in ("<=", "<"):
        return Bound(op, left - right)
    return Bound("<=" if op == ">=" else "<", right - left) if op in (">=", ">") else None


def greatest(bounds: Sequence[Bound], atom: Hashable, domain: ValueSet) -> Fraction | Outcome:
    """The greatest value of ``domain`` (finite, evenly spaced or listed) at which all bounds hold."""

    def holds(value: Fraction) -> bool:
        return all(compares(each.op, each.excess.evaluate({atom: value}), Fraction(0)) for each in bounds)

    count = domain.finite
    assert count, "a search is made over a finite domain that is not empty"
    if holds(value_at(domain, count - 1)):
        return Outcome.EVERYWHERE
    if not all(plainly_rises(each.excess, domain) for each in bounds):
        if count <= EVERY:
            return _by_looking([holds(value_at(domain, place)) for place in range(count)], domain)
        if not all(proved_to_rise(each.excess, atom, domain) for each in bounds):
            return Outcome.UNKNOWN
    if not holds(value_at(domain, 0)):
        return Outcome.NOWHERE
    return value_at(domain, last_place(lambda place: holds(value_at(domain, place)), count))


def last_place(holds: Callable[[int], bool], count: int) -> int:
    """The last of so many places at which something holds that holds at the first, not at the last, and turns once."""
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def value_at(domain: ValueSet, place: int) -> Fraction:
    """The values of a finite domain, counted from 0."""
    if domain.values:
        return domain.values[place]
    return domain.low + place * (domain.step or 0)


def _by_looking(found: Sequence[bool], domain: ValueSet) -> Fraction | Outcome:
    """The answer where every value was looked at: it must hold up to one and not beyond."""
    if True not in found:
        return Outcome.NOWHERE
    last = found.index(False) - 1
    return value_at(domain, last) if last >= 0 and not any(found[last + 1 :]) else Outcome.UNKNOWN


def plainly_rises(form: Rational, domain: ValueSet) -> bool:
    """Whether a form in one symbol never falls over the domain, by how its parts grow."""
    return domain.low >= 0 and _trend(form).rising


def proved_to_rise(form: Rational, atom: Hashable, domain: ValueSet) -> bool:
    """Whether a form in ``atom`` alone never falls over the domain, by the prover."""
    space = paired(Space((FreeSymbol(atom, domain),)), atom, "greatest")
    term = Term("it", form)
    return isinstance(decide(Statement("<=", term, term.at(at_second(atom)), space, atom), Effort(), 0), Holds)


@dataclass(frozen=True, slots=True)
class Trend:
    """How a part of a form moves as its one symbol grows from nothing on; a constant neither rises nor falls strictly."""

    rising: bool
    falling: bool
    negative_free: bool


_UNKNOWN = Trend(rising=False, falling=False, negative_free=False)


def _trend(form: Rational) -> Trend:
    above, below = _of_polynomial(form.numerator), form.denominator
    if not below.atoms():
        return above  # a denominator is a positive number
    under = _of_polynomial(below)
    if not (above.negative_free and under.negative_free):
        return _UNKNOWN
    return Trend(above.rising and under.falling, above.falling and under.rising, negative_free=True)


def _of_polynomial(polynomial: Polynomial) -> Trend:
    return _sum(
        _product(coefficient, [_of_atom(atom) for atom, _ in monomial])
        for monomial, coefficient in polynomial.terms.items()
    )


def _sum(parts: Iterable[Trend]) -> Trend:
    found = list(parts)
    return Trend(
        all(each.rising for each in found),
        all(each.falling for each in found),
        all(each.negative_free for each in found),
    )


def _product(coefficient: int, factors: Sequence[Trend]) -> Trend:
    if not factors:
        return Trend(rising=True, falling=True, negative_free=coefficient >= 0)
    if not all(each.negative_free for each in factors):
        return _UNKNOWN
    rising, falling = all(each.rising for each in factors), all(each.falling for each in factors)
    return Trend(rising, falling, True) if coefficient >= 0 else Trend(falling, rising, negative_free=False)


def _of_atom(atom: Hashable) -> Trend:
    """The symbol itself rises from nothing; rounding, least and greatest keep the direction of what is in them."""
    if not isinstance(atom, Opaque):
        return Trend(rising=True, falling=False, negative_free=True)
    inside = [_trend(each) for each in atom.args]
    if atom.func == "**":
        return _of_power(atom.args[0].constant(), inside[1])
    if atom.func not in ("min", "max", "floor", "ceil"):
        return _UNKNOWN
    whole = any if atom.func == "max" else all
    return Trend(
        all(each.rising for each in inside),
        all(each.falling for each in inside),
        whole(each.negative_free for each in inside),
    )


def _of_power(base: Fraction | None, exponent: Trend) -> Trend:
    """A positive number to a power that moves one way: what is less than one falls as the power rises."""
    if base is None or base <= 0:
        return _UNKNOWN
    if base < 1:
        return Trend(exponent.falling, exponent.rising, negative_free=True)
    return replace(exponent, negative_free=True)
