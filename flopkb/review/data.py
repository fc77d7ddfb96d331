"""What of data files a base uses: the values that documents quote or compute with, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from flopkb.arithmetic.numbers import readable
from flopkb.base.data.facts import DataFacts
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.evaluate.facts import FactAtom
from flopkb.base.link import FactTarget
from flopkb.base.model import Fact
from flopkb.base.row_tables import row_tables
from flopkb.checking.text_report import counted


def data_used(result: QuoteResult, base: Evaluation) -> tuple[FactAtom, ...]:
    """The values of data files that a quote moves with."""
    target, known = result.quote.target, base.kb.scope.records
    if isinstance(target, FactTarget):
        rows = known[target.record].rows_of or (target.record,)
        atoms = [FactAtom(row, target.path) for row in rows]
    else:
        atoms = sorted(result.value.facts()) if result.value is not None else []
    return tuple(atom for atom in atoms if isinstance(known[atom.record].facts, DataFacts))


def used_values(base: Evaluation) -> dict[FactAtom, Fact]:
    """Every value of a data file that some document uses."""
    atoms = {atom for results in base.quotes.values() for result in results for atom in data_used(result, base)}
    known = base.kb.scope.records
    found = {atom: known[atom.record].facts.get(atom.path) for atom in sorted(atoms)}
    return {atom: fact for atom, fact in found.items() if fact is not None}


def file_tree(file: str, base: Evaluation) -> Iterator[str]:
    """A data file, what documents quote of it or compute from it, and below each the places that do."""
    quoted = quotes_of(file, base)
    yield file
    for title, results in quoted.items():
        first = results[0]
        unit = first.unit
        values = ", ".join(readable(value, unit) for value in first.values[:4]) if unit is not None else "no value"
        yield f"├─ {title} = {values}" + (", ..." if len(first.values) > 4 else "")
        for result in results:
            yield f"│  └─ {result.location}  {result.quote.link.text}"
    tables = [table for page in base.pages for table in row_tables(page.id, base) if table.file == file]
    yield from (f"├─ {counted(table.cells, 'cell')} of the table at {table.location}" for table in tables)
    total = sum(map(len, quoted.values()))
    yield f"{counted(len(quoted), 'value')} and {counted(total, 'quote')} depend on it"


def quotes_of(file: str, base: Evaluation) -> Mapping[str, list[QuoteResult]]:
    """The quotes that a data file moves, by what they stand for."""
    found: defaultdict[str, list[QuoteResult]] = defaultdict(list)
    for results in base.quotes.values():
        for result in results:
            atoms = data_used(result, base)
            if any(base.kb.scope.records[atom.record].path == file for atom in atoms):
                found[result.quote.title].append(result)
    return dict(sorted(found.items()))
