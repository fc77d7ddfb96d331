"""Values with everything behind them: figures, formulas with inputs, recorded values, quotes, tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.units import parse_unit
from flopkb.base.document import Mapping, Scalar, Sequence
from flopkb.base.evaluate import Case, Evaluation, QuoteResult, TableResult, Value
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.differences import difference
from flopkb.base.evaluate.inputs import BoundExpression, BoundNumber, Taken, recorded_value
from flopkb.base.evaluate.values import steps
from flopkb.base.faults import Fault
from flopkb.base.link import (
    ClaimTarget,
    Computation,
    FactTarget,
    FigureTarget,
    InputTarget,
    KnowledgeBase,
    LiteralTarget,
    SymbolAtom,
    ValueAtom,
)
from flopkb.base.link.targets import QuoteTarget
from flopkb.base.model import Binding, Fact, Record
from flopkb.base.quantities import quantity_of
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved import (
    Placing,
    ResolvedCase,
    ResolvedCell,
    ResolvedFact,
    ResolvedFigure,
    ResolvedInput,
    ResolvedQuote,
    ResolvedStep,
    ResolvedTable,
    node_at,
    pairs,
    text,
    text_at,
    unit_text,
)


def computation_key(computation: Computation) -> str:
    """``record.formula?input=value&...``, inputs in order of their names: what a link can ask for."""
    inputs = sorted((name, value.replace(", ", ",")) for name, value in pairs(computation.bindings))
    query = "&".join(f"{name}={value}" for name, value in inputs)
    return f"{computation.formula}?{query}" if query else str(computation.formula)


def resolved_figure(name: str, record: Record, base: Evaluation, placing: Placing) -> ResolvedFigure:
    """A figure of a record with its cases; where it has no value, ``fault`` says why and ``unit`` is ``1``."""
    figure, found = record.figures[name], base.figures[(record.id, name)]
    at, where = figure.at.text if figure.at is not None else "", placing.place(figure.key.location)
    key = f"{record.id}.{name}"
    if isinstance(found, Value):
        return resolved_value(found, base, placing, key=key, record=record.id, name=name, at=at)
    holder = figure.formula.text if "." in figure.formula.text else f"{record.id}.{figure.formula.text}"
    return ResolvedFigure(
        key,
        record.id,
        name,
        holder,
        "",
        "1",
        at,
        pairs(figure.with_),
        pairs(figure.over),
        fault=str(found),
        place=where,
    )


def resolved_value(
    value: Value, base: Evaluation, placing: Placing, *, key: str, record: str, name: str = "", at: str = ""
) -> ResolvedFigure:
    """A value with every case of it; inputs and steps are in their declared units."""
    computation = value.computation
    formula = base.kb.formulas[computation.formula].formula
    return ResolvedFigure(
        key=key,
        record=record,
        name=name,
        formula=str(computation.formula),
        expr=formula.text,
        unit=unit_text(value.unit),
        at=at,
        bindings=pairs(computation.bindings),
        over=pairs(computation.over),
        cases=tuple(resolved_case(case, value, base) for case in value.cases),
        facts=tuple(sorted(str(atom) for atom in value.facts())),
        contested=tuple(str(atom) for atom, _ in value.contested()),
        assumes=value.assumes,
        place=placing.place(computation.location),
    )


def resolved_case(case: Case, value: Value, base: Evaluation) -> ResolvedCase:
    """One choice of the listed inputs."""
    inputs: dict[ResolvedInput, None] = {}
    for side, name in zip(case.told, ("upper", "lower"), strict=False):
        inputs.update((found, None) for found in resolved_inputs(side, name))
    free = sorted({str(atom) for side in case.sides for atom in side.picked})
    return ResolvedCase(
        case.choice,
        Exact.of_base(case.value, unit_text(value.unit)),
        tuple(inputs),
        tuple(resolved_steps(case, base)),
        tuple(free),
    )


def resolved_inputs(side: Computed, name: str) -> Iterator[ResolvedInput]:
    """What one side reads, in the order in which it is read."""
    for atom, base in side.targets.items():
        found = given(atom, side)
        if found is not None:
            meaning = side.env.symbol(atom).meaning.text if isinstance(atom, SymbolAtom) else ""
            value = Exact.of_base(base, unit_text(side.unit(atom)))
            yield ResolvedInput(str(atom), " ".join(meaning.split()), value, found[0], found[1], name)


def given(atom: SymbolAtom | ValueAtom, side: Computed) -> tuple[str, str] | None:
    """What gives an input its value: a text as written, and the key of a recorded value; None where it cancels."""
    standing = side.env.standing(atom)
    if isinstance(standing, Taken):
        return str(standing.via) if isinstance(atom, SymbolAtom) else "", str(standing.atom)
    if isinstance(standing, BoundExpression):
        return standing.body.source.text, ""
    if isinstance(standing, BoundNumber) and isinstance(atom, SymbolAtom):
        written = (side.env.bound.get(atom.name) if side.env.own(atom) else None) or side.env.symbol(atom).value
        return written.text if written is not None else "", ""
    return None


def resolved_steps(case: Case, base: Evaluation) -> Iterator[ResolvedStep]:
    """The formulas on the way."""
    for step in steps(case, base.evaluator.forms):
        unit = unit_text(step.unit)
        value = None if step.value is None else Exact(step.value / parse_unit(unit).scale, unit)
        form = "" if value is not None else str(step.form)
        yield ResolvedStep(str(step.ref), step.text, value, form, unit)


def fault_text(found: Value | Fault) -> str:
    """Why there is no value."""
    return "" if isinstance(found, Value) else str(found)


def resolved_facts(record: Record, kb: KnowledgeBase, placing: Placing) -> Iterator[ResolvedFact]:
    """Every recorded value of a record, in the order of the file."""
    for fact in record.facts.values():
        others = tuple(
            replace(
                resolved_fact(other, record, kb, placing, disputes=True, note=note),
                difference=difference(fact, other).value,
            )
            for other, note in zip(fact.disputed, notes_of(fact, record), strict=True)
        )
        yield resolved_fact(
            fact, record, kb, placing, disputed=others, note=text_at(record.document.root, f"{fact.path}.note")
        )


def resolved_fact(
    fact: Fact,
    record: Record,
    kb: KnowledgeBase,
    placing: Placing,
    *,
    disputed: tuple[ResolvedFact, ...] = (),
    disputes: bool = False,
    note: str = "",
) -> ResolvedFact:
    """One stated value."""
    value = recorded_value(fact, record, kb)
    sources = tuple(reference.target.text for reference in fact.sources)
    key = f"{record.id}.{fact.path}"
    return ResolvedFact(
        key=f"{key}@{sources[0]}" if disputes and sources else key,
        record=record.id,
        path=fact.path,
        quantity=quantity_of(fact.path),
        unit=fact.unit,
        written=fact.value.text if fact.value is not None else None,
        value=Exact.of_base(value, fact.unit) if isinstance(value, Fraction) else None,
        basis=fact.basis,
        sources=sources,
        as_printed=text(fact.as_printed),
        reading=text(fact.reading),
        formula=text(fact.formula),
        absent=fact.absent or "",
        dtype=fact.dtype.target.text if fact.dtype is not None else "",
        sparsity=fact.sparsity or "",
        accumulate=fact.accumulate or "",
        method=text(fact.method),
        device=text(fact.device),
        date=text(fact.date),
        note=note,
        preferred=preferred(fact, record),
        disputes=disputes,
        disputed=disputed,
        place=placing.place(fact.location),
        fault="" if isinstance(value, Fraction) or fact.value is None else str(value),
    )


def preferred(fact: Fact, record: Record) -> str:
    """Why this value stands; a model's config.json needs no reason of its own."""
    if fact.preferred is None:
        return ""
    config = record.document.root.get("config_source")
    if isinstance(config, Scalar) and fact.preferred.location == config.location:
        return f"what the configuration states ({config.text}) is preferred to what others say of it"
    return fact.preferred.text


def notes_of(fact: Fact, record: Record) -> list[str]:
    """The notes of the disputed values, in the order of the fact: its own list, then the record's."""
    lists = [
        node_at(record.document.root, f"{fact.path}.disputed"),
        node_at(record.document.root, f"disputed.{fact.path}"),
    ]
    notes = {
        item.location: text_at(item, "note")
        for found in lists
        if isinstance(found, Sequence)
        for item in found.items
        if isinstance(item, Mapping)
    }
    return [notes.get(other.location, "") for other in fact.disputed]


def resolved_quote(result: QuoteResult, placing: Placing, mark: str = "") -> ResolvedQuote:
    """One link in prose, with the exact values of what it quotes and how the quoted words were judged."""
    quote, unit = result.quote, result.unit
    kind, key = kind_and_key(quote.target, computed=result.value is not None)
    fault = result.fault or (quote.target if isinstance(quote.target, Fault) else None)
    return ResolvedQuote(
        record=quote.holder,
        field=quote.field,
        text=quote.link.text,
        target=quote.link.target,
        kind=kind,
        key=key,
        values=() if unit is None else tuple(Exact.of_base(value, unit_text(unit)) for value in result.values),
        verdict=result.judgement.verdict.value if result.judgement is not None else "",
        is_math=quote.is_math,
        place=placing.place(quote.location),
        fault=str(fault) if fault is not None else "",
        mark=mark,
    )


def kind_and_key(target: QuoteTarget | Fault, *, computed: bool) -> tuple[str, str]:
    """What is quoted: its kind, and its name."""
    if isinstance(target, FigureTarget):
        return "figure", f"{target.record}.{target.name}"
    if isinstance(target, Computation):
        return ("computation", computation_key(target)) if computed else ("derivation", computation_key(target))
    if isinstance(target, FactTarget):
        return "fact", f"{target.record}.{target.path}" + (f"@{target.source}" if target.source is not None else "")
    if isinstance(target, InputTarget):
        return "input", f"{target.record}.{target.owner}.{target.binding.name}"
    if isinstance(target, ClaimTarget):
        return "claim", f"{target.record}.{target.name}"
    if isinstance(target, LiteralTarget):
        return "literal", target.reason
    return "unresolved", ""


def resolved_table(result: TableResult) -> ResolvedTable:
    """One table of figures; a cell without a value holds the fault that says why."""
    table = result.table
    unit = unit_text(table.unit)
    cells = tuple(
        tuple(
            resolved_cell((*line, *column), found, unit) for column, found in zip(table.columns.lines, row, strict=True)
        )
        for line, row in zip(table.rows.lines, result.cells, strict=True)
    )
    caption = table.caption.text if table.caption is not None else ""
    return ResolvedTable(str(table.formula), unit, table.rows.names, table.columns.names, caption, cells)


def resolved_cell(inputs: tuple[Binding, ...], found: Value | Fault, unit: str) -> ResolvedCell:
    """One cell, in the unit of the table."""
    value = Exact.of_base(found.value, unit) if isinstance(found, Value) else None
    return ResolvedCell(pairs(inputs), value, fault_text(found))
