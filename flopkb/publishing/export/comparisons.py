"""Values of one formula across records, as tables of parts or models by number format.

Every number is what the formula record gives for the two records, as ``flopkb eval`` does; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flopkb.base.faults import Fault
from flopkb.base.model import Kind
from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.publishing.export.exact import Exact


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which table: a row for each record of ``kind`` in the role ``row``, a column for each format in ``column``.

    ``name`` is what it is called in data.

    ``formulas`` are tried in order, the first that has a value for a row gives it; each with a word that marks its
    rows.
    """

    name: str
    row: str
    column: str
    kind: Kind
    formulas: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A record with its values by number format; where there is none, the fault says why."""

    record: str
    formula: str
    mark: str
    values: Mapping[str, FigureValue | Fault]


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """One value of a comparison; ``contested`` where a source states an input otherwise."""

    comparison: str
    formula: str
    record: str
    format: str
    mark: str
    value: Exact
    contested: bool


RIDGES = Comparison("ridge", "accelerator", "dtype", Kind.ACCELERATOR, (("roofline.ridge", ""),))
CACHES = Comparison(
    "kv_bytes", "model", "kv_dtype", Kind.MODEL, (("mla_decode.per_token", "latent"), ("kv_cache.per_token", ""))
)


def compared(comparison: Comparison, base: Base, rows: Sequence[str]) -> tuple[ComparedRow, ...]:
    """The records of ``rows`` for which a formula gives a value at some format."""
    return tuple(row for record in rows if (row := compared_row(comparison, base, record)) is not None)


def compared_row(comparison: Comparison, base: Base, record: str) -> ComparedRow | None:
    """One record, by the first formula that has a value for it; None where none has."""
    formats = [other.id for other in base.records.values() if other.kind is Kind.DTYPE]
    for formula, mark in comparison.formulas:
        values = {
            id: value_or_fault(base, formula, **{comparison.row: record, comparison.column: id}) for id in formats
        }
        if any(isinstance(value, FigureValue) for value in values.values()):
            return ComparedRow(record, formula, mark, values)
    return None


def value_or_fault(base: Base, formula: str, **inputs: str) -> FigureValue | Fault:
    """A formula's one value at the records, or why it has none."""
    try:
        return base.evaluate(formula, **inputs)
    except FlopkbError as error:
        return error.fault


def formats_of(rows: Sequence[ComparedRow], base: Base) -> list[str]:
    """The number formats for which there is a value in some row, the widest first."""
    found = {id for row in rows for id, value in row.values.items() if isinstance(value, FigureValue)}
    return sorted(found, key=lambda id: (-bits(id, base), id))


def bits(dtype: str, base: Base) -> int:
    """How wide a number format is recorded to be (0 where it is not)."""
    try:
        return int(base.fact(f"{dtype}.bits").value)
    except FlopkbError:
        return 0


def compared_values(base: Base) -> Iterator[ComparedValue]:
    """Every value of every comparison, the widest format first; pairs for which no formula has a value are left out."""
    for comparison in (RIDGES, CACHES):
        rows = compared(comparison, base, sorted(r.id for r in base.records.values() if r.kind is comparison.kind))
        formats = formats_of(rows, base)
        for row, format in ((row, format) for row in rows for format in formats):
            found = row.values[format]
            if isinstance(found, FigureValue):
                value, computed = Exact.of_base(found.bases[0], found.unit), found.computed
                contested = computed is not None and bool(computed.contested())
                yield ComparedValue(comparison.name, row.formula, row.record, format, row.mark, value, contested)
