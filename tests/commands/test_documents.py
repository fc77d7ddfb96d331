"""``flopkb check`` on Markdown documents: links against the base, equations, and bare numbers where a document asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TinyBase

from flopkb.commands import UsageFault
from flopkb.commands.check import CheckOptions, check_command

RATIO = 'formulas:\n  ratio: {expr: 29537/100, unit: "1"}\nderivation: |\n  [295x](fig:ratio)\n'


@pytest.fixture
def docs(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for documents beside a base with one figure."""
    base.formula("speed", RATIO)
    monkeypatch.chdir(base.folder)
    folder = base.folder / "docs"
    folder.mkdir()
    return folder


def checked(*paths: Path | str) -> tuple[list[str], int]:
    """The findings on the paths, and the exit code."""
    outcome = check_command(CheckOptions(tuple(Path(path) for path in paths)))
    return [line for line in outcome.text.splitlines() if ": error: " in line or ": warning: " in line], outcome.code


def test_links_are_checked_against_the_base(docs: Path) -> None:
    (docs / "a.md").write_text(
        "# Title\n\nIt is [296x](fig:speed.ratio), see [`x`](fig:speed.nope) and [1](fig:ratio).\n"
    )
    found, code = checked("docs/a.md")
    assert code == 1
    assert [line.split(": ")[0] + " " + line.split(": ")[2] for line in found] == [
        "docs/a.md:3:8 figure-mismatch",
        "docs/a.md:3:52 unknown-figure",
        "docs/a.md:3:66 bad-link",
    ]


def test_bare_numbers_are_no_errors_unless_the_document_asks(docs: Path) -> None:
    page = docs / "a.md"
    page.write_text("It has 17 of them, half of the rest.\n")
    assert checked(page) == ([], 0)
    page.write_text("It has 17 of them, half of the rest.\n\n<!-- flopkb: every number is linked -->\n")
    found, code = checked(page)
    assert code == 1 and ["bare-number" in found[0], "bare-multiplier" in found[1]] == [True, True]
    page.write_text("---\ntitle: 3\nflopkb: strict\n---\n\nIt has 17 of them.\n")
    assert [line.split(": ")[0] for line in checked(page)[0]] == ["docs/a.md:6:8"]


def test_equations_are_recomputed(docs: Path) -> None:
    (docs / "a.md").write_text("Since 3 * 4 = 13 and `2*2 = 4`, [`29537/100 = 296`](fig:speed.ratio).\n")
    found, code = checked("docs/a.md")
    assert code == 1
    assert [line.split(": ")[0] + " " + line.split(": ")[2] for line in found] == [
        "docs/a.md:1:7 equation-mismatch",
        "docs/a.md:1:47 equation-mismatch",
    ]


def test_folders_and_records_may_be_mixed(docs: Path, base: TinyBase) -> None:
    (docs / "deep").mkdir()
    for name in ("a.md", "deep/b.markdown", "c.txt"):
        (docs / name).write_text("[1x](fig:speed.ratio)\n")
    assert [line.split(":")[0] for line in checked("docs")[0]] == ["docs/a.md", "docs/deep/b.markdown"]
    base.formula("other", RATIO.replace("295x", "7x"))
    found, _ = checked("docs/deep", "records/formulas")
    assert [line.split(":")[0] for line in found] == ["docs/deep/b.markdown", "records/formulas/other.yaml"]
    assert len(checked(".")[0]) == 3


def test_each_document_is_read_once(docs: Path) -> None:
    (docs / "a.md").write_text("[1x](fig:speed.ratio)\n")
    assert len(checked("docs/a.md", "docs", "docs/../docs/a.md")[0]) == 1


def test_other_files_are_usage_faults(docs: Path) -> None:
    (docs / "a.txt").write_text("text")
    (docs / "empty").mkdir()
    for path in ("docs/a.txt", "docs/empty", "docs/nowhere.md"):
        with pytest.raises(UsageFault):
            checked(path)


def test_a_document_that_is_no_text_is_a_finding(docs: Path) -> None:
    (docs / "a.md").write_bytes(b"\xff\xfe")
    found, code = checked("docs/a.md")
    assert code == 1 and found == ["docs/a.md:1:1: error: file: byte 0xff is not UTF-8: save the document as UTF-8"]


def test_positions_count_from_the_byte_order_mark_and_line_ends_of_any_kind(docs: Path) -> None:
    (docs / "a.md").write_bytes("\ufeff[1x](fig:speed.ratio)\r\n\r\nÜ [2x](fig:speed.ratio)\r\n".encode())
    assert [line.split(": ")[0] for line in checked("docs/a.md")[0]] == ["docs/a.md:1:2", "docs/a.md:3:4"]
