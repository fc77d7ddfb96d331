"""Which tables of columns there are: those that the JSON Schema defines, and those of CSV and SQLite with their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from flopkb.base.model import Kind
from flopkb.publishing.export import columns, record_columns
from flopkb.publishing.export.comparisons import compared_values
from flopkb.publishing.export.forms import DataRow, DataTable, bound
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFigure

T = TypeVar("T")


def defined() -> tuple[DataTable[Any], ...]:
    """The tables that the JSON Schema defines by name."""
    own, of = columns, record_columns
    return (
        *(own.EXACT, own.VERDICT, own.DISPUTED, own.FACT, own.INPUT, own.STEP, own.CASE, own.FIGURE, of.PROSE),
        *(of.SYMBOL, of.FORMULA, of.POINT, of.CLAIM, of.HARDWARE_ROW, of.CORRECTION, of.QUOTE, of.FIGURE_TABLE),
        of.RECORD,
    )


def every_figure(base: ResolvedBase) -> Iterator[ResolvedFigure]:
    """The figures of records, then the formulas with inputs that prose quotes."""
    yield from base.figures
    yield from base.computations.values()


def flat(base: ResolvedBase) -> list[tuple[DataTable[Any], list[DataRow[Any]]]]:
    """The tables of CSV and SQLite with their rows, those that others refer to first."""
    records, sources = base.records.values(), base.of_kind(Kind.SOURCE)
    quoted = Counter(quote.key for quote in base.quotes)
    figures = [DataRow(figure, quoted=quoted[figure.key]) for figure in every_figure(base)]
    cases = numbered((case, row.thing.key) for row in figures for case in row.thing.cases)
    inputs = [
        DataRow(read, case.owner, parent=case.number, choice=bound(case.thing.choice))
        for case in cases
        for read in case.thing.inputs
    ]
    return [
        (record_columns.BASE, [DataRow(base)]),
        (record_columns.RECORD, [DataRow(record) for record in records]),
        (record_columns.PROSE, numbered((prose, record.id) for record in records for prose in record.prose)),
        (record_columns.SYMBOL, numbered((symbol, record.id) for record in records for symbol in record.symbols)),
        (record_columns.FORMULA, numbered((formula, record.id) for record in records for formula in record.formulas)),
        (columns.FACT, numbered((fact, fact.record) for fact in base.facts)),
        (columns.FIGURE, figures),
        (columns.CASE, cases),
        (columns.INPUT, inputs),
        (record_columns.CLAIM, numbered((claim, record.id) for record in records for claim in record.claims)),
        (record_columns.HARDWARE_ROW, numbered((row, record.id) for record in records for row in record.rows)),
        (record_columns.QUOTE, numbered((quote, quote.record) for quote in base.quotes)),
        (
            record_columns.CORRECTION,
            numbered((correction, record.id) for record in records for correction in record.corrections),
        ),
        (record_columns.CHANGE, numbered((change, record.id) for record in records for change in record.history)),
        (columns.COMPARED, [DataRow(value) for value in compared_values(base.base)]),
        (record_columns.SOURCE, [DataRow(source) for source in sources]),
    ]


def numbered(things: Iterable[tuple[T, str]]) -> list[DataRow[T]]:
    """Things with what holds them, counted from 1."""
    return [DataRow(thing, owner, number) for number, (thing, owner) in enumerate(things, 1)]
