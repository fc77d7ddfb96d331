"""The knowledge base: every record, with each name and each link in it resolved or reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flopkb.faults import Fault
from flopkb.link.scope import Scope
from flopkb.link.quotes import Passage, Quote
from flopkb.link.targets import Computation, FormulaRef, LinkedFormula, SymbolAtom, Target, ValueAtom
from flopkb.model import Record


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """The linked base.

    ``records`` are those that could be read, by id; ``twins`` those whose id another record has already.
    ``faults`` are what linking found; a faulty figure is in ``figures`` as its fault.
    """

    records: Mapping[str, Record]
    twins: tuple[Record, ...]
    scope: Scope = field(repr=False)
    formulas: Mapping[FormulaRef, LinkedFormula] = field(repr=False)
    sources: Mapping[SymbolAtom, ValueAtom | Fault] = field(repr=False)
    figures: Mapping[tuple[str, str], Computation | Fault] = field(repr=False)
    passages: Mapping[str, tuple[Passage, ...]] = field(repr=False)
    names: frozenset[str] = field(repr=False)
    faults: tuple[Fault, ...] = field(repr=False)
    unread: tuple[str | None, ...] = field(default=(), repr=False)
    """The texts of files that are no records (None for one of which not even the text could be had)."""

    def quotes(self) -> tuple[Quote, ...]:
        """Every link to a figure, fact, input, claim or literal in the prose of the records."""
        return tuple(quote for passages in self.passages.values() for passage in passages for quote in passage.quotes)

    def leaves(self, ref: FormulaRef) -> tuple[Target, ...]:
        """The symbols and recorded values that a formula reads, followed through the formulas that it names."""
        found: dict[Target, None] = {}
        self._collect(ref, found, set())
        return tuple(found)

    def _collect(self, ref: FormulaRef, found: dict[Target, None], seen: set[FormulaRef]) -> None:
        body = self.formulas[ref].body
        if ref in seen or body is None:
            return
        seen.add(ref)
        for target in body.targets.values():
            if isinstance(target, FormulaRef):
                self._collect(target, found, seen)
            else:
                found[target] = None
