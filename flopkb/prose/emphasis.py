"""Which ``*``, ``_`` and ``~~`` of a stretch of prose are emphasis, so that a reader does not see them (CommonMark)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from flopkb.prose.pieces import Piece


@dataclass(slots=True)
class Run:
    """A run of delimiters: its piece shrinks as they are used up."""

    piece: Piece
    char: str
    length: int
    opens: bool
    closes: bool

    @property
    def left(self) -> int:
        """How many delimiters are not used up."""
        return self.piece.end - self.piece.start


def run_of(text: str, piece: Piece, start: int, end: int) -> Run:
    """The run at ``piece`` with what it may do; ``start`` and ``end`` bound the block."""
    before = _kind(text[piece.start - 1]) if piece.start > start else "space"
    after = _kind(text[piece.end]) if piece.end < end else "space"
    left = after == "word" or (after == "mark" and before != "word")
    right = before == "word" or (before == "mark" and after != "word")
    char = text[piece.start]
    if char == "_":
        left, right = left and (not right or before == "mark"), right and (not left or after == "mark")
    return Run(piece, char, piece.end - piece.start, left, right)


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
        while run.closes and run.left:
            key = (run.char, run.opens, run.length % 3)
            index = _opener(openers, run, floors.get(key, 0))
            if index is None:
                floors[key] = order
                break
            del openers[index + 1 :]
            opener = openers[index][1]
            used = 2 if run.left > 1 and opener.left > 1 else 1
            opener.piece.end -= used
            run.piece.start += used
            if not opener.left:
                openers.pop()
        if run.opens and run.left:
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
    if closer.char == "~":
        return True
    both = opener.closes or closer.opens
    return not both or (opener.length + closer.length) % 3 != 0 or (opener.length % 3 == 0 and closer.length % 3 == 0)
