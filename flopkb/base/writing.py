"""Writing so that at any moment each file is whole: the old one or the new one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

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


class WriteFault(Exception):
    """Something could not be written; what stood there stands as it was. The text says why."""


def rewrite_file(file: Path, old: bytes, new: bytes) -> None:
    """Replace the content of ``file``, which must still be ``old``; links are followed. Raises :class:`WriteFault`."""
    place = Path(os.path.realpath(file))
    try:
        if not place.stat().st_mode & stat.S_IWUSR or not os.access(place, os.W_OK):
            raise WriteFault(f"{file} is read-only; it stands as it was")
        if place.read_bytes() != old:
            raise WriteFault(
                f"{file} was changed by someone else meanwhile; it stands as they left it, run the command again"
            )
        put(place, new)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise WriteFault(f"{file} could not be written ({reason}); it stands as it was") from error


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write several files, the last one last; raises :class:`WriteFault`."""
    for file, data in files.items():
        write_whole(file, data)


def write_whole(file: Path, data: bytes) -> None:
    """Write a file, new or in place of what is there; links are followed. Raises :class:`WriteFault`."""
    place = Path(os.path.realpath(file))
    try:
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder")
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, "read-only")
        if place.exists() and not place.is_file():
            place.write_bytes(data)  # a device such as /dev/null or /dev/stdout
        else:
            put(place, data)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, (error.strerror or "unknown reason").lower())
        raise WriteFault(f"{file} cannot be written: {reason}") from error


def put(place: Path, data: bytes) -> None:
    """Write a file beside its place, force it to the disk, and put it there in one step; raises OSError.

    One that is there hands its owner and its permissions on.
    """
    before = place.stat() if place.exists() else None
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:80]}.", suffix=".tmp", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            if before is not None:
                with contextlib.suppress(OSError):  # only root may give a file away
                    os.fchown(out.fileno(), before.st_uid, before.st_gid)
            os.fchmod(out.fileno(), 0o666 & ~umask() if before is None else stat.S_IMODE(before.st_mode))
            os.fsync(out.fileno())
        os.replace(name, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(place.parent)


def umask() -> int:
    """The permissions that new files are not to have."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Force the new name to the disk too, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
