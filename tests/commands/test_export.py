"""``flopkb export``: formats, messages and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import TinyBase

from flopkb.commands import UsageFault
from flopkb.commands.export import export_command
from flopkb.publishing.export.output import FORMATS, FileFormat
from flopkb.publishing.export.resolved.records import resolve
from flopkb.publishing.export.seal import is_sealed


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
def test_every_format_writes_and_can_be_written_again(name: str, base: TinyBase, tmp_path: Path) -> None:
    for _ in range(2):
        outcome = export_command(name, str(tmp_path / "out"), base.records)
        assert outcome.code == 0 and outcome.text.startswith("6 records, 0 figures to ")
    assert (tmp_path / "out").exists()


@pytest.mark.parametrize("form", [form for form in FORMATS if isinstance(form, FileFormat)], ids=lambda form: form.name)
def test_a_file_begins_with_the_mark_of_its_format(form: FileFormat, base: TinyBase) -> None:
    from flopkb.checking.api import load

    made = form.make(resolve(load(base.records)))
    assert form.mark in made[:4096] and is_sealed(made)


def test_a_text_goes_to_standard_output(base: TinyBase) -> None:
    outcome = export_command("json", "-", base.records)
    assert json.loads(outcome.text)["base"]["records"] == 6


@pytest.mark.parametrize(("name", "noun"), [("sqlite", "file"), ("html", "folder")])
def test_what_is_no_text_does_not(name: str, noun: str, base: TinyBase) -> None:
    with pytest.raises(UsageFault, match=f"{name} cannot go to standard output; name a {noun}"):
        export_command(name, "-", base.records)


def test_an_unknown_format_is_told_with_the_nearest(base: TinyBase, tmp_path: Path) -> None:
    with pytest.raises(
        UsageFault, match="there is no format sqlit; did you mean sqlite\\?; the formats are json, jsonl, csv"
    ):
        export_command("sqlit", str(tmp_path / "x"), base.records)


def test_a_file_in_the_way_is_a_usage_fault(base: TinyBase, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    with pytest.raises(UsageFault, match="is there already"):
        export_command("json", str(tmp_path / "x"), base.records)


def test_faults_in_the_files_are_told_on_the_side(base: TinyBase, tmp_path: Path) -> None:
    base.write("models/broken.yaml", "id: broken\nkind: model\nname: [\n")
    outcome = export_command("json", str(tmp_path / "x"), base.records)
    assert outcome.code == 0 and "flopkb check shows them" in outcome.error
    assert json.loads((tmp_path / "x").read_text())["base"]["unread_faults"] >= 1
