"""Tables: sortable, scrolling by themselves on narrow screens, named for readers of the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flopkb.base.evaluate import TableResult, Value
from flopkb.base.faults import Fault
from flopkb.base.tables import cell_text, column_heads, head, value_text
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.html.element import Child, Html, el
from flopkb.publishing.export.html.links import Links
from flopkb.publishing.export.resolved.figures import unit_text

LONG = 12
"""From so many rows on a table can be filtered."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: ``key`` is what it is sorted by (its text, where it is None), ``number`` sets it to the right."""

    content: Child
    key: str | None = None
    number: bool = False
    anchor: str | None = None
    is_head: bool = False
    span: int | None = None

    def html(self) -> Html:
        """The cell."""
        classes = "num" if self.number else None
        if self.is_head:
            return el("th", self.content, scope="row", data_key=self.key, class_=classes, id=self.anchor)
        return el("td", self.content, data_key=self.key, class_=classes, id=self.anchor, colspan=self.span)


class Num(str):
    """The head of a column of numbers."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its anchor."""

    cells: Sequence[Cell | Child]
    anchor: str | None = None
    class_: str | None = None


def value_cell(value: Exact | None, content: Child) -> Cell:
    """A cell with a number, sorted by what it is worth."""
    return Cell(content, "" if value is None else sort_key(value), number=True)


def sort_key(value: Exact) -> str:
    """What a number is sorted by."""
    return value.decimal if value.nearest is None else repr(value.nearest)


def table(
    heads: Sequence[str], groups: Iterable[Sequence[Row]], *, caption: str, sortable: bool = True, class_: str = ""
) -> Html | None:
    """A table; each group of rows is one body, so that what belongs together stays together. None where it is empty."""
    bodies = [el("tbody", *(row_html(row) for row in group)) for group in groups]
    if not bodies:
        return None
    top = el(
        "thead",
        el("tr", *(el("th", name, scope="col", class_="num" if isinstance(name, Num) else None) for name in heads)),
    )
    classes = " ".join(filter(None, ("sortable" if sortable else "", class_))) or None
    made = el("table", el("caption", caption, class_="hidden"), top, *bodies, class_=classes)
    return el("div", made, class_="scroll", tabindex="0", role="group", aria_label=caption)


def row_html(row: Row) -> Html:
    """One row."""
    cells = [cell.html() if isinstance(cell, Cell) else el("td", cell) for cell in row.cells]
    return el("tr", *cells, id=row.anchor, class_=row.class_)


def figure_table(result: TableResult, links: Links, caption: Html | None) -> Html:
    """A table of figures that prose asks for; each cell tells its exact value to who points at it."""
    table_, kb = result.table, links.base.base.evaluation.kb
    names = [head(name, table_, kb) for name in table_.rows.names]
    heads = [el("th", name, scope="col") for name in names]
    heads += [el("th", name, scope="col", class_="num") for name in column_heads(table_, kb)]
    rows = []
    for line, cells in zip(table_.rows.lines, result.cells, strict=True):
        labels = [
            Cell(value_text(binding, table_, kb), binding.values[0].text, is_head=True).html() for binding in line
        ]
        rows.append(el("tbody", el("tr", *labels, *(computed_cell(cell, result) for cell in cells))))
    made = el(
        "table",
        el("caption", caption) if caption else None,
        el("thead", el("tr", *heads)),
        *rows,
        class_="sortable figures",
    )
    return el("div", made, class_="scroll", tabindex="0", role="group", aria_label=f"Table of {table_.formula}")


def computed_cell(cell: Value | Fault, result: TableResult) -> Html:
    """A cell of such a table."""
    shown = cell_text(cell, result.table)
    if isinstance(cell, Fault):
        return el("td", shown, title=str(cell))
    value = Exact.of_base(cell.value, unit_text(result.table.unit))
    return el("td", shown, class_="num", data_key=sort_key(value), title=f"{value.fraction} {value.unit}")


def count_cell(count: int) -> Cell:
    """How many; nothing for none."""
    return Cell(str(count) if count else None, str(count), number=True)


def filter_box(rows: int) -> Html | None:
    """A box that narrows a long table, shown where there is a script to do so."""
    if rows < LONG:
        return None
    return el("p", el("label", "Filter ", el("input", type="search", class_="filter")), class_="filtering", hidden=True)
