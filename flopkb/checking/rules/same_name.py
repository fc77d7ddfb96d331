"""Two records of one kind go by the same name.

A part stands in the base once. Where two accelerators or two interconnects share a name or an alias, one of them is the
other again, or a reader cannot tell which is meant; of other kinds the same holds of an alias, which ``flopkb eval`` takes
for the id, and where two names are shared. Case, blanks and hyphens do not count. The finding is at the later record and
names both.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import Scalar, folded
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Kind, Record, Status
from flopkb.checking.findings import Finding, RecordRule, at

_PARTS = (Kind.ACCELERATOR, Kind.INTERCONNECT)


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """The first name of the record by which an earlier one of its kind goes too."""
    own = _names(record)
    for other in base.kb.records.values():
        if other is record:
            return
        if other.kind is not record.kind or Status.DEPRECATED in (record.status, other.status):
            continue
        shared = [name for name in _names(other) if name in own]
        if is_clash(shared, record, other):
            where = own[shared[0]]
            yield at(
                where,
                f"{other.id} ({other.path}) goes by the name {where.text} too; if it is the same thing, keep one record, "
                "else tell the two apart by name",
            )


def is_clash(shared: list[str], record: Record, other: Record) -> bool:
    """Whether what two records share leaves open which is meant: of most kinds one title alone may be that of two."""
    if record.kind in _PARTS or len(shared) > 1:
        return bool(shared)
    aliases = {folded(alias.text) for each in (record, other) for alias in each.aliases}
    return record.kind is not Kind.SOURCE and not aliases.isdisjoint(shared)


def _names(record: Record) -> dict[str, Scalar]:
    """Name and aliases, without case, spaces and hyphens, each with where it stands."""
    name = record.document.root.get("name")
    stated = [name] if isinstance(name, Scalar) else []
    return {folded(scalar.text): scalar for scalar in (*stated, *record.aliases)}


RULE = RecordRule(id="same-name", doc=__doc__, run=check)
