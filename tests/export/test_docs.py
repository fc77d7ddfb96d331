"""The page about exports: its commands run, its example is what is written, its keys exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conftest import REPOSITORY, TinyBase

from flopkb.commands.export import export_command
from flopkb.publishing.export.data_tables import json_export
from flopkb.publishing.export.latex import latex_export
from flopkb.publishing.export.output import FORMATS
from flopkb.publishing.export.resolved import ResolvedBase

PAGE = (REPOSITORY / "docs" / "export.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_runs_and_every_format_is_on_it(base: TinyBase, tmp_path: Path) -> None:
    commands = re.findall(r"^flopkb export (\w+) --output (\S+)$", PAGE, re.MULTILINE)
    assert {name for name, _ in commands} == {form.name for form in FORMATS}
    for name, path in commands:
        target = path if path == "-" else str(tmp_path / path)
        assert export_command(name, target, base.records).code == 0


def test_the_value_that_the_page_shows_is_written(whole: ResolvedBase) -> None:
    shown = json.loads(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1])
    document = json.loads(json_export(whole))
    values = [case["value"] for r in document["records"] for f in r["figures"] for case in f["cases"]]
    assert shown in values


def test_the_keys_that_the_page_uses_exist(whole: ResolvedBase) -> None:
    macros = latex_export(whole)
    for key in re.findall(r"\\flopkb\w*\*?(?:\[[^\]]*\])?\{([\w.@]+)\}", PAGE):
        assert f"\\flopkbentry{{{key}}}" in macros


def test_links_of_the_pages_lead_somewhere() -> None:
    for name in ("export.md", "sqlite_queries.md", "python_api.md"):
        text = (REPOSITORY / "docs" / name).read_text(encoding="utf-8")
        for address in re.findall(r"\]\(([\w./-]+\.md)\)", text):
            assert (REPOSITORY / "docs" / address).is_file(), (name, address)
