"""Tables across parts and models, of the values that formula records give: ridges, and bytes of the KV cache."""

from __future__ import annotations

from flopkb.arithmetic.numbers import decimal_text, readable
from flopkb.arithmetic.units import parse_unit
from flopkb.base.faults import Fault
from flopkb.checking.api import FigureValue
from flopkb.publishing.export.comparisons import CACHES, RIDGES, Comparison, compared, formats_of
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.pages.blocks import ColumnHead, RecordTable, RowCell, TableRow
from flopkb.publishing.pages.inlines import Aside, QuotedNumber
from flopkb.publishing.pages.lookups import DISPUTED, Lookups, value_cell

RIDGE_NOTE = "Dense peak rate over memory bandwidth, in flop per byte: below it a kernel waits for memory."
CACHE_NOTE = "What one token adds to the cache of a sequence, scales of narrow formats not counted."


def ridge_table(look: Lookups) -> RecordTable:
    """A row a part, a column a precision."""
    return comparison_table(RIDGES, look, "Part", "Ridge by part and precision")


def cache_table(look: Lookups) -> RecordTable:
    """A row a model, a column a number format."""
    return comparison_table(CACHES, look, "Model", "KV bytes per token")


def comparison_table(comparison: Comparison, look: Lookups, head: str, caption: str) -> RecordTable:
    """The table of a comparison; empty where no formula of the base has a value in it."""
    base, records = look.base.base, look.base.of_kind(comparison.kind)
    rows = compared(comparison, base, [record.id for record in records])
    formats = formats_of(rows, base)
    groups = []
    for row in rows:
        named = (look.record(row.record), Aside(f" {row.mark}") if row.mark else None)
        first = RowCell(named, base.records[row.record].name, is_head=True)
        groups.append([TableRow((first, *(compared_cell(row.values[id]) for id in formats)))])
    heads = (ColumnHead(head), *(ColumnHead(name, number=True) for name in formats))
    return RecordTable(heads, groups, caption, "matrix")


def compared_cell(found: FigureValue | Fault) -> RowCell:
    """A value as a reader takes it in, marked where a source states an input otherwise; or that there is none."""
    if isinstance(found, Fault):
        return RowCell(QuotedNumber("not computed", str(found)), "", number=True)
    value = Exact.of_base(found.bases[0], found.unit.removesuffix("/token"))  # which the caption says
    shown = readable(value.base, parse_unit(value.unit)) if value.unit == "byte" else decimal_text(value.value)
    contested = found.computed is not None and found.computed.contested()
    mark = (" ", DISPUTED) if contested else None
    return value_cell(value, (QuotedNumber(shown, f"{value.fraction} {value.unit}"), mark))
