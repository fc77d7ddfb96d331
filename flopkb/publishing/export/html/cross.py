"""The pages that run across all records: figures, claims, open questions, and the search with what it looks through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.base.claims.verdicts import Proved
from flopkb.base.model import Basis, Status
from flopkb.publishing.export.anchors import SUFFIX, Links, fact_anchor, figure_anchor, page
from flopkb.publishing.export.columns import texts
from flopkb.publishing.export.html.layout import PageParts, filter_box, part
from flopkb.publishing.export.html.writer import SiteWriter
from flopkb.publishing.export.resolved import ResolvedClaim, ResolvedFact, ResolvedFigure, ResolvedRecord, ResolvedRow
from flopkb.publishing.export.tex import visible
from flopkb.publishing.pages.blocks import ColumnHead, Items, RecordTable, RowCell, TableRow
from flopkb.publishing.pages.elements import Html, el, joined
from flopkb.publishing.pages.facts import fact_table, row_table
from flopkb.publishing.pages.inlines import Code, Flow, SiteLink, SitePlace, Words
from flopkb.publishing.pages.lookups import (
    DISPUTED,
    Lookups,
    amount,
    count_cell,
    status_mark,
    value_cell,
    verdict_mark,
)
from flopkb.publishing.pages.record import claim_cells, told_verdict


def heading(title: str, lead: str = "") -> Html:
    """The head of such a page."""
    return el("header", el("h1", title), el("p", lead, class_="lead") if lead else None, class_="title")


def table_page(name: str, title: str, note: str, table: RecordTable, look: Lookups) -> PageParts:
    """A page that is one table."""
    told = el("p", note, class_="note") if note else None
    listed = SiteWriter(Links(look.base)).html(table) or el("p", "None yet.")
    lead = joined(heading(title), told, filter_box(len(table.groups)), listed)
    return PageParts(f"{name}{SUFFIX}", title, lead, current=name, wide=True)


FIGURES_NOTE = "Exact values are in the unit of the formula; the figure itself unfolds to its inputs."


def figures_page(look: Lookups) -> PageParts:
    """Every figure."""
    titles = ("Figure", "Record", "As quoted", "Computed", "Exact", "Formula", "Quoted")
    heads = [ColumnHead(title, title in ("Computed", "Exact", "Quoted")) for title in titles]
    groups = [[figure_row(figure, look)] for figure in look.figures.values()]
    return table_page("figures", "Figures", FIGURES_NOTE, RecordTable(heads, groups, "Figures", "records"), look)


def figure_row(figure: ResolvedFigure, look: Lookups) -> TableRow:
    """A figure on one line."""
    first = figure.values[0] if len(figure.values) == 1 else None
    name = (look.figure(figure.key, "", Code(figure.name)), (" ", DISPUTED) if figure.contested else None)
    return TableRow(
        (
            RowCell(name, figure.name, is_head=True),
            look.record(figure.record, Code(figure.record)),
            Words(look.as_quoted(figure)),
            value_cell(first, Words(", ".join(map(amount, figure.values)) or "not computed")),
            value_cell(first, ", ".join(value.fraction for value in figure.values)),
            look.formula(figure.formula, ""),
            count_cell(len(look.quotes.get(figure.key, ()))),
        )
    )


Claims = list[tuple[ResolvedRecord, ResolvedClaim]]


def every_claim(look: Lookups) -> Claims:
    """The claims with their records."""
    return [(record, claim) for record in look.base.records.values() for claim in record.claims]


def claims_page(look: Lookups) -> PageParts:
    """Every claim."""
    heads = list(map(ColumnHead, ("Claim", "Record", "Says", "Result", "How it is known")))
    groups = [[claim_row(record, claim, look)] for record, claim in every_claim(look)]
    return table_page("claims", "Claims", "", RecordTable(heads, groups, "Claims", "claims"), look)


def claim_row(record: ResolvedRecord, claim: ResolvedClaim, look: Lookups) -> TableRow:
    """A claim on one line."""
    name = SiteLink(SitePlace(record.id, f"claim-{claim.id}"), Code(claim.id))
    of = look.record(record.id, Code(record.id))
    return TableRow((RowCell(name, claim.id, is_head=True), of, *claim_cells(claim)))


@dataclass(frozen=True, slots=True)
class OpenQuestions:
    """What is contested, unverified, not verified as a whole, or not proved."""

    contested: list[ResolvedFact]
    unverified: list[ResolvedFact]
    effects: list[ResolvedRow]
    records: list[ResolvedRecord]
    claims: Claims

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.contested) + len(self.unverified) + len(self.effects) + len(self.records) + len(self.claims)


def open_questions(look: Lookups) -> OpenQuestions:
    """What the base leaves open; among the claims those that were decided and are not proved."""
    base, records = look.base, list(look.base.records.values())
    return OpenQuestions(
        [fact for fact in base.facts if fact.contested],
        [fact for fact in base.facts if fact.basis is Basis.UNVERIFIED and not fact.absent],
        [row for record in records for row in record.rows if row.own.basis is Basis.UNVERIFIED],
        [record for record in records if record.status is not Status.VERIFIED],
        [(r, c) for r, c in every_claim(look) if c.verdict is not None and not isinstance(c.verdict, Proved)],
    )


def open_page(look: Lookups) -> PageParts:
    """What is open, with both sides where there are two."""
    found, writer = open_questions(look), SiteWriter(Links(look.base))
    records: list[Flow] = [(look.record(record.id), " ", status_mark(record.status)) for record in found.records]
    parts = (
        part("contested", "Contested values", writer.html(*fact_table(found.contested, look, ""))),
        part("effects", "Effects with nothing behind them", writer.html(*row_table(found.effects, look, ""))),
        part("values", "Values with nothing behind them", writer.html(*fact_table(found.unverified, look, ""))),
        part("records", "Records that are not verified", writer.html(Items(records))),
        part("unproved", "Claims that are not proved", writer.html(Items([unproved(*pair) for pair in found.claims]))),
    )
    lead = heading("Open questions", "Where sources disagree, and what nothing stands behind.")
    return PageParts("open.html", "Open questions", lead, parts, "open")


def unproved(record: ResolvedRecord, claim: ResolvedClaim) -> Flow:
    """A claim that is not proved."""
    name = SiteLink(SitePlace(record.id, f"claim-{claim.id}"), Code(f"{record.id}.{claim.id}"))
    return (name, " ", verdict_mark(claim.verdict), " ", Words(told_verdict(claim.verdict)))


SEARCH_NOTE = "Names, ids, figures, claims, values, and the text of all records."


def search_page(look: Lookups) -> PageParts:
    """Where all hits of a search are shown."""
    records = look.base.records.values()
    lines = [el("li", el("a", record.name, href=page(look.base, record.id, SUFFIX))) for record in records]
    told = el("p", "Search needs JavaScript. These are all records:")
    lead = joined(
        heading("Search"),
        el("p", SEARCH_NOTE, id="summary", aria_live="polite"),
        el("ol", id="results", class_="results"),
        el("noscript", told, el("ul", *lines, class_="columns")),
    )
    return PageParts("search.html", "Search", lead, current="search")


SearchEntry = tuple[str, str, str, str, str]
"""Title, kind, address, what is shown below the title, further words."""


def search_data(look: Lookups) -> bytes:
    """A script that hands the entries over; all in ASCII, so that nothing in it can be taken for anything else."""
    entries = [
        list(map(visible, entry)) for record in look.base.records.values() for entry in search_entries(record, look)
    ]
    return f"window.flopkbEntries = {json.dumps(entries, ensure_ascii=True, separators=(',', ':'))};\n".encode("ascii")


def search_entries(record: ResolvedRecord, look: Lookups) -> Iterator[SearchEntry]:
    """The entries of a record: itself with its text, its figures, values, claims and formulas."""
    address, kind = page(look.base, record.id, SUFFIX), record.kind.value.replace("_", " ")
    prose = " ".join(part.reading.plain for part in record.prose)
    fields = [text for name, node in record.fields.items() for _, text in texts(node, name)]
    words = " ".join((record.id, *record.aliases, *fields))
    yield record.name, kind, address, " · ".join((record.id, *record.aliases)), f"{words}\n{' '.join(prose.split())}"
    for figure in record.figures:
        worth = look.as_quoted(figure) or ", ".join(map(amount, figure.values))
        inputs = " ".join(f"{name}={value}" for name, value in (*figure.bindings, *figure.over))
        yield figure.key, "figure", f"{address}#{figure_anchor(figure.name)}", worth, f"{figure.formula} {inputs}"
    for fact in record.facts:
        shown = fact.written if fact.written is not None else fact.absent.replace("_", " ")
        words = " ".join((record.name, *record.aliases, *fact.sources, *("contested" for _ in range(fact.contested))))
        yield fact.key, "value", f"{address}#{fact_anchor(fact.path)}", shown, words
    for claim in record.claims:
        yield f"{record.id}.{claim.id}", "claim", f"{address}#claim-{claim.id}", claim.statement, claim.conditions
    for formula in record.formulas:
        key, anchor = f"{record.id}.{formula.name}", f"{address}#formula-{formula.name}"
        yield key, "formula", anchor, formula.text, " ".join(name.text for name in formula.written)
