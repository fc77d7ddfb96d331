"""Which of the values near it a bare number fits, best first: by what stands in its sentence and how exactly it fits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flopkb.arithmetic.numbers import Quoted, RunningQuantity, Verdict, judge, quantity_at, without_count
from flopkb.arithmetic.prose import BareNumber, Target
from flopkb.base.candidates import QuotableKind, QuotableValue, words_of
from flopkb.base.link import Passage
from flopkb.base.model import Record

_ENOUGH_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands near a number: the records named in its sentence and in its text, targets linked there, its words."""

    sentence: frozenset[str] = frozenset()
    passage: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate that a quantity fits; the lower ``rank``, the likelier."""

    quantity: RunningQuantity
    candidate: QuotableValue
    exact: bool
    rank: tuple[int, ...]
    near: str = ""

    @property
    def reason(self) -> str:
        """Why it fits, in a few words."""
        how = "is exactly" if self.exact else "rounds"
        near = f"; {self.near}" if self.near else ""
        return f"{how} this {self.candidate.kind.noun}{near}"


def fits(reading: Quoted, candidate: QuotableValue) -> bool:
    """Whether the text could stand for the value as it is (a loose bound could stand for too much)."""
    return judge(reading, candidate.values, candidate.unit).verdict is Verdict.OK


def misses(reading: Quoted, candidate: QuotableValue) -> bool:
    """Whether a number of two digits or more, in the value's unit, is within two percent of it: it was meant for it."""
    scale, dimension = (reading.unit.scale, reading.unit.dimension) if reading.unit is not None else (Fraction(1), ())
    if reading.number is None or dimension != candidate.unit.dimension or significant(reading) < 2:
        return False
    amount = reading.value * scale
    return any(0 < abs(amount - value) <= abs(value) / 50 for value in candidate.values)


def is_exact(reading: Quoted, candidate: QuotableValue) -> bool:
    """Whether the text gives every digit of the value."""
    scale = reading.unit.scale if reading.unit is not None else 1
    return not reading.approximate and all(value == reading.value * scale for value in candidate.values)


def matches(
    bare: BareNumber, passage: Passage, candidates: Sequence[QuotableValue], records: Mapping[str, Record]
) -> list[Match]:
    """What the whole quantity that a bare number belongs to fits, best first.

    It is matched with its qualifier and its unit or not at all; a count (``8 sequences``) is left outside.
    """
    quantity = quantity_at(passage.reading.plain, bare.plain_start, bare.plain_end)
    if quantity is None or not quantity.whole:
        return []
    quantity, context = without_count(quantity, bare.plain_end), context_of(bare, passage, records)
    found = [_match(quantity, c, context) for c in candidates if fits(quantity.reading, c)]
    return sorted(found, key=lambda m: (m.rank, m.candidate.target))


def _match(quantity: RunningQuantity, candidate: QuotableValue, context: Surroundings) -> Match:
    exact = is_exact(quantity.reading, candidate)
    near = sorted(candidate.records & context.sentence)
    far = sorted(candidate.records & context.passage)
    shared = len(candidate.words & context.words)
    place = 0 if near else 1 if far else 2
    foreign = (
        candidate.kind in (QuotableKind.FIGURE, QuotableKind.FORMULA) and "." in candidate.target.partition("?")[0]
    )
    rank = (int(foreign), place, 0 if exact else 1, -shared, int(candidate.kind))
    why = f"{near[0]} is named in the sentence" if near else f"{far[0]} is named in the text" if far else ""
    return Match(quantity, candidate, exact, rank, why)


def best(found: Sequence[Match]) -> Match | None:
    """The match that is clearly meant, or None: no other value fits as well, and the text says enough.

    Formulas that give the same number as a figure do not count beside it: they mostly compute what it computes.
    """
    if not found or not is_specific(found[0].quantity.reading):
        return None
    if found[0].quantity.reading.bound and not found[0].near:
        return None  # a bound holds of many values: of this one only where its record is named
    first, others = found[0], found[1:]
    if first.candidate.kind is QuotableKind.FIGURE:
        others = [match for match in others if match.candidate.kind is not QuotableKind.FORMULA]
    if not others:
        return first
    reading = first.quantity.reading
    precise = reading.unit is not None and significant(reading) > 1
    ahead = first.rank[:3] < others[0].rank[:3] and first.candidate.kind is not QuotableKind.FORMULA
    return first if ahead and (precise or not any(match.exact for match in others)) else None


def is_specific(reading: Quoted) -> bool:
    """Whether the text is more than a digit that fits many values by chance."""
    return reading.unit is not None or significant(reading) >= _ENOUGH_DIGITS


def significant(reading: Quoted) -> int:
    """How many digits a number has, without the zeros before and behind them; 0 where it is no number."""
    if reading.number is None:
        return 0
    digits = "".join(c for c in reading.number.numeral.text.lower().partition("e")[0] if c in "0123456789")
    return len(digits.strip("0"))


def context_of(bare: BareNumber, passage: Passage, records: Mapping[str, Record]) -> Surroundings:
    """The context of a bare number in its passage."""
    reading = passage.reading
    start, end = reading.sentence_at(bare.plain_start)
    sentence = reading.plain[start:end]
    linked = [link.parsed for link in reading.links if start <= link.plain_start < end]
    names = named_in(sentence, records) | mentioned(t for t in linked if isinstance(t, Target))
    return Surroundings(names, named_in(reading.plain, records), words_of(sentence))


def mentioned(targets: Iterable[Target]) -> frozenset[str]:
    """The records, figures and points that link targets name."""
    found: set[str] = set()
    for target in targets:
        found.add(target.name.partition(".")[0])
        found.update(name for name in (target.record, *(i.value for i in target.inputs)) if name)
        found.update(name for name, _ in target.points)
    return frozenset(found)


def named_in(text: str, records: Mapping[str, Record]) -> frozenset[str]:
    """The ids of the records whose id, name or alias stands in a text as whole words, in either case."""
    return _named_in(text, _Held(records))


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """The records of a base, which are themselves and no others that are equal."""

    records: Mapping[str, Record]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.records is self.records

    def __hash__(self) -> int:
        return id(self.records)


@lru_cache(maxsize=64)
def _named_in(text: str, held: _Held) -> frozenset[str]:
    words, (names, longest) = _spaced(text).split(), _by_name(held)
    spans = (" ".join(words[at : at + n]) for at in range(len(words)) for n in range(1, longest + 1))
    return frozenset(id for span in spans for id in names.get(span, ()))


_MOST_WORDS = 12
"""A name of more words is looked for by so many of them at its beginning."""


@lru_cache(maxsize=4)
def _by_name(held: _Held) -> tuple[Mapping[str, frozenset[str]], int]:
    """The records by what they are called, and the most words of a name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for id, record in held.records.items():
        for name in (record.id, record.name, *(alias.text for alias in record.aliases)):
            found[" ".join(_spaced(name).split()[:_MOST_WORDS])].add(id)
    longest = max((len(name.split()) for name in found), default=0)
    return {name: frozenset(ids) for name, ids in found.items() if name}, longest


@lru_cache(maxsize=4096)
def _spaced(text: str) -> str:
    """The words of a text in lower case with single spaces, so that ``Llama-3-8B's`` holds ``llama 3 8b``."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
