"""The knowledge base to the values of all figures and quotes, exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from flopkb.diagnostics import Diagnostic
from flopkb.evaluate.doubt import give_benefit
from flopkb.evaluate.evaluation import Evaluation, QuoteResult
from flopkb.evaluate.quoting import quote_result
from flopkb.evaluate.usage import find_usage
from flopkb.evaluate.values import Case, Evaluator, Value
from flopkb.faults import Blocked, Fault
from flopkb.link import Computation, KnowledgeBase, Passage
from flopkb.model import Page

__all__ = ["Case", "Evaluation", "Evaluator", "QuoteResult", "Value", "evaluate"]


def evaluate(kb: KnowledgeBase, diagnostics: Iterable[Diagnostic] = (), pages: Iterable[Passage] = ()) -> Evaluation:
    """Every figure and quote of the base, and every quote of ``pages`` (documents that quote it)."""
    evaluator = Evaluator.of(kb)
    figures = {
        key: evaluator.value(found) if isinstance(found, Computation) else found for key, found in kb.figures.items()
    }
    read = tuple(pages)
    passages = {**kb.passages, **{page.holder: (page,) for page in read}}
    quotes = {
        holder: tuple(quote_result(quote, evaluator, figures) for passage in found for quote in passage.quotes)
        for holder, found in passages.items()
    }
    values = [value for value in figures.values() if isinstance(value, Value)]
    values += [r.value for results in quotes.values() for r in results if r.value is not None]
    results = [result for found in quotes.values() for result in found]
    usage = find_usage(kb, evaluator, values, (result.quote for result in results))
    give_benefit(usage, kb, figures, results)
    faults = faults_by_holder(kb, figures, quotes, passages)
    shown = tuple(Page(page.holder) for page in read)
    return Evaluation(kb, evaluator, figures, quotes, passages, usage, shown, tuple(diagnostics), faults)


def faults_by_holder(
    kb: KnowledgeBase,
    figures: Mapping[tuple[str, str], Value | Fault],
    quotes: Mapping[str, tuple[QuoteResult, ...]],
    passages: Mapping[str, tuple[Passage, ...]],
) -> dict[str, tuple[Fault, ...]]:
    """Every fault once, by the record or document that it is in; what another fault blocked is left out."""
    found: list[Fault] = list(kb.faults)
    found += [value for value in figures.values() if isinstance(value, Fault)]
    found += [r.fault for results in quotes.values() for r in results if r.fault is not None]
    found += [fault for read in passages.values() for passage in read for fault in passage.faults]
    by_holder: defaultdict[str, dict[Fault, None]] = defaultdict(dict)
    for fault in found:
        if not isinstance(fault, Blocked):
            by_holder[fault.record][fault] = None
    return {holder: tuple(faults) for holder, faults in by_holder.items()}
