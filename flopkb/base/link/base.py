"""The knowledge base: every record, with each name and each link in it resolved or reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flopkb.base.faults import Fault
from flopkb.base.link.quotes import Passage, Quote
from flopkb.base.link.scope import Scope
from flopkb.base.link.targets import Computation, FormulaRef, LinkedFormula, SymbolAtom, Target, ValueAtom
from flopkb.base.model import Record


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

    def order(self, ref: FormulaRef) -> tuple[FormulaRef, ...]:
        """The formulas that ``ref`` names, directly or not, each after those that it names itself; ``ref`` is the last.

        Found without recursion: a chain of formulas may be as long as its files allow.
        """
        done: dict[FormulaRef, None] = {}
        stack = [(ref, False)]
        while stack:
            current, entered = stack.pop()
            if entered or current in done:
                done.setdefault(current)
                continue
            stack.append((current, True))
            stack.extend((named, False) for named in reversed(self.named(current)) if named not in done)
        return tuple(done)

    def named(self, ref: FormulaRef) -> tuple[FormulaRef, ...]:
        """The formulas in the expression of ``ref`` (none on a cycle: such formulas have no body)."""
        body = self.formulas[ref].body
        targets = body.targets.values() if body is not None else ()
        return tuple(target for target in targets if isinstance(target, FormulaRef))

    def leaves(self, ref: FormulaRef) -> tuple[Target, ...]:
        """The symbols and recorded values that a formula reads, followed through the formulas that it names."""
        bodies = [self.formulas[each].body for each in self.order(ref)]
        targets = [target for body in bodies if body is not None for target in body.targets.values()]
        return tuple(dict.fromkeys(target for target in targets if not isinstance(target, FormulaRef)))
