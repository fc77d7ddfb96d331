"""A site as a reader of it sees it: its pages parsed, their anchors and links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote

BLOCKS = frozenset(
    [
        "td",
        "th",
        "tr",
        "p",
        "li",
        "dt",
        "dd",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "summary",
        "details",
        "header",
        "nav",
    ]
)
VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})


@dataclass
class Parsed(HTMLParser):
    """One page; ``faults`` are tags that do not match."""

    ids: list[str] = field(default_factory=list)
    addresses: list[tuple[str, str]] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []

    def __hash__(self) -> int:
        return id(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.texts.append(" ")
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        self.addresses += [(tag, str(found[name])) for name in ("href", "src", "action") if found.get(name)]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        """What is read, white space collapsed."""
        return " ".join("".join(self.texts).split())

    def all(self, tag: str) -> Iterator[dict[str, str | None]]:
        """The attributes of every element of a name."""
        return (attributes for name, attributes in self.elements if name == tag)


def parsed(data: bytes) -> Parsed:
    """A page, read to its end."""
    page = Parsed()
    page.feed(data.decode("utf-8"))
    page.close()
    page.faults += [f"<{tag}> is not closed" for tag in page.open]
    return page


def faults(files: Mapping[str, bytes]) -> list[str]:
    """Everything wrong with a site: tags, repeated anchors, links that lead nowhere, addresses that are no links."""
    pages = {name: parsed(data) for name, data in files.items() if name.endswith(".html")}
    found = [f"{name}: {fault}" for name, page in pages.items() for fault in page.faults]
    found += [f"{n}: #{id} twice" for n, page in pages.items() for id, count in Counter(page.ids).items() if count > 1]
    for name, page in pages.items():
        for tag, address in page.addresses:
            fault = dead(name, tag, address, pages, files)
            if fault:
                found.append(f"{name}: <{tag}> {address}: {fault}")
    return found


def dead(name: str, tag: str, address: str, pages: Mapping[str, Parsed], files: Mapping[str, bytes]) -> str:
    """Why an address does not lead where it should; empty where it does."""
    if ":" in address.split("/")[0]:
        return "" if tag == "a" and address.startswith(("https://", "http://")) else "fetched, or no web address"
    path, _, anchor = address.partition("#")
    target = normpath(join(dirname(name), unquote(path))) if path else name
    if target not in files:
        return "no such file"
    anchor = anchor if not anchor.startswith("ask&") else "ask"
    if anchor and unquote(anchor) not in pages[target].ids:
        return "no such anchor"
    return ""
