"""Several values of an input: ``1,2,4..512`` doubles, ``1000,2000..8000`` steps, ``1..8`` counts.

Two values of which the second is twice the first could mean either: they step, as ``1000,2000..8000`` does, unless they are
written with a k and the range ends on one of the doubled values, as ``1k,2k..128k`` does. :func:`how_read` says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from flopkb.arithmetic.numbers import decimal_text

MOST = 1_000_000
"""So many values an input may have."""

_ITEM = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)(.*?)\s*", re.DOTALL)


class SweepFault(ValueError):
    """Values that cannot be written out; the text says what to write."""


def written_out(text: str) -> str:
    """The values of an input as a list with commas; text without ``..`` as it is. Raises :class:`SweepFault`."""
    if ".." not in text:
        return text
    head, *rest = (part.strip() for part in text.split(".."))
    if len(rest) != 1 or not head or not rest[0]:
        raise SweepFault(f"`{text}` is no range; write 1,2,4..512, which doubles, or 1000,2000..8000, which steps")
    end, *after = rest[0].split(",")
    items = [_item(part, text) for part in (*head.split(","), end)]
    ending = items[-1][1]
    if any(suffix not in ("", ending) for _, suffix in items) or (ending.strip() in ("k", "K", "M") and mixed(items)):
        raise SweepFault(f"`{text}` mixes units; write each value with the same one")
    first = [number for number, _ in items[:-1]]
    if _doubles(first, items[-1][0], ending):
        first.append(2 * first[-1])
    numbers = _between(first, items[-1][0], text)
    texts = (str(number) if isinstance(number, int) else decimal_text(number) for number in numbers)
    return ", ".join([*(text + ending for text in texts), *(part.strip() for part in after)])


def how_read(text: str) -> str:
    """How a range was read of which the first two values leave it open, and how the other is written; else nothing."""
    head, dots, rest = text.partition("..")
    parts = [part.strip() for part in head.split(",")]
    if not dots or len(parts) != 2:
        return ""
    (first, _), (second, _), (end, ending) = (_item(part, text) for part in (*parts, rest.split(",")[0]))
    if second != 2 * first:
        return ""
    doubles = _doubles([first, second], end, ending)
    other = f"{parts[0]},{parts[1]},{decimal_text(first * (3 if doubles else 4))}{ending}..{rest.strip()}"
    return f"{text} {'doubles' if doubles else 'steps'}; {other} {'steps' if doubles else 'doubles'}"


def _doubles(first: Sequence[Fraction], end: Fraction, ending: str) -> bool:
    """Whether two values are doubled on: those of a k, up to one of the doubled values."""
    if len(first) != 2 or first[1] != 2 * first[0] or ending.strip()[:1] not in ("k", "K"):
        return False
    times = end / first[0]
    return times.denominator == 1 and times > 2 and not times.numerator & (times.numerator - 1)


def mixed(items: Sequence[tuple[Fraction, str]]) -> bool:
    """Whether some numbers have a suffix and others none."""
    return len({suffix for _, suffix in items}) > 1


def _item(part: str, text: str) -> tuple[Fraction, str]:
    match = _ITEM.fullmatch(part)
    if match is None:
        raise SweepFault(f"`{part.strip()}` in `{text}` is no number; a range runs over numbers, as 1,2,4..512")
    return Fraction(match[1]), match[2]


def _between(first: Sequence[Fraction], end: Fraction, text: str) -> Sequence[Fraction | int]:
    """The numbers, continued as the first of them go, as far as ``end``."""
    growth = _growth(first, text)
    found = list(first)
    if growth[0] == 1 and all(number.denominator == 1 for number in (*first, growth[1], end)):
        return _counted([*map(int, first)], int(growth[1]), int(end), text)
    for number in _continued(found[-1], *growth):
        if number > end:
            break
        if len(found) == MOST:
            raise SweepFault(f"`{text}` has more than {MOST} values; take wider steps")
        found.append(number)
    if found[-1] > end:
        raise SweepFault(f"`{text}` ends before it begins; the last value is the largest")
    return found


def _counted(first: Sequence[int], step: int, end: int, text: str) -> list[int]:
    """Whole numbers that step: a million are written out at once."""
    rest = range(first[-1] + step, end + 1, step)
    if len(first) + len(rest) > MOST:
        raise SweepFault(f"`{text}` has more than {MOST} values; take wider steps")
    if first[-1] > end:
        raise SweepFault(f"`{text}` ends before it begins; the last value is the largest")
    return [*first, *rest]


def _growth(first: Sequence[Fraction], text: str) -> tuple[Fraction, Fraction]:
    """What each number is multiplied by, and what is added to it then."""
    if len(first) == 1:
        return Fraction(1), Fraction(1)
    steps = {b - a for a, b in pairwise(first)}
    ratios = {b / a for a, b in pairwise(first) if a}
    if len(steps) == 1 and min(steps) > 0:
        return Fraction(1), min(steps)
    if len(ratios) == 1 and min(ratios) > 1 and 0 not in first[:-1]:
        return min(ratios), Fraction(0)
    raise SweepFault(f"`{text}` neither steps nor multiplies evenly; write 1,2,4..512 or 1000,2000..8000")


def _continued(last: Fraction, times: Fraction, step: Fraction) -> Iterator[Fraction]:
    while True:
        last = last * times + step
        yield last
