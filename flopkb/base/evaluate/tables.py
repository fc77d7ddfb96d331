"""The values of tables in prose, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from flopkb.base.evaluate.values import Evaluator, Value
from flopkb.base.faults import Fault, MissingInput
from flopkb.base.link import Passage
from flopkb.base.link.tables import Table


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table with the value of each cell, or what keeps it from having one, by row and column."""

    table: Table
    cells: tuple[tuple[Value | Fault, ...], ...] = field(repr=False)

    def values(self) -> Iterator[Value]:
        """The cells that could be computed."""
        return (cell for row in self.cells for cell in row if isinstance(cell, Value))

    def faults(self) -> Iterator[Fault]:
        """What is wrong with cells, each thing once: what all of them lack stands at the formula."""
        seen: set[str] = set()
        for fault in (cell for row in self.cells for cell in row if isinstance(cell, Fault)):
            if str(fault) not in seen:
                seen.add(str(fault))
                at = self.table.formula_at.location
                yield replace(fault, location=at) if isinstance(fault, MissingInput) else fault


def table_results(passages: Iterable[Passage], evaluator: Evaluator) -> Iterator[TableResult]:
    """The tables of some prose, computed."""
    for passage in passages:
        for table in passage.tables:
            yield TableResult(table, tuple(tuple(evaluator.value(cell) for cell in row) for row in table.cells))
