"""A curve ends where its formula no longer applies, and says why."""

from __future__ import annotations

from fractions import Fraction

import pytest

from flopkb.publishing.plot.chart import NoSuchPoint, PlotFault
from flopkb.publishing.plot.kinds import curve
from flopkb.publishing.plot.options import Options


def up_to(last: int, x: int) -> Fraction:
    if x > last:
        raise NoSuchPoint("decode_step.time: does not fit")
    return Fraction(2 * x)


def test_a_curve_is_drawn_as_far_as_there_are_values() -> None:
    drawn = curve("one", [1, 2, 4, 8], lambda x: up_to(4, x), 0)
    assert drawn.points == ((1, 2), (2, 4), (4, 8))
    assert drawn.ends == "decode_step.time: does not fit"


def test_one_that_ends_nowhere_says_nothing() -> None:
    assert curve("one", [1, 2], lambda x: up_to(4, x), 0).ends == ""


def test_another_fault_is_no_end() -> None:
    def missing(x: int) -> Fraction:
        raise PlotFault("missing input B")

    with pytest.raises(PlotFault, match="missing input B"):
        curve("one", [1, 2], missing, 0)


@pytest.mark.parametrize(
    ("given", "allowed"),
    [({"models": ["a", "b"]}, False), ({"models": ["a"]}, True), ({"models": "a"}, True), ({}, True)],
)
def test_an_option_that_would_be_dropped_is_refused(given: dict[str, object], allowed: bool) -> None:
    options = Options(None, given, [])  # type: ignore[arg-type]  # no base is asked
    if allowed:
        options.single_of("models")
    else:
        with pytest.raises(PlotFault, match="this plot takes one of models, not 2; draw one plot for each"):
            options.single_of("models")
