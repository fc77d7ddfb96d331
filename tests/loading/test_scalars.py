"""Plain scalars by YAML 1.2: what is a number, and which number it is exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.base.document import Document, Plain, Scalar, Style
from flopkb.base.loading import load_text
from flopkb.base.loading.scalars import NumberError, plain_value

VALUES: dict[str, Plain] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "false": False,
    "no": "no",
    "NO": "NO",
    "on": "on",
    "off": "off",
    "yes": "yes",
    "y": "y",
    "2026-11-29": "2026-11-29",
    "1:30": "1:30",
    "1_000": "1_000",
    "1,000": "1,000",
    "v1.0": "v1.0",
    "1.2.3": "1.2.3",
    "inf": "inf",
    "nan": "nan",
    "-": "-",
    "+": "+",
    ".": ".",
    "1e": "1e",
    "e5": "e5",
    "0b1": "0b1",
    "٣": "٣",
    "-7": -7,
    "+7": 7,
    "012": 12,
    "0o17": 15,
    "0x1F": 31,
    "1e9": 10**9,
    "1E+3": 1000,
    "989.4e12": 989_400_000_000_000,
    "3.350": Fraction(67, 20),
    ".5": Fraction(1, 2),
    "2.": 2,
    "-0.0": 0,
    "0e999999999": 0,
    "1e308": 10**308,
    "1.5e-300": Fraction(3, 2 * 10**300),
}


@pytest.mark.parametrize("text", VALUES)
def test_value(text: str) -> None:
    value = plain_value(text)
    assert value == VALUES[text]
    assert type(value) is type(VALUES[text])


@pytest.mark.parametrize(
    "text", [".nan", ".NaN", ".inf", "-.Inf", "+.INF", "1e309", "-1e400", "1e-309", "1e999999999999"]
)
def test_no_number_that_can_be_computed_with(text: str) -> None:
    with pytest.raises(NumberError):
        plain_value(text)


@pytest.mark.parametrize("text", ["1" * 401, "0." + "0" * 400 + "1", "0x" + "f" * 400])
def test_a_number_of_very_many_digits_is_refused(text: str) -> None:
    with pytest.raises(NumberError, match="at most 400"):
        plain_value(text)


def test_text_of_very_many_digits_and_a_letter_is_text() -> None:
    text = "1" * 401 + "x"
    assert plain_value(text) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**12), max_value=10**12))
def test_decimals_are_exact(number: Decimal) -> None:
    text = format(number, "f")
    assert plain_value(text) == Fraction(text)


def test_the_written_digits_stay() -> None:
    document = load_text("a: 3.350\nb: '3.350'\nc: 0x10\n", "a.yaml")
    assert isinstance(document, Document)
    a, b, c = (document.root.get(key) for key in "abc")
    assert isinstance(a, Scalar) and (a.text, a.value) == ("3.350", Fraction(67, 20))
    assert isinstance(b, Scalar) and (b.text, b.value, b.style) == ("3.350", "3.350", Style.SINGLE)
    assert isinstance(c, Scalar) and (c.text, c.value) == ("0x10", 16)
