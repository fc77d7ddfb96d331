"""The files of a base and documents in memory, and edits of them that change nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from flopkb.base.data.files import DataFolder
from flopkb.base.document import Document
from flopkb.base.evaluate import Evaluation
from flopkb.base.loading import LoadedBase, load_text
from flopkb.base.pipeline import PageText, evaluated
from flopkb.base.writing import Edit, applied, as_intended


@dataclass(frozen=True, slots=True)
class Files:
    """The records and documents as they stand in memory."""

    loaded: LoadedBase
    texts: tuple[PageText, ...] = ()
    folder: DataFolder | None = None
    """What reads the data files of the documents, each once however often they are evaluated."""

    def evaluated(self) -> Evaluation:
        """The base in these files."""
        return evaluated(self.loaded, self.texts, (), self.folder)

    def sources(self) -> dict[str, str]:
        """The source of each file, by its reported path."""
        found = {document.path: document.source for document in self.loaded.documents}
        return found | {text.path: text.source for text in self.texts}

    def edited(self, edits: Iterable[Edit]) -> tuple[Files, list[Edit]]:
        """The files after the edits, and those that were made: a record must still read, with nothing else changed."""
        by_path: defaultdict[str, list[Edit]] = defaultdict(list)
        for edit in edits:
            by_path[edit.path].append(edit)
        made: list[Edit] = []
        documents = []
        for document in self.loaded.documents:
            new, done = _edited(document, by_path[document.path]) if document.path in by_path else (document, [])
            documents.append(new)
            made += done
        texts = []
        for text in self.texts:
            own = by_path.get(text.path, [])
            texts.append(replace(text, source=applied(text.source, own)) if own else text)
            made += own
        return replace(self, loaded=replace(self.loaded, documents=tuple(documents)), texts=tuple(texts)), made


def _edited(document: Document, edits: list[Edit]) -> tuple[Document, list[Edit]]:
    """The document with all edits, or, where some of them break it, with those that do not."""
    whole = _attempt(document, edits)
    if whole is not None:
        return whole, edits
    kept: list[Edit] = []
    best = document
    for edit in edits:
        tried = _attempt(document, [*kept, edit])
        if tried is not None:
            kept.append(edit)
            best = tried
    return best, kept


def _attempt(document: Document, edits: list[Edit]) -> Document | None:
    new = load_text(applied(document.source, edits), document.path)
    return new if isinstance(new, Document) and as_intended(document, new, edits) else None
