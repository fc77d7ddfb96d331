"""The rounding rule, case by case and as properties."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import Verdict, decimal_text, judge, read, rounded_text
from flopkb.arithmetic.units import parse_unit

OK, WRONG, CUT = Verdict.OK, Verdict.WRONG, Verdict.TRUNCATED


def verdict(text: str, value: str | Fraction | int, unit: str = "1") -> Verdict:
    return judge(read(text), [Fraction(value)], parse_unit(unit)).verdict


@pytest.mark.parametrize(
    ("text", "value", "unit", "expected"),
    [
        ("295x", "295.37", "1", OK),
        ("37x", "36.92", "1", OK),
        ("18x", "18.46", "1", OK),
        ("2.3x", "2.3076", "1", OK),
        ("about 295", "295.22", "1", OK),
        ("295.3", "295.37", "1", CUT),
        ("104,448", "118784", "1", WRONG),
        ("3.5x", "3.84", "1", WRONG),
        ("5.0", "6.25", "1", WRONG),
        ("16 GB", 2**34, "byte", WRONG),
        ("1x", "1.49", "1", WRONG),
    ],
    ids=lambda value: str(value),
)
def test_the_table_of_the_contract(text: str, value: str, unit: str, expected: Verdict) -> None:
    assert verdict(text, value, unit) is expected


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("2.5", "2.45", OK), ("2.5", "2.55", OK), ("2.5", "2.551", CUT), ("2.5", "2.449", WRONG),
        ("-2.5", "-2.55", OK), ("-2.5", "2.5", WRONG), ("2.5", "-2.5", WRONG),
        ("11", "11.65", CUT), ("-11", "-11.65", CUT), ("19", "19.999", CUT), ("19", "20", WRONG),
        ("12", "11.65", OK), ("1.1e3", "1165", CUT), ("32k", "32999", CUT),
        ("0", "0", OK), ("0.000", "0", OK), ("0.000", "0.0001", WRONG), ("0", "0.7", WRONG), ("1", "0", WRONG), ("3", "3.5", CUT),
        ("3", "3.3", OK), ("3", "3.31", WRONG), ("9", "9.5", OK), ("9", "9.51", CUT),
        ("240", "246", WRONG), ("about 240", "245", OK), ("about 240", "246", CUT), ("~2000", "2100", OK),
        ("~2000", "2101", WRONG), ("about 3", "3.5", OK), ("~1", "1.25", OK), ("~1", "1.26", WRONG), ("~ 0", "0.1", WRONG),
        ("10¹²", 10**12, OK), ("10¹²", 12 * 10**11, WRONG), ("2^34", 2**34, OK), ("2^34", 2**34 + 1, WRONG),
        ("1/8", Fraction(1, 8), OK), ("1/8", Fraction(1, 7), WRONG),
        ("50%", Fraction(1, 2), OK), ("21.7%", Fraction(217, 1000), OK), ("50%", 50, WRONG),
        ("4.80", "4.8", OK), ("4.80", "4.81", WRONG),
    ],
)  # fmt: skip
def test_plain_numbers(text: str, value: str | int, expected: Verdict) -> None:
    assert verdict(text, value) is expected


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("32k", 32768, OK), ("32k", 32000, OK), ("32k", 32400, OK), ("32k", 32769, CUT), ("32Ki", 32768, OK),
        ("32Ki", 32000, WRONG), ("128k", 131072, OK), ("128k", 131000, WRONG), ("at most 32k", 32768, OK), ("70B", 70553706496, CUT),
        ("70.6B", 70553706496, OK), ("1M", 1048576, OK),
    ],
)  # fmt: skip
def test_count_suffixes(text: str, value: int, expected: Verdict) -> None:
    assert verdict(text, value, "token") is expected


def test_a_binary_suffix_is_named() -> None:
    assert judge(read("32k"), [Fraction(32768)], parse_unit("token")).note == "`k` is read as 1024 here"
    assert judge(read("32k"), [Fraction(32000)], parse_unit("token")).note == ""


def test_a_bare_b_suffix_is_bytes_where_bytes_are_declared() -> None:
    assert verdict("70B", 70, "byte") is OK
    assert verdict("70B", 70 * 10**9, "parameter") is OK


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("at most 2x", "2", OK), ("at most 2x", "2.0001", WRONG), ("at most 2x", "1.5", OK),
        ("at most 2x", "1.49", Verdict.LOOSE_BOUND), ("< 3", "3", WRONG), ("< 3", "2.9", OK), ("over 4", "4", WRONG),
        ("over 4", "4.1", OK), ("over 4", "5.1", Verdict.LOOSE_BOUND), ("at least 4", "4", OK), ("more than twice", "2.1", OK),
    ],
)  # fmt: skip
def test_bounds_hold_exactly(text: str, value: str, expected: Verdict) -> None:
    assert verdict(text, value) is expected


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("half", "0.525", OK), ("half", "0.526", WRONG), ("half", "0.475", OK), ("a third", "0.35", OK), ("a third", "0.351", WRONG),
        ("twice", "1.9", OK), ("twice", "1.89", WRONG), ("an order of magnitude", "10", OK), ("an order of magnitude", "31.62", OK),
        ("an order of magnitude", "31.63", WRONG), ("an order of magnitude", "3.17", OK), ("an order of magnitude", "3.16", WRONG),
        ("two orders of magnitude", "99", OK), ("twice", "-2", WRONG),
    ],
)  # fmt: skip
def test_words(text: str, value: str, expected: Verdict) -> None:
    assert verdict(text, value) is expected


def test_ends_of_a_range_are_the_least_and_the_greatest() -> None:
    values, one = [Fraction(4), Fraction(6), Fraction(8)], parse_unit("1")
    assert judge(read("4-8x"), values, one).verdict is OK
    assert judge(read("4-7x"), values, one).verdict is WRONG
    assert judge(read("5-8x"), values, one).verdict is WRONG
    assert judge(read("4-8x"), [Fraction(4)], one).verdict is WRONG
    assert judge(read("4x"), values, one).verdict is WRONG
    assert judge(read("4x"), values, one).note == "the figure is a set from 4 to 8: write a range"
    assert judge(read("4x"), [Fraction(4), Fraction(4)], one).verdict is OK
    assert judge(read("at most 8x"), values, one).verdict is OK
    assert judge(read("at most 7x"), values, one).verdict is WRONG


@pytest.mark.parametrize(
    ("text", "value", "unit", "expected"),
    [
        ("512 KiB", 2**19, "byte/token", OK),
        ("512 KiB/token", 2**19, "byte/token", OK),
        ("512 KiB/layer", 2**19, "byte/token", Verdict.UNIT_MISMATCH),
        ("512 KiB/s", 2**19, "byte/token", Verdict.UNIT_MISMATCH),
        ("524,288", 2**19, "byte/token", Verdict.UNIT_MISSING),
        ("32", 32, "token", OK),
        ("295", 295, "flop/byte", OK),
        ("295", 295, "flop/s", Verdict.UNIT_MISSING),
        ("295x", 295, "flop/byte", Verdict.UNIT_MISMATCH),
        ("3.35 TB/s", 335 * 10**10, "GB/s", OK),
        ("400 Gb/s", 50 * 10**9, "GB/s", OK),
        ("4 bit", Fraction(1, 2), "byte", OK),
        ("$6.16", Fraction(6155, 1000), "$", OK),
        ("half", Fraction(1, 2), "byte", Verdict.UNIT_MISMATCH),
        ("989.5 TFLOPs", 9895 * 10**11, "TFLOP/s", Verdict.UNIT_MISMATCH),
    ],
)
def test_units_must_match_and_counts_may_be_left_out(text: str, value: Fraction, unit: str, expected: Verdict) -> None:
    assert verdict(text, value, unit) is expected


def test_a_swapped_prefix_is_named() -> None:
    note = judge(read("16 GB"), [Fraction(2**34)], parse_unit("byte")).note
    assert note.startswith("right in GiB, which is not GB")


def test_facts_of_a_judgement_are_in_the_unit_of_the_quote() -> None:
    judgement = judge(read("104,448 kB"), [Fraction(118_784_000)], parse_unit("byte"))
    assert (judgement.quoted, judgement.computed, judgement.difference, judgement.unit) == (
        "104,448 kB",
        "118784",
        "14336",
        "kB",
    )
    assert judge(read("about 3"), [Fraction("3.4")], parse_unit("1")).note == "passes only because of `about`"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"), (Fraction(1, 3), "0.333333"), (Fraction(2, 3), "0.666667"), (Fraction(98950, 335), "295.373"),
        (Fraction(973078528), "973078528"), (Fraction("0.1875"), "0.1875"), (Fraction(-5, 4), "-1.25"), (Fraction(33 * 10**23), "3.3e24"),
        (Fraction(1, 10**7), "1e-7"), (Fraction(10**7, 3), "3333333"), (Fraction(2**34), "17179869184"),
        (Fraction(10**16 - 1), "1e16"),
    ],
)  # fmt: skip
def test_decimal_text(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text


RATIONALS = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**6)


@given(RATIONALS, st.integers(0, 8), st.sampled_from(["", "about ", "~"]))
def test_a_correctly_rounded_text_always_passes(value: Fraction, decimals: int, qualifier: str) -> None:
    text = rounded_text(value, decimals)
    q = Fraction(text)
    assume(abs(q) * 10**decimals >= 5 or value == q)  # below 5 the last digit alone can be more than a tenth off
    judged = judge(read(qualifier + text), [value], parse_unit("1"))
    assert judged.verdict is OK


@given(RATIONALS, st.integers(0, 8), st.data())
def test_a_digit_change_beyond_the_tolerance_is_always_refused(
    value: Fraction, decimals: int, data: st.DataObject
) -> None:
    text = rounded_text(value, decimals)
    places = [at for at, mark in enumerate(text) if mark.isdigit()]
    at = data.draw(st.sampled_from(places))
    changed = text[:at] + data.draw(st.sampled_from(sorted(set("0123456789") - {text[at]}))) + text[at + 1 :]
    q = Fraction(changed)
    assume(abs(value - q) > min(Fraction(1, 2 * 10**decimals), abs(q) / 10))
    assert not judge(read(changed), [value], parse_unit("1")).ok


@given(RATIONALS.filter(bool), st.integers(0, 6), st.booleans())
def test_the_rule_is_the_one_of_the_contract(value: Fraction, decimals: int, approximate: bool) -> None:
    text = rounded_text(value * Fraction(23, 24), decimals)
    q, u = Fraction(text), Fraction(1, 10**decimals)
    assume(q != 0)
    zeros = len(text.replace(".", "")) - len(text.replace(".", "").rstrip("0"))
    allowed = min(u / 2, abs(q) / 10)
    if approximate:
        allowed = max(min(u / 2, abs(q) / 4), min(u * 10**zeros / 2, abs(q) / 20))
    judged = judge(read(("about " if approximate else "") + text), [value], parse_unit("1"))
    assert judged.ok == (abs(value - q) <= allowed and q * value > 0)


@given(st.fractions(min_value=Fraction(1, 100), max_value=1000, max_denominator=10**6))
def test_half_orders_are_compared_as_squares(value: Fraction) -> None:
    """Against an integer root with twelve extra digits, far finer than the denominators drawn."""
    fine = 10**24
    low, high = Fraction(isqrt(10 * fine), 10**12), Fraction(isqrt(1000 * fine), 10**12)
    assume(abs(value - low) > Fraction(1, 10**11) and abs(value - high) > Fraction(1, 10**11))
    assert (verdict("an order of magnitude", value) is OK) == (low <= value <= high)
