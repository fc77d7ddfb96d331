"""A SQLite database by one query: read in memory, nothing but a SELECT is let through, and not for long."""

from __future__ import annotations

import sqlite3

from flopkb.base.data.trees import NumberText, Tree, Unreadable

LARGEST = 1 << 26
"""What a database may hold, in bytes (64 MiB)."""

MOST_ROWS = 100_000
MOST_STEPS = 50_000_000
"""So many steps of SQLite's machine a query may take."""

_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_REFUSED_FUNCTIONS = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}


def read_query(data: bytes, query: str) -> Tree:
    """What a query gives: its value, where it is one row of one column; the row, where it is one; else its rows."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(data)
        connection.set_authorizer(_authorised)
        connection.set_progress_handler(_Patience().spent, 10_000)
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description or ()]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise Unreadable(f"its query names two columns {twice[:60]}; name each with AS")
        found = cursor.fetchmany(MOST_ROWS + 1)
    except sqlite3.Error as error:
        raise Unreadable(f"its query fails: {error}") from None
    finally:
        connection.close()
    if len(found) > MOST_ROWS:
        raise Unreadable(f"its query gives more than {MOST_ROWS} rows")
    rows: list[Tree] = [dict(zip(names, map(_leaf, row), strict=True)) for row in found]
    if len(found) != 1:
        return rows
    return _leaf(found[0][0]) if len(names) == 1 else rows[0]


class _Patience:
    """Counts the steps of a query."""

    def __init__(self) -> None:
        self.steps = 0

    def spent(self) -> int:
        """Called every so many steps; another number than zero ends the query."""
        self.steps += 10_000
        return int(self.steps > MOST_STEPS)


def _authorised(action: int, _: str | None, name: str | None, *__: str | None) -> int:
    refused = action == sqlite3.SQLITE_FUNCTION and name in _REFUSED_FUNCTIONS
    return sqlite3.SQLITE_OK if action in _ALLOWED and not refused else sqlite3.SQLITE_DENY


def _leaf(value: object) -> Tree:
    if isinstance(value, int):
        return NumberText(value)
    if value is None or isinstance(value, str):
        return value
    return NumberText(repr(value)) if not isinstance(value, bytes) else None
