"""A number is written in a unit that does not measure what it stands for, or without a unit that it needs.

The unit of a quote is that of its figure, at any prefix. Counts such as token may be left out; a whole unit only
where it is ``1`` or ``flop/byte``. The same holds for inputs and recorded values against their declared units.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.numbers import Quoted, Verdict, misquoted
from flopkb.arithmetic.units import ONE
from flopkb.base.data.facts import DataFacts
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.faults import UnitMismatch
from flopkb.base.link import FactTarget
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule, of_fault
from flopkb.checking.rules.partial_quantity import partial_quotes


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Quotes, inputs, sources of symbols and recorded values whose unit does not fit."""
    yield from map(of_fault, base.faults_of(subject.id, UnitMismatch))
    partial = {part.result.location for part in partial_quotes(subject, base)}  # said by partial-quantity
    for result in base.quotes.get(subject.id, ()):
        judgement = result.judgement
        if judgement is None or judgement.verdict not in (Verdict.UNIT_MISMATCH, Verdict.UNIT_MISSING):
            continue
        if judgement.verdict is Verdict.UNIT_MISSING and result.location in partial:
            continue
        text = result.quote.link.text
        message = misquoted(text, result.quote.title, judgement) + undeclared(result, base)
        yield Finding(result.location, message, quoted=text, length=result.quote.length)


def undeclared(result: QuoteResult, base: Evaluation) -> str:
    """What to do where the file says no unit, and the quote has one."""
    target, reading = result.quote.target, result.reading
    if not isinstance(target, FactTarget) or not isinstance(reading, Quoted) or reading.unit is None:
        return ""
    facts = base.kb.scope.records[target.record].facts
    if result.unit != ONE or not isinstance(facts, DataFacts):
        return ""
    key = target.path.rpartition(".")[2]
    return f"; {facts.file} says no unit: declare unit: {reading.unit}, or units: {{{key}: {reading.unit}}}"


RULE = PageRule(id="unit-mismatch", doc=__doc__, run=check)
