"""The text of a link is only a part of the quantity that a reader sees.

What is judged is what is in the brackets. In ``more than [80 GB](fig:size)`` nobody checks the bound, in
``[80 GB](fig:size) per second`` the value is no bandwidth, and ``-[295x](fig:gap)`` has another sign. Put sign, qualifier,
scale and unit into the brackets: ``[more than 79 GB](fig:size)``. What is counted may stand behind them
(``[8](in:long.n_kv) heads``), and words that compare the value with another one before them
(``16 GB more than [80 GB](fig:size)``, ``more than the [80 GB](fig:size) of the part``).
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.numbers import RunningQuantity, judge, part_of
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every quote that leaves a part of its quantity outside the brackets."""
    for result, whole in partial_quotes(subject, base):
        quote = result.quote
        text = quote.link.text
        holds = result.unit is not None and judge(whole.reading, result.values, result.unit).ok
        advice = (
            f"write [{whole.text}]({quote.link.target})"
            if holds
            else f"{quote.title} is not that; rewrite the sentence to say what holds"
        )
        yield Finding(
            quote.location, f"{text} is only part of `{whole.text}`; {advice}", quoted=text, length=quote.length
        )


def partial_quotes(subject: Subject, base: Evaluation) -> Iterator[tuple[QuoteResult, RunningQuantity]]:
    """The quotes of values that are only a part of a quantity, with the whole of it."""
    results = base.quotes.get(subject.id, ())
    judged = {r.location: r for r in results if r.judgement is not None and not r.quote.is_math}
    for passage in base.passages(subject.id):
        plain, links = passage.reading.plain, passage.reading.links
        for quote in passage.quotes:
            link = quote.link
            if quote.location not in judged:
                continue
            low = max((other.plain_end for other in links if other.plain_end <= link.plain_start), default=0)
            high = min(
                (other.plain_start for other in links if other.plain_start >= link.plain_end), default=len(plain)
            )
            whole = part_of(plain, link.plain_start, link.plain_end, low, high)
            if whole is not None:
                yield judged[quote.location], whole


RULE = PageRule(id="partial-quantity", doc=__doc__, run=check)
