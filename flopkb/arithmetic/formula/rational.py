"""Exact quotients of polynomials: what cancels, what depends on what, and equality, all decided without sampling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, gcd
from typing import Any

from flopkb.arithmetic.formula.errors import (
    MAX_EXPONENT,
    BadExponent,
    NotDifferentiable,
    TooLargeError,
    ZeroDenominator,
)
from flopkb.arithmetic.formula.polynomial import (
    MAX_BITS,
    ONE,
    PRIME,
    Atom,
    Polynomial,
    exact_quotient,
    greatest_divisor,
    shared_monomial,
)

Scalar = int | Fraction
# Points are Mapping[Any, ...] below: a mapping's keys are invariant, and a dict of plain texts should do.
MAX_OPAQUE_TEXT = 100_000
MAX_FORM_POWER = 16
"""A form is multiplied out up to this power."""


@dataclass(frozen=True, slots=True, eq=False)
class Rational:
    """A quotient of two polynomials, reduced by every number and monomial that divides both.

    ``==`` is equality as rational functions, so the two sides of ``a/b + b/a`` and ``(a**2 + b**2)/(a*b)`` are equal.
    Raises :class:`ZeroDenominator` where the denominator is the zero polynomial, :class:`TooLargeError` where a result
    passes the bounds of :mod:`flopkb.arithmetic.formula.polynomial`.
    """

    numerator: Polynomial
    denominator: Polynomial = ONE

    def __post_init__(self) -> None:
        numerator, denominator = _reduced(self.numerator, self.denominator)
        object.__setattr__(self, "numerator", numerator)
        object.__setattr__(self, "denominator", denominator)

    @classmethod
    def of(cls, value: Scalar) -> Rational:
        """The quotient that is the number ``value``."""
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
            raise TooLargeError(f"whole numbers of more than {MAX_BITS} bits")
        return _made(Polynomial.constant(value.numerator), Polynomial.constant(value.denominator))

    @classmethod
    def atom(cls, atom: Atom) -> Rational:
        """The quotient that is the unknown ``atom`` itself."""
        return _made(Polynomial.atom(atom), ONE)

    def __neg__(self) -> Rational:
        return _made(-self.numerator, self.denominator)

    def __add__(self, other: Rational | Scalar) -> Rational:
        right = _rational(other)
        if self.denominator == right.denominator:
            return Rational(self.numerator + right.numerator, self.denominator)
        left_rest, right_rest = _coprime(self.denominator, right.denominator)
        numerator = self.numerator * right_rest + right.numerator * left_rest
        return Rational(numerator, self.denominator * right_rest)

    def __sub__(self, other: Rational | Scalar) -> Rational:
        return self + -_rational(other)

    def __mul__(self, other: Rational | Scalar) -> Rational:
        right = _rational(other)
        # Reducing crosswise first keeps the products small; nothing is left to reduce in them afterwards.
        over, under = _reduced(self.numerator, right.denominator)
        right_over, right_under = _reduced(right.numerator, self.denominator)
        return _made(over * right_over, under * right_under)

    def __truediv__(self, other: Rational | Scalar) -> Rational:
        return self * _rational(other)._inverse()

    def __pow__(self, exponent: int) -> Rational:
        base = self if exponent >= 0 else self._inverse()
        return _made(base.numerator ** abs(exponent), base.denominator ** abs(exponent))

    def __radd__(self, other: Scalar) -> Rational:
        return self + other

    def __rsub__(self, other: Scalar) -> Rational:
        return -self + other

    def __rmul__(self, other: Scalar) -> Rational:
        return self * other

    def __rtruediv__(self, other: Scalar) -> Rational:
        return self._inverse() * other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rational | int | Fraction):
            return NotImplemented
        right = _rational(other)
        if self.numerator == right.numerator and self.denominator == right.denominator:
            return True
        prints = self._fingerprints() + right._fingerprints()
        if (prints[0] * prints[3] - prints[2] * prints[1]) % PRIME:
            return False
        return self.numerator * right.denominator == right.numerator * self.denominator

    def __hash__(self) -> int:
        number = self.constant()
        if number is not None:
            return hash(number)
        over, under = self._fingerprints()
        return over * pow(under, -1, PRIME) % PRIME if under else 0

    def _fingerprints(self) -> tuple[int, int]:
        return self.numerator.fingerprint(), self.denominator.fingerprint()

    def _inverse(self) -> Rational:
        if not self.numerator.terms:
            raise ZeroDenominator("0")
        return Rational(self.denominator, self.numerator)

    def opaques(self) -> frozenset[Opaque]:
        """The ``min``, ``max``, ``ceil``, ``floor`` and ``**`` that stand in it as atoms (not those inside others)."""
        return frozenset(atom for atom in self._own_atoms() if isinstance(atom, Opaque))

    def atoms(self) -> frozenset[Atom]:
        """The unknowns that occur, those inside ``min``, ``max``, ``ceil`` and ``floor`` among them."""
        own = self._own_atoms()
        inside = (arg.atoms() for atom in own if isinstance(atom, Opaque) for arg in atom.args)
        return frozenset(atom for atom in own if not isinstance(atom, Opaque)).union(*inside)

    def _own_atoms(self) -> frozenset[Atom]:
        return self.numerator.atoms() | self.denominator.atoms()

    def partial(self, atom: Atom) -> Rational:
        """The derivative in ``atom`` with every other atom, also an :class:`Opaque`, held fixed."""
        over, under = self.numerator, self.denominator
        return Rational(over.partial(atom) * under - over * under.partial(atom), under * under)

    def derivative(self, atom: Atom) -> Rational:
        """The derivative in ``atom``; :class:`NotDifferentiable` where it runs through min, max, ceil or floor."""
        for opaque in sorted(self.opaques(), key=str):
            if opaque.depends_on(atom) and self._moves(opaque):
                raise NotDifferentiable(str(atom), str(opaque))
        return self.partial(atom)

    def depends_on(self, atom: Atom) -> bool:
        """Whether the value changes with ``atom``: exact, but for taking min, max, ... to follow each argument."""
        return self._moves(atom) or any(o.depends_on(atom) and self._moves(o) for o in self.opaques())

    def _moves(self, atom: Atom) -> bool:
        """Whether the derivative in ``atom`` as it stands is not zero everywhere."""
        over, under = self.numerator, self.denominator
        over_slope, under_slope = over.partial(atom), under.partial(atom)
        if not under_slope.terms:
            return bool(over_slope.terms)
        cross = over_slope.fingerprint() * under.fingerprint() - over.fingerprint() * under_slope.fingerprint()
        return bool(cross % PRIME) or over_slope * under != over * under_slope

    def constant(self) -> Fraction | None:
        """The number that the quotient is everywhere, or None where it is none."""
        return self.numerator.ratio(self.denominator)

    def substitute(self, values: Mapping[Any, Rational | Scalar]) -> Rational:
        """The quotient with atoms replaced, also inside ``min``, ``max``, ``ceil`` and ``floor``."""
        replaced = {atom: _rational(value) for atom, value in values.items()}
        for opaque in self.opaques():
            if not replaced.keys().isdisjoint(opaque.atoms()):
                replaced[opaque] = opaque.substitute(replaced)
        return self._replace(replaced)

    def _replace(self, values: Mapping[Atom, Rational]) -> Rational:
        own = self._own_atoms()
        pairs = {atom: (value.numerator, value.denominator) for atom, value in values.items() if atom in own}
        if not pairs:
            return self
        over, over_scale = self.numerator.substitute(pairs)
        under, under_scale = self.denominator.substitute(pairs)
        if not under.terms:
            raise ZeroDenominator(str(self.denominator))
        return Rational(over, over_scale) / Rational(under, under_scale)

    def evaluate(self, values: Mapping[Any, Scalar]) -> Fraction:
        """The exact value at a point; KeyError for an atom without a value, :class:`ZeroDenominator` at a pole."""
        # Whole values as int: the sums and products below are then free of greatest common divisors.
        point: dict[Atom, Scalar] = {}
        for atom in self._own_atoms():
            value = atom.evaluate(values) if isinstance(atom, Opaque) else values[atom]
            point[atom] = value.numerator if value.denominator == 1 else value
        under = self.denominator.evaluate(point)
        if not under:
            raise ZeroDenominator(str(self.denominator))
        return Fraction(self.numerator.evaluate(point)) / under

    def __str__(self) -> str:
        over = _grouped(self.numerator, self.denominator != ONE)
        return over if self.denominator == ONE else f"{over} / {_divisor_text(self.denominator)}"

    def __repr__(self) -> str:
        return f"<Rational {self}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Opaque:
    """A ``min``, ``max``, ``ceil``, ``floor`` or ``**`` whose value is not known yet: an atom of the quotients that hold it.

    Two are equal where their functions and arguments are, whatever the order of a ``min``. Made by :func:`apply`.
    """

    func: str
    args: tuple[Rational, ...]
    _text: str = field(init=False)
    _hash: int = field(init=False)

    def __post_init__(self) -> None:
        # Kept, for one inside another inside another would be written and hashed anew at each level.
        texts = list(map(str, self.args))
        text = f"{self.func}({', '.join(texts)})" if self.func != "**" else f"({texts[0]})**({texts[1]})"
        if len(text) > MAX_OPAQUE_TEXT:
            raise TooLargeError(f"{self.func} of more than {MAX_OPAQUE_TEXT} characters when multiplied out")
        object.__setattr__(self, "_text", text)
        object.__setattr__(self, "_hash", hash((self.func, frozenset(self.args))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Opaque) or self.func != other.func:
            return False
        return self.args == other.args if self.func == "**" else set(self.args) == set(other.args)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Opaque], tuple[str, tuple[Rational, ...]]]:
        return Opaque, (self.func, self.args)  # another process hashes texts differently

    def atoms(self) -> frozenset[Atom]:
        """The unknowns inside."""
        return frozenset[Atom]().union(*(arg.atoms() for arg in self.args))

    def depends_on(self, atom: Atom) -> bool:
        """Whether any argument does."""
        return any(arg.depends_on(atom) for arg in self.args)

    def substitute(self, values: Mapping[Any, Rational | Scalar]) -> Rational:
        """The function of its arguments with atoms replaced: a number once they are numbers."""
        return apply(self.func, tuple(arg.substitute(values) for arg in self.args))

    def evaluate(self, values: Mapping[Any, Scalar]) -> Fraction:
        """The exact value at a point."""
        return call(self.func, [arg.evaluate(values) for arg in self.args])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Opaque {self}>"


def call(func: str, args: list[Fraction]) -> Fraction:
    """The value of ``min``, ``max``, ``ceil``, ``floor`` or ``**``."""
    if func == "**":
        return powered(args[0], args[1])
    if func == "min":
        return min(args)
    if func == "max":
        return max(args)
    return Fraction(ceil(args[0]) if func == "ceil" else floor(args[0]))


_LEFT_BITS = 1000
"""A power leaves so many for what it is multiplied with."""


def powered(base: Fraction, exponent: Fraction, most: int = MAX_BITS) -> Fraction:
    """The power, exactly, below ``2**MAX_BITS`` and in whole numbers of ``most`` bits.

    Raises :class:`BadExponent`, :class:`ZeroDenominator` for a negative power of 0, and :class:`TooLargeError` before
    anything is multiplied that would be too large.
    """
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise BadExponent(exponent)
    if not base and exponent < 0:
        raise ZeroDenominator("0")
    above, below = base.numerator.bit_length(), base.denominator.bit_length()
    growth = above - below if exponent > 0 else below - above
    for bits, limit in ((growth, MAX_BITS - _LEFT_BITS), (max(above, below) - 1, most - _LEFT_BITS)):
        if bits * abs(exponent) > limit:
            raise TooLargeError(f"whole numbers of more than {limit} bits", greatest=limit // bits)
    return base**exponent.numerator


def raised(base: Rational, exponent: Rational) -> Rational:
    """``**`` of quotients: multiplied out where the exponent is a small number, else an opaque atom."""
    base_number, number = base.constant(), exponent.constant()
    if number is not None and (number.denominator != 1 or abs(number) > MAX_EXPONENT):
        raise BadExponent(number)
    if number is not None and base_number is not None:
        return Rational.of(powered(base_number, number))
    if base_number == 1:
        return base
    if number is not None and abs(number) <= MAX_FORM_POWER:
        return base**number.numerator
    return Rational.atom(Opaque("**", (cancelled(base), cancelled(exponent))))


def apply(func: str, args: tuple[Rational, ...]) -> Rational:
    """``func`` of quotients: a number where they are numbers, one of them where it always wins, else an opaque atom."""
    if func == "**":
        return raised(*args)
    if func in ("min", "max"):
        args = _contenders(func, args)
        if len(args) == 1:
            return args[0]
    numbers = [arg.constant() for arg in args]
    known = [number for number in numbers if number is not None]
    if len(known) == len(args):
        return Rational.of(call(func, known))
    return Rational.atom(Opaque(func, tuple(map(cancelled, args))))


def _contenders(func: str, args: tuple[Rational, ...]) -> tuple[Rational, ...]:
    """The arguments without those that another beats by a constant, in the order of their texts."""
    left: list[Rational] = []
    for arg in args:
        for place, rival in enumerate(left):
            lead = (arg - rival).constant()
            if lead is not None:
                wins = lead > 0 if func == "max" else lead < 0
                left[place] = arg if wins else rival
                break
        else:
            left.append(arg)
    return tuple(sorted(left, key=str))


def cancelled(rational: Rational) -> Rational:
    """The same function in lowest terms: ``(a + b)*c / (a + b)`` becomes ``c``.

    What remains holds exactly the atoms on which it depends, and has no pole that the function has not. Raises
    :class:`TooLargeError` where that takes too much work.
    """
    over, under = rational.numerator, rational.denominator
    if len(over.terms) < 2 or len(under.terms) < 2:
        return rational
    divisor = greatest_divisor(over, under)
    return Rational(exact_quotient(over, divisor), exact_quotient(under, divisor))


def _rational(value: Rational | Scalar) -> Rational:
    return value if isinstance(value, Rational) else Rational.of(value)


def _made(numerator: Polynomial, denominator: Polynomial) -> Rational:
    """A quotient of halves that are known to be reduced."""
    made = object.__new__(Rational)
    object.__setattr__(made, "numerator", numerator)
    object.__setattr__(made, "denominator", denominator if numerator.terms else ONE)
    return made


def _reduced(over: Polynomial, under: Polynomial) -> tuple[Polynomial, Polynomial]:
    if not under.terms:
        raise ZeroDenominator("0")
    if under == ONE or not over.terms:
        return over, ONE
    ratio = over.ratio(under) if len(under.terms) > 1 else None
    if ratio is not None:
        return Polynomial.constant(ratio.numerator), Polynomial.constant(ratio.denominator)
    shared = gcd(over.content(), under.content())
    if next(iter(under.terms.values())) < 0:
        shared = -shared
    monomial = shared_monomial(over, under)
    return over.divided(shared, monomial), under.divided(shared, monomial)


def _coprime(left: Polynomial, right: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both without the number and monomial that divide both."""
    shared, monomial = gcd(left.content(), right.content()), shared_monomial(left, right)
    return left.divided(shared, monomial), right.divided(shared, monomial)


def _grouped(polynomial: Polynomial, needed: bool) -> str:
    return f"({polynomial})" if needed and len(polynomial.terms) > 1 else str(polynomial)


def _divisor_text(polynomial: Polynomial) -> str:
    text = str(polynomial)
    return f"({text})" if len(polynomial.terms) > 1 or "*" in text else text
