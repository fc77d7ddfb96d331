"""A base with one record exchanged for another state of it: only what that record holds is linked again."""

from __future__ import annotations

from dataclasses import replace

from flopkb.base.link import faults_in, passages_of
from flopkb.base.link.base import KnowledgeBase
from flopkb.base.link.figures import link_figure
from flopkb.base.link.formulas import link_formula, link_source, without_cycles
from flopkb.base.link.targets import SymbolAtom
from flopkb.base.model import Record


def relinked(kb: KnowledgeBase, record: Record) -> KnowledgeBase:
    """The base with ``record`` in place of the one with its id; names and kinds of records must be as before."""
    id = record.id
    records = {**kb.records, id: record}
    scope = replace(kb.scope, records=records)
    own = {linked.ref: linked for linked in (link_formula(f, record, scope) for f in record.formulas.values())}
    formulas = without_cycles({**{ref: linked for ref, linked in kb.formulas.items() if ref.record != id}, **own})
    sources = {atom: source for atom, source in kb.sources.items() if atom.record != id}
    own_sources = {
        SymbolAtom(id, symbol.name): source
        for symbol in record.symbols.values()
        if (source := link_source(symbol, record, scope)) is not None
    }
    figures = {key: found for key, found in kb.figures.items() if key[0] != id}
    own_figures = {(id, figure.name): link_figure(figure, record, scope) for figure in record.figures.values()}
    mine = {ref: linked for ref, linked in formulas.items() if ref.record == id}
    faults = [fault for fault in kb.faults if fault.record != id]
    faults += faults_in({id: record}, scope, mine, own_sources, own_figures)
    return replace(
        kb,
        records=records,
        scope=scope,
        formulas=formulas,
        sources={**sources, **own_sources},
        figures={**figures, **own_figures},
        passages={**kb.passages, id: passages_of(record, scope, kb.names)},
        faults=tuple(faults),
    )
