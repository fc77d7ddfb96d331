"""Two records have the same id.

Links name records by id, so an id must be unique over the whole base. The finding is at the later file and names both.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Whether another record holds this id already."""
    first = base.kb.records.get(record.id)
    if first is not None and first is not record:
        yield at(record.id_at, f"the id {record.id} is that of {first.path} too; rename one of the two")


RULE = RecordRule(id="unique-id", doc=__doc__, run=check)
