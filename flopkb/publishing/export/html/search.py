"""What the search looks through: entries for records, figures, claims, formulas and values, and the text of records."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flopkb.publishing.export.anchors import fact_anchor, figure_anchor, page
from flopkb.publishing.export.html.figures import amount, as_quoted
from flopkb.publishing.export.html.links import SUFFIX
from flopkb.publishing.export.html.records import Site
from flopkb.publishing.export.resolved import ResolvedRecord
from flopkb.publishing.export.tex import visible

Entry = tuple[str, str, str, str, str]
"""Title, kind, address, what is shown below the title, further words."""


def search_data(site: Site) -> bytes:
    """A script that hands the entries over; all in ASCII, so that nothing in it can be taken for anything else."""
    entries = [
        list(map(visible, entry)) for record in site.base.records.values() for entry in record_entries(record, site)
    ]
    return f"window.flopkbEntries = {json.dumps(entries, ensure_ascii=True, separators=(',', ':'))};\n".encode("ascii")


def record_entries(record: ResolvedRecord, site: Site) -> Iterator[Entry]:
    """The entries of a record."""
    address, kind = page(site.base, record.id, SUFFIX), record.kind.value.replace("_", " ")
    prose = " ".join(part.passage.reading.plain for part in record.prose)
    words = " ".join((record.id, *record.aliases, *fields(record)))
    yield record.name, kind, address, " · ".join((record.id, *record.aliases)), f"{words}\n{' '.join(prose.split())}"
    for figure in record.figures:
        worth = as_quoted(figure, site.quotes) or ", ".join(map(amount, figure.values))
        inputs = " ".join(f"{name}={value}" for name, value in (*figure.bindings, *figure.over))
        yield figure.key, "figure", f"{address}#{figure_anchor(figure.name)}", worth, f"{figure.formula} {inputs}"
    for fact in record.facts:
        shown = fact.written if fact.written is not None else fact.absent.replace("_", " ")
        words = " ".join((record.name, *record.aliases, *fact.sources, *("contested" for _ in fact.disputed[:1])))
        yield fact.key, "value", f"{address}#{fact_anchor(fact.path)}", shown, words
    for claim in record.claims:
        yield f"{record.id}.{claim.id}", "claim", f"{address}#claim-{claim.id}", claim.statement, claim.conditions
    for formula in record.formulas:
        yield (
            f"{record.id}.{formula.name}",
            "formula",
            f"{address}#formula-{formula.name}",
            formula.expr,
            " ".join(formula.written),
        )


def fields(record: ResolvedRecord) -> Iterator[str]:
    """The texts of the plain fields."""
    from flopkb.publishing.export.columns import texts

    return (text for name, node in record.fields.items() for _, text in texts(node, name))
