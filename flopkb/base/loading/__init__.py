"""Files to documents with a position for every node: the first stage. It judges YAML, not records."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.base.document import Document, Mapping, Node, Scalar
from flopkb.base.loading.mentioned import needed
from flopkb.base.loading.tree import RULE, Origin, compose

FILE_RULE = "file"
"""The rule under which faults of a file as such are reported (its name, its size, its encoding, its readability)."""

LARGEST = 1 << 20
"""A record's file may hold this many bytes (1 MiB)."""

_OUTSIDE = "a link that leads out of the repository: put the record itself here"
_FOLDER = "the folder cannot be read: check its permissions"
_YAML = (".yaml", ".yml")
_BACKUPS = ("~", ".swp", ".swo", ".bak", ".orig", ".rej", ".tmp")


@dataclass(frozen=True, slots=True)
class LoadedBase:
    """All files of a base that could be read, what was refused, and the stems of the files that were."""

    documents: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]
    broken: frozenset[str] = frozenset()
    unread: tuple[str | None, ...] = ()
    """The texts of the files that were refused; None for one of which not even the text could be had."""


def load_text(source: str, path: str) -> Document | list[Diagnostic]:
    """The document in ``source``, or everything that makes it unreadable; ``path`` is how the file is reported."""
    root, found = compose(source, Origin(path))
    if not found and (root is None or (isinstance(root, Scalar) and not root.text)):
        found = [_fault(path, "the file is empty: write a record, beginning with `id:`", RULE)]
    elif not found and not isinstance(root, Mapping):
        found = [_fault(path, "the top level is no mapping: write `key: value` lines, first `id:`", RULE, root)]
    if found:
        return found
    assert isinstance(root, Mapping)
    return Document(path, source, root)


def parse_fragment(
    source: str, path: str, line: int, column: int, indent: int | None = None
) -> Node | list[Diagnostic]:
    """The tree of YAML that stands inside other text, with positions in that file.

    ``line`` and ``column`` (from 1) are those of the fragment's first character; its further lines are shifted by
    ``indent`` columns (by default as far as the first). Refuses what :func:`load_text` refuses; an empty fragment too.
    """
    shift = column - 1 if indent is None else indent
    root, found = compose(source, Origin(path, line, column, shift))
    if root is None and not found:
        message = "nothing is written here: add `key: value` lines"
        found = [Diagnostic(Location(path, line, column), Severity.ERROR, RULE, message)]
    return found or (root if root is not None else [])


TextReader = Callable[[str, str], Document | list[Diagnostic]]
"""What makes a document of a file's text, given how the file is reported."""


def load_file(file: Path, shown: str, read: TextReader = load_text) -> Document | list[Diagnostic]:
    """The document in ``file``, reported as ``shown``, or why there is none (size, encoding, permissions, YAML)."""
    content = file_bytes(file, shown)
    return content if isinstance(content, list) else load_bytes(content, shown, read)


def file_bytes(file: Path, shown: str) -> bytes | list[Diagnostic]:
    """The bytes of a file, or why they cannot be had."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            return [_fault(shown, "a folder or a device with the name of a record: rename it")]
        if status.st_size > LARGEST:
            return [_fault(shown, "the file is over 1 MiB: split the record, or move data out of it")]
        return file.read_bytes()
    except OSError as error:
        return [_fault(shown, _unreadable(file, error))]


def load_bytes(data: bytes, shown: str, read: TextReader = load_text) -> Document | list[Diagnostic]:
    """The document in a file's bytes (UTF-8, at most ``LARGEST``), reported as ``shown``, or everything wrong with them."""
    if len(data) > LARGEST:
        return [_fault(shown, "the file is over 1 MiB: split the record, or move data out of it")]
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [_encoding(data, error, shown)]
    return read(source, shown)


def _unreadable(file: Path, error: OSError) -> str:
    if file.is_symlink() and not file.exists():
        return "a link that leads nowhere: remove it, or restore the file it points to"
    reason = (error.strerror or "unknown reason").lower()
    return f"the file cannot be read ({reason}): check its permissions"


def _encoding(data: bytes, error: UnicodeDecodeError, shown: str) -> Diagnostic:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _fault(shown, "the file is UTF-16: save it as UTF-8")
    before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    message = f"byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
    return Diagnostic(Location(shown, line, column), Severity.ERROR, FILE_RULE, message)


def _fault(path: str, message: str, rule: str = FILE_RULE, node: Node | None = None) -> Diagnostic:
    return Diagnostic(node.location if node is not None else Location(path, 1, 1), Severity.ERROR, rule, message)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file below a folder of records: how it is reported, and its bytes, or why it could not be read."""

    file: Path
    shown: str
    content: bytes | list[Diagnostic]


def read_files(root: Path, cwd: Path) -> list[ReadFile]:
    """The files below ``root`` that a reader would take for records, in the order of their paths; OSError as above."""
    return [
        ReadFile(file, shown, _content(file, shown, root)) for file in _files(root) for shown in [shown_path(file, cwd)]
    ]


def load_read(files: Iterable[ReadFile]) -> LoadedBase:
    """The base in files that were read."""
    return gathered((each.file.name, _document(each), partial(_any_text, each.file)) for each in files)


def _document(read: ReadFile) -> Document | list[Diagnostic]:
    return read.content if isinstance(read.content, list) else load_bytes(read.content, read.shown)


def load_base(root: Path, cwd: Path) -> LoadedBase:
    """All records below ``root`` (``**/*.yaml``), in the order of their paths, reported relative to ``cwd``.

    Raises OSError where ``root`` itself cannot be read.
    """
    return load_read(read_files(root, cwd))


def load_mentioned(root: Path, cwd: Path, question: Iterable[str]) -> LoadedBase:
    """Of the records below ``root`` those that a question in some words needs; OSError as :func:`load_base`."""
    texts = {file: text for file in _files(root) if (text := _any_text(file)) is not None}
    stems = Counter(file.stem for file in texts)
    read = needed({file.stem: text for file, text in texts.items()}, question)

    def document(file: Path) -> Document | list[Diagnostic]:
        """What is needed of a file; all of it where the text does not tell what it is."""
        shown, odd = shown_path(file, cwd), "\ufffd" in texts[file] or len(texts[file]) >= LARGEST
        if odd or file.suffix != ".yaml" or stems[file.stem] > 1:
            return _record_in(file, shown, root)
        return load_text(read[file.stem], shown)

    return gathered((file.name, document(file), partial(_any_text, file)) for file in texts if file.stem in read)


def gathered(files: Iterable[tuple[str, Document | list[Diagnostic], Callable[[], str | None]]]) -> LoadedBase:
    """The base in some files: of each its name, what was read of it, and what gives its text where it was refused."""
    documents: list[Document] = []
    diagnostics: list[Diagnostic] = []
    broken: set[str] = set()
    unread: list[str | None] = []
    for name, result, text in files:
        if isinstance(result, Document):
            documents.append(result)
            continue
        diagnostics.extend(result)
        if name.lower().endswith(_YAML):
            broken.add(Path(name).stem)
            unread.append(text())
    diagnostics.sort(key=lambda d: d.sort_key)
    return LoadedBase(tuple(documents), tuple(diagnostics), frozenset(broken), tuple(unread))


def _record_in(file: Path, shown: str, root: Path) -> Document | list[Diagnostic]:
    return _document(ReadFile(file, shown, _content(file, shown, root)))


def _content(file: Path, shown: str, root: Path) -> bytes | list[Diagnostic]:
    if file.suffix != ".yaml" or (file.is_dir() and file.is_symlink()):
        return [_fault(shown, _stray(file))]
    return [_fault(shown, _OUTSIDE)] if file.is_symlink() and _leads_out(file, root) else file_bytes(file, shown)


def _leads_out(link: Path, root: Path) -> bool:
    """Whether a link leads out of the repository, or of the folder beside the records: its text would stand in reports."""
    home = repository_above(root) or Path(os.path.realpath(root)).parent
    return not Path(os.path.realpath(link)).is_relative_to(home)


def repository_above(folder: Path) -> Path | None:
    """The repository that a folder lies in."""
    place = Path(os.path.realpath(folder))
    return next((each for each in (place, *place.parents) if (each / ".git").exists()), None)


def _any_text(file: Path) -> str | None:
    """The text of a refused file, as far as it is text."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return ""
        with file.open("rb") as opened:
            return opened.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return None


def shown_path(file: Path, cwd: Path) -> str:
    """How a file is reported: relative to ``cwd``, with ``/``; ``..`` where it lies outside."""
    return Path(os.path.relpath(file, cwd)).as_posix()


def _files(root: Path) -> list[Path]:
    """Every file that a reader would take for a record or for a mistake, sorted; hidden ones and backups are skipped.

    Folders that end in ``.yaml``, that are links or that cannot be read are among them, to be reported.
    """
    found: list[Path] = []
    os.scandir(root).close()
    for folder, folders, names in os.walk(root, onerror=lambda error: found.append(Path(error.filename))):
        here = Path(folder)
        odd = {name for name in folders if name.endswith(".yaml") or (here / name).is_symlink()}
        found.extend(here / name for name in (*names, *odd) if not _ignored(name))
        folders[:] = sorted(name for name in folders if name not in odd and not name.startswith("."))
    return sorted(found, key=lambda path: path.as_posix())


def _ignored(name: str) -> bool:
    return name.startswith((".", "#")) or name.endswith(_BACKUPS)


def _stray(file: Path) -> str:
    if file.is_dir():
        return "links to folders are not followed: move the records here" if file.is_symlink() else _FOLDER
    if file.suffix.lower() in _YAML:
        return f"records end in `.yaml`: rename this file to `{file.stem}.yaml`"
    return "only records (`.yaml`) belong here: move this file out of the base"
