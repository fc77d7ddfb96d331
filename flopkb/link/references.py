"""Typed references between records: sources, products, the records that fill roles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flopkb.diagnostics import Location
from flopkb.document import Scalar
from flopkb.faults import DeprecatedRecord, Fault, WrongKind
from flopkb.link.figures import unknown_record
from flopkb.link.names import Scope
from flopkb.model import ROLES, Binding, Kind, Record, Reference, Status
from flopkb.quantities import HARDWARE


def reference_faults(record: Record, scope: Scope) -> Iterator[Fault]:
    """What is wrong with the records that ``record`` names."""
    for reference in (*record.references, *role_references(record)):
        if reference in record.products and reference.target.text in HARDWARE:
            continue  # the rule quantity-among-products says where it belongs
        fault = reference_fault(reference, record, scope)
        if fault is not None:
            yield fault


def role_references(record: Record) -> Iterator[Reference]:
    """The records that points, figures and claims put into roles."""
    groups: list[Iterable[Binding]] = [point.bindings for point in record.points.values()]
    groups += [(*figure.with_, *figure.over) for figure in record.figures.values()]
    groups += [(*claim.given, *claim.over) for claim in record.claims.values()]
    for bindings in groups:
        for binding in bindings:
            if binding.name in ROLES:
                for value in binding.values:
                    yield Reference(value, frozenset({ROLES[binding.name]}), binding.name)


def reference_fault(reference: Reference, record: Record, scope: Scope) -> Fault | None:
    """What is wrong with one reference, or None."""
    target = reference.target
    return record_fault(target.text, target.location, reference.what, reference.kinds, record, scope)


def record_fault(
    name: str, where: Location, what: str, kinds: frozenset[Kind], record: Record | None, scope: Scope
) -> Fault | None:
    """What is wrong with naming the record ``name`` where one of ``kinds`` belongs, or None."""
    at = record.id if record else ""
    found = scope.records.get(name)
    if found is None:
        return None if name in scope.broken else unknown_record(name, what, scope, at, where)
    if found.kind not in kinds:
        wanted = tuple(sorted(kind.value for kind in kinds))
        return WrongKind(
            location=where, record=at, length=len(name), target=name, what=what, found=found.kind.value, wanted=wanted
        )
    if found.status is Status.DEPRECATED and (record is None or record.status is not Status.DEPRECATED):
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
