"""fix, impact, diff and --since on documents with data, in a repository without records."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flopkb.arithmetic.prose import read_plain
from flopkb.commands.main import main

from .project import Project, declared

DOCUMENT = declared(
    "bench: bench.json",
    'speedup: {expr: bench.old_ms / bench.new_ms, unit: "1"}',
    "It is [3.2x](fig:speedup) faster, [12.5 ms](fact:bench.new_ms) in all.",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    project = Project(tmp_path).write(README_md=DOCUMENT, bench_json='{"old_ms": 40, "new_ms": 12.5}')
    git("init", "-q")
    commit("first")
    return project


def git(*arguments: str) -> str:
    options = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *options, *arguments], check=True, capture_output=True, text=True).stdout


def commit(message: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", message)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_check_needs_no_records(project: Project) -> None:
    done = run("check", "README.md")
    assert (done.exit_code, done.output.startswith("1 document, 2 figures recomputed, 0 findings")) == (0, True)


def test_check_of_a_folder(project: Project) -> None:
    project.write(docs__a_md="Nothing.\n")
    assert run("check", ".").output.startswith("2 documents, ")


def test_fix_follows_the_data(project: Project) -> None:
    project.write(bench_json='{"old_ms": 40, "new_ms": 10}')
    assert run("check", "README.md").exit_code == 1
    done = run("fix", "README.md")
    assert done.output == (
        "README.md:7:8: 3.2x -> 4.0x\nREADME.md:7:36: 12.5 ms -> 10.0 ms\n"
        "2 quotes rewritten in 1 file, 0 findings left that fix cannot mend\n"
    )
    assert (project.folder / "README.md").read_text() == DOCUMENT.replace("3.2x", "4.0x").replace("12.5 ms", "10.0 ms")
    assert run("check", "README.md").exit_code == 0


def test_impact_of_a_file(project: Project) -> None:
    assert run("impact", "bench.json").output == (
        "bench.json\n"
        "├─ bench.new_ms (in bench.json) = 12.5 ms\n│  └─ README.md:7:36  12.5 ms\n"
        "├─ speedup = 3.2\n│  └─ README.md:7:8  3.2x\n"
        "2 values and 2 quotes depend on it\n"
    )


def test_impact_of_another_file_in_its_place(project: Project) -> None:
    project.write(new_json='{"old_ms": 40, "new_ms": 12.45}')
    done = run("impact", "bench.json", "--set", "new.json")
    assert "bench.json: new_ms: 12.5 -> 12.45" in done.output
    assert "1 value changed; 1 figure moved, quoted at 1 place, 0 stale; 0 findings new" in done.output


def test_diff_shows_what_a_new_result_moves(project: Project) -> None:
    project.write(bench_json='{"old_ms": 40, "new_ms": 10}')
    done = run("diff", "HEAD")
    assert "  bench.json: new_ms: 12.5 -> 10\n" in done.output
    assert "README.md.speedup: 3.2 -> 4\n    README.md:7:8  3.2x  stale" in done.output


def test_since_reports_what_is_new(project: Project) -> None:
    project.write(bench_json='{"old_ms": 40, "new_ms": 10}')
    commit("Run the benchmark again")
    project.write(other_md="Nothing.\n")
    commit("Write something else")
    assert run("check", "README.md", "--since", "HEAD~1").exit_code == 0
    done = run("check", "README.md", "--since", "HEAD~2")
    commit_id = git("rev-parse", "--short", "HEAD~1").strip()
    assert done.exit_code == 1
    assert done.output.count(f"(since {commit_id} Run the benchmark again)") == 2


def test_since_says_nothing_of_what_is_not_committed(project: Project) -> None:
    project.write(bench_json='{"old_ms": 40, "new_ms": 10}')
    done = run("check", "README.md", "--since", "HEAD")
    assert done.exit_code == 1 and "(since" not in done.output


def test_a_document_is_not_held_to_the_installed_base(project: Project) -> None:
    project.write(README_md="[295x](fig:decode_attention.gap_mha)\n")
    assert "decode_attention" in run("check", "README.md").output
    assert run("check", "README.md").exit_code == 1


class TestLink:
    BARE = declared(
        "bench: bench.json\nruns: runs.csv",
        'speedup: {expr: bench.old_ms / bench.new_ms, unit: "1"}',
        "It is 3.2x faster, 12.5 ms in all, 31-84 ms on the models, and costs 5 dollars.",
    )

    def test_a_document_gets_the_links_that_are_clear(self, project: Project) -> None:
        project.write(README_md=self.BARE, runs_csv="model,p50_ms\na,31\nb,84\n")
        done = run("link", "README.md", "--write")
        assert done.output.endswith("3 links written, 1 bare number left\n")
        assert (project.folder / "README.md").read_text().split("-->\n")[1] == (
            "It is [3.2x](fig:speedup) faster, [12.5 ms](fact:bench.new_ms) in all, "
            "[31-84 ms](fact:runs.p50_ms) on the models, and costs 5 dollars.\n"
        )
        assert run("check", "README.md").exit_code == 0

    def test_two_values_alike_are_left_to_a_person(self, project: Project) -> None:
        project.write(
            README_md=declared("bench: bench.json", text="It takes 40 ms."), bench_json='{"a_ms": 40, "b_ms": 40}'
        )
        done = run("link", "README.md")
        assert "[40 ms](fact:bench.a_ms)" in done.output and "[40 ms](fact:bench.b_ms)" in done.output
        assert done.output.endswith("1 bare number, 0 with a clear link\n")


class TestTrack:
    TEXT = "---\ntitle: T\n---\n# Results\n\nIt takes 12.47 ms at the median, 40.2 ms before: 3.22x faster.\n\n| model | p50 (ms) |\n|---|---|\n| llama | 31.5 |\n| qwen | 84.25 |\n\nOf 2026, for 12 people.\n"
    DATA = '{"old": {"p50_ms": 40.2}, "new": {"p50_ms": 12.47}}'

    def test_numbers_get_their_places_and_the_text_stays(self, project: Project) -> None:
        project.write(T_md=self.TEXT, bench_json=self.DATA, runs_csv="model,p50_ms\nllama,31.5\nqwen,84.25\n")
        patch = run("track", "T.md", "bench.json", "runs.csv")
        assert (project.folder / "T.md").read_text() == self.TEXT
        assert "+It takes [12.47 ms](fact:bench.new.p50_ms) at the median" in patch.output
        done = run("track", "T.md", "bench.json", "runs.csv", "--write")
        assert done.output.endswith("5 numbers placed, 2 left\n")
        text = (project.folder / "T.md").read_text()
        assert text.startswith("---\ntitle: T\n---\n<!-- flopkb:\ndata:\n  bench: bench.json\n")
        assert "| qwen | [84.25](fact:qwen_p50_ms) |" in text
        assert run("check", "T.md").output.startswith("1 document, 5 figures recomputed, 0 findings")
        assert read_plain(text) == read_plain(self.TEXT)

    def test_what_is_declared_already_is_left_to_link(self, project: Project) -> None:
        done = run("track", "README.md", "bench.json")
        assert done.exit_code == 2 and "README.md declares data already: use flopkb link README.md" in done.output


class TestTables:
    DOCUMENT = (
        "<!-- flopkb:\ndata: {runs: runs.csv}\nfigures:\n  speedup: {expr: runs.old_ms / runs.new_ms, unit: \"1\"}\nstrict: true\n-->\n"
        "<!-- flopkb-table:\nrows: runs\ncolumns:\n  Model: model\n  Median (ms): new_ms\n  Faster: {value: speedup, unit: x, digits: 2}\n-->\n"
    )  # fmt: skip
    TABLE = "| Model | Median (ms) | Faster |\n| --- | --- | --- |\n| a | 10 | 3.1x |\n| b\\|c | 20.5 | 4.0x |\n"

    def test_a_table_is_written_checked_and_mended(self, project: Project) -> None:
        project.write(README_md=self.DOCUMENT, runs_csv="model,old_ms,new_ms\na,31,10\nb|c,82,20.5\n")
        assert run("fix", "README.md").output.endswith(
            "1 quote rewritten in 1 file, 0 findings left that fix cannot mend\n"
        )
        assert (project.folder / "README.md").read_text() == self.DOCUMENT + self.TABLE
        assert run("check", "README.md").output.startswith("1 document, 6 figures recomputed, 0 findings")
        assert run("impact", "runs.csv").output == (
            "runs.csv\n├─ 6 cells of the table at README.md:7:1\n0 values and 0 quotes depend on it\n"
        )
        project.write(runs_csv="model,old_ms,new_ms\na,31,10\nb|c,82,23\n")
        done = run("fix", "README.md")
        assert done.output.startswith("README.md:17:10: 20.5 -> 23.0\nREADME.md:17:17: 4.0x -> 3.6x\n")
        project.write(runs_csv="model,old_ms,new_ms\nb|c,82,23\n")
        assert run("check", "README.md").exit_code == 1
        assert run("fix", "README.md").exit_code == 0
        mended = self.TABLE.replace("| a | 10 | 3.1x |\n", "").replace("20.5 | 4.0x", "23 | 3.6x")
        assert (project.folder / "README.md").read_text() == self.DOCUMENT + mended
