"""Records to a knowledge base: ids resolved, every reference typed, every formula parsed and balanced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from flopkb.base.faults import Blocked, Fault
from flopkb.base.link.base import KnowledgeBase
from flopkb.base.link.figures import link_figure, point_faults
from flopkb.base.link.formulas import link_formula, link_source, multiple_fault, unit_fault, without_cycles
from flopkb.base.link.quotes import Linker, Passage, Quote, fact_of
from flopkb.base.link.references import reference_faults
from flopkb.base.link.scope import Scope, scope_of
from flopkb.base.link.targets import (
    ClaimTarget,
    Computation,
    FactTarget,
    FigureTarget,
    FormulaRef,
    InputTarget,
    LinkedFormula,
    LiteralTarget,
    SymbolAtom,
    ValueAtom,
)
from flopkb.base.model import Prose, Record

__all__ = [
    "ClaimTarget",
    "Computation",
    "FactTarget",
    "FigureTarget",
    "FormulaRef",
    "InputTarget",
    "KnowledgeBase",
    "LinkedFormula",
    "Linker",
    "LiteralTarget",
    "Passage",
    "Quote",
    "SymbolAtom",
    "ValueAtom",
    "fact_of",
    "link",
    "link_page",
]


def link(records: Iterable[Record], broken: Iterable[str] = (), unread: Iterable[str | None] = ()) -> KnowledgeBase:
    """The knowledge base of ``records``; ``broken`` are ids of records that could not be read, which nothing blames.

    A record whose file has another name is meant by that name too: the rule on ids says which of the two is wrong.
    ``unread`` are the texts of their files: what these mention may be used there.
    """
    by_id: dict[str, Record] = {}
    twins: list[Record] = []
    for record in records:
        twins.append(record) if record.id in by_id else by_id.setdefault(record.id, record)
    misnamed = {PurePath(record.path).stem for record in by_id.values()}
    scope = scope_of(by_id, (misnamed | set(broken)) - by_id.keys())
    formulas = without_cycles(
        {
            linked.ref: linked
            for r in by_id.values()
            for linked in (link_formula(f, r, scope) for f in r.formulas.values())
        }
    )
    sources = {
        SymbolAtom(r.id, s.name): source
        for r in by_id.values()
        for s in r.symbols.values()
        if (source := link_source(s, r, scope)) is not None
    }
    figures = {(r.id, f.name): link_figure(f, r, scope) for r in by_id.values() for f in r.figures.values()}
    names = known_names(by_id)
    passages = {r.id: passages_of(r, scope, names) for r in by_id.values()}
    faults = tuple(faults_in(by_id, scope, formulas, sources, figures))
    return KnowledgeBase(by_id, tuple(twins), scope, formulas, sources, figures, passages, names, faults, tuple(unread))


def known_names(records: Mapping[str, Record]) -> frozenset[str]:
    """Names and aliases of records: digits in them are no figures."""
    return frozenset(name for r in records.values() for name in (r.name, *(alias.text for alias in r.aliases)))


def passages_of(record: Record, scope: Scope, names: frozenset[str]) -> tuple[Passage, ...]:
    """The prose of a record, read and linked."""
    linker = Linker(record.id, record, scope)
    return tuple(passage for prose in record.prose for passage in linker.passages(prose, names))


def link_page(prose: Prose, path: str, kb: KnowledgeBase) -> tuple[Passage, ...]:
    """A Markdown document, read and linked against the base; its tables' captions are passages of their own."""
    return tuple(Linker(path, None, kb.scope).passages(prose, kb.names))


def faults_in(
    records: Mapping[str, Record],
    scope: Scope,
    formulas: Mapping[FormulaRef, LinkedFormula],
    sources: Mapping[SymbolAtom, ValueAtom | Fault],
    figures: Mapping[tuple[str, str], Computation | Fault],
) -> Iterator[Fault]:
    """What linking has found in ``records``, given what of theirs was linked."""
    for record in records.values():
        yield from reference_faults(record, scope)
        yield from point_faults(record)
        for symbol in record.symbols.values():
            fault = unit_fault(symbol.unit, record)
            if fault is not None:
                yield fault
            fault = multiple_fault(symbol, record)
            if fault is not None:
                yield fault
    yield from (fault for linked in formulas.values() for fault in linked.faults if not isinstance(fault, Blocked))
    found: list[object] = [*sources.values(), *figures.values()]
    yield from (item for item in found if isinstance(item, Fault) and not isinstance(item, Blocked))
