"""Figures, and formulas with inputs that prose asks for, with everything behind their values."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.base.evaluate import Case, Evaluation, Value
from flopkb.base.evaluate.inputs import BoundExpression, BoundNumber, Computed, Taken
from flopkb.base.evaluate.values import steps
from flopkb.base.faults import Fault
from flopkb.base.link import Computation, SymbolAtom, ValueAtom
from flopkb.base.model import Binding, Record
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved.model import ResolvedCase, ResolvedFigure, ResolvedInput, ResolvedStep
from flopkb.publishing.export.resolved.placing import Placing


def unit_text(unit: Unit) -> str:
    """The unit as declared."""
    return unit.text or "1"


def pairs(bindings: tuple[Binding, ...]) -> tuple[tuple[str, str], ...]:
    """Names and values as written; the values of a list are separated by commas."""
    return tuple((binding.name, ", ".join(value.text for value in binding.values)) for binding in bindings)


def computation_key(computation: Computation) -> str:
    """``record.formula?input=value&...``, inputs in order of their names: what a link can ask for."""
    inputs = sorted((name, value.replace(", ", ",")) for name, value in pairs(computation.bindings))
    query = "&".join(f"{name}={value}" for name, value in inputs)
    return f"{computation.formula}?{query}" if query else str(computation.formula)


def resolved_figure(name: str, record: Record, base: Evaluation, placing: Placing) -> ResolvedFigure:
    """A figure of a record."""
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
    """A computed value."""
    computation = value.computation
    formula = base.kb.formulas[computation.formula].formula
    return ResolvedFigure(
        key=key,
        record=record,
        name=name,
        formula=str(computation.formula),
        expr=formula.expr.text,
        unit=unit_text(value.unit),
        at=at,
        bindings=pairs(computation.bindings),
        over=pairs(computation.over),
        cases=tuple(resolved_case(case, value, base) for case in value.cases),
        facts=tuple(sorted(str(atom) for atom in value.facts())),
        contested=tuple(str(atom) for atom, _ in value.contested()),
        place=placing.place(computation.location),
    )


def resolved_case(case: Case, value: Value, base: Evaluation) -> ResolvedCase:
    """One choice of the listed inputs."""
    inputs: dict[ResolvedInput, None] = {}
    for side, name in zip(case.sides, ("upper", "lower"), strict=False):
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
        source = side.env.symbol(atom).source if isinstance(atom, SymbolAtom) else None
        return source.text if source is not None else "", str(standing.atom)
    if isinstance(standing, BoundExpression):
        return standing.body.source.text, ""
    if isinstance(standing, BoundNumber) and isinstance(atom, SymbolAtom):
        own = atom.record == side.env.formula.record
        written = (side.env.bound.get(atom.name) if own else None) or side.env.symbol(atom).value
        return written.text if written is not None else "", ""
    return None


def resolved_steps(case: Case, base: Evaluation) -> Iterator[ResolvedStep]:
    """The formulas on the way."""
    for step in steps(case, base.evaluator.forms):
        unit = unit_text(step.unit)
        value = None if step.value is None else Exact(step.value / parse_unit(unit).scale, unit)
        form = "" if value is not None else str(step.form)
        yield ResolvedStep(str(step.ref), step.formula.expr.text, value, form, unit)


def fault_text(found: Value | Fault) -> str:
    """Why there is no value."""
    return "" if isinstance(found, Value) else str(found)
