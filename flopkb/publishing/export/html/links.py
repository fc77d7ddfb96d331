"""A page's way to others: addresses relative to the page, and links to sources and to what is quoted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flopkb.publishing.export.anchors import address
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedQuote
from flopkb.publishing.pages.elements import Child, Html, el
from flopkb.publishing.pages.inlines import SitePlace

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
