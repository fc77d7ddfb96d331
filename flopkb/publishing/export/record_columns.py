"""The columns of records and of what stands in them, and which tables there are (the rest of :mod:`columns`)."""

from __future__ import annotations

from typing import TypeVar

from flopkb.base.claims.verdicts import CorrectionVerdicts
from flopkb.base.evaluate.domains import domain_text
from flopkb.base.link import Passage
from flopkb.base.model import Formula, FormulaCase, Narrowing, Status, Symbol, TypeGroup
from flopkb.publishing.export import columns
from flopkb.publishing.export.columns import (
    BASIS,
    COUNT,
    CSV,
    DECIDED,
    FACT_KEY,
    FILE,
    JSON,
    LINE,
    MAY,
    MAYBE,
    PERHAPS,
    PLACE,
    RECORD_OF,
    SCHEMA_VERSION,
    SQL,
    STANDS,
    TEXT,
    TRUTH,
    WHOLE,
    Pair,
    RecordFields,
    hanging,
    line_of,
    listed,
    many,
    number,
    owner,
)
from flopkb.publishing.export.forms import (
    FLAT,
    DataColumn,
    DataTable,
    FormList,
    InputMap,
    ItemTable,
    NameList,
    Nested,
    Single,
    column,
)
from flopkb.publishing.export.resolved import (
    KINDS,
    ResolvedBase,
    ResolvedCell,
    ResolvedClaim,
    ResolvedCorrection,
    ResolvedQuote,
    ResolvedRecord,
    ResolvedRow,
    ResolvedTable,
    domain_of,
    origin_of,
    pairs,
    scalars_of,
    text_at,
)

T = TypeVar("T")


PROSE = DataTable[Passage](
    "prose",
    "A field of Markdown.",
    (
        owner(),
        column("field", TEXT, "Its dotted path.", of="prose.field"),
        column("markdown", TEXT, "The text as written, links and all.", of="scalar.text"),
        line_of("scalar.location.line"),
    ),
    sql="prose",
    constraints=("PRIMARY KEY (record, field)",),
)
SYMBOL = DataTable[Symbol](
    "symbol",
    "A name in the record's formulas.",
    (
        owner(),
        column("name", TEXT),
        column("meaning", TEXT, "Markdown."),
        column("unit", TEXT, of="unit_text"),
        column("from", MAY, "The recorded value that it is taken from.", take=origin_of, sql="taken_from"),
        column("value", MAY, "The constant that it is.", sql="constant"),
        column("domain", MAY, "The values that it may take, in words.", take=domain_of),
    ),
    sql="symbols",
    constraints=("PRIMARY KEY (record, name)",),
)
NARROWING = DataTable[Narrowing](
    "narrowing",
    "What a record leaves of the domain of a symbol of the vocabulary.",
    (
        column("symbol", TEXT, take=lambda n: n.key.text),
        column("domain", TEXT, "The values that are left, in words.", take=lambda n: domain_text(n.domain)),
    ),
)
GROUP = DataTable[TypeGroup](
    "group",
    "Types of layers under one name.",
    (column("name", TEXT), column("types", NameList(), "The types.", of="members")),
)
FORMULA_CASE = DataTable[FormulaCase](
    "formula_case",
    "An expression, and when it is the one that counts.",
    (
        column("when", MAY, "The condition; null where the expression always counts."),
        column("expr", TEXT, "The expression as written."),
    ),
)
FORMULA = DataTable[Formula](
    "formula",
    "A formula.",
    (
        owner(),
        column("name", TEXT),
        column("expr", TEXT, "The expression as written; of several cases each with its condition.", of="text"),
        many("cases", lambda: FORMULA_CASE, "The cases, of which exactly one may hold; a plain formula has one."),
        column("unit", TEXT),
        column("written", NameList(), "Names that prose writes for it.", JSON),
        line_of("key.location.line"),
    ),
    sql="formulas",
    constraints=("PRIMARY KEY (record, name)",),
    key=lambda row: f"{row.owner}.{row.thing.name}",
)
POINT = DataTable[tuple[str, tuple[Pair, ...]]](
    "point",
    "A named operating point.",
    (
        column("name", TEXT, take=lambda p: p[0]),
        column("inputs", InputMap(), "Inputs as written.", take=lambda p: p[1]),
    ),
)
TERM = DataTable[tuple[str, str | None]](
    "",
    "An operand.",
    (column("term", TEXT, take=lambda t: t[0]), column("exponent", PERHAPS, take=lambda t: t[1])),
)
CLAIM = DataTable[ResolvedClaim](
    "claim",
    "A statement about formulas, and how it ended.",
    (
        owner(),
        column("id", TEXT, flat="claim"),
        column("relation", TEXT, "independent_of, equals, at_most, ...", JSON | SQL, of="own.relation"),
        column("formula", TEXT, formats=JSON, of="own.formula"),
        many("terms", lambda: TERM, "Operands of the relation.", "own.terms"),
        column("given", InputMap(), "Inputs held fixed.", JSON, take=lambda c: pairs(c.own.given)),
        column("where", NameList(), "Conditions.", JSON, of="own.where"),
        column("over", InputMap(), "Records that roles run over.", JSON, take=lambda c: pairs(c.own.over)),
        column("options", InputMap(), "`in` and `at` of a crossing.", JSON, of="own.options"),
        column("limits", InputMap(), "What symbols approach.", JSON, of="own.limits"),
        column("statement", TEXT, "What is claimed, in words."),
        column("conditions", TEXT, "What narrows it, in words."),
        column("verdict", DECIDED, "Null where claims were not decided."),
        column("note", TEXT, "Markdown.", JSON),
        FILE,
        LINE,
    ),
    csv="claims",
    sql="claims",
    constraints=("PRIMARY KEY (record, claim)",),
)
_BY_ROW = hanging("hardware_row", "hardware_rows")
HARDWARE_ROW = DataTable[ResolvedRow](
    "hardware_row",
    "Which quantity of the hardware moves the class, and on which basis.",
    (
        number(),
        RECORD_OF,
        column("row", WHOLE, formats=FLAT, take=lambda r: r.index + 1, sql="position"),
        column("parameter", TEXT, of="own.parameter"),
        column("effect", TEXT, "As written: the record's own words, whole or their beginning.", JSON, of="own.effect"),
        column("sentence", TEXT, "The words that it stands for."),
        column("basis", BASIS, STANDS, of="own.basis.value"),
        column(
            "magnitude",
            listed("hardware_row_figures", _BY_ROW, "figure", Single(references="figures.key")),
            "Keys of the figures that the sentence quotes.",
        ),
        column(
            "values_for",
            listed("hardware_row_parts", _BY_ROW, "accelerator"),
            "Ids of accelerators.",
            of="own.values_for",
        ),
        column("sources", listed("hardware_row_sources", _BY_ROW, "source"), "Ids of sources.", of="own.sources"),
        *(column(name, MAY, of=f"own.{name}") for name in ("as_printed", "method", "device", "date")),
        column("demand", TRUTH, "The magnitude is an amount of the quantity that is asked for.", of="own.demand"),
        column("moves", TRUTH, "Whether more of the quantity changes anything.", of="own.moves"),
        column("cost", MAY, "The formula that is differentiated.", of="own.cost"),
        column(
            "elasticity",
            InputMap(),
            "By operating point: percent of cost for a percent of the quantity.",
            of="own.elasticity",
        ),
        FILE,
        LINE,
    ),
    csv="hardware_rows",
    sql="hardware_rows",
    indexes=(("hardware_rows_by_record", "record, position"),),
)
CORRECTED = DataTable[CorrectionVerdicts](
    "",
    "Verdicts.",
    (
        column("counterexamples", FormList(DECIDED, "Against what was stated."), "In their order."),
        column("holds_when", DECIDED, "What was stated, where it holds."),
        column("now", DECIDED, "What stands now."),
    ),
)
CORRECTION = DataTable[ResolvedCorrection](
    "correction",
    "An earlier statement that was wrong.",
    (
        owner(),
        column("position", WHOLE, formats=SQL, take=lambda c: c.index + 1),
        column("date", TEXT),
        column("stated", TEXT, of="own.stated"),
        column("given", InputMap(), "Inputs.", take=lambda c: pairs(c.own.given)),
        column("holds_when", MAY, of="own.holds_when"),
        column(
            "counterexamples",
            FormList(InputMap(), "Inputs."),
            "Where it fails.",
            JSON,
            take=lambda c: [pairs(bound) for _, bound in c.own.counterexamples],
        ),
        column("now", MAY, "The comparison that stands now.", of="own.now"),
        column("now_claim", MAY, "The claim that stands now.", of="own.now_claim"),
        column("note", MAY, "Markdown."),
        column(
            "verdicts",
            Nested(lambda: CORRECTED, null=True),
            "Each part, decided; null where claims were not decided.",
            JSON,
        ),
        LINE,
    ),
    sql="corrections",
    constraints=("PRIMARY KEY (record, position)",),
)
CHANGE = DataTable[Pair](
    "",
    "A change.",
    (owner(), column("date", TEXT, take=lambda c: c[0]), column("change", TEXT, "Markdown.", take=lambda c: c[1])),
    sql="history",
)
KINDS_OF_QUOTES = ("figure", "computation", "derivation", "input", "fact", "claim", "literal", "unresolved")
QUOTE = DataTable[ResolvedQuote](
    "quote",
    "A link in prose.",
    (
        number(),
        RECORD_OF,
        column("field", TEXT, "The prose field that it stands in."),
        column("text", TEXT, "The quoted words, as written."),
        column("kind", Single(one_of=KINDS_OF_QUOTES), formats=JSON | CSV),
        column("kind", TEXT, formats=SQL),
        column(
            "key",
            TEXT,
            "What is quoted: key of a figure or a fact, record.owner.input, record.claim, or the reason of a literal.",
        ),
        column("figure", Single(optional=True, references="figures.key"), formats=SQL, of="key"),
        column("fact", FACT_KEY, formats=SQL, take=lambda q: q.key if q.kind == "fact" else ""),
        column("target", TEXT, "The link's target as written.", JSON),
        column("values", FormList(Nested(lambda: columns.EXACT)), "The exact values of what is quoted.", JSON | CSV),
        column(
            "verdict", MAY, "What judging the words gave: `ok` if they stand; empty where there is nothing to judge."
        ),
        column("is_math", TRUTH, "The words are an equation.", JSON | SQL),
        column("fault", TEXT, "Why it cannot be resolved; empty if it can.", JSON),
        FILE,
        LINE,
        column("column", PLACE, of="place.column", sql='"column"'),
    ),
    {JSON: ("field", "line", "column")},
    csv="quotes",
    sql="quotes",
    indexes=(("quotes_by_figure", "figure"), ("quotes_by_fact", "fact"), ("quotes_by_record", "record")),
)
CELL = DataTable[ResolvedCell](
    "",
    "A cell.",
    (
        column("inputs", InputMap(), "Of its row and column."),
        column("value", MAYBE, "Null where it cannot be computed."),
        column("fault", TEXT),
    ),
)
FIGURE_TABLE = DataTable[ResolvedTable](
    "table",
    "A table of figures in prose.",
    (
        column("formula", TEXT),
        column("unit", TEXT),
        column("rows", NameList(), "Inputs that change from row to row."),
        column("columns", NameList(), "Inputs that change from column to column."),
        column("caption", TEXT, "Markdown."),
        column(
            "cells",
            FormList(Nested(lambda: CELL)),
            "Row by row.",
            JSON,
            take=lambda t: [cell for row in t.cells for cell in row],
        ),
    ),
)
_KINDS = Single(one_of=tuple(kind.value for kind in KINDS))
_BY = hanging("record", "records")
RECORD = DataTable[ResolvedRecord](
    "record",
    "A record.",
    (
        column("id", Single(pattern="^[a-z][a-z0-9_]*$", primary=True)),
        column("kind", _KINDS, of="kind.value"),
        column("name", TEXT),
        column("aliases", listed("aliases", _BY, "alias", TEXT), "Other names."),
        column("status", Single(one_of=tuple(status.value for status in Status)), of="status.value"),
        column(
            "confidence", PERHAPS, "The editor's, from 0 to 1, as written; nothing is computed with it.", JSON | CSV
        ),
        column("confidence", Single("real", null=True), formats=SQL),
        column("updated", PERHAPS, "ISO date."),
        column(
            "fields",
            RecordFields(ItemTable("fields", _BY, (("path", TEXT), ("value", TEXT)))),
            "Fields of its kind that have no place of their own, as in the record's schema.",
            JSON | SQL,
        ),
        column("sources", listed("record_sources", _BY, "source"), "Ids."),
        column("file", TEXT, "Its file, below the folder of records."),
        many("prose", lambda: PROSE, "Every field of Markdown."),
        column(
            "citations", listed("citations", _BY, "source", after="prose"), "Sources that the prose cites.", JSON | SQL
        ),
        many("symbols", lambda: SYMBOL, "Names in formulas."),
        many("domains", lambda: NARROWING, "Domains of symbols of the vocabulary, as the record narrows them."),
        many("groups", lambda: GROUP, "Groups of types, of a vocabulary."),
        many("formulas", lambda: FORMULA, "Formulas."),
        many("points", lambda: POINT, "Operating points."),
        many("figures", lambda: columns.FIGURE, "Figures."),
        many("claims", lambda: CLAIM, "Claims."),
        many("facts", lambda: columns.FACT, "Recorded values."),
        many("hardware_rows", lambda: HARDWARE_ROW, "Effects of hardware.", "rows"),
        column(
            "affected_by_hardware",
            listed("affected_products", _BY, "accelerator", after="hardware_row_sources"),
            "Ids of accelerators.",
            JSON | SQL,
            of="products",
        ),
        many("corrections", lambda: CORRECTION, "Corrections."),
        many("history", lambda: CHANGE, "History."),
        many("quotes", lambda: QUOTE, "Links in its prose."),
        many("tables", lambda: FIGURE_TABLE, "Tables in its prose."),
    ),
    {JSON: ("id", "kind", "name", "aliases", "status", "confidence", "updated", "file", "sources", "fields")},
    csv="records",
    sql="records",
    key=lambda row: row.thing.id,
)


def stated(path: str) -> DataColumn[ResolvedRecord]:
    """A field of a source as written, by its path; the column is called as its last part."""
    return column(path.rpartition(".")[2], TEXT, formats=CSV, take=lambda r: text_at(r.record.document.root, path))


SOURCE = DataTable[ResolvedRecord](
    "source",
    "A source.",
    (
        column("id", TEXT, formats=CSV),
        column("name", TEXT, formats=CSV),
        *map(stated, ("source_kind", "title")),
        column("authors", NameList(), formats=CSV, take=lambda r: scalars_of(r.record.document.root.get("authors"))),
        *map(stated, ("organisation", "year", "published_in", "volume", "number", "pages", "publisher")),
        *(stated(f"locator.{name}") for name in ("url", "doi", "arxiv", "isbn", "page", "path")),
        stated("accessed"),
    ),
    csv="sources",
)
BASE = DataTable[ResolvedBase](
    "",
    "The base that was exported.",
    (
        column(
            "digest",
            Single(pattern="^[0-9a-f]{12}$"),
            "Equal for equal records; documents rendered from the base name the same one.",
            of="version.digest",
        ),
        column("updated", TEXT, "The latest date on which a record was changed.", of="version.updated"),
        column("records", COUNT, of="version.records"),
        column("unread_faults", COUNT, "Faults that kept files or parts of them out; 0 for a sound base.", of="unread"),
        column("generator", TEXT, formats=CSV, take=lambda b: f"flopkb {b.version.package}"),
        column("schema_version", TEXT, formats=CSV, take=lambda b: SCHEMA_VERSION),
    ),
    csv="base",
)
