"""Exact values, conditions and derivatives at a point."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.formula import (
    Dual,
    Expr,
    Name,
    Rational,
    TieError,
    TooLargeError,
    ZeroDenominator,
    compares,
    dual,
    evaluate,
    holds,
    normal_form,
    parse,
    parse_condition,
)

from .expressions import PROPERTY, SYMBOLS, atom, expressions, form, points, smooth


def value(text: str, **known: Fraction | int) -> Fraction:
    return evaluate(parse(text), lambda name: Fraction(known[str(name)]))


def slope(text: str, by: str, **known: Fraction | int) -> Dual:
    return dual(parse(text), lambda name: (Fraction(known[str(name)]), Fraction(str(name) == by)))


def test_values_by_hand() -> None:
    assert value("2*80*8*128*2") == 327680
    assert value("989.5e12 / 3350e9") == Fraction(9895, 33500) * 1000
    assert value("4*B*L*d*n_q / (2*B*L*d*n_kv*b)", B=3, L=7, d=128, n_q=32, n_kv=8, b=2) == 4
    assert value("2*m*n*b/(2*m*n + 2*b*(m+n))", m=4096, n=4096, b=2048) == 1024
    assert value("min(3, a) + max(a, 1, 2)", a=5) == 8
    assert value("ceil(a/16)*16 - floor(-a)", a=33) == 81
    assert value("-a**2 + (-a)**2 + a**-1", a=2) == Fraction(1, 2)
    assert value("a**0", a=0) == 1


def test_names_are_given_to_the_resolver_whole() -> None:
    seen: list[Name] = []

    def resolve(name: Name) -> Fraction:
        seen.append(name)
        return Fraction(2)

    assert evaluate(parse("accelerator.peak_flops[dtype] / roofline.ridge"), resolve) == 1
    assert [(name.parts, name.index) for name in seen] == [
        (("accelerator", "peak_flops"), ("dtype",)),
        (("roofline", "ridge"), None),
    ]


@pytest.mark.parametrize(
    ("text", "denominator", "offset", "length"),
    [
        ("1 + a / (b - b)", "b - b", 9, 5),
        ("a / 0", "0", 4, 1),
        ("(a - a)**-2", "a - a", 1, 5),
        ("max(1, 2 / (a - 3))", "a - 3", 12, 5),
    ],
)
def test_a_zero_denominator_is_located(text: str, denominator: str, offset: int, length: int) -> None:
    with pytest.raises(ZeroDenominator) as caught:
        value(text, a=3, b=1)
    error = caught.value
    assert (error.denominator, error.offset, error.length) == (denominator, offset, length)
    assert str(error) == f"the denominator `{denominator}` is zero"


@pytest.mark.parametrize(
    "text", ["((2**64)**16)**16 * ((((2**64)**16)**16)**16)**16", "((((1e308)**16)**16)**16)**-16"]
)
def test_growth_is_bounded(text: str) -> None:
    with pytest.raises(TooLargeError, match="bits") as caught:
        value(text)
    assert caught.value.expr is not None
    with pytest.raises(TooLargeError) as caught:
        form(text)
    assert caught.value.length > 0


def test_the_power_of_a_large_batch_is_exact() -> None:
    # 512 experts of which each of 65,536 tokens takes 10: 251/256 to that power, a denominator of 8*65,536 + 1 bits
    kept = value("(1 - k/e)**b", k=10, e=512, b=65536)
    assert (kept.numerator, kept.denominator) == (251**65536, 256**65536)
    assert value("e*(1 - (1 - k/e)**b)", k=10, e=512, b=65536) == 512 - 512 * kept


def test_steps_with_long_numbers_are_counted() -> None:
    long = "(a/3)**9000"  # 14,265 bits below
    assert value(f"{'+'.join([long] * 15)} - 15*{long}", a=2) == 0
    with pytest.raises(TooLargeError, match="more than 32 steps with numbers of more than 14000 bits"):
        value("+".join([long] * 17), a=2)  # 17 powers and 16 sums


def test_conditions() -> None:
    within = parse_condition("n_q <= 64*n_kv")
    assert holds(within, lambda name: Fraction({"n_q": 64, "n_kv": 1}[str(name)]))
    assert not holds(within, lambda name: Fraction({"n_q": 65, "n_kv": 1}[str(name)]))
    third = Fraction(1, 3)
    assert [op for op in ("==", "!=", "<", "<=", ">", ">=") if compares(op, third, third)] == ["==", "<=", ">="]
    assert [op for op in ("==", "!=", "<", "<=", ">", ">=") if compares(op, third, Fraction(1, 2))] == ["!=", "<", "<="]


def test_derivatives_by_hand() -> None:
    assert slope("3*a**2 - a + 1", "a", a=5) == (71, 29)  # 6·5 - 1
    assert slope("b / a", "a", a=2, b=3) == (Fraction(3, 2), Fraction(-3, 4))
    assert slope("a**-2", "a", a=2) == (Fraction(1, 4), Fraction(-1, 4))
    assert slope("-a*b", "b", a=2, b=3) == (-6, -2)
    assert slope("a**0", "a", a=0) == (1, 0)
    assert slope("a**1", "a", a=0) == (0, 1)
    assert slope("ceil(a/16)*a", "a", a=33) == (99, 3)


def test_min_and_max_follow_the_argument_that_wins() -> None:
    # Roofline time at 8 flop/byte below a ridge of 20: bandwidth alone matters, with elasticity -1.
    text, point = "max(flops/peak, bytes/bandwidth)", {"flops": 80, "peak": 200, "bytes": 10, "bandwidth": 10}
    time_taken, rate = slope(text, "bandwidth", **point)
    assert (time_taken, rate * point["bandwidth"] / time_taken) == (1, -1)
    assert slope(text, "peak", **point) == (1, 0)
    beyond = point | {"flops": 400}
    time_taken, rate = slope(text, "peak", **beyond)
    assert (time_taken, rate * beyond["peak"] / time_taken) == (2, -1)
    assert slope(text, "bandwidth", **beyond) == (2, 0)


def test_a_tie_has_no_derivative_unless_all_agree() -> None:
    with pytest.raises(TieError, match="take another point") as caught:
        slope("1 + max(a, 2*a - 3)", "a", a=3)
    assert (caught.value.value, caught.value.derivatives) == (3, (1, 2))
    assert (caught.value.offset, caught.value.length) == (4, 15)
    assert slope("min(a, a)", "a", a=3) == (3, 1)
    assert slope("max(a, 2*a - 3)", "b", a=3) == (3, 0)


# Properties


@PROPERTY
@given(expressions, points)
def test_the_normal_form_agrees_with_the_tree(expr: Expr, point: dict[str, Fraction]) -> None:
    try:
        direct = evaluate(expr, lambda name: point[str(name)])
    except (ZeroDenominator, TooLargeError):
        return
    # Where the tree has a value, the normal form exists and has no pole of its own.
    try:
        assert normal_form(expr, atom).evaluate(point) == direct
    except TooLargeError:
        return
    assert normal_form(expr, lambda name: Rational.of(point[str(name)])).constant() == direct


@PROPERTY
@given(smooth, points, st.sampled_from(SYMBOLS))
def test_the_derivative_at_a_point_is_that_of_the_normal_form(expr: Expr, point: dict[str, Fraction], by: str) -> None:
    try:
        found = dual(expr, lambda name: (point[str(name)], Fraction(str(name) == by)))
        quotient = normal_form(expr, atom)
        expected = quotient.evaluate(point), quotient.derivative(by).evaluate(point)
    except (ZeroDenominator, TooLargeError):
        return
    assert found == expected


@PROPERTY
@given(expressions, points)
def test_the_value_of_a_dual_is_the_value(expr: Expr, point: dict[str, Fraction]) -> None:
    try:
        found, _ = dual(expr, lambda name: (point[str(name)], Fraction(1)))
    except (ZeroDenominator, TooLargeError, TieError):
        return
    assert found == evaluate(expr, lambda name: point[str(name)])
