"""Stretches of a text, held against looking at each of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.prose.spans import Spans

PAIRS = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: (min(pair), max(pair)))


@given(spans=st.lists(PAIRS, max_size=8), own=PAIRS)
def test_what_is_free_around_a_stretch(spans: list[tuple[int, int]], own: tuple[int, int]) -> None:
    before = max((end for _, end in spans if end <= own[0]), default=0)
    behind = min((start for start, _ in spans if start >= own[1]), default=40)
    assert Spans(spans).room(*own, 40) == (before, behind)


@given(spans=st.lists(PAIRS, max_size=8), place=st.integers(0, 31))
def test_whether_a_place_lies_in_one(spans: list[tuple[int, int]], place: int) -> None:
    assert Spans(spans).hold(place) == any(start <= place < end for start, end in spans)
