"""Where sentences of plain prose end, and where words occur in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

_STOP = re.compile(r"[.!?]+[)\]}\"'’”»]*(?=[ \u00a0]|\n|$)|\n")
_LAST_WORD = re.compile(r"[\w.]+$")
_ALWAYS = frozenset(
    ["e.g", "i.e", "vs", "cf", "approx", "ca", "al", "resp", "incl", "excl", "w.r.t", "a.k.a", "viz", "mr", "dr", "st"]
)
_BEFORE_NUMBER = re.compile(r"(?:figs?|eqn?s?|tabs?|secs?|nos?|vol|pp?|ch|app|refs?|thm|def|prop)")
_UNBREAKABLE = str.maketrans("\u00a0\u2009\u202f\u2007", "    ")


def sentence_ends(plain: str) -> tuple[int, ...]:
    """The offset behind each sentence: behind its mark, or at the end of its block; the last is the end of the text."""
    ends = [stop.start() if stop[0] == "\n" else stop.end() for stop in _STOP.finditer(plain) if _ends(plain, stop)]
    return (*ends, len(plain))


def _ends(plain: str, stop: re.Match[str]) -> bool:
    """Whether the mark ends a sentence; the period of an abbreviation does not."""
    if stop[0][0] != "." or stop.end() == len(plain) or plain[stop.end()] == "\n":
        return True
    word = _LAST_WORD.search(plain, max(0, stop.start() - 12), stop.start())
    last = word[0].lower().lstrip(".") if word else ""
    following = plain[stop.end() + 1 : stop.end() + 2]
    if last == "etc":
        return not following.islower()
    return last not in _ALWAYS and not (_BEFORE_NUMBER.fullmatch(last) and (following.isdigit() or following == "("))


def sentence_at(plain: str, ends: tuple[int, ...], offset: int) -> tuple[int, int]:
    """The sentence that holds ``offset``, without the space before it."""
    index = bisect_right(ends, offset)
    start = ends[index - 1] if index else 0
    end = ends[index] if index < len(ends) else len(plain)
    while start < end and plain[start] in " \u00a0\n":
        start += 1
    return start, end


def last_sentence_end(ends: tuple[int, ...], offset: int) -> int:
    """The end of the sentence that reaches ``offset``, where ``offset`` itself may be that end."""
    index = bisect_left(ends, offset)
    return ends[index] if index < len(ends) else offset


def occurrences(plain: str, words: str) -> Iterator[int]:
    """Where ``words`` stand in ``plain``, not within longer words; spaces of any width are equal."""
    words = " ".join(words.translate(_UNBREAKABLE).split())
    if not words:
        return
    plain = plain.translate(_UNBREAKABLE)
    at = plain.find(words)
    while at >= 0:
        end = at + len(words)
        if not (_joined(plain, at) or _joined(plain, end)):
            yield at
        at = plain.find(words, at + 1)


def _joined(plain: str, offset: int) -> bool:
    """Whether the characters on both sides of ``offset`` belong to one word."""
    return 0 < offset < len(plain) and plain[offset - 1].isalnum() and plain[offset].isalnum()
