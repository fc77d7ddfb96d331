"""Relations that words make of linked numbers; what stands in the list was worked out by hand."""

from __future__ import annotations

import pytest
from conftest import TinyBase
from rules.seen_quantities import findings, load

from flopkb.base.loading import LoadedBase

TRUE = (
    "It takes [16](sixteen), and that [16](sixteen) is twice [8](f).",
    "A factor of [16x](sixteen) is twice [8x](f).",
    "The [16](sixteen) is twice as many as the [8](f).",
    "Here [8](f) is half of [16](sixteen), and [8](f) is half the [16](sixteen).",
    "The [16](sixteen) is [8](f) more than [8](f).",
    "The [8](f) is [8](f) less than the [16](sixteen).",
    "The [16](sixteen) is [2](fig:q.ai?p&a=16) times [8](f).",
    "The ratio of [16](sixteen) to [8](f) is [2](fig:q.ai?p&a=16).",
    "The sum of [8](f) and [8](f) is [16](sixteen).",
    "The product of [8](f) and [8](f) is [64](fig:q.ai?p&k=1).",
    "The difference between [8](f) and [16](sixteen) is [8](f).",
)
FALSE = (
    "The [16](sixteen) is twice [16](sixteen).",
    "A factor of [16x](sixteen) is twice [16x](sixteen).",
    "The [16](sixteen) is half [8](f).",
    "The [8](f) is half of [8](f).",
    "The [16](sixteen) is [8](f) more than [16](sixteen).",
    "The [16](sixteen) is [8](f) less than [8](f).",
    "The [16](sixteen) is [8](f) times [8](f).",
    "The ratio of [16](sixteen) to [8](f) is [8](f).",
    "The sum of [8](f) and [8](f) is [8](f).",
    "The product of [8](f) and [8](f) is [16](sixteen).",
    "The difference between [8](f) and [16](sixteen) is [16](sixteen).",
)
NOT_SAID = (
    "The [16](sixteen) is not [8](f) more than [16](sixteen).",
    "A ratio is [8](f), and [16](sixteen) is [8](f) for [8](f).",
    "Of the sum of both, [8](f) and [8](f), it is [8](f) that counts.",
)
"""Words that make no equation of these numbers."""


@pytest.fixture
def loaded(base: TinyBase) -> LoadedBase:
    return load(base.folder)


def test_what_is_true_is_left_alone(loaded: LoadedBase) -> None:
    assert dict(zip(TRUE, findings(TRUE, loaded), strict=True)) == {sentence: [] for sentence in TRUE}


def test_what_is_false_is_one_finding(loaded: LoadedBase) -> None:
    found = findings(FALSE, loaded)
    assert [[each.rule for each in of_one] for of_one in found] == [["equation-mismatch"]] * len(FALSE)


def test_words_that_say_something_else_make_no_equation(loaded: LoadedBase) -> None:
    assert [[each for each in f if each.rule == "equation-mismatch"] for f in findings(NOT_SAID, loaded)] == [
        [],
        [],
        [],
    ]
