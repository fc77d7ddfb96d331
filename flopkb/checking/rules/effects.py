"""Where the effect of a hardware row stands in the record's prose (shared by the rules on hardware rows; no rule
itself)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import FigureTarget
from flopkb.base.model import HardwareRow, Record


@dataclass(frozen=True, slots=True)
class Sentence:
    """One place in the prose that an effect matches, with the quotes in the sentence."""

    quotes: tuple[QuoteResult, ...]

    def figures(self) -> frozenset[tuple[str, str]]:
        """The figures that the sentence quotes, by record and name."""
        return frozenset(
            (result.quote.target.record, result.quote.target.name)
            for result in self.quotes
            if isinstance(result.quote.target, FigureTarget)
        )


def sentences(row: HardwareRow, record: Record, base: Evaluation) -> tuple[Sentence, ...]:
    """Every place in the prose of ``record`` that the effect matches."""
    return tuple(_sentences(row, record, base))


def _sentences(row: HardwareRow, record: Record, base: Evaluation) -> Iterator[Sentence]:
    results = base.quotes.get(record.id, ())
    for passage in base.passages(record.id):
        for match in passage.reading.find(row.effect.text):
            inside = {link.start for link in match.links}
            yield Sentence(
                tuple(r for r in results if r.quote.scalar is passage.scalar and r.quote.link.start in inside)
            )
