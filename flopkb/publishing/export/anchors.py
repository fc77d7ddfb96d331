"""Where things stand on a site: the page of a record, the anchor of a figure, what a link in prose leads to."""

from __future__ import annotations

import re

from flopkb.publishing.export.resolved import ResolvedBase, ResolvedQuote
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
    """Where the recorded value ``record.path[@source]`` stands."""
    whole, _, source = key.partition("@")
    record, _, path = whole.partition(".")
    return SitePlace(record, fact_anchor(path, source))


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


def quote_anchor(index: int) -> str:
    """The anchor of a quote in its record's prose, by its number there (from 0)."""
    return f"quote-{index + 1}"
