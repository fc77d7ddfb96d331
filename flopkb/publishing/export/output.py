"""The formats by name, and writing an export whole or not at all: an interruption leaves no halves of a file.

What an export finds at its place is replaced only where it is an earlier export; nobody's own file is touched.

A single file is written beside its place and put there in one step. A folder is written beside its place too, then
moved there (a new one in one step, a known one file by file); a manifest, written last, names every file of it with
its hash. By that a later export knows which files are its own, to replace and to remove.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from flopkb.base.writing import WriteFault, put, umask
from flopkb.publishing.export.bibtex import bibtex_export
from flopkb.publishing.export.data_tables import csv_export, json_export, jsonl_export
from flopkb.publishing.export.html import html_export
from flopkb.publishing.export.latex import latex_export
from flopkb.publishing.export.markdown import markdown_export
from flopkb.publishing.export.peaks import peaks_export
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.seal import is_sealed, sealed
from flopkb.publishing.export.sqlite import sqlite_export
from flopkb.publishing.export.vectors import vectors_export

MANIFEST = ".flopkb-export.json"
_HEAD = 4096
_STAGING = ".flopkb-export-"


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """How much was written, and which files of an earlier export were removed."""

    files: int
    size: int
    removed: int = 0


def write_file(path: Path, data: bytes, mark: bytes) -> WrittenFiles:
    """Put ``data`` at ``path``; what lies there is replaced only if it is an earlier export that nobody has changed since.

    ``mark`` shows of which format it is, its seal that it stands as it was written.
    A pipe or a device is written to as it is. Raises :class:`WriteFault`.
    """
    place = Path(os.path.realpath(path))
    try:
        found = mode_of(place)
        if found is not None and stat.S_ISDIR(found):
            raise WriteFault(f"{path} is a folder; name a file for this format")
        if found is not None and not stat.S_ISREG(found):
            place.write_bytes(data)
            return WrittenFiles(1, len(data))
        if found is not None:
            check_own(place, path, mark)
        if not place.parent.is_dir():
            raise WriteFault(f"there is no folder {path.parent}; create it first")
        put(place, data, None if found is None else lambda held: check_own(held, path, mark))
    except OSError as error:
        raise unwritable(path, error) from error
    return WrittenFiles(1, len(data))


def mode_of(place: Path) -> int | None:
    """The type of what lies at a place, or None."""
    try:
        return place.stat().st_mode
    except FileNotFoundError:
        return None


def check_own(place: Path, shown: Path, mark: bytes) -> None:
    """Whether a file may be replaced: it is empty, or an export of this format that stands as it was written."""
    held = place.read_bytes()
    if held and mark not in held[:_HEAD]:
        raise WriteFault(f"{shown} is there already and is no flopkb export; name another file, or move it away")
    if held and not is_sealed(held):
        raise WriteFault(f"{shown} was changed since it was exported; move it away, or remove it")


def unwritable(path: Path, error: OSError) -> WriteFault:
    """An error of the system in words; nothing that is half written is left."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    reason = "the disk is full" if full else (error.strerror or "unknown reason").lower()
    return WriteFault(f"{path} could not be written ({reason}); nothing there was changed")


def write_folder(path: Path, files: Mapping[str, bytes]) -> WrittenFiles:
    """Put ``files`` (by their paths in it) into the folder ``path``, and take away what an earlier export left there.

    Raises :class:`WriteFault` where a file of somebody else is in the way; it then has touched nothing.
    """
    place = Path(os.path.realpath(path))
    try:
        found = mode_of(place)
        if found is not None and not stat.S_ISDIR(found):
            raise WriteFault(f"{path} is a file; name a folder for this format")
        if not place.parent.is_dir():
            raise WriteFault(f"there is no folder {path.parent}; create it first")
        own = manifest_of(place)
        for name in sorted(files):
            check_free(place, name, own, path)
        return _put_all(place, files, own)
    except OSError as error:
        raise unwritable(path, error) from error


Known = Mapping[str, frozenset[str]]
"""The files of an earlier export, each with the hashes that it may have."""


def manifest_of(place: Path) -> Known:
    """The files of an earlier export; none where there was none. One that was interrupted may have left old files or new."""
    try:
        found = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        now, before = dict(found["files"]), dict(found.get("before", {}))
        return {str(name): frozenset([str(now.get(name)), *map(str, before.get(name, ()))]) for name in now | before}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise WriteFault(
            f"{place / MANIFEST} cannot be read; remove it together with the export that it describes"
        ) from error


def check_free(place: Path, name: str, own: Known, shown: Path) -> None:
    """Whether a file may be written: there is none, or it is one that an earlier export wrote."""
    file = place / name
    for parent in (file.parent, *file.parent.parents):
        if parent == place.parent:
            break
        if parent.exists() and not parent.is_dir():
            raise WriteFault(
                f"{shown / parent.relative_to(place)} is a file where a folder is needed; name another folder"
            )
    if not os.path.lexists(file):
        return
    if name not in own:
        raise WriteFault(
            f"{shown / name} is there already and is no flopkb export; name another folder, or move it away"
        )
    if file.is_symlink() or not file.is_file() or digest(file.read_bytes()) not in own[name]:
        raise WriteFault(f"{shown / name} was changed since it was exported; move it away, or remove it")


def _put_all(place: Path, files: Mapping[str, bytes], own: Known) -> WrittenFiles:
    """Write everything beside its place, then move it there."""
    size, fresh = sum(map(len, files.values())), not place.exists()
    staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=place.parent if fresh else place))
    try:
        os.chmod(staging, 0o777 & ~umask())
        for name, data in files.items():
            _stage(staging / name, data)
        hashes = {name: digest(data) for name, data in files.items()}
        if fresh:
            _stage(staging / MANIFEST, manifest(hashes))
            os.rename(staging, place)
            return WrittenFiles(len(files), size)
        # Both exports are named while their files stand side by side, so that an interruption can be made good later.
        with _undone_on_failure() as undo:
            _exchange(place / MANIFEST, manifest(hashes, before=own), staging, undo)
            for name in sorted(files):
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                _move(staging / name, place / name, staging / f"{_STAGING}{name}", undo)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    removed = sum(1 for _ in _removed(place, files, own))
    put(place / MANIFEST, manifest(hashes))
    return WrittenFiles(len(files), size, removed)


@contextlib.contextmanager
def _undone_on_failure() -> Iterator[list[tuple[Path, Path | None]]]:
    """Files that were put in place, each with what stood there: an error puts that back."""
    moved: list[tuple[Path, Path | None]] = []
    try:
        yield moved
    except OSError:
        for file, before in reversed(moved):
            with contextlib.suppress(OSError):
                file.unlink() if before is None else os.replace(before, file)
        raise


def _move(new: Path, file: Path, aside: Path, undo: list[tuple[Path, Path | None]]) -> None:
    """Put a file in its place, and a copy of what stood there aside."""
    before = None
    if file.exists():
        aside.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file, aside)
        except OSError:  # not every file system has links
            shutil.copy2(file, aside)
        before = aside
    os.replace(new, file)
    undo.append((file, before))


def _exchange(file: Path, data: bytes, staging: Path, undo: list[tuple[Path, Path | None]]) -> None:
    _stage(staging / file.name, data)
    _move(staging / file.name, file, staging / f"{file.name}.before", undo)


def _stage(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def manifest(hashes: Mapping[str, str], *, before: Known | None = None) -> bytes:
    """The list of files with their hashes; while files are put in place, with those that stood there ``before``."""
    content: dict[str, object] = {
        "generator": "flopkb",
        "complete": before is None,
        "files": dict(sorted(hashes.items())),
    }
    if before:
        content["before"] = {name: sorted(known) for name, known in sorted(before.items())}
    return (json.dumps(content, indent=1) + "\n").encode("utf-8")


def digest(data: bytes) -> str:
    """The hash of a file's content."""
    return hashlib.sha256(data).hexdigest()


def _removed(place: Path, files: Mapping[str, bytes], own: Known) -> Iterator[str]:
    """Remove the files of the earlier export that this one does not have, unless somebody has changed them since."""
    for name, known in own.items():
        pure = PurePosixPath(name)
        if name in files or pure.is_absolute() or ".." in pure.parts:
            continue
        file = place / name
        with contextlib.suppress(OSError):
            if file.is_file() and not file.is_symlink() and digest(file.read_bytes()) in known:
                file.unlink()
                yield name
                with contextlib.suppress(OSError):
                    file.parent.rmdir()  # only an empty folder goes


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One file; ``mark`` stands near the beginning of each."""

    name: str
    mark: bytes
    make: Callable[[ResolvedBase], bytes]
    is_text: bool = True


@dataclass(frozen=True, slots=True)
class FolderFormat:
    """A folder of files."""

    name: str
    make: Callable[[ResolvedBase], Mapping[str, bytes]]


Format = FileFormat | FolderFormat


def _encoded(make: Callable[[ResolvedBase], str]) -> Callable[[ResolvedBase], bytes]:
    """The file of a format that is text."""
    return lambda base: sealed(make(base).encode("utf-8"))


FORMATS: tuple[Format, ...] = (
    FileFormat("json", b'"flopkb"', _encoded(json_export)),
    FileFormat("jsonl", b'"flopkb"', _encoded(jsonl_export)),
    FolderFormat("csv", csv_export),
    FileFormat("sqlite", b"flkb", lambda base: sealed(sqlite_export(base)), is_text=False),
    FolderFormat("markdown", markdown_export),
    FolderFormat("html", html_export),
    FileFormat("latex", b"% Numbers of a flopkb base.", _encoded(latex_export)),
    FileFormat("bibtex", b"% Sources of a flopkb base.", _encoded(bibtex_export)),
    FolderFormat("peaks", peaks_export),
    FolderFormat("vectors", vectors_export),
)
"""Every format; a mark that a test compares with what is written."""
