"""Brings the outputs of commands in the documents up to date: `make docs` runs it, from the folder of the tests."""

from __future__ import annotations

import difflib
import json
import sqlite3
import tempfile
from pathlib import Path

from conftest import REPOSITORY, own_base
from export import test_sqlite
from export.bases import resolved

from flopkb.publishing.export.data_tables import export_schema
from flopkb.publishing.export.sqlite import sqlite_export

from .examples import PAGES, Command, Example, Shell, commands, examples, matches
from .fields import with_lists

SCHEMA = REPOSITORY / "flopkb" / "publishing" / "export" / "export.schema.json"


def current(command: Command, printed: str) -> str:
    """What a document is to say that a command prints: all of it, or the lines that stood there as they are now."""
    if not command.printed or matches(command.printed, printed):
        return command.printed
    lines = [line.rstrip() for line in printed.splitlines()]
    if not any(line.strip() == "..." for line in command.printed.splitlines()):
        return "\n".join(lines).rstrip("\n") + "\n"
    found = []
    for line in command.printed.splitlines():
        alike = [line] if line.strip() == "..." or line in lines else difflib.get_close_matches(line, lines, 1)
        found += alike
    return "".join(f"{line}\n" for line in found)


def rewritten(example: Example, shell: Shell) -> str:
    """The session with what its commands print now."""
    return "".join(f"$ {c.text}\n{current(c, shell.run(c.text)[1])}" for c in commands(example.text))


def rewrite(page: str) -> bool:
    """Bring a document up to date; whether it was not."""
    file = REPOSITORY / page
    text = old = file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder) / "repository", Path(folder) / "home")
        for example in examples(page):
            if shell.obey(example) and example.language == "console":
                text = text.replace(f"```console\n{example.text}", f"```console\n{rewritten(example, shell)}", 1)
    text = with_lists(text)
    file.write_text(text, encoding="utf-8")
    return text != old


def rewrite_schema() -> None:
    """Bring the JSON Schema of exports up to date with the table of columns."""
    text = json.dumps(export_schema(), indent=2, ensure_ascii=False) + "\n"
    SCHEMA.write_text(text, encoding="utf-8")


def rewrite_queries() -> None:
    """Bring the outputs of the page of SQL queries up to date."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(resolved(own_base(), REPOSITORY / "records")))
    text = test_sqlite.PAGE.read_text(encoding="utf-8")
    for query, output in test_sqlite.examples(test_sqlite.PAGE):
        text = text.replace(output, test_sqlite.printed(connection, query))
    connection.close()
    test_sqlite.PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite_schema()
    rewrite_queries()
    for name in PAGES:
        if rewrite(name):
            print(f"{name}: brought up to date")
