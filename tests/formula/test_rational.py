"""Exact quotients: cancellation, equality, dependence, substitution, and the functions that are no quotient."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.formula import (
    Binary,
    Expr,
    NotDifferentiable,
    Number,
    Opaque,
    Polynomial,
    Rational,
    TooLargeError,
    ZeroDenominator,
    apply,
    cancelled,
    normal_form,
)

from .expressions import PROPERTY, SYMBOLS, atom, expressions, form, points, smooth

FLOPS = "4*B*L*d_h*n_q"
BYTES = "2*B*L*d_h*n_kv*b_kv"


def test_decode_attention_forgets_batch_context_and_head_size() -> None:
    intensity = form(f"({FLOPS}) / ({BYTES})")
    assert intensity == form("2*n_q / (n_kv*b_kv)")
    assert intensity.atoms() == {"n_q", "n_kv", "b_kv"}
    assert not any(intensity.depends_on(name) for name in ("B", "L", "d_h"))
    assert all(intensity.depends_on(name) for name in ("n_q", "n_kv", "b_kv"))
    at_two_bytes = intensity.substitute({"b_kv": 2})
    assert at_two_bytes == form("n_q / n_kv")
    assert at_two_bytes.substitute({"n_q": form("n_kv")}).constant() == 1
    assert at_two_bytes.substitute({"n_q": form("8*n_kv")}).constant() == 8


def test_decode_attention_with_queries_and_outputs() -> None:
    # 4BLdn_q flops over 2BLdn_kv·2 bytes of cache and 2Bdn_q·2 of queries and outputs, with n_q = g·n_kv
    whole = form("4*B*L*d*n_q / (4*B*L*d*n_kv + 4*B*d*n_q)").substitute({"n_q": form("g*n_kv")})
    assert whole == form("g*L / (L + g)")
    assert cancelled(whole).atoms() == {"g", "L"}


def test_gemm_intensity() -> None:
    intensity = form("2*m*n*b / (2*m*n + 2*b*(m + n))")
    assert intensity == form("1 / (1/b + 1/m + 1/n)")
    assert intensity.evaluate({"m": 2, "n": 2, "b": 1}) == Fraction(1, 2)  # 8 / (8 + 8)
    # 4096 × 4096 at b = 2048: 1/(1/2048 + 2/4096) = 1024
    assert intensity.substitute({"m": 4096, "n": 4096, "b": 2048}).constant() == 1024
    # dI/db = (mn/(mn + b(m + n)))²
    assert intensity.derivative("b") == form("(m*n / (m*n + b*(m + n)))**2")
    # (b - I)/I = b(m + n)/(mn)
    batch = Rational.atom("b")
    assert (batch - intensity) / intensity == form("b*(m + n) / (m*n)")


def test_equality_is_that_of_functions() -> None:
    assert form("a/b + b/a") == form("(a**2 + b**2) / (a*b)")
    assert form("(a**2 - b**2) / (a - b)") == form("a + b")
    assert form("(a - b)*(c - d)") == form("(b - a)*(d - c)")
    assert form("a/b") != form("b/a")
    assert form("2*a") != form("a")
    assert form("3/6") == Fraction(1, 2)
    assert form("a") != "a"


def test_equal_quotients_hash_alike() -> None:
    same = [form("(a**2 - b**2) / (a - b)"), form("a + b"), form("(2*a + 2*b) / 2")]
    assert len({hash(each) for each in same}) == 1
    assert hash(form("-(a + b) / (2*a + 2*b)")) == hash(Fraction(-1, 2))


def test_arithmetic_with_plain_numbers() -> None:
    a = Rational.atom("a")
    assert 1 + a - 1 == a
    assert 1 - a == -(a - 1)
    assert Fraction(1, 2) * a * 2 == a
    assert 2 / a == form("2/a")
    assert a**-2 == form("1/(a*a)")
    assert (a + 1) ** 0 == 1


def test_a_constant_is_told_from_a_function() -> None:
    assert form("(2*a + 2*b) / (3*a + 3*b)").constant() == Fraction(2, 3)
    assert form("(a + b)*(a - b) / (a**2 - b**2)").constant() == 1
    assert form("a - a").constant() == 0
    assert form("0 * a").constant() == 0
    assert form("(2*a + 2*b) / (3*a + 4*b)").constant() is None


def test_cancelled_keeps_only_what_matters() -> None:
    quotient = form("(a + b)*c / ((a + b)*d)")
    assert quotient.atoms() == {"a", "b", "c", "d"}
    assert not quotient.depends_on("a")
    assert cancelled(quotient).atoms() == {"c", "d"}
    assert cancelled(quotient) == quotient == form("c/d")


def test_cancelled_brings_no_pole_of_its_own() -> None:
    # Putting a = 1 into (a - b)*b/((a - b)*c) would leave one at b = 1.
    assert cancelled(form("(a - b)*b / ((a - b)*c)")).evaluate({"b": 1, "c": 5}) == Fraction(1, 5)


@pytest.mark.parametrize(
    "text", ["1/(a - a)", "(a - a)**-1", "a / (2*b - b - b)", "1/((a + b)**2 - a**2 - 2*a*b - b**2)"]
)
def test_a_denominator_that_is_zero_everywhere(text: str) -> None:
    with pytest.raises(ZeroDenominator) as caught:
        form(text)
    assert caught.value.expr is not None
    assert isinstance(caught.value, ZeroDivisionError)


def test_a_quotient_of_zero_polynomials_cannot_be_made() -> None:
    with pytest.raises(ZeroDenominator):
        Rational(Polynomial.atom("a"), Polynomial({}))
    with pytest.raises(ZeroDenominator):
        Rational.of(0) ** -1


def test_substitution_and_evaluation_name_the_denominator() -> None:
    quotient = form("c / (a - b)")
    with pytest.raises(ZeroDenominator, match="`a - b` is zero"):
        quotient.substitute({"a": 3, "b": 3})
    with pytest.raises(ZeroDenominator, match="`a - b` is zero"):
        quotient.substitute({"a": form("b")})
    with pytest.raises(ZeroDenominator, match="`a - b` is zero"):
        quotient.evaluate({"a": 3, "b": 3, "c": 1})
    with pytest.raises(KeyError):
        quotient.evaluate({"a": 3, "b": 2})


def test_functions_of_numbers_are_numbers() -> None:
    assert form("min(3, 2)*a") == form("2*a")
    assert form("max(1/3, 0.3)").constant() == Fraction(1, 3)
    assert form("ceil(7/2) - floor(7/2)").constant() == 1
    assert form("ceil(-1/2)").constant() == 0
    assert form("floor(-1/2)").constant() == -1
    assert form("ceil(2*a/a)").constant() == 2


def test_functions_of_unknowns_are_atoms() -> None:
    roof = form("max(flops/peak, bytes/bandwidth)")
    (opaque,) = roof.opaques()
    assert opaque.func == "max"
    assert roof.atoms() == {"flops", "peak", "bytes", "bandwidth"}
    assert roof.evaluate({"flops": 6, "peak": 2, "bytes": 8, "bandwidth": 4}) == 3
    assert (roof / roof).constant() == 1
    assert form("max(a, b)*c / max(b, a)") == form("c")
    assert form("max(a*(b + 1), c)") == form("max(c, a*b + a)")
    assert form("max(a, b)") != form("min(a, b)")
    assert form("ceil(a)") != form("floor(a)")


def test_an_argument_that_another_always_beats_goes() -> None:
    assert form("max(a, a + 1)") == form("a + 1")
    assert form("min(a, a + 1)") == form("a")
    assert form("max(a*b, b*a)") == form("a*b")
    assert form("max(a, 1, 2)") == form("max(2, a)")


def test_substitution_goes_inside_functions() -> None:
    roof = form("max(a/b, c)*d")
    assert roof.substitute({"a": 4, "b": 2}) == form("max(2, c)*d")
    assert roof.substitute({"a": 4, "b": 2, "c": 1}) == form("2*d")
    assert form("ceil(a/16)*16").substitute({"a": 33}).constant() == 48
    with pytest.raises(ZeroDenominator):
        roof.substitute({"b": 0})


def test_dependence_through_functions() -> None:
    roof = form("max(a, b)*c")
    assert roof.depends_on("a")
    assert roof.depends_on("c")
    assert not roof.depends_on("d")
    assert not form("max(a, b)*c / max(a, b)").depends_on("a")
    assert roof.derivative("c") == form("max(a, b)")
    with pytest.raises(NotDifferentiable, match=r"`max\(a, b\)` has no derivative in `a`"):
        roof.derivative("a")


def test_pickling_keeps_equality() -> None:
    roof = form("max(a, b)*c + ceil(a)")
    assert pickle.loads(pickle.dumps(roof)) == roof


def test_functions_nested_deeply_stop() -> None:
    nested, a, b = Rational.atom("x"), Rational.atom("a"), Rational.atom("b")
    with pytest.raises(TooLargeError, match="characters"):
        for _ in range(60):
            nested = apply("max", (a + nested, b * nested))


def test_text() -> None:
    assert str(form("(a + b)/(2*c)")) == "(a + b) / (2*c)"
    assert str(form("a*2")) == "2*a"
    assert str(form("1/3")) == "1 / 3"
    assert str(form("max(b, a)")) == "max(a, b)"
    assert isinstance(next(iter(form("ceil(a)").opaques())), Opaque)


# Properties


def _form_or_none(expr: Expr) -> Rational | None:
    try:
        return normal_form(expr, atom)
    except (ZeroDenominator, TooLargeError):
        return None


def _swap(expr: Expr) -> Expr:
    return Binary(expr.op, expr.right, expr.left) if isinstance(expr, Binary) and expr.op in "+*" else expr


def _expand(expr: Expr) -> Expr:
    """a*(b + c) as a*b + a*c, and (b + c)*a alike."""
    if isinstance(expr, Binary) and expr.op == "*":
        for factor, inner in ((expr.left, expr.right), (expr.right, expr.left)):
            if isinstance(inner, Binary) and inner.op in "+-":
                return Binary(inner.op, Binary("*", factor, inner.left), Binary("*", factor, inner.right))
    return expr


def _halve(expr: Expr) -> Expr:
    half = Binary("/", expr, Number(Fraction(2)))
    return Binary("+", half, half)


def _cross(expr: Expr) -> Expr:
    """a/b as (a*c)/(c*b), c being a sum that is never zero everywhere."""
    if isinstance(expr, Binary) and expr.op == "/":
        more = Binary("+", Number(Fraction(3)), Binary("*", expr.right, expr.right))
        return Binary("/", Binary("*", expr.left, more), Binary("*", more, expr.right))
    return expr


def _rearranged(expr: Expr, choose: Callable[[], int]) -> Expr:
    if isinstance(expr, Binary):
        right = expr.right if expr.op == "**" else _rearranged(expr.right, choose)
        expr = Binary(expr.op, _rearranged(expr.left, choose), right)
    return (_swap, _expand, _halve, _cross, lambda same: same)[choose()](expr)


@PROPERTY
@given(smooth, st.data())
def test_rearranged_formulas_are_equal_and_perturbed_ones_are_not(expr: Expr, data: st.DataObject) -> None:
    one, other = _form_or_none(expr), _form_or_none(_rearranged(expr, lambda: data.draw(st.integers(0, 4))))
    if one is None or other is None:
        return
    assert one == other
    assert hash(one) == hash(other)
    assert one != other + Fraction(1, 10**9)
    assert one != other + Rational.atom("a") / 10**9
    if one.constant() != 0:
        assert one != other * Fraction(1001, 1000)
        assert one != other * (Rational.atom("a") + 1)


@PROPERTY
@given(smooth, st.sampled_from(SYMBOLS), points, points)
def test_what_does_not_depend_does_not_move(
    expr: Expr, name: str, here: dict[str, Fraction], there: dict[str, Fraction]
) -> None:
    quotient = _form_or_none(expr)
    if quotient is None:
        return
    lowest = cancelled(quotient)
    assert lowest == quotient
    assert lowest.depends_on(name) == (name in lowest.atoms()) == quotient.depends_on(name)
    if not quotient.depends_on(name):
        try:
            values = {quotient.evaluate(point) for point in (here, here | {name: there[name]})}
        except ZeroDenominator:
            return
        assert len(values) == 1
        assert lowest.evaluate(here) in values


@PROPERTY
@given(expressions, points, st.sets(st.sampled_from(SYMBOLS)))
def test_substituting_in_steps_is_evaluating(expr: Expr, point: dict[str, Fraction], first: set[str]) -> None:
    quotient = _form_or_none(expr)
    if quotient is None:
        return
    try:
        whole = quotient.evaluate(point)
        partly = quotient.substitute({name: point[name] for name in first})
        rest = partly.substitute({name: point[name] for name in SYMBOLS if name not in first})
    except ZeroDenominator:
        return
    assert rest.constant() == whole
    assert partly.atoms() <= set(SYMBOLS) - first


@PROPERTY
@given(smooth, st.sampled_from(SYMBOLS))
def test_derivatives_of_sums_and_products(expr: Expr, name: str) -> None:
    f = _form_or_none(expr)
    if f is None:
        return
    g = form("a*b + c/(d + 3)")
    try:
        slope, other = f.derivative(name), g.derivative(name)
        assert (f + g).derivative(name) == slope + other
        assert (f * g).derivative(name) == slope * g + f * other
        assert (f / g).derivative(name) == (slope * g - f * other) / (g * g)
    except TooLargeError:
        return
