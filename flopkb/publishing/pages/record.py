"""The page of a record, for every format: its parts in order, what each holds, and what one format says and others do not.

A new part is an entry of :meth:`RecordPage.parts`; a new column of a table is a head and a cell beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flopkb.base.claims.verdicts import ClaimVerdict, Refuted
from flopkb.base.model import Kind
from flopkb.publishing.export.anchors import fact_place
from flopkb.publishing.export.resolved import (
    ResolvedClaim,
    ResolvedCorrection,
    ResolvedFigure,
    ResolvedRecord,
    domain_of,
    origin_of,
    pairs,
    scalars_of,
    text,
)
from flopkb.publishing.pages.blocks import (
    Block,
    BlockGroup,
    ColumnHead,
    FieldProse,
    Fields,
    Items,
    Lines,
    ListOf,
    Paragraph,
    RecordTable,
    RowCell,
    TableRow,
)
from flopkb.publishing.pages.facts import fact_table, rests_on, row_table, source_reference
from flopkb.publishing.pages.figures import figure_list
from flopkb.publishing.pages.formulas import formula_table, layer_tables
from flopkb.publishing.pages.inlines import (
    Aside,
    Code,
    Day,
    Flow,
    FormulaMath,
    OnlyIn,
    Remark,
    SiteLink,
    SitePlace,
    Styled,
    Words,
    Written,
)
from flopkb.publishing.pages.lookups import Lookups, assigned, between, verdict_mark
from flopkb.publishing.pages.terminal import claim_lines, correction_lines, row_lines

FIRST = {
    "markdown": ("prose", "values", "layers", "symbols", "formulas", "points", "figures", "computed", "claims"),
    "text": ("prose", "values", "formulas", "symbols", "points", "figures", "claims"),
}
"""The parts that a format shows first, where it does not follow the order of the site."""


@dataclass(frozen=True, slots=True)
class RecordPart:
    """A titled part of the page; its blocks are made when they are asked for."""

    name: str
    title: str
    blocks: Iterable[Block | None]
    forms: str = ""
    anchor: str = ""


def parts_in(form: str, page: RecordPage) -> list[RecordPart]:
    """The parts that a format shows, in its order."""
    first = FIRST.get(form, ())
    shown = [part for part in page.parts() if not part.forms or form in part.forms.split()]
    return sorted(shown, key=lambda part: first.index(part.name) if part.name in first else len(first))


@dataclass(frozen=True, slots=True)
class RecordPage:
    """One record, with what is looked up for it."""

    look: Lookups
    record: ResolvedRecord

    def parts(self) -> Iterator[RecordPart]:
        """The parts of the page, in the order in which a reader of the site wants them."""
        record, id = self.record, self.record.id
        if record.kind is Kind.SOURCE:
            yield RecordPart("reference", "Reference", source_reference(record, self.look), "html")
            yield RecordPart("rests", "What rests on it", rests_on(record, self.look), "html")
        yield RecordPart("values", "Values", fact_table(record.facts, self.look, id))
        yield RecordPart("layers", "Layers", layer_tables(record.record.layers, record.record.document.root))
        for field in record.prose:
            if "." not in field.prose.field and "[" not in field.prose.field:
                title = field.prose.field.replace("_", " ").capitalize()
                yield RecordPart(
                    "prose", title, (FieldProse(id, field.prose.field, "prose"),), anchor=field.prose.field
                )
        yield RecordPart("figures", "Figures", figure_list(record.figures, self.look, record))
        computed = tuple(computations(record, self.look))
        yield RecordPart("computed", "Computed in place", figure_list(computed, self.look, record), "html markdown")
        hardware = row_table(record.rows, self.look, id)
        yield RecordPart("hardware", "Hardware", (*hardware, *self.products("html")), "html markdown")
        yield RecordPart("hardware", "Hardware parameters", self.told(self.hardware_lines()), "text")
        yield RecordPart("products", "Affected products", self.products("markdown text"), "markdown text")
        claims = (line for claim in record.claims for line in claim_lines(claim))
        yield RecordPart("claims", "Claims", (*claim_table(record), *self.told(claims)))
        yield RecordPart("formulas", "Formulas", formula_table(id, record.formulas))
        yield RecordPart("symbols", "Symbols", self.symbols())
        yield RecordPart("groups", "Groups of types", self.groups())
        yield RecordPart("points", "Operating points", self.points())
        yield RecordPart("corrections", "Corrections", self.corrections())
        yield RecordPart("sources", "Sources", self.sources())
        yield RecordPart("used", "Used by", self.used_by(), "html")
        yield RecordPart("history", "History", self.history(), "html markdown")

    def told(self, lines: Iterable[str]) -> Iterator[Block]:
        """What a terminal alone shows as lines."""
        yield BlockGroup((Lines(lines),), "", form="text")

    def hardware_lines(self) -> Iterator[str]:
        """The hardware rows, with what they do to costs at the record's points."""
        own, base = self.record.record, self.look.base.base
        return (line for row in own.rows for line in row_lines(row, own, base))

    def products(self, form: str) -> Iterator[Block]:
        """The parts that the class is affected by."""
        links = [self.look.record(id) for id in self.record.products]
        if links and form == "html":
            yield BlockGroup((Paragraph(("Affected products: ", between(", ", links), ".")),), "", form="html")
        elif links:
            yield BlockGroup((Items(links),), "", form="markdown")
            yield from self.told(self.record.products)

    def symbols(self) -> Iterator[Block]:
        """What the symbols mean and where they come from."""
        groups = []
        own = ((self.record.id, symbol) for symbol in self.record.symbols)
        for id, symbol in (*own, *self.record.shared):
            shown = OnlyIn("html", (FormulaMath(f"{id}.{symbol.name}", symbol=True), " "))
            of = None if id == self.record.id else Aside((" of ", self.look.record(id)))
            name = RowCell((shown, Code(symbol.name), of), symbol.name, is_head=True)
            meaning = Remark(symbol.meaning.text, id, f"symbols.{symbol.name}.meaning")
            given = origin_of(symbol) or text(symbol.value)
            origin = Code(given) if given else None
            cells = (name, meaning, Written(symbol.unit_text), origin, Words(domain_of(symbol)))
            groups.append([TableRow(cells, f"symbol-{symbol.name}")])
        heads = [ColumnHead(title) for title in ("Symbol", "Meaning", "Unit", "From", "Domain")]
        yield RecordTable(heads, groups, "Symbols", "symbols", anchors="html")

    def groups(self) -> Iterator[Block]:
        """Types of layers under one name."""
        rows = []
        for group in self.record.groups:
            types = between(", ", (Code(member.text) for member in group.members))
            rows.append([TableRow((RowCell(Code(group.name), group.name, is_head=True), types), f"group-{group.name}")])
        yield RecordTable((ColumnHead("Group"), ColumnHead("Types")), rows, "Groups of types", "groups")

    def points(self) -> Iterator[Block]:
        """The operating points; on the site a record among the inputs is a link."""
        groups = []
        for name, inputs in self.record.points:
            given = OnlyIn("html", between(", ", map(self.point_input, inputs)))
            cells = (RowCell(Code(name), name, is_head=True), (given, OnlyIn("markdown", assigned(inputs))))
            groups.append([TableRow(cells, f"point-{name}")])
        yield RecordTable((ColumnHead("Point"), ColumnHead("Inputs")), groups, "Operating points", "points")

    def point_input(self, pair: tuple[str, str]) -> Flow:
        """An input of a point."""
        name, value = pair
        known = value in self.look.base.records
        return (Code(f"{name} = "), self.look.record(value, Code(value)) if known else Code(value))

    def corrections(self) -> Iterator[Block]:
        """What was wrong, and what stands now."""
        found = [self.correction(correction) for correction in self.record.corrections]
        yield BlockGroup([site for site, _ in found], "", form="html")
        if found:
            yield BlockGroup((ListOf(tuple(item for _, item in found), None, True),), "", form="markdown")
        yield from self.told(
            line for correction in self.record.corrections for line in correction_lines(correction.own)
        )

    def correction(self, correction: ResolvedCorrection) -> tuple[Block, tuple[Block, ...]]:
        """One correction, for the site and as an item of a list."""
        id, note = self.record.id, f"corrections.{correction.index}.note"
        own, claim = correction.own, text(correction.own.now_claim)
        given = (" at ", assigned(pairs(own.given))) if own.given else None
        holds = ("; it holds when ", Code(own.holds_when.text)) if own.holds_when is not None else None
        now: Flow = Code(text(own.now) or claim) if text(own.now) or claim else None
        if self.look.base.has(id, "claim", claim):
            now = SiteLink(SitePlace(id, f"claim-{claim}"), now)
        bounds = [pairs(bound) for _, bound in own.counterexamples]
        verdicts = correction.verdicts.counterexamples if correction.verdicts is not None else None
        prose = (FieldProse(id, note),) if self.record.passage(note) is not None else ()
        fields: list[tuple[str, Flow]] = [("Stated", (Styled("del", Code(own.stated.text)), given, holds))]
        fields += [
            ("Refuted by", (assigned(bound), refuted(verdicts[index] if verdicts is not None else None)))
            for index, bound in enumerate(bounds)
        ]
        day = Paragraph(Day(correction.date), "bare")
        article = (day, Fields([*fields, ("Now", now)]), *prose)
        first = Paragraph((Words(correction.date), ": stated ", Code(own.stated.text), given, holds, "."))
        below: list[Flow] = [("Refuted by ", assigned(bound), ".") for bound in bounds]
        site = BlockGroup(article, "article", "correction", f"correction-{correction.index + 1}")
        return site, (first, Items([*below, ("Now ", now, ".")]), *prose)

    def sources(self) -> Iterator[Block]:
        """The sources of the record; on the site also those that only its prose cites."""
        record, look = self.record, self.look
        ids = dict.fromkeys((*record.sources, *record.citations))
        uncited = Aside(" (not cited in the text)")
        titled = [(look.source(id), " ", self.title_of(id), None if id in record.citations else uncited) for id in ids]
        yield BlockGroup((Items(titled, "sources"),), "", form="html")
        yield BlockGroup((Items([look.record(id) for id in record.sources]),), "", form="markdown")
        yield from self.told(record.sources)

    def title_of(self, id: str) -> Flow:
        """The title of a source."""
        found = self.look.base.records.get(id)
        titles = scalars_of(found.fields.get("title")) if found is not None else ()
        return Words(titles[0]) if len(titles) == 1 else None

    def used_by(self) -> Iterator[Block]:
        """Figures that read this record's values, and records whose prose quotes it."""
        record, look = self.record, self.look
        if record.kind in (Kind.WORKLOAD_CLASS, Kind.FORMULA):
            quoting = (places for key, places in look.quotes.items() if key.partition(".")[0] == record.id)
            readers = sorted({other for places in quoting for other, _, _ in places if other != record.id})
            if readers:
                yield Paragraph(("Quoted by ", between(", ", map(look.record, readers)), "."))
        elif record.kind is not Kind.SOURCE:
            read = [f for f in look.figures.values() if any(fact_place(key).record == record.id for key in f.facts)]
            yield Items([(look.figure(f.key, record.id, Code(f.key)), " ", look.as_quoted(f)) for f in read], "columns")

    def history(self) -> Iterator[Block]:
        """What changed when; on the site the latest first."""
        id = self.record.id
        told = [
            (date, Remark(change, id, f"history.{index}.change"))
            for index, (date, change) in enumerate(self.record.history)
        ]
        site: list[Flow] = [(Day(date), " ", change) for date, change in reversed(told)]
        yield BlockGroup((Items(site, "history", ordered=True),), "", form="html")
        yield BlockGroup((Items([(Words(date), ": ", change) for date, change in told]),), "", form="markdown")


def computations(record: ResolvedRecord, look: Lookups) -> Iterator[ResolvedFigure]:
    """The formulas with inputs that the prose of the record quotes."""
    keys = dict.fromkeys(quote.key for quote in record.quotes if quote.kind == "computation")
    return (look.base.computations[key] for key in keys)


def claim_table(record: ResolvedRecord) -> Iterator[Block]:
    """The claims of a record."""
    heads = (ColumnHead("Claim"), ColumnHead("Says"), ColumnHead("Result"), ColumnHead("How it is known", forms="html"))
    groups = [
        [
            TableRow(
                (RowCell(Code(claim.id), claim.id, is_head=True), *claim_cells(claim, record.id)), f"claim-{claim.id}"
            )
        ]
        for claim in record.claims
    ]
    yield BlockGroup((RecordTable(heads, groups, "Claims", "claims"),), "", form="html markdown")


def claim_cells(claim: ResolvedClaim, noted: str = "") -> tuple[Flow, ...]:
    """What a claim says, how it ended, how that is known; with its note where it is at home (``noted``)."""
    narrowed = (
        (OnlyIn("html", Aside((" ", Words(claim.conditions)))), OnlyIn("markdown", (", ", Words(claim.conditions))))
        if claim.conditions
        else None
    )
    note = OnlyIn("html", Aside((" ", Remark(claim.note, noted)))) if claim.note and noted else None
    sentence = (
        OnlyIn("markdown", (Styled("strong", claim.verdict.word), ": ", Words(str(claim.verdict))))
        if claim.verdict is not None
        else None
    )
    result = (OnlyIn("html", verdict_mark(claim.verdict)), sentence)
    return ((Code(claim.statement), narrowed, note), result, Words(told_verdict(claim.verdict)))


def told_verdict(verdict: ClaimVerdict | None) -> str:
    """The sentence of a verdict, without the word that the mark has already."""
    return "" if verdict is None else str(verdict).removeprefix(f"{verdict.word} ")


def refuted(verdict: ClaimVerdict | None) -> Flow:
    """How a counterexample contradicts what was stated."""
    if isinstance(verdict, Refuted) and verdict.left is not None and verdict.right is not None:
        return Aside((": there ", Words(str(verdict.left)), ", ", Words(str(verdict.right))))
    return None
