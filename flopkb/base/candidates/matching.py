"""Which values a quantity fits, best first, and whether one of them is clearly meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flopkb.arithmetic.numbers import Quoted, Verdict, judge
from flopkb.base.candidates.quantities import Quantity
from flopkb.base.candidates.values import Candidate, Kind

_ENOUGH_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Context:
    """What stands near a number: the records named in its sentence and in its text, targets linked there, its words."""

    sentence: frozenset[str] = frozenset()
    passage: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate that a quantity fits; the lower ``rank``, the likelier."""

    quantity: Quantity
    candidate: Candidate
    exact: bool
    rank: tuple[int, ...]
    near: str = ""

    @property
    def reason(self) -> str:
        """Why it fits, in a few words."""
        how = "is exactly" if self.exact else "rounds"
        near = f"; {self.near}" if self.near else ""
        return f"{how} this {self.candidate.kind.noun}{near}"


def fits(reading: Quoted, candidate: Candidate) -> bool:
    """Whether the text could stand for the value as it is (a loose bound could stand for too much)."""
    return judge(reading, candidate.values, candidate.unit).verdict is Verdict.OK


def is_exact(reading: Quoted, candidate: Candidate) -> bool:
    """Whether the text gives every digit of the value."""
    scale = reading.unit.scale if reading.unit is not None else 1
    return not reading.approximate and all(value == reading.value * scale for value in candidate.values)


def matches(ways: Iterable[Quantity], candidates: Sequence[Candidate], context: Context) -> list[Match]:
    """What the first way to read the number that fits anything fits, best first."""
    for quantity in ways:
        found = [_match(quantity, c, context) for c in candidates if fits(quantity.reading, c)]
        if found:
            return sorted(found, key=lambda m: (m.rank, m.candidate.target))
    return []


def _match(quantity: Quantity, candidate: Candidate, context: Context) -> Match:
    exact = is_exact(quantity.reading, candidate)
    near = sorted(candidate.records & context.sentence)
    far = sorted(candidate.records & context.passage)
    shared = len(candidate.words & context.words)
    place = 0 if near else 1 if far else 2
    foreign = candidate.kind in (Kind.FIGURE, Kind.FORMULA) and "." in candidate.target.partition("?")[0]
    rank = (int(foreign), place, 0 if exact else 1, -shared, int(candidate.kind))
    why = f"{near[0]} is named in the sentence" if near else f"{far[0]} is named in the text" if far else ""
    return Match(quantity, candidate, exact, rank, why)


def best(found: Sequence[Match]) -> Match | None:
    """The match that is clearly meant, or None: no other value fits as well, and the text says enough.

    Formulas that give the same number as a figure do not count beside it: they mostly compute what it computes.
    """
    if not found or not telling(found[0].quantity.reading):
        return None
    first, others = found[0], found[1:]
    if first.candidate.kind is Kind.FIGURE:
        others = [match for match in others if match.candidate.kind is not Kind.FORMULA]
    if not others:
        return first
    reading = first.quantity.reading
    precise = reading.unit is not None and significant(reading) > 1
    ahead = first.rank[:3] < others[0].rank[:3] and first.candidate.kind is not Kind.FORMULA
    return first if ahead and (precise or not any(match.exact for match in others)) else None


def telling(reading: Quoted) -> bool:
    """Whether the text is more than a digit that fits many values by chance."""
    return reading.unit is not None or significant(reading) >= _ENOUGH_DIGITS


def significant(reading: Quoted) -> int:
    """How many digits a number has, without the zeros before and behind them."""
    if reading.number is None:
        return 0
    digits = "".join(c for c in reading.number.numeral.text.lower().partition("e")[0] if c in "0123456789")
    return len(digits.strip("0"))
