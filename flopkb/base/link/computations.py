"""Figures, and the computations that links and tables in prose ask for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.faults import Fault, UnknownFigure, UnknownInput, nearest
from flopkb.base.link.names import Holder, Scope, blocked_entry, named_record
from flopkb.base.link.targets import Computation, FormulaRef
from flopkb.base.model import ROLES, Binding, Figure, Point, Record


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


def formula_ref(text: str, asker: Record | Holder, scope: Scope, where: Location) -> FormulaRef | Fault:
    """The formula named ``gap`` (of the record that asks) or ``kv_cache.size``."""
    holder, _, name = text.rpartition(".")
    owner = named_record(holder, where, "formula", asker, scope) if holder or isinstance(asker, Holder) else asker
    if isinstance(owner, Fault):
        return owner
    if name in owner.formulas:
        return FormulaRef(owner.id, name)
    missing = blocked_entry(owner, f"formulas.{name}", asker.id, where)
    if missing is not None:
        return missing
    meant = nearest(name, owner.formulas)
    shown = meant if meant is None or owner is asker else f"{owner.id}.{meant}"
    return UnknownFigure(where, asker.id, len(text), target=text, meant=shown, what="formula")


def find_point(name: str, owner: Record, asker: Record | Holder) -> tuple[Record, Point] | None:
    """A point of the formula's record, else of the record that asks (then its roles alone), with who holds it."""
    for holder in (owner, asker):
        if isinstance(holder, Record) and name in holder.points:
            point = holder.points[name]
            flowing = tuple(b for b in point.bindings if holder is owner or b.name in ROLES)
            return holder, Point(point.name, point.key, flowing)
    return None


def unknown_point(name: str, holder: Record, record: str, where: Location) -> Fault:
    """The fault of naming a point that ``holder`` does not have."""
    missing = blocked_entry(holder, f"points.{name}", record, where)
    if missing is not None:
        return missing
    meant = nearest(name, holder.points)
    return UnknownInput(where, record, len(name), name=name, holder=holder.id, meant=meant, what="point")


def merged(with_: Sequence[Binding], points: Iterable[Point], *, flows: bool) -> tuple[Binding, ...]:
    """``with`` over the points; into another record's formula (``flows`` false) only a point's roles go."""
    bound = {binding.name: binding for point in points for binding in point.bindings if flows or binding.name in ROLES}
    bound.update((binding.name, binding) for binding in with_)
    return tuple(bound.values())


def unknown_binding(bindings: Iterable[Binding], ref: FormulaRef, record: str, scope: Scope) -> Fault | None:
    """The first binding of a name that the formula's record does not have."""
    return next(unknown_names(bindings, scope.records[ref.record], record), None)


def unknown_names(bindings: Iterable[Binding], holder: Record, record: str) -> Iterator[Fault]:
    """The bindings of names that are no symbol of ``holder`` and no role."""
    known = {*holder.symbols, *ROLES}
    for binding in bindings:
        if binding.name in known:
            continue
        where = binding.key.location
        yield blocked_entry(holder, f"symbols.{binding.name}", record, where) or UnknownInput(
            where, record, len(binding.name), name=binding.name, holder=holder.id, meant=nearest(binding.name, known)
        )


def point_faults(record: Record) -> Iterator[Fault]:
    """The inputs of points that are no symbol of the record and no role."""
    for point in record.points.values():
        yield from unknown_names(point.bindings, record, record.id)
