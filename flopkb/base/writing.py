"""Writing a file so that at any moment it is whole: the old one or the new one."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path


class WriteFault(Exception):
    """A file could not be written and stands as it was; the text says why."""


def write_atomically(file: Path, old: bytes, new: bytes) -> None:
    """Replace the content of ``file``, which must still be ``old``; links are followed, permissions kept.

    The new content is written beside the file, forced to the disk and put in its place in one step. Raises
    :class:`WriteFault`; the file is then as it was.
    """
    place = Path(os.path.realpath(file))
    try:
        status = place.stat()
        if not status.st_mode & stat.S_IWUSR or not os.access(place, os.W_OK):
            raise WriteFault(f"{file} is read-only; it stands as it was")
        if place.read_bytes() != old:
            raise WriteFault(
                f"{file} was changed by someone else meanwhile; it stands as they left it, run the command again"
            )
        _replace(place, status, new)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise WriteFault(f"{file} could not be written ({reason}); it stands as it was") from error


def _replace(place: Path, status: os.stat_result, new: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".tmp", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(new)
            out.flush()
            with contextlib.suppress(OSError):  # only root may give a file away
                os.fchown(out.fileno(), status.st_uid, status.st_gid)
            os.fchmod(out.fileno(), stat.S_IMODE(status.st_mode))
            os.fsync(out.fileno())
        os.replace(name, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(place.parent)


def _sync_folder(folder: Path) -> None:
    """Force the new name to the disk too, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
