"""Typed references between records: sources, products, the records that fill roles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flopkb.base.faults import Fault
from flopkb.base.link.scope import Scope, record_fault
from flopkb.base.model import ROLES, Binding, Record, Reference
from flopkb.base.quantities import HARDWARE


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
