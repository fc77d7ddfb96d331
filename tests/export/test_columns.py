"""One table of columns for all data formats: a field that is added to it is in each of them, and in their schemas."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from conftest import TinyBase

from export.bases import resolved
from flopkb.checking.api import load
from flopkb.publishing.export import columns, record_columns
from flopkb.publishing.export.columns import TEXT
from flopkb.publishing.export.data_tables import csv_export, export_schema, json_export, jsonl_export
from flopkb.publishing.export.forms import DataTable, column
from flopkb.publishing.export.sqlite import sqlite_export

SCHEMA = Path(columns.__file__).with_name("export.schema.json")
NEW = column("colour", TEXT, "What it looks like.", take=lambda thing: "blue")
PLACES = [
    (columns, "FACT", "fact", "facts", "facts"),
    (columns, "FIGURE", "figure", "figures", "figures"),
    (columns, "INPUT", "input", "figure_inputs", "figure_inputs"),
    (record_columns, "RECORD", "record", "records", "records"),
    (record_columns, "CLAIM", "claim", "claims", "claims"),
    (record_columns, "QUOTE", "quote", "quotes", "quotes"),
    (record_columns, "HARDWARE_ROW", "hardware_row", "hardware_rows", "hardware_rows"),
]


def test_the_schema_in_the_package_is_that_of_the_columns() -> None:
    """After a change, ``make docs`` writes it."""
    assert SCHEMA.read_text(encoding="utf-8") == json.dumps(export_schema(), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(("module", "table", "kind", "csv_name", "sql_name"), PLACES, ids=[p[1] for p in PLACES])
def test_a_column_that_is_added_once_is_in_every_format(
    module: object, table: str, kind: str, csv_name: str, sql_name: str, base: TinyBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    base.workload(
        "w",
        "figures:\n  a: {formula: cache.size, with: {L: 2, n: 4, b: 2}}\n"
        "claims:\n  - {id: c, formula: cache.size, independent_of: [bandwidth]}\n"
        "hardware_parameters:\n  - {parameter: memory_bandwidth, effect: It is, basis: unverified, magnitude: [a]}\n"
        "notes: |\n  It is [16 bytes](fig:a).\n",
    )
    plain: DataTable[object] = getattr(module, table)
    monkeypatch.setattr(module, table, replace(plain, columns=(*plain.columns, NEW)))
    view = resolved(load(base.records), base.records)

    schema = export_schema()
    assert schema["$defs"][kind]["properties"]["colour"] == {"type": "string", "description": "What it looks like."}
    document = json_export(view)
    jsonschema.Draft202012Validator(schema).validate(json.loads(document))
    lines = {"$ref": "#/$defs/line", "$defs": schema["$defs"]}
    for line in jsonl_export(view).splitlines():
        jsonschema.Draft202012Validator(lines).validate(json.loads(line))
    assert document.count('"colour": "blue"') == jsonl_export(view).count('"colour":"blue"') > 0

    rows = list(csv.DictReader(io.StringIO(csv_export(view)[f"{csv_name}.csv"].decode("utf-8-sig"), newline="")))
    assert rows and {row["colour"] for row in rows} == {"blue"}

    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(view))
    assert connection.execute(f"SELECT DISTINCT colour FROM {sql_name}").fetchall() == [("blue",)]
    connection.close()


def test_every_form_of_a_column_is_told_in_words() -> None:
    for name, part in export_schema()["$defs"].items():
        assert part.get("description"), name


def test_a_confidence_that_is_no_number_is_left_out_of_the_database(base: TinyBase) -> None:
    base.change("models/llm.yaml", {"updated: 2026-01-05\n": "updated: 2026-01-05\nconfidence: 0,9\n"})
    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(resolved(load(base.records), base.records)))
    assert connection.execute("SELECT confidence FROM records WHERE id = 'llm'").fetchall() == [(None,)]
    connection.close()
