"""Tables across parts and models, of the values that formula records give: ridges, and bytes of the KV cache."""

from __future__ import annotations

from flopkb.arithmetic.amounts import readable
from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.units import parse_unit
from flopkb.base.faults import Fault
from flopkb.checking.api import FigureValue
from flopkb.publishing.export.comparisons import CACHES, RIDGES, Comparison, compared, formats_of
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.element import Child, Html, el, joined
from flopkb.publishing.export.html.links import Links
from flopkb.publishing.export.html.records import Site
from flopkb.publishing.export.html.tables import Cell, Num, Row, table, value_cell

RIDGE_NOTE = "Dense peak rate over memory bandwidth, in flop per byte: below it a kernel waits for memory."
CACHE_NOTE = "What one token adds to the cache of a sequence, scales of narrow formats not counted."


def ridge_table(site: Site, links: Links) -> Html | None:
    """A row a part, a column a precision."""
    return comparison_table(RIDGES, site, links, "Part", "Ridge by part and precision")


def cache_table(site: Site, links: Links) -> Html | None:
    """A row a model, a column a number format."""
    return comparison_table(CACHES, site, links, "Model", "KV bytes per token")


def comparison_table(comparison: Comparison, site: Site, links: Links, head: str, caption: str) -> Html | None:
    """The table of a comparison; None where no formula of the base has a value in it."""
    base, records = site.base.base, site.base.of_kind(comparison.kind)
    rows = compared(comparison, base, [record.id for record in records])
    formats = formats_of(rows, base)
    groups = []
    for row in rows:
        named = joined(links.record(row.record), el("small", f" {row.mark}") if row.mark else None)
        first = Cell(named, base.records[row.record].name, is_head=True)
        groups.append([Row((first, *(compared_cell(row.values[id]) for id in formats)))])
    return table((head, *map(Num, formats)), groups, caption=caption, class_="matrix")


def compared_cell(found: FigureValue | Fault) -> Cell:
    """A value as a reader takes it in, marked where a source states an input otherwise; or that there is none."""
    if isinstance(found, Fault):
        return Cell(el("span", "not computed", title=str(found)), "", number=True)
    value = Exact.of_base(found.bases[0], found.unit.removesuffix("/token"))  # which the caption says
    shown = readable(value.base, parse_unit(value.unit)) if value.unit == "byte" else decimal_text(value.value)
    contested = found.computed is not None and found.computed.contested()
    mark: Child = joined(" ", badges.disputed()) if contested else None
    return value_cell(value, joined(el("span", shown, title=f"{value.fraction} {value.unit}"), mark))
