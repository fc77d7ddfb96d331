"""A literal gives a reason that does not hold.

``[2](lit:ordinal)`` says that a number is no figure, and why: ordinal, year, version, name, example, quotation,
coefficient or superseded. A reason that is none of these, or that the text belies (a year of three digits, an ordinal
with a unit, a name without a letter, a quotation without quotation marks), is wrong, and so is a literal that equals
a figure, an input or a recorded value of the record, or one quoted beside it: link it, so that it moves with the
value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.prose import misnamed, read_prose, unmarked
from flopkb.base.candidates import QuotableValue
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.faults import BadLiteral
from flopkb.base.link import LiteralTarget, Passage, Quote
from flopkb.base.matching import fits, misses, significant
from flopkb.base.model import Kind, Subject
from flopkb.checking.findings import Finding, PageRule, of_fault
from flopkb.checking.rules.bare_number import values_near

_DIGITS_NEEDED = {"example": 1, "quotation": 1, "superseded": 1, "coefficient": 2}
_BY_CHANCE = 3
"""An ordinal, a version or a name equals some value by chance unless it has this many digits."""


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every literal of the record whose reason is unknown or does not hold."""
    yield from map(of_fault, base.faults_of(subject.id, BadLiteral))
    literals = list(literals_of(subject, base))
    values = list(values_near(subject, base)) if literals else []
    for result, passage in literals:
        if needless(result.quote, base.kb.names):
            continue  # said by unused-literal
        message = belied(result, passage, base) or equal(result, values)
        if message:
            yield Finding(result.location, message, quoted=result.quote.link.text, length=result.quote.length)


def literals_of(subject: Subject, base: Evaluation) -> Iterator[tuple[QuoteResult, Passage]]:
    """The literals of a record or document, each with the passage that it stands in."""
    results = iter(base.quotes.get(subject.id, ()))
    for passage in base.passages(subject.id):
        for result in islice(results, len(passage.quotes)):
            if isinstance(result.quote.target, LiteralTarget):
                yield result, passage


def reason_of(result: QuoteResult) -> str:
    """The reason that a literal gives."""
    target = result.quote.target
    return target.reason if isinstance(target, LiteralTarget) else ""


def belied(result: QuoteResult, passage: Passage, base: Evaluation) -> str:
    """What about the text, or about the sentence that it stands in, contradicts the reason."""
    link, reason = result.quote.link, reason_of(result)
    if result.quote.is_math:
        return ""
    owner = base.kb.records.get(passage.holder)
    of_source = owner is not None and owner.kind is Kind.SOURCE  # whose record says what it says
    return misnamed(link.text, reason) or ("" if of_source else unmarked(link, reason, passage.reading))


def equal(result: QuoteResult, values: list[QuotableValue]) -> str:
    """The value that the literal is, if it is one."""
    text, reason = result.quote.link.text, reason_of(result)
    if reason == "year":
        return ""
    try:
        reading = read(text)
    except ReadError:
        return ""
    if not says_enough(reading, reason):
        return ""
    same = next((value for value in values if fits(reading, value)), None)
    if same:
        return f"{text} is called {reason}, but it is {same.target}; write [{text}]({same.target})"
    near = next((value for value in values if reason == "example" and misses(reading, value)), None)
    return (
        f"{text} is called example, but it all but is {near.target}; link it, or choose another number" if near else ""
    )


def says_enough(reading: Quoted, reason: str) -> bool:
    """Whether the number has so many digits, or a unit, that it is no chance that it equals a value."""
    needed = _DIGITS_NEEDED.get(reason, _BY_CHANCE)
    return significant(reading) >= needed or (reading.unit is not None and reason in _DIGITS_NEEDED)


def needless(quote: Quote, names: frozenset[str]) -> bool:
    """Whether the text would pass in plain prose."""
    if quote.is_math:
        return not any(c.isdigit() for c in quote.link.text)
    return not read_prose(quote.link.text, names).bare


RULE = PageRule(id="literal-reason", doc=__doc__, run=check)
