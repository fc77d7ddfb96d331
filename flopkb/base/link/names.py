"""Names looked up: records, formulas, points and inputs, what may be wrong with each, and the names in expressions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Scalar, folded
from flopkb.base.faults import (
    Blocked,
    DeprecatedRecord,
    Fault,
    UnknownFigure,
    UnknownInput,
    UnknownRecord,
    WrongKind,
    nearest,
)
from flopkb.base.link.targets import Computation, FormulaRef, SymbolAtom
from flopkb.base.model import ROLES, Binding, Figure, Kind, Point, Record, Status, Symbol
from flopkb.base.quantities import HARDWARE, QUANTITIES

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scope:
    """Where names are looked up: the records by id, those that could not be read, and the fact paths of each kind.

    ``vocabulary`` are the symbols that every record may use, by name: the same symbol in all of them. ``groups`` are the
    types of layers that conditions name together.
    """

    records: Mapping[str, Record]
    broken: frozenset[str]
    paths: Mapping[Kind, frozenset[str]] = field(repr=False)
    vocabulary: Mapping[str, SymbolAtom] = field(default_factory=dict, repr=False)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    unread_vocabulary: bool = False
    """Whether there is a vocabulary that could not be read: any name may be one of its."""

    def symbol(self, name: str, record: str) -> SymbolAtom | None:
        """The symbol that a bare name stands for in a record: one of its own, else one of the vocabulary."""
        holder = self.records.get(record)
        if holder is not None and name in holder.symbols:
            return SymbolAtom(record, name)
        return self.vocabulary.get(name)

    def declared(self, atom: SymbolAtom) -> Symbol | None:
        """The declaration of a symbol (None where it could not be read)."""
        return self.records[atom.record].symbols.get(atom.name)

    def symbols(self, record: Record) -> tuple[str, ...]:
        """The names of all symbols that a record may use, its own first."""
        return tuple(dict.fromkeys((*record.symbols, *self.vocabulary)))

    def flows(self, name: str) -> bool:
        """Whether what is bound to a name reaches the formulas of other records: roles and the vocabulary do."""
        return name in ROLES or name in self.vocabulary

    def is_role(self, name: str) -> bool:
        """Whether records fill a name: a role, or that of many rows of a data file."""
        return name in ROLES or (name in self.records and bool(self.records[name].rows_of))


def scope_of(records: Mapping[str, Record], broken: Iterable[str], *, unread_vocabulary: bool = False) -> Scope:
    """The scope of a base. What a kind can hold is known even where no record of it holds it, or could be read."""
    paths: dict[Kind, set[str]] = {kind: set(QUANTITIES.get(kind, ())) for kind in Kind}
    for record in records.values():
        paths[record.kind].update(record.facts)
        paths[record.kind].update(path.split(".")[0] for path in record.facts)
    known = {kind: frozenset(found) for kind, found in paths.items()}
    vocabularies = vocabularies_of(records.values())
    symbols = {name: SymbolAtom(record.id, name) for record in vocabularies for name in record.symbols}
    groups = {name: group for record in vocabularies for name, group in record.groups.items()}
    types = {name: frozenset(member.text for member in group.members) for name, group in groups.items()}
    return Scope(records, frozenset(broken), known, symbols, types, unread_vocabulary)


def vocabularies_of(records: Iterable[Record]) -> list[Record]:
    """The vocabularies, the last by id first: of two that declare one name, the first by id has the last word."""
    found = (record for record in records if record.kind is Kind.VOCABULARY)
    return sorted(found, key=lambda record: record.id, reverse=True)


def unknown_record(
    name: str, what: str, scope: Scope, record: str, where: Location, kinds: Container[Kind] = frozenset(Kind)
) -> Fault:
    """The fault of naming a record that is not there (or could not be read, which is reported elsewhere)."""
    if name in scope.broken:
        return Blocked(where, record, cause=f"{name} could not be read")
    meant = meant_record(name, scope, kinds)
    return UnknownRecord(where, record, len(name), target=name, what=what, meant=meant, row=row_hint(name, scope))


def meant_record(name: str, scope: Scope, kinds: Container[Kind] = frozenset(Kind)) -> str | None:
    """The record of one of ``kinds`` that was probably meant: by a name that it has, its id, or a word of its id."""
    wanted = folded(name)
    called: dict[str, str] = {}
    records = {id: record for id, record in scope.records.items() if record.kind in kinds}
    for record in records.values():
        for text in (record.name, *(alias.text for alias in record.aliases)):
            called.setdefault(folded(text), record.id)
    if wanted in called:
        return called[wanted]
    holding = sorted(id for id in records if wanted in id.split("_")) if wanted else []
    near = nearest(name, records) or called.get(nearest(wanted, called) or "")
    return near or (" or ".join(holding) if 0 < len(holding) <= 3 else None)


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
        return None if name in scope.broken else unknown_record(name, what, scope, at, where, kinds)
    if found.kind not in kinds:
        wanted = tuple(sorted(kind.value for kind in kinds))
        return WrongKind(where, at, len(name), target=name, what=what, found=found.kind.value, wanted=wanted)
    if found.status is Status.DEPRECATED and holder.status is not Status.DEPRECATED:
        return DeprecatedRecord(where, at, len(name), target=name, what=what, instead=replacement(found))
    return None


def named_record(name: str, where: Location, what: str, holder: Holder | Record, scope: Scope) -> Record | Fault:
    """The record of any kind that ``name`` names, or what is wrong with naming it there."""
    fault = record_fault(name, where, what, ANY_KIND, holder, scope)
    return fault or scope.records.get(name) or unknown_record(name, what, scope, holder.id, where)


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
    return Blocked(where, holder, cause=f"{record.id}.{path} is faulty")


def withheld(name: str, holder: Record, scope: Scope, where: Location, record: str) -> Blocked | None:
    """The reason why a symbol that a record may use is not there, if it is declared and reported where it stands."""
    if scope.unread_vocabulary:
        return Blocked(where, record, cause="a vocabulary could not be read")
    holders = (holder, *vocabularies_of(scope.records.values()))
    found = (blocked_entry(each, f"symbols.{name}", record, where) for each in holders)
    return next((blocked for blocked in found if blocked is not None), None)


def role_faults(bindings: Iterable[Binding], holder: Holder | Record, scope: Scope) -> Iterator[Fault]:
    """What is wrong with the records that ``bindings`` put into roles."""
    for binding in bindings:
        for value in binding.values if binding.name in ROLES else ():
            kind = ROLES[binding.name]
            kinds = frozenset({kind}) if kind is not None else None
            fault = record_fault(value.text, value.location, binding.name, kinds, holder, scope) if kinds else None
            if fault is not None:
                yield fault


def reference_faults(record: Record, scope: Scope) -> Iterator[Fault]:
    """What is wrong with the records that ``record`` names, those that points, figures and claims put into roles too."""
    for reference in record.references:
        target = reference.target
        if reference in record.products and target.text in HARDWARE:
            continue  # the rule quantity-among-products says where it belongs
        fault = record_fault(target.text, target.location, reference.what, reference.kinds, record, scope)
        if fault is not None:
            yield fault
    groups = [point.bindings for point in record.points.values()]
    groups += [(*figure.with_, *figure.over) for figure in record.figures.values()]
    groups += [(*claim.given, *claim.over) for claim in record.claims.values()]
    for bindings in groups:
        yield from role_faults(bindings, record, scope)


def link_figure(figure: Figure, record: Record, scope: Scope) -> Computation | Fault:
    """The computation of a figure: its ``with`` over its point. Units and domains are judged when it is evaluated."""
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
    bindings = merged(figure.with_, points, scope, own=ref.record == record.id)
    fault = unknown_binding((*bindings, *figure.over), ref, record.id, scope)
    return fault or Computation(
        ref,
        figure.name,
        record.id,
        figure.key.location,
        bindings,
        figure.over,
        " ".join(figure.hypothetical.text.split()) if figure.hypothetical is not None else "",
    )


def formula_ref(text: str, asker: Record | Holder, scope: Scope, where: Location) -> FormulaRef | Fault:
    """The formula ``gap`` of the record that asks, or ``kv_cache.size``; a document has none of its own.

    An unknown record or formula is a fault at ``where``, which spans the text.
    """
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


def find_point(name: str, owner: Record, asker: Record | Holder, scope: Scope) -> tuple[Record, Point] | None:
    """A point of the formula's record, else of the record that asks (then what flows alone), with who holds it."""
    for holder in (owner, asker):
        if isinstance(holder, Record) and name in holder.points:
            point = holder.points[name]
            flowing = tuple(b for b in point.bindings if holder is owner or scope.flows(b.name))
            return holder, Point(point.name, point.key, flowing)
    return None


def unknown_point(name: str, holder: Record, record: str, where: Location) -> Fault:
    """The fault of naming a point that ``holder`` does not have."""
    missing = blocked_entry(holder, f"points.{name}", record, where)
    if missing is not None:
        return missing
    meant = nearest(name, holder.points)
    return UnknownInput(where, record, len(name), name=name, holder=holder.id, meant=meant, what="point")


def merged(with_: Sequence[Binding], points: Iterable[Point], scope: Scope, *, own: bool) -> tuple[Binding, ...]:
    """``with`` over the points; into a formula that is not the record's ``own`` goes of a point only what flows."""
    bindings = (binding for point in points for binding in point.bindings)
    bound = {binding.name: binding for binding in bindings if own or scope.flows(binding.name)}
    bound.update((binding.name, binding) for binding in with_)
    return tuple(bound.values())


def unknown_binding(bindings: Iterable[Binding], ref: FormulaRef, record: str, scope: Scope) -> Fault | None:
    """The first binding of a name that is no symbol of the formula's record and no role, as a fault of ``record``."""
    return next(unknown_names(bindings, scope.records[ref.record], record, scope), None)


def unknown_names(bindings: Iterable[Binding], holder: Record, record: str, scope: Scope) -> Iterator[Fault]:
    """The bindings of names that are no symbol of ``holder`` or of the vocabulary, and no role."""
    known = {*scope.symbols(holder), *ROLES}
    for binding in bindings:
        if binding.name in known or scope.is_role(binding.name):
            continue
        where = binding.key.location
        yield withheld(binding.name, holder, scope, where, record) or UnknownInput(
            where, record, len(binding.name), name=binding.name, holder=holder.id, meant=nearest(binding.name, known)
        )


def point_faults(record: Record, scope: Scope) -> Iterator[Fault]:
    """The inputs of points that are no symbol that the record may use, and no role."""
    for point in record.points.values():
        yield from unknown_names(point.bindings, record, record.id, scope)
