"""Sources state different values, and the record does not say which one stands and why.

A source that only rounds the value, or writes it in another way (with sparsity, both directions of a link, GB for
GiB), contradicts nothing. Of a conflict both values stay: the one used carries ``preferred`` with the reason, the
others stand under ``disputed``, each with its source.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.differences import conflicts
from flopkb.base.model import Fact, Record
from flopkb.checking.findings import Finding, RecordRule


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every value with disputed ones beside it."""
    for fact in record.facts.values():
        if conflicts(fact) and fact.preferred is None:
            yield Finding(
                fact.location, f"{fact.path} is disputed; give the reason for the value that stands as preferred:"
            )
        if fact.disputed and fact.value is not None and not fact.sources and fact.formula is None:
            yield Finding(
                fact.location, f"{fact.path} is disputed and has no source; name the source of the value that stands"
            )
        for other in fact.disputed:
            yield from _disputed(other, fact)


def _disputed(other: Fact, fact: Fact) -> Iterator[Finding]:
    if not other.sources:
        yield Finding(other.location, f"this other value of {fact.path} has no source; name who states it")


RULE = RecordRule(id="undecided-conflict", doc=__doc__, run=check)
