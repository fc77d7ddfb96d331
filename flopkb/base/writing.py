"""Changing files: edits by places in what a reader sees, their diff, and writing so that each file is whole at any moment."""

from __future__ import annotations

import contextlib
import ctypes
import difflib
import errno
import os
import stat
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Document, Scalar, scalars


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` takes the place of the characters ``start:end`` of a scalar's text.

    ``note`` says for a person what changes: ``296x -> 295x``; ``finding`` is the place of what it mends.
    """

    scalar: Scalar = field(repr=False)
    start: int
    end: int
    text: str
    note: str = field(default="", compare=False)
    finding: Location | None = field(default=None, compare=False)

    @property
    def path(self) -> str:
        """The file, as reported."""
        return self.scalar.location.path

    @property
    def location(self) -> Location:
        """Where the change begins."""
        return self.scalar.at(self.start)

    @property
    def old(self) -> str:
        """What is replaced."""
        return self.scalar.text[self.start : self.end]


def narrowest(scalar: Scalar, start: int, end: int, text: str) -> Edit:
    """The edit without the characters that stay the same at both ends."""
    head, tail = common_ends(scalar.text[start:end], text)
    return Edit(scalar, start + head, end - tail, text[head : len(text) - tail])


def common_ends(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts share at their beginning, and how many of the rest at their end."""
    head = _alike(old, new)
    return head, _alike(old[head:][::-1], new[head:][::-1])


def _alike(old: str, new: str) -> int:
    both = min(len(old), len(new))
    return next((index for index in range(both) if old[index] != new[index]), both)


class SourceMap:
    """Offsets of places in a file's source (every character of it, a byte order mark too)."""

    def __init__(self, source: str) -> None:
        self.mark = 1 if source.startswith("\ufeff") else 0
        self.starts = [0]
        at = source.find("\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = source.find("\n", at + 1)

    def offset(self, where: Location) -> int:
        """The offset of a place."""
        return self.starts[where.line - 1] + where.column - 1 + (self.mark if where.line == 1 else 0)

    def line(self, offset: int) -> int:
        """The line (from 1) that holds an offset."""
        return bisect_right(self.starts, offset)

    def span(self, edit: Edit) -> tuple[int, int]:
        """Where an edit stands in the source."""
        start = self.offset(edit.scalar.at(edit.start))
        return start, max(start, self.offset(edit.scalar.at(edit.end))) if edit.end > edit.start else start


def applied(source: str, edits: Iterable[Edit]) -> str:
    """The source with the edits made; one that overlaps an earlier one is left out."""
    places = SourceMap(source)
    return spliced(source, ((*places.span(edit), edit.text) for edit in edits))


Change = tuple[int, int, str]
"""Start, end and what takes the place of the text between."""


def spliced(source: str, changes: Iterable[Change]) -> str:
    """The source with the changes made; one that overlaps an earlier one is left out."""
    parts, at = [], 0
    for start, end, text in sorted(changes, key=lambda change: change[:2]):
        if start >= at:
            parts += [source[at:start], text]
            at = end
    return "".join([*parts, source[at:]])


def as_intended(old: Document, new: Document, edits: Sequence[Edit]) -> bool:
    """Whether the new file reads as the old one with nothing changed but what the edits say."""
    before, after = list(scalars(old.root)), list(scalars(new.root))
    if len(before) != len(after):
        return False
    return all(a.style is b.style and _edited(a, edits) == b.text for a, b in zip(before, after, strict=True))


def _edited(scalar: Scalar, edits: Sequence[Edit]) -> str:
    text = scalar.text
    own = [edit for edit in edits if edit.scalar.location == scalar.location]
    for edit in sorted(own, key=lambda e: (e.start, e.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def patch_lines(path: str, old: str, new: str) -> Iterator[str]:
    """The lines of a diff that ``patch`` and ``git apply`` take; lines end at newlines alone."""
    pairs = (text.split("\n") for text in (old, new))
    before, after = ([f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else []) for lines in pairs)
    for line in difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


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
        put(place, new, lambda held: unchanged(held, file, old))
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise WriteFault(f"{file} could not be written ({reason}); it stands as it was") from error


def unchanged(place: Path, file: Path, old: bytes) -> None:
    """Raise :class:`WriteFault` unless the content of ``place`` (which stands for ``file``) still is ``old``."""
    if place.read_bytes() != old:
        raise WriteFault(
            f"{file} was changed by someone else meanwhile; it stands as they left it, run the command again"
        )


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write several files, the last one last; raises :class:`WriteFault` at the first that fails, those before it stand."""
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


def put(place: Path, data: bytes, look: Callable[[Path], None] | None = None, *, new: bool = False) -> None:
    """Write a file beside its place, force it to the disk, and put it there in one step; raises OSError.

    A ``new`` one must not be there (FileExistsError).
    One that is there hands its owner and its permissions on. ``look`` sees what is replaced and may raise: right before,
    and, where the system can exchange two files, what really was replaced, which then is put back.
    """
    before = place.stat() if place.exists() else None
    _sweep(place.parent)
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:80]}.", suffix=_OURS, dir=place.parent)
    held: int | None = None
    try:
        with os.fdopen(handle, "wb") as out:
            held = os.dup(out.fileno()) if _locked(out.fileno()) else None
            out.write(data)
            out.flush()
            if before is not None:
                with contextlib.suppress(OSError):  # only root may give a file away
                    os.fchown(out.fileno(), before.st_uid, before.st_gid)
            os.fchmod(out.fileno(), 0o666 & ~umask() if before is None else stat.S_IMODE(before.st_mode))
            os.fsync(out.fileno())
        _put_new(name, place) if new else _replace(name, place, look)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    finally:
        if held is not None:
            os.close(held)
    _sync_folder(place.parent)


def _put_new(name: str, place: Path) -> None:
    try:
        os.link(name, place)  # fails where a file is there, in one step
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, "is there") from None
        os.replace(name, place)
        return
    os.unlink(name)


def _replace(name: str, place: Path, look: Callable[[Path], None] | None) -> None:
    if look is None:
        os.replace(name, place)
        return
    look(place)
    if not exchanged(name, place):
        os.replace(name, place)
        return
    try:
        look(Path(name))
    except BaseException:
        exchanged(name, place)
        raise
    os.unlink(name)


def exchanged(one: str | Path, other: str | Path) -> bool:
    """Whether two files have changed places, in one step; the system may be unable to."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError):
        return False
    here, exchange = -100, 2
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


_OURS = ".flopkb.tmp"
"""How the names of files end that are being written."""

_AGE = 5
"""A file that is being written is locked by then (seconds)."""


def _locked(handle: int) -> bool:
    """Whether a file could be locked for as long as it is open: nobody else is writing it."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _sweep(folder: Path) -> None:
    """Remove what a killed run was writing into a folder: nobody holds it any more."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if not entry.name.endswith(_OURS) or not entry.is_file(follow_symlinks=False):
                continue
            if time.time() - entry.stat(follow_symlinks=False).st_mtime < _AGE:
                continue
            with contextlib.suppress(OSError), open(entry.path, "rb") as left:
                if _locked(left.fileno()):
                    os.unlink(entry.path)


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
