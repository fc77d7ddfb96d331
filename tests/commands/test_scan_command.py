"""``flopkb scan`` on the command line; what equations mean is tested with the reader of equations."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from flopkb.arithmetic.text import scan_text
from flopkb.commands import Outcome, UsageFault
from flopkb.commands.scan import ScanOptions, scan_command

TEXT = "First 3 * 4 = 12.\n\nThen 10 * 3 = 29 and 16 / 7 = 2.2 here.\n\n7 / 2*2 = 1.75\n"
KEYS = ["path", "line", "column", "text", "computed", "quoted", "unit", "verdict", "reading", "advice"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_text_shows_what_is_not_right_and_sums_up() -> None:
    outcome = scan_command(ScanOptions((Path("a.md"),)))
    lines = outcome.text.splitlines()
    assert lines[0] == "a.md:3:6: error: wrong: 10 * 3 = 29: comes to 30, not 29"
    assert lines[1:3] == ["    Then 10 * 3 = 29 and 16 / 7 = 2.2 here.", "         ^^^^^^^^^^^"]
    assert lines[3].startswith(
        "a.md:3:22: warning: truncated: 16 / 7 = 2.2: 2.2 is cut, not rounded: it comes to 2.28571"
    )
    assert lines[6].startswith("a.md:5:1: warning: ambiguous: 7 / 2*2 = 1.75") and "7 / (2*2)" in lines[6]
    assert "4 equations in 1 file: 1 ok, 1 truncated, 1 ambiguous, 1 wrong" in lines[-1]
    assert outcome.code == 1


def test_json_lists_every_equation() -> None:
    outcome = scan_command(ScanOptions((Path("a.md"),), "json"))
    rows = json.loads(outcome.text)
    assert [list(row) for row in rows] == [KEYS] * 4
    assert [row["verdict"] for row in rows] == ["ok", "wrong", "truncated", "ambiguous"]
    assert rows[1] == dict(
        zip(KEYS, ["a.md", 3, 6, "10 * 3 = 29", "30", "29", "1", "wrong", "as written", "write 30"], strict=True)
    )
    assert outcome.code == 1


@pytest.mark.parametrize(
    ("only", "verdicts", "code"),
    [
        (("ok",), ["ok"], 0),
        (("truncated", "wrong"), ["wrong", "truncated"], 1),
        (("ambiguous,ok",), ["ok", "ambiguous"], 0),
    ],
)
def test_only_some_verdicts(only: tuple[str, ...], verdicts: list[str], code: int) -> None:
    outcome = scan_command(ScanOptions((Path("a.md"),), "json", only))
    assert [row["verdict"] for row in json.loads(outcome.text)] == verdicts
    assert outcome.code == code


def test_an_unknown_verdict_is_a_usage_fault() -> None:
    with pytest.raises(UsageFault, match="there is no verdict right"):
        scan_command(ScanOptions((Path("a.md"),), only=("right",)))


def test_several_files_and_folders_each_once(here: Path) -> None:
    (here / "docs" / ".hidden").mkdir(parents=True)
    for name in ("docs/b.tex", "docs/c.html", "docs/.hidden/d.md", "docs/e.py", "docs/.f.md"):
        (here / name).write_text("2 * 2 = 4\n", encoding="utf-8")
    outcome = scan_command(ScanOptions((Path("docs"), Path("a.md"), Path("docs/b.tex"), Path("docs/e.py")), "json"))
    assert [row["path"] for row in json.loads(outcome.text)] == [
        "docs/b.tex",
        "docs/c.html",
        *["a.md"] * 4,
        "docs/e.py",
    ]


def test_a_file_that_is_not_there_is_a_usage_fault() -> None:
    with pytest.raises(UsageFault, match=r"nowhere\.md does not exist"):
        scan_command(ScanOptions((Path("a.md"), Path("nowhere.md"))))


def test_a_file_that_is_no_text_is_refused(here: Path) -> None:
    (here / "b.bin").write_bytes(b"\x7fELF\0\0 2 * 2 = 5")
    outcome = scan_command(ScanOptions((Path("b.bin"),)))
    assert outcome.code == 2 and outcome.error == "flopkb: b.bin is not text; it was skipped"
    (here / "c.txt").write_bytes("été 2 * 2 = 5".encode("latin-1"))
    assert scan_command(ScanOptions((Path("c.txt"),))).code == 1


def test_suppressions_silence_and_unused_ones_are_reported(here: Path) -> None:
    (here / "a.md").write_text("2 * 2 = 5 <!-- flopkb: ignore of old -->\n\n<!-- flopkb: ignore nothing -->\n\ntext\n")
    outcome = scan_command(ScanOptions((Path("a.md"),)))
    assert outcome.code == 0 and "unused-suppression" in outcome.text and "1 suppressed" in outcome.text
    quiet = scan_command(ScanOptions((Path("a.md"),), "json"))
    assert json.loads(quiet.text) == [] and "a.md:3:1: warning: unused-suppression" in quiet.error


def test_a_byte_order_mark_shifts_nothing(here: Path) -> None:
    (here / "a.md").write_bytes(b"\xef\xbb\xbf2 * 2 = 5\r\n")
    assert "a.md:1:1: error" in scan_command(ScanOptions((Path("a.md"),))).text


def run(*files: str, **asked: object) -> Outcome:
    return scan_command(ScanOptions(tuple(Path(file) for file in files), **asked))  # type: ignore[arg-type]


def test_only_what_is_wrong_fails_unless_it_is_strict(here: Path) -> None:
    (here / "b.md").write_text("2 / 3 = 0.66 and 7 / 4*2 = 0.875\n\n90 / 0.7 = 129 cores, 27.41 x 1e6 = 27,413,204\n")
    assert run("b.md").code == 0
    assert run("b.md", strict=True).code == 1
    (here / "c.md").write_text("90 / 0.7 = 129 cores, 27.41 x 1e6 = 27,413,204\n")
    assert run("c.md", strict=True).code == 0


def test_the_farthest_off_stand_first_grouped_by_file(here: Path) -> None:
    (here / "b.md").write_text("3 * 4 = 13\n\n3 * 4 = 120\n\n2 / 3 = 0.66\n")
    told = [line for line in run("a.md", "b.md").text.splitlines() if ": error:" in line or ": warning:" in line]
    assert [line.partition(": ")[0] for line in told] == [
        "b.md:3:1", "b.md:1:1", "b.md:5:1", "a.md:3:6", "a.md:3:22", "a.md:5:1",
    ]  # fmt: skip


def test_each_format_tells_the_same(here: Path) -> None:
    (here / "b.md").write_text("4 × 80 GB = 320 TB | here\n")
    github = run("b.md", form="github").text
    assert github.startswith("::error file=b.md,line=1,col=1,endColumn=19,title=flopkb wrong::4 × 80 GB = 320 TB")
    assert "check the prefixes" in github
    sarif = json.loads(run("b.md", form="sarif").text)["runs"][0]["results"]
    assert [(row["ruleId"], row["level"]) for row in sarif] == [("wrong", "error")]
    assert sarif[0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 1, "startColumn": 1, "endColumn": 19}
    junit = run("b.md", "a.md", form="junit").text
    assert 'tests="2" failures="2"' in junit and "b.md:1:1" in junit
    markdown = run("b.md", form="markdown").text
    assert "### b.md" in markdown and "| 1 | wrong | `4 × 80 GB = 320 TB` | 0.32 TB |" in markdown
    assert all(run("b.md", form=form).code == 1 for form in ("text", "json", "github", "sarif", "junit", "markdown"))


def test_a_baseline_is_written_and_then_held_to(here: Path) -> None:
    first = run("a.md", baseline=Path("known.json"))
    assert first.code == 0 and "3 equations written to known.json" in first.error
    (here / "a.md").write_text("A new line.\n\n" + TEXT, encoding="utf-8")
    second = run("a.md", baseline=Path("known.json"))
    assert second.code == 0 and "3 known" in second.text and ": error:" not in second.text
    (here / "a.md").write_text(TEXT + "\n10 * 3 = 29 and 5 * 5 = 26\n", encoding="utf-8")
    third = run("a.md", baseline=Path("known.json"), form="json")
    assert third.code == 1
    assert [row["text"] for row in json.loads(third.text) if row["verdict"] == "wrong"] == ["10 * 3 = 29", "5 * 5 = 26"]
    run("a.md", baseline=Path("known.json"), update_baseline=True)
    assert run("a.md", baseline=Path("known.json")).code == 0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"known": [1]}', "not json", "[" * 100_000])
def test_what_is_no_baseline_is_said(here: Path, text: str) -> None:
    (here / "known.json").write_text(text)
    with pytest.raises(UsageFault, match=r"known\.json is no baseline"):
        run("a.md", baseline=Path("known.json"))


def test_a_baseline_is_needed_to_be_written_anew() -> None:
    with pytest.raises(UsageFault, match="needs a --baseline"):
        run("a.md", update_baseline=True)


def paths(outcome: Outcome) -> list[str]:
    return sorted({row["path"] for row in json.loads(outcome.text)})


def test_files_are_left_out_by_gitignore_and_by_patterns(here: Path) -> None:
    (here / ".git").mkdir()
    (here / ".gitignore").write_text("build/\n*.txt\n!keep.txt\n/top.md\n# a comment\n\ndocs/**/old.md\n")
    names = "build/a.md b.txt keep.txt top.md sub/top.md docs/x/old.md docs/new.md sub/.gitignore sub/own.md sub/c.md"
    for name in names.split():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text("own.md\n" if name.endswith("ignore") else "3 * 4 = 12\n")
    assert paths(run(".", form="json")) == ["a.md", "docs/new.md", "keep.txt", "sub/c.md", "sub/top.md"]
    assert paths(run("sub", form="json")) == ["sub/c.md", "sub/top.md"]
    asked = run(".", "a.md", form="json", exclude=("sub", "a.md", "docs/*.md"))
    assert paths(asked) == ["keep.txt"]
    assert paths(run("top.md", form="json")) == ["top.md"]


def test_settings_of_a_folder_are_followed(here: Path) -> None:
    (here / "docs").mkdir()
    (here / "docs/old.md").write_text("3 * 4 = 13\n")
    (here / "docs/new.md").write_text("2 / 3 = 0.66\n")
    (here / "docs/x.py").write_text("# 3 * 4 = 14\n")
    (here / "flopkb-scan.yaml").write_text(
        "exclude: [docs/old.md]\nstrict: true\nbaseline: known.json\ncomments: true\n"
    )
    (here / "known.json").write_text('{"version": 1, "known": [{"path": "docs/x.py", "text": "3 * 4  = 14"}]}')
    outcome = run("docs", form="json")
    assert outcome.code == 1
    assert [(row["path"], row["verdict"]) for row in json.loads(outcome.text)] == [("docs/new.md", "truncated")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("excludes: [a]\n", "flopkb-scan.yaml:1:1: there is no setting excludes"),
        ("strict: maybe\n", "strict takes true or false"),
        ("exclude: {a: b}\n", "exclude takes a list"),
        ("baseline: 3\n", "baseline takes the name of a file"),
        ("- a\n", "the top level is no mapping"),
    ],
)
def test_settings_that_cannot_be_followed_are_said(here: Path, text: str, said: str) -> None:
    (here / "flopkb-scan.yaml").write_text(text)
    with pytest.raises(UsageFault, match=re.escape(said)):
        run("a.md")


def test_what_is_not_judged_is_counted_and_listed_on_request(here: Path) -> None:
    (here / "b.md").write_text("3 * 4 = 12 and $4 \\cdot L \\cdot 3 = 24$ and sin(3) * 2 = 5\n")
    assert "1 equation in 1 file: 1 ok, 0 wrong in" in run("b.md").text
    assert "; 3 seen, 1 read, 1 judged" in run("b.md").text
    listed = run("b.md", unread=True).text
    assert "b.md:1:17: not judged:" in listed and "b.md: 3 seen, 1 read, 1 judged" in listed
    rows = json.loads(run("b.md", form="json", unread=True).text)
    assert [row["verdict"] for row in rows] == ["ok", "unread", "unread"]
    assert all(list(row) == KEYS for row in rows)


def test_nothing_to_read_is_an_error_and_one_binary_file_is_none(here: Path) -> None:
    (here / "empty").mkdir()
    assert run("empty").code == 2 and "no document" in run("empty").error
    (here / "b.bin").write_bytes(b"\0\1")
    assert run("a.md", "b.bin").code == 1 and "b.bin is not text" in run("a.md", "b.bin").error
    (here / "c.md").write_text("3 * 4 = 12\n")
    assert run("c.md", "b.bin").code == 0


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(here: Path) -> None:
    os.mkfifo(here / "pipe")
    outcome = run("pipe")
    assert outcome.code == 2 and outcome.error == "flopkb: pipe is a pipe that nobody writes to; it was skipped"
    assert run("a.md", "pipe").code == 1


def test_a_fault_of_flopkb_itself_takes_no_other_file_with_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "b.md").write_text("5 * 5 = 26\n")

    def failing(text: str, path: str, kind: object = None, *, comparisons: bool = False) -> object:
        if path == "a.md":
            raise ValueError("of all things")
        return scan_text(text, path)

    monkeypatch.setattr("flopkb.checking.scanning.reading.scan_text", failing)
    outcome = run("a.md", "b.md")
    assert outcome.code == 3 and "5 * 5 = 26" in outcome.text and "a.md: ValueError" in outcome.error


def test_many_files_are_read_by_several_processes_and_reported_in_their_order(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"n{number:03}.md" for number in range(60)]
    for name in names:
        (here / name).write_text(f"3 * 4 = {13 if name == 'n042.md' else 12}, not {name}\n")
    (here / "n050.md").write_bytes(b"\0\1")
    outcomes = []
    for processors in (1, 2):
        monkeypatch.setattr("os.cpu_count", lambda count=processors: count)
        outcomes.append(run(*names, form="json"))
    alone, together = outcomes
    assert alone == together and alone.code == 1
    assert [row["path"] for row in json.loads(alone.text)] == [name for name in names if name != "n050.md"]


def test_comparisons_are_told_on_request_and_fail_a_strict_run_alone(here: Path) -> None:
    (here / "c.md").write_text("It is 3.2x faster (80.0 s to 10.0 s).\n")
    assert "0 equations in 1 file" in run("c.md").text
    asked = run("c.md", comparisons=True)
    assert asked.code == 0 and "1 different, 0 wrong" in asked.text
    assert "c.md:1:7: warning: different: 3.2x faster (80.0 s to 10.0 s)" in asked.text
    assert run("c.md", comparisons=True, strict=True).code == 1
    (here / "flopkb-scan.yaml").write_text("comparisons: true\n")
    assert "1 different" in run("c.md").text
