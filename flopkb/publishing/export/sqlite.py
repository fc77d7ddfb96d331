"""SQLite: typed tables with foreign keys and indexes, and a view for each question that people ask.

The file is built in memory and handed over as bytes, so that equal bases give equal files (of one version of SQLite).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from flopkb.base.document import Mapping, Node, Scalar
from flopkb.publishing.export.csv import bound, every_figure
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.json import SCHEMA_VERSION, verdict_name
from flopkb.publishing.export.resolved import (
    ResolvedBase,
    ResolvedCase,
    ResolvedFact,
    ResolvedFigure,
    ResolvedQuote,
    ResolvedRecord,
)

APPLICATION_ID = 0x666C6B62
"""Marks the file as one of flopkb's (``flkb`` in its header)."""

Column = str | int | float | None
Row = tuple[Column, ...]


def sqlite_export(base: ResolvedBase) -> bytes:
    """The database as the bytes of its file."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(
            f"PRAGMA encoding = 'UTF-8'; PRAGMA page_size = 4096; PRAGMA application_id = {APPLICATION_ID};"
            " PRAGMA user_version = 1; PRAGMA foreign_keys = ON;"
        )
        connection.executescript(Path(__file__).with_name("schema.sql").read_text(encoding="utf-8"))
        with connection:
            _Filler(base, connection).fill()
        connection.execute("VACUUM")
        return connection.serialize()
    finally:
        connection.close()


def exact(value: Exact | None) -> Row:
    """``value``, ``decimal``, ``numerator``, ``denominator``."""
    return (
        (None, None, None, None)
        if value is None
        else (value.nearest, value.decimal, value.numerator, value.denominator)
    )


def texts(node: Node, path: str) -> Iterator[tuple[str, str]]:
    """Every text below a field with its dotted path."""
    if isinstance(node, Scalar):
        yield path, node.text
    elif isinstance(node, Mapping):
        for key, value in node:
            yield from texts(value, f"{path}.{key.text}")
    else:
        for index, item in enumerate(node):
            yield from texts(item, f"{path}.{index}")


class _Filler:
    """Fills the tables, those that others refer to first. What refers to nothing in the base is left out."""

    def __init__(self, base: ResolvedBase, connection: sqlite3.Connection) -> None:
        self.base = base
        self.connection = connection
        self.facts: dict[str, int] = {}
        self.figures: set[str] = set()
        self.formulas = {(record.id, f.name) for record in base.records.values() for f in record.formulas}

    def fill(self) -> None:
        """Everything."""
        counts = {
            "schema_version": SCHEMA_VERSION,
            "generator": f"flopkb {self.base.version.package}",
            "digest": self.base.version.digest,
        }
        self.insert("meta", counts.items())
        records = list(self.base.records.values())
        self.insert("records", map(self.record, records))
        for record in records:
            self.parts(record)
        self.every_fact()
        for figure in every_figure(self.base):
            self.figure(figure)
        for record in records:
            self.rows(record)
        self.insert("quotes", ((index, *self.quote(quote)) for index, quote in enumerate(self.base.quotes, 1)))

    def insert(self, table: str, rows: Iterable[Row | tuple[str, str]]) -> None:
        """Rows for a table, in the order of its columns."""
        for row in rows:
            marks = ", ".join("?" * len(row))
            self.connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)

    def known(self, ids: Iterable[str]) -> Iterator[str]:
        """The ids that are records of the base."""
        return (id for id in ids if id in self.base.records)

    def record(self, record: ResolvedRecord) -> Row:
        confidence = float(record.confidence) if record.confidence else None
        status, kind = record.status.value, record.kind.value
        return (record.id, kind, record.name, status, confidence, record.updated or None, record.file)

    def parts(self, record: ResolvedRecord) -> None:
        """What hangs on a record alone."""
        id = record.id
        self.insert("aliases", ((id, alias) for alias in record.aliases))
        self.insert("fields", ((id, *pair) for name, node in record.fields.items() for pair in texts(node, name)))
        self.insert("record_sources", ((id, source) for source in self.known(record.sources)))
        self.insert("prose", ((id, p.field, p.markdown, p.place.line) for p in record.prose))
        self.insert("citations", ((id, source) for source in self.known(record.citations)))
        self.insert(
            "symbols",
            (
                (id, s.name, s.meaning, s.unit, s.source or None, s.value or None, s.domain or None)
                for s in record.symbols
            ),
        )
        self.insert("formulas", ((id, f.name, f.expr, f.unit, f.place.line) for f in record.formulas))
        for claim in record.claims:
            found = claim.verdict
            ended = (verdict_name(found), str(found)) if found is not None else (None, None)
            self.insert(
                "claims", [(id, claim.id, claim.relation, claim.statement, claim.conditions, *ended, claim.place.line)]
            )
        self.insert("affected_products", ((id, part) for part in self.known(record.products)))
        for c in record.corrections:
            stood = (c.holds_when or None, c.now or None, c.now_claim or None, c.note or None)
            self.insert("corrections", [(id, c.index + 1, c.date, c.stated, bound(c.given), *stood, c.place.line)])
        self.insert("history", ((id, date, change) for date, change in record.history))

    def every_fact(self) -> None:
        """The recorded values, each followed by what disputes it."""
        number = 0
        for record in self.base.records.values():
            for fact in record.facts:
                number += 1
                own = number
                self.fact(own, fact, None)
                for other in fact.disputed:
                    number += 1
                    self.fact(number, other, own)

    def fact(self, number: int, fact: ResolvedFact, disputes: int | None) -> None:
        self.facts.setdefault(fact.key, number)
        dtype = fact.dtype if fact.dtype in self.base.records else None
        row: Row = (
            *(number, fact.key, fact.record, fact.path, fact.quantity, fact.written, *exact(fact.value), fact.unit),
            *(
                fact.basis.value,
                fact.as_printed or None,
                fact.reading or None,
                fact.formula or None,
                fact.absent or None,
            ),
            *(dtype, fact.sparsity or None, fact.accumulate or None, fact.method or None, fact.device or None),
            *(fact.date or None, disputes, fact.preferred or None, fact.note or None, fact.place.line),
        )
        self.insert("facts", [row])
        self.insert("fact_sources", ((number, source) for source in self.known(fact.sources)))

    def figure(self, figure: ResolvedFigure) -> None:
        """A figure with its values, and what it reads."""
        holder, _, name = figure.formula.rpartition(".")
        formula = (holder, name) if (holder, name) in self.formulas else (None, None)
        inputs, over = bound(figure.bindings), bound(figure.over)
        head = (figure.key, figure.record, figure.name or None, *formula, inputs, over)
        self.insert("figures", [(*head, figure.unit, figure.fault or None, figure.place.line)])
        self.figures.add(figure.key)
        for case in figure.cases:
            self.value(figure, case)
        self.insert("figure_facts", ((figure.key, self.facts[fact]) for fact in figure.facts if fact in self.facts))

    def value(self, figure: ResolvedFigure, case: ResolvedCase) -> None:
        value = (figure.key, bound(case.choice), *exact(case.value), case.value.unit)
        cursor = self.connection.execute(
            "INSERT INTO figure_values VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
            value,
        )
        for i in case.inputs:
            named = (cursor.lastrowid, i.side, i.name, i.meaning, i.given or None, self.facts.get(i.fact))
            self.insert("figure_inputs", [(*named, *exact(i.value), i.value.unit)])

    def rows(self, record: ResolvedRecord) -> None:
        """The hardware rows."""
        for row in record.rows:
            measured = (row.as_printed or None, row.method or None, row.device or None, row.date or None)
            flags = (int(row.demand), int(row.moves), row.cost or None, bound(row.elasticity), row.place.line)
            cursor = self.connection.execute(
                "INSERT INTO hardware_rows VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (record.id, row.index + 1, row.parameter, row.sentence, row.basis.value, *measured, *flags),
            )
            number = cursor.lastrowid
            self.insert("hardware_row_figures", ((number, key) for key in row.magnitude if key in self.figures))
            self.insert("hardware_row_parts", ((number, part) for part in self.known(row.values_for)))
            self.insert("hardware_row_sources", ((number, source) for source in self.known(row.sources)))

    def quote(self, quote: ResolvedQuote) -> Row:
        figure = quote.key if quote.key in self.figures else None
        fact = self.facts.get(quote.key) if quote.kind == "fact" else None
        head = (quote.record, quote.field, quote.text, quote.kind, quote.key, figure, fact, quote.verdict or None)
        return (*head, int(quote.is_math), quote.place.line, quote.place.column)
