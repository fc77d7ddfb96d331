"""Two records of one kind go by the same name.

A part stands in the base once. Where two accelerators or two interconnects share a name or an alias, one of them is the
other again, or a reader cannot tell which is meant; of other kinds the same holds of an alias, which ``flopkb eval`` takes
for the id, and where two names are shared. Case, blanks and hyphens do not count. The finding is at the later record and
names both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from flopkb.base.document import Scalar, folded
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Kind, Record, Status
from flopkb.checking.findings import Finding, RecordRule, at

_PARTS = (Kind.ACCELERATOR, Kind.INTERCONNECT)


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """The first name of the record by which an earlier one of its kind goes too."""
    own = _names(record)
    for other in earlier(record, own, base):
        if Status.DEPRECATED in (record.status, other.status):
            continue
        shared = [name for name in _names(other) if name in own]
        if is_clash(shared, record, other):
            where = own[shared[0]]
            yield at(
                where,
                f"{other.id} ({other.path}) goes by the name {where.text} too; if it is the same thing, keep one record, "
                "else tell the two apart by name",
            )


def earlier(record: Record, names: Iterable[str], base: Evaluation) -> list[Record]:
    """The records of its kind that come before a record and go by one of its names."""
    if _NAMED not in base.shared:
        base.shared[_NAMED] = _by_name(base)
    known = base.shared[_NAMED]
    assert isinstance(known, _Named)
    places = {place for name in names for place in known.places.get((record.kind, name), ())}
    own = known.place.get(record.id, len(known.records))
    return [known.records[place] for place in sorted(places) if place < own]


_NAMED = "records by name"


@dataclass(frozen=True, slots=True)
class _Named:
    """The records of a base in order, and their places by kind and name, and by id."""

    records: tuple[Record, ...]
    places: Mapping[tuple[Kind, str], Sequence[int]]
    place: Mapping[str, int]


def _by_name(base: Evaluation) -> _Named:
    places: defaultdict[tuple[Kind, str], list[int]] = defaultdict(list)
    records = tuple(base.kb.records.values())
    for place, record in enumerate(records):
        for name in _names(record):
            places[record.kind, name].append(place)
    return _Named(records, places, {record.id: place for place, record in enumerate(records)})


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
