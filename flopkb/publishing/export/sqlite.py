"""SQLite: typed tables with foreign keys and indexes, and a view for each question that people ask.

The file is built in memory and handed over as bytes, so that equal bases give equal files (of one version of SQLite).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from flopkb.publishing.export.columns import SCHEMA_VERSION
from flopkb.publishing.export.data_tables import flat
from flopkb.publishing.export.forms import DataColumn, DataRow, DataTable, Format, ItemTable, Keys, Stored
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.seal import UNSEALED
from flopkb.publishing.export.wide import wide_tables

APPLICATION_ID = 0x666C6B62
"""Marks the file as one of flopkb's (``flkb`` in its header)."""

Filled = list[tuple[DataTable[Any], list[DataRow[Any]]]]


def sqlite_export(base: ResolvedBase) -> bytes:
    """The database as the bytes of its file, made in memory; equal bases give equal bytes of one version of SQLite."""
    filled = [(table, rows) for table, rows in flat(base) if table.sql]
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(
            f"PRAGMA encoding = 'UTF-8'; PRAGMA page_size = 4096; PRAGMA application_id = {APPLICATION_ID};"
            " PRAGMA user_version = 1; PRAGMA foreign_keys = ON;"
        )
        connection.executescript(schema([table for table, _ in filled]))
        connection.executescript(Path(__file__).with_name("views.sql").read_text(encoding="utf-8"))
        with connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            insert(connection, "meta", meta(base))
            fill(connection, filled)
            for table in wide_tables(base):
                connection.execute(table.sql())
                insert(connection, table.name, table.sql_rows())
        connection.execute("VACUUM")
        return connection.serialize()
    finally:
        connection.close()


def meta(base: ResolvedBase) -> list[tuple[Stored, ...]]:
    """Which base this is."""
    return [
        ("schema_version", SCHEMA_VERSION),
        ("generator", f"flopkb {base.version.package}"),
        ("digest", base.version.digest),
        ("seal", UNSEALED),
    ]


def schema(tables: Sequence[DataTable[Any]]) -> str:
    """The statements that create the tables and their indexes, each table of items in its place."""
    made = [("meta", created("meta", ("name TEXT PRIMARY KEY NOT NULL", "value TEXT NOT NULL"), (), ()))]
    for table in tables:
        made.append((table.sql, created(table.sql, table.ddl(), table.constraints, table.indexes)))
        made += [(items.name, items_created(items)) for _, items in item_tables(table) if not items.after]
    for items in (items for table in tables for _, items in item_tables(table) if items.after):
        place = [name for name, _ in made].index(items.after)
        made.insert(place + 1, (items.name, items_created(items)))
    return "".join(text for _, text in made)


def items_created(items: ItemTable) -> str:
    """The statements that create a table of items."""
    lines = (line for name, form in items.columns for line in form.ddl(name))
    return created(items.name, (items.owner, *lines), items.constraints, items.indexes)


def item_tables(table: DataTable[Any]) -> Iterator[tuple[DataColumn[Any], ItemTable]]:
    """The columns whose items have a table of their own."""
    for column in table.of(Format.SQL):
        if column.form.items is not None:
            yield column, column.form.items


def created(name: str, lines: Iterable[str], constraints: Iterable[str], indexes: Iterable[tuple[str, str]]) -> str:
    """The statements that create a table."""
    inner = ",\n".join(f"    {line}" for line in (*lines, *constraints))
    own = "".join(f"CREATE INDEX {index} ON {name} ({of});\n" for index, of in indexes)
    return f"CREATE TABLE {name} (\n{inner}\n);\n{own}"


def fill(connection: sqlite3.Connection, filled: Filled) -> None:
    """Every row, and those of its items. What refers to nothing in the base is left out."""
    keys = {table.sql: known(table, rows) for table, rows in filled if table.key is not None}
    for table, rows in filled:
        for row in rows:
            insert(connection, table.sql, [table.stored(row, keys)])
            for column, items in item_tables(table):
                insert(connection, items.name, item_rows(column, items, row, key_of(table, row), keys))


def known(table: DataTable[Any], rows: Iterable[DataRow[Any]]) -> dict[str, Stored]:
    """What others refer to a row by; of several with one key the first."""
    found: dict[str, Stored] = {}
    for row in rows:
        assert table.key is not None
        found.setdefault(table.key(row), key_of(table, row))
    return found


def key_of(table: DataTable[Any], row: DataRow[Any]) -> Stored:
    """The key of a row: its number, where the table has such, else its name."""
    return row.number if table.numbered or table.key is None else table.key(row)


def item_rows(
    column: DataColumn[Any], items: ItemTable, row: DataRow[Any], owner: Stored, keys: Keys
) -> Iterator[tuple[Stored, ...]]:
    """The rows of a table of items, without those that refer to nothing."""
    for texts in column.form.rows(column.take(row)):
        values = [form.stored(text, keys)[0] for text, (_, form) in zip(texts, items.columns, strict=True)]
        if None not in values:
            yield (owner, *values)


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[Stored, ...]]) -> None:
    """Rows for a table, in the order of its columns."""
    for row in rows:
        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
