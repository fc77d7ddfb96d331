"""Where two symbols meet: thin failures that neither boundaries nor points at random find."""

from __future__ import annotations

import pytest
from conftest import TinyBase

from claims.claiming import example, verdict
from flopkb.base.claims import Effort, verdicts
from flopkb.base.claims.verdicts import Proved, Refuted

WITHOUT_SOLVER = Effort(use_solver=False)


@pytest.mark.parametrize(
    "condition",
    [
        "x*v == 853487",  # 907 * 941, both primes: two points of a million
        "x*v == big",
        "x*v + z == 853487",
        "x*x + v*v == 852842",  # 919**2 + 91**2
        "x*v == 853487 and x > v",
        "z - x*v*v == 0",
    ],
)
@pytest.mark.parametrize("effort", [None, WITHOUT_SOLVER])
def test_a_witness_is_found(base: TinyBase, condition: str, effort: Effort | None) -> None:
    found = verdict(base, f'exists: "{condition}"', effort=effort)
    assert isinstance(found, Proved) and found.witness


def test_what_holds_nearly_everywhere_is_refuted(base: TinyBase) -> None:
    found = verdict(base, 'formula: f, at_most: ["0", "(x*v - 853487)**2 - 1"]', effort=WITHOUT_SOLVER)
    assert isinstance(found, Refuted)
    point = example(found)
    assert point["x"] * point["v"] == 853487  # type: ignore[operator]


def test_what_is_only_tested_says_how_far_it_looked(base: TinyBase) -> None:
    # 853493 is a prime, so no product of two numbers up to a thousand is it
    found = verdict(base, 'formula: f, at_most: ["0", "(x*v - 853493)**2 - 1"]', effort=WITHOUT_SOLVER)
    assert isinstance(found, verdicts.Tested) and found.points > 1000
    assert str(found) == f"tested at {found.points} of 1,000,000 points (no solver is installed)"
