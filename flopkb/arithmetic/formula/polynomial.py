"""Polynomials with whole coefficients over any hashable atoms: the numerators and denominators of exact quotients.

A coefficient is an ``int``: a quotient of polynomials carries every fraction in its two halves, and integers are
several times faster than ``Fraction``. Sizes are bounded, so that no formula can make a check slow.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd
from typing import Any

from flopkb.arithmetic.formula.errors import TooLargeError

Atom = Hashable
"""Any value that stands for an unknown; ``str`` is what messages call it."""

Monomial = tuple[tuple[Atom, int], ...]
"""Atoms with their positive exponents, sorted; the empty one is the monomial of a constant."""

MAX_TERMS = 300
MAX_PRODUCTS = 5_000
MAX_POWER = 256
MAX_BITS = 14_000
PRIME = sys.hash_info.modulus
"""A large prime: values modulo it tell different polynomials apart without multiplying them out."""


_alike: Counter[tuple[str, str]] = Counter()


@cache
def atom_order(atom: Atom) -> tuple[str, str, int]:
    """What atoms are sorted by: type and text, and the order of arrival where different atoms look alike.

    Kept for good, since a monomial is one and the same only as long as its atoms keep their order.
    """
    look = (type(atom).__name__, repr(atom))
    _alike[look] += 1
    return (*look, _alike[look])


def _item_order(item: tuple[Atom, int]) -> tuple[str, str, int]:
    return atom_order(item[0])


def _product(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    powers = dict(left)
    for atom, exponent in right:
        powers[atom] = powers.get(atom, 0) + exponent
    return _sorted(powers)


def _sorted(powers: Mapping[Atom, int]) -> Monomial:
    if powers and max(powers.values()) > MAX_POWER:
        raise TooLargeError(f"a power above {MAX_POWER}")
    return tuple(sorted(powers.items(), key=_item_order))


def _quotient(monomial: Monomial, divisor: Mapping[Atom, int]) -> Monomial:
    lowered = ((atom, exponent - divisor.get(atom, 0)) for atom, exponent in monomial)
    return tuple(item for item in lowered if item[1])


@dataclass(frozen=True, slots=True)
class Polynomial:
    """``terms`` maps each monomial to its coefficient, none of them zero; the zero polynomial has no terms."""

    terms: Mapping[Monomial, int]

    @classmethod
    def constant(cls, value: int) -> Polynomial:
        """The polynomial that is ``value`` everywhere."""
        return cls({(): value} if value else {})

    @classmethod
    def atom(cls, atom: Atom) -> Polynomial:
        """The polynomial that is the unknown ``atom`` itself."""
        return cls({((atom, 1),): 1})

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
        return _bounded(terms)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        # Most factors are 1: denominators, and powers that do not occur.
        if other.terms == ONE.terms:
            return self
        if self.terms == ONE.terms:
            return other
        if len(self.terms) * len(other.terms) > MAX_PRODUCTS:
            raise TooLargeError(f"a product of {len(self.terms)} by {len(other.terms)} terms")
        terms: dict[Monomial, int] = {}
        for left, by in self.terms.items():
            for right, coefficient in other.terms.items():
                monomial = _product(left, right)
                terms[monomial] = terms.get(monomial, 0) + by * coefficient
        return _bounded(terms)

    def __pow__(self, exponent: int) -> Polynomial:
        if exponent == 1:
            return self
        result, square = ONE, self
        while exponent:
            if exponent & 1:
                result = result * square
            exponent >>= 1
            if exponent:
                square = square * square
        return result

    def scaled(self, factor: int) -> Polynomial:
        """Every coefficient times ``factor``."""
        return self if factor == 1 else _bounded({m: factor * c for m, c in self.terms.items()})

    def divided(self, divisor: int, monomial: Mapping[Atom, int]) -> Polynomial:
        """Divided by a whole number and a monomial that both divide every term."""
        if not monomial:
            return self if divisor == 1 else Polynomial({m: c // divisor for m, c in self.terms.items()})
        return Polynomial({_quotient(m, monomial): c // divisor for m, c in self.terms.items()})

    def content(self) -> int:
        """The greatest whole number that divides every coefficient (0 for the zero polynomial)."""
        return gcd(*self.terms.values())

    def common(self) -> dict[Atom, int]:
        """The greatest monomial that divides every term."""
        monomials = iter(self.terms)
        shared = dict(next(monomials, ()))
        for monomial in monomials:
            if not shared:
                break
            powers = dict(monomial)
            shared = {atom: min(n, powers[atom]) for atom, n in shared.items() if atom in powers}
        return shared

    def ratio(self, other: Polynomial) -> Fraction | None:
        """The number c with ``self == c * other``, or None; ``other`` is not zero."""
        if not self.terms:
            return Fraction(0)
        if self.terms.keys() != other.terms.keys():
            return None
        monomial, by = next(iter(other.terms.items()))
        first = self.terms[monomial]
        if all(c * by == first * other.terms[m] for m, c in self.terms.items()):
            return Fraction(first, by)
        return None

    def atoms(self) -> frozenset[Atom]:
        """Every atom that occurs, as it stands in the monomials."""
        return frozenset(atom for monomial in self.terms for atom, _ in monomial)

    def degree(self, atom: Atom) -> int:
        """The highest power of ``atom``."""
        return max((dict(monomial).get(atom, 0) for monomial in self.terms), default=0)

    def partial(self, atom: Atom) -> Polynomial:
        """The derivative in ``atom``, every other atom held fixed."""
        terms = {}
        for monomial, coefficient in self.terms.items():
            power = dict(monomial).get(atom, 0)
            if power:
                terms[_quotient(monomial, {atom: 1})] = coefficient * power
        return Polynomial(terms)

    def in_powers_of(self, atom: Atom) -> dict[int, Polynomial]:
        """The coefficient of each power of ``atom`` that occurs, a polynomial in the other atoms."""
        parts: dict[int, dict[Monomial, int]] = {}
        for monomial, coefficient in self.terms.items():
            power = dict(monomial).get(atom, 0)
            rest = tuple(item for item in monomial if item[0] != atom)
            parts.setdefault(power, {})[rest] = coefficient
        return {power: Polynomial(terms) for power, terms in sorted(parts.items())}

    def evaluate(self, values: Mapping[Any, int | Fraction]) -> int | Fraction:
        """The exact value where every atom has the value given."""
        total: int | Fraction = 0
        for monomial, coefficient in self.terms.items():
            product: int | Fraction = coefficient
            for atom, exponent in monomial:
                value = values[atom]
                product *= value if exponent == 1 else value**exponent
            total += product
        return total

    def fingerprint(self) -> int:
        """The value modulo :data:`PRIME` at one point that is fixed for the process: equal polynomials share it."""
        total = 0
        for monomial, coefficient in self.terms.items():
            for atom, exponent in monomial:
                coefficient = coefficient * pow(hash((atom, PRIME)), exponent, PRIME) % PRIME
            total += coefficient
        return total % PRIME

    @property
    def name(self) -> Atom | None:
        """The atom that the polynomial is; None for one that is anything else."""
        if len(self.terms) != 1:
            return None
        ((monomial, coefficient),) = self.terms.items()
        return monomial[0][0] if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1 else None

    def renamed(self, names: Mapping[Atom, Atom]) -> Polynomial:
        """The polynomial with other atoms in the place of some, perhaps one in that of several."""
        terms: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            powers: dict[Atom, int] = {}
            for atom, exponent in monomial:
                name = names.get(atom, atom)
                powers[name] = powers.get(name, 0) + exponent
            new = _sorted(powers)
            terms[new] = terms.get(new, 0) + coefficient
        return _bounded(terms)

    def substitute(self, values: Mapping[Atom, tuple[Polynomial, Polynomial]]) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator after each atom is replaced by the quotient given for it.

        All terms are brought to the one denominator that the highest power of each atom needs.
        """
        names = {atom: over.name for atom, (over, under) in values.items() if under.terms == ONE.terms}
        names = {atom: name for atom, name in names.items() if name is not None and name not in values}
        if names:
            rest = {atom: value for atom, value in values.items() if atom not in names}
            return self.renamed(names).substitute(rest)
        if not values:
            return self, ONE
        degrees = {atom: self.degree(atom) for atom in values}
        replaced: dict[tuple[Atom, int], Polynomial] = {}
        total = ZERO
        for monomial, coefficient in self.terms.items():
            kept = tuple(item for item in monomial if item[0] not in values)
            term, powers = Polynomial({kept: coefficient}), dict(monomial)
            for atom, (over, under) in values.items():
                power, top = powers.get(atom, 0), degrees[atom]
                if (atom, power) not in replaced:
                    replaced[atom, power] = over**power * under ** (top - power)
                term = term * replaced[atom, power]
            total = total + term
        return total, product(under ** degrees[atom] for atom, (_, under) in values.items())

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = " ".join(_term_text(monomial, coefficient) for monomial, coefficient in self.terms.items())
        return text[2:] if text.startswith("+ ") else text.replace("- ", "-", 1)


ZERO = Polynomial({})
ONE = Polynomial({(): 1})


def product(factors: Iterable[Polynomial]) -> Polynomial:
    """All factors multiplied; 1 for none."""
    result = ONE
    for factor in factors:
        result = result * factor
    return result


def shared_monomial(left: Polynomial, right: Polynomial) -> dict[Atom, int]:
    """The greatest monomial that divides every term of both."""
    powers = left.common()
    others = right.common() if powers else {}
    return {atom: min(power, others[atom]) for atom, power in powers.items() if atom in others}


def _bounded(terms: dict[Monomial, int]) -> Polynomial:
    kept = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}
    if len(kept) > MAX_TERMS:
        raise TooLargeError(f"more than {MAX_TERMS} terms when multiplied out")
    if kept and max(map(int.bit_length, kept.values())) > MAX_BITS:
        raise TooLargeError(f"whole numbers of more than {MAX_BITS} bits")
    return Polynomial(kept)


def _term_text(monomial: Monomial, coefficient: int) -> str:
    factors = [str(atom) if exponent == 1 else f"{atom}**{exponent}" for atom, exponent in monomial]
    if abs(coefficient) != 1 or not factors:
        factors.insert(0, str(abs(coefficient)))
    return ("- " if coefficient < 0 else "+ ") + "*".join(factors)


def greatest_divisor(left: Polynomial, right: Polynomial) -> Polynomial:
    """The polynomial of highest degree, and with the largest whole factor, that divides both."""
    if not left.terms or not right.terms:
        return left if left.terms else right
    if len(left.terms) == 1 or len(right.terms) == 1:
        powers = shared_monomial(left, right)
        monomial = tuple(sorted(powers.items(), key=lambda item: atom_order(item[0])))
        return Polynomial({monomial: gcd(left.content(), right.content())})
    both = left.atoms() & right.atoms()
    if not both:
        return Polynomial.constant(gcd(left.content(), right.content()))
    atom = min(both, key=lambda a: (left.degree(a) + right.degree(a), atom_order(a)))
    left_content, right_content = _content(left, atom), _content(right, atom)
    outer = greatest_divisor(left_content, right_content)
    if _apart(left, right, atom):
        return outer
    return outer * _in_atom(exact_quotient(left, left_content), exact_quotient(right, right_content), atom)


def exact_quotient(left: Polynomial, right: Polynomial) -> Polynomial:
    """``left / right`` where nothing remains; ValueError where something does."""
    if right == ONE:
        return left
    number = right.terms.get((), 0) if len(right.terms) == 1 else 0
    if number:
        if left.content() % number:
            raise ValueError(f"{right} does not divide {left}")
        return left.divided(number, {})
    atom = min(right.atoms(), key=atom_order)
    degree, lead = right.degree(atom), _lead(right, atom)
    quotient = ZERO
    while left.terms:
        shift = left.degree(atom) - degree
        if shift < 0:
            raise ValueError(f"{right} does not divide {left}")
        term = exact_quotient(_lead(left, atom), lead) * Polynomial.atom(atom) ** shift
        quotient, left = quotient + term, left - term * right
    return quotient


def _in_atom(left: Polynomial, right: Polynomial, atom: Atom) -> Polynomial:
    """The greatest divisor of two polynomials whose coefficients in powers of ``atom`` have none in common."""
    while True:
        rest = _remainder(left, right, atom)
        if not rest.terms:
            return right
        if not rest.degree(atom):
            return ONE
        left, right = right, exact_quotient(rest, _content(rest, atom))


def _remainder(left: Polynomial, right: Polynomial, atom: Atom) -> Polynomial:
    """What remains of a multiple of ``left`` after division by ``right`` (a multiple that needs no fractions)."""
    degree, lead = right.degree(atom), _lead(right, atom)
    while left.terms and left.degree(atom) >= degree:
        shift = Polynomial.atom(atom) ** (left.degree(atom) - degree)
        left = left * lead - _lead(left, atom) * shift * right
    return left


def _lead(polynomial: Polynomial, atom: Atom) -> Polynomial:
    return polynomial.in_powers_of(atom)[polynomial.degree(atom)]


def _content(polynomial: Polynomial, atom: Atom) -> Polynomial:
    """The greatest divisor of the coefficients in powers of ``atom``."""
    found = ZERO
    for part in sorted(polynomial.in_powers_of(atom).values(), key=lambda p: len(p.terms)):
        found = greatest_divisor(found, part)
        if found == ONE:
            break
    return found


def _apart(left: Polynomial, right: Polynomial, atom: Atom) -> bool:
    """True only where no common divisor holds ``atom``: shown by one point modulo a prime for all the other atoms."""
    others = sorted((left.atoms() | right.atoms()) - {atom}, key=atom_order)
    point = {other: pow(3, 1000 + 77 * place, PRIME) for place, other in enumerate(others)}
    rows = [_modular(polynomial, atom, point) for polynomial in (left, right)]
    if not (rows[0][-1] and rows[1][-1]):
        return False
    one, two = rows
    while two:
        one, two = two, _modular_rest(one, two)
    return len(one) == 1


def _modular(polynomial: Polynomial, atom: Atom, point: dict[Atom, int]) -> list[int]:
    """The coefficients of powers of ``atom``, lowest first, modulo the prime."""
    row = [0] * (polynomial.degree(atom) + 1)
    for monomial, coefficient in polynomial.terms.items():
        power = 0
        for factor, exponent in monomial:
            if factor == atom:
                power = exponent
            else:
                coefficient = coefficient * pow(point[factor], exponent, PRIME) % PRIME
        row[power] = (row[power] + coefficient) % PRIME
    return row


def _modular_rest(left: list[int], right: list[int]) -> list[int]:
    rest, inverse = list(left), pow(right[-1], -1, PRIME)
    while len(rest) >= len(right):
        factor = rest[-1] * inverse % PRIME
        for place, coefficient in enumerate(reversed(right), 1):
            rest[-place] = (rest[-place] - factor * coefficient) % PRIME
        while rest and not rest[-1]:
            rest.pop()
    return rest
