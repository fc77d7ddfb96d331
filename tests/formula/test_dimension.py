"""Bytes, seconds, joules and dollars balance in a formula; counts are left aside."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.formula import Binary, DimensionError, Expr, Name, Number, dimension, parse, parse_condition
from flopkb.arithmetic.units import ONE, Unit, parse_unit

from .expressions import PROPERTY

UNITS = {
    "bytes": "byte",
    "other_bytes": "GiB",
    "bandwidth": "GB/s",
    "flops": "flop",
    "peak": "TFLOP/s",
    "time": "ms",
    "energy": "joule",
    "price": "$/h",
    "tokens": "token",
    "n": "1",
}


def unit_of(name: Name) -> Unit:
    return parse_unit(UNITS[str(name)])


def dimension_of(text: str) -> tuple[tuple[str, int], ...]:
    return dimension(parse(text), unit_of).powers


@pytest.mark.parametrize(
    ("text", "powers"),
    [
        ("bytes / bandwidth", (("second", 1),)),
        ("flops / bytes", (("byte", -1),)),
        ("flops / peak", (("second", 1),)),
        ("peak / bandwidth", (("byte", -1),)),
        ("bytes + other_bytes", (("byte", 1),)),
        ("flops + tokens*n + 1", ()),
        ("2*bytes - 0.5*other_bytes", (("byte", 1),)),
        ("max(flops/peak, bytes/bandwidth, time)", (("second", 1),)),
        ("bytes**2 / other_bytes", (("byte", 1),)),
        ("bandwidth**-1", (("byte", -1), ("second", 1))),
        ("bytes**0", ()),
        ("-time", (("second", 1),)),
        ("price*time", (("dollar", 1),)),
        ("ceil(tokens / 16)*bytes", (("byte", 1),)),
        ("floor(bytes / 8)", (("byte", 1),)),
        ("max(0, bytes - other_bytes)", (("byte", 1),)),
        ("min(bytes, 0)", (("byte", 1),)),
        ("energy / time", (("joule", 1), ("second", -1))),
    ],
)
def test_balanced(text: str, powers: tuple[tuple[str, int], ...]) -> None:
    assert dimension_of(text) == powers


@pytest.mark.parametrize(
    ("text", "left", "right", "offset", "length"),
    [
        ("bytes + time", "byte", "second", 0, 12),
        ("n*(bytes - 1)", "byte", "1", 3, 9),
        ("min(flops, flops / bytes)", "1", "1/byte", 0, 25),
        ("max(bytes, other_bytes, bandwidth)", "byte", "byte/second", 0, 34),
        ("max(0, bytes, time)", "byte", "second", 0, 19),
        ("ceil(bytes / bandwidth)", "second", "1", 0, 23),
        ("price + energy", "dollar/second", "joule", 0, 14),
    ],
)
def test_unbalanced(text: str, left: str, right: str, offset: int, length: int) -> None:
    with pytest.raises(DimensionError) as caught:
        dimension_of(text)
    error = caught.value
    assert (error.left, error.right, error.offset, error.length) == (left, right, offset, length)
    assert left in str(error)
    assert len(str(error)) < 300


def test_the_sides_of_a_condition_balance() -> None:
    assert dimension(parse_condition("bytes <= 2*other_bytes"), unit_of) == ONE
    assert dimension(parse_condition("bandwidth > 0"), unit_of) == ONE
    with pytest.raises(DimensionError, match="`bytes` is in byte, `time` in second: the sides of <="):
        dimension(parse_condition("bytes <= time"), unit_of)


amounts = st.sampled_from([name for name in UNITS if name not in ("price", "energy")]).map(lambda name: Name((name,)))
products = st.recursive(
    amounts, lambda smaller: st.builds(Binary, st.sampled_from("*/"), smaller, smaller), max_leaves=5
)


@PROPERTY
@given(products, products)
def test_a_sum_balances_exactly_where_its_terms_do(left: Expr, right: Expr) -> None:
    one, other = dimension(left, unit_of), dimension(right, unit_of)
    # left + (left/right)*right balances, whatever the two are; left + right only where they agree.
    detour = Binary("*", Binary("/", left, right), right)
    assert dimension(Binary("-", left, detour), unit_of) == one
    if one.dimension == other.dimension:
        assert dimension(Binary("+", left, right), unit_of) == one
    else:
        with pytest.raises(DimensionError):
            dimension(Binary("+", left, right), unit_of)


@PROPERTY
@given(products, st.integers(-3, 3))
def test_a_power_multiplies_the_dimension(base: Expr, power: int) -> None:
    raised = dimension(Binary("**", base, Number(Fraction(power))), unit_of)
    expected = tuple((name, n * power) for name, n in dimension(base, unit_of).dimension if power)
    assert raised.dimension == expected
