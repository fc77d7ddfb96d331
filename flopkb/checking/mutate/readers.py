"""What each figure, quote, claim and correction of a base reads, so that a change of one place reaches those alone.

A *place* is a formula (``kv_cache.size``) or the rest of a record (``kv_cache``: its values, symbols, layers, domains and
what it requires as a whole). What is read is taken from the texts, whatever is bound: more than a value moves with.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from flopkb.base.document import Mapping as Entry
from flopkb.base.document import Node, Scalar, scalars
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import Fault
from flopkb.base.link import (
    Computation,
    FactTarget,
    FigureTarget,
    FormulaRef,
    InputTarget,
    KnowledgeBase,
    Quote,
    SymbolAtom,
    ValueAtom,
)
from flopkb.base.link.targets import LinkedFormula, Target
from flopkb.base.model import Basis, Record
from flopkb.base.schema.sections import entries, mappings, scalar

K = TypeVar("K")
Key = tuple[str, str]
"""A record and the name of a figure or a claim of it."""
Place = tuple[str, int]
"""A record or document, and the place of a quote in it."""
NOTHING: frozenset[str] = frozenset()

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?")
_APART = ("formulas", "figures", "claims")
"""The fields of a record of which each entry is a place of its own."""


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two states of a record: places, and figures and claims of its own.

    ``firm`` are the places without the formulas of which only what they assume differs: no claim turns on that.
    """

    places: frozenset[str] = NOTHING
    firm: frozenset[str] = NOTHING
    figures: frozenset[Key] = frozenset()
    claims: frozenset[Key] = frozenset()

    @classmethod
    def between(cls, before: Record, after: Record) -> Change:
        """What differs but for prose."""
        old, new = _texts(before), _texts(after)
        differing = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
        if any(section not in _APART for section, _, _ in differing):
            every = frozenset({before.id, *(f"{before.id}.{name}" for name in before.formulas)})
            formulas = firm = every
        else:
            formulas = frozenset(f"{before.id}.{name}" for section, name, _ in differing if section == "formulas")
            firm = frozenset(
                f"{before.id}.{name}"
                for section, name, part in differing
                if section == "formulas" and part != "assumes"
            )
        own = {
            kind: frozenset((before.id, name) for section, name, _ in differing if section == kind) for kind in _APART
        }
        return cls(formulas, firm, own["figures"], own["claims"])


def _texts(record: Record) -> dict[tuple[str, str, str], list[str]]:
    """The texts of a record by section, entry and field of the entry; sections that have no entries of their own are one."""
    prose = {item.field for item in record.prose}
    found: dict[tuple[str, str, str], list[str]] = {}
    for key, value in record.document.root:
        if key.text in _APART:
            for name, entry in (*entries(value), *_listed(value)):
                for part, inner in entry:
                    found[key.text, name.text, part.text] = [each.text for each in scalars(inner)]
        elif key.text not in prose:
            found[key.text, "", ""] = [each.text for each in scalars(value)]
    return found


def _listed(section: Node | None) -> Iterator[tuple[Scalar, Entry]]:
    """The entries of a list, each with its id."""
    for item in mappings(section):
        name = scalar(item, "id")
        if name is not None:
            yield name, item


@dataclass(frozen=True, slots=True)
class Readers:
    """For each place what reads it."""

    figures: Mapping[str, frozenset[Key]] = field(repr=False)
    quotes: Mapping[str, frozenset[Place]] = field(repr=False)
    claims: Mapping[str, frozenset[Key]] = field(repr=False)
    holders: Mapping[str, frozenset[str]] = field(repr=False)
    """The records of which derived values, costs or corrections read it."""
    formulas: Mapping[FormulaRef, frozenset[str]] = field(repr=False)
    """What each formula reads: the other way round."""

    @classmethod
    def of(cls, base: Evaluation) -> Readers:
        """Of an evaluated base."""
        reading = Reading(base.kb)
        figures = ((key, reading.computation(asked)) for key, asked in base.kb.figures.items())
        quotes = (
            ((holder, index), reading.quote(found.quote))
            for holder, results in base.quotes.items()
            for index, found in enumerate(results)
        )
        records = base.kb.records.values()
        claims = (((r.id, name.text), reading.texts(node, r)) for r in records for name, node in _claims(r))
        holders = ((record.id, places) for record in records if (places := reading.rest(record)))
        formulas = {ref: reading.formula(ref) for ref in base.kb.formulas}
        return cls(_turned(figures), _turned(quotes), _turned(claims), _turned(holders), formulas)

    def stale(self, change: Change, base: Evaluation) -> Stale:
        """What has to be found anew after a change."""
        figures = change.figures.union(*(self.figures.get(place, frozenset()) for place in change.places))
        quotes = frozenset[Place]().union(*(self.quotes.get(place, frozenset()) for place in change.places))
        claims = change.claims.union(*(self.claims.get(place, frozenset()) for place in change.firm))
        holders = frozenset[str]().union(*(self.holders.get(place, NOTHING) for place in change.places))
        own = (
            (holder, index)
            for key in change.figures
            for holder, results in base.quotes.items()
            for index, found in enumerate(results)
            if isinstance(found.quote.target, FigureTarget)
            and (found.quote.target.record, found.quote.target.name) == key
        )
        return Stale(figures, quotes.union(own), claims, holders)


@dataclass(frozen=True, slots=True)
class Stale:
    """What has to be found anew: figures, places of quotes, claims, and the records that are to be looked at besides."""

    figures: frozenset[Key]
    quotes: frozenset[Place]
    claims: frozenset[Key]
    holders: frozenset[str]

    @property
    def by_holder(self) -> dict[str, set[int]]:
        """The places of stale quotes, by record; records with stale figures or other values have none. Few come first."""
        found: defaultdict[str, set[int]] = defaultdict(set)
        for holder, index in self.quotes:
            found[holder].add(index)
        for holder in (*(holder for holder, _ in self.figures), *self.holders):
            found[holder] |= set()
        return dict(sorted(found.items(), key=lambda item: (len(item[1]), item[0])))


def _turned(reads: Iterable[tuple[K, frozenset[str]]]) -> dict[str, frozenset[K]]:
    found: defaultdict[str, set[K]] = defaultdict(set)
    for reader, places in reads:
        for place in places:
            found[place].add(reader)
    return {place: frozenset(readers) for place, readers in found.items()}


def _claims(record: Record) -> Iterator[tuple[Scalar, Entry]]:
    node = record.document.root.get("claims")
    yield from (*entries(node), *_listed(node))


@dataclass(slots=True)
class Reading:
    """What is read in a base, by the texts."""

    kb: KnowledgeBase
    _known: dict[FormulaRef, frozenset[str]] = field(default_factory=dict)

    def formula(self, ref: FormulaRef) -> frozenset[str]:
        """Everything that a formula reads, itself too, through what it names, requires and assumes."""
        if ref not in self._known:
            found, queue, seen = set[str](), list[Target]([ref]), set[Target]()
            while queue:
                target = queue.pop()
                if target in seen:
                    continue
                seen.add(target)
                found.add(self.place(target))
                queue += self.below(target)
            self._known[ref] = frozenset(found)
        return self._known[ref]

    def place(self, target: Target) -> str:
        """Where a target stands (a role is no place: the record in it is read by whoever fills it)."""
        if isinstance(target, FormulaRef):
            return f"{target.record}.{target.name}"
        return target.record if isinstance(target, SymbolAtom) else target.holder

    def below(self, target: Target) -> Iterator[Target]:
        """What a target itself is read from."""
        if isinstance(target, FormulaRef):
            linked = self.kb.formulas.get(target.plain)
            yield from _named(linked) if linked is not None else ()
        elif isinstance(target, SymbolAtom):
            source = self.kb.sources.get(target.plain)
            yield from (source,) if isinstance(source, ValueAtom) else ()
            fallback = self.kb.fallbacks.get(target.plain)
            if fallback is not None and not isinstance(fallback, Fault):
                yield from fallback.later
                yield from fallback.otherwise.targets.values() if fallback.otherwise is not None else ()

    def computation(self, asked: Computation | Fault) -> frozenset[str]:
        """The places that a computation reads: its formula's, and what is bound."""
        if isinstance(asked, Fault):
            return NOTHING
        holder = self.kb.scope.records[asked.record]
        bound = (value for b in (*asked.bindings, *asked.over) for value in b.values)
        return self.formula(asked.formula).union({asked.record}, *(self.words(value.text, holder) for value in bound))

    def quote(self, quote: Quote) -> frozenset[str]:
        """The places that the value of a quote comes from."""
        target = quote.target
        if isinstance(target, FigureTarget):
            return self.computation(self.kb.figures[(target.record, target.name)])
        if isinstance(target, Computation):
            return self.computation(target)
        return frozenset({target.record}) if isinstance(target, FactTarget | InputTarget) else NOTHING

    def texts(self, node: Node, holder: Record) -> frozenset[str]:
        """The places that the names in a part of a record can mean."""
        return NOTHING.union({holder.id}, *(self.words(each.text, holder) for each in scalars(node)))

    def words(self, text: str, holder: Record) -> frozenset[str]:
        """The places that the names in a text can mean: records, and formulas with all that these read."""
        found = set[str]()
        for word in _WORD.findall(text):
            record, _, name = word.rpartition(".")
            ref = FormulaRef(record or holder.id, name)
            if ref in self.kb.formulas:
                found |= self.formula(ref)
            found |= {part for part in (record, name) if part in self.kb.scope.records}
            atom = self.kb.scope.symbol(name, holder.id) if not record else None
            found |= {self.place(each) for each in self.below(atom)} if atom is not None else set()
        return frozenset(found)

    def rest(self, record: Record) -> frozenset[str]:
        """The places that derived values, costs and corrections of a record read."""
        derived = (f.formula.text for f in record.facts.values() if f.basis is Basis.DERIVED and f.formula is not None)
        costs = (row.cost.text for row in record.rows if row.cost is not None)
        found = NOTHING.union(*(self.words(text, record) for text in (*derived, *costs)))
        node = record.document.root.get("corrections")
        return found if node is None else found.union(*(self.texts(each, record) for each in mappings(node)))


def _named(linked: LinkedFormula) -> Iterator[Target]:
    """What a formula names, in its expressions and in what it requires and assumes."""
    yield from linked.targets
    for asked in (*linked.requires, *linked.assumes):
        yield from asked.targets
        yield from asked.types.targets.values() if asked.types is not None else ()
