"""How sources are named in running text: author and year."""

from __future__ import annotations

from flopkb.export.resolved import ResolvedBase, ResolvedRecord, scalars_of
from flopkb.export.resolved.facts import text_at


def short_citation(id: str, base: ResolvedBase) -> str:
    """``Liu et al. 2024``; the id itself where it is no source of the base."""
    record = base.records.get(id)
    return author_year(record) if record is not None and record.kind.value == "source" else id


def author_year(source: ResolvedRecord) -> str:
    """The first author (or the organisation) and the year."""
    root = source.record.document.root
    families = [name.partition(",")[0].strip() for name in scalars_of(root.get("authors"))]
    if not families:
        who = text_at(root, "organisation")
    elif len(families) == 1:
        who = families[0]
    else:
        who = f"{families[0]} and {families[1]}" if len(families) == 2 else f"{families[0]} et al."
    return f"{who} {text_at(root, 'year')}".strip()
