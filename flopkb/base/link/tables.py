"""Tables of figures: a block fenced as ``flopkb-table``, read and linked, a computation for each cell.

formula: size
with: {model: llama_2_7b, kv_dtype: fp16}
rows: {L: [2048, 4096, 32768]}
columns: {B: [1, 8]}
unit: GiB
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

from flopkb.arithmetic.diagnostics import Diagnostic, Location
from flopkb.arithmetic.units import Unit, UnitError, parse_unit
from flopkb.base.document import Mapping, Node, Scalar
from flopkb.base.document import Sequence as ListNode
from flopkb.base.faults import BadTable, Fault, Stopped, did_you_mean
from flopkb.base.link.formulas import readable, unit_or_one
from flopkb.base.link.names import (
    Holder,
    Scope,
    find_point,
    formula_ref,
    merged,
    role_faults,
    unknown_binding,
    unknown_point,
)
from flopkb.base.link.targets import Computation, FormulaRef
from flopkb.base.loading import parse_fragment
from flopkb.base.model import Binding, Point, Record

if TYPE_CHECKING:
    from flopkb.arithmetic.prose import Mapped, TableDirective

KEYS = ("formula", "with", "at", "over", "rows", "columns", "unit", "digits", "labels", "caption")
MOST_CELLS = 2000


@dataclass(frozen=True, slots=True)
class TableAxis:
    """The rows (or columns): the names of the inputs, and for each line one value of each."""

    names: tuple[str, ...] = ()
    lines: tuple[tuple[Binding, ...], ...] = ((),)


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is asked for. ``unit`` is that of the cells, ``digits`` how many significant ones they show.

    ``cells`` are by row and column. ``labels`` say how a reader is told of an input or of one of its values.
    """

    directive: TableDirective
    formula: FormulaRef
    formula_at: Scalar
    rows: TableAxis
    columns: TableAxis
    unit: Unit
    cells: tuple[tuple[Computation, ...], ...] = field(repr=False)
    digits: int | None = None
    labels: tuple[tuple[str, Scalar], ...] = ()
    caption: Scalar | None = None
    points: tuple[tuple[str, str], ...] = ()

    @property
    def texts(self) -> tuple[Scalar, ...]:
        """What a reader reads beside the numbers: caption and labels, which are prose."""
        labels = tuple(label for _, label in self.labels)
        return (self.caption, *labels) if self.caption is not None else labels


def link_table(directive: TableDirective, scalar: Scalar, asker: Record | Holder, scope: Scope) -> Table | Fault:
    """The table that a directive in a prose field asks for, or the first thing wrong with it."""
    try:
        return _DirectiveReader(directive, scalar, asker, scope).table()
    except Stopped as stopped:
        return stopped.fault


def placed(body: Mapped, scalar: Scalar) -> str:
    """The body with every line where it stands in the file, so that places (also those in messages) are true."""
    first = scalar.at(body.at(0))
    margin = " " * (first.column - 1)
    return "\n" * (first.line - 1) + "".join(f"{margin}{row}\n" if row else "\n" for row in body.text.split("\n"))


class _DirectiveReader:
    """Reads one directive; raises :class:`Stopped`."""

    def __init__(self, directive: TableDirective, scalar: Scalar, asker: Record | Holder, scope: Scope) -> None:
        self.directive = directive
        self.where = scalar.at(directive.start)
        self.asker = asker
        """Who holds the table."""
        self.scope = scope
        found = (
            parse_fragment(placed(directive.body, scalar), self.where.path, 1, 1) if directive.body.text.strip() else []
        )
        if isinstance(found, list):
            raise Stopped(self.unreadable(found))
        if not isinstance(found, Mapping):
            raise self.bad(found.location, "a table is a mapping: write formula: and rows: below each other")
        self.root = found

    def unreadable(self, found: list[Diagnostic]) -> Fault:
        if found:
            return BadTable(found[0].location, self.asker.id, found[0].length, reason=found[0].message)
        return BadTable(self.where, self.asker.id, reason="this table is empty; write formula: and rows:")

    def bad(self, where: Location, reason: str, length: int = 1) -> Stopped:
        return Stopped(BadTable(where, self.asker.id, length, reason=reason))

    def table(self) -> Table:
        for key, _ in self.root:
            if key.text not in KEYS:
                hint = did_you_mean(key.text, KEYS) or f"; a table has {', '.join(KEYS)}"
                raise self.bad(key.location, f"a table has no key {key.text}{hint}", len(key.text))
        name = self.scalar("formula")
        if name is None:
            raise self.bad(self.where, "this table names no formula; write formula:")
        ref = self.formula(name)
        rows, columns = self.axis("rows"), self.axis("columns")
        if not rows.names:
            raise self.bad(self.where, "this table has no rows; write rows: {input: [values]}")
        if len(rows.lines) * len(columns.lines) > MOST_CELLS:
            raise self.bad(self.where, f"this table has more than {MOST_CELLS} cells; ask for fewer")
        points = self.points(ref)
        given = merged(self.bindings("with"), [point for _, point in points], self.scope, own=True)
        over = self.bindings("over")
        cells = tuple(tuple(self.cell(ref, name, given, over, (*r, *c)) for c in columns.lines) for r in rows.lines)
        labels = tuple((key.text, value) for key, value in self.entries("labels"))
        used = tuple((holder.id, point.name) for holder, point in points)
        unit, digits, caption = self.unit(ref, bool(over)), self.digits(), self.scalar("caption")
        return Table(self.directive, ref, name, rows, columns, unit, cells, digits, labels, caption, used)

    def scalar(self, key: str) -> Scalar | None:
        node = self.root.get(key)
        if node is None or isinstance(node, Scalar):
            return node
        raise self.bad(node.location, f"{key}: takes one value")

    def formula(self, name: Scalar) -> FormulaRef:
        """``size``, of the record that holds the prose, or ``kv_cache.size``."""
        if isinstance(self.asker, Holder) and not name.text.rpartition(".")[0]:
            raise self.bad(name.location, f"a document names the record too: record.{name.text}", len(name.text))
        ref = formula_ref(name.text, self.asker, self.scope, name.location)
        if isinstance(ref, Fault):
            raise Stopped(ref)
        return ref

    def points(self, ref: FormulaRef) -> list[tuple[Record, Point]]:
        """The operating point: of the formula's record, else of the record that holds the prose (its roles)."""
        name = self.scalar("at")
        if name is None:
            return []
        owner = self.scope.records[ref.record]
        found = find_point(name.text, owner, self.asker, self.scope)
        if found is None:
            raise Stopped(unknown_point(name.text, owner, self.asker.id, name.location))
        return [found]

    def entries(self, key: str) -> Iterator[tuple[Scalar, Scalar]]:
        node = self.root.get(key)
        if node is None:
            return
        if not isinstance(node, Mapping):
            raise self.bad(node.location, f"{key}: takes a mapping, {key}: {{name: value}}")
        for name, value in node:
            if not isinstance(value, Scalar):
                raise self.bad(
                    value.location, f"{key}.{name.text} takes one value; a list belongs in rows: or columns:"
                )
            yield name, value

    def bindings(self, key: str) -> tuple[Binding, ...]:
        return tuple(Binding(name, (value,)) for name, value in self.entries(key))

    def axis(self, key: str) -> TableAxis:
        node = self.root.get(key)
        if node is None:
            return TableAxis()
        if not isinstance(node, Mapping) or not node.entries:
            raise self.bad(node.location, f"{key}: takes a mapping, {key}: {{input: [values]}}")
        names = tuple(name.text for name, _ in node)
        lists = [[Binding(name, (value,)) for value in self.values(key, name, values)] for name, values in node]
        return TableAxis(names, tuple(product(*lists)))

    def values(self, key: str, name: Scalar, node: Node) -> tuple[Scalar, ...]:
        items = node.items if isinstance(node, ListNode) else (node,)
        found = tuple(item for item in items if isinstance(item, Scalar))
        if not found or len(found) < len(items):
            raise self.bad(node.location, f"{key}.{name.text} takes a list of values")
        return found

    def cell(
        self,
        ref: FormulaRef,
        name: Scalar,
        given: tuple[Binding, ...],
        over: tuple[Binding, ...],
        own: tuple[Binding, ...],
    ) -> Computation:
        names = {binding.name for binding in own}
        bindings = (*(binding for binding in given if binding.name not in names), *own)
        bound = (*bindings, *over)
        fault = unknown_binding(bound, ref, self.asker.id, self.scope)
        fault = fault or next(role_faults(bound, self.asker, self.scope), None)
        if fault is not None:
            raise Stopped(fault)
        return Computation(ref, name.text, self.asker.id, own[0].values[0].location, bindings, over)

    def unit(self, ref: FormulaRef, ratio: bool) -> Unit:
        written = self.scope.records[ref.record].formulas[ref.name].unit
        declared = unit_or_one("1" if ratio else written.text)
        text = self.scalar("unit")
        if text is None:
            return declared
        try:
            unit = parse_unit(text.text)
        except UnitError as error:
            raise self.bad(text.location, str(error), len(text.text)) from None
        if unit.dimension != declared.dimension and (ratio or readable(written)):
            raise self.bad(text.location, f"{text.text} cannot measure {declared.text or '1'}", len(text.text))
        return unit

    def digits(self) -> int | None:
        text = self.scalar("digits")
        if text is None:
            return None
        if not isinstance(text.value, int) or isinstance(text.value, bool) or not 1 <= text.value <= 15:
            raise self.bad(text.location, "digits: takes a whole number from 1 to 15", len(text.text))
        return text.value
