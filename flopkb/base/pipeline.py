"""The way to an evaluated base in one call: from a folder of records, and Markdown documents that quote them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.base.document import Scalar, Segment, Style
from flopkb.base.evaluate import Evaluation, evaluate
from flopkb.base.link import KnowledgeBase, Passage, link, link_page
from flopkb.base.loading import LoadedBase, load_base, shown_path
from flopkb.base.model import Prose
from flopkb.base.schema import read_records

SUFFIXES = (".md", ".markdown")
LARGEST = 1 << 23
"""A document may hold this many bytes (8 MiB)."""

_SKIPPED = ("node_modules", "__pycache__")
_STRICT = re.compile(r"<!--\s*flopkb:\s*(?:every number is linked|strict)\s*-->", re.IGNORECASE)
_HEADER = re.compile(r"---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_STRICT_KEY = re.compile(r"^flopkb:[ \t]*[\"']?strict[\"']?[ \t]*(?:#.*)?\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PageText:
    """A document as it was read: ``path`` as it is reported, ``source`` every character of the file."""

    file: Path
    path: str
    source: str


def is_page(path: Path) -> bool:
    """Whether a file is a Markdown document by its name."""
    return path.suffix.lower() in SUFFIXES


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


def is_strict(passage: Passage) -> bool:
    """Whether a document asks that every number in it be linked: by a comment, or ``flopkb: strict`` in its header."""
    if any(_STRICT.fullmatch(comment.text) for comment in passage.reading.comments):
        return True
    header = _HEADER.match(passage.scalar.text)
    return header is not None and _STRICT_KEY.search(header[1]) is not None


class BaseNotFound(Exception):
    """There is no folder of records; ``looked`` says where it was looked for."""

    def __init__(self, looked: str) -> None:
        super().__init__(looked)
        self.looked = looked

    def __str__(self) -> str:
        return f"no records found: {self.looked}; name the folder with --records DIR"


_INSTALLED = Path(__file__).parents[1] / "data" / "records"
"""The base in the installed package."""


def is_installed(folder: Path) -> bool:
    """Whether a folder of records is that of the installed package, which nobody edits."""
    return folder.resolve() == _INSTALLED.resolve()


def find_records(start: Path) -> Path:
    """The nearest ``records/`` in ``start`` or above it, else the one in the installed package."""
    for folder in (start, *start.parents):
        candidate = folder / "records"
        if candidate.is_dir():
            return candidate
    if _INSTALLED.is_dir():
        return _INSTALLED
    raise BaseNotFound(f"no records/ in {start} or above it")


def evaluated_base(root: Path, cwd: Path, documents: Iterable[Path] = ()) -> Evaluation:
    """Every record below ``root``, linked and evaluated, and the Markdown ``documents`` that quote the base.

    What could not be read is among its diagnostics.
    """
    if not root.is_dir():
        raise BaseNotFound(f"{root} is not a folder" if root.exists() else f"{root} does not exist")
    try:
        loaded = load_base(root, cwd)
    except OSError as error:
        raise BaseNotFound(f"{root} cannot be read ({(error.strerror or 'unknown reason').lower()})") from error
    return evaluated(loaded, *read_texts(documents, cwd))


def evaluated(loaded: LoadedBase, texts: Iterable[PageText] = (), faults: Iterable[Diagnostic] = ()) -> Evaluation:
    """The base in the files that were read, wherever they came from, and documents (``faults``: those unreadable)."""
    kb, diagnostics = linked(loaded)
    return evaluate(kb, (*diagnostics, *faults), [linked_page(text, kb) for text in texts])


def linked(loaded: LoadedBase) -> tuple[KnowledgeBase, tuple[Diagnostic, ...]]:
    """The linked base, with what loading and the schema found."""
    records, broken, diagnostics = read_records(loaded.documents)
    known = {record.path for record in records}
    unread = (*loaded.unread, *(document.source for document in loaded.documents if document.path not in known))
    return link(records, broken | loaded.broken, unread), (*loaded.diagnostics, *diagnostics)
