"""Writing: whole or not at all, nobody's own files touched, clear words where it cannot be done."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from flopkb.base import writing
from flopkb.base.writing import WriteFault
from flopkb.publishing.export import output
from flopkb.publishing.export.output import MANIFEST, WrittenFiles, write_file, write_folder
from flopkb.publishing.export.seal import UNSEALED, sealed

MARK = b"% mark"
OLD = sealed(f"% mark of old {UNSEALED}\n".encode())
FILES = {"index.html": b"start", "a/one.html": b"1", "a/two.html": b"2"}


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def without_manifest(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in tree(folder).items() if name != MANIFEST}


# -- one file ---------------------------------------------------------------------------------------------------------
def test_a_new_file_is_written_with_usual_permissions(tmp_path: Path) -> None:
    assert write_file(tmp_path / "x", b"% mark 1", MARK) == WrittenFiles(1, 8)
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o666 & ~mask


def test_an_earlier_export_and_an_empty_file_are_replaced(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for before in (OLD, b""):
        file.write_bytes(before)
        write_file(file, b"% mark new", MARK)
        assert file.read_bytes() == b"% mark new"
    assert [child.name for child in tmp_path.iterdir()] == ["x"]


def test_a_file_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("mine")
    with pytest.raises(
        WriteFault, match="is there already and is no flopkb export; name another file, or move it away"
    ):
        write_file(file, b"% mark", MARK)
    assert tree(tmp_path) == {"notes.md": b"mine"}


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(OLD)
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", b"% mark new", MARK)
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"% mark new"


def test_a_device_is_written_to_as_it_is() -> None:
    assert write_file(Path("/dev/null"), b"x", MARK).size == 1


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (lambda tmp: tmp / "no" / "x", "there is no folder .*no; create it first"),
        (lambda tmp: tmp, "is a folder; name a file for this format"),
    ],
)
def test_what_cannot_be_a_file(path: Callable[[Path], Path], told: str, tmp_path: Path) -> None:
    with pytest.raises(WriteFault, match=told):
        write_file(path(tmp_path), b"", MARK)


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(OLD)
    monkeypatch.setattr(output.os, "fsync", full)
    with pytest.raises(WriteFault, match="could not be written \\(the disk is full\\); nothing there was changed"):
        write_file(tmp_path / "x", b"% mark new", MARK)
    assert tree(tmp_path) == {"x": OLD}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(WriteFault, match="permission denied"):
        write_file(tmp_path / "closed" / "x", b"", MARK)


def test_an_interruption_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(OLD)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "exchanged", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "x", b"% mark new", MARK)
    assert tree(tmp_path) == {"x": OLD}


@pytest.mark.parametrize("edit", [OLD + b"\n% mine\n", OLD.replace(b"old", b"odd"), b"% mark alone", OLD[:-1]])
def test_an_export_that_was_edited_is_not_replaced(edit: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(edit)
    with pytest.raises(WriteFault, match="was changed since it was exported; move it away, or remove it"):
        write_file(tmp_path / "x", b"% mark new", MARK)
    assert tree(tmp_path) == {"x": edit}


def test_other_ends_of_lines_are_no_edit(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(OLD.replace(b"\n", b"\r\n"))
    assert write_file(tmp_path / "x", b"% mark new", MARK).size == 10


# -- a folder ---------------------------------------------------------------------------------------------------------
def test_a_new_folder_appears_at_once_with_its_manifest(tmp_path: Path) -> None:
    assert write_folder(tmp_path / "site", FILES) == WrittenFiles(3, 7)
    assert without_manifest(tmp_path / "site") == FILES
    manifest = json.loads((tmp_path / "site" / MANIFEST).read_text())
    assert manifest["complete"] and set(manifest["files"]) == set(FILES)
    assert [child.name for child in tmp_path.iterdir()] == ["site"]


def test_a_known_folder_is_renewed_and_what_is_gone_is_removed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_folder(site, FILES)
    written = write_folder(site, {"index.html": b"new", "b/three.html": b"3"})
    assert written == WrittenFiles(2, 4, removed=2)
    assert without_manifest(site) == {"index.html": b"new", "b/three.html": b"3"}
    assert not (site / "a").exists()


def test_files_of_somebody_else_stay(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_folder(site, FILES)
    (site / "mine.txt").write_text("mine")
    (site / "a" / "two.html").write_text("edited by hand")
    write_folder(site, {"index.html": b"new"})
    assert without_manifest(site) == {"index.html": b"new", "mine.txt": b"mine", "a/two.html": b"edited by hand"}


def test_a_file_in_the_way_stops_it_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.html").write_text("mine")
    with pytest.raises(WriteFault, match=r"a/one\.html is there already and is no flopkb export"):
        write_folder(tmp_path, FILES)
    assert tree(tmp_path) == {"a/one.html": b"mine"}


def test_a_file_where_a_folder_is_needed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    with pytest.raises(WriteFault, match="a is a file where a folder is needed"):
        write_folder(tmp_path, FILES)
    assert tree(tmp_path) == {"a": b"mine"}


@pytest.mark.parametrize(
    ("path", "told"),
    [("file", "is a file; name a folder for this format"), ("no/such", "there is no folder .*no; create it first")],
)
def test_what_cannot_be_a_folder(path: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteFault, match=told):
        write_folder(tmp_path / path, FILES)


def test_a_full_disk_leaves_no_half_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "old", FILES)
    before = tree(tmp_path)
    monkeypatch.setattr(output.os, "fsync", full)
    for name in ("old", "new"):
        with pytest.raises(WriteFault, match="the disk is full"):
            write_folder(tmp_path / name, {"index.html": b"new", "c.html": b"c"})
    assert tree(tmp_path) == before


@pytest.mark.parametrize("after", range(4))
def test_an_interrupted_renewal_is_made_good_by_the_next(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    write_folder(site, FILES)
    replace, calls = os.replace, iter(range(100))

    def interrupted(source: str, target: str) -> None:
        if next(calls) == after:
            raise KeyboardInterrupt
        replace(source, target)

    new = {"index.html": b"new", "c.html": b"c", "d.html": b"d"}
    monkeypatch.setattr(output.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_folder(site, new)
    monkeypatch.setattr(output.os, "replace", replace)
    assert set(without_manifest(site).values()) <= {*FILES.values(), *new.values()}  # each file is whole
    write_folder(site, new)
    assert without_manifest(site) == new


def test_a_manifest_that_cannot_be_read_stops_it(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("[]")
    with pytest.raises(WriteFault, match="cannot be read; remove it together with the export"):
        write_folder(tmp_path, FILES)


def test_a_manifest_cannot_make_it_remove_files_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("x")
    site = tmp_path / "site"
    write_folder(site, FILES)
    hashes = {"../victim": output.digest(b"x"), str(tmp_path / "victim"): output.digest(b"x")}
    (site / MANIFEST).write_bytes(output.manifest({**{n: output.digest(d) for n, d in FILES.items()}, **hashes}))
    write_folder(site, {"index.html": b"new"})
    assert (tmp_path / "victim").read_text() == "x"


@pytest.mark.parametrize(
    "content", ["[]", "[" * 100_000, '{"files": {"a":' * 20_000, '{"files": [1]}', '{"files": {}, "before": 3}']
)
def test_a_damaged_or_nested_manifest_stops_it(content: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(WriteFault, match="cannot be read; remove it together with the export"):
        write_folder(tmp_path, FILES)


def test_an_exported_file_that_was_edited_is_not_replaced(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_folder(site, FILES)
    (site / "a" / "two.html").write_text("edited by hand")
    before = tree(site)
    with pytest.raises(WriteFault, match=r"a/two\.html was changed since it was exported; move it away, or remove it"):
        write_folder(site, {"index.html": b"new", "a/two.html": b"new"})
    assert tree(site) == before


@pytest.mark.parametrize("after", range(1, 5))
def test_what_cannot_be_finished_is_undone(after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where one folder of several is read-only: the words that nothing was changed are true."""
    site = tmp_path / "site"
    write_folder(site, FILES)
    before = tree(tmp_path)
    replace, calls = os.replace, iter(range(100))

    def denied(source: str, target: str) -> None:
        if next(calls) == after:
            raise PermissionError(errno.EACCES, "Permission denied")
        replace(source, target)

    monkeypatch.setattr(output.os, "replace", denied)
    with pytest.raises(WriteFault, match=r"permission denied.*nothing there was changed"):
        write_folder(site, {"index.html": b"new", "a/one.html": b"new", "c.html": b"c", "d.html": b"d"})
    assert tree(tmp_path) == before
