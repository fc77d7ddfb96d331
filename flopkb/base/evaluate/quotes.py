"""What links and tables in prose are worth, and whether the text of a link says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers import Judgement, Quoted, ReadError, Verdict, judge, read, read_printed
from flopkb.arithmetic.unit_table import SUFFIXES
from flopkb.arithmetic.units import ONE, Unit, parse_unit
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.facts import counted, fact_value
from flopkb.base.evaluate.inputs import Inputs, recorded_value
from flopkb.base.evaluate.values import Evaluator, Value
from flopkb.base.faults import Blocked, Fault, MissingInput, NoData, NotApplicable, Stopped
from flopkb.base.link import PRINTED, Computation, FactTarget, FigureTarget, InputTarget, Passage, Quote, fact_of
from flopkb.base.link.columns import in_counts
from flopkb.base.link.formulas import unit_of
from flopkb.base.link.tables import Table
from flopkb.base.model import Fact, Record


@dataclass(frozen=True, slots=True)
class QuoteResult:
    """A link in prose with what it stands for.

    ``values`` are exact, in base units of ``unit``; ``reading`` is the number as written. Where there is nothing to
    judge (a literal, a claim, a fault elsewhere) ``judgement`` is None.
    """

    quote: Quote
    unit: Unit | None = None
    values: tuple[Fraction, ...] = ()
    value: Value | None = field(default=None, repr=False)
    reading: Quoted | ReadError | None = None
    judgement: Judgement | None = None
    fault: Fault | None = None
    scale: str = ""
    """What the file seems to count in (``million``) without saying so: the text has its number, the head that scale."""

    @property
    def location(self) -> Location:
        """Where the quoted text begins."""
        return self.quote.location


def quote_result(quote: Quote, evaluator: Evaluator, figures: Mapping[tuple[str, str], Value | Fault]) -> QuoteResult:
    """The link with its exact values and the verdict on its text. ``figures`` are the base's, computed.

    It has no values and no fault where what it names is reported where it stands.
    """
    target = quote.target
    if isinstance(target, Fault):
        return QuoteResult(quote, fault=target)
    if isinstance(target, FigureTarget):
        value = figures[(target.record, target.name)]
        # A figure that could not be computed is reported where it is declared.
        return judged(quote, value) if isinstance(value, Value) else QuoteResult(quote)
    if isinstance(target, Computation):
        found = evaluator.value(target)
        if isinstance(found, MissingInput) and quote.is_math:
            return QuoteResult(quote)  # a derivation holds for every value of what it leaves open
        if isinstance(found, Blocked):
            found = without_data(quote, target, evaluator) or found
        return judged(quote, found) if isinstance(found, Value) else QuoteResult(quote, fault=found)
    if isinstance(target, FactTarget):
        return fact_result(quote, target, evaluator)
    if isinstance(target, InputTarget):
        return input_result(quote, target, evaluator)
    return QuoteResult(quote)


def without_data(quote: Quote, target: Computation, evaluator: Evaluator) -> NoData | None:
    """The fault of quoting a figure that lacks its data: told at the link too, as that is where a reader sees a number."""
    for ref in evaluator.kb.order(target.formula):
        for fault in evaluator.kb.formulas[ref].faults:
            if isinstance(fault, NoData):
                reason = f"{quote.title} has no value: {fault}"
                return NoData(quote.location, quote.holder, quote.length, reason=reason)
    return None


def judged(quote: Quote, value: Value) -> QuoteResult:
    """A quote of a computed value."""
    return with_text(QuoteResult(quote, value.unit, value.values, value))


def with_text(result: QuoteResult) -> QuoteResult:
    """The result with the text read and judged against the values. An equation is judged by the rules on equations."""
    assert result.unit is not None
    if result.quote.is_math:
        return result
    try:
        reading = read(result.quote.link.text)
    except ReadError as error:
        return replace(result, reading=error)
    if reading.unit is not None:
        reading = replace(reading, unit=counted(reading.unit, result.unit))
    column = result.quote.column
    if column is not None and in_counts(column).dimension and reading.unit is None and not result.unit.dimension:
        note = f"the table says {column} for it, but {result.quote.title} is a plain number; correct the head"
        return replace(result, reading=reading, judgement=Judgement(Verdict.UNIT_MISMATCH, reading.text, note=note))
    scaled = in_column(result, reading)
    assert scaled.unit is not None
    judgement = judge(reading, scaled.values, scaled.unit)
    if scaled is not result and result.unit == ONE and not judgement.ok and judge(reading, result.values, ONE).ok:
        scaled = replace(scaled, scale=scale_of_file(result))
    return replace(scaled, reading=reading, judgement=judgement)


def scale_of_file(result: QuoteResult) -> str:
    """The scale in the head of a column by its name, where the text below it is the number of a file all the same."""
    target = result.quote.target
    if not isinstance(target, FactTarget) or not target.title or result.quote.column is None:
        return ""
    scale = in_counts(result.quote.column).scale
    return next((word for word, scales in SUFFIXES.items() if len(word) > 2 and scales[0] == scale), "")


def in_column(result: QuoteResult, reading: Quoted) -> QuoteResult:
    """The result in the unit that the head of its column states, where the text leaves the unit to that."""
    column, number = result.quote.column, reading.number
    if column is not None and result.unit is not None and not result.unit.dimension:
        column = in_counts(column)
        if number is not None and number.suffix and column.scale > 1:
            return result  # 12k below (k) is 12 thousand
    if column is None or result.unit is None or reading.unit is not None or column.dimension != result.unit.dimension:
        return result
    return replace(result, unit=ONE, values=tuple(value / column.scale for value in result.values))


def fact_result(quote: Quote, target: FactTarget, evaluator: Evaluator) -> QuoteResult:
    """A quote of a recorded value, or of what a source states in its place."""
    known = evaluator.kb.scope.records
    record = known[target.record]
    if record.rows_of:
        return column_result(quote, target.path, [known[row] for row in record.rows_of], record)
    fact = fact_of(record.facts[target.path], target.source)
    assert fact is not None, "linking has found the source"
    if target.source == PRINTED:
        return label_result(quote, fact)
    value = recorded_value(fact, record, evaluator.kb)
    if isinstance(value, Fault):
        own = fact.value is None  # else it is reported where it is recorded
        at = replace(value, location=quote.location, record=quote.holder, length=quote.length)
        return QuoteResult(quote, fault=at if own else None)
    result = with_text(QuoteResult(quote, parse_unit(fact.unit), (value,)))
    return result if result.judgement is None or result.judgement.ok else as_printed(result, fact)


def column_result(quote: Quote, path: str, rows: list[Record], every: Record) -> QuoteResult:
    """A quote of the values that the rows of a data file have at a path: a set."""
    values = []
    for row in rows:
        fact = row.facts.get(path)
        value = fact_value(fact, row) if fact is not None else None
        if not isinstance(value, Fraction):
            reason = f"{row.id} has no number at {path}"
            return QuoteResult(quote, fault=NoData(quote.location, quote.holder, quote.length, reason=reason))
        values.append(value)
    return with_text(QuoteResult(quote, parse_unit(every.facts[path].unit), tuple(values)))


def label_result(quote: Quote, fact: Fact) -> QuoteResult:
    """A quote of the printed form of a recorded value: a maker's label, letter for letter."""
    assert fact.as_printed is not None, "linking has found the printed form"
    text, printed = quote.link.text, fact.as_printed.text
    same = " ".join(text.split()) == " ".join(printed.split())
    note = "as printed" if same else f"what is printed is {printed}, letter for letter; write that"
    judgement = Judgement(Verdict.OK if same else Verdict.WRONG, text, printed, note=note)
    try:
        return QuoteResult(quote, reading=read_printed(text), judgement=judgement)
    except ReadError:
        return QuoteResult(quote, judgement=judgement)


def as_printed(result: QuoteResult, fact: Fact) -> QuoteResult:
    """A fact may also be quoted in the very words of its source."""
    printed = fact.as_printed
    if printed is None or fact.reading is not None or printed.text != result.quote.link.text:
        return result
    return replace(result, judgement=Judgement(Verdict.OK, printed.text, note="as printed"))


def input_result(quote: Quote, target: InputTarget, evaluator: Evaluator) -> QuoteResult:
    """A quote of an input of a point or a figure."""
    found = input_values(target, evaluator)
    if isinstance(found, Fault):
        return QuoteResult(quote, fault=None if isinstance(found, Blocked) else found)
    values, unit = found
    return with_text(QuoteResult(quote, unit, values))


def input_values(target: InputTarget, evaluator: Evaluator) -> tuple[tuple[Fraction, ...], Unit] | Fault:
    """The values of an input that is no role, in base units, and its declared unit."""
    computation = target.computation
    symbol = evaluator.kb.scope.symbol(target.binding.name, computation.formula.record)
    if symbol is None:
        return Blocked(*computation.place, cause=f"{target.binding.name} is no symbol of {computation.formula.record}")
    values = []
    for value in target.binding.values:
        bound = {b.name: b.values[0] for b in computation.bindings} | {target.binding.name: value}
        env = Inputs(evaluator.kb, computation.formula, computation.record, computation.location, bound)
        try:
            values.append(Computed(env, {}).target(symbol))
        except Stopped as stopped:
            return stopped.fault
    return tuple(values), unit_of(symbol, evaluator.kb.scope)


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table with the value of each cell, or what keeps it from having one, by row and column."""

    table: Table
    cells: tuple[tuple[Value | Fault, ...], ...] = field(repr=False)

    def values(self) -> Iterator[Value]:
        """The cells that could be computed."""
        return (cell for row in self.cells for cell in row if isinstance(cell, Value))

    def faults(self) -> Iterator[Fault]:
        """What is wrong with cells, each thing once: what all of them lack stands at the formula.

        A cell that the formula does not apply to says so itself.
        """
        seen: set[str] = set()
        for fault in (cell for row in self.cells for cell in row if isinstance(cell, Fault)):
            if str(fault) not in seen and not isinstance(fault, NotApplicable):
                seen.add(str(fault))
                at = self.table.formula_at.location
                yield replace(fault, location=at) if isinstance(fault, MissingInput) else fault


def table_results(passages: Iterable[Passage], evaluator: Evaluator) -> Iterator[TableResult]:
    """The tables of some prose, computed."""
    for passage in passages:
        for table in passage.tables:
            yield TableResult(table, tuple(tuple(evaluator.value(cell) for cell in row) for row in table.cells))
