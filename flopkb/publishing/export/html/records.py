"""The page of a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Node, Scalar
from flopkb.base.model import Kind
from flopkb.publishing.export.anchors import fact_place
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.element import Child, Html, between, el, joined
from flopkb.publishing.export.html.facts import Figures, claim_table, corrections, fact_table, row_table
from flopkb.publishing.export.html.figures import Facts, Quotes, as_quoted, figure_details
from flopkb.publishing.export.html.layout import TITLES, PageParts, Part, part
from flopkb.publishing.export.html.links import SUFFIX, Links
from flopkb.publishing.export.html.mathematics import formula_math, symbol_math
from flopkb.publishing.export.html.prose import prose
from flopkb.publishing.export.html.sources import entries, source_parts
from flopkb.publishing.export.html.tables import Cell, Row, table
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFigure, ResolvedRecord


@dataclass(frozen=True, slots=True)
class Site:
    """What pages look up: figures, values and quotes by key, figures by the values that they depend on."""

    base: ResolvedBase
    figures: Figures
    facts: Facts
    quotes: Quotes
    moved: dict[str, list[str]]
    entries: Mapping[str, Html]

    @classmethod
    def of(cls, base: ResolvedBase) -> Site:
        """The look-ups of a base."""
        figures = {figure.key: figure for figure in base.figures}
        quotes: Quotes = {}
        for record in base.records.values():
            for index, quote in enumerate(record.quotes):
                quotes.setdefault(quote.key, []).append((record.id, index, quote))
        moved: dict[str, list[str]] = {}
        for figure in base.figures:
            for key in figure.facts:
                moved.setdefault(key, []).append(figure.key)
        return cls(base, figures, {fact.key: fact for fact in base.facts}, quotes, moved, entries(base))


def record_page(record: ResolvedRecord, site: Site) -> PageParts:
    """The page of a record."""
    links = Links.of_record(site.base, record.id)
    return PageParts(
        path=f"{record.kind.folder}/{record.id}{SUFFIX}",
        title=record.name,
        lead=title_block(record, links),
        parts=tuple(parts(record, site, links)),
        current=record.kind.folder,
        description=f"{record.name}: {record.kind.value.replace('_', ' ')} in flopkb",
    )


def title_block(record: ResolvedRecord, links: Links) -> Html:
    """Name, kind, how far it is trusted, its plain fields."""
    way = el(
        "p",
        el("a", TITLES[record.kind], href=f"../{record.kind.folder}{SUFFIX}"),
        " / ",
        el("code", record.id),
        class_="way",
    )
    marks = [badges.status(record.status)]
    marks += [el("span", "confidence ", el("b", record.confidence), class_="mark")] if record.confidence else []
    marks += (
        [el("span", "updated ", el("time", record.updated, datetime=record.updated), class_="mark")]
        if record.updated
        else []
    )
    also = el("p", "Also called ", ", ".join(record.aliases), ".", class_="also") if record.aliases else None
    fields = [pair for name, node in record.fields.items() for pair in field_pairs(name, node, links)]
    listed = el("dl", *fields, class_="fields") if fields and record.kind is not Kind.SOURCE else None
    return el(
        "header",
        way,
        el("h1", record.name),
        el("p", *between(" ", marks), class_="marks"),
        also,
        listed,
        class_="title",
    )


def field_pairs(name: str, node: Node, links: Links) -> Iterator[Html]:
    """A plain field; ids of records are links, addresses too."""
    if isinstance(node, MappingNode):
        for key, value in node:
            yield from field_pairs(f"{name} {key.text}", value, links)
        return
    items = [node] if isinstance(node, Scalar) else [item for item in node if isinstance(item, Scalar)]
    shown = el("dd", *between(", ", (field_value(item, links) for item in items)))
    yield el("div", el("dt", name.replace("_", " ")), shown)


def field_value(item: Scalar, links: Links) -> Child:
    """One plain value."""
    if links.known(item.text):
        return links.record(item.text)
    return item.text


def parts(record: ResolvedRecord, site: Site, links: Links) -> Iterator[Part]:
    """The parts of the page, in the order in which a reader wants them."""
    if record.kind is Kind.SOURCE:
        yield from source_parts(record, site.base, links, site.moved, site.entries)
    yield part("values", "Values", fact_table(record.facts, links, site.moved))
    for field in record.prose:
        if "." not in field.field:
            title = field.field.replace("_", " ").capitalize()
            yield part(field.field, title, el("div", prose(field.passage, links), class_="prose"))
    yield part("figures", "Figures", figure_list(record.figures, links, site))
    yield part("computed", "Computed in place", figure_list(tuple(computations(record, site.base)), links, site))
    hardware = row_table(record.rows, links, site.figures, site.quotes)
    yield part("hardware", "Hardware", hardware, products(record, links))
    yield part("claims", "Claims", claim_table(record, links))
    yield part("formulas", "Formulas", formula_table(record, links))
    yield part("symbols", "Symbols", symbol_table(record, links))
    yield part("points", "Operating points", point_table(record, links))
    yield part("corrections", "Corrections", *corrections(record, links))
    yield part("sources", "Sources", source_list(record, links))
    yield part("used", "Used by", used_by(record, site, links))
    yield part("history", "History", history(record, links))


def computations(record: ResolvedRecord, base: ResolvedBase) -> Iterator[ResolvedFigure]:
    """The formulas with inputs that the prose of the record quotes."""
    keys = dict.fromkeys(quote.key for quote in record.quotes if quote.kind == "computation")
    return (base.computations[key] for key in keys)


def figure_list(figures: tuple[ResolvedFigure, ...], links: Links, site: Site) -> Html | None:
    """Figures, folded."""
    if not figures:
        return None
    button = el("button", "Unfold all", type="button", class_="unfold", hidden=True) if len(figures) > 1 else None
    return joined(
        button,
        el("div", *(figure_details(figure, links, site.quotes, site.facts) for figure in figures), class_="figures"),
    )


def products(record: ResolvedRecord, links: Links) -> Html | None:
    """The parts that the class is affected by."""
    if not record.products:
        return None
    return el("p", "Affected products: ", *between(", ", map(links.record, record.products)), ".")


def formula_table(record: ResolvedRecord, links: Links) -> Html | None:
    """Formulas as mathematics and as they are written."""
    groups = []
    for formula in record.formulas:
        shown = formula_math(links.base, f"{record.id}.{formula.name}")
        written = f"also written {', '.join(formula.written)}" if formula.written else ""
        name = joined(el("code", formula.name), el("small", f" {written}") if written else None)
        groups.append(
            [
                Row(
                    (Cell(name, formula.name, is_head=True), shown, el("code", formula.expr), formula.unit),
                    f"formula-{formula.name}",
                )
            ]
        )
    return table(
        ("Formula", "Mathematics", "As written", "Unit"), groups, caption="Formulas", sortable=False, class_="formulas"
    )


def symbol_table(record: ResolvedRecord, links: Links) -> Html | None:
    """What the symbols mean and where they come from."""
    groups = []
    for symbol in record.symbols:
        field = record.passage(f"symbols.{symbol.name}.meaning")
        meaning: Child = prose(field.passage, links, inline=True) if field is not None else symbol.meaning
        name = Cell(
            joined(symbol_math(links.base, record.id, symbol.name), " ", el("code", symbol.name)),
            symbol.name,
            is_head=True,
        )
        given = el("code", symbol.source or symbol.value) if symbol.source or symbol.value else None
        groups.append([Row((name, meaning, symbol.unit, given, symbol.domain), f"symbol-{symbol.name}")])
    return table(("Symbol", "Meaning", "Unit", "From", "Domain"), groups, caption="Symbols", class_="symbols")


def point_table(record: ResolvedRecord, links: Links) -> Html | None:
    """The operating points."""
    groups = [
        [
            Row(
                (
                    Cell(el("code", name), name, is_head=True),
                    joined(*between(", ", (point_input(pair, links) for pair in inputs))),
                ),
                f"point-{name}",
            )
        ]
        for name, inputs in record.points
    ]
    return table(("Point", "Inputs"), groups, caption="Operating points", class_="points")


def point_input(pair: tuple[str, str], links: Links) -> Html:
    """An input of a point; a record is a link."""
    name, value = pair
    return joined(
        el("code", f"{name} = "), links.record(value, el("code", value)) if links.known(value) else el("code", value)
    )


def source_list(record: ResolvedRecord, links: Links) -> Html | None:
    """The sources of the record, and those that only its prose cites."""
    ids = dict.fromkeys((*record.sources, *record.citations))
    if not ids:
        return None
    return el("ul", *(el("li", links.source(id), " ", title_of(id, links.base)) for id in ids), class_="sources")


def title_of(id: str, base: ResolvedBase) -> Child:
    """The title of a source."""
    found = base.records.get(id)
    node = found.fields.get("title") if found is not None else None
    return node.text if isinstance(node, Scalar) else None


def used_by(record: ResolvedRecord, site: Site, links: Links) -> Html | None:
    """Figures that read this record's values, and records whose prose quotes it."""
    if record.kind in (Kind.WORKLOAD_CLASS, Kind.FORMULA, Kind.SOURCE):
        readers = sorted({other for other, key in quoting(site, record.id) if other != record.id})
        if record.kind is Kind.SOURCE or not readers:
            return None
        return el("p", "Quoted by ", *between(", ", map(links.record, readers)), ".")
    figures = [f for f in site.figures.values() if any(fact_place(key).record == record.id for key in f.facts)]
    if not figures:
        return None
    items = (el("li", links.figure(f.key, el("code", f.key)), " ", as_quoted(f, site.quotes)) for f in figures)
    return el("ul", *items, class_="columns")


def quoting(site: Site, id: str) -> Iterator[tuple[str, str]]:
    """The records that quote something of a record, each with the key."""
    for key, places in site.quotes.items():
        if key.partition(".")[0] == id:
            yield from ((record, key) for record, _, _ in places)


def history(record: ResolvedRecord, links: Links) -> Html | None:
    """What changed when."""
    lines = []
    for index, (date, change) in enumerate(record.history):
        field = record.passage(f"history.{index}.change")
        told: Child = prose(field.passage, links, inline=True) if field is not None else change
        lines.append(el("li", el("time", date, datetime=date), " ", told))
    return el("ol", *reversed(lines), class_="history") if lines else None
