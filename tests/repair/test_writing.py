"""A file is whole at any moment: the old one or the new one."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

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
    with pytest.raises(WriteFault, match="no space left on device"):
        rewrite_file(file, OLD, NEW)
    assert file.read_bytes() == OLD
    assert [entry.name for entry in file.parent.iterdir()] == ["a.yaml"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interruption_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, stopped)
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
