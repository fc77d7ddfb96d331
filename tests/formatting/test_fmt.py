"""`flopkb fmt`: which files, what is written, what is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from flopkb.base.document import Document
from flopkb.base.loading import load_file
from flopkb.commands import UsageFault
from flopkb.commands.fmt import FmtOptions, fmt_command
from flopkb.editing.fmt import formatted

ODD = "kind: formula\nid: odd\nname: Odd\nstatus: draft\nupdated: 2026-01-05\nformulas: {f: {unit: byte, expr: 2}}\n"
USUAL = "id: odd\nkind: formula\nname: Odd\nstatus: draft\nupdated: 2026-01-05\nformulas: {f: {expr: 2, unit: byte}}\n"


@pytest.fixture
def odd(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A base with one record that is not in the usual form."""
    monkeypatch.chdir(base.folder)
    return base.write("formulas/odd.yaml", ODD)


def test_the_base_is_in_the_usual_form() -> None:
    for file in sorted((REPOSITORY / "records").rglob("*.yaml")):
        document = load_file(file, file.name)
        assert isinstance(document, Document), document
        found = formatted(document)
        assert (found.source, found.left) == (document.source, ""), file.name


def test_the_whole_base(odd: Path) -> None:
    outcome = fmt_command(FmtOptions())
    assert outcome.text == "records/formulas/odd.yaml: formatted\n1 file formatted, 6 unchanged\n"
    assert (outcome.code, outcome.error) == (0, "")
    assert odd.read_text() == USUAL
    assert fmt_command(FmtOptions()).text == "0 files formatted, 7 unchanged\n"


def test_only_the_files_named(odd: Path) -> None:
    assert fmt_command(FmtOptions((Path("records/models"), Path("records/models/llm.yaml")))).text == (
        "0 files formatted, 1 unchanged\n"
    )
    assert odd.read_text() == ODD


def test_check_writes_nothing(odd: Path) -> None:
    outcome = fmt_command(FmtOptions(only_check=True))
    assert outcome.code == 1
    assert outcome.text == "records/formulas/odd.yaml: would be formatted\n1 file would be formatted, 6 unchanged\n"
    assert odd.read_text() == ODD
    assert fmt_command(FmtOptions((Path("records/models"),), only_check=True)).code == 0


def test_diff_is_a_patch(odd: Path) -> None:
    outcome = fmt_command(FmtOptions(diff=True))
    assert (outcome.code, outcome.error) == (0, "flopkb: 1 file would be formatted, 6 unchanged")
    assert odd.read_text() == ODD
    subprocess.run(["git", "apply"], input=outcome.text.encode(), check=True, cwd=odd.parents[2])
    assert odd.read_text() == USUAL
    odd.write_text(ODD)
    assert fmt_command(FmtOptions(diff=True, only_check=True)).code == 1


def test_every_byte_that_need_not_change(odd: Path) -> None:
    text = "\ufeffkind: formula\r\nid: odd\r\nnotes: |\r\n  a  \r\n\r\n  ü\r\n"
    odd.write_bytes(text.encode())
    fmt_command(FmtOptions())
    assert odd.read_bytes() == "\ufeffid: odd\r\nkind: formula\r\nnotes: |\r\n  a  \r\n\r\n  ü\r\n".encode()


def test_permissions_and_links_survive(odd: Path) -> None:
    real = odd.with_name("real.txt")
    odd.rename(real)
    odd.symlink_to(real)
    real.chmod(0o640)
    fmt_command(FmtOptions((odd,)))
    assert odd.is_symlink()
    assert real.read_text() == USUAL
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_file_that_is_in_form_is_not_touched(odd: Path) -> None:
    odd.write_text(USUAL)
    os.utime(odd, (1, 1))
    fmt_command(FmtOptions())
    assert odd.stat().st_mtime == 1


def test_a_file_that_cannot_be_read(odd: Path) -> None:
    broken = odd.with_name("broken.yaml")
    broken.write_text("a: [1\n")
    outcome = fmt_command(FmtOptions())
    assert outcome.code == 1
    assert outcome.text.endswith("1 file formatted, 6 unchanged, 1 unreadable\n")
    assert outcome.error.startswith("records/formulas/broken.yaml:1:6: error: yaml: `[` from line 1 is never closed")
    assert broken.read_text() == "a: [1\n"
    assert odd.read_text() == USUAL


def test_a_file_that_is_no_record(odd: Path) -> None:
    other = odd.with_name("other.yaml")
    other.write_text("a:   1\n")
    outcome = fmt_command(FmtOptions())
    assert outcome.code == 0
    assert outcome.error == (
        "records/formulas/other.yaml: left as it is: it is no record: it has no `kind` that flopkb knows"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written(odd: Path) -> None:
    odd.chmod(0o400)
    outcome = fmt_command(FmtOptions())
    assert outcome.code == 2
    assert "read-only" in outcome.error
    assert odd.read_text() == ODD


@pytest.mark.parametrize(
    ("path", "words"),
    [("nowhere", "nowhere does not exist"), ("notes.txt", "notes.txt is no record: records end in .yaml")],
)
def test_usage(odd: Path, path: str, words: str) -> None:
    Path("notes.txt").write_text("x")
    with pytest.raises(UsageFault, match=words):
        fmt_command(FmtOptions((Path(path),)))


def test_the_command_line(odd: Path) -> None:
    command = [sys.executable, "-m", "flopkb", "fmt", "--check", "records/formulas"]
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(REPOSITORY)})
    assert ran.returncode == 1
    assert ran.stdout == "records/formulas/odd.yaml: would be formatted\n1 file would be formatted, 1 unchanged\n"
