"""Links for bare numbers: what each could quote, and the edits that put in those that are clear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.prose import BareNumber, Target, read_plain
from flopkb.base.candidates import (
    QuotableValue,
    document_values,
    facts_named,
    figures_elsewhere,
    figures_of,
    formula_values,
    own_values,
    quoted_values,
)
from flopkb.base.evaluate import Evaluation
from flopkb.base.link import Passage
from flopkb.base.matching import Match, best, matches, mentioned, named_in
from flopkb.base.model import QuotingPage, Record, Subject
from flopkb.base.row_tables import in_row_table
from flopkb.base.writing import Edit


@dataclass(frozen=True, slots=True)
class Proposal:
    """A bare number with what it could quote, best first; ``clear`` is the one that is surely meant."""

    passage: Passage = field(repr=False)
    bare: BareNumber
    matches: tuple[Match, ...]
    clear: Match | None

    @property
    def location(self) -> Location:
        """Where the number stands."""
        return self.passage.scalar.at(self.bare.start)

    def edit(self) -> Edit | None:
        """The edit that links the number, where it is clear to what."""
        if self.clear is None:
            return None
        quantity, scalar = self.clear.quantity, self.passage.scalar
        start, end = self.passage.reading.rendered.span(quantity.start, quantity.stop)
        if not self.passage.reading.takes_link(start, end) or read_plain(scalar.text[start:end]) != quantity.text:
            return None  # it stands in a link, a title or HTML, or markup begins in the quantity and ends outside it
        link = f"[{scalar.text[start:end]}]({self.clear.candidate.target})"
        return Edit(scalar, start, end, link, f"{quantity.text} -> [{quantity.text}]({self.clear.candidate.target})")


def proposals(subject: Subject, base: Evaluation) -> Iterator[Proposal]:
    """Every bare number and multiplying word in the prose of a record or document, with what it could quote."""
    values: list[QuotableValue] | None = None
    for passage in base.passages(subject.id):
        for bare in passage.reading.bare:
            if isinstance(subject, QuotingPage) and in_row_table(bare.start, subject.id, base):
                continue
            if values is None:
                values = candidates_for(subject, base) if isinstance(subject, Record) else candidates_in(subject, base)
            found = matches(bare, passage, values, base.kb.records)
            yield Proposal(passage, bare, tuple(found), best(found))


def candidates_for(record: Record, base: Evaluation) -> list[QuotableValue]:
    """Everything that the prose of a record may quote, each target once, the plainest first."""
    named = sorted({id for passage in base.passages(record.id) for id in named_ids(passage, base)})
    found: dict[str, QuotableValue] = {}
    sources = (
        own_values(record, base),
        quoted_values(record.id, base),
        facts_named((id for id in named if id != record.id), base),
        figures_elsewhere(record, base),
        formula_values(record, named, base),
    )
    for candidate in (c for source in sources for c in source):
        found.setdefault(candidate.target, candidate)
    return list(found.values())


def candidates_in(page: QuotingPage, base: Evaluation) -> list[QuotableValue]:
    """Everything that a document may quote: its figures and data, what it quotes already, and what records state."""
    declared = base.kb.scope.records.get(page.id)
    named = sorted({id for passage in base.passages(page.id) for id in named_ids(passage, base)})
    found: dict[str, QuotableValue] = {}
    sources = (
        document_values(declared, base) if declared is not None else iter(()),
        quoted_values(page.id, base),
        facts_named(named, base),
        *(figures_of(record, base, f"{record.id}.") for record in base.kb.records.values()),
    )
    for candidate in (c for source in sources for c in source):
        found.setdefault(candidate.target, candidate)
    return list(found.values())


def named_ids(passage: Passage, base: Evaluation) -> frozenset[str]:
    """The records that a passage names or links to."""
    linked = mentioned(link.parsed for link in passage.reading.links if isinstance(link.parsed, Target))
    return named_in(passage.reading.plain, base.kb.records) | (linked & base.kb.records.keys())
