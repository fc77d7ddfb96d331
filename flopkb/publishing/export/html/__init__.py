"""HTML: a site that needs no server and no network: pages, one stylesheet, one script, one file for the search."""

from __future__ import annotations

from pathlib import Path

from flopkb.publishing.export.html.across import claims_page, figures_page, open_page, search_page
from flopkb.publishing.export.html.indexes import kind_page
from flopkb.publishing.export.html.layout import page
from flopkb.publishing.export.html.records import Site, record_page
from flopkb.publishing.export.html.search import search_data
from flopkb.publishing.export.html.start import start_page
from flopkb.publishing.export.resolved import KINDS, ResolvedBase

ASSETS = ("site.css", "site.js", "icon.svg")


def html_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the site, by their paths in it."""
    site = Site.of(base)
    pages = [start_page(site), figures_page(site), claims_page(site), open_page(site), search_page(site)]
    pages += [kind_page(site, kind) for kind in KINDS]
    pages += [record_page(record, site) for record in base.records.values()]
    files = {parts.path: page(parts, base) for parts in pages}
    files |= {f"assets/{name}": (Path(__file__).parent / name).read_bytes() for name in ASSETS}
    return {**files, "assets/search-data.js": search_data(site)}
