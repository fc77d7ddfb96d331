"""Walking a formula and writing it out again."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from flopkb.arithmetic.formula import (
    Binary,
    Expr,
    Name,
    Number,
    Unary,
    denominators,
    evaluate,
    exponent,
    names,
    number_text,
    parse,
    parse_condition,
    to_text,
)

from .expressions import PROPERTY, expressions


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0**2", "0**2"),
        ("2.5**-2", "2.5**-2"),
        ("4*B*L", "4 * B * L"),
        ("((a))/(b*c)", "a / (b * c)"),
        ("(a/b)*c", "a / b * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("a+(b*c)", "a + b * c"),
        ("(a+b)*c", "(a + b) * c"),
        ("(-a)**2", "(-a)**2"),
        ("-(a**2)", "-a**2"),
        ("-(a*b)", "-(a * b)"),
        ("-a*b", "-a * b"),
        ("-(-a)", "-(-a)"),
        ("a--b", "a - -b"),
        ("(a**2)**3", "(a**2)**3"),
        ("a**(-2)", "a**-2"),
        ("max( a,b*c )", "max(a, b * c)"),
        ("accelerator.peak_flops[dtype]", "accelerator.peak_flops[dtype]"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert to_text(parse(text)) == canonical
    assert to_text(parse(canonical)) == canonical


def test_text_of_a_condition() -> None:
    assert to_text(parse_condition("n_q<=64*n_kv")) == "n_q <= 64 * n_kv"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 10), "0.1"),
        (Fraction(67, 20), "3.35"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(989_400_000_000_000), "989400000000000"),
        (Fraction(123_456_789_012_345), "123456789012345"),
        (Fraction(1_234_567_890_123_450), "1.23456789012345e15"),
        (Fraction(10**20), "1e20"),
        (Fraction(1234 * 10**15), "1.234e18"),
        (Fraction(5, 10**20), "5e-20"),
        (Fraction(1, 3), "1 / 3"),
        (Fraction(0), "0"),
    ],
)
def test_number_text(value: Fraction, text: str) -> None:
    assert number_text(value) == text
    assert evaluate(parse(text), lambda name: Fraction(0)) == value


@PROPERTY
@given(expressions)
def test_the_text_of_a_tree_parses_to_the_same_tree(expr: Expr) -> None:
    assert parse(to_text(expr)) == expr


def test_numbers_that_no_text_gives_are_put_in_parentheses() -> None:
    a, third, minus = Name(("a",)), Number(Fraction(1, 3)), Number(Fraction(-2))
    assert to_text(Binary("/", a, third)) == "a / (1 / 3)"
    assert to_text(Binary("**", minus, Number(Fraction(2)))) == "(-2)**2"
    assert to_text(Unary("-", minus)) == "-(-2)"
    assert to_text(Binary("*", minus, a)) == "-2 * a"
    assert to_text(Binary("**", third, Number(Fraction(2)))) == "(1 / 3)**2"


def test_names_come_once_at_their_first_place() -> None:
    found = names(parse("b*a + roofline.ridge[a]/b"))
    assert [(str(name), name.offset) for name in found] == [("b", 0), ("a", 2), ("roofline.ridge[a]", 6)]
    assert [str(name) for name in names(parse_condition("a <= 2*b"))] == ["a", "b"]


def test_denominators_are_found_where_they_would_cancel_too() -> None:
    found = denominators(parse("x/x + (a - b)**-2 + c**2 + max(1/d, 0)"))
    assert [to_text(expr) for expr in found] == ["x", "a - b", "d"]


def test_an_exponent_is_a_whole_number() -> None:
    power = parse("a**-3")
    assert isinstance(power, Binary)
    assert exponent(power) == -3
    for text in ("a**n", "a**(1/2)"):
        power = parse(text)
        assert isinstance(power, Binary)
        assert exponent(power) is None
