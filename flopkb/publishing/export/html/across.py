"""The pages that run across all records: figures, claims, open questions, search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.base.model import Basis, Status
from flopkb.base.verdicts import Proved
from flopkb.publishing.export.anchors import Place, page
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.element import Html, el, joined
from flopkb.publishing.export.html.facts import fact_table, row_table, told_verdict
from flopkb.publishing.export.html.figures import amount, as_quoted
from flopkb.publishing.export.html.layout import PageParts, part
from flopkb.publishing.export.html.links import SUFFIX, Links
from flopkb.publishing.export.html.records import Site
from flopkb.publishing.export.html.tables import Cell, Num, Row, count_cell, filter_box, table, value_cell
from flopkb.publishing.export.resolved import ResolvedClaim, ResolvedFact, ResolvedFigure, ResolvedRecord, ResolvedRow


def heading(title: str, lead: str = "") -> Html:
    """The head of such a page."""
    return el("header", el("h1", title), el("p", lead, class_="lead") if lead else None, class_="title")


def listing(title: str, note: str, groups: list[list[Row]], listed: Html | None) -> Html:
    """A page that is one table."""
    told = el("p", note, class_="note") if note else None
    return joined(heading(title), told, filter_box(len(groups)), listed or el("p", "None yet."))


FIGURES = ("Figure", "Record", "As quoted", Num("Computed"), Num("Exact"), "Formula", Num("Quoted"))
FIGURES_NOTE = "Exact values are in the unit of the formula; the figure itself unfolds to its inputs."


def figures_page(site: Site) -> PageParts:
    """Every figure."""
    links = Links(site.base)
    groups = [[figure_row(figure, site, links)] for figure in site.figures.values()]
    listed = table(FIGURES, groups, caption="Figures", class_="records")
    lead = listing("Figures", FIGURES_NOTE, groups, listed)
    return PageParts("figures.html", "Figures", lead, current="figures", wide=True)


def figure_row(figure: ResolvedFigure, site: Site, links: Links) -> Row:
    """A figure on one line."""
    mark = joined(" ", badges.disputed()) if figure.contested else None
    first = figure.values[0] if len(figure.values) == 1 else None
    name = joined(links.figure(figure.key, el("code", figure.name)), mark)
    return Row(
        (
            Cell(name, figure.name, is_head=True),
            links.record(figure.record, el("code", figure.record)),
            as_quoted(figure, site.quotes),
            value_cell(first, ", ".join(map(amount, figure.values)) or "not computed"),
            value_cell(first, ", ".join(value.fraction for value in figure.values)),
            links.formula(figure.formula),
            count_cell(len(site.quotes.get(figure.key, ()))),
        )
    )


def every_claim(site: Site) -> Iterator[tuple[ResolvedRecord, ResolvedClaim]]:
    """The claims with their records."""
    return ((record, claim) for record in site.base.records.values() for claim in record.claims)


def claims_page(site: Site) -> PageParts:
    """Every claim."""
    links = Links(site.base)
    groups = [[claim_row(record, claim, links)] for record, claim in every_claim(site)]
    heads = ("Claim", "Record", "Says", "Result", "How it is known")
    listed = table(heads, groups, caption="Claims", class_="claims")
    return PageParts("claims.html", "Claims", listing("Claims", "", groups, listed), current="claims", wide=True)


def claim_row(record: ResolvedRecord, claim: ResolvedClaim, links: Links) -> Row:
    """A claim on one line."""
    conditions = el("small", f" {claim.conditions}") if claim.conditions else None
    name = links.to(Place(record.id, f"claim-{claim.id}"), el("code", claim.id))
    of = links.record(record.id, el("code", record.id))
    says = joined(el("code", claim.statement), conditions)
    told = (badges.verdict(claim.verdict), told_verdict(claim.verdict))
    return Row((Cell(name, claim.id, is_head=True), of, says, *told))


@dataclass(frozen=True, slots=True)
class Doubts:
    """What is contested, unverified, not verified as a whole, or not proved."""

    contested: list[ResolvedFact]
    unverified: list[ResolvedFact]
    effects: list[ResolvedRow]
    records: list[ResolvedRecord]
    claims: list[tuple[ResolvedRecord, ResolvedClaim]]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.contested) + len(self.unverified) + len(self.effects) + len(self.records) + len(self.claims)


def doubts(site: Site) -> Doubts:
    """Everything that is open."""
    base = site.base
    records = list(base.records.values())
    return Doubts(
        [fact for fact in base.facts if fact.disputed],
        [fact for fact in base.facts if fact.basis is Basis.UNVERIFIED and not fact.absent],
        [row for record in records for row in record.rows if row.basis is Basis.UNVERIFIED],
        [record for record in records if record.status is not Status.VERIFIED],
        [(r, c) for r, c in every_claim(site) if c.verdict is not None and not isinstance(c.verdict, Proved)],
    )


def open_page(site: Site) -> PageParts:
    """What is open, with both sides where there are two."""
    links, found = Links(site.base), doubts(site)
    contested = fact_table(found.contested, links, site.moved, named=True)
    unverified = fact_table(found.unverified, links, site.moved, named=True)
    effects = row_table(found.effects, links, site.figures, site.quotes)
    records = [el("li", links.record(record.id), " ", badges.status(record.status)) for record in found.records]
    claims = [unproved(record, claim, links) for record, claim in found.claims]
    parts = (
        part("contested", "Contested values", contested),
        part("effects", "Effects with nothing behind them", effects),
        part("values", "Values with nothing behind them", unverified),
        part("records", "Records that are not verified", el("ul", *records) if records else None),
        part("unproved", "Claims that are not proved", el("ul", *claims) if claims else None),
    )
    lead = heading("Open questions", "Where sources disagree, and what nothing stands behind.")
    return PageParts("open.html", "Open questions", lead, parts, "open")


def unproved(record: ResolvedRecord, claim: ResolvedClaim, links: Links) -> Html:
    """A claim that is not proved."""
    name = links.to(Place(record.id, f"claim-{claim.id}"), el("code", f"{record.id}.{claim.id}"))
    return el("li", name, " ", badges.verdict(claim.verdict), " ", told_verdict(claim.verdict))


SEARCH_NOTE = "Names, ids, figures, claims, values, and the text of all records."


def search_page(site: Site) -> PageParts:
    """Where all hits of a search are shown."""
    records = site.base.records.values()
    lines = [el("li", el("a", record.name, href=page(site.base, record.id, SUFFIX))) for record in records]
    without = el(
        "noscript", el("p", "Search needs JavaScript. These are all records:"), el("ul", *lines, class_="columns")
    )
    lead = joined(
        heading("Search"),
        el("p", SEARCH_NOTE, id="summary", aria_live="polite"),
        el("ol", id="results", class_="results"),
        without,
    )
    return PageParts("search.html", "Search", lead, current="search")
