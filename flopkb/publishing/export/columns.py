"""The columns of every kind of thing in the data formats, each once: name, form, where it is taken from, what it says.

JSON, JSON Lines, CSV, SQLite, the JSON Schema and the SQL schema are all made from these tables; a new field is one
``column`` here. A key that has nothing to say is there all the same, as an empty text, list or null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from flopkb.base.claims.verdicts import ENDINGS, ClaimVerdict, Tested
from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Node, Scalar
from flopkb.base.model import Basis
from flopkb.publishing.export.comparisons import ComparedValue
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.forms import (
    FLAT,
    DataColumn,
    DataForm,
    DataRow,
    DataTable,
    Format,
    FormList,
    InputMap,
    ItemTable,
    Json,
    Keys,
    NameList,
    Nested,
    Single,
    Stored,
    column,
)
from flopkb.publishing.export.resolved import ResolvedCase, ResolvedFact, ResolvedFigure, ResolvedInput, ResolvedStep

SCHEMA_VERSION = "1.1"
"""Grows with the schema: the second number where something was added, the first where a reader may stumble."""

T = TypeVar("T")
Pair = tuple[str, str]
JSON, CSV, SQL = Format.JSON, Format.CSV, Format.SQL
TEXT, MAY, PERHAPS = Single(), Single(optional=True), Single(null=True)
WHOLE, COUNT, PLACE, TRUTH = (
    Single("integer"),
    Single("integer", minimum=0),
    Single("integer", minimum=1),
    Single("boolean"),
)
RECORD_ID, FACT_KEY = Single(references="records.id"), Single(optional=True, references="facts.id")
BASIS = Single(one_of=tuple(basis.value for basis in Basis))
STANDS = "What stands behind the value."
RECORD_OF: DataColumn[Any] = column("record", RECORD_ID, formats=FLAT)
FILE: DataColumn[Any] = column("file", TEXT, formats=CSV, of="place.path")


def line_of(path: str) -> DataColumn[Any]:
    """Where a thing begins, by the path to its line."""
    return column("line", PLACE, "Line of the record's file.", of=path)


LINE = line_of("place.line")


def hanging(name: str, table: str, key: str = "id") -> str:
    """The column of a table of SQLite by which its rows hang on those of another."""
    return Single(references=f"{table}.{key}").ddl(name)[0]


def listed(name: str, owner: str, item: str, form: Single = RECORD_ID, after: str = "") -> NameList:
    """A list of texts with a table of its own: its name, by what it hangs on its thing, and the column of an item."""
    return NameList(ItemTable(name, owner, ((item, form),), after=after))


def plain(node: Node) -> Any:
    """A field as plain data; numbers with a fraction as they are written."""
    if isinstance(node, Scalar):
        return node.value if isinstance(node.value, bool | int) else node.text
    if isinstance(node, MappingNode):
        return {key.text: plain(value) for key, value in node}
    return [plain(item) for item in node]


def texts(node: Node, path: str) -> Iterator[Pair]:
    """Every text below a field with its dotted path; items of a list are counted from 0, as in ``authors.0``."""
    if isinstance(node, Scalar):
        yield path, node.text
    elif isinstance(node, MappingNode):
        for key, value in node:
            yield from texts(value, f"{path}.{key.text}")
    else:
        for index, item in enumerate(node):
            yield from texts(item, f"{path}.{index}")


@dataclass(frozen=True, slots=True)
class RecordFields(DataForm[Mapping[str, Node]]):
    """Fields as the record has them: an object in JSON, a row for each text in SQL."""

    items: ItemTable

    def json(self, value: Mapping[str, Node]) -> Json:
        return {name: plain(node) for name, node in value.items()}

    def schema(self) -> Json:
        return {"type": "object"}

    def rows(self, value: Mapping[str, Node]) -> Iterable[tuple[str, ...]]:
        """A row for each text with its dotted path."""
        return (pair for name, node in value.items() for pair in texts(node, name))


@dataclass(frozen=True, slots=True)
class FormulaName(Single):
    """``record.formula``; in SQL two columns that refer to the table of formulas, where it has it."""

    def ddl(self, name: str) -> tuple[str, ...]:
        return (f"{name}_record TEXT", f"{name} TEXT")

    def stored(self, value: Stored, keys: Keys) -> tuple[Stored, ...]:
        holder, _, name = str(value).rpartition(".")
        return (holder, name) if value in keys["formulas"] else (None, None)


def of_row(name: str, form: DataForm[Any], take: Callable[[DataRow[Any]], Stored], formats: Format) -> DataColumn[Any]:
    """A column of flat tables alone, whose value hangs on where the thing stands."""
    return DataColumn(name, form, take, "", formats, name, name)


def owner(name: str = "record", form: Single = RECORD_ID, formats: Format = FLAT) -> DataColumn[Any]:
    """The key of what holds a thing."""
    return of_row(name, form, lambda row: row.owner, formats)


def number() -> DataColumn[Any]:
    """The number of a row of SQLite."""
    return of_row("id", Single("integer", primary=True), lambda row: row.number, SQL)


def many(name: str, table: Callable[[], DataTable[Any]], doc: str, of: str = "") -> DataColumn[Any]:
    """A list of things, which have tables of their own in the other formats."""
    return column(name, FormList(Nested(table)), doc, JSON, of=of)


# -- values and verdicts ------------------------------------------------------------------------------------------------
_UNIT: DataColumn[Any] = column("unit", TEXT, "Unit of the value; `1` for a plain number.")
BARE = DataTable[Exact](
    "value",
    "An exact number. It is numerator/denominator units.",
    (
        column("value", Single("real", null=True), formats=SQL, of="nearest"),
        column("numerator", Single(pattern="^-?[0-9]+$"), "Integer in decimal digits, with the sign."),
        column(
            "denominator",
            Single(pattern="^[1-9][0-9]*$"),
            "Positive integer in decimal digits; the fraction is in lowest terms.",
        ),
        column(
            "decimal",
            Single(pattern=r"^-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?$"),
            "A decimal: exact where it ends within 12 significant digits, else rounded half up to 17.",
        ),
        column("decimal_is_exact", TRUTH, "Whether the decimal is the value itself.", JSON),
    ),
    {CSV: ("decimal",), SQL: ("value", "decimal")},
)
EXACT = DataTable[Exact](BARE.name, BARE.doc, (*BARE.columns, _UNIT), BARE.first)
VERDICT = DataTable[ClaimVerdict](
    "verdict",
    "How a claim ended.",
    (
        column("result", Single(one_of=tuple(kind.word for kind in ENDINGS)), of="word"),
        column(
            "text",
            TEXT,
            "The verdict as a sentence: method, number of points, or counterexample.",
            take=str,
            flat="verdict",
        ),
        column(
            "points",
            Single("integer", null=True),
            "Points at which a tested claim was evaluated.",
            JSON,
            take=lambda v: v.points if isinstance(v, Tested) else None,
        ),
    ),
)
VALUE, MAYBE = Nested(lambda: EXACT), Nested(lambda: EXACT, null=True)
DECIDED = Nested(lambda: VERDICT, null=True)

# -- recorded values ----------------------------------------------------------------------------------------------------
FACT = DataTable[ResolvedFact](
    "fact",
    "A recorded value.",
    (
        number(),
        column("key", TEXT, "record.path, with @source for what another source states."),
        RECORD_OF,
        column("path", TEXT, "Dotted path below the record."),
        column("quantity", TEXT, formats=FLAT),
        column("value", MAYBE, "The amount, exactly, in the unit of the quantity.", JSON | CSV),
        column("value", Nested(lambda: BARE, null=True), formats=SQL),
        column("written", PERHAPS, "The amount as the record writes it; null where there is none."),
        column("unit", TEXT, "Unit of the quantity.", JSON | SQL),
        column("basis", BASIS, STANDS, of="basis.value"),
        column(
            "sources",
            NameList(
                ItemTable(
                    "fact_sources",
                    hanging("fact", "facts"),
                    (("source", RECORD_ID),),
                    indexes=(("fact_sources_by_source", "source"),),
                )
            ),
            "Ids of the sources.",
        ),
        column("as_printed", MAY, "The number as the source prints it."),
        column("reading", MAY, "The expression in `printed` that turns what is printed into the value."),
        column("formula", MAY, "The expression over values of the same record that gives a derived value."),
        column("absent", Single(optional=True, one_of=("not_supported", "not_published")), "Why there is no value."),
        column("dtype", Single(optional=True, references="records.id"), "Id of the number format of a peak rate."),
        column("sparsity", Single(optional=True, one_of=("dense", "sparse"))),
        column("accumulate", MAY, "Id of the format in which sums are kept."),
        column("method", MAY, "How it was measured."),
        column("device", MAY, "What it was measured on."),
        column("date", MAY, "When it was measured."),
        column("disputes", TRUTH, formats=CSV),
        column("disputes", FACT_KEY, formats=SQL, take=lambda f: f"{f.record}.{f.path}" if f.disputes else ""),
        column(
            "difference",
            Single(optional=True, one_of=("rounding", "notation", "conflict")),
            "How another source's value differs from the one that stands.",
        ),
        column("contested", TRUTH, formats=CSV, take=lambda f: f.contested),
        many("disputed", lambda: DISPUTED, "What other sources state."),
        column("preferred", MAY, "Why this value stands."),
        column("fault", TEXT, "Why the value cannot be read; empty if it can.", JSON),
        column("note", MAY, "Markdown."),
        FILE,
        LINE,
    ),
    {
        JSON: ("key", "path", "written", "value", "unit", "basis", "sources", "as_printed", "reading", "note", "line"),
        SQL: ("id", "key", "record", "path", "quantity", "written"),
    },
    csv="facts",
    sql="facts",
    indexes=(
        ("facts_by_key", "key"),
        ("facts_by_quantity", "quantity, record"),
        ("facts_by_record", "record, path"),
        ("facts_by_dispute", "disputes"),
    ),
    key=lambda row: row.thing.key,
    numbered=True,
)
DISPUTED: DataTable[ResolvedFact] = DataTable(
    "disputed_fact",
    "What another source states in place of a recorded value.",
    tuple(own for own in FACT.of(JSON) if own.name in (*FACT.first[JSON], "difference")),
)

# -- figures ------------------------------------------------------------------------------------------------------------
INPUT = DataTable[ResolvedInput](
    "input",
    "What a computation reads.",
    (
        owner("figure", TEXT, CSV),
        of_row("figure_value", Single("integer", references="figure_values.id"), lambda row: row.parent, SQL),
        of_row("choice", TEXT, lambda row: row.choice, CSV),
        column("side", Single(one_of=("upper", "lower")), "`lower` in what a figure with `over` is divided by."),
        column("name", TEXT, "The symbol, or the recorded value."),
        column("meaning", TEXT, "Meaning of the symbol."),
        column("given", MAY, "What binds it, as written; empty where a formula names the recorded value itself."),
        column("fact", FACT_KEY, "Key of the recorded value that it is."),
        column("value", VALUE),
    ),
    {JSON: ("name", "meaning", "given", "fact")},
    csv="figure_inputs",
    sql="figure_inputs",
    indexes=(("figure_inputs_by_value", "figure_value"), ("figure_inputs_by_fact", "fact")),
)
STEP = DataTable[ResolvedStep](
    "step",
    "A formula on the way to a value.",
    (
        column("formula", TEXT, "record.formula"),
        column("expr", TEXT, "Its expression as written."),
        column("value", MAYBE, "What it comes to; null where variables are left that cancel further on."),
        column("form", TEXT, "Its form in the variables that are left."),
        column("unit", TEXT),
    ),
)
CASE = DataTable[ResolvedCase](
    "case",
    "One choice of the listed inputs of a figure.",
    (
        number(),
        owner("figure", Single(references="figures.key"), SQL),
        column("choice", InputMap(), "What is chosen from each list."),
        column("value", VALUE, formats=JSON | SQL),
        column("value", Nested(lambda: BARE), formats=CSV),  # whose unit is that of the figure
        many("inputs", lambda: INPUT, "What is read, in order."),
        many("steps", lambda: STEP, "The formulas on the way, innermost first."),
        column("cancels", NameList(), "Symbols that occur and cancel.", JSON),
    ),
    sql="figure_values",
    indexes=(("figure_values_by_figure", "figure"),),
)
FIGURE = DataTable[ResolvedFigure](
    "figure",
    "A value that can be quoted, with everything behind it.",
    (
        column(
            "key", Single(primary=True), "record.name, or record.formula?input=value&... for a formula with inputs."
        ),
        RECORD_OF,
        column("name", MAY, "Its name in the record; empty for a formula with inputs."),
        column("formula", FormulaName(), "record.formula"),
        column("expr", TEXT, "The formula's expression as written.", JSON | CSV),
        column("at", TEXT, "The operating point that it names.", JSON),
        column("inputs", InputMap(), "Inputs as written.", of="bindings"),
        column("over", InputMap(), "Inputs at which it is divided.", sql="divided_at"),
        column(
            "cases",
            FormList(Nested(lambda: CASE)),
            "One for each choice of listed inputs; empty where there is no value.",
            JSON | CSV,
        ),
        column("unit", TEXT, "Unit of the values."),
        column(
            "depends_on",
            NameList(
                ItemTable(
                    "figure_facts",
                    hanging("figure", "figures", "key"),
                    (("fact", Single(references="facts.id")),),
                    ("PRIMARY KEY (figure, fact)",),
                    (("figure_facts_by_fact", "fact"),),
                    after="figure_inputs",
                )
            ),
            "Keys of the recorded values that it moves with.",
            of="facts",
        ),
        column(
            "contested_inputs",
            NameList(),
            "Keys of its inputs that other sources state otherwise.",
            JSON | CSV,
            of="contested",
        ),
        column(
            "assumes",
            NameList(
                ItemTable(
                    "figure_assumptions",
                    hanging("figure", "figures", "key"),
                    (("assumption", TEXT),),
                    after="figure_facts",
                )
            ),
            "What the value assumes and is not known to hold, a line each.",
        ),
        of_row("quoted", WHOLE, lambda row: row.quoted, CSV),
        column("fault", MAY, "Why there is no value; empty if there is one."),
        FILE,
        LINE,
    ),
    {JSON: ("key", "name", "formula", "expr", "unit")},
    csv="figures",
    sql="figures",
    constraints=("FOREIGN KEY (formula_record, formula) REFERENCES formulas (record, name)",),
    indexes=(("figures_by_record", "record"), ("figures_by_formula", "formula_record, formula")),
    key=lambda row: row.thing.key,
)
COMPARED = DataTable[ComparedValue](
    "",
    "A value of a formula for a part or a model at a number format.",
    (
        column("comparison", TEXT),
        column("formula", FormulaName()),
        column("record", RECORD_ID),
        column("format", RECORD_ID),
        column("mark", MAY),
        column("value", VALUE),
        column("contested", TRUTH),
    ),
    sql="comparisons",
    constraints=("FOREIGN KEY (formula_record, formula) REFERENCES formulas (record, name)",),
    indexes=(("comparisons_by_record", "comparison, record"),),
)
