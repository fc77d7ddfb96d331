"""What each file gives: its equations, or a note that says why there are none; many files are read by several processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from flopkb.arithmetic.text import SOURCES, Markup, scan_text
from flopkb.base.loading import shown_path
from flopkb.checking.scanning import ScannedFile
from flopkb.checking.scanning.documents import UnreadableDocument, text_of

_MANY = 24
"""So many files are worth another process."""


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads files seen from ``cwd``; with ``comments`` of programs what they comment, with ``comparisons`` those too."""

    cwd: Path
    comments: bool = False
    comparisons: bool = False

    def read(self, file: Path) -> FileRead:
        """What one file gives; one never takes the others with it."""
        shown = "-" if str(file) == "-" else shown_path(file, self.cwd)
        try:
            text = text_of(file)
        except UnreadableDocument as error:
            return FileRead(None, f"flopkb: {str(error).replace(str(file), shown, 1)}; it was skipped")
        try:
            kind = Markup.SOURCE if self.comments and file.suffix.lower() in SOURCES else None
            return FileRead(ScannedFile(scan_text(text, shown, kind, comparisons=self.comparisons), text))
        except Exception as error:
            note = f"flopkb: a fault of flopkb itself in {shown}: {type(error).__name__}; please report it"
            return FileRead(None, note, crashed=True)

    def all(self, files: Sequence[Path]) -> Iterator[FileRead]:
        """What they give, in their order."""
        workers = min(os.cpu_count() or 1, len(files) // _MANY + 1)
        if workers < 2 or "fork" not in multiprocessing.get_all_start_methods():
            yield from map(self.read, files)
            return
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            yield from pool.imap(self.read, files, chunksize=4)


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was scanned, or the note that says why it was not; ``crashed`` if that is a fault of flopkb."""

    file: ScannedFile | None
    note: str = ""
    crashed: bool = False
