"""Data files made of the tables of columns: which tables there are, with their rows, and JSON, JSON Lines and CSV of them.

A CSV file has one row for each thing and no cell that a spreadsheet would run; every exact value is three columns: a
decimal, and the numerator and denominator that it stands for. It begins with a byte order mark, by which spreadsheets
know that it is UTF-8, and its lines end as RFC 4180 says.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from flopkb.base.model import Kind
from flopkb.publishing.export import columns, record_columns
from flopkb.publishing.export.columns import SCHEMA_VERSION
from flopkb.publishing.export.comparisons import compared_values
from flopkb.publishing.export.forms import DataRow, DataTable, FormList, Json, Nested, bound, described, object_schema
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFigure, ResolvedRecord
from flopkb.publishing.export.seal import UNSEALED
from flopkb.publishing.export.wide import wide_tables

T = TypeVar("T")
SCHEMA = "export.schema.json"


def defined() -> tuple[DataTable[Any], ...]:
    """The tables that the JSON Schema defines by name."""
    own, of = columns, record_columns
    return (
        *(own.EXACT, own.VERDICT, own.DISPUTED, own.FACT, own.INPUT, own.STEP, own.CASE, own.FIGURE, of.PROSE),
        *(
            of.SYMBOL,
            of.NARROWING,
            of.GROUP,
            of.FORMULA_CASE,
            of.FORMULA,
            of.POINT,
            of.CLAIM,
            of.HARDWARE_ROW,
            of.CORRECTION,
        ),
        *(of.QUOTE, of.FIGURE_TABLE),
        of.RECORD,
    )


def every_figure(base: ResolvedBase) -> Iterator[ResolvedFigure]:
    """The figures of records, then the formulas with inputs that prose quotes."""
    yield from base.figures
    yield from base.computations.values()


def flat(base: ResolvedBase) -> list[tuple[DataTable[Any], list[DataRow[Any]]]]:
    """The tables of CSV and SQLite with their rows, those that others refer to first."""
    records, sources = base.records.values(), base.of_kind(Kind.SOURCE)
    quoted = Counter(quote.key for quote in base.quotes)
    figures = [DataRow(figure, quoted=quoted[figure.key]) for figure in every_figure(base)]
    cases = numbered((case, row.thing.key) for row in figures for case in row.thing.cases)
    inputs = [
        DataRow(read, case.owner, parent=case.number, choice=bound(case.thing.choice))
        for case in cases
        for read in case.thing.inputs
    ]
    return [
        (record_columns.BASE, [DataRow(base)]),
        (record_columns.RECORD, [DataRow(record) for record in records]),
        (record_columns.PROSE, numbered((prose, record.id) for record in records for prose in record.prose)),
        (record_columns.SYMBOL, numbered((symbol, record.id) for record in records for symbol in record.symbols)),
        (record_columns.FORMULA, numbered((formula, record.id) for record in records for formula in record.formulas)),
        (columns.FACT, numbered((fact, fact.record) for fact in base.facts)),
        (columns.FIGURE, figures),
        (columns.CASE, cases),
        (columns.INPUT, inputs),
        (record_columns.CLAIM, numbered((claim, record.id) for record in records for claim in record.claims)),
        (record_columns.HARDWARE_ROW, numbered((row, record.id) for record in records for row in record.rows)),
        (record_columns.QUOTE, numbered((quote, quote.record) for quote in base.quotes)),
        (
            record_columns.CORRECTION,
            numbered((correction, record.id) for record in records for correction in record.corrections),
        ),
        (record_columns.CHANGE, numbered((change, record.id) for record in records for change in record.history)),
        (columns.COMPARED, [DataRow(value) for value in compared_values(base.base)]),
        (record_columns.SOURCE, [DataRow(source) for source in sources]),
    ]


def numbered(things: Iterable[tuple[T, str]]) -> list[DataRow[T]]:
    """Things with what holds them, counted from 1."""
    return [DataRow(thing, owner, number) for number, (thing, owner) in enumerate(things, 1)]


_ABOUT = (
    "A resolved base as `flopkb export json` writes it; `#/$defs/line` describes the lines of `flopkb export jsonl`. "
    "Prose is Markdown. Numbers that must stay exact are texts."
)


def json_export(base: ResolvedBase) -> str:
    """One JSON object: what it is, then the records, and the formulas with inputs that their prose quotes."""
    records = [record_columns.RECORD.json(record) for record in base.records.values()]
    computations = [columns.FIGURE.json(figure) for figure in base.computations.values()]
    document = {**head(base), "records": records, "computations": computations}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def record_json(record: ResolvedRecord) -> str:
    """One record alone, as an object that says what describes it."""
    document = {"$schema": f"{SCHEMA}#/$defs/record", **record_columns.RECORD.json(record)}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def jsonl_export(base: ResolvedBase) -> str:
    """A line that says what it is, then a line for each record and each formula with inputs that prose quotes."""
    lines: list[Json] = [{"type": "base", **head(base)}]
    lines += [{"type": "record", **record_columns.RECORD.json(record)} for record in base.records.values()]
    lines += [{"type": "computation", **columns.FIGURE.json(figure)} for figure in base.computations.values()]
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def head(base: ResolvedBase) -> Json:
    """What the file is: the version of its schema, of flopkb and of the base."""
    return {
        "$schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "generator": {"name": "flopkb", "version": base.version.package, "seal": UNSEALED},
        "base": record_columns.BASE.json(base),
    }


def export_schema() -> Json:
    """The JSON Schema of what is written here (``export.schema.json`` in this folder, which a test holds to this)."""
    records = FormList(Nested(lambda: record_columns.RECORD)).schema()
    figures = FormList(Nested(lambda: columns.FIGURE)).schema()
    whole = {
        **head_schema(),
        "records": described(records, "All records, by kind and id."),
        "computations": described(figures, "Formulas with inputs that prose quotes, each once."),
    }
    start = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "flopkb export", "description": _ABOUT}
    named = {table.name: table.schema() for table in defined()}
    return {**start, **object_schema(whole), "$defs": {"line": line_schema(), **named}}


def head_schema() -> dict[str, Json]:
    """The keys that say what the file is."""
    seal = described(
        {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
        "The hash of the file without this text: an export replaces only a file that nobody has edited.",
    )
    parts = {"name": {"const": "flopkb"}, "version": {"type": "string"}, "seal": seal}
    generator = object_schema(parts, "What wrote the file.")
    version = described({"const": SCHEMA_VERSION}, "Version of this schema.")
    schema = described({"type": "string"}, "The file that describes this one: `export.schema.json` of the package.")
    return {"$schema": schema, "schema_version": version, "generator": generator, "base": record_columns.BASE.schema()}


def line_schema() -> Json:
    """A line of JSON Lines."""

    def line(kind: str, table: DataTable[Any]) -> Json:
        return object_schema({"type": {"const": kind}, **table.schema()["properties"]}, table.doc)

    first = object_schema({"type": {"const": "base"}, **head_schema()}, "The first line.")
    others = [line("record", record_columns.RECORD), line("computation", columns.FIGURE)]
    return described(
        {"oneOf": [first, *others]}, "A line of JSON Lines: what the file is, then records, then formulas with inputs."
    )


_RUNS = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""What a spreadsheet may take for a formula, behind any apostrophes (which are doubled, so that undoing is exact)."""
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def csv_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the folder as bytes, by their names; tables that have no CSV are left out."""
    wide = {f"{table.name}.csv": written(table.heads, table.csv_rows()) for table in wide_tables(base)}
    return wide | {
        f"{table.csv}.csv": written(table.heads(), (cells for row in rows for cells in table.cells(row)))
        for table, rows in flat(base)
        if table.csv
    }


def written(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A table as the bytes of a file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")


def safe(cell: str) -> str:
    """A text with an apostrophe before what a spreadsheet would run; numbers, negative ones too, as they are."""
    return f"'{cell}" if _RUNS.match(cell) and not _NUMBER.fullmatch(cell) else cell


def plain(cell: str) -> str:
    """The text behind :func:`safe`, for programs that read the files."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell
