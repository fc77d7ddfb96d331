"""The start page, the index of each kind, and the pages that run across all records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from flopkb.amounts import readable
from flopkb.export.anchors import Place, page
from flopkb.export.exact import Exact
from flopkb.export.html import badges
from flopkb.export.html.comparisons import cache_table, ridge_table
from flopkb.export.html.element import Child, Html, between, el, joined
from flopkb.export.html.facts import fact_table, row_table, told_verdict
from flopkb.export.html.figures import amount, as_quoted
from flopkb.export.html.layout import CROSS, TITLES, PageParts, section
from flopkb.export.html.links import SUFFIX, Links
from flopkb.export.html.records import Site
from flopkb.export.html.tables import Cell, Num, Row, table, value_cell
from flopkb.export.resolved import KINDS, ResolvedRecord, scalars_of
from flopkb.model import Basis, Kind, Status
from flopkb.units import parse_unit
from flopkb.verdicts import Proved

LATEST, MOST_QUOTED = 8, 4


def start_page(site: Site) -> PageParts:
    """What there is, and where to begin."""
    base, links = site.base, Links(site.base)
    parts = [
        ("classes", "Workload classes", section("classes", "Workload classes", record_cards(site, Kind.WORKLOAD_CLASS, links))),
        ("models-of-cost", "Formulas", section("models-of-cost", "Formulas", record_cards(site, Kind.FORMULA, links))),
        ("ridges", "Ridges", section("ridges", "Ridge by part and precision", RIDGE_NOTE, ridge_table(site, links))),
        ("caches", "KV cache", section("caches", "KV bytes per token by model and format", CACHE_NOTE, cache_table(site, links))),
        ("changes", "Latest changes", section("changes", "Latest changes", latest(site, links))),
    ]
    found = [(anchor, title, made) for anchor, title, made in parts if made is not None]
    lead = el(
        "header",
        el("h1", "What LLM inference costs"),
        el("p", "Every number here is tied to a formula and its inputs, and was recomputed when this page was made. Follow a number to unfold it.", class_="lead"),
        el("ul", *(tile(kind.folder, TITLES[kind], len(base.of_kind(kind))) for kind in KINDS), *cross_tiles(site), class_="tiles"),
        class_="title",
    )  # fmt: skip
    main = joined(lead, *(made for _, _, made in found))
    return PageParts("index.html", "flopkb: what LLM inference costs", main, [(a, t) for a, t, _ in found], "index")


RIDGE_NOTE = el("p", "Dense peak rate over memory bandwidth, in flop per byte: below it a kernel waits for memory.", class_="note")
CACHE_NOTE = el("p", "What one token adds to the cache of a sequence, scales of narrow formats not counted.", class_="note")


def tile(name: str, title: str, count: int) -> Html:
    """A way into an index, with how much is behind it."""
    return el("li", el("a", el("b", str(count)), " ", title, href=f"{name}{SUFFIX}"))


def cross_tiles(site: Site) -> Iterator[Html]:
    """The ways into the pages across all records."""
    counts = {"figures": len(site.figures), "claims": sum(len(r.claims) for r in site.base.records.values()), "open": len(doubts(site))}
    return (tile(name, title, counts[name]) for name, title in CROSS)


def doubts(site: Site) -> list[object]:
    """What is contested, unverified, a draft, or not proved."""
    base = site.base
    contested = [fact for fact in base.facts if fact.disputed]
    unverified = [fact for fact in base.facts if fact.basis is Basis.UNVERIFIED and not fact.absent]
    rows = [row for record in base.records.values() for row in record.rows if row.basis is Basis.UNVERIFIED]
    drafts = [record for record in base.records.values() if record.status is not Status.VERIFIED]
    return [*contested, *unverified, *rows, *drafts, *unproved(site)]


def unproved(site: Site) -> list[object]:
    """The claims that are not proved."""
    return [c for r in site.base.records.values() for c in r.claims if c.verdict is not None and not isinstance(c.verdict, Proved)]


def record_cards(site: Site, kind: Kind, links: Links) -> Html | None:
    """Records with the beginning of what they say, and their figures that are quoted most."""
    cards = []
    for record in site.base.of_kind(kind):
        counts = [bound_by(record), f"{len(record.figures)} figures", f"{len(record.claims)} claims"]
        told = el("small", " · ".join(filter(None, counts)))
        cards.append(el("li", el("h3", links.record(record.id)), opening(record), leading(record, site, links), el("p", told)))
    return el("ul", *cards, class_="cards") if cards else None


def leading(record: ResolvedRecord, site: Site, links: Links) -> Html | None:
    """The figures that are quoted most, in the words that quote them."""
    by_use = sorted(record.figures, key=lambda figure: -len(site.quotes.get(figure.key, ())))
    shown = [(figure, as_quoted(figure, site.quotes)) for figure in by_use[:MOST_QUOTED]]
    pairs = [joined(el("dt", links.figure(figure.key, el("code", figure.name))), el("dd", said)) for figure, said in shown if said]
    return el("dl", *pairs, class_="leading") if pairs else None


def bound_by(record: ResolvedRecord) -> str:
    """What bounds a class."""
    bound = scalars_of(record.fields.get("bound_by"))
    return f"bound by {bound[0]}" if bound and bound[0] != "depends" else ""


def opening(record: ResolvedRecord) -> Html | None:
    """The first sentence of the record that is all words, as it is read."""
    for part in record.prose:
        if "." not in part.field:
            reading = part.passage.reading
            for start, end in list(reading.sentences)[:4]:
                sentence = " ".join(reading.plain[start:end].split())
                if sentence.endswith(".") and sentence.count(" ") > 5 and not any(sign in sentence for sign in "=*\\{"):
                    return el("p", sentence)
            return None
    return None


def latest(site: Site, links: Links) -> Html | None:
    """The last entries of all histories and corrections."""
    found: list[tuple[str, str, Html]] = []
    for record in site.base.records.values():
        for correction in record.corrections:
            stated = joined("corrected: ", el("del", el("code", correction.stated)))
            found.append((correction.date, record.id, stated))
        found += [(date, record.id, el("span", " ".join(change.split()))) for date, change in record.history]
    found.sort(key=lambda entry: entry[1])
    found.sort(key=lambda entry: entry[0], reverse=True)
    lines = (el("li", el("time", date, datetime=date), " ", links.record(id), ": ", told) for date, id, told in found[:LATEST])
    return el("ol", *lines, class_="history") if found else None


# -- an index a kind --------------------------------------------------------------------------------------------------
def kind_page(site: Site, kind: Kind) -> PageParts:
    """The records of a kind, to compare."""
    links = Links(site.base)
    heads, cells = COLUMNS[kind]
    groups = [
        [Row((Cell(named(r, links), r.name, is_head=True), badges.status(r.status), *cells(r, site)))] for r in site.base.of_kind(kind)
    ]
    listed = table(("Record", "Status", *heads), groups, caption=TITLES[kind], class_=f"records {kind.value}")
    more: list[Html | None] = []
    if kind is Kind.ACCELERATOR:
        more = [section("ridges", "Ridge by part and precision", RIDGE_NOTE, ridge_table(site, links))]
    if kind is Kind.MODEL:
        more = [section("caches", "KV bytes per token by format", CACHE_NOTE, cache_table(site, links))]
    main = joined(el("header", el("h1", TITLES[kind]), class_="title"), filter_box(len(groups)), listed or el("p", "None yet."), *more)
    return PageParts(f"{kind.folder}{SUFFIX}", TITLES[kind], main, current=kind.folder, wide=True)


def named(record: ResolvedRecord, links: Links) -> Html:
    """A record by name and id."""
    return joined(links.record(record.id), " ", el("code", record.id, class_="id"))


def filter_box(rows: int) -> Html | None:
    """A box that narrows a long table, shown where there is a script to do so."""
    if rows < 12:
        return None
    return el("p", el("label", "Filter ", el("input", type="search", class_="filter")), class_="filtering", hidden=True)


def written(record: ResolvedRecord, path: str) -> Cell:
    """A recorded value as it is written."""
    fact = next((fact for fact in record.facts if fact.path == path), None)
    if fact is None:
        return Cell(None, "", number=True)
    mark = joined(" ", badges.disputed()) if fact.disputed else None
    return value_cell(fact.value, joined(fact.written or fact.absent.replace("_", " "), mark))


def plain(record: ResolvedRecord, name: str) -> str:
    """A plain field."""
    return ", ".join(scalars_of(record.fields.get(name)))


def workload_cells(record: ResolvedRecord, site: Site) -> Sequence[Cell | Child]:
    return (plain(record, "bound_by"), *formula_cells(record, site), count_cell(len(record.rows)))


def formula_cells(record: ResolvedRecord, site: Site) -> Sequence[Cell | Child]:
    return tuple(count_cell(len(found)) for found in (record.formulas, record.figures, record.claims, record.corrections))


def count_cell(count: int) -> Cell:
    """How many."""
    return Cell(str(count) if count else None, str(count), number=True)


def accelerator_cells(record: ResolvedRecord, site: Site) -> Sequence[Cell | Child]:
    paths = ("memory_bandwidth", "memory_capacity", "peak_flops.bf16", "peak_flops.fp8", "peak_flops.int8", "tdp")
    return (*(plain(record, name) for name in ("vendor", "announced", "memory_type")), *(written(record, path) for path in paths))


def model_cells(record: ResolvedRecord, site: Site) -> Sequence[Cell | Child]:
    paths = ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "hidden_size", "num_parameters")
    return (plain(record, "developer"), *(written(record, path) for path in (*paths, "max_position_embeddings")))


def dtype_cells(record: ResolvedRecord, site: Site) -> Sequence[Cell | Child]:
    return tuple(written(record, path) for path in ("bits", "bytes", "group_size", "bytes_with_scales"))


def source_cells(record: ResolvedRecord, site: Site) -> Sequence[Cell | Child]:
    values = sum(1 for fact in site.base.facts if record.id in fact.sources)
    cited = sum(1 for other in site.base.records.values() if record.id in (*other.sources, *other.citations))
    who = scalars_of(record.fields.get("authors")) or scalars_of(record.fields.get("organisation"))
    authors = f"{who[0]} and others" if len(who) > 2 else "; ".join(who)
    return (plain(record, "source_kind"), plain(record, "title"), authors, Cell(plain(record, "year"), number=True), count_cell(values), count_cell(cited))


Cells = Callable[[ResolvedRecord, Site], Sequence[Cell | Child]]
COLUMNS: dict[Kind, tuple[tuple[str, ...], Cells]] = {
    Kind.WORKLOAD_CLASS: (("Bound by", Num("Formulas"), Num("Figures"), Num("Claims"), Num("Corrections"), Num("Hardware rows")), workload_cells),
    Kind.FORMULA: ((Num("Formulas"), Num("Figures"), Num("Claims"), Num("Corrections")), formula_cells),
    Kind.ACCELERATOR: (
        ("Vendor", "Year", "Memory", Num("Bandwidth"), Num("Capacity"), Num("bf16 dense"), Num("fp8 dense"), Num("int8 dense"), Num("Power")),
        accelerator_cells,
    ),
    Kind.MODEL: (
        ("Developer", Num("Layers"), Num("Query heads"), Num("KV heads"), Num("Head width"), Num("Hidden size"), Num("Parameters"), Num("Context")),
        model_cells,
    ),
    Kind.DTYPE: ((Num("Bits"), Num("Bytes"), Num("Group"), Num("With scales")), dtype_cells),
    Kind.SOURCE: (("Kind", "Title", "Authors", Num("Year"), Num("Values"), Num("Cited by")), source_cells),
}


# -- across all records -----------------------------------------------------------------------------------------------
def figures_page(site: Site) -> PageParts:
    """Every figure."""
    links = Links(site.base)
    groups = []
    for figure in site.figures.values():
        mark = joined(" ", badges.contested()) if figure.contested else None
        first = figure.values[0] if len(figure.values) == 1 else None
        name = Cell(joined(links.figure(figure.key, el("code", figure.name)), mark), figure.name, is_head=True)
        shown = ", ".join(map(amount, figure.values)) or "not computed"
        exact = ", ".join(value.fraction for value in figure.values)
        quoted = len(site.quotes.get(figure.key, ()))
        cells = (name, links.record(figure.record), as_quoted(figure, site.quotes), value_cell(first, shown), value_cell(first, exact), links.formula(figure.formula), count_cell(quoted))
        groups.append([Row(cells)])
    heads = ("Figure", "Record", "As quoted", Num("Computed"), Num("Exact"), "Formula", Num("Quoted"))
    listed = table(heads, groups, caption="Figures", class_="records")
    note = el("p", "Exact values are in the unit of the formula; the figure itself unfolds to its inputs.", class_="note")
    main = joined(el("header", el("h1", "Figures"), class_="title"), note, filter_box(len(groups)), listed or el("p", "None yet."))
    return PageParts("figures.html", "Figures", main, current="figures", wide=True)


def claims_page(site: Site) -> PageParts:
    """Every claim."""
    links = Links(site.base)
    groups = []
    for record in site.base.records.values():
        for claim in record.claims:
            says = joined(el("code", claim.statement), el("small", f" {claim.conditions}") if claim.conditions else None)
            name = Cell(links.to(Place(record.id, f"claim-{claim.id}"), el("code", claim.id)), claim.id, is_head=True)
            groups.append([Row((name, links.record(record.id), says, badges.verdict(claim.verdict), told_verdict(claim.verdict)))])
    listed = table(("Claim", "Record", "Says", "Result", "How it is known"), groups, caption="Claims", class_="claims")
    main = joined(el("header", el("h1", "Claims"), class_="title"), filter_box(len(groups)), listed or el("p", "None yet."))
    return PageParts("claims.html", "Claims", main, current="claims", wide=True)


def open_page(site: Site) -> PageParts:
    """What is contested, unverified, a draft, not proved."""
    base, links = site.base, Links(site.base)
    contested = [fact for fact in base.facts if fact.disputed]
    unverified = [fact for fact in base.facts if fact.basis is Basis.UNVERIFIED and not fact.absent]
    rows = [row for record in base.records.values() for row in record.rows if row.basis is Basis.UNVERIFIED]
    drafts = [record for record in base.records.values() if record.status is not Status.VERIFIED]
    listed = [el("li", links.record(record.id), " ", badges.status(record.status)) for record in drafts]
    parts = [
        ("contested", "Contested values", section("contested", "Contested values", fact_table(contested, links, site.moved, named=True))),
        ("effects", "Effects with nothing behind them", section("effects", "Effects with nothing behind them", row_table(rows, links, site.figures, site.quotes))),
        ("values", "Values with nothing behind them", section("values", "Values with nothing behind them", fact_table(unverified, links, site.moved, named=True))),
        ("records", "Records that are not verified", section("records", "Records that are not verified", el("ul", *listed) if listed else None)),
        ("unproved", "Claims that are not proved", section("unproved", "Claims that are not proved", unproved_list(site, links))),
    ]  # fmt: skip
    found = [(anchor, title, made) for anchor, title, made in parts if made is not None]
    lead = el("header", el("h1", "Open questions"), el("p", "Where sources disagree, and what nothing stands behind.", class_="lead"), class_="title")
    main = joined(lead, *(made for _, _, made in found), None if found else el("p", "None."))
    return PageParts("open.html", "Open questions", main, [(a, t) for a, t, _ in found], "open")


def unproved_list(site: Site, links: Links) -> Html | None:
    """The claims that are not proved."""
    lines = []
    for record in site.base.records.values():
        for claim in record.claims:
            if claim.verdict is not None and not isinstance(claim.verdict, Proved):
                name = links.to(Place(record.id, f"claim-{claim.id}"), el("code", f"{record.id}.{claim.id}"))
                lines.append(el("li", name, " ", badges.verdict(claim.verdict), " ", told_verdict(claim.verdict)))
    return el("ul", *lines) if lines else None


def search_page(site: Site) -> PageParts:
    """Where all hits of a search are shown."""
    lines = [el("li", el("a", record.name, href=page(site.base, record.id, SUFFIX))) for record in site.base.records.values()]
    main = joined(
        el("header", el("h1", "Search"), class_="title"),
        el("p", "Names, ids, figures, claims, values, and the text of all records.", id="summary", aria_live="polite"),
        el("ol", id="results", class_="results"),
        el("noscript", el("p", "Search needs JavaScript. These are all records:"), el("ul", *lines, class_="columns")),
    )
    return PageParts("search.html", "Search", main, current="search")


