"""``flopkb fix`` on the command line: what it writes, what it says, and its exit code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from flopkb.commands import UsageFault
from flopkb.commands.fix import FixOptions, fix_command

STALE = """formulas:
  ratio: {expr: 3, unit: "1"}
  other: {expr: 8, unit: "1"}
derivation: |
  [4x](fig:ratio), [8x](fig:other).
"""
RANGE = 'formulas:\n  ratio: {expr: 3, unit: "1"}\nderivation: |\n  [4-8x](fig:ratio)\n'


@pytest.fixture
def stale(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record with a stale quote; the current folder is that of the base."""
    monkeypatch.chdir(base.folder)
    return base.formula("speed", STALE)


def test_it_writes_and_says_what(base: TinyBase, stale: Path) -> None:
    outcome = fix_command(FixOptions())
    said, total = outcome.text.splitlines()
    assert said == "records/formulas/speed.yaml:10:4: 4x -> 3x"
    assert total == "1 quote rewritten in 1 file, 0 findings left that fix cannot mend"
    assert outcome.code == 0 and not outcome.error
    assert stale.read_text("utf-8").endswith("[3x](fig:ratio), [8x](fig:other).\n")


def test_a_second_run_changes_nothing(stale: Path) -> None:
    fix_command(FixOptions())
    once = stale.read_bytes()
    outcome = fix_command(FixOptions())
    assert stale.read_bytes() == once
    assert outcome.code == 0 and outcome.text.startswith("0 quotes rewritten, 0 findings left")


def test_check_only_says(stale: Path) -> None:
    before = stale.read_bytes()
    outcome = fix_command(FixOptions(only_check=True))
    assert outcome.code == 1 and "4x -> 3x" in outcome.text
    assert stale.read_bytes() == before
    fix_command(FixOptions())
    assert fix_command(FixOptions(only_check=True)).code == 0


def test_diff_shows_and_can_be_applied(base: TinyBase, stale: Path) -> None:
    before = stale.read_bytes()
    outcome = fix_command(FixOptions(diff=True))
    assert stale.read_bytes() == before and outcome.code == 0
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    subprocess.run(["git", "apply", "-"], input=outcome.text.encode(), cwd=base.folder, check=True)
    assert stale.read_text("utf-8").endswith("[3x](fig:ratio), [8x](fig:other).\n")


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_diffs_of_other_line_ends_apply_too(base: TinyBase, stale: Path, end: str) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    text = STALE.rstrip("\n")
    head = stale.read_text("utf-8").split("formulas:")[0]
    old = (head + text).replace("\n", end or "\n") + end
    stale.write_bytes(old.encode("utf-8"))
    outcome = fix_command(FixOptions(diff=True))
    subprocess.run(["git", "apply", "-"], input=outcome.text.encode(), cwd=base.folder, check=True)
    assert stale.read_bytes() == old.replace("[4x]", "[3x]").encode("utf-8")


@pytest.mark.parametrize("option", ["diff", "only_check"])
def test_what_cannot_be_mended_exits_1(base: TinyBase, stale: Path, option: str) -> None:
    base.formula("speed", RANGE)
    outcome = fix_command(FixOptions())
    assert outcome.code == 1 and "records/formulas/speed.yaml:9:4: error: figure-mismatch: 4-8x" in outcome.text
    assert "1 finding left" in outcome.text
    assert fix_command(FixOptions(**{option: True})).code == 1  # type: ignore[arg-type]


def test_paths_narrow_what_is_mended(base: TinyBase, stale: Path) -> None:
    other = base.formula("other", STALE)
    before = stale.read_bytes()
    outcome = fix_command(FixOptions(paths=(other,)))
    assert outcome.code == 0 and "1 file" in outcome.text
    assert stale.read_bytes() == before and b"[3x]" in other.read_bytes()
    assert fix_command(FixOptions(paths=(Path("records/formulas"),))).code == 0
    assert b"[3x]" in stale.read_bytes()


def test_documents_are_mended_where_they_are_named(base: TinyBase, stale: Path) -> None:
    page = base.folder / "page.md"
    page.write_bytes(b"\xef\xbb\xbfIt is [4x](fig:speed.ratio).\r\n")
    before = stale.read_bytes()
    outcome = fix_command(FixOptions(paths=(page,)))
    assert outcome.text.startswith("page.md:1:8: 4x -> 3x\n") and outcome.code == 0
    assert page.read_bytes() == b"\xef\xbb\xbfIt is [3x](fig:speed.ratio).\r\n"
    assert stale.read_bytes() == before


def test_it_works_from_any_folder(base: TinyBase, stale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = base.folder / "records" / "models"
    monkeypatch.chdir(elsewhere)
    outcome = fix_command(FixOptions())
    assert outcome.text.startswith("../formulas/speed.yaml:10:4: 4x -> 3x") and b"[3x]" in stale.read_bytes()


def test_a_read_only_file_is_reported_and_the_others_are_written(base: TinyBase, stale: Path) -> None:
    other = base.formula("other", STALE)
    before = stale.read_bytes()
    stale.chmod(0o444)
    outcome = fix_command(FixOptions())
    assert outcome.code == 2 and "speed.yaml is read-only" in outcome.error
    assert "speed.yaml" not in outcome.text and "1 quote rewritten in 1 file" in outcome.text
    assert stale.read_bytes() == before and b"[3x]" in other.read_bytes()


def test_a_broken_record_keeps_no_other_from_being_mended(base: TinyBase, stale: Path) -> None:
    (base.records / "formulas" / "broken.yaml").write_text("id: [")
    outcome = fix_command(FixOptions())
    assert outcome.code == 1 and "broken.yaml:1:" in outcome.text
    assert b"[3x]" in stale.read_bytes()


def test_a_base_that_is_not_there_is_a_usage_fault(base: TinyBase, stale: Path) -> None:
    with pytest.raises(UsageFault, match="does not exist"):
        fix_command(FixOptions(records=Path("nowhere")))
    with pytest.raises(UsageFault, match="does not exist"):
        fix_command(FixOptions(paths=(Path("nowhere.md"),)))


def test_the_real_base_after_a_change_of_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another bandwidth: every quote of it and of what follows from it is rewritten, and only those."""
    shutil.copytree(REPOSITORY / "records", tmp_path / "records")
    monkeypatch.chdir(tmp_path)
    part = tmp_path / "records" / "accelerators" / "nvidia_l4.yaml"
    text = part.read_text("utf-8")
    assert "value: 300 GB/s" in text
    part.write_text(text.replace("value: 300 GB/s", "value: 301 GB/s"), "utf-8")
    outcome = fix_command(FixOptions())
    left = [line for line in outcome.text.splitlines() if ": error: " in line]
    assert all(": reading-mismatch: " in line for line in left), left  # the value is not the one printed any more
    assert "nvidia_l4.yaml" in outcome.text and " -> " in outcome.text
    assert " -> " not in fix_command(FixOptions(only_check=True)).text
