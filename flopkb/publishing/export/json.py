"""JSON and JSON Lines: the whole resolved base under stable names, and the JSON Schema that describes them."""

from __future__ import annotations

import json
from typing import Any

from flopkb.publishing.export import columns, data_tables, record_columns
from flopkb.publishing.export.columns import SCHEMA_VERSION
from flopkb.publishing.export.forms import DataTable, FormList, Json, Nested, described, object_schema
from flopkb.publishing.export.resolved import ResolvedBase

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


def jsonl_export(base: ResolvedBase) -> str:
    """A line that says what it is, then a line for each record and each formula with inputs that prose quotes."""
    lines: list[Json] = [{"type": "base", **head(base)}]
    lines += [{"type": "record", **record_columns.RECORD.json(record)} for record in base.records.values()]
    lines += [{"type": "computation", **columns.FIGURE.json(figure)} for figure in base.computations.values()]
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def head(base: ResolvedBase) -> Json:
    """What the file is: the version of its schema, of flopkb and of the base."""
    return {
        "schema_version": SCHEMA_VERSION,
        "generator": {"name": "flopkb", "version": base.version.package},
        "base": record_columns.BASE.json(base),
    }


def export_schema() -> Json:
    """The JSON Schema of what is written here (``export.schema.json`` in this folder, which a test holds to this)."""
    tables = data_tables.defined()
    records = FormList(Nested(lambda: record_columns.RECORD)).schema()
    figures = FormList(Nested(lambda: columns.FIGURE)).schema()
    whole = {
        **head_schema(),
        "records": described(records, "All records, by kind and id."),
        "computations": described(figures, "Formulas with inputs that prose quotes, each once."),
    }
    start = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "flopkb export", "description": _ABOUT}
    defined = {"line": line_schema(), **{table.name: table.schema() for table in tables}}
    return {**start, **object_schema(whole), "$defs": defined}


def head_schema() -> dict[str, Json]:
    """The keys that say what the file is."""
    generator = object_schema({"name": {"const": "flopkb"}, "version": {"type": "string"}}, "What wrote the file.")
    version = described({"const": SCHEMA_VERSION}, "Version of this schema.")
    return {"schema_version": version, "generator": generator, "base": record_columns.BASE.schema()}


def line_schema() -> Json:
    """A line of JSON Lines."""

    def line(kind: str, table: DataTable[Any]) -> Json:
        return object_schema({"type": {"const": kind}, **table.schema()["properties"]}, table.doc)

    first = object_schema({"type": {"const": "base"}, **head_schema()}, "The first line.")
    others = [line("record", record_columns.RECORD), line("computation", columns.FIGURE)]
    return described(
        {"oneOf": [first, *others]}, "A line of JSON Lines: what the file is, then records, then formulas with inputs."
    )
