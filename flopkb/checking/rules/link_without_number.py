"""The text of a link to a figure, an input or a recorded value holds no number.

Such a link checks nothing: whatever the value becomes, the sentence stays. Write the number (``[295x](fig:gap)``), or
tie the sentence to a claim (``[below the ridge](claim:below_the_roof)``).
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.numbers import ReadError, read
from flopkb.base.equations import says_something
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.faults import Fault
from flopkb.base.link import InputTarget
from flopkb.base.model import ROLES, Subject
from flopkb.checking.findings import Finding, PageRule


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every link of the record that quotes nothing."""
    for result in base.quotes.get(subject.id, ()):
        if quotes_nothing(result):
            text = result.quote.link.text
            shown = f"`{text}` holds" if text else "the text of the link is empty and holds"
            advice = "write the number, or link the words to a claim: instead"
            yield Finding(
                result.location,
                f"{shown} no number, so this link checks nothing; {advice}",
                quoted=text,
                length=result.quote.length,
            )


def quotes_nothing(result: QuoteResult) -> bool:
    """Whether a link that should quote a value has no digits, no multiplying word and no equation in its text."""
    link, target = result.quote.link, result.quote.target
    if link.scheme not in ("fig", "in", "fact") or isinstance(target, Fault):
        return False
    if result.quote.is_math:
        return not says_something(link.text)
    if any(c.isdigit() for c in link.text) or is_readable(link.text):
        return False
    return not (isinstance(target, InputTarget) and target.binding.name in ROLES)


def is_readable(text: str) -> bool:
    """Whether the text is a number without digits: a multiplying word, a number in words, a fraction."""
    try:
        read(text)
    except ReadError:
        return False
    return True


RULE = PageRule(id="link-without-number", doc=__doc__, run=check)
