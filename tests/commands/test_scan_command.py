"""``flopkb scan`` on the command line; what equations mean is tested with the reader of equations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flopkb.commands import UsageFault
from flopkb.commands.scan import ScanOptions, scan_command

TEXT = "First 3 * 4 = 12.\n\nThen 10 * 3 = 29 and 16 / 7 = 2.2 here.\n\n7 / 2*2 = 1.75\n"
KEYS = ["path", "line", "column", "text", "computed", "quoted", "unit", "verdict", "reading"]


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
    assert rows[1] | {"reading": ""} == dict(
        zip(KEYS, ["a.md", 3, 6, "10 * 3 = 29", "30", "29", "1", "wrong", ""], strict=True)
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
