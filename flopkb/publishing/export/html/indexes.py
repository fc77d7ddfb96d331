"""The index of each kind: its records side by side, with what one compares them by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flopkb.base.model import Kind
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.comparisons import CACHE_NOTE, RIDGE_NOTE, cache_table, ridge_table
from flopkb.publishing.export.html.element import Child, el, joined
from flopkb.publishing.export.html.layout import TITLES, PageParts, Part, part
from flopkb.publishing.export.html.links import SUFFIX, Links
from flopkb.publishing.export.html.records import Site
from flopkb.publishing.export.html.start import noted
from flopkb.publishing.export.html.tables import Cell, Num, Row, count_cell, filter_box, table, value_cell
from flopkb.publishing.export.resolved import ResolvedRecord, scalars_of

Cells = Sequence[Cell | Child]


def kind_page(site: Site, kind: Kind) -> PageParts:
    """The records of a kind."""
    links = Links(site.base)
    heads, cells = COLUMNS[kind]
    groups = [[record_row(record, links, cells(record, site))] for record in site.base.of_kind(kind)]
    listed = table(("Record", "Status", *heads), groups, caption=TITLES[kind], class_=f"records {kind.value}")
    head = el("header", el("h1", TITLES[kind]), class_="title")
    lead = joined(head, filter_box(len(groups)), listed or el("p", "None yet."))
    parts: tuple[Part, ...] = ()
    if kind is Kind.ACCELERATOR:
        parts = (part("ridges", "Ridge by part and precision", *noted(RIDGE_NOTE, ridge_table(site, links))),)
    if kind is Kind.MODEL:
        parts = (part("caches", "KV bytes per token by format", *noted(CACHE_NOTE, cache_table(site, links))),)
    return PageParts(f"{kind.folder}{SUFFIX}", TITLES[kind], lead, parts, kind.folder, wide=True)


def record_row(record: ResolvedRecord, links: Links, cells: Cells) -> Row:
    """A record on one line."""
    name = joined(links.record(record.id), " ", el("code", record.id, class_="id"))
    return Row((Cell(name, record.name, is_head=True), badges.status(record.status), *cells))


def written(record: ResolvedRecord, path: str) -> Cell:
    """A recorded value as it is written."""
    fact = next((fact for fact in record.facts if fact.path == path), None)
    if fact is None:
        return Cell(None, "", number=True)
    mark = joined(" ", badges.disputed()) if fact.disputed else None
    shown = fact.written if fact.written is not None else fact.absent.replace("_", " ")
    return value_cell(fact.value, joined(shown, mark))


def plain(record: ResolvedRecord, name: str) -> str:
    """A plain field."""
    return ", ".join(scalars_of(record.fields.get(name)))


def workload_cells(record: ResolvedRecord, site: Site) -> Cells:
    """What bounds a class, and how much is in its record."""
    return (plain(record, "bound_by"), *formula_cells(record, site), count_cell(len(record.rows)))


def formula_cells(record: ResolvedRecord, site: Site) -> Cells:
    """How much is in the record."""
    found = (record.formulas, record.figures, record.claims, record.corrections)
    return tuple(count_cell(len(entries)) for entries in found)


def accelerator_cells(record: ResolvedRecord, site: Site) -> Cells:
    """Memory, peaks and power."""
    paths = ("memory_bandwidth", "memory_capacity", "peak_flops.bf16", "peak_flops.fp8", "peak_flops.int8", "tdp")
    fields = (plain(record, name) for name in ("vendor", "announced", "memory_type"))
    return (*fields, *(written(record, path) for path in paths))


def model_cells(record: ResolvedRecord, site: Site) -> Cells:
    """The shape."""
    heads = ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "hidden_size")
    sizes = ("num_parameters", "max_position_embeddings")
    return (plain(record, "developer"), *(written(record, path) for path in (*heads, *sizes)))


def dtype_cells(record: ResolvedRecord, site: Site) -> Cells:
    """Widths."""
    return tuple(written(record, path) for path in ("bits", "bytes", "group_size", "bytes_with_scales"))


def source_cells(record: ResolvedRecord, site: Site) -> Cells:
    """What it is, and how much rests on it."""
    base = site.base
    values = sum(1 for fact in base.facts if record.id in fact.sources)
    cited = sum(1 for other in base.records.values() if record.id in (*other.sources, *other.citations))
    who = scalars_of(record.fields.get("authors")) or scalars_of(record.fields.get("organisation"))
    authors = f"{who[0]} and others" if len(who) > 2 else "; ".join(who)
    year = Cell(plain(record, "year"), number=True)
    about = (plain(record, "source_kind"), plain(record, "title"), authors, year)
    return (*about, count_cell(values), count_cell(cited))


_COUNTS = (Num("Formulas"), Num("Figures"), Num("Claims"), Num("Corrections"))
_PEAKS = (Num("bf16 dense"), Num("fp8 dense"), Num("int8 dense"))
_SHAPE = (Num("Layers"), Num("Query heads"), Num("KV heads"), Num("Head width"), Num("Hidden size"))
COLUMNS: dict[Kind, tuple[tuple[str, ...], Callable[[ResolvedRecord, Site], Cells]]] = {
    Kind.WORKLOAD_CLASS: (("Bound by", *_COUNTS, Num("Hardware rows")), workload_cells),
    Kind.FORMULA: (_COUNTS, formula_cells),
    Kind.ACCELERATOR: (
        ("Vendor", "Year", "Memory", Num("Bandwidth"), Num("Capacity"), *_PEAKS, Num("Power")),
        accelerator_cells,
    ),
    Kind.MODEL: (("Developer", *_SHAPE, Num("Parameters"), Num("Context")), model_cells),
    Kind.DTYPE: ((Num("Bits"), Num("Bytes"), Num("Group"), Num("With scales")), dtype_cells),
    Kind.SOURCE: (("Kind", "Title", "Authors", Num("Year"), Num("Values"), Num("Cited by")), source_cells),
}
