"""The documents that are asked for, and their texts."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flopkb.arithmetic.text import SOURCES, SUFFIXES
from flopkb.checking.scanning.ignoring import IgnorePattern, above, beside, is_ignored

LARGEST = 1 << 26
"""A file may hold this many bytes (64 MiB)."""
_PATIENCE = 1.0
"""So many seconds a pipe may have nobody who writes to it."""
_SKIPPED = frozenset({"node_modules", "__pycache__"})


class UnreadableDocument(Exception):
    """A document that cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class DocumentFinder:
    """Walks folders: what ``excluded`` and the ``.gitignore`` files leave out is skipped, hidden files too.

    With ``sources`` programs are found as well as documents.
    """

    excluded: tuple[IgnorePattern, ...] = ()
    sources: bool = False

    def found(self, path: Path) -> Iterator[Path]:
        """The file itself, or the documents below a folder in the order of their names."""
        if str(path) == "-" or not path.is_dir():
            if str(path) == "-" or not is_ignored(Path(os.path.abspath(path)), self.excluded, folder=False):
                yield path
            return
        place = Path(os.path.abspath(path))
        yield from self._below(path, place, above(place))

    def _below(self, shown: Path, place: Path, rules: tuple[IgnorePattern, ...]) -> Iterator[Path]:
        rules = (*rules, *beside(place))
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            raise UnreadableDocument(f"{shown} cannot be read ({reason(error)})") from error
        folders: list[str] = []
        for entry in entries:
            folder = entry.is_dir(follow_symlinks=False)
            if entry.name.startswith(".") or (folder and entry.name in _SKIPPED):
                continue
            here = place / entry.name
            left_out = is_ignored(here, rules, folder=folder) or is_ignored(here, self.excluded, folder=folder)
            if left_out:
                continue
            if folder:
                folders.append(entry.name)
            elif self.is_document(here) and entry.is_file():
                yield shown / entry.name
        for name in folders:
            yield from self._below(shown / name, place / name, rules)

    def is_document(self, file: Path) -> bool:
        """Whether its name is that of a document."""
        suffix = file.suffix.lower()
        return suffix in SUFFIXES or (self.sources and suffix in SOURCES)


def reason(error: OSError) -> str:
    """Why the system refused, in words."""
    return (error.strerror or "unknown reason").lower()


def text_of(file: Path) -> str:
    """The text of a file (``-`` is standard input); raises :class:`UnreadableDocument`."""
    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if str(file) == "-" else _bytes_of(file)
    except OSError as error:
        raise UnreadableDocument(f"{file} cannot be read ({reason(error)})") from error
    if len(data) > LARGEST:
        raise UnreadableDocument(f"{file} holds more than 64 MiB")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").removeprefix("\ufeff")
    if b"\0" in data:
        raise UnreadableDocument(f"{file} is not text")
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def _bytes_of(file: Path) -> bytes:
    if stat.S_ISFIFO(file.stat().st_mode):
        return _from_a_pipe(file)
    with file.open("rb") as opened:
        return opened.read(LARGEST + 1)


def _from_a_pipe(file: Path) -> bytes:
    """What comes out of a named pipe; one that nobody opens to write is not waited for."""
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    data = bytearray()
    deadline = time.monotonic() + _PATIENCE
    waiting = select.poll()
    waiting.register(handle, select.POLLIN | select.POLLHUP)
    try:
        while len(data) <= LARGEST:
            try:
                part = os.read(handle, 1 << 16)
            except BlockingIOError:  # somebody will write
                waiting.poll()
                continue
            data += part
            if not part and (data or time.monotonic() > deadline):
                break
            if not part:
                time.sleep(_PATIENCE / 20)
    finally:
        os.close(handle)
    if not data:
        raise UnreadableDocument(f"{file} is a pipe that nobody writes to")
    return bytes(data)
