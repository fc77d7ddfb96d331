"""A source that no record cites.

Every source record stands behind something: a value, a record's ``sources``, a citation in prose. One that is still
a draft may wait for its first citation.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Kind, Record, Status
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Whether a source is cited by another record."""
    settled = record.kind is Kind.SOURCE and record.status is not Status.DRAFT
    if settled and record.id not in base.usage.sources:
        yield at(record.id_at, f"no record cites the source {record.id}; cite it or delete it")


RULE = RecordRule(id="unused-source", doc=__doc__, run=check)
