"""Bringing a base and documents up to date, in memory, as often as one change moves another: stale quotes as edits, with
the recomputed value in the form of the old one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from flopkb.arithmetic.numbers import Quoted, rewrite
from flopkb.arithmetic.prose import read_prose
from flopkb.arithmetic.prose.plain import occurrences
from flopkb.base.document import Document
from flopkb.base.equations import equation_faults
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Passage
from flopkb.base.loading import LoadedBase, load_text
from flopkb.base.model import Subject
from flopkb.base.pipeline import PageText, evaluated
from flopkb.base.writing import Edit, applied, as_intended, common_ends, narrowest

_ROUNDS = 8
"""A change of a quote moves nothing else, so one round does; more are for quotes that lie within one another."""


@dataclass(frozen=True, slots=True)
class Files:
    """The records and documents as they stand in memory."""

    loaded: LoadedBase
    texts: tuple[PageText, ...] = ()

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


def stale_quotes(holder: str, base: Evaluation) -> Iterator[Edit]:
    """The edits that bring the numbers of a record or document up to date, those in its hardware rows too."""
    results = iter(base.quotes.get(holder, ()))
    for passage in base.passages(holder):
        for result in (next(results) for _ in passage.quotes):
            edit = quote_edit(result, passage)
            if edit is not None:
                yield edit
                yield from effect_edits(edit, passage, base)


def quote_edit(result: QuoteResult, passage: Passage) -> Edit | None:
    """The edit for one quote, or None where it stands, or where new digits alone would change what it says."""
    judgement, reading, link = result.judgement, result.reading, result.quote.link
    if judgement is None or judgement.ok or not isinstance(reading, Quoted) or result.unit is None:
        return None
    instead = rewrite(reading, result.values, result.unit)
    if instead is None or instead == link.text:
        return None
    return in_text(passage, link.plain_start, link.text, instead)


def stale_equations(subject: Subject, base: Evaluation) -> Iterator[Edit]:
    """The numbers of tied equations that are clear: results, and inputs that stayed behind."""
    for fault in equation_faults(subject, base):
        scalar = fault.passage.scalar
        if fault.instead is not None and scalar.text[fault.start : fault.end] == fault.quoted:
            edit = narrowest(scalar, fault.start, fault.end, fault.instead)
            yield replace(edit, note=f"{fault.quoted} -> {fault.instead}")


def in_text(passage: Passage, plain_start: int, old: str, new: str) -> Edit:
    """``old``, which stands at ``plain_start`` of what a reader sees, replaced by ``new`` as narrowly as may be."""
    head, tail = common_ends(old, new)
    start, end = passage.reading.rendered.span(plain_start + head, plain_start + len(old) - tail)
    return Edit(passage.scalar, start, end, new[head : len(new) - tail], f"{old} -> {new}")


def effect_edits(edit: Edit, passage: Passage, base: Evaluation) -> Iterator[Edit]:
    """The same change in the effects of hardware rows, which repeat the record's words."""
    record = base.kb.records.get(passage.holder)
    rows = record.rows if record is not None else ()
    rendered = passage.reading.rendered
    for row in rows:
        words = read_prose(row.effect.text.rstrip().removesuffix("…").removesuffix("...")).rendered
        for at in occurrences(passage.reading.plain, words.text):
            inside = [i for i in range(len(words.text)) if edit.start <= rendered.at(at + i) < edit.end]
            if inside:
                start, end = words.span(inside[0], inside[-1] + 1)
                yield narrowest(row.effect, start, end, edit.text)
