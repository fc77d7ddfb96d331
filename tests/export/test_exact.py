"""Exact values on their way out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import digits_text, exact_or_near, exact_text, integer_text
from flopkb.publishing.export.exact import Exact


@pytest.mark.parametrize(
    ("value", "decimal", "exact"),
    [
        (Fraction(1, 4), "0.25", True),
        (Fraction(1, 3), "0.33333333333333333", False),
        (Fraction(2, 3), "0.66666666666666667", False),
        (Fraction(-7, 2), "-3.5", True),
        (Fraction(0), "0", True),
        (Fraction(10**24), "1e24", True),
    ],
)
def test_a_decimal_is_exact_or_has_seventeen_digits(value: Fraction, decimal: str, exact: bool) -> None:
    shown = Exact(value, "1")
    assert (shown.decimal, shown.decimal_is_exact) == (decimal, exact)


def test_the_unit_is_between_the_value_and_base_units() -> None:
    half = Exact.of_base(Fraction(2**29), "GiB")
    assert (half.value, half.base, half.fraction) == (Fraction(1, 2), Fraction(2**29), "1/2")


def test_a_value_too_large_for_a_double_has_none() -> None:
    assert Exact(Fraction(10**400), "1").nearest is None
    assert Exact(Fraction(1, 8), "1").nearest == 0.125


def test_integers_longer_than_python_writes_are_written() -> None:
    assert integer_text(10**9000) == "1" + "0" * 9000
    assert integer_text(-(10**4000) - 7) == "-1" + "0" * 3999 + "7"


@given(st.fractions())
def test_numerator_and_denominator_are_the_value(value: Fraction) -> None:
    shown = Exact(value, "1")
    assert Fraction(int(shown.numerator), int(shown.denominator)) == value
    assert Fraction(shown.decimal) == value or not shown.decimal_is_exact


def test_fractions_of_any_length() -> None:
    assert exact_text(Fraction(-1979, 67)) == "-1979/67"
    assert exact_text(Fraction(16)) == "16"
    assert exact_text(Fraction(10**5000 + 1, 7)) in ("1" + "0" * 4999 + "1/7",)


def test_what_nobody_reads_is_told_in_short() -> None:
    assert exact_or_near(Fraction(1979, 67)) == "1979/67"
    assert exact_or_near(Fraction(2**900, 3)) == exact_text(Fraction(2**900, 3))
    assert exact_or_near(2 + Fraction(1, 3**700)) == "about 2"
    assert digits_text(Fraction(10**309), 4) == "1e309"
    assert digits_text(Fraction(10**9), 4) == "1,000,000,000"
