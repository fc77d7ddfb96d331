"""``flopkb explain``: one value, with the inputs that it was computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers import answer_text, decimal_text, exact_or_near, readable, with_unit
from flopkb.arithmetic.units import parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Case, Value
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.differences import conflicts
from flopkb.base.evaluate.inputs import BoundExpression, BoundNumber, Taken
from flopkb.base.evaluate.normal_forms import OverAtom
from flopkb.base.evaluate.values import steps
from flopkb.base.link import FigureTarget, SymbolAtom, ValueAtom
from flopkb.base.link.aliases import called_in
from flopkb.base.model import Fact, Record, Status
from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.checking.asking.answers import rows_of, sentence, usage_fault
from flopkb.checking.asking.question import QuestionFault, question
from flopkb.checking.text_report import counted
from flopkb.commands import (
    FORMAT,
    RECORDS,
    Outcome,
    UsageFault,
    answered,
    completing,
    json_text,
    names_no_formula,
    open_base,
    unread,
)
from flopkb.commands.recorded import is_recorded, recorded_json, recorded_text


@click.command("explain")
@click.argument("figure", metavar="FIGURE", shell_complete=completing("formulas"))
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...", shell_complete=completing("inputs"))
@FORMAT
@RECORDS
@answered
def explain(figure: str, inputs: tuple[str, ...], form: str, records: Path | None) -> Outcome:
    """Explain a figure: formula, inputs, steps, sources, and every place that quotes it.

    FIGURE is record.name, or a formula with inputs, written as for eval (decode_attention.ai model=llama_3_8b
    kv_dtype=bf16) or as in links ('decode_attention.ai?model=llama_3_8b&kv_dtype=bf16'). Of a recorded value, as
    h100.memory_bandwidth, it tells the source, what that prints, what others state, and where it is quoted.
    """
    base = open_base(records)
    recorded = called_in(figure, base.evaluation.kb.scope)
    if not inputs and is_recorded(recorded, base):
        return Outcome((recorded_json if form == "json" else recorded_text)(recorded, base), error=unread(base))
    if "." not in figure.partition("?")[0]:
        raise UsageFault(names_no_formula(figure, base))
    try:
        asked = question([figure, *inputs], base.evaluation.kb.scope)
        if len(asked.formulas) > 1:
            raise UsageFault("one figure is explained at a time; flopkb eval makes a table of several")
        name = asked.formulas[0]
        value = base.evaluate(name, *asked.points, **asked.inputs)
    except QuestionFault as fault:
        raise UsageFault(str(fault)) from fault
    except FlopkbError as error:
        text = f"{figure}: {sentence(error.fault)}"
        if usage_fault(error.fault):
            raise UsageFault(text) from error
        return Outcome(code=1, error=f"flopkb: {text}")
    if form == "json":
        return Outcome(json_text(told(name, value, base)), error=unread(base))
    return Outcome("\n".join([*explanation(name, value, base), *asked.notes]) + "\n", error=unread(base))


def told(name: str, value: FigureValue, base: Base) -> dict[str, object]:
    """The explanation for programs."""
    computed = value.computed
    assert computed is not None, "a figure is computed"
    ref = computed.computation.formula
    formula = base.evaluation.kb.formulas[ref].formula
    cases = [
        {
            **row.told(),
            "inputs": list(input_lines(case)),
            "steps": list(step_lines(case, base)),
        }
        for row, case in zip(rows_of(value, name), computed.cases, strict=True)
    ]
    return {
        "figure": name,
        "formula": str(ref),
        "expression": formula.text,
        "location": str(formula.key.location),
        "values": cases,
        "quoted_at": [{"location": str(where), "text": text} for where, text in places_quoting(name, value, base)],
    }


def explanation(figure: str, value: FigureValue, base: Base) -> Iterator[str]:
    """The lines of the explanation."""
    unit = parse_unit(value.unit)
    yield f"{figure} = {', '.join(answer_text(number, unit) for number in value.bases)}"
    yield f"exact: {with_unit(', '.join(map(exact_or_near, value.values)), value.unit)}"
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
    yield from quote_lines(figure, value, base)


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


def quote_lines(figure: str, value: FigureValue, base: Base) -> Iterator[str]:
    """Every place that quotes the figure, or the formula with these inputs; how many quote it with others."""
    places = [f"  {where}  {text}" for where, text in places_quoting(figure, value, base)]
    yield "quoted at" if places else "quoted nowhere"
    yield from places
    others = len(list(places_quoting(figure, None, base))) - len(places)
    if others and value.computed is not None:
        yield f"{value.computed.computation.formula} is quoted with other inputs at {counted(others, 'place')}"


def places_quoting(figure: str, value: FigureValue | None, base: Base) -> Iterator[tuple[Location, str]]:
    """Where a figure is quoted, with the words there; of a formula, where it is with the inputs of a value (or any)."""
    holder, _, name = figure.rpartition(".")
    asked = inputs_asked(value.computed) if value is not None and value.computed is not None else None
    for results in base.quotes().values():
        for result in results:
            of_formula = result.value is not None and str(result.value.computation.formula) == figure
            of_formula = of_formula and (asked is None or inputs_asked(result.value) == asked)
            if result.quote.target == FigureTarget(holder, name) or of_formula:
                yield result.location, result.quote.link.text


def inputs_asked(value: Value | None) -> frozenset[tuple[str, str]]:
    """The inputs that a value was computed with, those of points among them."""
    bindings = (*value.computation.bindings, *value.computation.over) if value is not None else ()
    return frozenset((binding.name, ",".join(text.text for text in binding.values)) for binding in bindings)


def rows_quoting(figure: str, base: Base) -> Iterator[str]:
    """The hardware rows that a figure is the magnitude of, with their elasticities."""
    holder, _, name = figure.partition("?")[0].rpartition(".")
    record = base.records.get(holder)
    for row in record.rows if record is not None else ():
        if any(magnitude.text == name for magnitude in row.magnitude):
            assert record is not None
            yield f"magnitude of {row.parameter.text} ({row.basis.value})  ({row.location})"
            from flopkb.publishing.pages.terminal import elasticity_lines

            yield from (f"  {line}" for line in elasticity_lines(row, record, base))


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
    yield from remarks(case)
    yield from (f"assumes: {line}" for line in case.assumes)


def remarks(case: Case) -> Iterator[str]:
    """A line for each input that other sources state otherwise, and for what of the records that were read one should know."""
    yield from (contested_line(str(atom), fact) for atom, fact in case.contested())
    taken = {each.atom: each.fact for each in (*case.taken(), *case.asked())}
    for id in sorted({atom.record for atom in taken}):
        record = case.upper.env.kb.records.get(id)
        if record is not None:
            yield from remarks_on(record, {atom.path: fact for atom, fact in taken.items() if atom.record == id})


def remarks_on(record: Record, taken: Mapping[str, Fact]) -> Iterator[str]:
    """That a record is not verified, that its memory is on the chip alone, that its bytes count scales."""
    if record.status in (Status.CONTESTED, Status.DRAFT):
        noun = "a draft" if record.status is Status.DRAFT else "contested as a record"
        yield f"{record.id} is {noun} (flopkb show {record.id})"
    memory, size = record.document.root.get("memory_type"), taken.get("bytes")
    if isinstance(memory, Scalar) and memory.text == "SRAM" and taken.keys() & {"memory_capacity", "usable_memory"}:
        yield f"the memory of {record.id} is SRAM on the chip, and no other is counted"
    if size is not None and size.value is not None and "group_size" in record.facts:
        yield f"scales counted: an element of {record.id} takes {size.value.text} with its share of them"


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
