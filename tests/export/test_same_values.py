"""JSON, JSON Lines, CSV and SQLite hold the values that the public API gives, for the shipped base and generated ones."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import NEUTRAL, TinyBase
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from export.bases import resolved
from flopkb.checking.api import Base, FlopkbError, load
from flopkb.publishing.export.data_tables import csv_export, json_export, jsonl_export
from flopkb.publishing.export.data_tables import plain as undone
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.sqlite import sqlite_export

pytestmark = pytest.mark.slow

Values = Mapping[str, tuple[Fraction, ...]]


def of_api(base: Base) -> dict[str, tuple[Fraction, ...]]:
    """Every figure, every recorded value and every disputed one, each asked for by its name."""
    asked: dict[str, tuple[Fraction, ...]] = {}
    for record in base.records.values():
        for name in record.figures:
            asked[f"{record.id}.{name}"] = values(base, f"fig:{record.id}.{name}")
        for path, fact in record.facts.items():
            asked[f"{record.id}.{path}"] = values(base, f"fact:{record.id}.{path}")
            for other in fact.disputed:
                key = f"{record.id}.{path}@{other.sources[0].target.text}"
                asked[key] = values(base, f"fact:{key}")
    return asked


def values(base: Base, target: str) -> tuple[Fraction, ...]:
    """What a link is worth; nothing where it has no value."""
    try:
        return base.ask(target).values
    except FlopkbError:
        return ()


def fraction(value: Mapping[str, str]) -> Fraction:
    """An exact value."""
    return Fraction(int(value["numerator"]), int(value["denominator"]))


def of_records(records: Iterator[Mapping[str, object]]) -> dict[str, tuple[Fraction, ...]]:
    """The values in the records of JSON."""
    found: dict[str, tuple[Fraction, ...]] = {}
    for record in records:
        for figure in record["figures"]:
            found[figure["key"]] = tuple(fraction(case["value"]) for case in figure["cases"])
        for fact in record["facts"]:
            for stated in (fact, *fact["disputed"]):
                found[stated["key"]] = () if stated["value"] is None else (fraction(stated["value"]),)
    return found


def of_json(base: ResolvedBase) -> dict[str, tuple[Fraction, ...]]:
    return of_records(iter(json.loads(json_export(base))["records"]))


def of_jsonl(base: ResolvedBase) -> dict[str, tuple[Fraction, ...]]:
    lines = [json.loads(line) for line in jsonl_export(base).splitlines()]
    return of_records(line for line in lines if line["type"] == "record")


def of_csv(base: ResolvedBase) -> dict[str, tuple[Fraction, ...]]:
    files, found = csv_export(base), {}
    for name in ("facts.csv", "figures.csv"):
        for row in rows(files[name]):
            if name == "facts.csv" or row["name"]:
                value = (fraction(row),) if row["numerator"] else ()
                found[row["key"]] = (*found.get(row["key"], ()), *value)
    return found


def rows(data: bytes) -> Iterator[dict[str, str]]:
    """The rows of a CSV file as a program reads them."""
    table = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
    return ({name: undone(cell) for name, cell in row.items()} for row in table)


def of_sqlite(base: ResolvedBase) -> dict[str, tuple[Fraction, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "base.sqlite"
        file.write_bytes(sqlite_export(base))
        connection = sqlite3.connect(file)
        connection.row_factory = sqlite3.Row
        try:
            found: dict[str, tuple[Fraction, ...]] = {}
            for row in connection.execute("SELECT key FROM figures WHERE name IS NOT NULL"):
                found[row["key"]] = ()
            for row in connection.execute(
                "SELECT v.* FROM figure_values v JOIN figures f ON f.key = v.figure WHERE f.name <> '' ORDER BY v.id"
            ):
                found[row["figure"]] = (*found[row["figure"]], fraction(row))
            for row in connection.execute("SELECT * FROM facts ORDER BY id"):
                found[row["key"]] = () if row["numerator"] is None else (fraction(row),)
                if row["value"] is not None:
                    assert row["value"] == float(fraction(row))
            return found
        finally:
            connection.close()


FORMATS = {"json": of_json, "jsonl": of_jsonl, "csv": of_csv, "sqlite": of_sqlite}


@pytest.mark.parametrize("form", FORMATS)
def test_the_shipped_base_is_the_same_in_every_format(form: str, api: Base, whole: ResolvedBase) -> None:
    expected = of_api(api)
    assert len(expected) > 200
    assert FORMATS[form](whole) == expected


numbers = st.one_of(
    st.integers(1, 10**6),
    st.decimals(min_value="0.001", max_value="9999", places=3).map(lambda d: format(d, "f")),
    st.sampled_from(["1/3", "2**-5", "-7/9"]),
)
units = st.sampled_from(["1", "byte", "flop/byte", "s", "GiB", "token"])


@st.composite
def bodies(draw: st.DrawFn) -> tuple[str, str]:
    """A formula record with figures of random formulas and inputs, and a part with random values."""
    first, second = draw(numbers), draw(numbers)
    operator = draw(st.sampled_from(["+", "-", "*", "/"]))
    listed = draw(st.lists(st.integers(1, 50), min_size=1, max_size=4, unique=True))
    power = draw(st.integers(-3, 16))
    body = (
        "symbols:\n  x: {meaning: a number}\n  v: {meaning: another}\n"
        f'formulas:\n  f: {{expr: "({first}) {operator} ({second})", unit: "1"}}\n'
        f'  g: {{expr: "x**{power} / (x + v) - v", unit: "1"}}\n'
        f"figures:\n  plain: {{formula: f}}\n  set: {{formula: g, with: {{x: {listed}, v: 3}}}}\n"
        f"  ratio: {{formula: g, with: {{x: {listed[0]}, v: 2}}, over: {{v: {draw(st.integers(0, 4))}}}}}\n"
        "  open: {formula: g, with: {x: 1}}\n"
    )
    value, other = draw(st.integers(-9, 10**9)), draw(st.decimals(min_value=0, max_value=9999, places=2))
    unit = draw(st.sampled_from(["GB/s", "MiB/s", "byte/s", "Gbit/s"]))
    part = (
        "id: part\nkind: accelerator\nname: Part\nstatus: draft\nupdated: 2026-01-05\nvendor: V\n"
        f"memory_bandwidth: {{value: {value} {unit}, basis: recorded, source: sheet, preferred: so, "
        f"disputed: [{{value: {other} GB/s, source: config}}]}}\n"
    )
    return body, part


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(bodies())
def test_generated_bases_are_the_same_in_every_format(made: tuple[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(NEUTRAL / "records", Path(folder) / "records")
        tiny = TinyBase(Path(folder))
        tiny.formula("random", made[0])
        tiny.write("accelerators/part.yaml", made[1])
        base = load(tiny.records)
        expected, view = of_api(base), resolved(base, tiny.records)
        for name, read in FORMATS.items():
            assert read(view) == expected, name
