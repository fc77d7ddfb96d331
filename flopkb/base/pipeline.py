"""The way from a folder of records to an evaluated base, in one call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.evaluate import Evaluation, evaluate
from flopkb.base.link import KnowledgeBase, link
from flopkb.base.loading import LoadedBase, load_base
from flopkb.base.pages import PageText, linked_page, read_texts
from flopkb.base.schema import read_records


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
