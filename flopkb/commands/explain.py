"""``flopkb explain``: one value, with the inputs that it was computed from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from flopkb.arithmetic.numbers import decimal_text, readable, with_unit
from flopkb.base.evaluate import Case, Value
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.differences import conflicts
from flopkb.base.evaluate.inputs import BoundExpression, BoundNumber, Taken
from flopkb.base.evaluate.normal_forms import OverAtom
from flopkb.base.evaluate.values import steps
from flopkb.base.faults import (
    Fault,
    MissingInput,
    NoLimit,
    NotApplicable,
    UnknownInput,
    UnknownRecord,
    UnreadInput,
    listed,
)
from flopkb.base.link import FigureTarget, SymbolAtom, ValueAtom
from flopkb.base.model import ROLES, Fact
from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, open_base, unread
from flopkb.publishing.pages.terminal import elasticity_lines


@click.command("explain")
@click.argument("figure", metavar="FIGURE")
@RECORDS
@answered
def explain(figure: str, records: Path | None) -> Outcome:
    """Explain a figure: formula, inputs, steps, sources, and every place that quotes it.

    FIGURE is record.name, or a link target such as 'decode_attention.ai?model=llama_3_8b&kv_dtype=bf16'.
    """
    base = base_asked(figure, records)
    try:
        value = base.figure(figure)
    except FlopkbError as error:
        text = f"{figure}: {sentence(error.fault)}"
        if usage_fault(error.fault):
            raise UsageFault(text) from error
        return Outcome(code=1, error=f"flopkb: {text}")
    return Outcome("\n".join(explanation(figure, value, base)) + "\n", error=unread(base))


def explanation(figure: str, value: FigureValue, base: Base) -> Iterator[str]:
    """The lines of the explanation."""
    yield f"{figure} = {plain_value(value)}"
    yield f"exact: {with_unit(', '.join(map(str, value.values)), value.unit)}"
    computed = value.computed
    assert computed is not None, "a figure is computed"
    yield from formula_lines(computed, base)
    for case in computed.cases:
        yield ""
        if len(computed.cases) > 1:
            yield "for " + ", ".join(f"{name} = {text}" for name, text in case.choice)
        yield "inputs"
        yield from (f"  {line}" for line in input_lines(case))
        yield "steps"
        yield from (f"  {line}" for line in step_lines(case, base))
    yield ""
    yield from rows_quoting(figure, base)
    yield from quote_lines(figure, base)


def formula_lines(value: Value, base: Base) -> Iterator[str]:
    """The formula as written, with its place and the bindings."""
    ref = value.computation.formula
    formula = base.evaluation.kb.formulas[ref].formula
    yield f"formula: {ref} = {formula.text}  ({formula.key.location})"
    for binding in value.computation.over:
        yield f"divided by its value at {binding.name} = {', '.join(v.text for v in binding.values)}"


def step_lines(case: Case, base: Base) -> Iterator[str]:
    """Each formula on the way with its value, innermost first; what still holds open variables is shown as it reduces."""
    for step in steps(case, base.evaluation.evaluator.forms):
        shown = readable(step.value, step.unit) if step.value is not None else with_unit(str(step.form), step.unit.text)
        yield f"{step.ref} = {step.text} = {shown}"
    if case.lower is not None:
        yield f"divided: {decimal_text(case.value)}"


def quote_lines(figure: str, base: Base) -> Iterator[str]:
    """Every place that quotes the figure."""
    holder, _, name = figure.partition("?")[0].rpartition(".")
    places = [
        f"  {result.location}  {result.quote.link.text}"
        for results in base.evaluation.quotes.values()
        for result in results
        if result.quote.target == FigureTarget(holder, name)
        or (result.value is not None and str(result.value.computation.formula) == f"{holder}.{name}")
    ]
    yield "quoted at" if places else "quoted nowhere"
    yield from places


def rows_quoting(figure: str, base: Base) -> Iterator[str]:
    """The hardware rows that a figure is the magnitude of, with their elasticities."""
    holder, _, name = figure.partition("?")[0].rpartition(".")
    record = base.records.get(holder)
    for row in record.rows if record is not None else ():
        if any(magnitude.text == name for magnitude in row.magnitude):
            assert record is not None
            yield f"magnitude of {row.parameter.text} ({row.basis.value})  ({row.location})"
            yield from (f"  {line}" for line in elasticity_lines(row, record, base))


def base_asked(name: str, records: Path | None) -> Base:
    """The base that is asked for a figure or formula, which is named with its record."""
    if "." not in name.partition("?")[0]:
        raise UsageFault(f"{name} names no record; write RECORD.NAME, as decode_attention.ai")
    return open_base(records)


def parsed_inputs(inputs: tuple[str, ...]) -> tuple[dict[str, str], list[str]]:
    """``k=v`` are inputs, bare words are points."""
    bound: dict[str, str] = {}
    points: list[str] = []
    for text in inputs:
        name, equals, value = text.partition("=")
        if not equals:
            points.append(name)
        elif not name or not value:
            raise UsageFault(f"{text!r} is no input; write NAME=VALUE, as model=llama_3_8b or L=32768")
        elif name in bound:
            raise UsageFault(f"the input {name} is given twice; give it once")
        else:
            bound[name] = value
    return bound, points


def plain_value(value: FigureValue) -> str:
    """Value and unit, in plain decimals without an exponent."""
    numbers = ", ".join(decimal_text(number, exponent=False) for number in value.values)
    return with_unit(numbers, value.unit)


def usage_fault(fault: Fault) -> bool:
    """Whether a person can mend it by calling again with other inputs."""
    return isinstance(fault, (MissingInput, UnknownInput, UnreadInput))


def sentence(fault: Fault) -> str:
    """The fault, for a person who gives inputs on the command line."""
    if isinstance(fault, MissingInput):
        names = " ".join(f"{name}={'ID' if name in ROLES else 'VALUE'}" for name in fault.names)
        noun = "input" if len(fault.names) == 1 else "inputs"
        return f"missing {noun} {listed(fault.names)}; {fault.out_of_reach or f'add {names}'}"
    if isinstance(fault, UnknownRecord) and fault.what == "the link":
        hint = f"; did you mean {fault.meant}?" if fault.meant else "; flopkb list KIND names those there are"
        return f"there is no record {fault.target}{hint}"
    if isinstance(fault, NotApplicable):
        return fault.told if isinstance(fault, NoLimit) else f"not applicable: {fault.told}"
    return str(fault)


def input_lines(case: Case) -> Iterator[str]:
    """Every input that the case reads (one that cancels is marked); those that nothing binds are named last."""
    seen: dict[str, None] = {}
    for side in case.told:
        for atom in side.targets:
            line = input_line(atom, side)
            if line is not None:
                seen[line if case.sought or moves_with(case, atom, side) else f"{line}  (cancels)"] = None
    yield from seen
    free = sorted({str(atom) for side in case.sides for atom in side.picked})
    if free:
        yield f"does not depend on {', '.join(free)}"
    for fact_atom, fact in case.contested():
        yield contested_line(str(fact_atom), fact)
    yield from (f"assumes: {line}" for line in case.assumes)


def moves_with(case: Case, atom: SymbolAtom | ValueAtom, side: Computed) -> bool:
    """Whether the value depends on an input; one bound to an expression stands for what is in it."""
    standing = side.env.standing(atom)
    if isinstance(standing, BoundNumber):
        over = isinstance(atom, SymbolAtom) and case.form.depends_on(OverAtom(atom))
        return over or case.form.depends_on(atom)
    return not isinstance(standing, Taken) or case.form.depends_on(standing.atom)


def input_line(atom: SymbolAtom | ValueAtom, side: Computed) -> str | None:
    """One input, or None for one that nothing binds (it cancels)."""
    standing = side.env.standing(atom)
    number = readable(side.targets[atom], side.unit(atom))
    if isinstance(standing, Taken):
        name = f"{atom} = {standing.via}" if isinstance(atom, SymbolAtom) else str(atom)
        return f"{name} = {number}{evidence(standing)}"
    if isinstance(standing, BoundExpression):
        return f"{atom} = {standing.body.source.text} = {number}"
    if isinstance(standing, BoundNumber):
        text = side.env.bound.get(atom.name) if isinstance(atom, SymbolAtom) else None
        constant = side.env.symbol(atom).value if isinstance(atom, SymbolAtom) else None
        place = text or constant
        return f"{atom} = {number}" + (f"  ({place.location})" if place is not None and place.location.path else "")
    return None


def evidence(taken: Taken) -> str:
    """Basis, source and place of a recorded value."""
    fact = taken.fact
    parts = [fact.value.text if fact.value is not None else "", fact.basis.value]
    parts += [reference.target.text for reference in fact.sources]
    if fact.as_printed is not None and fact.as_printed is not fact.value:
        printed = f"printed {fact.as_printed.text!r}"
        parts.append(f"{printed} read as {fact.reading.text}" if fact.reading is not None else printed)
    if fact.formula is not None:
        parts.append(f"from {fact.formula.text}")
    return f"  [{taken.atom}: {', '.join(part for part in parts if part)}]  ({fact.location})"


def contested_line(name: str, fact: Fact) -> str:
    """What other sources state, and why the value used stands."""
    others = ", ".join(
        f"{other.value.text} ({', '.join(r.target.text for r in other.sources)})"
        for other in conflicts(fact)
        if other.value
    )
    reason = f"; preferred: {' '.join(fact.preferred.text.split())}" if fact.preferred is not None else ""
    return f"{name} is contested: others state {others}{reason}"
