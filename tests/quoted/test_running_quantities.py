"""A quantity in running text: what belongs to a number, and what only stands beside it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import part_of, quantity_at, read


def whole(text: str) -> str | None:
    """The quantity of which the part in brackets is only a part."""
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "").replace("]", "")
    found = part_of(plain, start, end, 0, len(plain))
    return found.text if found is not None else None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("holds more than [80 GB].", "more than 80 GB"),
        ("It draws just over [700 W]", "just over 700 W"),
        ("Up to [80 GB]", "Up to 80 GB"),
        ("at least about [3]", "at least about 3"),
        ("(~[295x])", "~295x"),
        ("is < [3]", "< 3"),
        ("-[295x]", "-295x"),
        ("[80 GB] per second", "80 GB per second"),
        ("[80 GB] a second", "80 GB per second"),
        ("[80 GB]/s", "80 GB/s"),
        ("[295] GB/s", "295 GB/s"),
        ("[80]-GB card", "80-GB"),
        ("[8] tokens per second", "8 tokens per second"),
        ("[8] billion parameters", "8 billion parameters"),
        ("[295]k", "295k"),
        ("[295]%", "295%"),
        ("[295]x", "295x"),
        ("[1]×10^9 bytes", "1×10^9 bytes"),
        ("0.[5] of it", "0.5"),
        ("$[3] an hour", "$3 an hour"),
        ("roughly [half]", "roughly half"),
        ("[8] x 4", "8 x 4"),
        ("[8] times 4", "8 times 4"),
    ],
)
def test_what_stands_around_a_number_belongs_to_it(text: str, wanted: str) -> None:
    assert whole(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "about [about 295]",
        "[4] query heads",
        "[32]-layer models",
        "[300 W] per GPU",
        "[3 ms] a token",
        "[80 GB]. Per second it moves less",
        "[80 GB], about",
        "a - [295x]",
        "between [3] and 5",
        "[8] K vectors",
        "[295]th",
        "64 query heads over [8] KV heads",
        "spread over [8] GPUs",
        "989.5 TFLOP/s over [3350 GB/s]",
        "16 GB more than [80 GB]",
        "16 GB < [80 GB]",
        "n < [3]",
        "n_kv≈[3]",
        "more than the [80 GB]",
        "They add up to [80 GB]",
        "recover [700 W]",
    ],
)
def test_what_only_stands_beside_it_does_not(text: str) -> None:
    assert whole(text) is None


WORDS = st.lists(
    st.sampled_from(
        [
            "about",
            "over",
            "more",
            "than",
            "3",
            "80",
            "GB",
            "/s",
            "per",
            "second",
            "%",
            "-",
            "~",
            "<",
            ",",
            ".",
            "\n",
            "x",
            "1,979",
            "half",
            "k",
        ]
    )
)


@given(WORDS, st.sampled_from(["80 GB", "3", "1,979", "half", "-2x"]), WORDS)
def test_a_quantity_holds_its_number_and_can_be_read(before: list[str], number: str, behind: list[str]) -> None:
    text = " ".join([*before, number, *behind])
    start = len(" ".join([*before, ""]))
    found = quantity_at(text, start, start + len(number))
    if found is not None:
        assert found.start <= start and found.stop >= start + len(number)
        assert "\n" not in re.sub(r"\s+$", "", text[found.start : found.stop])
        assert read(found.text) == found.reading
        assert not found.whole or found.text == text[found.start : found.stop]
