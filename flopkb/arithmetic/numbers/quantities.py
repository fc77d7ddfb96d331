"""A quantity in running text: a number with the qualifier before it and the scale and unit behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flopkb.arithmetic.numbers.company import SPACE, behind, has_other_meaning, negated, qualifier_before, stray
from flopkb.arithmetic.numbers.reading import Quoted, ReadError, read
from flopkb.arithmetic.numbers.words import COMPARATIVE
from flopkb.arithmetic.numeral import QUOTED
from flopkb.arithmetic.unit_table import Powers
from flopkb.arithmetic.units import ONE

_MAX_WORDS = 3
_MAX_QUALIFIERS = 2
_LONGEST_BEFORE = 60
_COMPARED = re.compile(rf"(?<![\w.-])\$?[0-9][0-9.,]*(?:(?:{SPACE}|-)?[A-Za-zµμ%×$/·][\w/·^²³]*){{0,3}}?{SPACE}\Z")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_UNIT = re.compile(rf"(?!{SPACE}(?:K|and|or|at|plus|give)\b)(?:{SPACE}|-)?(?:per{SPACE})?[A-Za-zµμ%$¢/][\w/·^²³*$-]*")
"""A word that may be a unit; `` K`` is mostly the keys of attention, not a suffix."""
_ONE_OF_A_PART = frozenset(["gpu", "tpu", "device", "accelerator", "chip", "die"])
"""What a value of a part holds for: ``80 GB per GPU``."""
_OPERAND = re.compile(rf"(?:[\w)\]]|(?<!\w)(?:[B-Zb-z]|\w*[_0-9]\w*){SPACE})\Z")
"""What a relation stands behind: ``n < 8``, ``a_b≈8``."""
_RELATION = re.compile(rf"[~≈<>≤≥]=?{SPACE}?\Z")
_PREPOSITION = re.compile(rf"(?:over|under){SPACE}", re.IGNORECASE)
"""Before a plain count these are no bounds: ``spread over 8 parts``."""
_SAYS_HOW_MANY = re.compile(
    rf"\b(?:is|are|was|were|be|been|has|have|had|to|at|by|with|needs?|takes?|holds?){SPACE}\Z", re.I
)
"""Behind these they are, whatever follows."""
_DIGITS_BEFORE = re.compile(r"(?<!\w)[0-9][0-9.,]*\Z")
_DIGITS_BEHIND = re.compile(r"[.,]?[0-9][0-9.,]*(?<![.,])")
_EACH_TIME = re.compile(rf"{SPACE}(?:an?|each|every){SPACE}(second|minute|hour)\b")
_GOES_ON = re.compile(rf"{SPACE}?/{SPACE}?\w|{SPACE}per\b")


@dataclass(frozen=True, slots=True)
class RunningQuantity:
    """A quantity at ``start:stop`` of a text. ``whole`` says that ``text`` stands there and nothing of it is left out."""

    text: str
    start: int
    stop: int
    reading: Quoted
    whole: bool = True


@dataclass(frozen=True, slots=True)
class UnreadQuantity:
    """A number at ``start:stop`` with a sign, a factor, a unit or another number at it that is not read with it."""

    text: str
    start: int
    stop: int


def quantity_at(plain: str, start: int, end: int, low: int = 0, high: int | None = None) -> RunningQuantity | None:
    """The most around the number ``start:end`` that can be read as one quantity with it; None if nothing can."""
    high = len(plain) if high is None else high
    starts = _starts(plain, start, low)
    for first in starts:
        for last in _ends(plain, end):
            reading = _read(plain[first:last])
            if reading is not None:
                whole = first == starts[0] and not _RELATION.search(plain, max(0, first - 3), first)
                whole = whole and stray(plain, first, last, low, high) == (first, last)
                return _each_time(plain, RunningQuantity(plain[first:last], first, last, reading, whole))
    return None


def without_count(quantity: RunningQuantity, end: int) -> RunningQuantity:
    """The quantity without what is counted or compared behind its number, which ends at ``end``: ``8 sequences``, ``3x more``."""
    unit, behind = quantity.reading.unit, quantity.text[end - quantity.start :].strip()
    compared = re.fullmatch(COMPARATIVE, behind, re.IGNORECASE) is not None
    counted = unit is not None and not unit.dimension and unit.counts and "flop" not in dict(unit.counts)
    if not behind or not (compared or counted):
        return quantity
    text = quantity.text[: end - quantity.start]
    reading = _read(text)
    if reading is None or reading.value != quantity.reading.value:
        return quantity  # the number has a scale: 8 billion parameters
    return replace(quantity, text=text, stop=end, reading=reading)


def part_of(
    plain: str, start: int, end: int, low: int, high: int, counts: Powers | None = None
) -> RunningQuantity | UnreadQuantity | None:
    """The quantity within ``low:high`` of which ``start:end`` is only a part that says something else.

    None if it is all of it. Counted nouns may stand outside (``4`` of ``4 query heads``); so may what it is counted by,
    unless ``counts`` are given and do not know it (``700 W`` of ``700 W per rack``).
    """
    part, found = _read(plain[start:end]), quantity_at(plain, *_numeral_around(plain, start, end, low, high), low, high)
    if part is None:
        return None
    read_part = _readable_part(plain, part, end, found, counts) if found is not None else None
    if read_part is not None and low <= read_part.start and read_part.stop <= high:
        return read_part
    first, last = stray(plain, start, end, low, high)
    first = min(first, negated(plain, low, start))
    return None if (first, last) == (start, end) else UnreadQuantity(plain[first:last], first, last)


def _readable_part(
    plain: str, part: Quoted, end: int, found: RunningQuantity, counts: Powers | None
) -> RunningQuantity | None:
    """The whole quantity, where it was read and says something else than its part in the brackets."""
    start = found.stop - len(found.text)
    joined = plain[end : end + 1].isalnum() or plain[end : end + 1] in ("/", "%")
    if _per_other(found.reading, part, counts):
        return found
    if not (joined and found.stop > end) and _said(part) == _said(found.reading):
        return None
    found = without_count(found, end)
    same = found.stop == end and part.unit is None and found.reading.value == part.value
    across = same and _PREPOSITION.match(plain, start)
    return None if across and not _SAYS_HOW_MANY.search(plain, max(0, start - 12), start) else found


def _per_other(whole: Quoted, part: Quoted, counts: Powers | None) -> bool:
    """Whether the whole quantity is one for each of something that its value is not counted by."""
    if counts is None or whole.unit is None or part.unit is None:
        return False
    known = dict(counts)
    return any(
        power < 0 and known.get(name) != power and name not in _ONE_OF_A_PART for name, power in whole.unit.counts
    )


def _numeral_around(plain: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """``start:end`` with the digits and the power of ten that go on outside it (``5`` of ``1.5``, ``2`` of ``2×10^9``)."""
    before = _DIGITS_BEFORE.search(plain, low, start) if plain[start : start + 1].isdigit() else None
    patterns = (_DIGITS_BEHIND, QUOTED.exponent, QUOTED.times_ten, QUOTED.power)
    behind = [found.end() for pattern in patterns if pattern and (found := pattern.match(plain, end, high))]
    return before.start() if before else start, max(behind, default=end)


def _said(reading: Quoted) -> tuple[object, ...]:
    """What a quantity says, but for what it counts."""
    unit = reading.unit or ONE
    return reading.bound, reading.approximate, reading.value, reading.end, unit.scale, unit.dimension


def _starts(plain: str, start: int, low: int) -> list[int]:
    """Where the quantity may begin, the furthest first."""
    starts = [start]
    while len(starts) <= _MAX_QUALIFIERS + 1:
        near = max(0, starts[0] - _LONGEST_BEFORE)
        found = qualifier_before(plain, max(low, near), starts[0])
        if found is None or has_other_meaning(plain, near, *found.span()):
            break
        sign = found[0][0] in "-−–+$" or found[0].lower().startswith("negative")
        if not sign and _compares(plain, near, found):
            break
        starts.insert(0, found.start())
    return starts


def _compares(plain: str, low: int, found: re.Match[str]) -> bool:
    """Whether the words compare the number with another that stands before them (``16 GB more than 80 GB``)."""
    if _RELATION.match(found[0]) and _OPERAND.search(plain, low, found.start()):
        return True
    other = _COMPARED.search(plain, low, found.start()) if found[0][0] not in "~≈" else None
    return other is not None and not _YEAR.fullmatch(other[0].strip()) and _read(other[0].strip()) is not None


def _ends(plain: str, end: int) -> Iterator[int]:
    """Where the quantity may end, the furthest first."""
    ends = [end]
    while len(ends) <= _MAX_WORDS and (unit := _UNIT.match(plain, ends[-1])):
        ends.append(unit.end())
    for last in reversed(ends):
        stop = end + len(plain[end:last].rstrip("-/*^"))
        if behind(plain, stop) > stop:
            yield behind(plain, stop)
        yield stop


def _each_time(plain: str, found: RunningQuantity) -> RunningQuantity:
    """``2 TB a second`` is a rate, which a quote writes ``2 TB per second``."""
    each = _EACH_TIME.match(plain, found.stop)
    if each is None:
        return replace(found, whole=found.whole and not _GOES_ON.match(plain, found.stop))
    text = f"{found.text} per {each[1]}"
    rate = _read(text) if found.reading.unit is not None and found.reading.unit.dimension else None
    if rate is None:
        return replace(found, whole=False)
    return RunningQuantity(text, found.start, each.end(), rate, False)


def _read(text: str) -> Quoted | None:
    try:
        return read(text)
    except ReadError:
        return None
