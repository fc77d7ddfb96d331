"""The way to an evaluated base in one call: from a folder of records, and Markdown documents that quote them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.arithmetic.prose import MARKDOWN
from flopkb.base.document import Document, Scalar, Segment, Style
from flopkb.base.evaluate import Evaluation, evaluate, evaluating, unevaluated
from flopkb.base.link import KnowledgeBase, Passage, link, link_page, with_data
from flopkb.base.loading import (
    LoadedBase,
    ReadFile,
    load_bytes,
    load_mentioned,
    load_read,
    read_files,
    shown_path,
)
from flopkb.base.model import Prose
from flopkb.base.schema import read_records

if TYPE_CHECKING:  # a question reads no data files
    from flopkb.base.data.declared import Declared
    from flopkb.base.data.files import DataFolder

T = TypeVar("T")

LARGEST = 1 << 23
"""A document may hold this many bytes (8 MiB)."""

_SKIPPED = ("node_modules", "__pycache__")


@dataclass(frozen=True, slots=True)
class PageText:
    """A document as it was read: ``path`` as it is reported, ``source`` every character of the file."""

    file: Path
    path: str
    source: str


def is_page(path: Path) -> bool:
    """Whether a file is a Markdown document by its name."""
    return path.suffix.lower() in MARKDOWN


def pages_at(path: Path) -> Iterator[Path]:
    """The document at ``path``, or all those below it, in the order of their names; hidden folders are skipped."""
    if not path.is_dir():
        if is_page(path):
            yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        yield from (Path(folder) / name for name in sorted(names) if is_page(Path(name)) and not name.startswith("."))


def read_texts(files: Iterable[Path], cwd: Path) -> tuple[list[PageText], list[Diagnostic]]:
    """The documents by reported path, each once and in the order given, and a diagnostic for each that cannot be read."""
    texts: dict[str, PageText] = {}
    faults: list[Diagnostic] = []
    for file in files:
        path = shown_path(file, cwd)
        found = read_text(file, path)
        if isinstance(found, PageText):
            texts.setdefault(path, found)
        else:
            faults.append(found)
    return list(texts.values()), faults


def read_text(file: Path, path: str) -> PageText | Diagnostic:
    """One document, or why it cannot be read."""
    try:
        if not file.is_file():
            return _fault(path, "the document cannot be read (it is a folder or a device)")
        if file.stat().st_size > LARGEST:
            return _fault(path, "the document is over 8 MiB: split it")
        return PageText(file, path, file.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        return _fault(path, f"byte 0x{error.object[error.start]:02x} is not UTF-8: save the document as UTF-8")
    except OSError as error:
        return _fault(path, f"the document cannot be read ({(error.strerror or 'unknown reason').lower()})")


def _fault(path: str, message: str) -> Diagnostic:
    return Diagnostic(Location(path, 1, 1), Severity.ERROR, "file", message)


def linked_page(text: PageText, kb: KnowledgeBase) -> tuple[Passage, ...]:
    """A document, read and linked against the base."""
    return link_page(Prose("", page_scalar(text)), text.path, kb)


def page_scalar(text: PageText) -> Scalar:
    """The text of a document with the place of every line (a byte order mark is no part of it)."""
    source = text.source.removeprefix("\ufeff")
    starts = [0, *(match.end() for match in re.finditer("\n", source))]
    segments = tuple(Segment(start, number, 1) for number, start in enumerate(starts, 1))
    return Scalar(Location(text.path, 1, 1), source, source, Style.LITERAL, segments)


class BaseNotFound(Exception):
    """There is no folder of records; ``looked`` says where it was looked for."""

    def __init__(self, looked: str) -> None:
        super().__init__(looked)
        self.looked = looked

    def __str__(self) -> str:
        return f"no records found: {self.looked}; name the folder with --records DIR"


NO_BASE = LoadedBase((), ())
"""The base where there is none: a document with data needs no records."""

_INSTALLED = Path(__file__).parents[1] / "data" / "records"
"""The base in the installed package."""


def is_installed(folder: Path) -> bool:
    """Whether a folder of records is that of the installed package, which nobody edits."""
    return folder.resolve() == _INSTALLED.resolve()


def own_records(start: Path) -> Path | None:
    """The nearest ``records/`` in ``start`` or above it."""
    return next((folder / "records" for folder in (start, *start.parents) if (folder / "records").is_dir()), None)


def find_records(start: Path) -> Path:
    """The nearest ``records/`` in ``start`` or above it, else the one in the installed package."""
    found = own_records(start)
    if found is not None:
        return found
    if _INSTALLED.is_dir():
        return _INSTALLED
    raise BaseNotFound(f"no records/ in {start} or above it")


def evaluated_base(
    root: Path | None,
    cwd: Path,
    documents: Iterable[Path] = (),
    folder: DataFolder | None = None,
    *,
    at_once: bool = True,
) -> Evaluation:
    """Every record below ``root``, linked and evaluated, and the Markdown ``documents`` that quote the base.

    What could not be read is among its diagnostics. Without a ``root`` the documents have no base. Where it is not
    evaluated ``at_once``, what it uses of itself is left open, and the rest is evaluated as it is looked at.
    """
    from flopkb.base.data.files import DataFolder

    loaded = loaded_base(root, cwd) if root is not None else NO_BASE
    return evaluated(loaded, *read_texts(documents, cwd), folder or DataFolder(cwd), at_once=at_once)


def asked_base(root: Path, cwd: Path, question: Iterable[str] | None = None) -> Evaluation:
    """The records below ``root``, linked as far as values need it, with nothing computed; raises :class:`BaseNotFound`.

    Of a ``question`` only the records that its words need are read.
    """
    kb, diagnostics = linked(loaded_base(root, cwd, question), whole=False)
    return unevaluated(kb, diagnostics)


def loaded_base(root: Path, cwd: Path, question: Iterable[str] | None = None) -> LoadedBase:
    """The files of a folder of records, or those that a question needs; raises :class:`BaseNotFound`."""
    if question is None:
        return load_read(base_files(root, cwd))
    return _of_folder(root, lambda: load_mentioned(root, cwd, question))


def base_files(root: Path, cwd: Path) -> list[ReadFile]:
    """The files of a folder of records with their bytes; raises :class:`BaseNotFound`."""
    return _of_folder(root, lambda: read_files(root, cwd))


def _of_folder(root: Path, read: Callable[[], T]) -> T:
    if not root.is_dir():
        raise BaseNotFound(f"{root} is not a folder" if root.exists() else f"{root} does not exist")
    try:
        return read()
    except OSError as error:
        raise BaseNotFound(f"{root} cannot be read ({(error.strerror or 'unknown reason').lower()})") from error


def evaluated(
    loaded: LoadedBase,
    texts: Iterable[PageText] = (),
    faults: Iterable[Diagnostic] = (),
    folder: DataFolder | None = None,
    *,
    at_once: bool = True,
) -> Evaluation:
    """The base in the files that were read, wherever they came from, and documents (``faults``: those unreadable).

    ``folder`` reads the data files of the documents.
    """
    from flopkb.base.data.files import DataFolder
    from flopkb.base.data.records import RecordMaker

    kb, diagnostics = linked(loaded)
    read = list(texts)
    own = declarations(read, folder or DataFolder(Path.cwd()))
    data = RecordMaker(own.folder, kb.scope.records).records(own.pairs)
    if data.documents:
        kb = with_data(kb, data.files.values(), data.documents.values())
    return (evaluate if at_once else evaluating)(
        kb,
        (*diagnostics, *faults, *own.diagnostics, *data.diagnostics),
        [linked_page(text, kb) for text in read],
        own.strict,
        own.shared,
    )


@dataclass(frozen=True, slots=True)
class Declarations:
    """What documents declare, each with every ``flopkb.yaml`` above it (the nearest last), and what is wrong there."""

    folder: DataFolder
    pairs: tuple[tuple[Declared, tuple[Declared, ...]], ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def strict(self) -> frozenset[str]:
        """The documents in which every number must be linked: the nearest that says so, or that it need not, decides."""
        nearest = ((own.path, (own, *reversed(above))) for own, above in self.pairs)
        return frozenset(
            path for path, said in nearest if next((each.strict for each in said if each.strict is not None), False)
        )

    @property
    def shared(self) -> tuple[str, ...]:
        """The files that declare for several documents."""
        return tuple(dict.fromkeys(shared.path for _, above in self.pairs for shared in above))


def declarations(texts: Iterable[PageText], folder: DataFolder) -> Declarations:
    """What documents declare, in them and above them."""
    from flopkb.base.data.declared import SHARED, declared_in

    pairs, found = [], list[Diagnostic]()
    shared: dict[Path, Declared | None] = {}
    for text in texts:
        own, faults = declared_in(text.source, text.path, text.file)
        found += faults
        files = list(folder.above(SHARED, text.file.resolve().parent))
        for file in files:
            if file not in shared:
                shared[file], faults = shared_declared(file, folder)
                found += faults
        pairs.append((own, tuple(above for file in reversed(files) if (above := shared[file]) is not None)))
    return Declarations(folder, tuple(pairs), tuple(found))


def shared_declared(file: Path, folder: DataFolder) -> tuple[Declared | None, list[Diagnostic]]:
    """What a ``flopkb.yaml`` declares, and what is wrong with it."""
    from flopkb.base.data.declared import declared_by

    path = shown_path(file, folder.cwd.resolve())
    loaded = load_bytes(folder.content(file), path)
    return declared_by(loaded.root, path, file) if isinstance(loaded, Document) else (None, loaded)


def linked(loaded: LoadedBase, *, whole: bool = True) -> tuple[KnowledgeBase, tuple[Diagnostic, ...]]:
    """The linked base, with what loading and the schema found."""
    records, broken, diagnostics = read_records(loaded.documents)
    known = {record.path for record in records}
    unread = (*loaded.unread, *(document.source for document in loaded.documents if document.path not in known))
    return link(records, broken | loaded.broken, unread, whole=whole), (*loaded.diagnostics, *diagnostics)
