"""What a file counts in: values of several rows, a key that says another unit than is declared, digits in groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from .project import Project, declared


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


TIMES = "run,took,size\na,12 ms,3 GiB\nb,0.5 s,5 GiB\nc,700 us,7\n"


class TestRowsInSeveralUnits:
    """12 ms, 0.5 s and 700 us are 0.7 to 500 ms; 3 GiB and a bare 7 are nothing together."""

    @pytest.mark.parametrize("data", ["t: t.csv", "t: {file: t.csv, at: '[*].took'}"])
    def test_of_one_dimension(self, project: Project, data: str) -> None:
        name = "fact:t.took" if data == "t: t.csv" else "fact:t"
        text = f"[0.7-500 ms]({name}), [up to 0.5 s]({name})"
        assert project.write(t_csv=TIMES, D_md=declared(data, text=text)).lines() == []
        (message,) = project.write(D_md=declared(data, text=f"[0.7-600 ms]({name})")).messages()
        assert message.startswith("0.7-600 ms is wrong")

    def test_an_aggregate(self, project: Project) -> None:
        data = "\n".join(f"{how}: {{file: t.csv, at: '[*].took', aggregate: {how[1:]}}}" for how in ("amax", "asum"))
        text = "[0.5 s](fact:amax), [512.7 ms](fact:asum)"
        assert project.write(t_csv=TIMES, D_md=declared(data, text=text)).lines() == []

    def test_of_none(self, project: Project) -> None:
        project.write(t_csv=TIMES, D_md=declared("t: t.csv", text="[3-7 GiB](fact:t.size)"))
        assert project.messages() == ["size in t.csv is 3 GiB in one row and 7 in another, which no one unit measures"]

    def test_a_figure_over_them(self, project: Project) -> None:
        project.write(t_csv=TIMES, D_md=declared("t: t.csv", "half: {expr: t.size / 2, unit: GiB}"))
        (message,) = project.messages()
        assert message.startswith("size in t.csv is 3 GiB in one row and 7 in another")

    def test_an_aggregate_of_none(self, project: Project) -> None:
        project.write(t_csv=TIMES, D_md=declared("t: {file: t.csv, at: '[*].size', aggregate: max}"))
        assert project.messages() == ["[*].size in t.csv is 3 GiB and 7, which no one unit measures"]

    def test_a_unit_for_whole_rows(self, project: Project) -> None:
        project.write(t_csv=TIMES, D_md=declared("t: {file: t.csv, unit: ms}"))
        assert project.messages() == ["t.csv is rows of several fields; name the units of those: units: {field: unit}"]


class TestAKeyThatSaysAnotherUnit:
    FILE = '{"p50_ms": 12.4, "steps_s": 3, "acc_pct": 97.5}'

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            ("x: {file: r.json, at: p50_ms, unit: s}", "the key p50_ms says ms, and it is read in s"),
            ("x: {file: r.json, at: p50_ms, unit: GiB}", "the key p50_ms says ms, and it is read in GiB"),
            ("x: {file: r.json, units: {p50_ms: us}}", "the key p50_ms says ms, and it is read in us"),
            ("x: {file: r.json, at: p50_ms, unit: ms}", ""),
            ("x: {file: r.json, at: p50_ms, unit: '1'}", ""),
            ("x: {file: r.json, at: steps_s, unit: step/s}", ""),
            ("x: {file: r.json, at: acc_pct, unit: '1'}", ""),
            ("x: {file: r.json, at: '[*].p50_ms', unit: s, aggregate: count}", "no_rows"),
        ],
    )
    def test_is_a_warning(self, project: Project, data: str, told: str) -> None:
        lines = project.write(r_json=self.FILE, D_md=declared(data)).lines()
        if told == "no_rows":
            assert not any("says ms" in line for line in lines)
        else:
            assert [": warning: data-value: " in line and told in line for line in lines] == [True] * bool(told)


class TestFilesReadInSeveralUnits:
    def test_each_declaration_has_its_own(self, project: Project) -> None:
        data = "a: {file: r.json, units: {p50: ms}}\nb: {file: r.json, units: {p50: s}}\nc: r.json"
        text = "[12.4 ms](fact:a.p50), [12.4 s](fact:b.p50), [12.4](fact:c.p50)"
        assert project.write(r_json='{"p50": 12.4}', D_md=declared(data, text=text)).lines() == []

    def test_rows_too(self, project: Project) -> None:
        data = "a: {file: r.csv, units: {p50: ms}}\nb: {file: r.csv, units: {p50: s}}"
        text = "[12-13 ms](fact:a.p50), [12-13 s](fact:b.p50)"
        assert project.write(r_csv="p50\n12\n13\n", D_md=declared(data, text=text)).lines() == []


class TestScales:
    @pytest.mark.parametrize(
        ("unit", "text"),
        [("million", "7.24M"), ("million", "7,240,000"), ("thousand token", "7,240 tokens"), ("billion", "7.24B")],
    )
    def test_a_file_may_count_in_them(self, project: Project, unit: str, text: str) -> None:
        data = f"x: {{file: r.json, at: n, unit: {unit}}}"
        assert project.write(r_json='{"n": 7.24}', D_md=declared(data, text=f"[{text}](fact:x)")).lines() == []

    def test_a_letter_is_none(self, project: Project) -> None:
        (message,) = project.write(r_json='{"n": 7}', D_md=declared("x: {file: r.json, at: n, unit: M}")).messages()
        assert "million" in message

    @pytest.mark.parametrize("head", ["Params (M)", "Model params (M)", "Mean tokens (M)"])
    def test_a_head_states_them(self, project: Project, head: str) -> None:
        table = f"| a | {head} |\n|---|---|\n| b | [7.24](fact:r.n) |"
        data = "r: {file: r.json, units: {n: million}}"
        assert project.write(r_json='{"n": 7.24}', D_md=declared(data, text=table)).lines() == []
        (message,) = project.write(D_md=declared("r: r.json", text=table)).messages()
        assert message.endswith("it is the number of the file: if that counts in millions, declare unit: million")

    def test_the_letter_of_a_name_is_none(self, project: Project) -> None:
        table = "| a | Model (M) |\n|---|---|\n| b | [7.24](fact:r.n) |"
        assert project.write(r_json='{"n": 7.24}', D_md=declared("r: r.json", text=table)).lines() == []


class TestDigitsInGroups:
    CSV = 'model,n,ms\na,"1,234",5\nb,567,6\nc,"12,345,678",7\n'

    @pytest.mark.parametrize(
        ("declaration", "text"),
        [
            ("at: '[model=a].n'", "1,234"),
            ("at: '[n>1000]', aggregate: count", "2"),
            ("at: '[n=1234].ms'", "5"),
            ("at: '[n=\"1,234\"].ms'", "5"),
            ("at: '[*].n', aggregate: sum", "12,347,479"),
        ],
    )
    def test_are_numbers(self, project: Project, declaration: str, text: str) -> None:
        document = declared(f"x: {{file: t.csv, {declaration}}}", text=f"[{text}](fact:x)")
        assert project.write(t_csv=self.CSV, D_md=document).lines() == []

    @pytest.mark.parametrize("asked", [" {rows: t, columns: {N: n}} ", "\nrows: t\ncolumns:\n  N: n\n"])
    def test_stand_in_tables_as_in_the_file(self, project: Project, asked: str) -> None:
        table = f"<!-- flopkb-table:{asked}-->\n| N |\n| --- |\n| 1,234 |\n| 567 |\n| 12,345,678 |\n"
        assert project.write(t_csv=self.CSV, D_md=declared("t: t.csv", text=table)).lines() == []
        (message,) = project.write(D_md=declared("t: t.csv", text=table.replace("12,345,678", "12,345,679"))).messages()
        assert message == "12,345,679 is wrong: the file gives 12,345,678; write 12,345,678"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("t.csv", "its header is separated by semicolons, and only commas and tabs are read: save it with commas"),
        ("t.tsv", "its header is separated by semicolons"),
    ],
)
def test_semicolons(project: Project, name: str, told: str) -> None:
    stem, _, ending = name.partition(".")
    project.write(**{f"{stem}_{ending}": "model;ms\na;1,5\n"}, D_md=declared(f"x: {{file: {name}, at: '[0].ms'}}"))
    (message,) = project.messages()
    assert told in message


def test_tabs_in_a_csv(project: Project) -> None:
    project.write(t_csv="model\tms\na\t5\n", D_md=declared("x: {file: t.csv, at: '[0].ms'}"))
    assert project.messages() == ["t.csv cannot be read: its header is separated by tabs: state format: tsv"]
    document = declared("x: {file: t.csv, format: tsv, at: '[0].ms'}", text="[5](fact:x)")
    assert project.write(D_md=document).lines() == []


@pytest.mark.parametrize("target", ["fact:r.runs[0]", "fact:r.0"])
def test_a_step_in_a_link(project: Project, target: str) -> None:
    (message,) = project.write(r_json="{}", D_md=declared("r: r.json", text=f"[5]({target})")).messages()
    assert message.endswith("name the value under data:, as x: {file: FILE, at: 'runs[0].ms'}, and link fact:x")


def test_a_unit_that_the_file_does_not_say(project: Project) -> None:
    document = declared("r: r.json", text="[5,120 tok/s](fact:r.rate)")
    assert project.write(r_json='{"rate": 5120}', D_md=document).messages() == [
        "5,120 tok/s has the wrong unit: tok/s cannot measure 1; r.json says no unit: declare unit: tok/s, "
        "or units: {rate: tok/s}"
    ]
