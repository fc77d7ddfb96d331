"""HTML: a site that needs no server and no network: pages, one stylesheet, one script, one file for the search."""

from __future__ import annotations

from pathlib import Path

from flopkb.base.model import Kind
from flopkb.publishing.export.html.cross import claims_page, figures_page, open_page, search_data, search_page
from flopkb.publishing.export.html.indexes import kind_page, start_page
from flopkb.publishing.export.html.layout import page
from flopkb.publishing.export.html.records import record_page
from flopkb.publishing.export.resolved import KINDS, ResolvedBase
from flopkb.publishing.pages.inlines import Flow
from flopkb.publishing.pages.lookups import Lookups
from flopkb.publishing.render.bibliography import references

ASSETS = ("site.css", "site.js", "icon.svg")


def html_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the site, by their paths in it."""
    look = Lookups.of(base, entries(base))
    pages = [start_page(look), figures_page(look), claims_page(look), open_page(look), search_page(look)]
    pages += [kind_page(look, kind) for kind in KINDS]
    pages += [record_page(record, look) for record in base.records.values()]
    files = {parts.path: page(parts, base) for parts in pages}
    files |= {f"assets/{name}": (Path(__file__).parent / name).read_bytes() for name in ASSETS}
    return {**files, "assets/search-data.js": search_data(look)}


def entries(base: ResolvedBase) -> dict[str, Flow]:
    """The reference of every source in the citation style."""
    ids = [source.id for source in base.of_kind(Kind.SOURCE)]
    return {made.id: made.children for made in references(ids, base.base.records)} if ids else {}
