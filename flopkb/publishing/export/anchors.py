"""Where things stand on a site (pages, anchors, what a link in prose leads to), and the links that lead there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from flopkb.base.link import PRINTED
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedQuote
from flopkb.publishing.pages.elements import Child, Html, el
from flopkb.publishing.pages.inlines import SitePlace

_ODD = re.compile(r"[^A-Za-z0-9_.]+")


def page(base: ResolvedBase, record: str, suffix: str) -> str:
    """The page of a record, below the root of the site."""
    return f"{base.records[record].kind.folder}/{record}{suffix}"


def address(place: SitePlace, base: ResolvedBase, here: str, up: str, suffix: str) -> str:
    """The address of a place from the page of the record ``here``; ``up`` is the way from it to the root of the site."""
    tail = f"#{place.anchor}" if place.anchor else ""
    return tail if place.record == here and tail else f"{up}{page(base, place.record, suffix)}{tail}"


def figure_anchor(name: str) -> str:
    """The anchor of a figure."""
    return f"fig-{name}"


def computation_anchor(key: str) -> str:
    """The anchor of a formula with inputs, on each page that quotes it."""
    return f"fig-{_ODD.sub('-', key).strip('-')}"


def fact_anchor(path: str, source: str = "") -> str:
    """The anchor of a recorded value, or of what a source states in its place."""
    return f"fact-{path}-{source}" if source else f"fact-{path}"


def fact_place(key: str) -> SitePlace:
    """Where the recorded value ``record.path`` stands, or with ``@source`` what that source states in its place."""
    whole, _, source = key.partition("@")
    record, _, path = whole.partition(".")
    return SitePlace(record, fact_anchor(path, "" if source == PRINTED else source))


def destination(quote: ResolvedQuote, base: ResolvedBase) -> SitePlace | None:
    """What a link in prose leads to; None for a literal, and for what could not be resolved."""
    record, _, name = quote.key.partition(".")
    if quote.kind == "figure":
        return SitePlace(record, figure_anchor(name))
    if quote.kind == "computation":
        return SitePlace(quote.record, computation_anchor(quote.key))
    if quote.kind == "derivation":
        return SitePlace(record, f"formula-{name.partition('?')[0]}")
    if quote.kind == "fact":
        return fact_place(quote.key)
    if quote.kind == "claim":
        return SitePlace(record, f"claim-{name}")
    if quote.kind == "input":
        owner = name.rpartition(".")[0]
        is_point = any(point == owner for point, _ in base.records[record].points)
        return SitePlace(record, f"point-{owner}" if is_point else figure_anchor(owner))
    return None


def ask_place(formula: str, inputs: Iterable[tuple[str, str]]) -> SitePlace:
    """Where a formula is asked with its inputs in place: its page answers, and shows what is behind the value."""
    record, _, name = formula.partition(".")
    return SitePlace(record, f"ask&{urlencode({'formula': name, **dict(inputs)})}")


def quote_anchor(index: int) -> str:
    """The anchor of a quote in its record's prose, by its number there (from 0)."""
    return f"quote-{index + 1}"


SUFFIX = ".html"


@dataclass(frozen=True, slots=True)
class Links:
    """Links from a page; ``here`` is its record (empty on pages of none), ``up`` the way to the root of the site."""

    base: ResolvedBase
    here: str = ""
    up: str = ""

    @classmethod
    def of_record(cls, base: ResolvedBase, record: str) -> Links:
        """Links from the page of a record, which lies in a folder."""
        return cls(base, record, "../")

    def known(self, record: str) -> bool:
        """Whether there is a page for a record."""
        return record in self.base.records

    def address(self, place: SitePlace) -> str:
        """The address of a place."""
        return address(place, self.base, self.here, self.up, SUFFIX)

    def to(self, place: SitePlace, *children: Child, class_: str | None = None, title: str | None = None) -> Html:
        """A link; its text alone where there is no such page."""
        if not self.known(place.record):
            return el("span", *children, class_=class_)
        return el("a", *children, href=self.address(place), class_=class_, title=title)

    def source(self, id: str) -> Html:
        """A link to a source, by author and year."""
        return self.to(SitePlace(id), self.base.label(id), class_="cite")

    def to_quote(self, place: SitePlace, children: Iterable[Child], quote: ResolvedQuote, anchor: str | None) -> Html:
        """A quoted text: where it leads, what it is worth for who points at it, and an anchor to come back to."""
        kind = {"figure": "fig", "computation": "fig", "fact": "fact", "input": "in", "claim": "claim"}.get(
            quote.kind, "eq"
        )
        worth = ", ".join(value.short for value in quote.values)
        named = quote.key if len(quote.key) <= 80 else quote.key.partition("?")[0]
        title = f"{named} = {worth}" if worth else named
        if not self.known(place.record):
            return el("span", *children)
        return el("a", *children, href=self.address(place), class_=f"q q-{kind}", id=anchor, title=title)
