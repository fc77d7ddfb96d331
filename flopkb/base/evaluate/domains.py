"""Declared domains: as sets of values, as one of their members, in words."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.prover import ValueSet, listed
from flopkb.base.document import Scalar
from flopkb.base.model import Domain


def number(text: Scalar) -> Fraction:
    """A bound or a limit as an exact number, without a unit (``0.25``, ``1/3``); the schema has checked its form."""
    return Fraction(text.text) if isinstance(text.value, str) or text.value is None else Fraction(text.value)


def value_set(domain: Domain, scale: Fraction) -> ValueSet:
    """A declared domain in base units (without what a named ``multiple_of`` asks); it may be empty."""
    if domain.one_of is not None:
        values = listed(sorted({number(member) * scale for member in domain.one_of}))
    else:
        bounds = domain.integer or domain.rational
        assert bounds is not None, "the schema asks for one of the three"
        low, high = (number(bound) * scale for bound in bounds)
        values = ValueSet(low, high)
        if domain.integer is not None:
            values = values.on_grid(scale)
    step = fixed_step(domain)
    return values.on_grid(step * scale) if step is not None else values


def fixed_step(domain: Domain) -> Fraction | None:
    """The number that values are multiples of, where the domain gives a number."""
    step = domain.multiple_of
    return number(step) if step is not None and not isinstance(step.value, str) else None


def some_value(domain: Domain | None, *, turn: int = 0) -> Fraction:
    """A member of the domain, other than zero where it has one; ``turn`` (0, 1, ...) asks for another each time."""
    if domain is None:
        return Fraction(turn + 1)
    if domain.one_of is not None:
        members = [number(m) for m in domain.one_of if number(m)] or [Fraction(0)]
        return members[turn % len(members)]
    bounds = domain.integer or domain.rational
    low, high = (number(bounds[0]), number(bounds[1])) if bounds is not None else (Fraction(1), Fraction(1))
    step = fixed_step(domain) or Fraction(1)
    first = -(-low // step) if low > 0 or high <= 0 else Fraction(1)
    member = (first + turn) * step
    return member if low <= member <= high else low or high


def domain_text(domain: Domain) -> str:
    """The domain in words."""
    if domain.one_of is not None:
        text = "one of " + ", ".join(member.text for member in domain.one_of)
    else:
        kind = "integers" if domain.integer is not None else "rationals"
        bounds = domain.integer or domain.rational
        text = f"{kind} from {bounds[0].text} to {bounds[1].text}" if bounds is not None else "any value"
    return f"{text}, multiples of {domain.multiple_of.text}" if domain.multiple_of is not None else text
