"""Parts and models on one row each: their plain fields, and a column for every quantity that one of them records.

Values are in base units, which the name of the column ends in (``memory_bandwidth_byte_per_second``); of peak rates the dense ones.
Where a record has none the cell is empty, and the table of recorded values says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.units import parse_unit
from flopkb.base.document import Scalar
from flopkb.base.model import Kind
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFact, ResolvedRecord

TABLES = {"parts": Kind.ACCELERATOR, "models": Kind.MODEL}
_NAMES = {"announced": "year"}
_DIGITS = 17
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class WideTable:
    """A table: its columns, texts first, then numbers, and a row for each record."""

    name: str
    texts: tuple[str, ...]
    numbers: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Fraction | None, ...]], ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*self.texts, *self.numbers)

    def csv_rows(self) -> Iterator[tuple[str, ...]]:
        """The rows as texts."""
        for texts, numbers in self.rows:
            yield (*texts, *("" if each is None else decimal_text(each, _DIGITS, exponent=False) for each in numbers))

    def sql(self) -> str:
        """The statement that creates it."""
        lines = ("id TEXT PRIMARY KEY NOT NULL REFERENCES records(id)", *(f"{name} TEXT" for name in self.texts[1:]))
        return (
            f"CREATE TABLE {self.name} (\n    "
            + ",\n    ".join((*lines, *(f"{n} REAL" for n in self.numbers)))
            + "\n);\n"
        )

    def sql_rows(self) -> Iterator[tuple[Cell, ...]]:
        """The rows as they are stored."""
        for texts, numbers in self.rows:
            yield (*(text or None for text in texts), *(None if each is None else float(each) for each in numbers))


def wide_tables(base: ResolvedBase) -> list[WideTable]:
    """The tables, of the kinds of which there are records."""
    return [wide_table(name, records) for name, kind in TABLES.items() if (records := base.of_kind(kind))]


def wide_table(name: str, records: tuple[ResolvedRecord, ...]) -> WideTable:
    """The table of some records."""
    fields = [
        *dict.fromkeys(key for record in records for key, node in record.fields.items() if isinstance(node, Scalar))
    ]
    found = [dict(numbers(record)) for record in records]
    columns = [*dict.fromkeys(column for own in found for column in own)]
    heads = ("id", "name", "status", *(_NAMES.get(field, field) for field in fields))
    columns = [column for column in columns if column not in heads]
    rows = [
        (
            (record.id, record.name, record.status.value, *(text_of(record, field) for field in fields)),
            tuple(map(own.get, columns)),
        )
        for record, own in zip(records, found, strict=True)
    ]
    return WideTable(name, heads, tuple(columns), tuple(rows))


def text_of(record: ResolvedRecord, field: str) -> str:
    """A plain field; empty where the record does not have it."""
    node = record.fields.get(field)
    return node.text if isinstance(node, Scalar) else ""


def numbers(record: ResolvedRecord) -> Iterator[tuple[str, Fraction]]:
    """The quantities of the record as a whole, each under the name of its column."""
    for fact in record.facts:
        if fact.value is not None and (fact.path == fact.quantity or (fact.dtype and fact.sparsity != "sparse")):
            yield column_name(fact), fact.value.base


def column_name(fact: ResolvedFact) -> str:
    """``memory_capacity_byte``: a quantity with its base unit (a count has none), in letters that SQL takes as they are."""
    unit = parse_unit(fact.unit or "1")
    tail = f"_{unit.base_text.replace('/', '_per_')}" if unit.dimension else ""
    return re.sub(r"\W", "_", f"{fact.path}{tail}")
