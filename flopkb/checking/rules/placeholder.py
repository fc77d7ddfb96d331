"""A placeholder was left in prose, such as ``TODO``, ``%s``, ``{{`` or ``TBD``.

Such a text was meant to be filled in before anyone reads it.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every placeholder in the prose of the record."""
    for passage in base.passages(subject.id):
        for left in passage.reading.placeholders:
            yield Finding(
                passage.scalar.at(left.start),
                f"{left.text} was left in the prose; write what belongs there",
                length=left.end - left.start,
            )


RULE = PageRule(id="placeholder", doc=__doc__, run=check)
