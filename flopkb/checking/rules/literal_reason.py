"""A literal gives a reason that does not hold.

``[2](lit:ordinal)`` says that a number is no figure, and why: ordinal, year, version, name, example, quotation,
coefficient or superseded. A reason that is none of these, or that the text belies (a year of three digits, an ordinal
with a unit, a name without a letter, a quotation without quotation marks), is wrong, and so is a literal that equals
a figure, an input or a recorded value of the record, or one quoted beside it: link it, so that it moves with the
value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.prose import read_prose
from flopkb.base.candidates import QuotableValue, fits, misses, significant
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.faults import BadLiteral
from flopkb.base.link import LiteralTarget, Passage, Quote
from flopkb.base.model import Kind, Subject
from flopkb.checking.findings import Finding, PageRule, of_fault
from flopkb.checking.rules.bare_number import values_near

_FORMS = {
    "year": (
        re.compile(r"(?:(?:1[0-9]|2[01])[0-9]{2}s?|[’'][0-9]{2}s?)(?:\s?[-–/]\s?(?:(?:1[0-9]|2[01])?[0-9]{2}))?"),
        "a year has four digits",
    ),
    "ordinal": (
        re.compile(r"\(?[0-9]{1,4}(?:\.[0-9]{1,3})*(?:st|nd|rd|th|[a-h])?\)?(?:\s?[-–]\s?[0-9]{1,4}(?:st|nd|rd|th)?)?"),
        "an ordinal is a small whole number without a unit",
    ),
    "name": (re.compile(r"[^0-9]*[^\W\d_].*"), "a name begins with a letter"),
    "version": (
        re.compile(r"[A-Za-z.]{0,8}\s?[0-9]+(?:[.][0-9]+)*(?:[-.+]?(?:rc|beta|alpha|dev|post|[a-c])[0-9]*)?(?:\.x)?"),
        "a version is digits and points",
    ),
}
_DIGITS_NEEDED = {"example": 1, "quotation": 1, "superseded": 1, "coefficient": 2}
_WITHOUT_UNIT = {
    "name": "a name is no amount of a unit",
    "coefficient": "a coefficient has no unit",
}
_MARKS = '"“”„‘’«»'
_ONCE = re.compile(
    r"\b(?:was|were|had|used to|until|once|before|formerly|former|previously|previous|earlier|first|originally|old|older"
    r"|no longer|instead of|stated|states|claimed|claims|printed|said|says|withdrawn|replaced|corrected|wrong|mistaken)\b",
    re.IGNORECASE,
)
"""Words by which a sentence says that what it names holds no longer."""
_SAID = {
    "quotation": "a quotation stands in quotation marks or in a block quote, or its sentence cites the source",
    "superseded": "the sentence does not say that it held once (was, until, before, instead of)",
}
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
        message = belied(result) or unsaid(result, passage, base) or equal(result, values)
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


def belied(result: QuoteResult) -> str:
    """What about the text contradicts the reason."""
    return "" if result.quote.is_math else unformed(result.quote.link.text, reason_of(result))


def unformed(text: str, reason: str) -> str:
    """What is said of a text that has not the form of what it is called."""
    why = ""
    if reason in _FORMS and any(c.isdigit() for c in text):
        form, why = _FORMS[reason]
        why = "" if form.fullmatch(text.strip()) else why
    elif reason in _WITHOUT_UNIT:
        reading = read_or_none(text)
        measured = reading is not None and reading.unit is not None and bool(reading.unit.dimension)
        why = _WITHOUT_UNIT[reason] if measured else ""
    elif reason == "name" and read_or_none(text) is not None:
        why = _FORMS["name"][1]
    return told(text, reason, why) if why else ""


def told(text: str, reason: str, why: str) -> str:
    """The message about a reason that does not hold."""
    return f"{text} is no {reason}: {why}; give the reason that holds, or link it"


def unsaid(result: QuoteResult, passage: Passage, base: Evaluation) -> str:
    """What the sentence around a quotation or a superseded value lacks; the record of a source says what the source says."""
    reason, link = reason_of(result), result.quote.link
    owner = base.kb.records.get(passage.holder)
    if reason == "quotation" and owner is not None and owner.kind is Kind.SOURCE:
        return ""
    if reason not in _SAID or result.quote.is_math:
        return ""
    start, end = passage.reading.sentence_at(link.plain_start)
    sentence = passage.reading.plain[start:end]
    if reason == "superseded":
        fine = _ONCE.search(sentence) is not None
    else:
        before, behind = sentence[: link.plain_start - start], sentence[link.plain_end - start :]
        marked = any(c in before for c in _MARKS) and any(c in behind for c in _MARKS)
        line = passage.scalar.text.rfind("\n", 0, link.start) + 1
        raw = passage.scalar.text[slice(*passage.reading.rendered.span(start, end))]
        fine = marked or link.text[:1] in _MARKS or "[@" in raw or passage.scalar.text[line:].lstrip().startswith(">")
    return "" if fine else told(link.text, reason, _SAID[reason])


def read_or_none(text: str) -> Quoted | None:
    """The number, or None where it is none."""
    try:
        return read(text)
    except ReadError:
        return None


def equal(result: QuoteResult, values: list[QuotableValue]) -> str:
    """The value that the literal is, if it is one."""
    text, reason = result.quote.link.text, reason_of(result)
    if reason == "year":
        return ""
    reading = read_or_none(text)
    if reading is None or not says_enough(reading, reason):
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
