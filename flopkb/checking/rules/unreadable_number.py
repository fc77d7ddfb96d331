"""The text of a link is no number that flopkb reads without guessing.

``1,5`` could be one and a half or fifteen; ``KB`` could be 1000 or 1024 bytes; digits of other scripts are no
digits. The message says what to write.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.numbers import ReadError
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.link_without_number import quotes_nothing


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every quote of the record that cannot be read."""
    for result in base.quotes.get(subject.id, ()):
        if isinstance(result.reading, ReadError) and not quotes_nothing(result):
            where = result.quote.at(result.reading.offset)
            yield Finding(where, str(result.reading), quoted=result.quote.link.text, length=1)


RULE = PageRule(id="unreadable-number", doc=__doc__, run=check)
