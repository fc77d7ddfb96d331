"""BibTeX: an entry for each source record, in a form that BibTeX itself reads back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.base.model import Kind
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedRecord, scalars_of, text_at
from flopkb.publishing.export.seal import UNSEALED
from flopkb.publishing.export.tex import escaped

MARK = "% Sources of a flopkb base."
_WORDS = re.compile(r"[^\W_]+", re.UNICODE)
_URL_UNSAFE = re.compile(r"[^!-~]|[{}\\\"]")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def bibtex_export(base: ResolvedBase) -> str:
    """The text of the .bib file: an entry for each source record, in the order of their ids."""
    sources = base.of_kind(Kind.SOURCE)
    head = f"{MARK} Version {base.version.digest}, {len(sources)} entries; keys are the ids of records.\n% {UNSEALED}\n"
    return head + "".join(f"\n{entry(source)}" for source in sources)


def entry(source: ResolvedRecord) -> str:
    """The BibTeX entry of one source record, keyed by its id; texts are escaped, and their capitals kept."""
    root = source.record.document.root
    published, volume = text_at(root, "published_in"), text_at(root, "volume")
    publisher = text_at(root, "publisher") or text_at(root, "organisation")
    kind = entry_type(text_at(root, "source_kind"), published, volume, publisher)
    fields = [(name, value) for name, value in entry_fields(source, kind, published) if value]
    lines = "".join(f",\n  {name:<13} = {{{value}}}" for name, value in fields)
    return f"@{kind}{{{source.id}{lines}\n}}\n"


def entry_type(source_kind: str, published: str, volume: str, publisher: str) -> str:
    """BibTeX's name for a kind of source; it wants a publisher for each book."""
    if source_kind == "book" and publisher:
        return "book"
    if source_kind == "paper" and re.search(
        r"proceedings|conference|symposium|workshop|advances in", published, re.IGNORECASE
    ):
        return "inproceedings"
    if source_kind == "paper" and volume:
        return "article"
    return "misc"


def entry_fields(source: ResolvedRecord, kind: str, published: str) -> Iterator[tuple[str, str]]:
    """The fields in the usual order."""
    root = source.record.document.root
    names = scalars_of(root.get("authors"))
    organisation = text_at(root, "organisation")
    yield "author", " and ".join(map(person, names)) if names else f"{{{escaped(organisation)}}}"
    yield "title", title(text_at(root, "title"))
    where = {"inproceedings": "booktitle", "article": "journal"}.get(kind)
    if where is not None:
        yield where, escaped(published)
    publisher = text_at(root, "publisher")
    yield (
        "publisher",
        escaped(publisher) if kind in ("book", "inproceedings", "article") and publisher != organisation else "",
    )
    if kind == "book" and not publisher:
        yield "publisher", escaped(organisation)
    for name in ("volume", "number"):
        yield name, escaped(text_at(root, name))
    yield "pages", re.sub(r"\s*[-–]+\s*", "--", escaped(text_at(root, "pages")))
    yield "year", text_at(root, "year")
    yield "howpublished", escaped(published) if kind == "misc" else ""
    yield from locators(source)
    yield "note", note(source, kind)


def locators(source: ResolvedRecord) -> Iterator[tuple[str, str]]:
    """Where it is found."""
    root = source.record.document.root
    arxiv = text_at(root, "locator.arxiv")
    yield "eprint", arxiv
    yield "archiveprefix", "arXiv" if arxiv else ""
    yield "doi", verbatim(text_at(root, "locator.doi"))
    yield "isbn", escaped(text_at(root, "locator.isbn"))
    yield "url", verbatim(text_at(root, "locator.url"))
    yield "urldate", text_at(root, "accessed")


def note(source: ResolvedRecord, kind: str) -> str:
    """What has no field of its own: the publisher of a page, the place in the source, when it was read."""
    root = source.record.document.root
    publisher, path, page = text_at(root, "publisher"), text_at(root, "locator.path"), text_at(root, "locator.page")
    parts = [publisher] if kind == "misc" and publisher != text_at(root, "organisation") else []
    parts += [path] if path else []
    parts += [f"p. {page}"] if page else []
    accessed = text_at(root, "accessed")
    if accessed:
        year, month, day = accessed.split("-")
        parts.append(f"accessed {int(day)} {_MONTHS[int(month) - 1].capitalize()} {year}")
    return escaped(", ".join(part for part in parts if part))


def person(name: str) -> str:
    """``Family, Given`` as BibTeX reads it; a name without a comma stays one name, an "and" in it joins nothing."""
    family, comma, given = name.partition(",")
    if not comma:
        return f"{{{escaped(name)}}}"
    return ", ".join(re.sub(r"\band\b", "{and}", escaped(part.strip())) for part in (family, given))


def title(text: str) -> str:
    """The title; words whose capitals mean something (KV, bFloat, H200) are kept from styles that lower them.

    Where not every long word begins with a capital, a capital that does is that of a name.
    """
    words = list(_WORDS.finditer(text))
    names = any(len(word[0]) > 4 and word[0].islower() and text[word.start() - 1] != "-" for word in words[1:])
    kept, at = [], 0
    for index, match in enumerate(words):
        kept.append(escaped_part(text[at : match.start()]))
        word, shown = match[0], escaped_part(match[0])
        kept.append(f"{{{shown}}}" if has_capital(word, name=names and index > 0) else shown)
        at = match.end()
    return "".join([*kept, escaped_part(text[at:])])


def has_capital(word: str, *, name: bool) -> bool:
    """Whether a capital in the word must stay: one within it, one beside a digit, that of a name."""
    inner = any(letter.isupper() for letter in word[1:])
    return inner or (word[0].isupper() and (name or any(letter.isdigit() for letter in word)))


def escaped_part(text: str) -> str:
    """A part of a text; white space at its ends counts."""
    lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return (" " if lead else "") + escaped(text) + (" " if trail and text.strip() else "")


def verbatim(address: str) -> str:
    """An address, in which BibTeX takes all characters as they are; those that are odd in one are percent-encoded."""
    return _URL_UNSAFE.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), address)
