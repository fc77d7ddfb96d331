"""Being rid of the hints of a scaffold, and of nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import TinyBase

from flopkb.base.document import Document, plain
from flopkb.base.loading import load_file
from flopkb.base.model import Kind
from flopkb.commands.fmt import FmtOptions, fmt_command
from flopkb.commands.new import NewOptions, new_command


@pytest.fixture
def here(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> TinyBase:
    """The neutral base, with the working folder above its records."""
    monkeypatch.chdir(base.folder)
    return base


def content(file: Path) -> object:
    """What a record says."""
    document = load_file(file, file.name)
    assert isinstance(document, Document), document
    return plain(document.root)


def finished(*files: Path) -> str:
    """What `fmt --drop-hints` says."""
    return fmt_command(FmtOptions(files, drop_hints=True)).text


@pytest.mark.parametrize("sources", [(), ("sheet",)], ids=["without-source", "with-source"])
@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_no_comment_of_a_scaffold_is_left_but_the_modeline(here: TinyBase, kind: str, sources: tuple[str, ...]) -> None:
    new_command(NewOptions(kind, "fresh", sources))
    (file,) = here.records.rglob("fresh.yaml")
    before = content(file)
    finished(file)
    assert [line for line in file.read_text().splitlines() if "#" in line] == [file.read_text().splitlines()[0]]
    assert content(file) == before


def test_values_and_comments_of_the_editor_stay(here: TinyBase) -> None:
    new_command(NewOptions("model", "fresh"))
    file = here.records / "models" / "fresh.yaml"
    text = file.read_text()
    text = re.sub(r"^developer:  #", "developer: Lab  #", text, flags=re.MULTILINE)
    text = re.sub(
        r"^# sliding_window:  # .*",
        "# a window of its own\nsliding_window: 4096  # in tokens",
        text,
        flags=re.MULTILINE,
    )
    file.write_text(text)
    finished(file)
    assert "developer: Lab\n" in file.read_text()
    assert "# a window of its own\nsliding_window: 4096  # in tokens\n" in file.read_text()


def test_text_that_looks_like_a_hint_stays(here: TinyBase) -> None:
    file = here.write("sources/odd.yaml", "id: odd\nkind: source\nfinding: |\n  x  # who published it\n")
    before = file.read_bytes()
    assert finished(file) == "0 files formatted, 1 unchanged\n"
    assert file.read_bytes() == before


def test_the_neutral_records_have_no_hints(here: TinyBase) -> None:
    before = {file: file.read_bytes() for file in here.records.rglob("*.yaml")}
    finished(here.records)
    assert {file: file.read_bytes() for file in before} == before


def test_line_ends_and_a_byte_order_mark_stay(here: TinyBase) -> None:
    file = here.write("sources/odd.yaml", "")
    file.write_bytes("\ufeffid: odd\r\nkind: source  # what kind of record this is: source\r\n".encode())
    finished(file)
    assert file.read_bytes() == "\ufeffid: odd\r\nkind: source\r\n".encode()
