"""Which ``*``, ``_`` and ``~~`` of a stretch of prose are emphasis, so that a reader does not see them (CommonMark)."""

from __future__ import annotations

import unicodedata


class Run:
    """A run of delimiters ``start:end``; what is left of it shrinks to ``left:right`` when delimiters are used up."""

    __slots__ = ("char", "closes", "end", "left", "opens", "right", "start")

    def __init__(self, text: str, start: int, end: int, low: int, high: int) -> None:
        """The run at ``start:end`` of the block at ``low:high``, with what it may do."""
        before = _kind(text[start - 1]) if start > low else "space"
        after = _kind(text[end]) if end < high else "space"
        opens = after == "word" or (after == "mark" and before != "word")
        closes = before == "word" or (before == "mark" and after != "word")
        self.char = text[start]
        if self.char == "_":
            opens, closes = opens and (not closes or before == "mark"), closes and (not opens or after == "mark")
        self.start = self.left = start
        self.end = self.right = end
        self.opens = opens
        self.closes = closes


def _kind(char: str) -> str:
    if char.isspace() or char == "\0":
        return "space"
    if char.isalnum():
        return "word"
    return "mark" if unicodedata.category(char)[0] in "PS" else "word"


def pair(runs: list[Run]) -> None:
    """Use up the delimiters of ``runs`` that pair: a closer takes the nearest opener that fits.

    A search that finds none is never made over the same openers again, so the whole is linear.
    """
    openers: list[tuple[int, Run]] = []
    floors: dict[tuple[str, bool, int], int] = {}
    for order, run in enumerate(runs):
        while run.closes and run.left < run.right:
            key = (run.char, run.opens, (run.end - run.start) % 3)
            index = _opener(openers, run, floors.get(key, 0))
            if index is None:
                floors[key] = order
                break
            del openers[index + 1 :]
            opener = openers[index][1]
            used = 2 if run.right - run.left > 1 and opener.right - opener.left > 1 else 1
            opener.right -= used
            run.left += used
            if opener.left == opener.right:
                openers.pop()
        if run.opens and run.left < run.right:
            openers.append((order, run))


def _opener(openers: list[tuple[int, Run]], closer: Run, floor: int) -> int | None:
    """The place of the nearest opener for ``closer`` at or after ``floor`` in the order of the runs."""
    for index in range(len(openers) - 1, -1, -1):
        order, opener = openers[index]
        if order < floor:
            return None
        if opener.char == closer.char and _fits(opener, closer):
            return index
    return None


def _fits(opener: Run, closer: Run) -> bool:
    """The rule of three: a run that could do both pairs only with a run of another size class."""
    if closer.char == "~" or not (opener.closes or closer.opens):
        return True
    first, second = opener.end - opener.start, closer.end - closer.start
    return (first + second) % 3 != 0 or (first % 3 == 0 and second % 3 == 0)
