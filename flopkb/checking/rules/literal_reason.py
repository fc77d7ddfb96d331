"""A literal gives a reason that does not hold.

``[2](lit:ordinal)`` says that a number is no figure, and why: ordinal, year, version, name, example, quotation,
coefficient or superseded. A reason that is none of these, or that the text belies (a year of three digits, an ordinal
with a unit), is wrong, and so is a literal that equals a figure, an input or a recorded value of the record, or one
quoted beside it: link it, so that it moves with the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.prose import read_prose
from flopkb.base.candidates import QuotableValue, fits, misses, significant
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.faults import BadLiteral
from flopkb.base.link import LiteralTarget, Quote
from flopkb.base.model import Subject
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
_BY_CHANCE = 3
"""An ordinal, a version or a name equals some value by chance unless it has this many digits."""


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every literal of the record whose reason is unknown or does not hold."""
    yield from map(of_fault, base.faults_of(subject.id, BadLiteral))
    literals = [r for r in base.quotes.get(subject.id, ()) if isinstance(r.quote.target, LiteralTarget)]
    values = list(values_near(subject, base)) if literals else []
    for result in literals:
        if needless(result.quote, base.kb.names):
            continue  # said by unused-literal
        message = belied(result) or equal(result, values)
        if message:
            yield Finding(result.location, message, quoted=result.quote.link.text, length=result.quote.length)


def reason_of(result: QuoteResult) -> str:
    """The reason that a literal gives."""
    target = result.quote.target
    return target.reason if isinstance(target, LiteralTarget) else ""


def belied(result: QuoteResult) -> str:
    """What about the text contradicts the reason."""
    text, reason = result.quote.link.text, reason_of(result)
    if result.quote.is_math:
        return ""
    why = ""
    if reason in _FORMS and any(c.isdigit() for c in text):
        form, why = _FORMS[reason]
        why = "" if form.fullmatch(text.strip()) else why
    elif reason in _WITHOUT_UNIT:
        reading = read_or_none(text)
        measured = reading is not None and reading.unit is not None and bool(reading.unit.dimension)
        why = _WITHOUT_UNIT[reason] if measured else ""
    return f"{text} is no {reason}: {why}; give the reason that holds, or link it" if why else ""


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
