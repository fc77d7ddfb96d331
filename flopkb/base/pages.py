"""Markdown documents that quote the base: finding and reading them, and whether every number in them must be linked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.base.document import Scalar, Segment, Style
from flopkb.base.link import KnowledgeBase, Passage, link_page
from flopkb.base.loading import shown_path
from flopkb.base.model import Prose

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
    """The documents, each once, and what is wrong with those that cannot be read."""
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
