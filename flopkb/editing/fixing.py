"""Bringing a base and documents up to date, in memory, as often as one change moves another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from flopkb.base.document import Document
from flopkb.base.edits import Edit, applied, as_intended
from flopkb.base.evaluate import Evaluation
from flopkb.base.loading import LoadedBase, load_text
from flopkb.base.model import Subject
from flopkb.base.pages import Text
from flopkb.base.pipeline import evaluated
from flopkb.editing.stale import stale_equations, stale_quotes

_ROUNDS = 8
"""A change of a quote moves nothing else, so one round does; more are for quotes that lie within one another."""


@dataclass(frozen=True, slots=True)
class Files:
    """The records and documents as they stand in memory."""

    loaded: LoadedBase
    texts: tuple[Text, ...] = ()

    def evaluated(self) -> Evaluation:
        """The base in these files."""
        return evaluated(self.loaded, self.texts)

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
        return Files(replace(self.loaded, documents=tuple(documents)), tuple(texts)), made


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


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing did: the files ``before`` and ``after``, the ``base`` in the latter, the ``edits`` between them."""

    before: Files
    after: Files
    base: Evaluation = field(repr=False)
    edits: tuple[Edit, ...] = ()

    def changed(self) -> dict[str, tuple[str, str]]:
        """The old and the new source of each file that changed, by its reported path."""
        old, new = self.before.sources(), self.after.sources()
        return {path: (old[path], new[path]) for path in sorted(old) if old[path] != new[path]}


def fixed(files: Files, wanted: Callable[[str], bool]) -> Fixed:
    """The files with every stale quote rewritten in those that are wanted, by their reported paths."""
    now = files
    made: list[Edit] = []
    base = files.evaluated()
    for _ in range(_ROUNDS):
        edits = [edit for edit in all_edits(base) if wanted(edit.path)]
        after, done = now.edited(edits)
        if after.sources() == now.sources():
            break
        made += done
        now, base = after, after.evaluated()
    return Fixed(files, now, base, tuple(made))


def all_edits(base: Evaluation) -> list[Edit]:
    """The edits of every record and document, in the order of the files."""
    subjects: list[Subject] = [*base.kb.records.values(), *base.pages]
    found = [
        edit for subject in subjects for edit in (*stale_quotes(subject.id, base), *stale_equations(subject, base))
    ]
    return sorted(found, key=lambda edit: (edit.location, edit.end))
