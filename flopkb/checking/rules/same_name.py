"""Two records of one kind go by the same name.

A name or an alias calls one record of a kind, whatever its case, blanks and hyphens: `flopkb eval` takes it for the id.
Where two share one, one of them is the other again, or a reader cannot tell which is meant; of sources, which are called
by what they print, that holds where two names are shared. The finding is at the later record and names both.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import Scalar, folded
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Kind, Record, Status
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """The first name of the record by which an earlier one of its kind goes too."""
    own = _names(record)
    for other in base.kb.records.values():
        if other is record:
            return
        if other.kind is not record.kind or Status.DEPRECATED in (record.status, other.status):
            continue
        shared = [name for name in _names(other) if name in own]
        if len(shared) >= (2 if record.kind is Kind.SOURCE else 1):
            where = own[shared[0]]
            yield at(
                where,
                f"{other.id} ({other.path}) goes by the name {where.text} too; if it is the same thing, keep one record, "
                "else tell the two apart by name",
            )


def _names(record: Record) -> dict[str, Scalar]:
    """Name and aliases, without case, spaces and hyphens, each with where it stands."""
    name = record.document.root.get("name")
    stated = [name] if isinstance(name, Scalar) else []
    return {folded(scalar.text): scalar for scalar in (*stated, *record.aliases)}


RULE = RecordRule(id="same-name", doc=__doc__, run=check)
