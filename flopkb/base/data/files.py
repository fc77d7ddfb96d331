"""Where data files may lie, and their content: each opened once, none outside the repository unless that is allowed."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from flopkb.base.data.database import LARGEST, read_query
from flopkb.base.data.rows import LONGEST_LINE, ROWS
from flopkb.base.data.selection import Missing, Selector, row_matches
from flopkb.base.data.steps import DataPath
from flopkb.base.data.trees import TREES, Tree, Unreadable
from flopkb.base.faults import did_you_mean, listed
from flopkb.base.loading import repository_above

FORMATS = {
    **{".json": "json", ".ipynb": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"},
    **{".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".csv": "csv", ".tsv": "tsv", ".xml": "xml"},
    **{".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite"},
}
"""The formats by the endings of files."""

LARGEST_TREE = {"json": 1 << 26, "xml": 1 << 26, "yaml": 1 << 23, "toml": 1 << 23, "sqlite": LARGEST}
"""What a file that is read whole may hold, in bytes: 64 MiB of JSON or XML, 8 MiB of YAML or TOML."""

LARGEST_ROWS = 1 << 31
"""What a file that is read row by row may hold, in bytes (2 GiB)."""

Opener = Callable[[Path], tuple[BinaryIO, int]]
"""The bytes of a file and their number; raises OSError or :class:`Unreadable`."""


def from_disk(path: Path) -> tuple[BinaryIO, int]:
    """A file of the work tree."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable("it is a folder or a device")
    return path.open("rb"), status.st_size


def repository_of(folder: Path, cwd: Path) -> Path:
    """The folder that data files must lie in: the repository, else the current folder, else the document's own."""
    found = repository_above(folder)
    if found is not None:
        return found
    here = cwd.resolve()
    return here if folder.is_relative_to(here) else folder


Request = tuple[DataPath, bool]
"""A path, and whether it may match many."""

Answer = list[Tree] | Missing


@dataclass(slots=True)
class DataFolder:
    """Reads the data files of documents; ``allowed`` are folders outside the repository whose files may be read."""

    cwd: Path
    allowed: tuple[Path, ...] = ()
    open: Opener = from_disk
    _trees: dict[tuple[Path, str, str], Selector | Unreadable] = field(default_factory=dict)
    _known: dict[Path, bool] = field(default_factory=dict)
    _answers: dict[tuple[Path, str, str], dict[Request, Answer]] = field(default_factory=dict)

    def located(self, name: str, folder: Path) -> Path:
        """The file that ``name`` means in a document of ``folder``; raises :class:`Unreadable` where it may not lie."""
        if "://" in name:
            raise Unreadable("it is an address, and nothing is fetched; keep the file in the repository")
        if "\0" in name or len(name) > 1000:
            raise Unreadable("it is no path of a file")
        home = folder.resolve()
        path = (home / name).resolve()
        roots = (repository_of(home, self.cwd), *(place.resolve() for place in self.allowed))
        if not any(path.is_relative_to(root) for root in roots):
            raise Unreadable("it lies outside the repository; allow its folder with --data-from, or move it here")
        return path

    def above(self, name: str, place: Path) -> Iterator[Path]:
        """The files of a name in a folder and above it, the nearest first, as far up as the repository goes."""
        root = repository_of(place, self.cwd)
        for folder in (place, *place.parents):
            if self._has(folder / name):
                yield folder / name
            if folder == root:
                return

    def _has(self, path: Path) -> bool:
        if path not in self._known:
            try:
                self.open(path)[0].close()
                self._known[path] = True
            except (OSError, Unreadable):
                self._known[path] = False
        return self._known[path]

    def content(self, path: Path) -> bytes:
        """The bytes of a small file that is there."""
        file, _ = self.open(path)
        with file:
            return file.read((1 << 20) + 1)

    def answers(self, path: Path, format: str, requests: list[Request], query: str = "") -> list[Answer]:
        """What each path selects in a file (of a database: in what a query gives); raises :class:`Unreadable`."""
        known = self._answers.setdefault((path, format, query), {})
        wanted = [request for request in dict.fromkeys(requests) if request not in known]
        if wanted:
            known.update(zip(wanted, self._selected(path, format, query, wanted), strict=True))
        return [known[request] for request in requests]

    def _selected(self, path: Path, format: str, query: str, requests: list[Request]) -> list[Answer]:
        if format in ROWS:
            with self._opened(path, LARGEST_ROWS) as file:
                return row_matches(ROWS[format](_lines(file)), requests)
        tree = self._tree(path, format, query)
        return [selected(tree, *request) for request in requests]

    def _tree(self, path: Path, format: str, query: str) -> Selector:
        key = (path, format, query)
        if key not in self._trees:
            try:
                with self._opened(path, LARGEST_TREE[format]) as file:
                    data = file.read()
                    tree = read_query(data, query) if format == "sqlite" else TREES[format](_decoded(data))
                    self._trees[key] = Selector(tree)
            except Unreadable as error:
                self._trees[key] = error
        found = self._trees[key]
        if isinstance(found, Unreadable):
            raise found
        return found

    def _opened(self, path: Path, largest: int) -> BinaryIO:
        try:
            file, size = self.open(path)
        except FileNotFoundError:
            raise Unreadable(f"there is no such file{_beside(path)}") from None
        except OSError as error:
            raise Unreadable(f"it cannot be read ({(error.strerror or 'unknown reason').lower()})") from None
        if size > largest:
            file.close()
            raise Unreadable(f"it has {size} bytes, and {largest} are the most that is read in this format")
        return file


def selected(tree: Selector, path: DataPath, many: bool) -> Answer:
    """What a path selects in a tree, or why it selects nothing."""
    try:
        return tree.select(path, many=many)
    except Missing as missing:
        return missing


def format_of(name: str) -> str:
    """The format that a file's name says; raises :class:`Unreadable` where it says none."""
    ending = os.path.splitext(name)[1].lower()
    if ending not in FORMATS:
        known = listed((*TREES, *ROWS, "sqlite"), 10)
        raise Unreadable(f"its format is not known by its name; state it, as format: csv (there are {known})")
    return FORMATS[ending]


def _beside(path: Path) -> str:
    """The file that was probably meant: of the same name, in a folder near by."""
    try:
        return did_you_mean(path.name, (entry.name for entry in os.scandir(path.parent)))
    except OSError:
        return ""


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} of it is not UTF-8") from None


def _lines(file: BinaryIO) -> Iterator[str]:
    """The lines of a file, one after the other, with their ends."""
    try:
        with io.TextIOWrapper(file, encoding="utf-8-sig", newline="") as text:
            while line := text.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise Unreadable(f"it has a line of more than {LONGEST_LINE} characters")
                yield line
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8") from None
