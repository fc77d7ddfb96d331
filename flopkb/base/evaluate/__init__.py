"""The knowledge base to the values of all figures and quotes, exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.evaluate.facts import declared_faults
from flopkb.base.evaluate.normal_forms import NormalForms
from flopkb.base.evaluate.quotes import QuoteResult, TableResult, quote_result, table_results
from flopkb.base.evaluate.usage import Usage, find_usage, use_mentioned
from flopkb.base.evaluate.values import Case, Evaluator, Value
from flopkb.base.faults import Blocked, Fault
from flopkb.base.link import Computation, KnowledgeBase, Passage
from flopkb.base.model import QuotingPage

__all__ = ["Case", "Evaluation", "Evaluator", "QuoteResult", "TableResult", "Value", "evaluate"]


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
    shared: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """What several rules need and one of them has worked out."""

    def faults_of(self, holder: str, *kinds: type[Fault]) -> Iterator[Fault]:
        """The faults of a record (or document) that are of one of ``kinds``."""
        return (fault for fault in self.faults.get(holder, ()) if isinstance(fault, kinds))

    def passages(self, holder: str) -> tuple[Passage, ...]:
        """The prose of a record or document."""
        return self.prose.get(holder, ())

    @property
    def recomputed(self) -> int:
        """How many figures, quotes (equations tied to a figure too) and cells of tables have been recomputed."""
        found = (result for results in self.quotes.values() for result in results)
        quoted = sum(1 for r in found if r.judgement is not None or (r.quote.is_math and r.values))
        tables = (table for found in self.tables.values() for table in found)
        cells = sum(1 for table in tables for _ in table.values())
        return quoted + cells + sum(1 for value in self.figures.values() if isinstance(value, Value))


def evaluate(
    kb: KnowledgeBase, diagnostics: Iterable[Diagnostic] = (), pages: Iterable[tuple[Passage, ...]] = ()
) -> Evaluation:
    """Every figure, table and quote of the base, and those of ``pages`` (documents that quote it, as passages)."""
    evaluator = Evaluator(kb, NormalForms(kb))
    figures = {
        key: evaluator.value(found) if isinstance(found, Computation) else found for key, found in kb.figures.items()
    }
    read = tuple(pages)
    passages = {**kb.passages, **{page[0].holder: page for page in read}}
    quotes = {
        holder: tuple(quote_result(quote, evaluator, figures) for passage in found for quote in passage.quotes)
        for holder, found in passages.items()
    }
    values = [value for value in figures.values() if isinstance(value, Value)]
    values += [r.value for results in quotes.values() for r in results if r.value is not None]
    tables = {holder: tuple(table_results(found, evaluator)) for holder, found in passages.items()}
    asked = [result for found in tables.values() for result in found]
    values += [value for result in asked for value in result.values()]
    results = [result for found in quotes.values() for result in found]
    usage = find_usage(kb, evaluator, values, (result.quote for result in results))
    usage.points.update(point for result in asked for point in result.table.points)
    use_mentioned(usage, kb, figures, results)
    faults = faults_by_holder(kb, evaluator, figures, quotes, passages, asked)
    shown = tuple(QuotingPage(page[0].holder) for page in read)
    return Evaluation(kb, evaluator, figures, quotes, passages, usage, shown, tuple(diagnostics), faults, tables)


def faults_by_holder(
    kb: KnowledgeBase,
    evaluator: Evaluator,
    figures: Mapping[tuple[str, str], Value | Fault],
    quotes: Mapping[str, tuple[QuoteResult, ...]],
    passages: Mapping[str, tuple[Passage, ...]],
    tables: Iterable[TableResult],
) -> dict[str, tuple[Fault, ...]]:
    """Every fault once, by the record or document that it is in; what another fault blocked is left out."""
    found: list[Fault] = [*kb.faults, *declared_faults(kb), *evaluator.forms.faults()]
    found += [value for value in figures.values() if isinstance(value, Fault)]
    found += [r.fault for results in quotes.values() for r in results if r.fault is not None]
    found += [fault for read in passages.values() for passage in read for fault in passage.faults]
    found += [fault for table in tables for fault in table.faults()]
    by_holder: defaultdict[str, dict[Fault, None]] = defaultdict(dict)
    for fault in found:
        if not isinstance(fault, Blocked):
            by_holder[fault.record][fault] = None
    return {holder: tuple(faults) for holder, faults in by_holder.items()}
