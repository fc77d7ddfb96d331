"""HTML: a site that needs no server and no network: pages, one stylesheet, one script, one file for the search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flopkb.base.document import Mapping, Node, Scalar
from flopkb.base.model import Kind
from flopkb.publishing.export.anchors import SUFFIX, Links
from flopkb.publishing.export.html.about import about_page
from flopkb.publishing.export.html.behind import behind_files
from flopkb.publishing.export.html.cross import claims_page, figures_page, open_page, search_data, search_page
from flopkb.publishing.export.html.for_programs import program_files
from flopkb.publishing.export.html.indexes import kind_page, start_page
from flopkb.publishing.export.html.layout import PageParts, Part, page, part
from flopkb.publishing.export.html.plots import record_plots
from flopkb.publishing.export.html.program import program_file
from flopkb.publishing.export.html.writer import SiteWriter
from flopkb.publishing.export.resolved import KINDS, ResolvedBase, ResolvedRecord
from flopkb.publishing.pages.bibliography import references
from flopkb.publishing.pages.blocks import Fields, Paragraph
from flopkb.publishing.pages.elements import Html, el
from flopkb.publishing.pages.formulas import SHAPE
from flopkb.publishing.pages.inlines import Day, Flow, Styled, Words
from flopkb.publishing.pages.lookups import TITLES, Lookups, between, status_mark
from flopkb.publishing.pages.record import RecordPage, parts_in

ASKING = ("evaluate.js", "curves.js", "ask.js", "plots.js")
"""What a page runs in which formulas are asked."""

ASSETS = ("site.css", "site.js", "inspect.js", "judge.js", "whatif.js", *ASKING, "icon.svg")


def html_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the site, by their paths in it."""
    look = Lookups.of(base, entries(base))
    pages = [start_page(look), figures_page(look), claims_page(look), open_page(look), search_page(look), about_page()]
    pages += [kind_page(look, kind) for kind in KINDS]
    pages += [record_page(record, look) for record in base.records.values()]
    files = {parts.path: page(parts, base) for parts in pages}
    files |= {f"assets/{name}": (Path(__file__).parent / name).read_bytes() for name in ASSETS}
    files |= behind_files(look) | program_files(base)
    return {**files, "assets/search-data.js": search_data(look), "assets/program.js": program_file(base)}


def entries(base: ResolvedBase) -> dict[str, Flow]:
    """The reference of every source in the citation style."""
    ids = [source.id for source in base.of_kind(Kind.SOURCE)]
    return {made.id: made.children for made in references(ids, base.base.records)} if ids else {}


def record_page(record: ResolvedRecord, look: Lookups) -> PageParts:
    """The page of a record."""
    writer = SiteWriter(Links.of_record(look.base, record.id))
    asked, drawn = asking(record, look), record_plots(record, look)
    shown = list(parts_in("html", RecordPage(look, record)))
    parts = [part(found.anchor or found.name, found.title, writer.html(*found.blocks)) for found in shown]
    if drawn is not None:
        parts.insert(next(n for n, found in enumerate(shown) if found.name == "figures"), part("plots", "Plots", drawn))
    return PageParts(
        path=f"{record.kind.folder}/{record.id}{SUFFIX}",
        title=record.name,
        lead=title_block(record, look, writer),
        parts=[*([asked] if asked is not None else []), *parts],
        record=record.id,
        scripts=ASKING if asked is not None else (),
        current=record.kind.folder,
        description=f"{record.name}: {record.kind.value.replace('_', ' ')} in flopkb",
    )


def asking(record: ResolvedRecord, look: Lookups) -> Part | None:
    """Where the formulas of a record are asked, with what to do where no script runs; None where it has none."""
    formulas = look.base.base.evaluation.kb.formulas
    first = next((ref for ref, linked in formulas.items() if ref.record == record.id and linked.cases), None)
    if first is None:
        return None
    told = el("p", "Without scripts in this page, ask on the command line: ", el("code", f"flopkb eval {first} ..."))
    return part("ask", "Ask", el("div", told, id="asking", data_record=record.id, data_root="../"))


def title_block(record: ResolvedRecord, look: Lookups, writer: SiteWriter) -> Html:
    """Name, kind, how far it is trusted, its plain fields."""
    index = el("a", TITLES[record.kind], href=f"../{record.kind.folder}{SUFFIX}")
    marks: list[Flow] = [status_mark(record.status)]
    if record.confidence:
        marks.append(Styled("span", ("confidence ", Styled("b", Words(record.confidence))), "mark"))
    if record.updated:
        marks.append(Styled("span", ("updated ", Day(record.updated)), "mark"))
    also = Paragraph(("Also called ", Words(", ".join(record.aliases)), "."), "also") if record.aliases else None
    shown = record.fields if record.kind is not Kind.SOURCE else {}
    fields = [pair for name, node in shown.items() if name not in SHAPE for pair in field_pairs(name, node, look)]
    below = writer.html(Paragraph(between(" ", marks), "marks"), also, Fields(fields, "fields"))
    way = el("p", index, " / ", el("code", record.id), class_="way")
    return el("header", way, el("h1", record.name), below, class_="title")


def field_pairs(name: str, node: Node, look: Lookups) -> Iterator[tuple[str, Flow]]:
    """A plain field; ids of records are links."""
    if isinstance(node, Mapping):
        for key, value in node:
            yield from field_pairs(f"{name} {key.text}", value, look)
        return
    items = [node] if isinstance(node, Scalar) else [item for item in node if isinstance(item, Scalar)]
    values = (look.record(item.text) if item.text in look.base.records else Words(item.text) for item in items)
    yield name.replace("_", " "), between(", ", values)
