"""A file is whole at any moment: the old one or the new one."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from flopkb.base import writing
from flopkb.base.writing import WriteFault, rewrite_file

OLD, NEW = b"old\r\nfile", b"\xef\xbb\xbfnew\r\nfile\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "a.yaml"
    place.write_bytes(OLD)
    return place


def test_the_new_bytes_are_written_exactly(file: Path) -> None:
    rewrite_file(file, OLD, NEW)
    assert file.read_bytes() == NEW
    assert [entry.name for entry in file.parent.iterdir()] == ["a.yaml"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_permissions_are_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    rewrite_file(file, OLD, NEW)
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_link_is_followed_and_stays_a_link(file: Path) -> None:
    other = file.parent / "elsewhere"
    other.mkdir()
    link = other / "link.yaml"
    link.symlink_to(file)
    rewrite_file(link, OLD, NEW)
    assert link.is_symlink() and file.read_bytes() == NEW
    assert [entry.name for entry in other.iterdir()] == ["link.yaml"]


def test_a_read_only_file_is_reported_and_left(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(WriteFault, match="read-only"):
        rewrite_file(file, OLD, NEW)
    assert file.read_bytes() == OLD


def test_a_file_that_someone_else_changed_is_left(file: Path) -> None:
    with pytest.raises(WriteFault, match="changed by someone else"):
        rewrite_file(file, b"what was read before", NEW)
    assert file.read_bytes() == OLD


def test_a_file_that_is_gone_is_reported(file: Path) -> None:
    file.unlink()
    with pytest.raises(WriteFault, match="no such file"):
        rewrite_file(file, OLD, NEW)


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_full_disk_loses_nothing(file: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if step == "write":
        monkeypatch.setattr(os, "fdopen", full)
    else:
        monkeypatch.setattr(os, step, full)
        monkeypatch.setattr(writing, "exchanged", lambda one, other: False)
    with pytest.raises(WriteFault, match="no space left on device"):
        rewrite_file(file, OLD, NEW)
    assert file.read_bytes() == OLD
    assert [entry.name for entry in file.parent.iterdir()] == ["a.yaml"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interruption_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, stopped)
    monkeypatch.setattr(writing, "exchanged", stopped if step == "replace" else writing.exchanged)
    with pytest.raises(KeyboardInterrupt):
        rewrite_file(file, OLD, NEW)
    assert file.read_bytes() == OLD
    assert [entry.name for entry in file.parent.iterdir()] == ["a.yaml"]


def test_at_no_moment_is_the_file_anything_else(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another program would read before each step on the way."""
    seen = []
    for name in ("fchmod", "fsync", "replace"):
        step = getattr(os, name)

        def watched(*args: object, step: object = step) -> object:
            seen.append(file.read_bytes())
            return step(*args)  # type: ignore[operator]

        monkeypatch.setattr(os, name, watched)
    rewrite_file(file, OLD, NEW)
    assert set(seen) <= {OLD, NEW} and OLD in seen


def test_an_edit_between_the_last_look_and_the_exchange_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor that saves in the one moment that nobody can look at has the last word, and is told of."""
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")
    swap = writing.exchanged
    calls: list[str] = []

    def saved_first(one: str | Path, other: str | Path) -> bool:
        if not calls:
            calls.append("once")
            file.write_bytes(b"edited")
        return swap(one, other)

    monkeypatch.setattr(writing, "exchanged", saved_first)
    if not swap(tmp_path / "a.yaml", tmp_path / "a.yaml"):
        pytest.skip("this file system cannot exchange two files")
    with pytest.raises(WriteFault, match="was changed by someone else meanwhile"):
        rewrite_file(file, b"old", b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a.yaml", b"edited")]


def test_without_an_exchange_a_file_is_replaced_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "exchanged", lambda one, other: False)
    file = tmp_path / "a.yaml"
    file.write_bytes(b"old")
    rewrite_file(file, b"old", b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a.yaml", b"new")]


def test_what_a_killed_run_was_writing_goes_with_the_next(tmp_path: Path) -> None:
    """Only what flopkb began, nobody holds and is not quite new."""
    left, new, others = (tmp_path / f".a.yaml.{name}" for name in ("x.flopkb.tmp", "y.flopkb.tmp", "z.tmp"))
    for file in (left, new, others):
        file.write_bytes(b"half")
    os.utime(left, (1, 1))
    os.utime(others, (1, 1))
    writing.write_whole(tmp_path / "b.yaml", b"whole")
    assert sorted(each.name for each in tmp_path.iterdir()) == [new.name, others.name, "b.yaml"]


def test_what_another_run_is_writing_stays(tmp_path: Path) -> None:
    held = tmp_path / ".a.yaml.x.flopkb.tmp"
    held.write_bytes(b"half")
    os.utime(held, (1, 1))
    with held.open("rb") as handle:
        assert writing._locked(handle.fileno())
        writing.write_whole(tmp_path / "b.yaml", b"whole")
    assert held.exists()
