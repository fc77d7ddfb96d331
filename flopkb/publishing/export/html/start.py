"""The start page: what there is, what is quoted most, how parts and models compare, what changed last."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.model import Kind
from flopkb.publishing.export.html.across import doubts
from flopkb.publishing.export.html.comparisons import CACHE_NOTE, RIDGE_NOTE, cache_table, ridge_table
from flopkb.publishing.export.html.element import Html, el, joined
from flopkb.publishing.export.html.figures import as_quoted
from flopkb.publishing.export.html.layout import CROSS, TITLES, PageParts, part
from flopkb.publishing.export.html.links import SUFFIX, Links
from flopkb.publishing.export.html.prose import remark
from flopkb.publishing.export.html.records import Site
from flopkb.publishing.export.resolved import KINDS, ResolvedRecord, scalars_of

LATEST, MOST_QUOTED, FIRST = 8, 4, 12
LEAD = (
    "Every number here is tied to a formula and its inputs, and was recomputed when this page was made. "
    "Follow a number to unfold it."
)


def start_page(site: Site) -> PageParts:
    """What there is, and where to begin."""
    links, title = Links(site.base), "Ridge by part and precision"
    parts = (
        part("classes", "Workload classes", record_cards(site, Kind.WORKLOAD_CLASS, links)),
        part("costs", "Formulas", record_cards(site, Kind.FORMULA, links)),
        part("ridges", title, *noted(RIDGE_NOTE, ridge_table(site, links)), short="Ridges"),
        part("caches", "KV bytes per token", *noted(CACHE_NOTE, cache_table(site, links))),
        part("changes", "Latest changes", latest(site, links)),
    )
    tiles = [tile(kind.folder, TITLES[kind], len(site.base.of_kind(kind))) for kind in KINDS]
    lead = el(
        "header",
        el("h1", "What LLM inference costs"),
        el("p", LEAD, class_="lead"),
        el("ul", *tiles, *cross_tiles(site), class_="tiles"),
        class_="title",
    )
    return PageParts("index.html", "flopkb: what LLM inference costs", lead, parts, "index")


def noted(note: str, made: Html | None) -> Iterator[Html]:
    """A table with a remark before it, or nothing."""
    if made is not None:
        yield el("p", note, class_="note")
        yield made


def tile(name: str, title: str, count: int) -> Html:
    """A way into an index, with how much is behind it."""
    return el("li", el("a", el("b", str(count)), " ", title, href=f"{name}{SUFFIX}"))


def cross_tiles(site: Site) -> Iterator[Html]:
    """The ways into the pages across all records."""
    claims = sum(len(record.claims) for record in site.base.records.values())
    counts = {"figures": len(site.figures), "claims": claims, "open": doubts(site).count}
    return (tile(name, title, counts[name]) for name, title in CROSS)


def record_cards(site: Site, kind: Kind, links: Links) -> Html | None:
    """Records with the beginning of what they say, and their figures that are quoted most."""
    cards = []
    for record in site.base.of_kind(kind):
        counts = [bound_by(record), f"{len(record.figures)} figures", f"{len(record.claims)} claims"]
        told = el("p", el("small", " · ".join(filter(None, counts))))
        cards.append(el("li", el("h3", links.record(record.id)), opening(record), leading(record, site, links), told))
    return el("ul", *cards, class_="cards") if cards else None


def leading(record: ResolvedRecord, site: Site, links: Links) -> Html | None:
    """The figures that are quoted most, in the words that quote them."""
    by_use = sorted(record.figures, key=lambda figure: -len(site.quotes.get(figure.key, ())))
    shown = [(figure, as_quoted(figure, site.quotes)) for figure in by_use[:MOST_QUOTED]]
    pairs = [
        joined(el("dt", links.figure(figure.key, el("code", figure.name))), el("dd", said))
        for figure, said in shown
        if said
    ]
    return el("dl", *pairs, class_="leading") if pairs else None


def bound_by(record: ResolvedRecord) -> str:
    """What bounds a class."""
    bound = scalars_of(record.fields.get("bound_by"))
    return f"bound by {bound[0]}" if bound and bound[0] != "depends" else ""


def opening(record: ResolvedRecord) -> Html | None:
    """The first sentence of the record that is all words, as it is read."""
    for field in record.prose:
        if "." not in field.field:
            reading = field.passage.reading
            for start, end in list(reading.sentences)[:FIRST]:
                sentence = " ".join(reading.plain[start:end].split())
                if is_wordy(sentence):
                    return el("p", sentence)
            return None
    return None


def is_wordy(sentence: str) -> bool:
    """Whether a sentence can stand alone: it ends, is no catchword, and holds no formula."""
    return sentence.endswith(".") and sentence.count(" ") > 5 and not any(sign in sentence for sign in "=*\\{")


def latest(site: Site, links: Links) -> Html | None:
    """The last entries of all histories and corrections."""
    found: list[tuple[str, str, Html]] = []
    for record in site.base.records.values():
        for correction in record.corrections:
            stated = joined("corrected: ", el("del", el("code", correction.stated)))
            found.append((correction.date, record.id, stated))
        told = ((date, remark(change, record.id, links, anchors=False)) for date, change in record.history)
        found += [(date, record.id, el("span", change)) for date, change in told]
    found.sort(key=lambda entry: entry[1])
    found.sort(key=lambda entry: entry[0], reverse=True)
    lines = [
        el("li", el("time", date, datetime=date), " ", links.record(id), ": ", told)
        for date, id, told in found[:LATEST]
    ]
    return el("ol", *lines, class_="history") if lines else None
