"""Equations made at random: the right ones pass in every way of writing them, changed ones do not."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import rounded_text
from flopkb.arithmetic.text import Markup, ScannedEquation, scan_text

SIGNS = st.sampled_from([" * ", " × ", "·", " \\times ", " &times; ", " x "])
FACTORS = st.lists(st.integers(2, 9999), min_size=2, max_size=5)
EQUALS = st.sampled_from([" = ", "=", " ≈ ", " ~= ", " \\approx ", " &asymp; "])
AROUND = st.sampled_from(
    [("", ""), ("so ", ", as said."), ("`", "`"), ("**", "**"), ("(", ")"), ("| a | ", " | b |"), ("- ", "")]
)


def found(text: str) -> list[ScannedEquation]:
    return list(scan_text(text, "a.md", Markup.MARKDOWN).equations)


def product(factors: list[int]) -> int:
    value = 1
    for factor in factors:
        value *= factor
    return value


@given(FACTORS, SIGNS, EQUALS, AROUND, st.booleans())
def test_a_product_is_right_however_it_is_written(
    factors: list[int], sign: str, equals: str, around: tuple[str, str], grouped: bool
) -> None:
    result = f"{product(factors):,}" if grouped else str(product(factors))
    written = [f"{factor:,}" if grouped else str(factor) for factor in factors]
    text = around[0] + sign.join(written) + equals + result + around[1]
    (equation,) = found(text)
    assert equation.verdict == "ok"
    assert text[equation.start : equation.end].startswith(written[0])


@given(FACTORS, SIGNS, AROUND, st.data())
def test_a_product_with_a_changed_digit_is_not_right(
    factors: list[int], sign: str, around: tuple[str, str], data: st.DataObject
) -> None:
    result = str(product(factors))
    at = data.draw(st.integers(0, len(result) - 1))
    digit = data.draw(st.sampled_from(sorted(set("123456789") - {result[at]})))
    changed = result[:at] + digit + result[at + 1 :]
    text = around[0] + sign.join(map(str, factors)) + " = " + changed + around[1]
    assert [equation.verdict for equation in found(text) if equation.verdict in ("ok", "ambiguous")] == []


@given(
    st.fractions(min_value=Fraction(1, 100), max_value=10**6, max_denominator=9999),
    st.integers(0, 6),
    st.sampled_from(["{a}/{b}", "{a} / {b}", "\\frac{{{a}}}{{{b}}}", "({a}) / ({b})", "{a} ÷ {b}"]),
)
def test_a_quotient_rounded_half_up_is_right(value: Fraction, decimals: int, form: str) -> None:
    assume(value.denominator > 1)
    quoted = rounded_text(value, decimals)
    assume(Fraction(quoted) * 10**decimals >= 5)
    (equation,) = found(form.format(a=value.numerator, b=value.denominator) + f" = {quoted}")
    assert equation.verdict == "ok"


@given(
    st.integers(1, 999), st.integers(2, 64), st.sampled_from(["KiB", "MiB", "GiB", "GB", "MB", "ms", "TB/s", "W", "h"])
)
def test_amounts_keep_their_unit(number: int, factor: int, unit: str) -> None:
    (right,) = found(f"{factor} × {number} {unit} = {factor * number} {unit}")
    (wrong,) = found(f"{factor} × {number} {unit} = {factor * number * 3} {unit}")
    assert (right.verdict, wrong.verdict) == ("ok", "wrong")


@given(st.text(alphabet=st.characters(exclude_characters="=≈~≃≅≒≊∼&\\"), max_size=200))
def test_without_a_relation_nothing_is_found(text: str) -> None:
    assert found(text) == []
