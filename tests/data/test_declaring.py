"""Where data are declared, where files may lie, and what names stand for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .project import Project, declared

BENCH = '{"old": {"p50_ms": 40}, "new": {"p50_ms": 12.5, "size": 3}}'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".git").mkdir()
    return Project(tmp_path).write(results__bench_json=BENCH)


class TestPlaces:
    def test_the_header(self, project: Project) -> None:
        text = "---\ntitle: A\nflopkb:\n  data:\n    bench: results/bench.json\n---\n\nIt takes [13 ms](fact:bench.new.p50_ms).\n"
        assert project.write(README_md=text).lines() == []

    def test_the_header_without_a_key_of_ours(self, project: Project) -> None:
        text = "---\ntitle: A\ndata:\n  bench: results/bench.json\nlayout: x\n---\n\nIt takes [14 ms](fact:bench.new.p50_ms).\n"
        (line,) = project.write(README_md=text).lines()
        assert line.startswith("README.md:8:11: error: figure-mismatch: 14 ms is wrong")

    def test_a_header_whose_data_are_none_of_ours(self, project: Project) -> None:
        text = "---\ndata:\n  title: Something\n  tags: [a, b]\n---\n\nText.\n"
        assert project.write(README_md=text).lines() == []

    def test_a_fault_in_the_header_stands_where_it_is(self, project: Project) -> None:
        text = "---\ntitle: A\nflopkb:\n  data:\n    bench: results/bnch.json\n---\n"
        (line,) = project.write(README_md=text).lines()
        assert line.startswith("README.md:5:12: error: data-file: results/bnch.json cannot be read")

    def test_a_comment_in_a_fence_declares_nothing(self, project: Project) -> None:
        text = "```\n<!-- flopkb:\ndata:\n  a: no.json\n-->\n```\n"
        assert project.write(README_md=text).lines() == []

    def test_a_fault_of_yaml_stands_where_it_is(self, project: Project) -> None:
        text = "Text\n\n<!-- flopkb:\ndata:\n  bench: [a.json\n-->\n"
        (line,) = project.write(README_md=text).lines()
        assert line == "README.md:5:17: error: yaml: `[` from line 5 is never closed: add its `]`"

    def test_two_comments(self, project: Project) -> None:
        text = (
            "<!-- flopkb:\ndata: {bench: results/bench.json}\n-->\n<!-- flopkb: strict -->\n"
            '<!-- flopkb:\nfigures: {r: {expr: bench.old.p50_ms / bench.new.p50_ms, unit: "1"}}\n-->\n'
            "It is [3.2x](fig:r), for [2](lit:ordinal)nd.\n"
        )
        assert project.write(README_md=text).lines() == []

    def test_one_section_twice(self, project: Project) -> None:
        text = "<!-- flopkb:\ndata: {a: results/bench.json}\n-->\n<!-- flopkb:\ndata: {b: results/bench.json}\n-->\n"
        assert project.write(README_md=text).lines() == [
            "README.md:5:1: error: schema: data: stands in this document twice, first on line 2: keep one"
        ]

    def test_a_folder_shares(self, project: Project) -> None:
        shared = 'data:\n  bench: results/bench.json\nfigures:\n  r: {expr: bench.old.p50_ms / bench.new.p50_ms, unit: "1"}\n'
        project.write(
            flopkb_yaml=shared, README_md="[3.2x](fig:r)\n", docs__a_md="[3.3x](fig:r) [40 ms](fact:bench.old.p50_ms)\n"
        )
        assert project.lines() == [
            "docs/a.md:1:2: error: figure-mismatch: 3.3x is wrong: flopkb.yaml.r (of new.p50_ms, old.p50_ms in "
            "results/bench.json) is 3.2x, 0.1x off; write 3.2x"
        ]

    def test_a_fault_of_a_folder_is_told_once(self, project: Project) -> None:
        project.write(flopkb_yaml="data:\n  bench: bench.json\n", README_md="a\n", docs__a_md="b\n")
        assert project.lines() == [
            "flopkb.yaml:2:10: error: data-file: bench.json cannot be read: there is no such file"
        ]

    def test_a_folder_can_be_strict(self, project: Project) -> None:
        project.write(flopkb_yaml="data: {bench: results/bench.json}\nstrict: true\n", README_md="It takes 12.5 ms.\n")
        (line,) = project.lines()
        assert line.startswith("README.md:1:10: error: bare-number: 12.5 is linked to nothing")

    def test_only_a_strict_document_asks_for_every_number(self, project: Project) -> None:
        text = "<!-- flopkb:\ndata: {bench: results/bench.json}\nstrict: STRICT\n-->\nIt takes 12.5 ms.\n"
        assert project.write(README_md=text.replace("STRICT", "false")).lines() == []
        assert len(project.write(README_md=text.replace("STRICT", "true")).lines()) == 1


class TestFiles:
    def test_a_path_is_relative_to_the_document(self, project: Project) -> None:
        assert project.write(docs__a_md=declared("bench: ../results/bench.json")).lines() == []
        (line,) = project.write(docs__a_md=declared("bench: results/bench.json")).lines()
        assert "there is no such file" in line

    def test_outside_the_repository_only_where_it_is_allowed(self, tmp_path: Path) -> None:
        (tmp_path / "repo" / ".git").mkdir(parents=True)
        (tmp_path / "away.json").write_text(BENCH)
        project = Project(tmp_path / "repo").write(README_md=declared("bench: ../away.json"))
        (line,) = project.lines()
        assert "it lies outside the repository" in line
        assert project.lines(allowed=[tmp_path]) == []

    def test_a_link_that_leads_out(self, tmp_path: Path) -> None:
        (tmp_path / "repo" / ".git").mkdir(parents=True)
        (tmp_path / "away.json").write_text(BENCH)
        os.symlink(tmp_path / "away.json", tmp_path / "repo" / "in.json")
        (line,) = Project(tmp_path / "repo").write(README_md=declared("bench: in.json")).lines()
        assert "it lies outside the repository" in line

    @pytest.mark.parametrize("name", ["results", "/dev/zero", "https://example.org/a.json", "a\\0b.json"])
    def test_what_is_no_file(self, project: Project, name: str) -> None:
        (line,) = project.write(README_md=declared(f'x: {{file: "{name}", format: json}}')).lines()
        assert ": error: data-file: " in line or ": error: yaml: " in line

    def test_a_pipe_is_not_waited_for(self, project: Project) -> None:
        os.mkfifo(project.folder / "pipe.json")
        (line,) = project.write(README_md=declared("x: pipe.json")).lines()
        assert "it is a folder or a device" in line

    def test_a_huge_file(self, project: Project) -> None:
        with (project.folder / "huge.json").open("wb") as file:
            file.truncate(1 << 27)
        (line,) = project.write(README_md=declared("x: huge.json")).lines()
        assert "it has 134217728 bytes, and 67108864 are the most that is read in this format" in line

    def test_a_long_table_is_read_row_by_row(self, project: Project) -> None:
        rows = "".join(f"{n},{n % 7}\n" for n in range(200_000))
        data = "x: {file: t.csv, at: '[n=123456].v'}\nc: {file: t.csv, at: '[v=0]', aggregate: count}\nm: {file: t.csv, at: '[*].n', aggregate: max}"
        text = "[4](fact:x) of [28,572](fact:c) up to [199,999](fact:m)"
        assert project.write(t_csv="n,v\n" + rows, README_md=declared(data, text=text)).lines() == []


class TestNames:
    def test_units_of_a_file(self, project: Project) -> None:
        data = "b: {file: results/bench.json, units: {new.size: MiB}}"
        text = "[3 MiB](fact:b.new.size), [12.5 ms](fact:b.new.p50_ms), [40 ms](fact:b.old.p50_ms)"
        assert project.write(README_md=declared(data, text=text)).lines() == []

    def test_a_part_of_a_file(self, project: Project) -> None:
        data = "new: {file: results/bench.json, at: new}"
        figure = "half: {expr: new.p50_ms / 2, unit: ms}"
        assert (
            project.write(README_md=declared(data, figure, "[6.3 ms](fig:half), [12.5 ms](fact:new.p50_ms)")).lines()
            == []
        )

    def test_dimensions_of_a_figure_balance(self, project: Project) -> None:
        data, figure = "b: results/bench.json", 'r: {expr: b.old.p50_ms / b.new.size, unit: "1"}'
        (line,) = project.write(README_md=declared(data, figure, "[13](fig:r)")).lines()
        assert ": error: formula-dimension: " in line

    def test_data_are_no_figures(self, project: Project) -> None:
        (line,) = project.write(
            README_md=declared("b: {file: results/bench.json, at: old}", text="[40 ms](fig:b.p50_ms)")
        ).lines()
        assert line.endswith("b is data: write fact:b.p50_ms, or a figure over it")

    def test_an_unknown_name(self, project: Project) -> None:
        data, figure = "bench: results/bench.json", "r: {expr: bnch.old.p50_ms, unit: ms}"
        (line,) = project.write(README_md=declared(data, figure)).lines()
        assert line.endswith("bnch is no name of data, and only those have so many keys; did you mean bench?")

    def test_figures_name_figures(self, project: Project) -> None:
        figures = 'r: {expr: b.old.p50_ms / b.new.p50_ms, unit: "1"}\nmore: {expr: r - 1, unit: "%"}'
        assert (
            project.write(README_md=declared("b: results/bench.json", figures, "[220%](fig:more) more")).lines() == []
        )

    def test_a_circle(self, project: Project) -> None:
        figures = 'a: {expr: b, unit: "1"}\nb: {expr: a, unit: "1"}'
        (line,) = project.write(README_md=declared("x: results/bench.json", figures)).lines()
        assert ": error: cycle: " in line

    def test_rows_are_a_set(self, project: Project) -> None:
        data = "r: {file: results/r.json, at: 'runs[*]'}"
        figure = 'x: {expr: r.old / r.new, unit: "1"}'
        runs = '{"runs": [{"old": 6, "new": 2}, {"old": 8, "new": 2}, {"old": 7, "new": 2}]}'
        good = "[3-4x](fig:x), [at least 3x](fig:x), [up to 4x](fig:x), [6-8](fact:r.old)"
        assert project.write(results__r_json=runs, README_md=declared(data, figure, good)).lines() == []
        wrong = "[3-5x](fig:x), [at least 4x](fig:x), [3x](fig:x)"
        assert len(project.write(README_md=declared(data, figure, wrong)).lines()) == 3

    def test_too_many_rows(self, project: Project) -> None:
        project.write(t_csv="v\n" + "1\n" * 1001, README_md=declared("r: t.csv"))
        (line,) = project.lines()
        assert "is 1001 rows, and 1000 are the most that a name may stand for; name an aggregate, or fewer rows" in line


class TestForms:
    """The link of Markdown, by a reference, and a span of HTML: judged alike, mended alike."""

    FIGURE = 'r: {expr: b.old.p50_ms / b.new.p50_ms, unit: "1"}'

    @pytest.mark.parametrize(
        ("text", "place"),
        [
            ("It is [3.3x](fig:r) faster.", "7:8"),
            ("It is [3.3x][r] faster.\n\n[r]: fig:r", "7:8"),
            ("It is [3.3x] faster.\n\n[3.3x]: fig:r", "7:8"),
            ('It is <span data-flopkb="fig:r">3.3x</span> faster.', "7:33"),
            ("It is <span class=\"n\" data-flopkb='fig:r'>**3.3x**</span> faster.", "7:45"),
            ('<table><tr><td><span data-flopkb="fig:r">3.3x</span></td></tr></table>', "7:42"),
            ('a <span>b <span data-flopkb="fig:r">3.3x</span> c</span>', "7:37"),
        ],
    )
    def test_is_judged(self, project: Project, text: str, place: str) -> None:
        document = declared("b: results/bench.json", self.FIGURE, text)
        (line,) = project.write(README_md=document).lines()
        assert line.startswith(f"README.md:{place}: error: figure-mismatch: 3.3x is wrong")
        assert project.write(README_md=document.replace("3.3x", "3.2x")).lines() == []

    @pytest.mark.parametrize("text", ["a <span>3.3x</span>", 'a <span data-x="fig:r">3.3x</span>', "a </span> b"])
    def test_another_span_is_none(self, project: Project, text: str) -> None:
        assert project.write(README_md=declared("b: results/bench.json", self.FIGURE, text)).lines() == []

    def test_a_span_that_never_ends_holds_no_number(self, project: Project) -> None:
        text = '<span data-flopkb="fig:r">3.3x\n\nand [3.2x](fig:r)'
        (line,) = project.write(README_md=declared("b: results/bench.json", self.FIGURE, text)).lines()
        assert "link-without-number" in line


class TestRows:
    RUNS = "model,old_ms,new_ms\na,30,10\nb,80,20\nc,50,50\n"

    def test_an_aggregate_of_a_figure_over_rows(self, project: Project) -> None:
        figures = "\n".join(
            f'{how}: {{expr: r.old_ms / r.new_ms, unit: "1", aggregate: {how[1:]}}}'
            for how in ("amean", "amax", "amedian", "acount")
        )
        text = "[2.7x](fig:amean), [4x](fig:amax), [3x](fig:amedian), [3](fig:acount)"
        assert (
            project.write(results__r_csv=self.RUNS, README_md=declared("r: results/r.csv", figures, text)).lines() == []
        )

    def test_an_aggregate_is_only_quoted(self, project: Project) -> None:
        figures = 'm: {expr: r.old_ms / r.new_ms, unit: "1", aggregate: mean}\nx: {expr: m * 2, unit: "1"}'
        (line,) = project.write(results__r_csv=self.RUNS, README_md=declared("r: results/r.csv", figures)).lines()
        assert line.endswith(
            "m is the mean of many rows, and is only quoted; to compute with one, aggregate a value of data"
        )

    @pytest.mark.parametrize(
        ("at", "count"),
        [
            ("[old_ms>40]", 2), ("[old_ms>=50]", 2), ("[old_ms<50]", 1), ("[old_ms<=50]", 2), ("[model!=a]", 2),
            ("[old_ms>40][new_ms!=50]", 1), ("[model>a]", None), ("[old_ms=50.0]", 1), ("[*]", 3),
        ],
    )  # fmt: skip
    def test_rows_are_counted_by_what_they_hold(self, project: Project, at: str, count: int | None) -> None:
        text = f"[{count}](fact:n)"
        for name in ("r.csv", "r.json"):
            rows = '[{"model": "a", "old_ms": 30, "new_ms": 10}, {"model": "b", "old_ms": 80, "new_ms": 20}, {"model": "c", "old_ms": 50, "new_ms": 50}]'
            project.write(r_csv=self.RUNS, r_json=rows)
            lines = project.write(
                README_md=declared(f"n: {{file: {name}, at: '{at}', aggregate: count}}", text=text)
            ).lines()
            assert (lines == []) == (count is not None)

    def test_the_head_of_a_column_states_the_unit(self, project: Project) -> None:
        data = "b: results/bench.json"
        table = "| what | time (ms) | *time* [s] |\n|---|--:|---|\n| new | [12.5](fact:b.new.p50_ms) | [0.013](fact:b.new.p50_ms) |\n"
        assert project.write(README_md=declared(data, text=table)).lines() == []
        (line,) = project.write(README_md=declared(data, text=table.replace("12.5", "12.6"))).lines()
        assert line.startswith("README.md:7:10: error: figure-mismatch: 12.6 is wrong") and line.endswith("write 12.5")
        plain = "| what | time |\n|---|---|\n| new | [12.5](fact:b.new.p50_ms) |\n"
        (line,) = project.write(README_md=declared(data, text=plain)).lines()
        assert ": error: unit-mismatch: " in line

    def test_a_rate_is_no_time(self, project: Project) -> None:
        project.write(r_json='{"records_per_s": 7604}')
        data = "r: r.json\nq: {file: r.json, at: records_per_s, unit: record/s}"
        assert (
            project.write(
                README_md=declared(data, text="[7604](fact:r.records_per_s), [7,604 records/s](fact:q)")
            ).lines()
            == []
        )
