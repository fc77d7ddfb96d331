"""Links in prose, each with what it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.prose import Target, TargetError
from flopkb.base.data.facts import DataFacts
from flopkb.base.document import Scalar
from flopkb.base.faults import (
    BadInput,
    BadLiteral,
    BadTarget,
    Blocked,
    Fault,
    UnknownClaim,
    UnknownFact,
    UnknownFigure,
    UnknownInput,
    nearest,
)
from flopkb.base.link.aliases import called_in
from flopkb.base.link.columns import column_unit
from flopkb.base.link.elsewhere import found_near, no_value
from flopkb.base.link.expressions import row_bindings
from flopkb.base.link.names import (
    Holder,
    Scope,
    blocked_entry,
    find_point,
    formula_ref,
    merged,
    named_record,
    record_fault,
    role_faults,
    unknown_binding,
    unknown_point,
)
from flopkb.base.link.passages import Passage, Quote
from flopkb.base.link.tables import Table, link_table
from flopkb.base.link.targets import (
    PRINTED,
    ClaimTarget,
    Computation,
    FactTarget,
    FigureTarget,
    FormulaRef,
    InputTarget,
    LiteralTarget,
    QuoteTarget,
)
from flopkb.base.model import ROLES, Binding, Fact, Figure, Kind, Point, Prose, Record

if TYPE_CHECKING:
    from flopkb.arithmetic.prose import Link, ProseReading

GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")


@dataclass(frozen=True, slots=True)
class Linker:
    """Resolves the links of one holder, ``asker``."""

    asker: Record | Holder
    scope: Scope
    is_page: bool = False
    """Whether it is a document, which may hold data and figures of its own."""

    @property
    def holder(self) -> str:
        """The id of the record, or the path of the document."""
        return self.asker.id

    @property
    def page(self) -> bool:
        """Whether the prose is that of a document."""
        return self.is_page or isinstance(self.asker, Holder)

    def passage(self, prose: Prose, names: frozenset[str]) -> Passage:
        """The prose, read, with its links resolved."""
        from flopkb.arithmetic.prose import read_prose  # a question reads none

        reading = read_prose(prose.scalar.text, names, front_matter=self.page)
        quotes = tuple(self.quote(prose.scalar, link, prose.field) for link in reading.links)
        tables = [link_table(t, prose.scalar, self.asker, self.scope) for t in reading.tables]
        faults = [*self.citation_faults(prose.scalar, reading), *(t for t in tables if isinstance(t, Fault))]
        read = tuple(table for table in tables if isinstance(table, Table))
        return Passage(self.holder, prose, reading, quotes, tuple(faults), read)

    def passages(self, prose: Prose, names: frozenset[str]) -> Iterator[Passage]:
        """The prose, then the captions and labels of its tables, which are prose of their own."""
        whole = self.passage(prose, names)
        yield whole
        for table in whole.tables:
            for text in table.texts:
                yield self.passage(Prose(f"{prose.field}.table", text), names)

    def citation_faults(self, scalar: Scalar, reading: ProseReading) -> Iterator[Fault]:
        """Citations in a record that are no sources of the base (a document may have a bibliography of its own)."""
        if self.page:
            return
        for cited in reading.citations:
            where = scalar.at(cited.start)
            fault = record_fault(cited.id, where, "the citation", frozenset({Kind.SOURCE}), self.asker, self.scope)
            if fault is not None:
                yield fault

    def quote(self, scalar: Scalar, link: Link, field: str) -> Quote:
        """One link, resolved."""
        where = scalar.at(link.target_start)
        target = link.parsed
        if isinstance(target, TargetError):
            reason = f"{link.target} {target.reason}{self.by_id(link.target)}"
            kind = BadLiteral if target.scheme == "lit" else BadTarget
            fault = kind(scalar.at(target.offset), self.holder, reason=reason)
            return Quote(self.holder, scalar, link, fault, field)
        resolved = self.resolve(target, scalar, where)
        column = column_unit(scalar.text, link.start)
        return Quote(self.holder, scalar, link, resolved, field, self.points(target), column)

    def by_id(self, target: str) -> str:
        """What to write for a link that calls a record by a name that is no id; nothing where none is called."""
        scheme, colon, rest = target.partition(":")
        named, query, inputs = rest.partition("?")
        called = called_in(named.replace("%20", " "), self.scope)
        return f"; write {scheme}:{called}{query}{inputs}" if colon and "." in named and called != named else ""

    def resolve(self, target: Target, scalar: Scalar, where: Location) -> QuoteTarget | Fault:
        """What a parsed target stands for."""
        if target.scheme == "lit":
            return LiteralTarget(target.reason)
        if isinstance(self.asker, Record) and (target.record or target.name) in self.asker.near:
            return self.elsewhere(target, self.asker, scalar, where)
        owner = self.owner(target, scalar, where)
        if isinstance(owner, Fault):
            return owner
        where = scalar.at(name_offset(target))
        if target.scheme == "fig":
            return self.figure(target, owner, scalar, where)
        if target.scheme == "in":
            return self.input(target, owner, where)
        if target.scheme == "fact":
            return self.fact(target, owner, scalar, where)
        return self.claim(target, owner, where)

    def elsewhere(self, target: Target, asker: Record, scalar: Scalar, where: Location) -> QuoteTarget | Fault:
        """A value in a data file, or what ``flopkb.yaml`` shares."""
        parts, where = target.dotted.split("."), scalar.at(target.offset)
        found = found_near(asker, parts, where, len(target.dotted))
        if isinstance(found, Fault):
            return found
        owner = self.scope.records[found.record]
        shared = replace(target, record=None, name=found.path)
        if target.scheme == "claim":
            return self.claim(shared, owner, where)
        if not isinstance(owner.facts, DataFacts):
            return self.figure(shared, owner, scalar, where)
        if target.scheme != "fact":
            reason = f"{parts[0]} is data: write fact:{target.dotted}, or a figure over it"
            return BadTarget(where, self.holder, len(target.dotted), reason=reason)
        if found.path not in owner.facts:
            return no_value(owner, found.path, self.holder, where, len(target.dotted))
        place = f"{found.path} " if target.dotted == parts[0] else ""
        return FactTarget(owner.id, found.path, title=f"{target.dotted} ({place}in {owner.facts.file})")

    def claim(self, target: Target, owner: Record, where: Location) -> QuoteTarget | Fault:
        """A claim that a sentence is tied to."""
        if target.name in owner.claims:
            return ClaimTarget(owner.id, target.name)
        if any(path.partition(".")[0] == "claims" for path in owner.dropped):
            return Blocked(where, self.holder, cause=f"a claim of {owner.id} is faulty")
        meant = nearest(target.name, owner.claims)
        return UnknownClaim(where, self.holder, len(target.name), target=target.dotted, meant=self.shown(owner, meant))

    def shown(self, owner: Record, name: str | None) -> str | None:
        """A name of ``owner`` as a link of this holder must write it."""
        return name if name is None or owner is self.asker else f"{owner.id}.{name}"

    def owner(self, target: Target, scalar: Scalar, where: Location) -> Record | Fault:
        """The record that a target names, or the one that holds the prose."""
        if target.record is None:
            if isinstance(self.asker, Record):
                return self.asker
            reason = f"a document names the record too: {target.scheme}:record.{target.name}"
            return BadTarget(where, self.holder, reason=reason)
        where = scalar.at(target.offset)
        return named_record(target.record, where, "the link", self.asker, self.scope)

    def figure(self, target: Target, owner: Record, scalar: Scalar, where: Location) -> QuoteTarget | Fault:
        """A figure, or a formula with its inputs."""
        asked = target.inputs or target.points
        if target.name in owner.figures:
            if not asked:
                return FigureTarget(owner.id, target.name)
            reason = (
                f"the inputs of the figure {target.name} are fixed in its record; ask its formula with inputs instead"
            )
            return BadTarget(where, self.holder, reason=reason)
        if target.name in owner.formulas:
            return self.computation(target, owner, scalar, where)
        for section in ("figures", "formulas"):
            missing = blocked_entry(owner, f"{section}.{target.name}", self.holder, where)
            if missing is not None:
                return missing
        meant = self.shown(owner, nearest(target.name, {*owner.formulas, *owner.figures}))
        return UnknownFigure(where, self.holder, len(target.name), target=target.dotted, meant=meant)

    def computation(self, target: Target, owner: Record, scalar: Scalar, where: Location) -> QuoteTarget | Fault:
        """A formula with the inputs and points that the link names."""
        ref = formula_ref(target.name, owner, self.scope, where)
        if isinstance(ref, Fault):
            return ref
        found = self.find_points(target, owner, scalar)
        if isinstance(found, Fault):
            return found
        bindings = merged(self.bindings(target, scalar), found, self.scope, own=True)
        fault = self.clash(found, target, where) or self.grouped(target, scalar)
        fault = fault or unknown_binding(bindings, ref, self.holder, self.scope)
        fault = fault or next(role_faults(bindings, self.asker, self.scope), None)
        title = target.name if owner is self.asker else f"{owner.id}.{target.name}"
        at = scalar.at(target.offset)
        rows = (
            row_bindings([case.expr for case in owner.formulas[ref.name].cases], owner, self.scope, at)
            if owner.near
            else ()
        )
        return fault or Computation(ref, title, self.holder, at, (*bindings, *rows))

    def bindings(self, target: Target, scalar: Scalar) -> tuple[Binding, ...]:
        """The inputs in a link, as bindings with places."""
        made = []
        for given in target.inputs:
            key = Scalar(scalar.at(given.offset), given.key, given.key)
            at = scalar.at(given.value_offset)
            values = given.value.split(",")
            made.append(Binding(key, tuple(Scalar(at, v.strip(), v.strip()) for v in values), len(values) > 1))
        return tuple(made)

    def grouped(self, target: Target, scalar: Scalar) -> Fault | None:
        """The first input that could be a list as well as one number with its digits grouped by commas."""
        for given in target.inputs:
            match = GROUPED.match(given.value)
            if match is not None:
                number, items = match[0].replace(",", ""), match[0].replace(",", ", ")
                reason = f"`{match[0]}` could be one number or a list; write {number}, or `{items}` for a list"
                at = scalar.at(given.value_offset)
                return BadInput(at, self.holder, len(match[0]), reason=reason)
        return None

    def clash(self, points: tuple[Point, ...], target: Target, where: Location) -> Fault | None:
        """Two points of one link that bind the same input, unless the link itself binds it."""
        bound: dict[str, str] = {given.key: "" for given in target.inputs}
        for point in points:
            for binding in point.bindings:
                other = bound.setdefault(binding.name, point.name)
                if other not in ("", point.name):
                    both = f"the points {other} and {point.name} both bind {binding.name}"
                    reason = f"{both}; name one of them, or bind it too"
                    return BadTarget(where, self.holder, len(target.name), reason=reason)
        return None

    def find_points(self, target: Target, owner: Record, scalar: Scalar) -> tuple[Point, ...] | Fault:
        """The points that a link names: of the formula's record, else of the record that holds the prose."""
        found = []
        for name, offset in target.points:
            point = find_point(name, owner, self.asker, self.scope)
            if point is None:
                return unknown_point(name, owner, self.holder, scalar.at(offset))
            found.append(point[1])
        return tuple(found)

    def points(self, target: Target) -> tuple[tuple[str, str], ...]:
        """The points that a link names, as (record, point)."""
        owner = self.scope.records.get(target.record) if target.record else self.asker
        found = (
            [find_point(name, owner, self.asker, self.scope) for name, _ in target.points]
            if isinstance(owner, Record)
            else []
        )
        return tuple((point[0].id, point[1].name) for point in found if point is not None)

    def input(self, target: Target, owner: Record, where: Location) -> QuoteTarget | Fault:
        """An input of a point or a figure: ``in:owner.name``."""
        group, _, name = target.name.rpartition(".")
        point, figure = owner.points.get(group), owner.figures.get(group)
        if point is None and figure is None:
            for section in ("points", "figures"):
                missing = blocked_entry(owner, f"{section}.{group}", self.holder, where)
                if missing is not None:
                    return missing
            meant = nearest(group, {*owner.points, *owner.figures})
            what = "point or figure"
            return self.unknown_input(group, owner.id, meant, what, where)
        bindings = point.bindings if point is not None else inputs_of(figure, owner, self.scope) if figure else ()
        for binding in bindings:
            if binding.name == name:
                return self.input_target(owner, group, binding, bindings, figure, where)
        meant = nearest(name, (b.name for b in bindings))
        where = replace(where, column=where.column + len(group) + 1)
        return self.unknown_input(name, f"{owner.id}.{group}", meant, "input", where)

    def unknown_input(self, name: str, holder: str, meant: str | None, what: str, where: Location) -> UnknownInput:
        """The fault of an ``in:`` link that names nothing."""
        return UnknownInput(where, self.holder, len(name), name=name, holder=holder, meant=meant, what=what)

    def input_target(
        self,
        owner: Record,
        group: str,
        binding: Binding,
        bindings: tuple[Binding, ...],
        figure: Figure | None,
        where: Location,
    ) -> InputTarget | Fault:
        """An input with what is needed to compute it: it may be an expression in other inputs."""
        if binding.name in ROLES:
            ids = ", ".join(value.text for value in binding.values)
            reason = f"{group}.{binding.name} is the record {ids} and no number; quote what it records, with fact:"
            return BadTarget(where, self.holder, len(group), reason=reason)
        ref = formula_ref(figure.formula.text, owner, self.scope, where) if figure else FormulaRef(owner.id, "")
        if isinstance(ref, Fault):
            return Blocked(where, self.holder, cause=f"the formula of {group} is not known")
        return InputTarget(owner.id, group, binding, Computation(ref, group, self.holder, where, bindings))

    def fact(self, target: Target, owner: Record, scalar: Scalar, where: Location) -> QuoteTarget | Fault:
        """A recorded value, or what a source states in its place."""
        fact = owner.facts.get(target.name)
        if fact is None:
            missing = blocked_entry(owner, target.name, self.holder, where)
            return missing or UnknownFact(
                where,
                self.holder,
                len(target.name),
                holder=owner.id,
                path=target.name,
                meant=nearest(target.name, owner.facts),
            )
        if target.at_source == PRINTED:
            return self.label(target, owner, fact, scalar, where)
        if target.at_source is None or fact_of(fact, target.at_source) is not None:
            source = target.at_source if fact_of(fact, target.at_source) is not fact else None
            return FactTarget(owner.id, target.name, source)
        known = [r.target.text for other in fact.disputed for r in other.sources]
        return UnknownFact(
            scalar.at(target.source_offset),
            self.holder,
            len(target.at_source),
            holder=owner.id,
            path=f"{target.name} by {target.at_source}",
            meant=nearest(target.at_source, known),
        )

    def label(self, target: Target, owner: Record, fact: Fact, scalar: Scalar, where: Location) -> QuoteTarget | Fault:
        """The printed form of a recorded value."""
        if fact.as_printed is not None:
            return FactTarget(owner.id, target.name, PRINTED)
        at = scalar.at(target.source_offset)
        return UnknownFact(
            at, self.holder, len(PRINTED), holder=owner.id, path=f"as_printed of {target.name}", meant=None
        )


def name_offset(target: Target) -> int:
    """Where the name stands in a link, behind the record's id."""
    return target.offset + (len(target.record) + 1 if target.record is not None else 0)


def inputs_of(figure: Figure, owner: Record, scope: Scope) -> tuple[Binding, ...]:
    """The inputs of a figure: its own, those of its point, and those that it is divided at."""
    point = owner.points.get(figure.at.text) if figure.at is not None else None
    return (*merged(figure.with_, (point,) if point is not None else (), scope, own=True), *figure.over)


def fact_of(fact: Fact, source: str | None) -> Fact | None:
    """The fact as ``source`` states it (the value that stands, or a disputed one), or None."""
    if source is None or source == PRINTED:
        return fact
    for stated in (fact, *fact.disputed):
        if any(reference.target.text == source for reference in stated.sources):
            return stated
    return None
