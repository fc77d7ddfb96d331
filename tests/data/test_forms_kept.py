"""fix and track keep the form of what they touch, and leave to a person what new digits would make untrue."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flopkb.commands.main import main

from .project import Project, declared

DIRECTIVE = "<!-- flopkb-table:\nrows: runs\ncolumns:\n  Model: model\n  Median (s): new_ms\n-->\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path).write(
        r_json='{"lat_ms": 12.4, "up": 3.2, "acc": 0.975}', runs_csv="model,new_ms\na,10.1\nb,22\n"
    )


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def fixed(project: Project, text: str) -> str:
    project.write(D_md=declared("r: r.json\nruns: runs.csv", text=text))
    run("fix", "D.md")
    return (project.folder / "D.md").read_text().partition("-->\n")[2].rstrip("\n")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[nearly 12 ms](fact:r.lat_ms)", "[nearly 12 ms](fact:r.lat_ms)"),
        ("[almost 3x](fact:r.up)", "[almost 3x](fact:r.up)"),
        ("[nearly 0.8](fact:r.acc)", "[nearly 1.0](fact:r.acc)"),
        ("[about 11 ms](fact:r.lat_ms)", "[about 12 ms](fact:r.lat_ms)"),
        ("[97.5](fact:r.acc)", "[97.5](fact:r.acc)"),
        ("[96.5%](fact:r.acc)", "[97.5%](fact:r.acc)"),
        ("[0.96](fact:r.acc)", "[0.98](fact:r.acc)"),
    ],
)
def test_only_true_words_are_written(project: Project, text: str, wanted: str) -> None:
    assert fixed(project, text) == wanted


def test_a_percentage_without_its_sign_is_named(project: Project) -> None:
    project.write(D_md=declared("r: r.json", text="[97.5](fact:r.acc)"))
    (message,) = project.messages()
    assert "as a percentage it is right: write 97.5%" in message


@pytest.mark.parametrize(
    "table",
    [
        "",
        "| Model | Median (s) |\n|:--|--:|\n| a | 10.1 |\n| b | 22 |",
        "| Model | Median (s) |\n|:--|--:|\n| a | 0.0101 |",
        "| Model | Median (s) |\n|:--|--:|\n| a | 0.0101 |\n| b | 0.022 |\nhand | 99",
    ],
)
def test_a_table_keeps_its_digits_and_its_rule(project: Project, table: str) -> None:
    rule = "| --- | --- |" if not table else "|:--|--:|" if "10.1 " in table else "| :-- | --: |"
    wanted = f"{DIRECTIVE}| Model | Median (s) |\n{rule}\n| a | 0.0101 |\n| b | 0.022 |"
    assert fixed(project, DIRECTIVE + table) == wanted
    assert run("check", "D.md").exit_code == 0


def test_track_keeps_the_ends_of_lines(project: Project) -> None:
    project.write(D_md=b"The lat is 12.4 ms.\r\nMore.\r\n")
    run("track", "D.md", "r.json", "--write")
    written = (project.folder / "D.md").read_bytes()
    assert b"[12.4 ms](fact:r.lat_ms)" in written and written.count(b"\n") == written.count(b"\r\n")


def test_track_names_what_could_be_meant(project: Project) -> None:
    project.write(D_md="Took 12 ms.\n")
    done = run("track", "D.md", "r.json", "--write")
    assert done.output == "D.md:1:6: 12: lat_ms in r.json could be meant; link it by hand\n0 numbers placed, 1 left\n"
