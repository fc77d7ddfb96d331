"""``flopkb explain``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from flopkb.arithmetic.amounts import readable
from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.evaluate import Case, Value
from flopkb.base.evaluate.values import steps
from flopkb.base.link import FigureTarget
from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.commands import Outcome, UsageFault
from flopkb.commands.asking import check_name, is_usage, open_base, plain_value, sentence, unread
from flopkb.commands.claims import rows_quoting
from flopkb.commands.inputs import input_lines
from flopkb.commands.terminal import RECORDS, answered


@click.command("explain")
@click.argument("figure", metavar="FIGURE")
@RECORDS
@answered
def command(figure: str, records: Path | None) -> Outcome:
    """Explain a figure: formula, inputs, steps, sources, and every place that quotes it.

    FIGURE is record.name, or a link target such as 'decode_attention.ai?model=llama_3_8b&kv_dtype=bf16'.
    """
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
        yield from (f"  {line}" for line in input_lines(case, base))
        yield "steps"
        yield from (f"  {line}" for line in step_lines(case, base))
    yield ""
    yield from rows_quoting(figure, base)
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
    for step in steps(case, base.evaluation.evaluator.forms):
        shown = readable(step.value, step.unit) if step.value is not None else f"{step.form} {step.unit.text}"
        yield f"{step.ref} = {step.formula.expr.text} = {shown}"
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
