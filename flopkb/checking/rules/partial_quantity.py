"""The text of a link is only a part of the quantity that a reader sees.

What is judged is what is in the brackets. In ``more than [80 GB](fig:size)`` nobody checks the bound, in
``[80 GB](fig:size) per second`` the value is no bandwidth, and ``-[295x](fig:gap)`` has another sign. Put sign, qualifier,
scale and unit into the brackets: ``[more than 79 GB](fig:size)``. What is counted may stand behind them
(``[8](in:long.n_kv) heads``), and words that compare the value with another one before them
(``16 GB more than [80 GB](fig:size)``, ``more than the [80 GB](fig:size) of the part``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flopkb.arithmetic.numbers import RunningQuantity, UnreadQuantity, judge, part_of
from flopkb.arithmetic.prose.spans import Spans
from flopkb.base.equations import is_decided, runs, unbacked, with_results
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import LiteralTarget, Passage
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every quote that leaves a part of its quantity outside the brackets."""
    for part in partial_quotes(subject, base):
        quote, text = part.result.quote, part.result.quote.link.text
        yield Finding(
            quote.location,
            f"{text} is only part of `{part.whole.text}`; {advice(part)}",
            quoted=text,
            length=quote.length,
        )


@dataclass(frozen=True, slots=True)
class PartialQuote:
    """A quote that is only a part of the ``whole`` that a reader sees; ``holds`` says that its value is the whole."""

    result: QuoteResult
    whole: RunningQuantity | UnreadQuantity
    holds: bool


def advice(part: PartialQuote) -> str:
    """What to write instead."""
    quote = part.result.quote
    if part.holds:
        return f"write [{part.whole.text}]({quote.link.target})"
    if isinstance(part.whole, UnreadQuantity):
        return "nothing stands behind the whole; rewrite the sentence so that links hold all of it"
    return f"{quote.title} is not that; rewrite the sentence to say what holds"


def partial_quotes(subject: Subject, base: Evaluation) -> tuple[PartialQuote, ...]:
    """The quotes of values, and literals, that are only a part of a quantity (found once for all who ask)."""
    key = ("partial", subject.id)
    known = base.shared.get(key)
    if known is None:
        known = base.shared[key] = tuple(_found(subject, base))
    assert isinstance(known, tuple)
    return known


def _found(subject: Subject, base: Evaluation) -> Iterator[PartialQuote]:
    for passage, own in with_results(subject, base):
        joined = list(runs(passage, own))
        decided = [run for run in joined if is_decided(run, passage)]
        related = {operand.start: at > 0 for run in decided for at, operand in enumerate(run.operands)}
        unread = [unbacked(run) for run in joined if not run.related]
        links = Spans((link.plain_start, link.plain_end) for link in passage.reading.links)
        places = {found[0].start: found[1] for found in unread if found is not None}
        for result in own:
            part = _part(result, passage, links, related, places)
            if part is not None:
                yield part


def _part(
    result: QuoteResult, passage: Passage, links: Spans, related: Mapping[int, bool], joined: Mapping[int, str]
) -> PartialQuote | None:
    """What a link is only a part of: a quantity in the text around it, or what it is joined to.

    ``related`` are the places of operands of equations, with whether a relation or an operator stands before them.
    """
    link, literal = result.quote.link, isinstance(result.quote.target, LiteralTarget)
    if result.quote.is_math or (result.judgement is None and not literal):
        return None
    plain = passage.reading.plain
    low, high = links.room(link.plain_start, link.plain_end, len(plain))
    counts = result.unit.counts if result.unit is not None else None
    whole = part_of(plain, link.plain_start, link.plain_end, low, high, counts)
    compared = whole is not None and related.get(link.plain_start) and whole.stop == link.plain_end
    if whole is None or compared or (isinstance(whole, UnreadQuantity) and link.plain_start in related):
        text = joined.get(link.plain_start)
        whole = UnreadQuantity(text, link.plain_start, link.plain_end) if text else None
    if whole is None:
        return None
    holds = isinstance(whole, RunningQuantity) and (
        literal or (result.unit is not None and judge(whole.reading, result.values, result.unit).ok)
    )
    return PartialQuote(result, whole, holds)


RULE = PageRule(id="partial-quantity", doc=__doc__, run=check)
