"""The frame of every page: head, bar with search, main part, foot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flopkb.publishing.export.anchors import SUFFIX
from flopkb.publishing.export.resolved import KINDS, ResolvedBase
from flopkb.publishing.pages.elements import Child, Html, el, joined
from flopkb.publishing.pages.lookups import TITLES

CROSS = (("figures", "Figures"), ("claims", "Claims"), ("open", "Open questions"))
"""The pages that run across all records: name of the file, title."""

SCRIPTS = ("site.js", "inspect.js")
"""What every page runs."""

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A titled part of a page; ``short`` is its entry in the table of contents."""

    anchor: str
    title: str
    body: Html
    short: str = ""

    def html(self) -> Html:
        """The part."""
        return el("section", el("h2", self.title, id=self.anchor), self.body)


def part(anchor: str, title: str, *children: Child, short: str = "") -> Part:
    """A titled part."""
    return Part(anchor, title, joined(*children), short or title)


@dataclass(frozen=True, slots=True)
class PageParts:
    """What a page holds: ``path`` is its place in the site; ``lead`` comes before the parts (empty ones fall away)."""

    path: str
    title: str
    lead: Html
    parts: Sequence[Part] = ()
    current: str = ""
    description: str = ""
    wide: bool = False
    record: str = ""
    """The record that it is the page of."""
    scripts: Sequence[str] = ()
    """What the page runs besides the script of every page."""

    @property
    def shown(self) -> list[Part]:
        """The parts that hold something."""
        return [part for part in self.parts if part.body.strip()]

    @property
    def up(self) -> str:
        """The way to the root of the site."""
        return "../" * self.path.count("/")


def page(parts: PageParts, base: ResolvedBase) -> bytes:
    """The page as the bytes of its file (UTF-8), with the bar, the table of contents and the foot around its parts."""
    inside = (skip(), bar(parts), content(parts), foot(parts, base))
    body = el(
        "body", *inside, class_="wide" if parts.wide else None, data_root=parts.up, data_record=parts.record or None
    )
    document = el("html", head(parts, base), body, lang="en")
    return f"<!doctype html>\n{document}\n".encode()


def head(parts: PageParts, base: ResolvedBase) -> Html:
    """What is not seen."""
    title = parts.title if parts.path == "index.html" else f"{parts.title} · flopkb"
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title),
        el("meta", name="description", content=parts.description or parts.title),
        el("meta", name="generator", content=f"flopkb {base.version.package}, base {base.version.digest}"),
        el("link", rel="icon", href=f"{parts.up}assets/icon.svg", type="image/svg+xml"),
        el("link", rel="stylesheet", href=f"{parts.up}assets/site.css"),
        *(el("script", src=f"{parts.up}assets/{name}") for name in (*SCRIPTS, *parts.scripts)),
    )


def skip() -> Html:
    """The first stop of who uses the keyboard."""
    return el("a", "Skip to content", href="#main", class_="skip")


def bar(parts: PageParts) -> Html:
    """Name, ways to the indexes, search, light or dark."""
    items = [(kind.folder, TITLES[kind]) for kind in KINDS] + list(CROSS)
    links = [
        el("li", el("a", title, href=f"{parts.up}{name}.html", aria_current="page" if name == parts.current else None))
        for name, title in items
    ]
    search = el(
        "form",
        el("label", "Search", for_="search", class_="hidden"),
        el(
            "input", id="search", name="q", type="search", placeholder="Search records, figures, values",
            autocomplete="off", role="combobox", aria_expanded="false", aria_controls="hits",
            aria_autocomplete="list", data_root=parts.up,
        ),
        el("button", "Search", type="submit", class_="hidden", tabindex="-1"),
        el("ul", id="hits", role="listbox", aria_label="Hits", hidden=True),
        el("p", id="heard", class_="hidden", aria_live="polite"),
        action=f"{parts.up}search.html", role="search", class_="search",
    )  # fmt: skip
    theme = el(
        "button",
        el("span", "◐", aria_hidden="true"),
        type="button",
        id="theme",
        aria_label="Light or dark",
        hidden=True,
    )
    home = el("a", "flop", el("b", "kb"), href=f"{parts.up}index.html", class_="home", aria_label="flopkb, start page")
    return el("header", home, search, theme, el("nav", el("ul", *links), aria_label="Indexes"), class_="bar")


def content(parts: PageParts) -> Html:
    """The main part, with its table of contents beside it where there is room."""
    shown = parts.shown
    main = el("main", parts.lead, *(part.html() for part in shown), id="main", tabindex="-1")
    if len(shown) < 3 or parts.wide:
        return el("div", main, class_="frame plain")
    items = [el("li", el("a", part.short, href=f"#{part.anchor}")) for part in shown]
    contents = el("nav", el("h2", "On this page"), el("ul", *items), class_="contents", aria_label="On this page")
    return el("div", contents, main, class_="frame")


def foot(parts: PageParts, base: ResolvedBase) -> Html:
    """Of which base this is."""
    version = base.version
    text = (
        f"flopkb {version.package} · {version.records} records, last updated {version.updated} · base {version.digest}"
    )
    return el(
        "footer",
        el("p", text),
        el("p", "Numbers in prose stand as their authors wrote them; each was recomputed before this page was made."),
        el("p", el("a", "About this site, and what its words mean", href=f"{parts.up}about{SUFFIX}")),
    )


LONG = 12
"""From so many rows on a table can be filtered."""


def filter_box(rows: int) -> Html | None:
    """A box that narrows a long table, shown where there is a script to do so."""
    if rows < LONG:
        return None
    return el("p", el("label", "Filter ", el("input", type="search", class_="filter")), class_="filtering", hidden=True)
