"""Where a comparison with one unknown holds over its domain: from one value to another, everywhere or nowhere.

The ends are exact where the form has them (a root of a linear branch), else, on a grid, the last value of it that
holds; only between roots of a higher degree is an end rounded, and said to be.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Rational, ZeroDenominator, compares
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.greatest import (
    EVERY,
    Bound,
    Outcome,
    last_place,
    plainly_rises,
    proved_to_rise,
    value_at,
)

_BRANCHES = 64
_HALVINGS = 200


@dataclass(frozen=True, slots=True)
class Stretch:
    """The values of a domain from ``low`` to ``high`` at which something holds; ``starts`` and ``ends`` inside of it.

    ``rounded`` says that an end is no exact value.
    """

    low: Fraction
    high: Fraction
    starts: bool = False
    ends: bool = False
    rounded: bool = False

    def meet(self, other: Stretch) -> Stretch | None:
        """What two stretches have in common."""
        later, sooner = max(self, other, key=lambda s: s.low), min(self, other, key=lambda s: s.high)
        if later.low > sooner.high:
            return None
        starts, ends = later.starts, sooner.ends
        return Stretch(later.low, sooner.high, starts, ends, self.rounded or other.rounded)


def stretch(bound: Bound, atom: Hashable, domain: ValueSet) -> Stretch | Outcome:
    """Where one bound holds; :attr:`Outcome.NOWHERE`, or ``UNKNOWN`` where that may be in several places."""
    direction = trend(bound.excess, atom, domain)
    count = domain.finite
    if direction is None:
        return _looked_at(bound, atom, domain, count) if count is not None and count <= EVERY else Outcome.UNKNOWN
    first, last = holds(bound, atom, domain.low), holds(bound, atom, domain.high)
    if first and last:
        return Stretch(domain.low, domain.high)
    if not first and not last:
        return Outcome.NOWHERE
    if count is None:
        return _between(bound, atom, domain, direction)
    inside = last_place(lambda place: holds(bound, atom, value_at(domain, place)) == first, count)
    if first:
        return Stretch(domain.low, value_at(domain, inside), ends=True)
    return Stretch(value_at(domain, inside + 1), domain.high, starts=True)


def holds(bound: Bound, atom: Hashable, value: Fraction) -> bool:
    """Whether the bound holds at a value."""
    return compares(bound.op, bound.excess.evaluate({atom: value}), Fraction(0))


def _looked_at(bound: Bound, atom: Hashable, domain: ValueSet, count: int) -> Stretch | Outcome:
    """The answer where every value was looked at: one run of values that hold."""
    held = [place for place in range(count) if holds(bound, atom, value_at(domain, place))]
    if not held:
        return Outcome.NOWHERE
    if held[-1] - held[0] + 1 != len(held):
        return Outcome.UNKNOWN
    return Stretch(value_at(domain, held[0]), value_at(domain, held[-1]), held[0] > 0, held[-1] < count - 1)


def _between(bound: Bound, atom: Hashable, domain: ValueSet, direction: int) -> Stretch:
    """The part of an interval on one side of where the two sides are equal."""
    exact = root(bound.excess, atom, domain)
    at = exact if exact is not None else _halved(bound, atom, domain)
    whole = Stretch(domain.low, domain.high, rounded=exact is None)
    return replace(whole, high=at, ends=True) if direction > 0 else replace(whole, low=at, starts=True)


def _halved(bound: Bound, atom: Hashable, domain: ValueSet) -> Fraction:
    """Where an interval turns, to as many digits as a person may want."""
    low, high, first = domain.low, domain.high, holds(bound, atom, domain.low)
    for _ in range(_HALVINGS):
        middle = ((low + high) / 2).limit_denominator(10**18)
        if not low < middle < high or high - low < abs(high) / 10**18:
            break
        low, high = (middle, high) if holds(bound, atom, middle) == first else (low, middle)
    return low if first else high


def trend(form: Rational, atom: Hashable, domain: ValueSet) -> int | None:
    """1 where the sign of a form only goes up over the domain, -1 where it only goes down; None where that is not known."""
    top = over_positive(form, domain)
    powers = top.numerator.in_powers_of(atom)
    if not top.denominator.atoms() and not top.opaques() and max(powers, default=0) <= 1:
        return 1 if 1 not in powers or powers[1].evaluate({}) >= 0 else -1
    for each in dict.fromkeys((form, top)):
        for sign, turned in ((1, each), (-1, -each)):
            if plainly_rises(turned, domain):
                return sign
    if domain.finite and domain.finite <= EVERY:
        return None
    return next((s for s, turned in ((1, form), (-1, -form)) if proved_to_rise(turned, atom, domain)), None)


def over_positive(form: Rational, domain: ValueSet) -> Rational:
    """A form that has its sign: the numerator, where what it is divided by is positive over the domain."""
    under = Rational(form.denominator)
    positive = plainly_rises(under, domain) and under.evaluate(dict.fromkeys(under.atoms(), domain.low)) > 0
    return Rational(form.numerator) if positive else form


def root(form: Rational, atom: Hashable, domain: ValueSet) -> Fraction | None:
    """The one value within the ends of the domain at which a form is zero, where a branch of it is linear there."""
    found: set[Fraction] = set()
    for branch in branches(form):
        powers = branch.numerator.in_powers_of(atom)
        if set(powers) <= {0, 1} and 1 in powers and not branch.opaques():
            found.add(Fraction(-powers[0].evaluate({}) if 0 in powers else 0) / powers[1].evaluate({}))
    inside = [value for value in found if domain.low <= value <= domain.high and _is_zero(form, atom, value)]
    return inside[0] if len(inside) == 1 else None


def _is_zero(form: Rational, atom: Hashable, value: Fraction) -> bool:
    try:
        return form.evaluate({atom: value}) == 0
    except ZeroDenominator:
        return False


def branches(form: Rational) -> Iterator[Rational]:
    """The forms that a form may be, each least and greatest being one of the things that it is chosen from."""
    queue, made = [form], 0
    while queue and made < _BRANCHES:
        made += 1
        current = queue.pop()
        choice = next((each for each in sorted(current.opaques(), key=str) if each.func in ("min", "max")), None)
        if choice is None:
            yield current
        else:
            queue += [current.substitute({choice: each}) for each in choice.args]
