"""``flopkb explain``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from flopkb.amounts import readable
from flopkb.api import Base, FigureValue, FlopkbError
from flopkb.commands import Outcome, UsageFault
from flopkb.commands.asking import check_name, is_usage, open_base, plain_value, sentence, unread
from flopkb.commands.inputs import input_lines
from flopkb.evaluate import Case, Value
from flopkb.evaluate.environment import Computed
from flopkb.evaluate.facts import FactAtom
from flopkb.formula import Rational
from flopkb.link import FigureTarget, FormulaRef, SymbolAtom
from flopkb.quoted import decimal_text


def explain_command(figure: str, records: Path | None) -> Outcome:
    """Everything behind one figure."""
    check_name(figure)
    base = open_base(records)
    try:
        value = base.figure(figure)
    except FlopkbError as error:
        text = f"{figure}: {sentence(error.fault)}"
        if is_usage(error.fault):
            raise UsageFault(text) from error
        return Outcome(code=1, error=f"flopkb: {text}")
    return Outcome("\n".join(explanation(figure, value, base)) + "\n", error=unread(base))


def explanation(figure: str, value: FigureValue, base: Base) -> Iterator[str]:
    """The lines of the explanation."""
    yield f"{figure} = {plain_value(value)}"
    yield f"exact: {', '.join(str(exact) for exact in value.values)}" + ("" if value.unit == "1" else f" {value.unit}")
    computed = value.computed
    assert computed is not None, "a figure is computed"
    yield from formula_lines(computed, base)
    for case in computed.cases:
        yield ""
        if len(computed.cases) > 1:
            yield "for " + ", ".join(f"{name} = {text}" for name, text in case.choice)
        yield "inputs"
        yield from (f"  {line}" for line in input_lines(case, computed, base))
        yield "steps"
        yield from (f"  {line}" for line in step_lines(case, base))
    yield ""
    yield from quote_lines(figure, base)


def formula_lines(value: Value, base: Base) -> Iterator[str]:
    """The formula as written, with its place and the bindings."""
    ref = value.computation.formula
    formula = base.evaluation.kb.formulas[ref].formula
    yield f"formula: {ref} = {formula.expr.text}  ({formula.expr.location})"
    for binding in value.computation.over:
        yield f"divided by its value at {binding.name} = {', '.join(v.text for v in binding.values)}"


def step_lines(case: Case, base: Base) -> Iterator[str]:
    """Each formula on the way with its value, innermost first; what still holds open variables is shown as it reduces."""
    for side in case.sides:
        for ref in side.formulas:
            formula = base.evaluation.kb.formulas[ref]
            yield f"{ref} = {formula.formula.expr.text} = {reduced(ref, side, base)}"
    if case.lower is not None:
        yield f"divided: {decimal_text(case.value)}"


def reduced(ref: FormulaRef, side: Computed, base: Base) -> str:
    """The value of a formula, or its form in the variables that are left open."""
    forms = base.evaluation.evaluator.forms
    form = forms.put(forms.formula(ref), side.env)
    known: dict[object, Rational] = {}
    for atom in form.atoms():
        if isinstance(atom, FactAtom):
            known[atom] = Rational.of(fact_value_of(atom, side))
        elif isinstance(atom, SymbolAtom) and atom not in side.picked:
            known[atom] = Rational.of(side.target(atom))
    left = form.substitute(known)
    constant = left.constant()
    unit = side.unit(ref)
    return readable(constant, unit) if constant is not None else f"{left} {unit.text}"


def fact_value_of(atom: FactAtom, side: Computed) -> Fraction:
    """The value of a recorded value that the side has read."""
    for target in side.targets:
        standing = side.env.standing(target)
        if getattr(standing, "atom", None) == atom:
            return side.targets[target]
    raise LookupError(str(atom))


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
