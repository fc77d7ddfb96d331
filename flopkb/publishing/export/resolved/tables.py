"""Tables of figures in prose, cell by cell."""

from __future__ import annotations

from flopkb.base.evaluate import TableResult, Value
from flopkb.base.faults import Fault
from flopkb.base.model import Binding
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved.figures import fault_text, pairs, unit_text
from flopkb.publishing.export.resolved.model import ResolvedCell, ResolvedTable


def resolved_table(result: TableResult) -> ResolvedTable:
    """One table."""
    table = result.table
    unit = unit_text(table.unit)
    cells = tuple(
        tuple(
            resolved_cell((*line, *column), found, unit) for column, found in zip(table.columns.lines, row, strict=True)
        )
        for line, row in zip(table.rows.lines, result.cells, strict=True)
    )
    caption = table.caption.text if table.caption is not None else ""
    return ResolvedTable(str(table.formula), unit, table.rows.names, table.columns.names, caption, cells, result)


def resolved_cell(inputs: tuple[Binding, ...], found: Value | Fault, unit: str) -> ResolvedCell:
    """One cell, in the unit of the table."""
    value = Exact.of_base(found.value, unit) if isinstance(found, Value) else None
    return ResolvedCell(pairs(inputs), value, fault_text(found))
