"""Figures, and the computations that links in prose ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from flopkb.diagnostics import Location
from flopkb.faults import Blocked, Fault, UnknownFigure, UnknownInput, UnknownRecord, nearest
from flopkb.link.names import Scope
from flopkb.link.targets import Computation, FormulaRef
from flopkb.model import ROLES, Binding, Figure, Point, Record


def link_figure(figure: Figure, record: Record, scope: Scope) -> Computation | Fault:
    """What ``figure`` of ``record`` computes."""
    where = figure.formula.location
    ref = formula_ref(figure.formula.text, record, scope, where)
    if isinstance(ref, Fault):
        return ref
    points: tuple[Point, ...] = ()
    if figure.at is not None:
        point = record.points.get(figure.at.text)
        if point is None:
            return unknown_point(figure.at.text, record, record.id, figure.at.location)
        points = (point,)
    bindings = merged(figure.with_, points, flows=ref.record == record.id)
    fault = unknown_binding((*bindings, *figure.over), ref, record.id, scope)
    return fault or Computation(ref, figure.name, record.id, figure.key.location, bindings, figure.over)


def formula_ref(text: str, record: Record | None, scope: Scope, where: Location) -> FormulaRef | Fault:
    """The formula named ``gap`` (of ``record``) or ``kv_cache.size``."""
    at = record.id if record else ""
    holder, _, name = text.rpartition(".")
    owner = scope.records.get(holder) if holder else record
    if owner is None:
        return unknown_record(holder, "a figure's formula", scope, at, where)
    if name in owner.formulas:
        return FormulaRef(owner.id, name)
    return UnknownFigure(location=where, record=at, length=len(text), target=text, meant=near_figure(text, owner, record))


def near_figure(text: str, owner: Record, record: Record | None) -> str | None:
    """The figure or formula that ``text`` probably meant, written as it must be written in ``record``."""
    meant = nearest(text.rpartition(".")[2], {*owner.formulas, *owner.figures})
    return meant if meant is None or owner is record else f"{owner.id}.{meant}"


def unknown_record(name: str, what: str, scope: Scope, record: str, where: Location) -> Fault:
    """The fault of naming a record that is not there (or could not be read, which is reported elsewhere)."""
    if name in scope.broken:
        return Blocked(location=where, record=record, cause=f"{name} could not be read")
    meant = nearest(name, scope.records)
    return UnknownRecord(location=where, record=record, length=len(name), target=name, what=what, meant=meant)


def unknown_point(name: str, holder: Record, record: str, where: Location) -> UnknownInput:
    """The fault of naming a point that ``holder`` does not have."""
    meant = nearest(name, holder.points)
    return UnknownInput(
        location=where, record=record, length=len(name), name=name, holder=holder.id, meant=meant, what="point"
    )


def merged(with_: Sequence[Binding], points: Iterable[Point], *, flows: bool) -> tuple[Binding, ...]:
    """``with`` over the points; into another record's formula (``flows`` false) only a point's roles go."""
    bound = {binding.name: binding for point in points for binding in point.bindings if flows or binding.name in ROLES}
    bound.update((binding.name, binding) for binding in with_)
    return tuple(bound.values())


def unknown_binding(bindings: Iterable[Binding], ref: FormulaRef, record: str, scope: Scope) -> Fault | None:
    """The first binding of a name that the formula's record does not have."""
    holder = scope.records[ref.record]
    known = {*holder.symbols, *ROLES}
    for binding in bindings:
        if binding.name not in known:
            meant = nearest(binding.name, known)
            return UnknownInput(
                location=binding.key.location,
                record=record,
                length=len(binding.name),
                name=binding.name,
                holder=holder.id,
                meant=meant,
            )
    return None


def point_faults(record: Record) -> Iterator[UnknownInput]:
    """The inputs of points that are no symbol of the record and no role."""
    known = {*record.symbols, *ROLES}
    for point in record.points.values():
        for binding in point.bindings:
            if binding.name not in known:
                yield UnknownInput(
                    location=binding.key.location,
                    record=record.id,
                    length=len(binding.name),
                    name=binding.name,
                    holder=record.id,
                    meant=nearest(binding.name, known),
                )
