"""Recorded values with both sides of every conflict, what hardware does to them, and what rests on a source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flopkb.base.model import Fact, HardwareRow
from flopkb.publishing.export.anchors import fact_anchor
from flopkb.publishing.export.bibtex import entry
from flopkb.publishing.export.resolved import (
    ResolvedFact,
    ResolvedRecord,
    ResolvedRow,
    scalars_of,
    targets_of,
    text,
    text_at,
)
from flopkb.publishing.pages.blocks import (
    Block,
    ColumnHead,
    Fields,
    Folded,
    Paragraph,
    RecordTable,
    RowCell,
    TableRow,
    Verbatim,
)
from flopkb.publishing.pages.inlines import Aside, Code, Flow, OnlyIn, Remark, Styled, WebLink, Words, Written
from flopkb.publishing.pages.lookups import (
    CONTESTED,
    PREFERRED,
    Lookups,
    assigned,
    basis_mark,
    between,
    count_cell,
    fact_link,
    value_cell,
)

_HEADS = (
    ColumnHead("Quantity"),
    ColumnHead("Value", number=True),
    ColumnHead("Basis", forms="html markdown"),
    ColumnHead("Source", forms="html markdown"),
    ColumnHead("As printed", forms="html markdown"),
    ColumnHead("Moves", forms="html"),
    ColumnHead("Note", forms="markdown"),
    ColumnHead("Behind it", forms="text"),
)


def fact_table(facts: Sequence[ResolvedFact], look: Lookups, here: str) -> Iterator[Block]:
    """Recorded values, each with what other sources state; away from home (``here`` empty) named with their records."""
    if facts:
        groups = [list(fact_rows(fact, look, here)) for fact in facts]
        yield RecordTable(_HEADS, groups, "Recorded values", "facts")


def fact_rows(fact: ResolvedFact, look: Lookups, here: str) -> Iterator[TableRow]:
    """A value, and both sides where it is contested."""
    home = bool(here)
    contested = (OnlyIn("html", (" ", CONTESTED)), OnlyIn("markdown", " **contested**")) if fact.contested else None
    name = (Code(fact.path) if home else fact_link(fact.key), contested, OnlyIn("html", (" ", detail(fact, home))))
    first = RowCell(name, fact.path if home else fact.key, is_head=True)
    anchor = fact_anchor(fact.path) if home else ""
    yield TableRow((first, *fact_cells(fact, look, here)), anchor, "stands" if fact.disputed else "")
    for other in fact.disputed:
        note = Aside((" ", Remark(other.note, other.record, anchors=home))) if other.note else None
        told = (OnlyIn("html", (TOLD[other.difference], note)), OnlyIn("markdown", f"*{TOLD[other.difference]}*"))
        anchor = fact_anchor(other.path, other.sources[0] if other.sources else "") if home else ""
        yield TableRow((RowCell(told), *fact_cells(other, look, here)), anchor, "other", "html markdown")
    if fact.disputed and fact.preferred:
        reason = Remark(fact.preferred, fact.record, anchors=home)
        why = (Styled("b", Words(fact.written or "")), " stands: ", reason)
        yield TableRow((RowCell(why, span=6),), role="why", forms="html")


TOLD = {"conflict": "stated otherwise", "rounding": "rounded otherwise", "notation": "in another notation"}
"""What is said of a value that another source states, by how it differs."""


def fact_cells(fact: ResolvedFact, look: Lookups, here: str) -> tuple[RowCell | Flow, ...]:
    """What is stated: value, basis, source, how it is printed, what it moves, what is noted."""
    derived = OnlyIn("markdown", (" from ", Code(fact.formula))) if fact.formula else None
    return (
        value_cell(fact.value, Written(fact.written) if fact.written is not None else absent(fact)),
        (basis_mark(fact.basis), derived),
        between(", ", map(look.source, fact.sources)),
        printed(fact),
        None if fact.disputes else moves(look.moved.get(fact.key, []), look, here),
        noted(fact),
        None if fact.disputes else evidence(fact, look.base.records[fact.record].record.facts[fact.path]),
    )


def absent(fact: ResolvedFact) -> Flow:
    """Why there is no value."""
    if fact.disputes:
        return OnlyIn("markdown", Words(fact.absent.replace("_", " ")))
    told = {"html": fact.absence, "markdown": fact.absent.replace("_", " ")}
    return [OnlyIn(form, Words(text)) for form, text in {**told, "text": fact.absent}.items()]


def detail(fact: ResolvedFact, home: bool) -> Flow:
    """What a row of peak rates is a row of, how a value was measured, what its note says."""
    sums = f"sums in {fact.accumulate}" if fact.accumulate else ""
    told = ", ".join(filter(None, (fact.sparsity, sums, fact.method, fact.device, fact.date)))
    parts: list[Flow] = [Words(told)] if told else []
    parts += [Remark(fact.note, fact.record, anchors=home)] if fact.note else []
    return Aside(between(" ", parts)) if parts else None


def printed(fact: ResolvedFact) -> Flow:
    """What the source prints and how it is read, or the formula that derives it."""
    reading = Code(fact.reading) if fact.reading else None
    written = (Code(fact.as_printed) if fact.as_printed else None, (", read as ", reading) if reading else None)
    quoted = ("“", Words(fact.as_printed), "”", (" read as ", reading) if reading else None)
    site = ("= ", Code(fact.formula)) if fact.formula else quoted if fact.as_printed else None
    return (OnlyIn("html", site), OnlyIn("markdown", written))


def moves(figures: Sequence[str], look: Lookups, here: str) -> Flow:
    """The figures that depend on a value."""
    if not figures:
        return None
    count = f"{len(figures)} {'figure' if len(figures) == 1 else 'figures'}"
    links = between(", ", (look.figure(key, here) for key in figures))
    return Styled("details", (Styled("summary", count), links), "small")


def noted(fact: ResolvedFact) -> Flow:
    """The note, and why the value stands."""
    parts: list[Flow] = [Remark(fact.note, fact.record)] if fact.note else []
    parts += [("stands because ", Remark(fact.preferred, fact.record))] if fact.preferred else []
    return between("; ", parts)


def evidence(fact: ResolvedFact, own: Fact) -> Flow:
    """Basis and source in a line, with what the record says of its print, and with what disputes the value."""
    stated = own.as_printed is not None and own.as_printed is not own.value
    printed = f", printed {fact.as_printed!r}" if stated else ""
    others = (
        f"; {', '.join(other.sources)} states {other.written} ({TOLD[other.difference]})"
        for other in fact.disputed
        if other.written is not None
    )
    return f"{fact.basis.value}: {fact.formula or ', '.join(fact.sources)}{printed}{''.join(others)}"


_ROW_HEADS = (
    ColumnHead("Parameter"),
    ColumnHead("Basis", forms="html"),
    ColumnHead("Effect"),
    ColumnHead("Magnitude"),
    ColumnHead("Basis", forms="markdown"),
    ColumnHead("Parts"),
    ColumnHead("Behind it"),
)


def row_table(rows: Sequence[ResolvedRow], look: Lookups, here: str) -> Iterator[Block]:
    """Effects of hardware."""
    if rows:
        groups = [[hardware_row(row, look, here)] for row in rows]
        yield RecordTable(_ROW_HEADS, groups, "Effects of hardware", "hardware", anchors="html")


def hardware_row(row: ResolvedRow, look: Lookups, here: str) -> TableRow:
    """One of them."""
    own, name = row.own, row.own.parameter.text
    flags = " (as an amount asked for)" if own.demand else "" if own.moves else " (changes nothing)"
    cells = (
        RowCell((Code(name), OnlyIn("html", Aside(flags)) if flags else None), name, is_head=True),
        basis_mark(own.basis),
        Words(row.sentence),
        between(", ", (magnitude(key, look, here) for key in row.magnitude)),
        Styled("strong", own.basis.value),
        between(", ", map(look.record, targets_of(own.values_for))),
        (OnlyIn("html", between(" ", behind(own, look))), OnlyIn("markdown", told_behind(own, look))),
    )
    return TableRow(cells, f"row-{row.index + 1}", f"row-{own.basis.value}")


def magnitude(key: str, look: Lookups, here: str) -> Flow:
    """A figure, on the site in the words of the record."""
    record, _, name = key.partition(".")
    said = look.as_quoted(look.figures[key]) if key in look.figures else ""
    named = Code(name if look.base.has(record, "figure", name) else key)
    return look.figure(key, here, OnlyIn("html", Words(said or key)), OnlyIn("markdown", named))


def behind(row: HardwareRow, look: Lookups) -> list[Flow]:
    """The evidence for a row, and what its parameter does to its cost."""
    told = ", ".join(filter(None, map(text, (row.method, row.device, row.date))))
    elasticity = ", ".join(f"{value.text} at {point.text}" for point, value in row.elasticity)
    parts: list[Flow] = [*map(look.source, targets_of(row.sources))]
    parts += [Styled("q", Words(text(row.as_printed)))] if text(row.as_printed) else []
    parts += [Words(told)] if told else []
    return parts + ([("elasticity of ", Code(text(row.cost)), ": ", Words(elasticity))] if text(row.cost) else [])


def told_behind(row: HardwareRow, look: Lookups) -> list[Flow]:
    """The same as Markdown tells it."""
    found: list[Flow] = [*map(look.source, targets_of(row.sources))]
    found += [Code(text(row.as_printed))] if text(row.as_printed) else []
    found += [Words(text(row.method))] if text(row.method) else []
    elasticity = assigned([(point.text, value.text) for point, value in row.elasticity])
    costs = ("elasticity of ", Code(text(row.cost)), ": ", elasticity) if text(row.cost) else None
    return between("; ", filter(None, (between(", ", found), costs)))


# -- sources ----------------------------------------------------------------------------------------------------------
_ABOUT = "source_kind authors organisation published_in volume number pages publisher year accessed"
_ADDRESSES = (("DOI", "doi", "https://doi.org/"), ("arXiv", "arxiv", "https://arxiv.org/abs/"), ("address", "url", ""))
_PLACES = ("page", "path", "isbn")


def source_reference(source: ResolvedRecord, look: Lookups) -> Iterator[Block]:
    """The reference of a source in the citation style, its fields, where it is found, and the entry for BibTeX."""
    root = source.record.document.root
    yield Paragraph(look.entries.get(source.id) or Words(text_at(root, "title")), "reference")
    pairs = [(name, "; ".join(scalars_of(root.get(name)))) for name in _ABOUT.split()]
    pairs += [(name, text_at(root, f"locator.{name}")) for name in _PLACES]
    fields: list[tuple[str, Flow]] = [(name.replace("_", " "), Words(value)) for name, value in pairs if value]
    for name, key, lead in _ADDRESSES:
        found = text_at(root, f"locator.{key}")
        fields += [(name, WebLink(f"{lead}{found}", Words(found)))] if found else []
    yield Fields(fields, "fields")
    yield Folded("BibTeX", (Verbatim(entry(source), ""),), "bibtex")


def rests_on(source: ResolvedRecord, look: Lookups) -> Iterator[Block]:
    """The values that a source states, those that others are preferred to among them, and the records that cite it."""
    heads = (
        ColumnHead("Value"),
        ColumnHead("Stated", number=True),
        ColumnHead("As printed"),
        ColumnHead("Stands"),
        ColumnHead("Figures moved", number=True),
    )
    groups = [[stated_row(fact, look)] for fact in look.base.facts if source.id in fact.sources]
    yield RecordTable(heads, groups, "Values from this source")
    citing = [r for r in look.base.records.values() if source.id in (*r.sources, *r.citations)]
    if citing:
        yield Paragraph(("Cited by ", between(", ", (look.record(r.id) for r in citing)), "."))


def stated_row(fact: ResolvedFact, look: Lookups) -> TableRow:
    """One value that a source states."""
    return TableRow(
        (
            RowCell(fact_link(fact.key), fact.key, is_head=True),
            value_cell(fact.value, Words(fact.written or fact.absent.replace("_", " "))),
            ("“", Words(fact.as_printed), "”") if fact.as_printed else None,
            PREFERRED if fact.disputes else "yes",
            count_cell(len(look.moved.get(fact.key, ()))),
        )
    )
