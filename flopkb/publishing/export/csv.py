"""CSV: tidy tables that open in a spreadsheet, one row for each thing, no cell that a spreadsheet would run.

Every exact value is three columns: a decimal, and the numerator and denominator that it stands for. The files begin
with a byte order mark, by which spreadsheets know that they are UTF-8, and their lines end as RFC 4180 says.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.json import SCHEMA_VERSION, verdict_name
from flopkb.publishing.export.resolved import (
    ResolvedBase,
    ResolvedFact,
    ResolvedFigure,
    ResolvedQuote,
    ResolvedRecord,
    ResolvedRow,
)
from flopkb.publishing.export.resolved.records import scalars_of

_RUNS = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""What a spreadsheet may take for a formula, behind any apostrophes (which are doubled, so that undoing is exact)."""
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_EXACT = ("decimal", "numerator", "denominator", "unit")

Cell = str
Table = tuple[Sequence[str], Iterable[Sequence[Cell]]]


def csv_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the folder, by name."""
    return {f"{name}.csv": written(*table) for name, table in tables(base).items()}


def tables(base: ResolvedBase) -> dict[str, Table]:
    """Each table: its columns and its rows."""
    quoted = quoted_counts(base)
    return {
        "base": (BASE, [base_row(base)]),
        "records": (RECORDS, map(record_row, base.records.values())),
        "facts": (FACTS, map(fact_row, base.facts)),
        "figures": (
            FIGURES,
            (row for figure in every_figure(base) for row in figure_rows(figure, quoted.get(figure.key, 0))),
        ),
        "figure_inputs": (INPUTS, (row for figure in every_figure(base) for row in input_rows(figure))),
        "hardware_rows": (ROWS, (hardware_row(row) for record in base.records.values() for row in record.rows)),
        "quotes": (QUOTES, (row for quote in base.quotes for row in quote_rows(quote))),
        "claims": (CLAIMS, (row for record in base.records.values() for row in claim_rows(record))),
        "sources": (SOURCES, (source_row(record) for record in base.records.values() if record.kind.value == "source")),
    }


def written(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """A table as the bytes of a file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")


def safe(cell: Cell) -> Cell:
    """A text with an apostrophe before what a spreadsheet would run; numbers, negative ones too, as they are."""
    return f"'{cell}" if _RUNS.match(cell) and not _NUMBER.fullmatch(cell) else cell


def plain(cell: Cell) -> Cell:
    """The text behind :func:`safe`, for programs that read the files."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell


def every_figure(base: ResolvedBase) -> Iterator[ResolvedFigure]:
    """The figures of records, then the formulas with inputs that prose quotes."""
    yield from base.figures
    yield from base.computations.values()


def quoted_counts(base: ResolvedBase) -> dict[str, int]:
    """How often each thing is quoted."""
    counts: dict[str, int] = {}
    for quote in base.quotes:
        counts[quote.key] = counts.get(quote.key, 0) + 1
    return counts


def exact(value: Exact | None) -> tuple[Cell, ...]:
    """The four columns of a value."""
    return ("", "", "", "") if value is None else (value.decimal, value.numerator, value.denominator, value.unit)


def joined(items: Iterable[str]) -> Cell:
    """Several ids in one cell."""
    return "; ".join(items)


def bound(pairs: Iterable[tuple[str, str]]) -> Cell:
    """Inputs in one cell."""
    return "; ".join(f"{name}={value}" for name, value in pairs)


def yes(flag: bool) -> Cell:
    """A truth value as spreadsheets and readers of tables write it."""
    return "true" if flag else "false"


BASE = ("digest", "updated", "records", "unread_faults", "generator", "schema_version")


def base_row(base: ResolvedBase) -> tuple[Cell, ...]:
    """Which base this is."""
    version = base.version
    counts = (str(version.records), str(base.unread))
    return (version.digest, version.updated, *counts, f"flopkb {version.package}", SCHEMA_VERSION)


RECORDS = ("id", "kind", "name", "aliases", "status", "confidence", "updated", "sources", "file")


def record_row(record: ResolvedRecord) -> tuple[Cell, ...]:
    """One record."""
    return (
        record.id,
        record.kind.value,
        record.name,
        joined(record.aliases),
        record.status.value,
        record.confidence,
        record.updated,
        joined(record.sources),
        record.file,
    )


FACTS = (
    *("key", "record", "path", "quantity", *_EXACT, "written", "basis", "sources", "as_printed", "reading", "formula"),
    *("absent", "dtype", "sparsity", "accumulate", "method", "device", "date", "disputes", "contested", "preferred"),
    *("note", "file", "line"),
)


def fact_row(fact: ResolvedFact) -> tuple[Cell, ...]:
    """A recorded value, or what another source states in its place."""
    return (
        *(fact.key, fact.record, fact.path, fact.quantity, *exact(fact.value), fact.written or "", fact.basis.value),
        *(joined(fact.sources), fact.as_printed, fact.reading, fact.formula, fact.absent, fact.dtype, fact.sparsity),
        *(fact.accumulate, fact.method, fact.device, fact.date, yes(fact.disputes), yes(bool(fact.disputed))),
        *(fact.preferred, fact.note, fact.place.path, str(fact.place.line)),
    )


FIGURES = (
    *(
        "key",
        "record",
        "name",
        "formula",
        "expr",
        "inputs",
        "over",
        "choice",
        *_EXACT,
        "depends_on",
        "contested_inputs",
    ),
    *("quoted", "fault", "file", "line"),
)


def figure_rows(figure: ResolvedFigure, quoted: int) -> Iterator[tuple[Cell, ...]]:
    """A row for each value of a figure (one without a value too)."""
    head = (
        figure.key,
        figure.record,
        figure.name,
        figure.formula,
        figure.expr,
        bound(figure.bindings),
        bound(figure.over),
    )
    tail = (
        joined(figure.facts),
        joined(figure.contested),
        str(quoted),
        figure.fault,
        figure.place.path,
        str(figure.place.line),
    )
    for case in figure.cases:
        yield (*head, bound(case.choice), *exact(case.value), *tail)
    if not figure.cases:
        yield (*head, "", "", "", "", figure.unit, *tail)


INPUTS = ("figure", "choice", "side", "name", "meaning", "given", "fact", *_EXACT)


def input_rows(figure: ResolvedFigure) -> Iterator[tuple[Cell, ...]]:
    """What a figure reads."""
    for case in figure.cases:
        for read in case.inputs:
            choice = bound(case.choice)
            yield (figure.key, choice, read.side, read.name, read.meaning, read.given, read.fact, *exact(read.value))


ROWS = (
    *("record", "row", "parameter", "sentence", "basis", "magnitude", "values_for", "sources", "as_printed", "method"),
    *("device", "date", "demand", "moves", "cost", "elasticity", "file", "line"),
)


def hardware_row(row: ResolvedRow) -> tuple[Cell, ...]:
    """A hardware row."""
    return (
        *(row.record, str(row.index + 1), row.parameter, row.sentence, row.basis.value, joined(row.magnitude)),
        *(
            joined(row.values_for),
            joined(row.sources),
            row.as_printed,
            row.method,
            row.device,
            row.date,
            yes(row.demand),
        ),
        *(yes(row.moves), row.cost, bound(row.elasticity), row.place.path, str(row.place.line)),
    )


QUOTES = ("record", "field", "text", "kind", "key", *_EXACT, "verdict", "file", "line", "column")


def quote_rows(quote: ResolvedQuote) -> Iterator[tuple[Cell, ...]]:
    """A row for each value of what is quoted (one where there is none)."""
    where = (quote.verdict, quote.place.path, str(quote.place.line), str(quote.place.column))
    for value in quote.values or (None,):
        yield (quote.record, quote.field, quote.text, quote.kind, quote.key, *exact(value), *where)


CLAIMS = ("record", "claim", "statement", "conditions", "result", "verdict", "file", "line")


def claim_rows(record: ResolvedRecord) -> Iterator[tuple[Cell, ...]]:
    """The claims of a record."""
    for claim in record.claims:
        found = claim.verdict
        result, told = (verdict_name(found), str(found)) if found is not None else ("", "")
        where = (claim.place.path, str(claim.place.line))
        yield (record.id, claim.id, claim.statement, claim.conditions, result, told, *where)


_LOCATORS = ("url", "doi", "arxiv", "isbn", "page", "path")
SOURCES = (
    *(
        "id",
        "name",
        "source_kind",
        "title",
        "authors",
        "organisation",
        "year",
        "published_in",
        "volume",
        "number",
        "pages",
    ),
    *("publisher", *_LOCATORS, "accessed"),
)


def source_row(record: ResolvedRecord) -> tuple[Cell, ...]:
    """A source."""
    from flopkb.publishing.export.resolved.facts import text_at

    root = record.record.document.root
    fields = (
        text_at(root, name)
        for name in ("organisation", "year", "published_in", "volume", "number", "pages", "publisher")
    )
    return (
        *(record.id, record.name, text_at(root, "source_kind"), text_at(root, "title")),
        joined(scalars_of(root.get("authors"))),
        *fields,
        *(text_at(root, f"locator.{name}") for name in _LOCATORS),
        text_at(root, "accessed"),
    )


def value_of(row: dict[str, str]) -> Fraction | None:
    """The exact value in a row that a reader of tables gives (for programs that calculate on)."""
    return Fraction(int(row["numerator"]), int(row["denominator"])) if row["numerator"] else None
