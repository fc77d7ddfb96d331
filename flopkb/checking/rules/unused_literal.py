"""A literal link around a text that needs none.

Dates, identifiers and names of records are exempt, and words are no numbers: without the link nothing would be
reported. Take the link away, so that each literal that is left means something.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import Severity
from flopkb.base.evaluate import Evaluation
from flopkb.base.link import LiteralTarget
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.literal_reason import needless


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every literal of the record that exempts nothing."""
    for result in base.quotes.get(subject.id, ()):
        quote = result.quote
        if isinstance(quote.target, LiteralTarget) and needless(quote, base.kb.names):
            text = quote.link.text
            yield Finding(
                result.location,
                f"`{text}` needs no literal: nothing would be reported without it; write it without the link",
                Severity.WARNING,
                quoted=quote.link.text,
                length=quote.length,
            )


RULE = PageRule(id="unused-literal", doc=__doc__, run=check)
