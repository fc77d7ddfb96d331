"""Records to a knowledge base: ids resolved, every reference typed, every formula parsed and balanced."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import PurePath
from typing import Protocol, TypeVar

from flopkb.base.faults import Blocked, Fault
from flopkb.base.link.cycles import without_cycles
from flopkb.base.link.formulas import (
    link_fallbacks,
    link_formula,
    link_sources,
    multiple_fault,
    unit_fault,
    without_nested_sums,
)
from flopkb.base.link.layering import layer_faults
from flopkb.base.link.names import Holder, Scope, link_figure, point_faults, reference_faults, scope_of
from flopkb.base.link.passages import Passage, Quote
from flopkb.base.link.quotes import Linker, fact_of
from flopkb.base.link.reach import Reach, Reaches
from flopkb.base.link.targets import (
    PRINTED,
    ClaimTarget,
    Computation,
    FactTarget,
    Fallback,
    FigureTarget,
    FormulaRef,
    InputTarget,
    LinkedExpr,
    LinkedFormula,
    LiteralTarget,
    SymbolAtom,
    Target,
    ValueAtom,
)
from flopkb.base.model import Prose, Record
from flopkb.base.on_demand import OnDemand

__all__ = [
    "PRINTED",
    "ClaimTarget",
    "Computation",
    "FactTarget",
    "FigureTarget",
    "FormulaRef",
    "Holder",
    "InputTarget",
    "KnowledgeBase",
    "LinkedFormula",
    "Linker",
    "LiteralTarget",
    "Passage",
    "Quote",
    "SymbolAtom",
    "ValueAtom",
    "by_holder",
    "fact_of",
    "link",
    "link_page",
    "relinked",
]


_VOCABULARY = re.compile(r"""^kind:[ \t]*["']?vocabulary\b""", re.MULTILINE)


Shape = tuple[object, ...]
"""What the cases, sums and calls of formulas turn on, of what is asked."""


Decided = tuple[LinkedExpr, frozenset[SymbolAtom]]
"""The expression of a formula in its frame, in plain arithmetic, and the symbols that decided its cases."""


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """What is the same for all questions to one base, kept when it is first worked out."""

    bodies: dict[tuple[Shape, FormulaRef], Decided] = field(default_factory=dict)
    """The expressions of formulas as they are read in their frames."""
    derived: dict[tuple[str, str], Fraction | Fault | None] = field(default_factory=dict)
    """The values that a record derives by formulas of the base, by record and path."""


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
    documents: tuple[str, ...] = ()
    """The documents that declare data or figures, each a record that only the scope has."""
    fallbacks: Mapping[SymbolAtom, Fallback | Fault] = field(default_factory=dict, repr=False)
    """What gives a symbol its value where its first source records none."""
    formulas_of: Mapping[str, tuple[FormulaRef, ...]] = field(default_factory=dict, compare=False, repr=False)
    """The formulas of each record and document that has any, in the order of ``formulas``."""
    reaches: Reaches = field(default_factory=lambda: Reaches({}, {}, {}), compare=False, repr=False)
    """What each formula and symbol can read."""
    worked_out: WorkedOut = field(default_factory=WorkedOut, init=False, compare=False, repr=False)
    """What evaluation has found of this very base; a base made of it by ``replace`` begins anew."""

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

    def formulas_in(self, holders: Iterable[str]) -> tuple[FormulaRef, ...]:
        """The formulas of some records and documents."""
        return tuple(ref for holder in holders for ref in self.formulas_of.get(holder, ()))

    def named(self, ref: FormulaRef) -> tuple[FormulaRef, ...]:
        """The formulas in the expression of ``ref`` (none on a cycle: such formulas have no body)."""
        return tuple(target for target in self.formulas[ref].targets if isinstance(target, FormulaRef))

    def reach(self, target: Target) -> Reach:
        """What can be read through a name."""
        if isinstance(target, FormulaRef) and target.plain not in self.reaches.known:
            for ref in self.order(target.plain):
                self.reaches.formula(ref)
        return self.reaches.target(target)

    def symbols_used(self, record: Record) -> tuple[SymbolAtom, ...]:
        """The symbols of a record, and those of the vocabulary that its formulas name, in the order of declaration."""
        linked = (self.formulas[FormulaRef(record.id, name)] for name in record.formulas)
        read = {target for each in linked for target in each.targets}
        own = [SymbolAtom(record.id, name) for name in record.symbols]
        return (*own, *(atom for atom in self.scope.vocabulary.values() if atom in read and atom not in own))

    def leaves(self, ref: FormulaRef) -> tuple[Target, ...]:
        """The symbols and recorded values that a formula reads, followed through the formulas that it names."""
        targets = [target for each in self.order(ref) for target in self.formulas[each].targets]
        return tuple(dict.fromkeys(target for target in targets if not isinstance(target, FormulaRef)))


def link(
    records: Iterable[Record], broken: Iterable[str] = (), unread: Iterable[str | None] = (), *, whole: bool = True
) -> KnowledgeBase:
    """The knowledge base of ``records``; ``broken`` are ids of records that could not be read, which nothing blames.

    A record whose file has another name is meant by that name too: the rule on ids says which of the two is wrong.
    ``unread`` are the texts of their files: what these mention may be used there. A base that is not linked ``whole``
    has no prose and tells no faults: that is enough to compute values.
    """
    every = tuple(records)
    back = every[::-1]  # of those with one id the last is taken
    holders = {record.id: record for record in (*back, *filter(is_named, back))}
    by_id = {record.id: record for record in every if holders[record.id] is record}
    twins = [record for record in every if holders[record.id] is not record]
    misnamed = {PurePath(record.path).stem for record in by_id.values()}
    unread = tuple(unread)
    hidden = any(text is None or _VOCABULARY.search(text) for text in unread)
    scope = scope_of(by_id, (misnamed | set(broken)) - by_id.keys(), unread_vocabulary=hidden)
    names = frozenset(name for r in by_id.values() for name in (r.name, *(alias.text for alias in r.aliases)))
    base = KnowledgeBase(by_id, tuple(twins), scope, {}, {}, {}, {}, names, (), unread)
    return with_links(base, by_id.values(), whole=whole)


def is_named(record: Record) -> bool:
    """Whether its file has its name: of two records with one id that one holds it, the other was copied."""
    return PurePath(record.path).stem == record.id


def relinked(kb: KnowledgeBase, record: Record) -> KnowledgeBase:
    """The base with ``record`` in place of the one with its id: only what it holds is linked again.

    Names and kinds of records must be as before.
    """
    records, known = {**kb.records, record.id: record}, {**kb.scope.records, record.id: record}
    return with_links(replace(kb, records=records, scope=replace(kb.scope, records=known)), [record])


def with_data(kb: KnowledgeBase, data: Iterable[Record], documents: Collection[Record]) -> KnowledgeBase:
    """The base with the records of data files and of documents beside its own: they are looked up, and never listed."""
    records = {**kb.scope.records, **{record.id: record for record in (*data, *documents)}}
    names = tuple(record.id for record in documents)
    return with_links(replace(kb, documents=names, scope=replace(kb.scope, records=records)), documents)


def with_links(kb: KnowledgeBase, records: Collection[Record], *, whole: bool = True) -> KnowledgeBase:
    """The base with what ``records`` of it hold linked (anew)."""
    scope, changed = kb.scope, {record.id: record for record in records}
    own = {found.ref: found for r in records for f in r.formulas.values() for found in [link_formula(f, r, scope)]}
    known = {ref: f for ref, f in kb.formulas.items() if ref.record not in changed}
    formulas = without_nested_sums(without_cycles({**known, **own}))
    sources = {atom: source for r in records for atom, source in link_sources(r, scope).items()}
    fallbacks = {atom: found for r in records for atom, found in link_fallbacks(r, scope).items()}
    figures = {(r.id, f.name): link_figure(f, r, scope) for r in records for f in r.figures.values()}
    mine = {ref: linked for ref, linked in formulas.items() if ref.record in changed}
    all_sources = {**{atom: s for atom, s in kb.sources.items() if atom.record not in changed}, **sources}
    all_fallbacks = {**{atom: f for atom, f in kb.fallbacks.items() if atom.record not in changed}, **fallbacks}
    new = replace(
        kb,
        formulas=formulas,
        sources=all_sources,
        fallbacks=all_fallbacks,
        formulas_of=by_holder(formulas),
        reaches=Reaches(formulas, all_sources, all_fallbacks),
        figures={**{key: f for key, f in kb.figures.items() if key[0] not in changed}, **figures},
    )
    if not whole:
        return new
    return replace(
        new,
        passages=read_on_demand(kb, changed),
        faults=(
            *(fault for fault in kb.faults if fault.record not in changed),
            *faults_in(changed, scope, mine, (*sources.values(), *fallbacks.values(), *figures.values())),
        ),
    )


class Held(Protocol):
    """What belongs to a record or document."""

    @property
    def record(self) -> str:
        """Its id."""


H = TypeVar("H", bound=Held)


def by_holder(items: Iterable[H]) -> dict[str, tuple[H, ...]]:
    """Formulas or faults by the record that holds them."""
    found: defaultdict[str, list[H]] = defaultdict(list)
    for item in items:
        found[item.record].append(item)
    return {holder: tuple(own) for holder, own in found.items()}


def read_on_demand(kb: KnowledgeBase, records: Mapping[str, Record]) -> Mapping[str, tuple[Passage, ...]]:
    """The prose of ``records``, read when it is asked for, and beside it what ``kb`` has of others."""

    def read(id: str) -> tuple[Passage, ...]:
        return passages_of(records[id], kb.scope, kb.names) if id in records else kb.passages[id]

    return OnDemand((*kb.passages, *records), read)


def passages_of(record: Record, scope: Scope, names: frozenset[str]) -> tuple[Passage, ...]:
    """The prose of a record, read and linked."""
    linker = Linker(record, scope)
    return tuple(passage for prose in record.prose for passage in linker.passages(prose, names))


def link_page(prose: Prose, path: str, kb: KnowledgeBase) -> tuple[Passage, ...]:
    """A Markdown document, read and linked against the base; its tables' captions are passages of their own."""
    own = kb.scope.records.get(path)
    return tuple(Linker(own or Holder(path), kb.scope, is_page=True).passages(prose, kb.names))


def faults_in(
    records: Mapping[str, Record],
    scope: Scope,
    formulas: Mapping[FormulaRef, LinkedFormula],
    linked: Iterable[object],
) -> Iterator[Fault]:
    """What linking has found in ``records``, given what of theirs was ``linked`` (each may be a fault)."""
    for record in records.values():
        yield from reference_faults(record, scope)
        yield from layer_faults(record)
        yield from point_faults(record, scope)
        for symbol in record.symbols.values():
            fault = unit_fault(symbol.unit, record)
            if fault is not None:
                yield fault
            fault = multiple_fault(symbol, record, scope)
            if fault is not None:
                yield fault
    yield from (fault for each in formulas.values() for fault in each.faults if not isinstance(fault, Blocked))
    yield from (item for item in linked if isinstance(item, Fault) and not isinstance(item, Blocked))
