"""Many stretches of one text, asked for what lies around a place without looking at each of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Spans:
    """Stretches ``start:end`` of a text, in any order; they may lie in each other."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = sorted(end for _, end in ordered)
        self._furthest = list(accumulate((end for _, end in ordered), max))

    def room(self, start: int, end: int, length: int) -> tuple[int, int]:
        """What is free around ``start:end``: from the last end before it to the first start behind it."""
        before, behind = bisect_right(self._ends, start), bisect_left(self._starts, end)
        return self._ends[before - 1] if before else 0, self._starts[behind] if behind < len(self._starts) else length

    def hold(self, place: int) -> bool:
        """Whether a place lies in one of them."""
        before = bisect_right(self._starts, place)
        return before > 0 and self._furthest[before - 1] > place
