"""The whole quantity around a bare number, with its qualifier and its unit, as the text of a link holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.arithmetic.numbers import ReadError, read

_QUALIFIER = re.compile(
    r"(?:(?<!\w)(?:at most|at least|not? (?:more|less|fewer) than|(?:more|less|fewer|greater) than|up to|over|under|"
    r"above|below|about|around|roughly|nearly|almost|approximately|approx\.|circa|ca\.)[ \u00a0]|"
    r"[~≈<>≤≥]=?[ \u00a0]?)$",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[ \u00a0\u202f\u2009]?(?:per[ \u00a0])?[A-Za-zµμ%$¢/][\w/·^²³*$-]*")
_MAX_WORDS = 3
_MAX_QUALIFIERS = 2
_LONGEST_QUALIFIER = 24


def quantity_span(plain: str, start: int, end: int) -> tuple[int, int]:
    """``start:end`` in ``plain`` with the words on either side that can be read as one quantity together with it."""
    for first in _starts(plain, start):
        for last in _ends(plain, end):
            if _readable(plain[first:last]):
                return first, last
    return start, end


def _starts(plain: str, start: int) -> list[int]:
    """Where the quantity may begin, the furthest first."""
    starts = [start]
    while len(starts) <= _MAX_QUALIFIERS:
        low = max(0, starts[0] - _LONGEST_QUALIFIER)
        qualifier = _QUALIFIER.search(plain[low : starts[0]])
        if qualifier is None:
            break
        starts.insert(0, low + qualifier.start())
    return starts


def _ends(plain: str, end: int) -> Iterator[int]:
    """Where the quantity may end, the furthest first."""
    ends = [end]
    while len(ends) <= _MAX_WORDS and (unit := _UNIT.match(plain, ends[-1])):
        ends.append(unit.end())
    for last in reversed(ends):
        yield end + len(plain[end:last].rstrip("-/*^"))


def _readable(text: str) -> bool:
    try:
        read(text)
    except ReadError:
        return False
    return True
