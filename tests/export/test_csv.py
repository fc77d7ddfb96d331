"""CSV: one row a thing, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest
from conftest import TinyBase
from hypothesis import given
from hypothesis import strategies as st

from export.bases import NAME, NOTES, hostile
from flopkb.publishing.export.data_tables import csv_export, plain, safe, written
from flopkb.publishing.export.resolved import ResolvedBase


@pytest.mark.parametrize(
    "text", ["=cmd()", "+1+2", "-1+1", "@SUM(A1)", "\tx", "\rx", "\n=x", "＝1+1", "'=x", "-5 GB", "=", "-"]
)
def test_what_could_be_a_formula_begins_with_an_apostrophe(text: str) -> None:
    assert safe(text) == "'" + text
    assert plain(safe(text)) == text


@pytest.mark.parametrize("text", ["-1", "-1.5", "+2", "-1e-7", "1/3", "a=b", "'quoted'", "", "295x", "µs", "{=1}"])
def test_numbers_and_harmless_texts_stay_as_they_are(text: str) -> None:
    assert safe(text) == text
    assert plain(text) == text


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=2, max_size=4))
def test_every_text_comes_back(cells: list[str]) -> None:
    data = written(["a"] * len(cells), [cells])
    assert data.startswith(b"\xef\xbb\xbf")
    _, row = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
    assert [plain(cell) for cell in row] == cells
    assert not any(cell[:1] in ("=", "@", "\t", "\r", "＝") for cell in row)


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))


def test_every_row_has_every_column(whole: ResolvedBase) -> None:
    files = csv_export(whole)
    assert {"facts.csv", "figures.csv", "hardware_rows.csv", "quotes.csv"} <= files.keys()
    for name, data in files.items():
        rows = read(data)
        assert rows, name
        assert all(None not in row and None not in row.values() for row in rows), name


def test_lines_end_as_the_format_says_and_only_there(whole: ResolvedBase) -> None:
    data = csv_export(whole)["figures.csv"].decode("utf-8-sig")
    assert data.count("\r\n") == data.count("\n")


def test_a_hostile_record_is_harmless_and_whole(base: TinyBase) -> None:
    files = csv_export(hostile(base))
    for name, data in files.items():
        for row in read(data):
            for cell in row.values():
                assert not cell.startswith(("=", "@", "\t", "\r")), (name, cell)
    record = next(row for row in read(files["records" + ".csv"]) if row["id"] == "evil")
    assert record["name"] == NAME
    assert record["aliases"] == "'=cmd(); +1; -2+3; @SUM(A1)"
    fact = next(row for row in read(files["facts.csv"]) if row["key"] == "evil_gpu.memory_capacity")
    assert (fact["written"], fact["decimal"], fact["numerator"]) == ("'-5 GB", "-5000000000", "-5000000000")
    quote = next(row for row in read(files["quotes.csv"]) if row["record"] == "evil_class")
    assert (quote["text"], quote["numerator"], quote["denominator"]) == ("-0.29", "-2", "7")
    row = next(row for row in read(files["hardware_rows.csv"]))
    assert row["sentence"].startswith("'=cmd() moves it by -0.29")
    assert NOTES not in str(files)  # prose is in the formats that have room for it
