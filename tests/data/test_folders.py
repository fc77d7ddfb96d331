"""Every ``flopkb.yaml`` above a document declares for it; documents of all kinds of Markdown; commands without paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from flopkb.commands.main import main

from .project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path).write(a_json='{"ms": 5}', docs__b_json='{"n": 7}')


def test_files_above_each_other(project: Project) -> None:
    project.write(
        flopkb_yaml="data: {a: {file: a.json, units: {ms: ms}}}\nfigures: {f: {expr: a.ms * 2, unit: ms}}\n",
        docs__flopkb_yaml="data: {b: b.json}\nfigures: {g: {expr: a.ms * b.n, unit: ms}}\n",
        docs__deep__x_md="[5 ms](fact:a.ms), [7](fact:b.n), [10 ms](fig:f), [36 ms](fig:g)\n",
        y_md="[7](fact:b.n)\n",
    )
    assert [line.split(": ")[0] for line in project.lines()] == ["docs/deep/x.md:1:52", "y.md:1:10"]


def test_a_name_that_a_file_above_has(project: Project) -> None:
    project.write(flopkb_yaml="data: {a: a.json}\n", docs__flopkb_yaml="data: {a: b.json}\n", docs__x_md="x\n")
    assert project.lines() == [
        "docs/flopkb.yaml:1:8: error: data-name: a is declared in a flopkb.yaml above too; rename one of them"
    ]


@pytest.mark.parametrize(("near", "found"), [("", 1), ("strict: false\n", 0), ("strict: true\n", 1)])
def test_the_nearest_decides_what_is_strict(project: Project, near: str, found: int) -> None:
    project.write(flopkb_yaml="strict: true\n", docs__flopkb_yaml=f"data: {{b: b.json}}\n{near}", docs__x_md="5 ms\n")
    assert len(project.lines()) == found


@pytest.mark.parametrize("name", ["x.mdx", "x.qmd", "x.Rmd", "x.markdown"])
def test_kinds_of_markdown(project: Project, name: str) -> None:
    (project.folder / name).write_text("---\nflopkb:\n  data: {a: a.json}\n---\n[6](fact:a.ms)\n")
    done = CliRunner().invoke(main, ["check"])
    assert done.exit_code == 1 and f"{name}:5:2: error: figure-mismatch: 6 is wrong" in done.output
    assert CliRunner().invoke(main, ["fix"]).exit_code == 0
    assert "[5](fact:a.ms)" in (project.folder / name).read_text()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('{"new": {"ink_percent": 4.8344}}', "The new one has ink on 4.83 percent."),
        ('{"new": {"ink_percent": 4.8344}}', "The new one has 4.83% ink."),
        ('{"mean": {"point_estimate": 12431.5}}', "The mean estimate is 12.43 us."),
        ('{"new": {"share": "97.53%"}}', "The new share is 97.53%."),
        ('{"new": {"change": -0.0421}}', "The new change is -4.21%."),
        ('{"ms_per_batch": 182.41}', "It takes 182.41 ms per batch."),
    ],
)
def test_what_track_writes_passes_check(project: Project, data: str, text: str) -> None:
    project.write(r_json=data, T_md=f"# Results\n\n{text}\n")
    done = CliRunner().invoke(main, ["track", "T.md", "r.json", "--write"])
    assert "1 number placed" in done.output
    assert CliRunner().invoke(main, ["check", "T.md"]).output.startswith("1 document, 1 figure recomputed, 0 findings")


def test_first_links_of_mdx_are_declared_in_its_header(project: Project) -> None:
    for head in ("", "---\ntitle: A\n---\n"):
        (project.folder / "x.mdx").write_text(f"{head}# Time\n\nIt takes 12.43 ms.\n")
        project.write(r_json='{"time_ms": 12.43}')
        assert CliRunner().invoke(main, ["track", "x.mdx", "r.json", "--write"]).exit_code == 0
        text = (project.folder / "x.mdx").read_text()
        assert text.startswith(head.removesuffix("---\n") or "---\n") and "<!--" not in text
        done = CliRunner().invoke(main, ["check", "x.mdx"])
        assert (done.exit_code, "1 figure recomputed" in done.output) == (0, True)
