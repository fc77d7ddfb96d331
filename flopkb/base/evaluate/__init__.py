"""The knowledge base to the values of all figures and quotes, exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.evaluate.facts import declared_faults
from flopkb.base.evaluate.limits import narrowing_faults
from flopkb.base.evaluate.normal_forms import NormalForms
from flopkb.base.evaluate.usage import Holding, Share, Usage, joined, share_of
from flopkb.base.evaluate.values import Case, Evaluator, Value
from flopkb.base.faults import Blocked, Fault
from flopkb.base.link import Computation, FormulaRef, KnowledgeBase, Passage, by_holder, relinked
from flopkb.base.model import QuotingPage, Record
from flopkb.base.on_demand import OnDemand

if TYPE_CHECKING:
    from flopkb.base.evaluate.quotes import QuoteResult, TableResult

__all__ = [
    "Case",
    "Evaluation",
    "Evaluator",
    "QuoteResult",
    "TableResult",
    "Value",
    "evaluate",
    "evaluating",
    "find_strays",
    "recomputed",
    "share",
    "unevaluated",
    "with_page",
    "with_record",
    "with_strays",
    "with_usage",
]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the rules look at.

    ``diagnostics`` are those of loading and of the schema. ``figures`` and ``quotes`` are by record id (a document's
    quotes are under its path).
    """

    kb: KnowledgeBase
    evaluator: Evaluator = field(repr=False)
    figures: Mapping[tuple[str, str], Value | Fault] = field(repr=False)
    quotes: Mapping[str, tuple[QuoteResult, ...]] = field(repr=False)
    prose: Mapping[str, tuple[Passage, ...]] = field(repr=False)
    usage: Usage = field(repr=False)
    pages: tuple[QuotingPage, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    faults: Mapping[str, tuple[Fault, ...]] = field(default_factory=dict, repr=False)
    tables: Mapping[str, tuple[TableResult, ...]] = field(default_factory=dict, repr=False)
    led_to: Mapping[str, tuple[Fault, ...]] = field(default_factory=dict, repr=False)
    """The faults that each record and document leads to, where they are found on demand."""
    strays: dict[str, list[Fault]] = field(default_factory=dict, repr=False)
    """Those that are of another record, by that; to be known before faults of that are asked for."""
    shared: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """What several rules need and one of them has worked out."""

    def faults_of(self, holder: str, *kinds: type[Fault]) -> Iterator[Fault]:
        """The faults of a record (or document) that are of one of ``kinds``."""
        return (fault for fault in self.faults.get(holder, ()) if isinstance(fault, kinds))

    def figures_of(self, holder: str) -> dict[str, Value | Fault]:
        """The values of the figures of a record or document, by name."""
        owner = self.kb.scope.records.get(holder)
        names = owner.figures if owner is not None else ()
        return {name: self.figures[holder, name] for name in names if (holder, name) in self.figures}

    def passages(self, holder: str) -> tuple[Passage, ...]:
        """The prose of a record or document."""
        return self.prose.get(holder, ())

    @property
    def recomputed(self) -> int:
        """How many figures, quotes (equations tied to a figure too) and cells of tables have been recomputed."""
        return sum(self.recomputed_in(holder) for holder in self.quotes)

    def recomputed_in(self, holder: str) -> int:
        """The same of one record or document."""
        quoted = sum(1 for r in self.quotes[holder] if r.judgement is not None or (r.quote.is_math and r.values))
        cells = sum(1 for table in self.tables.get(holder, ()) for _ in table.values())
        return quoted + cells + sum(1 for value in self.figures_of(holder).values() if isinstance(value, Value))


def evaluate(
    kb: KnowledgeBase,
    diagnostics: Iterable[Diagnostic] = (),
    pages: Iterable[tuple[Passage, ...]] = (),
    strict: Collection[str] = (),
    declaring: Iterable[str] = (),
) -> Evaluation:
    """Every figure, table and quote of the base, and those of ``pages`` (documents that quote it, as passages).

    ``strict`` are the paths of documents in which every number must be linked, ``declaring`` of files that declare data
    for documents.
    """
    base = evaluating(kb, diagnostics, pages, strict, declaring)
    base.strays.update(find_strays(base, base.led_to))
    return with_usage(base)


def evaluating(
    kb: KnowledgeBase,
    diagnostics: Iterable[Diagnostic] = (),
    pages: Iterable[tuple[Passage, ...]] = (),
    strict: Collection[str] = (),
    declaring: Iterable[str] = (),
) -> Evaluation:
    """The same, each part evaluated when it is first looked at; what is used of the base is left open."""
    from flopkb.base.evaluate.quotes import table_results  # a question judges no quote

    read = {page[0].holder: page for page in pages}
    shown = (
        *(QuotingPage(path, strict=path in strict) for path in read),
        *(QuotingPage(path, declares=True) for path in declaring if path not in read),
    )
    holders = dict.fromkeys([*kb.records, *kb.passages, *read])
    evaluator = Evaluator(kb, NormalForms(kb))
    prose = OnDemand((*kb.passages, *read), lambda holder: read.get(holder) or kb.passages[holder])
    figures = OnDemand(kb.figures, lambda key: _figure(kb.figures[key], evaluator))
    quotes = OnDemand(holders, lambda holder: _quotes(prose.get(holder, ()), evaluator, figures))
    tables = OnDemand(holders, lambda holder: tuple(table_results(prose.get(holder, ()), evaluator)))
    base = Evaluation(kb, evaluator, figures, quotes, prose, Usage(), shown, tuple(diagnostics), {}, tables)
    told = by_holder(kb.faults)
    found = OnDemand(holders, lambda holder: faults_found(base, holder, told.get(holder, ())))
    base = replace(base, led_to=found)
    return replace(base, faults=OnDemand(holders, lambda holder: own_faults(base, holder)))


def _figure(asked: Computation | Fault, evaluator: Evaluator) -> Value | Fault:
    return evaluator.value(asked) if isinstance(asked, Computation) else asked


def _quotes(
    passages: Iterable[Passage], evaluator: Evaluator, figures: Mapping[tuple[str, str], Value | Fault]
) -> tuple[QuoteResult, ...]:
    from flopkb.base.evaluate.quotes import quote_result

    return tuple(quote_result(quote, evaluator, figures) for passage in passages for quote in passage.quotes)


def own_faults(base: Evaluation, holder: str) -> tuple[Fault, ...]:
    """The faults of one record or document, each once: those that it leads to itself, and those that others lead to."""
    own = (fault for fault in base.led_to[holder] if fault.record == holder)
    return tuple(dict.fromkeys([*own, *base.strays.get(holder, ())]))


def find_strays(base: Evaluation, holders: Iterable[str]) -> dict[str, list[Fault]]:
    """The faults that some records and documents lead to in others, by those."""
    found: defaultdict[str, list[Fault]] = defaultdict(list)
    for holder in holders:
        for fault in base.led_to[holder]:
            if fault.record != holder:
                found[fault.record].append(fault)
    return found


def faults_found(base: Evaluation, holder: str, told: Iterable[Fault]) -> tuple[Fault, ...]:
    """Every fault that one record or document leads to, and no blocked one; ``told`` are those that linking found."""
    record = base.kb.records.get(holder)
    records = [record] if record is not None else []
    found: list[Fault] = [*told, *declared_faults(records), *base.evaluator.forms.faults([holder])]
    found += narrowing_faults(records, base.kb)
    found += [value for value in base.figures_of(holder).values() if isinstance(value, Fault)]
    found += [result.fault for result in base.quotes[holder] if result.fault is not None]
    found += [fault for passage in base.passages(holder) for fault in passage.faults]
    found += [fault for table in base.tables[holder] for fault in table.faults()]
    return tuple(fault for fault in found if not isinstance(fault, Blocked))


def share(base: Evaluation, holder: str) -> Share:
    """What one record or document uses of the base."""
    passages = base.passages(holder)
    held = Holding(holder, base.figures_of(holder), base.quotes[holder], base.tables[holder], passages)
    return share_of(held, base.evaluator)


def unevaluated(kb: KnowledgeBase, diagnostics: Iterable[Diagnostic] = ()) -> Evaluation:
    """The base with nothing computed yet: what is asked of it is computed then."""
    return Evaluation(kb, Evaluator(kb, NormalForms(kb)), {}, {}, kb.passages, Usage(), (), tuple(diagnostics))


def recomputed(
    base: Evaluation,
    figures: Container[tuple[str, str]],
    holders: Mapping[str, Container[int] | None],
) -> Evaluation:
    """The base with some figures, quotes and tables computed anew as they are looked at, the rest as it was.

    ``holders`` are the records and documents whose quotes are computed: all and their tables (None), or those of some
    places. Their faults are found again.
    """
    from flopkb.base.evaluate.quotes import quote_result, table_results  # a question judges no quote

    def figure(key: tuple[str, str]) -> Value | Fault:
        again = key in figures or key not in base.figures
        return _figure(base.kb.figures[key], base.evaluator) if again else base.figures[key]

    def quotes_in(holder: str) -> tuple[QuoteResult, ...]:
        places = holders.get(holder, ())
        if places is None:
            return _quotes(base.passages(holder), base.evaluator, found)
        return tuple(
            quote_result(result.quote, base.evaluator, found) if place in places else result
            for place, result in enumerate(base.quotes[holder])
        )

    def tables_in(holder: str) -> tuple[TableResult, ...]:
        again = holders.get(holder, ()) is None
        return tuple(table_results(base.passages(holder), base.evaluator)) if again else base.tables.get(holder, ())

    found = OnDemand(base.kb.figures, figure)
    every = dict.fromkeys([*base.quotes, *holders])
    new = replace(base, figures=found, quotes=OnDemand(every, quotes_in), tables=OnDemand(every, tables_in), strays={})
    return _with_faults(new, holders, base.faults)


def _with_faults(base: Evaluation, holders: Container[str], before: Mapping[str, tuple[Fault, ...]]) -> Evaluation:
    """The base with the faults of some records and documents found when they are asked for, the rest as ``before``."""
    told = by_holder(base.kb.faults)
    new = replace(base, led_to=OnDemand(base.quotes, lambda holder: faults_found(base, holder, told.get(holder, ()))))
    return replace(
        new,
        faults=OnDemand(
            base.quotes, lambda holder: own_faults(new, holder) if holder in holders else before.get(holder, ())
        ),
    )


def with_strays(base: Evaluation, holders: Iterable[str]) -> tuple[Evaluation, tuple[str, ...]]:
    """The base in which the faults that ``holders`` lead to in other records are those records', and these records."""
    strays = find_strays(base, holders)
    found = OnDemand(
        base.quotes, lambda holder: tuple(dict.fromkeys([*base.faults.get(holder, ()), *strays.get(holder, ())]))
    )
    return replace(base, faults=found), tuple(strays)


def with_record(base: Evaluation, record: Record, touched: Container[FormulaRef]) -> Evaluation:
    """The base with ``record`` in place of the one with its id, linked; its values are still those of before.

    ``touched`` are the formulas that may read what has changed: the normal forms of the others are kept.
    """
    kb = relinked(base.kb, record)
    forms = base.evaluator.forms.carried(kb, touched, record.id)
    prose = {**base.prose, record.id: kb.passages[record.id]}
    return replace(base, kb=kb, evaluator=Evaluator(kb, forms), prose=prose, shared={})


def with_page(base: Evaluation, passages: tuple[Passage, ...], path: str) -> Evaluation:
    """The base with a document (linked, as passages) in place of those that it has; nothing else is computed again."""
    others = {key: found for key, found in base.shared.items() if not (isinstance(key, tuple) and path in key)}
    shown = replace(base, prose={**base.prose, path: passages}, pages=(QuotingPage(path),), shared=others)
    return recomputed(shown, (), {path: None})


def with_usage(base: Evaluation, shares: Iterable[Share] | None = None) -> Evaluation:
    """The base with what is used of it found anew (:func:`recomputed` leaves that as it was), or joined from known ``shares``."""
    found = shares if shares is not None else (share(base, holder) for holder in base.quotes)
    return replace(base, usage=joined(found, base.kb))


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from flopkb.base.evaluate import quotes

        return vars(quotes)[name]
