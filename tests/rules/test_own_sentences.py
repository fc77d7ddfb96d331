"""The sentences of this base: what a change in one place makes false is found, the same in other words is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from own_sentences import Sentence, base, false_ones, found, sentences, true_ones

pytestmark = pytest.mark.slow
SETTINGS = settings(
    max_examples=3, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
DRAWN = st.lists(st.integers(0, 10**6), min_size=40, max_size=40, unique=True)
"""Which of the sentences; 120 of them are changed, each in every way."""


def changed(drawn: list[int], how: Callable[[Sentence], dict[str, str]]) -> dict[str, list[str]]:
    """The changed sentences with what is found in each."""
    known = sentences()
    texts = list(dict.fromkeys(text for at in drawn for text in how(known[at % len(known)]).values()))
    return dict(zip(texts, found(texts, base()), strict=True))


def test_most_sentences_with_a_number_are_tried() -> None:
    assert len(sentences()) > 500


@SETTINGS
@given(DRAWN)
def test_a_sentence_made_false_in_one_place_is_found(drawn: list[int]) -> None:
    assert [text for text, told in changed(drawn, false_ones).items() if not told] == []


@SETTINGS
@given(DRAWN)
def test_a_sentence_in_other_words_is_not(drawn: list[int]) -> None:
    assert {text: told for text, told in changed(drawn, true_ones).items() if told} == {}
