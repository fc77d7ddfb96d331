"""Units and recorded amounts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.units import ONE, Amount, Unit, UnitError, parse_amount, parse_unit


@pytest.mark.parametrize(
    ("text", "scale", "powers"),
    [
        ("GB/s", 10**9, {"byte": 1, "second": -1}),
        ("GiB", 2**30, {"byte": 1}),
        ("kB", 1000, {"byte": 1}),
        ("KiB/token", 1024, {"byte": 1, "token": -1}),
        ("flop/byte", 1, {"flop": 1, "byte": -1}),
        ("FLOP/B", 1, {"flop": 1, "byte": -1}),
        ("FLOPs", 1, {"flop": 1}),
        ("TFLOP/s", 10**12, {"flop": 1, "second": -1}),
        ("TFLOPS", 10**12, {"flop": 1, "second": -1}),
        ("teraFLOPS", 10**12, {"flop": 1, "second": -1}),
        ("TOPS", 10**12, {"flop": 1, "second": -1}),
        ("bit", Fraction(1, 8), {"byte": 1}),
        ("Gbit/s", Fraction(10**9, 8), {"byte": 1, "second": -1}),
        ("Gb/s", Fraction(10**9, 8), {"byte": 1, "second": -1}),
        ("Gbps", Fraction(10**9, 8), {"byte": 1, "second": -1}),
        ("GHz", 10**9, {"second": -1}),
        ("ms", Fraction(1, 1000), {"second": 1}),
        ("us", Fraction(1, 10**6), {"second": 1}),
        ("µs", Fraction(1, 10**6), {"second": 1}),
        ("ns", Fraction(1, 10**9), {"second": 1}),
        ("min", 60, {"second": 1}),
        ("h", 3600, {"second": 1}),
        ("days", 86400, {"second": 1}),
        ("W", 1, {"joule": 1, "second": -1}),
        ("kW", 1000, {"joule": 1, "second": -1}),
        ("kWh", 3_600_000, {"joule": 1}),
        ("J/token", 1, {"joule": 1, "token": -1}),
        ("$", 1, {"dollar": 1}),
        ("$/GPU-hour", Fraction(1, 3600), {"dollar": 1, "gpu": -1, "second": -1}),
        ("%", Fraction(1, 100), {}),
        ("1", 1, {}),
        ("x", 1, {}),
        ("×", 1, {}),
        ("1/s", 1, {"second": -1}),
        ("bytes/(token*layer)", 1, {"byte": 1, "token": -1, "layer": -1}),
        ("bytes per token per layer", 1, {"byte": 1, "token": -1, "layer": -1}),
        ("flop·s⁻¹", 1, {"flop": 1, "second": -1}),
        ("s^2", 1, {"second": 2}),
        ("Tokens", 1, {"token": 1}),
        ("batches", 1, {"batch": 1}),
        ("parameters", 1, {"parameter": 1}),
    ],
)
def test_units_are_read_with_scale_and_powers(text: str, scale: Fraction, powers: dict[str, int]) -> None:
    unit = parse_unit(text)
    assert (unit.scale, dict(unit.powers), unit.text) == (scale, powers, text)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("KB", "kB (1000 bytes) or KiB (1024 bytes)"),
        ("KB/s", "kB (1000 bytes) or KiB (1024 bytes)"),
        ("b", "bit or B"),
        ("Gb", "Gbit or GB"),
        ("gb", "GB or GiB"),
        ("secnds", "seconds"),
        ("", "1 for a plain number"),
    ],
)
def test_refused_units_say_what_to_write(text: str, advice: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_unit(text)
    assert caught.value.suggestion == advice
    assert advice in str(caught.value)


@pytest.mark.parametrize(
    "text", ["apples", "B//s", "B/", "/s", "B^99", "(B", "B)", "3", "GB s GB " * 20, "((" * 30, "Ki", "٣"]
)
def test_what_is_no_unit_is_refused(text: str) -> None:
    with pytest.raises(UnitError):
        parse_unit(text)


def test_dimension_and_counts_are_kept_apart() -> None:
    unit = parse_unit("flop/byte") * parse_unit("GB/s")
    assert unit.dimension == (("second", -1),)
    assert unit.counts == (("flop", 1),)
    assert unit.scale == 10**9


def test_units_combine_and_cancel() -> None:
    assert parse_unit("GB") / parse_unit("GB/s") == Unit(Fraction(1), (("second", 1),))
    assert parse_unit("s") ** 2 == parse_unit("s^2")
    assert parse_unit("s") ** 0 == ONE
    assert parse_unit("GB/s").powers == parse_unit("TB/h").powers
    assert parse_unit("B").powers != parse_unit("B/token").powers
    assert str(parse_unit("TB/s")) == "TB/s"
    assert Unit(Fraction(1), (("byte", 1), ("second", -1))).base_text == "byte/second"


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("3350 GB/s", 3350 * 10**9),
        ("16GiB", 2**34),
        ("0.25 byte", Fraction(1, 4)),
        ("989.4e12 flop/s", 9894 * 10**11),
        ("32Ki", 32768),
        ("32Ki token", 32768),
        ("70 B", 70),
        ("-3", -3),
        ("+1.50", Fraction(3, 2)),
        ("1e9", 10**9),
        (" 700 W ", 700),
    ],
)
def test_amounts_are_exact(text: str, base: Fraction) -> None:
    assert parse_amount(text).base == base


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("32k", "32000, or 32768 (as 32Ki) for multiples of 1024"),
        ("2 k", "2000, or 2048 (as 2Ki) for multiples of 1024"),
        ("70B", "70000000000, or `70 B` for bytes"),
        ("1,979", "digits without separators, as in 118784"),
        ("$3", "digits and a unit, as in 80 GiB or 3350 GB/s"),
        ("2 KB", "kB (1000 bytes) or KiB (1024 bytes)"),
        ("1e400", "an exponent from -308 to 308"),
    ],
)
def test_amounts_that_could_mean_two_things_offer_both(text: str, advice: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_amount(text)
    assert caught.value.suggestion == advice


@pytest.mark.parametrize("text", ["", "x", "1.2.3 GB", "٣", "1_000", "3 apples", ".", "--1"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(UnitError):
        parse_amount(text)


@given(
    st.integers(-(10**12), 10**12), st.integers(0, 9), st.sampled_from(["", " GB/s", " flop/byte", " KiB/token", " %"])
)
def test_written_decimals_read_back_exactly(digits: int, decimals: int, unit: str) -> None:
    text = f"{abs(digits) // 10**decimals}"
    if decimals:
        text += f".{abs(digits) % 10**decimals:0{decimals}d}"
    text = ("-" if digits < 0 else "") + text
    assert parse_amount(text + unit) == Amount(Fraction(digits, 10**decimals), parse_unit(unit or "1"))
    assert parse_amount(text) == Amount(Fraction(digits, 10**decimals))


@given(st.text(max_size=12))
def test_any_text_is_a_unit_or_a_unit_error(text: str) -> None:
    for reader in (parse_unit, parse_amount):
        try:
            reader(text)
        except UnitError as error:
            assert str(error)
