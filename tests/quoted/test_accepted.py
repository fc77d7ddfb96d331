"""The bounds within which a quote is right are those of the judge, for every way to write a number."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import judge, read
from flopkb.arithmetic.numbers.accepted import accepted
from flopkb.arithmetic.units import parse_unit

TEXTS = {
    "1": (
        "295x", "about 295", "2.3x", "0", "-12", "~300", "half", "twice", "an order of magnitude", "4-8x", "1/8", "about 1/8", "75%",
        "at most 32k", "32k", "over 32k", "under 2.5x", "exactly 8", "at least 8", "nearly 295", "more than 32Ki", "70B", "1,024",
    ),
    "byte": ("16 GiB", "about 16 GB", "512 KiB", "under 80 GB", "70 GB", "2-4 GB"),
    "s": ("4.9 ms", "about 5 ms", "at least 20 us"),
}  # fmt: skip
CASES = [(text, unit) for unit, texts in TEXTS.items() for text in texts]
FACTORS = [
    Fraction(n, 1000) for n in (0, 500, 750, 900, 949, 950, 980, 995, 999, 1000, 1001, 1024, 1049, 1050, 1250, 2000)
]


@pytest.mark.parametrize(("text", "unit"), CASES)
def test_the_bounds_are_those_of_the_judge_at_the_quoted_value_and_around_it(text: str, unit: str) -> None:
    quoted, declared = read(text), parse_unit(unit)
    scale = quoted.unit.scale if quoted.unit is not None else Fraction(1)
    found = accepted(quoted, declared)
    assert found is not None
    ends = [quoted.value, *([quoted.end.value] if quoted.end is not None else [])]
    values = {end * scale * factor for end in ends for factor in FACTORS} | {Fraction(32768), Fraction(32000)}
    for value in sorted(values):
        for chosen in ([value], [value, ends[-1] * scale]):
            assert found.holds(chosen) == judge(quoted, chosen, declared).ok, (text, chosen)


@given(st.sampled_from(CASES), st.fractions(min_value=-2, max_value=3, max_denominator=10**6))
def test_the_bounds_are_those_of_the_judge(case: tuple[str, str], factor: Fraction) -> None:
    quoted, declared = read(case[0]), parse_unit(case[1])
    value = quoted.value * (quoted.unit.scale if quoted.unit is not None else 1) * factor
    found = accepted(quoted, declared)
    assert found is not None and found.holds([value]) == judge(quoted, [value], declared).ok


def test_a_unit_that_does_not_fit_has_no_bounds() -> None:
    assert accepted(read("16 GB"), parse_unit("s")) is None
