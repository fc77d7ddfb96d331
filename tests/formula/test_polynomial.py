"""Polynomials with whole coefficients, their bounds, and their greatest common divisors."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flopkb.arithmetic.formula import Polynomial, TooLargeError
from flopkb.arithmetic.formula.polynomial import MAX_POWER, ONE, ZERO, exact_quotient, greatest_divisor

from .expressions import PROPERTY, SYMBOLS, points, values

X, Y, Z = (Polynomial.atom(name) for name in "xyz")
TWO = Polynomial.constant(2)

monomials = st.dictionaries(st.sampled_from(SYMBOLS[:3]), st.integers(1, 2), max_size=2)
coefficients = st.integers(-5, 5)


@st.composite
def polynomials(draw: st.DrawFn) -> Polynomial:
    """A small sum of products."""
    total = ZERO
    for powers in draw(st.lists(monomials, max_size=3)):
        term = Polynomial.constant(draw(coefficients))
        for name, power in powers.items():
            term = term * Polynomial.atom(name) ** power
        total = total + term
    return total


def test_equal_sums_have_equal_terms_in_any_order() -> None:
    assert (X + Y) ** 2 == Y * Y + TWO * Y * X + X * X
    assert hash((X + Y) ** 2) == hash(X * X + Y * Y + X * Y.scaled(2))
    assert X - X == ZERO
    assert X**0 == ONE


def test_atoms_may_be_any_hashable_value() -> None:
    pair, text = Polynomial.atom(("record", "B")), Polynomial.atom("B")
    assert pair * text == text * pair
    assert (pair * text).atoms() == {("record", "B"), "B"}


class Nameless:
    """An unknown of which every one looks the same."""

    def __repr__(self) -> str:
        return "?"


def test_atoms_that_look_alike_are_kept_apart() -> None:
    one, other = Polynomial.atom(Nameless()), Polynomial.atom(Nameless())
    assert one != other
    assert one * other == other * one
    assert one * X * other == other * one * X
    assert len((one * other - X).terms) == 2


def test_what_divides_every_term() -> None:
    p = X * X * Y.scaled(6) - X * Z.scaled(4)  # 6x²y - 4xz = 2x(3xy - 2z)
    assert p.content() == 2
    assert p.common() == {"x": 1}
    assert p.divided(2, {"x": 1}) == X * Y.scaled(3) - Z.scaled(2)


def test_partial_derivative_and_degree() -> None:
    p = X**3 * Y.scaled(2) - X + TWO
    assert p.partial("x") == X**2 * Y.scaled(6) - ONE
    assert p.partial("z") == ZERO
    assert (p.degree("x"), p.degree("y"), p.degree("z"), ZERO.degree("x")) == (3, 1, 0, 0)


def test_coefficients_of_the_powers_of_an_atom() -> None:
    p = X**2 * Y + X**2 * Z - X.scaled(3) + Y
    assert p.in_powers_of("x") == {0: Y, 1: Polynomial.constant(-3), 2: Y + Z}


def test_ratio_is_a_number_or_none() -> None:
    assert (X.scaled(3) - Y.scaled(6)).ratio(Y.scaled(4) - X.scaled(2)) == Fraction(-3, 2)
    assert (X + Y).ratio(X + Y.scaled(2)) is None
    assert (X + Y).ratio(X) is None
    assert ZERO.ratio(X) == 0


def test_substitution_brings_all_terms_to_one_denominator() -> None:
    # x = y/z in x² + x + 1: (y² + yz + z²) / z²
    assert (X * X + X + ONE).substitute({"x": (Y, Z)}) == (Y * Y + Y * Z + Z * Z, Z * Z)


def test_text() -> None:
    assert str(X * X * Y.scaled(2) - X + ONE) == "2*x**2*y - x + 1"
    assert str(-X + Y) == "-x + y"
    assert str(ZERO) == "0"
    assert str(Polynomial.constant(-3)) == "-3"


@PROPERTY
@given(polynomials(), polynomials(), points)
def test_arithmetic_is_that_of_the_values(p: Polynomial, q: Polynomial, point: dict[str, Fraction]) -> None:
    at = p.evaluate(point), q.evaluate(point)
    assert (p + q).evaluate(point) == at[0] + at[1]
    assert (p - q).evaluate(point) == at[0] - at[1]
    assert (p * q).evaluate(point) == at[0] * at[1]
    assert (p**3).evaluate(point) == at[0] ** 3


@PROPERTY
@given(polynomials(), values, points)
def test_powers_of_an_atom_sum_to_the_whole(p: Polynomial, value: Fraction, point: dict[str, Fraction]) -> None:
    point = point | {"a": value}
    assert p.evaluate(point) == sum(part.evaluate(point) * value**n for n, part in p.in_powers_of("a").items())


@pytest.mark.parametrize(
    "grow",
    [
        lambda: (X + Y + Z + ONE) ** 16,
        lambda: X ** (MAX_POWER + 1),
        lambda: (X**16) ** 17,
        lambda: Polynomial.constant(3) ** 100_000,
        lambda: (X + Y + Z) ** 12 * (X + Y + Z + ONE) ** 7,
    ],
)
def test_growth_is_bounded(grow: object) -> None:
    assert callable(grow)
    with pytest.raises(TooLargeError, match="split the formula"):
        grow()


def test_greatest_divisors() -> None:
    square = (X + Y) ** 2
    assert greatest_divisor(square * X, (X + Y) * Z) in (X + Y, -X - Y)
    assert greatest_divisor(X * X - Y * Y, X * X + X * Y) in (X + Y, -X - Y)
    assert greatest_divisor(X * Y.scaled(6), X.scaled(4) + X * Z.scaled(2)) == X.scaled(2)
    assert greatest_divisor(X.scaled(4) + TWO, Y.scaled(6) + TWO) == TWO
    assert greatest_divisor(ZERO, X) == greatest_divisor(X, ZERO) == X


def test_a_number_in_common_is_part_of_the_divisor() -> None:
    assert greatest_divisor((X + Y).scaled(6), (X + Y).scaled(4)) in ((X + Y).scaled(2), (X + Y).scaled(-2))


def test_exact_quotient_refuses_a_remainder() -> None:
    assert exact_quotient(X * X - Y * Y, X - Y) == X + Y
    with pytest.raises(ValueError, match="does not divide"):
        exact_quotient(X * X + Y * Y, X - Y)
    with pytest.raises(ValueError, match="does not divide"):
        exact_quotient(X.scaled(3), TWO)


@PROPERTY
@given(polynomials(), polynomials(), polynomials())
def test_a_common_factor_divides_the_greatest_divisor(p: Polynomial, q: Polynomial, factor: Polynomial) -> None:
    assume(p.terms and q.terms and factor.terms)
    found = greatest_divisor(p * factor, q * factor)
    exact_quotient(found, factor)  # raises unless it divides
    over, under = exact_quotient(p * factor, found), exact_quotient(q * factor, found)
    assert greatest_divisor(over, under) in (ONE, -ONE)
