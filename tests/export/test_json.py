"""JSON: what its schema promises, and that it is the same from run to run and from wherever it is run."""

from __future__ import annotations

import json

import jsonschema
import pytest
from conftest import TinyBase

from export.bases import hostile
from flopkb.publishing.export.data_tables import SCHEMA_VERSION, export_schema, json_export, jsonl_export
from flopkb.publishing.export.resolved import ResolvedBase

pytestmark = pytest.mark.slow

LINE = {"$ref": "#/$defs/line", "$defs": export_schema()["$defs"]}


def test_the_schema_is_one_and_names_its_version() -> None:
    jsonschema.Draft202012Validator.check_schema(export_schema())
    assert export_schema()["properties"]["schema_version"] == {
        "const": SCHEMA_VERSION,
        "description": "Version of this schema.",
    }


def test_the_shipped_base_fits_the_schema(whole: ResolvedBase) -> None:
    validator = jsonschema.Draft202012Validator(export_schema())
    assert [error.message[:200] for error in validator.iter_errors(json.loads(json_export(whole)))] == []


def test_every_line_fits_the_schema(whole: ResolvedBase) -> None:
    validator = jsonschema.Draft202012Validator(LINE)
    lines = [json.loads(line) for line in jsonl_export(whole).splitlines()]
    assert [error.message[:200] for line in lines for error in validator.iter_errors(line)] == []
    assert [line["type"] for line in lines[:2]] == ["base", "record"]


def test_faulty_and_hostile_records_fit_it_too(base: TinyBase) -> None:
    base.formula(
        "faulty", 'formulas:\n  f: {expr: 1/(2-2), unit: "1"}\nfigures:\n  bare: {formula: f}\n  none: {formula: g}\n'
    )
    document = json.loads(json_export(hostile(base)))
    jsonschema.Draft202012Validator(export_schema()).validate(document)
    faulty = next(record for record in document["records"] if record["id"] == "faulty")
    assert [figure["cases"] for figure in faulty["figures"]] == [[], []]
    assert all(figure["fault"] for figure in faulty["figures"])


def test_every_key_of_the_schema_is_told(whole: ResolvedBase) -> None:
    """What a reader looks up has a word of explanation, or a name that needs none."""
    for name, part in export_schema()["$defs"].items():
        assert part.get("description"), name


def test_a_record_tells_what_it_holds(whole: ResolvedBase) -> None:
    document = json.loads(json_export(whole))
    record = next(r for r in document["records"] if r["id"] == "decode_attention")
    gap = next(f for f in record["figures"] if f["name"] == "gap_mha")
    assert gap["formula"] == "decode_attention.gap" and gap["at"] == "h100"
    assert gap["cases"][0]["value"] == {
        "numerator": "19790",
        "denominator": "67",
        "decimal": "295.37313432835821",
        "decimal_is_exact": False,
        "unit": "1",
    }
    assert "nvidia_h100_sxm.memory_bandwidth" in gap["depends_on"]
    quote = next(q for q in record["quotes"] if q["key"] == "decode_attention.gap_mha")
    assert (quote["text"], quote["kind"], quote["verdict"]) == ("295x", "figure", "ok")
    claim = next(c for c in record["claims"] if c["id"] == "below_the_roof")
    assert claim["verdict"]["result"] in ("proved", "tested")
    assert len(record["corrections"]) == len(record["corrections"][0]["verdicts"]["counterexamples"]) + 3
