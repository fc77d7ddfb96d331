"""The page of a source: the reference, where it is found, what it states, and everything that rests on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flopkb.base.model import Kind
from flopkb.publishing.export.anchors import Place
from flopkb.publishing.export.bibtex import entry
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.element import Child, Html, between, el, joined
from flopkb.publishing.export.html.layout import Part, part
from flopkb.publishing.export.html.links import Links
from flopkb.publishing.export.html.tables import Cell, Num, Row, table, value_cell
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFact, ResolvedRecord, scalars_of
from flopkb.publishing.export.resolved.facts import text_at
from flopkb.publishing.pages.blocks import Inline, Styled, WebLink, Words
from flopkb.publishing.render.bibliography import references

_FIELDS = (
    "source_kind",
    "authors",
    "organisation",
    "published_in",
    "volume",
    "number",
    "pages",
    "publisher",
    "year",
    "accessed",
)
_PLACES = ("page", "path", "isbn")


def source_parts(
    source: ResolvedRecord, base: ResolvedBase, links: Links, moved: dict[str, list[str]], entry_of: Mapping[str, Html]
) -> Iterator[Part]:
    """The parts of the page that other records do not have."""
    yield part("reference", "Reference", *reference(source, entry_of))
    yield part("rests", "What rests on it", fact_list(source, base, links, moved), citing(source, base, links))


def reference(source: ResolvedRecord, entry_of: Mapping[str, Html]) -> Iterator[Child]:
    """The reference, its fields, where it is found, and the entry for BibTeX."""
    root = source.record.document.root
    yield el("p", entry_of.get(source.id) or text_at(root, "title"), class_="reference")
    pairs = [made for name in _FIELDS for made in pair(name, "; ".join(scalars_of(root.get(name))))]
    for name in _PLACES:
        pairs += pair(name, text_at(root, f"locator.{name}"))
    doi, arxiv, url = (text_at(root, f"locator.{name}") for name in ("doi", "arxiv", "url"))
    pairs += (
        pair("DOI", doi, f"https://doi.org/{doi}")
        + pair("arXiv", arxiv, f"https://arxiv.org/abs/{arxiv}")
        + pair("address", url, url)
    )
    yield el("dl", *pairs, class_="fields")
    yield el("details", el("summary", "BibTeX"), el("pre", el("code", entry(source)), tabindex="0"), class_="bibtex")


def entries(base: ResolvedBase) -> dict[str, Html]:
    """The reference of every source in the citation style."""
    ids = [source.id for source in base.of_kind(Kind.SOURCE)]
    return {made.id: inlines(made.children) for made in references(ids, base.base.records)} if ids else {}


def inlines(children: tuple[Inline, ...]) -> Html:
    """A reference as HTML."""
    parts: list[Child] = []
    for child in children:
        if isinstance(child, Styled):
            parts.append(el("em" if child.style == "em" else "b", inlines(child.children)))
        elif isinstance(child, WebLink):
            parts.append(el("a", inlines(child.children), href=child.href, rel="noopener noreferrer", class_="web"))
        elif isinstance(child, Words):
            parts.append(child.text)
    return joined(*parts)


def pair(name: str, value: str, address: str = "") -> list[Html]:
    """A field, as a link where it has an address."""
    if not value:
        return []
    shown = el("a", value, href=address, rel="noopener noreferrer", class_="web") if address else value
    return [el("div", el("dt", name.replace("_", " ")), el("dd", shown))]


def fact_list(source: ResolvedRecord, base: ResolvedBase, links: Links, moved: dict[str, list[str]]) -> Html | None:
    """The values that it states, those that others are preferred to among them."""
    groups = [[fact_row(fact, links, moved)] for fact in base.facts if source.id in fact.sources]
    heads = ("Value", Num("Stated"), "As printed", "Stands", Num("Figures moved"))
    return table(heads, groups, caption="Values from this source")


def fact_row(fact: ResolvedFact, links: Links, moved: dict[str, list[str]]) -> Row:
    """One value."""
    count = len(moved.get(fact.key, ()))
    stands: Child = (
        badges.mark("contested", "⇄", "another is preferred", "Both sides stand with the value.")
        if fact.disputes
        else "yes"
    )
    return Row(
        (
            Cell(links.fact(fact.key), fact.key, is_head=True),
            value_cell(fact.value, fact.written or fact.absent.replace("_", " ")),
            joined("“", fact.as_printed, "”") if fact.as_printed else None,
            stands,
            Cell(str(count) if count else None, str(count), number=True),
        )
    )


def citing(source: ResolvedRecord, base: ResolvedBase, links: Links) -> Html | None:
    """The records that cite it."""
    found = [record for record in base.records.values() if source.id in (*record.sources, *record.citations)]
    if not found:
        return None
    return el("p", "Cited by ", *between(", ", (links.to(Place(record.id), record.name) for record in found)), ".")
