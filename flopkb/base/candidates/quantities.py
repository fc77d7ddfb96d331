"""The whole quantity around a bare number: its qualifier before it and its unit behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.prose import BareNumber, ProseReading

_BEFORE = re.compile(
    r"(?:(?<!\w)(?:about|around|roughly|nearly|almost|approximately|at most|at least|up to|no more than|no less than|"
    r"more than|less than|under|below|above) |[~≈<>≤≥] ?)$",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[ \u00a0]?(?:[A-Za-zµμ$%×][A-Za-zµμ0-9$%²³^]*(?:[/·][A-Za-zµμ0-9²³^]+)*|%)")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what belongs to it, as written; ``start:stop`` is its place in the plain text."""

    text: str
    start: int
    stop: int
    reading: Quoted


def quantities(bare: BareNumber, reading: ProseReading) -> Iterator[Quantity]:
    """The ways to read a bare number with its surroundings, the longest first."""
    plain = reading.plain
    line = plain.rfind("\n", 0, bare.plain_start) + 1
    before = _BEFORE.search(plain, line, bare.plain_start)
    unit = _UNIT.match(plain, bare.plain_end)
    starts = [before.start(), bare.plain_start] if before else [bare.plain_start]
    stops = [unit.end(), bare.plain_end] if unit else [bare.plain_end]
    for stop in stops:
        for start in starts:
            found = _read(plain[start:stop])
            if found is not None and _worth(found, stop, bare):
                yield Quantity(plain[start:stop], start, stop, found)


def _read(text: str) -> Quoted | None:
    try:
        return read(text)
    except ReadError:
        return None


def _worth(found: Quoted, stop: int, bare: BareNumber) -> bool:
    """A count (``8 sequences``) is better left outside the link: counts may be left out."""
    if stop == bare.plain_end or found.unit is None:
        return True
    return bool(found.unit.dimension) or "flop" in dict(found.unit.powers) or not found.unit.powers
