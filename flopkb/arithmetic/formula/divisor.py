"""The greatest common divisor of two polynomials, so that a quotient can be cancelled down to what it depends on.

Euclid's algorithm in one atom at a time, over polynomials in the others (primitive remainders). A look at the two
polynomials modulo a large prime first tells which atoms no common divisor can hold; most pairs need nothing more.
"""

from __future__ import annotations

from math import gcd

from flopkb.arithmetic.formula.polynomial import ONE, PRIME, ZERO, Atom, Polynomial, atom_order, shared_monomial


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
