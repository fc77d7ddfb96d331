"""The limits of a symbol: its declared domain, and what records and claims leave of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from flopkb.base.evaluate.domains import domain_text, value_set
from flopkb.base.faults import BadInput, Blocked, Fault, UnknownInput, WidenedDomain, nearest
from flopkb.base.link import FormulaRef, KnowledgeBase, SymbolAtom
from flopkb.base.link.formulas import readable, unit_of
from flopkb.base.link.names import withheld
from flopkb.base.model import Domain, Narrowing, Record


@dataclass(frozen=True, slots=True)
class Limit:
    """One domain that a symbol must keep to. ``record`` stated it, and the symbol it names is one of that record."""

    domain: Domain
    record: str
    narrows: bool = False

    def __str__(self) -> str:
        return domain_text(self.domain) + (f" in {self.record}" if self.narrows else "")

    def parent(self, kb: KnowledgeBase) -> SymbolAtom | None:
        """The symbol of which values are whole multiples, where the domain names one that there is."""
        of = self.domain.parent
        return kb.scope.symbol(of.text, self.record) if of is not None else None


def declared_limit(atom: SymbolAtom, kb: KnowledgeBase) -> tuple[Limit, ...]:
    """The domain that a symbol declares, if it does."""
    symbol = kb.scope.declared(atom)
    return (Limit(symbol.domain, atom.record),) if symbol is not None and symbol.domain is not None else ()


def limits(atom: SymbolAtom, kb: KnowledgeBase, refs: Iterable[FormulaRef]) -> Iterator[Limit]:
    """The domain of a symbol, and what the records of ``refs`` leave of it whose formulas read it."""
    yield from declared_limit(atom, kb)
    seen: set[str] = set()
    for ref in refs:
        record = kb.scope.records.get(ref.record)
        if record is None or ref.record in seen or atom.name not in record.domains or ref not in kb.formulas:
            continue
        if atom in kb.leaves(ref):
            seen.add(ref.record)
            yield from narrowed(atom, record.domains, record, kb)


def narrowed(atom: SymbolAtom, domains: Mapping[str, Narrowing], record: Record, kb: KnowledgeBase) -> Iterator[Limit]:
    """What the ``domains`` of a record, or of a claim of it, leave of the domain of a symbol."""
    narrowing = domains.get(atom.name)
    if narrowing is not None and kb.scope.symbol(atom.name, record.id) == atom:
        yield Limit(narrowing.domain, record.id, narrows=True)


def narrowing_faults(records: Iterable[Record], kb: KnowledgeBase) -> Iterator[Fault]:
    """What is wrong with the ``domains`` of some records and of their claims."""
    for record in records:
        for narrowing in record.domains.values():
            if narrowing.key.text in record.symbols:
                reason = f"{narrowing.key.text} is a symbol of this record: give it its domain under symbols:"
                yield BadInput(*narrowing.key.whole(record.id), reason=reason)
            else:
                yield from _narrowing_fault(narrowing, record, kb)
        for claim in record.claims.values():
            for narrowing in claim.domains.values():
                yield from _narrowing_fault(narrowing, record, kb)


def _narrowing_fault(narrowing: Narrowing, record: Record, kb: KnowledgeBase) -> Iterator[Fault]:
    key = narrowing.key
    atom = kb.scope.symbol(key.text, record.id)
    symbol = kb.scope.declared(atom) if atom is not None else None
    if atom is None or symbol is None:
        if withheld(key.text, record, kb.scope, key.location, record.id):
            return
        meant = nearest(key.text, kb.scope.symbols(record))
        yield UnknownInput(*key.whole(record.id), name=key.text, holder=record.id, meant=meant, what="symbol")
        return
    if not readable(symbol.unit):
        yield Blocked(key.location, record.id, cause=f"the unit of {key.text} is faulty")
        return
    of = narrowing.domain.parent
    if of is not None and kb.scope.symbol(of.text, record.id) is None:
        meant = nearest(of.text, kb.scope.symbols(record))
        yield UnknownInput(*of.whole(record.id), name=of.text, holder=record.id, meant=meant, what="symbol")
    scale = unit_of(atom, kb.scope).scale
    asked = value_set(narrowing.domain, scale)
    for limit in (*declared_limit(atom, kb), *narrowed(atom, record.domains, record, kb)):
        wide = value_set(limit.domain, scale)
        if limit.domain is not narrowing.domain and not asked.within(wide):
            where = narrowing.domain.location
            yield WidenedDomain(where, record.id, name=key.text, domain=domain_text(narrowing.domain), wider=str(limit))
            return
