"""The forms of literals: whether the text of a link, and the sentence around it, are what its reason calls them."""

from __future__ import annotations

import re

from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.prose.parts import Link
from flopkb.arithmetic.prose.reading import ProseReading

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


def misnamed(text: str, reason: str) -> str:
    """What is said of a text that has not the form of what it is called; empty where it has."""
    why, reading = "", read_or_none(text)
    if reason in _FORMS and any(c.isdigit() for c in text):
        form, why = _FORMS[reason]
        why = "" if form.fullmatch(text.strip()) else why
    if not why and reason in _WITHOUT_UNIT:
        measured = reading is not None and reading.unit is not None and bool(reading.unit.dimension)
        why = _WITHOUT_UNIT[reason] if measured else ""
    if not why and reason == "name" and reading is not None:
        why = _FORMS["name"][1]
    return told(text, reason, why) if why else ""


def told(text: str, reason: str, why: str) -> str:
    """The message about a reason that does not hold."""
    return f"{text} is no {reason}: {why}; give the reason that holds, or link it"


def read_or_none(text: str) -> Quoted | None:
    """The number, or None where it is none."""
    try:
        return read(text)
    except ReadError:
        return None


def unmarked(link: Link, reason: str, reading: ProseReading) -> str:
    """What the sentence around a quotation or a superseded value lacks; empty where it lacks nothing."""
    if reason not in _SAID:
        return ""
    start, end = reading.sentence_at(link.plain_start)
    sentence = reading.plain[start:end]
    if reason == "superseded":
        fine = _ONCE.search(sentence) is not None
    else:
        before, behind = sentence[: link.plain_start - start], sentence[link.plain_end - start :]
        marked = any(c in before for c in _MARKS) and any(c in behind for c in _MARKS)
        first, last = reading.rendered.span(start, end)
        cited = any(first <= citation.start < last + 1 for citation in reading.citations)
        line = reading.text[reading.text.rfind("\n", 0, link.start) + 1 : link.start]
        fine = marked or link.text[:1] in _MARKS or cited or line.lstrip().startswith(">")
    return "" if fine else told(link.text, reason, _SAID[reason])
