"""SQLite: sound, typed, linked; the same bytes each time; views that answer the questions, and the page that shows them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from export.bases import NAME, NOTES, hostile, resolved
from flopkb.checking.api import Base, load
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.sqlite import APPLICATION_ID, sqlite_export

pytestmark = pytest.mark.slow

PAGE = REPOSITORY / "docs" / "sqlite_queries.md"


@pytest.fixture(scope="module")
def database(whole: ResolvedBase) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(whole))
    yield connection
    connection.close()


def test_the_file_is_sound_and_says_what_it_is(database: sqlite3.Connection) -> None:
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    assert database.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_references_are_foreign_keys_with_an_index(database: sqlite3.Connection) -> None:
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    keyed = {table for table in tables if database.execute(f"PRAGMA foreign_key_list({table})").fetchall()}
    assert keyed == set(tables) - {"meta", "records"}
    indexes = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'index'")]
    assert {"facts_by_key", "quotes_by_figure", "figure_facts_by_fact"} <= set(indexes)


def test_ridges_are_those_of_the_formula(database: sqlite3.Connection, api: Base) -> None:
    rows = database.execute("SELECT part, precision, ridge_flop_per_byte FROM ridge_by_part_and_precision").fetchall()
    assert len(rows) > 20
    for part, precision, ridge in rows:
        exact = api.evaluate("roofline.ridge", accelerator=part, dtype=precision).value
        assert abs(Fraction(ridge) - exact) < exact / 10**12


def test_bytes_of_a_cache_are_those_of_the_formulas(database: sqlite3.Connection, api: Base) -> None:
    rows = database.execute("SELECT model, kv_dtype, cache, bytes_per_token FROM kv_bytes_by_model").fetchall()
    assert {cache for _, _, cache, _ in rows} == {"heads", "latent"}
    for model, dtype, cache, size in rows:
        formula = "kv_cache.per_token" if cache == "heads" else "mla_decode.per_token"
        assert float(api.evaluate(formula, model=model, kv_dtype=dtype).value) == size


def test_what_is_unverified_and_contested_is_found(database: sqlite3.Connection) -> None:
    assert ("hardware row", "decode_attention") in database.execute("SELECT what, record FROM unverified").fetchall()
    stands = "SELECT stands, stated_otherwise FROM contested_values WHERE key = 'llama_2_70b.num_key_value_heads'"
    assert database.execute(stands).fetchall() == [("8", "64")]


def test_a_hostile_record_is_whole(base: TinyBase) -> None:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(hostile(base)))
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("SELECT name FROM records WHERE id = 'evil'").fetchall() == [(NAME,)]
    notes = connection.execute("SELECT markdown FROM prose WHERE record = 'evil_gpu' AND field = 'notes'")
    assert notes.fetchall() == [(NOTES,)]
    aliases = connection.execute("SELECT alias FROM aliases WHERE record = 'evil'").fetchall()
    assert ("=cmd()",) in aliases
    connection.close()


def test_references_that_lead_nowhere_are_left_out(base: TinyBase) -> None:
    base.formula("lost", 'sources: [nowhere]\nformulas:\n  f: {expr: "2", unit: "1"}\nfigures:\n  a: {formula: g}\n')

    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(resolved(load(base.records), base.records)))
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("SELECT count(*) FROM record_sources WHERE record = 'lost'").fetchone() == (0,)
    assert connection.execute("SELECT key FROM figures WHERE fault IS NOT NULL").fetchall() == [("lost.a",)]
    connection.close()


def examples(page: Path) -> list[tuple[str, str]]:
    """The queries of a page, each with the output that it shows."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"```sql\n(.*?)```\n+```text\n(.*?)```", text, re.DOTALL)


def printed(connection: sqlite3.Connection, query: str) -> str:
    """What the query gives, in columns, as ``sqlite3 -column -header`` prints it."""
    cursor = connection.execute(query)
    table = [tuple(column[0] for column in cursor.description), *(tuple(map(shown, row)) for row in cursor)]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = [table[0], tuple("-" * width for width in widths), *table[1:]]
    return "".join(
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() + "\n" for line in lines
    )


def shown(value: object) -> str:
    return "" if value is None else str(value)


def test_the_page_shows_five_queries() -> None:
    assert len(examples(PAGE)) == 5


@pytest.mark.parametrize("index", range(5))
def test_a_query_of_the_page_gives_what_the_page_shows(index: int, database: sqlite3.Connection) -> None:
    query, output = examples(PAGE)[index]
    assert printed(database, query) == output
