"""Reading a number as a person writes it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import ReadError, read


@pytest.mark.parametrize(
    ("text", "value", "place", "nonzero", "unit"),
    [
        ("295x", 295, 1, 1, "x"),
        ("295", 295, 1, 1, None),
        ("4,800 GB/s", 4800, 1, 100, "GB/s"),
        ("1,979 TFLOP/s", 1979, 1, 1, "TFLOP/s"),
        ("1\u2009979", 1979, 1, 1, None),
        ("12\u202f345\u202f678", 12345678, 1, 1, None),
        ("4.0 flop/byte", 4, Fraction(1, 10), 1, "flop/byte"),
        ("512 KiB/token", 512, 1, 1, "KiB/token"),
        ("2×10⁹", 2 * 10**9, 10**9, 10**9, None),
        ("2·10^9", 2 * 10**9, 10**9, 10**9, None),
        ("2.5 x 10^9", 25 * 10**8, 10**8, 10**8, None),
        ("2*10**9 bytes", 2 * 10**9, 10**9, 10**9, "bytes"),
        ("5.70×10⁻³", Fraction(57, 10**4), Fraction(1, 10**5), Fraction(1, 10**4), None),
        ("1e9", 10**9, 10**9, 10**9, None),
        ("0.33e9", 33 * 10**7, 10**7, 10**7, None),
        ("1.5E-3 s", Fraction(3, 2000), Fraction(1, 10**4), Fraction(1, 10**4), "s"),
        ("10¹²", 10**12, 10**12, 10**12, None),
        ("10^12", 10**12, 10**12, 10**12, None),
        ("2^34 bytes", 2**34, 1, 1, "bytes"),
        ("32k", 32000, 1000, 1000, None),
        ("32k tokens", 32000, 1000, 1000, "tokens"),
        ("2 k", 2000, 1000, 1000, None),
        ("5 M", 5 * 10**6, 10**6, 10**6, None),
        ("32Ki", 32768, 1024, 1024, None),
        ("70B", 70 * 10**9, 10**9, 10**10, None),
        ("70B parameters", 70 * 10**9, 10**9, 10**10, "parameters"),
        ("15T tokens", 15 * 10**12, 10**12, 10**12, "tokens"),
        ("1.5 million tokens", 15 * 10**5, 10**5, 10**5, "tokens"),
        ("70 B/s", 70, 1, 10, "B/s"),
        ("75%", 75, 1, 1, "%"),
        ("75 percent", 75, 1, 1, "percent"),
        ("$49.24", Fraction(4924, 100), Fraction(1, 100), Fraction(1, 100), "$"),
        ("$3.5M", 35 * 10**5, 10**5, 10**5, "$"),
        ("$2/GPU-hour", 2, 1, 1, "$/GPU-hour"),
        ("$2 per GPU-hour", 2, 1, 1, "$/GPU-hour"),
        ("×2", 2, 1, 1, "×"),
        ("x2.5", Fraction(5, 2), Fraction(1, 10), Fraction(1, 10), "×"),
        ("0.000", 0, Fraction(1, 1000), 0, None),
        (".5", Fraction(1, 2), Fraction(1, 10), Fraction(1, 10), None),
        ("128-token", 128, 1, 1, "token"),
        ("80-GB", 80, 1, 10, "GB"),
        ("16\u00a0GiB", 16, 1, 1, "GiB"),
    ],
)
def test_digits_suffix_and_unit(
    text: str, value: Fraction, place: Fraction, nonzero: Fraction, unit: str | None
) -> None:
    quoted = read(text)
    assert (quoted.value, quoted.place, quoted.nonzero_place) == (value, place, nonzero)
    assert (quoted.unit.text if quoted.unit else None) == unit


@pytest.mark.parametrize(
    ("text", "value"), [("-3", -3), ("−3", -3), ("- 3", -3), ("− 3", -3), ("-$5", -5), ("$-5", -5), ("+3", 3)]
)
def test_a_sign_may_be_typographic_or_spaced(text: str, value: int) -> None:
    assert read(text).value == value


@pytest.mark.parametrize("text", ["295x-wide", "4-way", "8-fold", "32k-token"])
def test_a_hyphen_behind_a_number_is_no_minus(text: str) -> None:
    quoted = read(text)
    assert quoted.value > 0
    assert quoted.end is None


@pytest.mark.parametrize("qualifier", ["~", "≈", "about", "around", "roughly", "nearly", "About", "approximately"])
def test_qualifiers(qualifier: str) -> None:
    quoted = read(f"{qualifier} 295x")
    assert quoted.qualifier == qualifier
    assert quoted.value == 295


@pytest.mark.parametrize(
    ("text", "bound", "limit"),
    [
        ("at most 2x", "<=", 2), ("< 3", "<", 3), ("over 4", ">", 4), ("at least 1.5", ">=", Fraction(3, 2)),
        ("≤ 2", "<=", 2), ("no more than 10%", "<=", 10), ("more than twice", ">", 2), ("less than half", "<", Fraction(1, 2)),
        ("up to 8 GB", "<=", 8),
    ],
)  # fmt: skip
def test_bounds(text: str, bound: str, limit: Fraction) -> None:
    quoted = read(text)
    assert (quoted.bound, quoted.value) == (bound, limit)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("4-8x", 4, 8), ("4–8x", 4, 8), ("4 to 8x", 4, 8), ("between 4 and 8x", 4, 8), ("from 4 to 8x", 4, 8),
        ("4x-8x", 4, 8), ("1.5 TB/s to 3 TB/s", Fraction(3, 2), 3), ("about 4-8x", 4, 8), ("$4-8", 4, 8),
    ],
)  # fmt: skip
def test_ranges(text: str, low: Fraction, high: Fraction) -> None:
    quoted = read(text)
    assert quoted.end is not None
    assert (quoted.value, quoted.end.value) == (low, high)
    assert quoted.unit is not None


def test_a_range_shares_its_suffix_unless_that_would_turn_it_round() -> None:
    shared, apart = read("8-16k"), read("512-4k")
    assert shared.value == 8000
    assert apart.value == 512


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("half", Fraction(1, 2)), ("a third", Fraction(1, 3)), ("Twice", 2), ("an order of magnitude", 10),
        ("two orders of magnitude", 100), ("about half", Fraction(1, 2)), ("three quarters", Fraction(3, 4)), ("tenfold", 10),
    ],
)  # fmt: skip
def test_multiplying_words(text: str, value: Fraction) -> None:
    assert read(text).value == value
    assert read(text).word is not None


@pytest.mark.parametrize(
    ("text", "value"), [("1/8", Fraction(1, 8)), ("½", Fraction(1, 2)), ("2/3 GB", Fraction(2, 3))]
)
def test_ratios_are_exact(text: str, value: Fraction) -> None:
    assert read(text).ratio == value


@pytest.mark.parametrize(
    ("text", "offset", "advice"),
    [
        ("1,5", 0, "1.5 for a decimal, 1,979 for thousands"),
        ("about 1,5x", 6, "1.5 for a decimal, 1,979 for thousands"),
        ("0,123", 0, "0.123 for a decimal, 1,979 for thousands"),
        ("12,34,567", 0, "1,979 for thousands"),
        ("٣", 0, "the digits 0 to 9"),
        ("²", 0, "the digits 0 to 9"),
        ("32 KB", 3, "kB (1000 bytes) or KiB (1024 bytes)"),
        ("8 b", 2, "bit or B"),
        ("1e400", 1, "one between -308 and 308"),
        ("1.2.3", 0, None),
        ("2024-05-01", 0, None),
        ("8-4x", 0, None),
        ("295 apples", 3, None),
        ("", 0, None),
        ("the 295x", 0, "the number first, or a word such as about before it"),
        ("1 2", 1, None),
        ("at most 4-8x", 9, None),
        ("3 GB-4 TB", 9, "the unit once, after the upper end"),
        ("1,979,5", 0, "1,979 for thousands"),
        ("10^99999999", 0, None),
        ("7^99999999", 0, None),
    ],
)
def test_what_cannot_be_read_is_an_error_never_a_guess(text: str, offset: int, advice: str | None) -> None:
    with pytest.raises(ReadError) as caught:
        read(text)
    assert caught.value.suggestion == advice
    if advice is not None:
        assert caught.value.offset == offset
    assert len(str(caught.value)) < 300


def test_a_long_text_is_refused_at_once() -> None:
    with pytest.raises(ReadError, match="too long"):
        read("9" * 100_000)


@given(st.text(max_size=15))
def test_any_text_is_a_quote_or_a_read_error(text: str) -> None:
    try:
        read(text)
    except ReadError as error:
        assert 0 <= error.offset <= len(text)


DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def superscript(number: int) -> str:
    return ("⁻" if number < 0 else "") + "".join(DIGITS[int(digit)] for digit in str(abs(number)))


def plain(digits: int, decimals: int) -> str:
    text = str(digits).rjust(decimals + 1, "0")
    return f"{text[:-decimals]}.{text[-decimals:]}" if decimals else text


FORMS = [
    "{p}",
    "{g}",
    "{t}",
    "{p}e{e}",
    "{p}×10{s}",
    "{p}·10^{e}",
    "{p} x 10^{e}",
    "{p}k",
    "{p}Ki",
    "{p} million",
    "{p}%",
]
SCALES = {"{p}k": 1000, "{p}Ki": 1024, "{p} million": 10**6}


@given(
    digits=st.integers(0, 10**12),
    decimals=st.integers(0, 6),
    exponent=st.integers(-20, 20),
    negative=st.booleans(),
    form=st.sampled_from(FORMS),
    before=st.sampled_from(["", "about ", "~", "≈ "]),
    unit=st.sampled_from(["", " GB/s", " flop/byte", " tokens"]),
)
def test_any_rational_in_any_form_reads_back(
    digits: int, decimals: int, exponent: int, negative: bool, form: str, before: str, unit: str
) -> None:
    whole, point, part = plain(digits, decimals).partition(".")
    grouped = f"{int(whole):,}" + point + part
    number = form.format(
        p=whole + point + part, g=grouped, t=grouped.replace(",", "\u2009"), e=exponent, s=superscript(exponent)
    )
    scale = Fraction(10) ** exponent if "{e}" in form or "{s}" in form else Fraction(SCALES.get(form, 1))
    quoted = read(before + ("−" if negative else "") + number + ("" if form.endswith("%") else unit))
    value = Fraction(digits, 10**decimals) * scale
    assert quoted.value == (-value if negative else value)
    assert quoted.place == Fraction(1, 10**decimals) * scale
    assert bool(quoted.qualifier) == bool(before)
