"""Rewriting a stale quote in its own form."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import judge, read, rewrite
from flopkb.arithmetic.units import parse_unit


@pytest.mark.parametrize(
    ("old", "value", "unit", "new"),
    [
        ("3.5x", Fraction(242, 63), "1", "3.8x"),
        ("104,448", 118784, "1", "118,784"),
        ("about 104,448 bytes", 118784, "byte", "about 118,784 bytes"),
        ("5.0 Gb/s", Fraction(625 * 10**7, 8), "byte/s", "6.3 Gb/s"),
        ("4,800 GB/s", 3840 * 10**9, "byte/s", "3,840 GB/s"),
        ("11", "11.65", "1", "12"),
        ("3x", "1.49", "1", "1.5x"),
        ("3x", "0.04", "1", "0.04x"),
        ("295x-wide", "148", "1", "148x-wide"),
        ("32k tokens", 65536, "token", "64k tokens"),
        ("32k", 40000, "token", "40k"),
        ("2×10⁹", 34 * 10**9, "1", "34×10⁹"),
        ("2×10^9", 34 * 10**12, "1", "3.4×10^13"),
        ("1e9", 2 * 10**9, "1", "2e9"),
        ("0.33e9", 41 * 10**7, "1", "0.41e9"),
        ("10¹²", 10**13, "1", "10¹³"),
        ("10^12", 3 * 10**13, "1", "3×10^13"),
        ("−3.2", "-4.25", "1", "−4.3"),
        ("$49.24", "6.155", "$", "$6.16"),
        ("21%", Fraction(1, 3), "1", "33%"),
        ("16 GB", 2**34, "byte", "17 GB"),
        ("1\u2009979 TFLOP/s", 2500 * 10**12, "flop/s", "2\u2009500 TFLOP/s"),
        ("999x", 12345, "1", "12345x"),
        ("295x", "295.37", "1", "295x"),
    ],
)
def test_the_form_stays(old: str, value: str | int | Fraction, unit: str, new: str) -> None:
    assert rewrite(read(old), [Fraction(value)], parse_unit(unit)) == new


@pytest.mark.parametrize(
    ("old", "values", "unit"),
    [
        ("4-8x", [4, 9], "1"),
        ("at most 2x", [3], "1"),
        ("twice", [3], "1"),
        ("3x", [-3], "1"),
        ("3x", [0], "1"),
        ("0", [3], "1"),
        ("3x", [4, 5], "1"),
        ("3 GB", [3], "s"),
        ("1/8", [Fraction(1, 7)], "1"),
    ],
)
def test_a_quote_whose_meaning_would_change_is_left(old: str, values: list[int], unit: str) -> None:
    assert rewrite(read(old), [Fraction(value) for value in values], parse_unit(unit)) is None


FORMS = [
    "3x",
    "3.50x",
    "about 295",
    "~1,979",
    "1,979.25",
    "2×10⁹",
    "1.5e-3",
    "32k",
    "70B",
    "7.25 million",
    "75%",
    "10¹²",
    "2·10^9",
    "0.002",
]


def lacks_percent(text: str, value: Fraction) -> bool:
    """Whether all that is wrong with a plain number is the sign: ``0.002`` of a share is right as ``0.002%``."""
    plain = re.fullmatch(r"−?([0-9]*\.?[0-9]+(?:e-?[0-9]+)?)", text)
    if plain is None or not 0 < abs(value) < 1:
        return False
    mantissa, _, power = plain[1].partition("e")
    place = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))
    off, size = abs(abs(value) * 100 - Fraction(plain[1])), Fraction(plain[1])
    was = abs(abs(value) - size)
    return off <= min(place / 2, size / 10) and not was <= min(place / 2, size / 10)


@given(
    st.fractions(min_value=Fraction(1, 10**6), max_value=10**13, max_denominator=10**7),
    st.sampled_from(FORMS),
    st.booleans(),
)
@example(value=Fraction(167, 9000000), form="0.002", negative=False)
@example(value=Fraction(167, 9000000), form="0.002", negative=True)
def test_a_rewritten_quote_is_right_and_stays(value: Fraction, form: str, negative: bool) -> None:
    text = form.replace("about ", "about −").replace("~", "~−") if form[0] in "a~" else "−" + form
    old = read(text if negative else form)
    values, one = [-value if negative else value], parse_unit("1")
    new = rewrite(old, values, one)
    if lacks_percent(old.text, values[0]):
        assert new is None  # digits, or the sign of a percentage: a person knows which is missing
        return
    assert new is not None
    assert judge(read(new), values, one).ok
    assert rewrite(read(new), values, one) == new
