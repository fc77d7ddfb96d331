"""Writing what was made: each file is whole at any moment, the old one or the new one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path


class WriteFault(Exception):
    """A file could not be written; what stood there stands as it was. The text says why."""


_REASONS = {
    errno.ENOENT: "its folder does not exist: create it first",
    errno.ENOTDIR: "its folder is a file",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EACCES: "permission denied",
    errno.EROFS: "the file system is read-only",
    errno.EISDIR: "it is a folder",
    errno.ENAMETOOLONG: "its name is too long",
}


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write several files, the last one last; raises :class:`WriteFault`."""
    for file, data in files.items():
        write_whole(file, data)


def write_whole(file: Path, data: bytes) -> None:
    """Write a file beside its place and put it there in one step; an existing one keeps its permissions."""
    place = Path(os.path.realpath(file))
    try:
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder")
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o666 & ~_mask()
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, "read-only")
        if place.exists() and not place.is_file():
            place.write_bytes(data)  # a device such as /dev/null or /dev/stdout
            return
        _replace(place, mode, data)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, (error.strerror or "unknown reason").lower())
        raise WriteFault(f"{file} cannot be written: {reason}") from error


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _replace(place: Path, mode: int, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:80]}.", suffix=".tmp", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fchmod(out.fileno(), mode)
            os.fsync(out.fileno())
        os.replace(name, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
