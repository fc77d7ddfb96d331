"""Where names are looked up: the records by id, and what is wrong with naming one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Scalar
from flopkb.base.faults import Blocked, DeprecatedRecord, Fault, UnknownRecord, WrongKind, nearest
from flopkb.base.model import Kind, Record, Status
from flopkb.base.quantities import QUANTITIES


@dataclass(frozen=True, slots=True)
class Scope:
    """Where names are looked up: the records by id, those that could not be read, and the fact paths of each kind."""

    records: Mapping[str, Record]
    broken: frozenset[str]
    paths: Mapping[Kind, frozenset[str]] = field(repr=False)

    def known(self, record: Record) -> set[str]:
        """Every bare name that an expression of ``record`` may use (for "did you mean")."""
        return {*record.symbols, *record.formulas}


def scope_of(records: Mapping[str, Record], broken: Iterable[str]) -> Scope:
    """The scope of a base. What a kind can hold is known even where no record of it holds it, or could be read."""
    paths: dict[Kind, set[str]] = {kind: set(QUANTITIES.get(kind, ())) for kind in Kind}
    for record in records.values():
        paths[record.kind].update(record.facts)
        paths[record.kind].update(path.split(".")[0] for path in record.facts)
    return Scope(records, frozenset(broken), {kind: frozenset(found) for kind, found in paths.items()})


def unknown_record(name: str, what: str, scope: Scope, record: str, where: Location) -> Fault:
    """The fault of naming a record that is not there (or could not be read, which is reported elsewhere)."""
    if name in scope.broken:
        return Blocked(location=where, record=record, cause=f"{name} could not be read")
    meant = meant_record(name, scope)
    return UnknownRecord(
        location=where, record=record, length=len(name), target=name, what=what, meant=meant, row=row_hint(name, scope)
    )


def meant_record(name: str, scope: Scope) -> str | None:
    """The record that was probably meant: by a name that it has, by its id, or by a word of its id."""
    folded = name.casefold()
    for record in scope.records.values():
        if folded in (record.name.casefold(), *(alias.text.casefold() for alias in record.aliases)):
            return record.id
    holding = sorted(id for id in scope.records if folded in id.split("_")) if folded else []
    return nearest(name, scope.records) or (" or ".join(holding) if 0 < len(holding) <= 3 else None)


def row_hint(name: str, scope: Scope) -> str:
    """What to write where a row of peak rates is named as if it were a number format."""
    for record in scope.records.values():
        row = record.facts.get(f"peak_flops.{name}")
        if row is not None and row.dtype is not None and row.dtype.target.text != name:
            return f"it is a {row.sparsity} row of peak_flops; name the number format, {row.dtype.target.text}"
    return ""


ANY_KIND = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who names a record: a record, or a document (by its path), which counts as verified."""

    id: str
    status: Status = Status.VERIFIED


def record_fault(
    name: str, where: Location, what: str, kinds: frozenset[Kind], holder: Holder | Record, scope: Scope
) -> Fault | None:
    """What is wrong with naming the record ``name`` where one of ``kinds`` belongs, or None."""
    at = holder.id
    found = scope.records.get(name)
    if found is None:
        return None if name in scope.broken else unknown_record(name, what, scope, at, where)
    if found.kind not in kinds:
        wanted = tuple(sorted(kind.value for kind in kinds))
        return WrongKind(
            location=where, record=at, length=len(name), target=name, what=what, found=found.kind.value, wanted=wanted
        )
    if found.status is Status.DEPRECATED and holder.status is not Status.DEPRECATED:
        return DeprecatedRecord(
            location=where, record=at, length=len(name), target=name, what=what, instead=replacement(found)
        )
    return None


def replacement(record: Record) -> str | None:
    """What took the place of a deprecated record, if it says so."""
    for key in ("superseded_by", "renamed_to"):
        node = record.document.root.get(key)
        if isinstance(node, Scalar):
            return node.text
    return None


def left_out(record: Record, path: str) -> bool:
    """Whether the entry at a dotted path (``figures.gap``), or its whole section, was left out for its own fault."""
    return path in record.dropped or path.partition(".")[0] in record.dropped


def blocked_entry(record: Record, path: str, holder: str, where: Location) -> Blocked | None:
    """The reason why an entry is not there, if it stands in the file and is reported there."""
    if not left_out(record, path):
        return None
    return Blocked(location=where, record=holder, cause=f"{record.id}.{path} is faulty")
