"""Writing: whole files or none, and clear words where that cannot be."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flopkb.base import writing
from flopkb.base.writing import WriteFault, write_whole
from flopkb.commands.main import main

from .bases import DOCS, REPOSITORY

pytestmark = pytest.mark.slow

RECORDS = ["--records", str(REPOSITORY / "records")]


def render(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["render", *map(str, arguments), *RECORDS])


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "t.md.j2"
    file.write_text(
        "A ridge of {{ fig('roofline.ridge', accelerator='nvidia_h100_sxm', dtype='bf16') }}.\n", encoding="utf-8"
    )
    return file


def test_it_writes_and_says_so(small: Path, tmp_path: Path) -> None:
    for ending in ("html", "md", "tex"):
        done = render(small, "-o", tmp_path / f"d.{ending}")
        assert done.exit_code == 0 and done.output == f"wrote {tmp_path}/d.{ending}\n"
        assert "295" in (tmp_path / f"d.{ending}").read_text(encoding="utf-8")


def test_the_format_can_be_named(small: Path, tmp_path: Path) -> None:
    assert render(small, "-o", tmp_path / "d.txt", "--format", "markdown").exit_code == 0
    unclear = render(small, "-o", tmp_path / "d.doc")
    assert unclear.exit_code == 2 and "--format" in unclear.output


def test_faults_are_shown_with_their_line_and_nothing_is_written(tmp_path: Path) -> None:
    file, there = tmp_path / "t.md.j2", tmp_path / "d.html"
    file.write_text("one\n\nabout 295x\n", encoding="utf-8")
    there.write_text("old", encoding="utf-8")
    done = render(file, "-o", there)
    assert done.exit_code == 1
    first, excerpt, caret, *_ = done.output.split("\n")
    assert first.endswith("lit('295x', reason)") and ":3:7: error: bare-number: 295x is typed" in first
    assert excerpt.strip() == "about 295x" and caret == "          ^^^^"
    assert there.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    ("target", "words"),
    [("none/d.html", "its folder does not exist"), ("t.md.j2/d.html", "its folder is a file"), (".", "")],
)
def test_a_place_that_cannot_be_written(small: Path, tmp_path: Path, target: str, words: str) -> None:
    done = render(small, "-o", tmp_path / target, "--format", "html")
    assert done.exit_code == 2 and words in done.output and "Traceback" not in done.output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk(small: Path) -> None:
    done = render(small, "-o", "/dev/full", "--format", "html")
    assert done.exit_code == 2 and "the disk is full" in done.output


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "d.html"
    file.write_text("old", encoding="utf-8")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", full)
    with pytest.raises(WriteFault, match="the disk is full"):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["d.html"]


def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "d.html"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    write_whole(file, b"new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640 and file.read_bytes() == b"new"


def test_templates_that_cannot_be_read(tmp_path: Path) -> None:
    missing = render(tmp_path / "none.md.j2", "-o", tmp_path / "d.html")
    assert missing.exit_code == 2 and "does not exist" in missing.output
    latin = tmp_path / "latin.md.j2"
    latin.write_bytes(b"caf\xe9")
    assert "not UTF-8 (byte 3)" in render(latin, "-o", tmp_path / "d.html").output


def test_check_says_whether_a_file_is_current(small: Path, tmp_path: Path) -> None:
    page = tmp_path / "d.html"
    assert render(small, "-o", page).exit_code == 0
    assert render(small, "-o", page, "--check").output == f"{page} is current\n"
    page.write_text(page.read_text(encoding="utf-8").replace(">295", ">296"), encoding="utf-8")
    stale = render(small, "-o", page, "--check")
    assert stale.exit_code == 1 and "296" in stale.output and "295" in stale.output
    assert ">296" in page.read_text(encoding="utf-8")


def test_plots_stand_beside_documents_that_cannot_hold_them(tmp_path: Path) -> None:
    for ending, plot in (("md", "svg"), ("tex", "pdf")):
        done = render(DOCS / "decode_is_memory_bound.md.j2", "-o", tmp_path / f"d.{ending}")
        assert done.exit_code == 0
        assert (tmp_path / f"d-fig-roofline.{plot}").stat().st_size > 5000
        assert f"d-fig-roofline.{plot}" in (tmp_path / f"d.{ending}").read_text(encoding="utf-8")
