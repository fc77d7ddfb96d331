"""Parts and models on a row each, and what a program fetches of the site."""

from __future__ import annotations

import csv
import io
import json
import sqlite3

import jsonschema
import pytest
from conftest import TinyBase

from export.bases import hostile, resolved
from flopkb.checking.api import load
from flopkb.publishing.export.data_tables import csv_export, export_schema, json_export
from flopkb.publishing.export.html.for_programs import program_files
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.sqlite import sqlite_export


@pytest.fixture
def tiny(base: TinyBase) -> ResolvedBase:
    """The neutral base with a year and a kind of memory."""
    base.change("accelerators/gpu.yaml", {"vendor: Maker\n": "vendor: Maker\nannounced: 2023\nmemory_type: HBM3\n"})
    return resolved(load(base.records), base.records)


def table(base: ResolvedBase, name: str) -> list[dict[str, str]]:
    """A CSV file."""
    return list(csv.DictReader(io.StringIO(csv_export(base)[name].decode("utf-8-sig"), newline=""), strict=True))


def test_a_part_is_a_row_with_its_values_in_base_units(tiny: ResolvedBase) -> None:
    assert table(tiny, "parts.csv") == [
        {
            "id": "gpu", "name": "A part", "status": "verified", "vendor": "Maker", "year": "2023", "memory_type": "HBM3",
            "memory_bandwidth_byte_per_second": "2000000000000", "memory_capacity_byte": "80000000000",
            "peak_flops_bf16_flop_per_second": "400000000000000",
        }
    ]  # fmt: skip


def test_a_model_is_a_row(tiny: ResolvedBase) -> None:
    (row,) = table(tiny, "models.csv")
    assert row["developer"] == "Lab" and row["num_hidden_layers"] == "30" and row["num_key_value_heads"] == "8"


def test_the_database_has_the_same(tiny: ResolvedBase) -> None:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(tiny))
    asked = (
        "SELECT p.vendor, p.year, p.memory_type, p.memory_bandwidth_byte_per_second, m.head_dim FROM parts p, models m"
    )
    assert connection.execute(asked).fetchall() == [("Maker", "2023", "HBM3", 2e12, 100.0)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_no_column_has_the_name_of_another(base: TinyBase) -> None:
    for name, data in csv_export(hostile(base)).items():
        heads = next(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        assert len(heads) == len(set(heads)), name


def test_json_names_its_schema_and_so_does_each_record_of_the_site(tiny: ResolvedBase) -> None:
    assert json.loads(json_export(tiny))["$schema"] == "export.schema.json"
    files = program_files(tiny)
    schema = json.loads(files["data/export.schema.json"])
    assert schema == export_schema()
    record = json.loads(files["data/gpu.json"])
    assert record.pop("$schema") == "export.schema.json#/$defs/record"
    jsonschema.Draft202012Validator({**schema["$defs"]["record"], "$defs": schema["$defs"]}).validate(record)
    assert "## Accelerators\n\n- [A part](data/gpu.json)\n" in files["llms.txt"].decode()
