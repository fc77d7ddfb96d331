"""``flopkb eval``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.commands import Outcome, UsageFault
from flopkb.commands.asking import check_name, is_usage, open_base, plain_value, sentence, unread
from flopkb.commands.inputs import input_lines
from flopkb.commands.terminal import RECORDS, answered


@click.command("eval")
@click.argument("formula", metavar="FORMULA")
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@RECORDS
@answered
def command(formula: str, inputs: tuple[str, ...], records: Path | None) -> Outcome:
    """Evaluate a formula: value and unit first, then what it was computed from.

    Inputs are record ids for roles (model=llama_3_8b), numbers with units ("L=32768"), or names of points.
    """
    bound, points = parsed_inputs(inputs)
    check_name(formula)
    base = open_base(records)
    try:
        value = base.evaluate(formula, *points, **bound)
    except FlopkbError as error:
        text = f"{formula}: {sentence(error.fault)}"
        if is_usage(error.fault):
            raise UsageFault(text) from error
        return Outcome(code=1, error=f"flopkb: {text}")
    return Outcome("\n".join(lines(value, base)) + "\n", error=unread(base))


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


def lines(value: FigureValue, base: Base) -> Iterator[str]:
    """The value, then one line for each input."""
    yield plain_value(value)
    if value.computed is not None:
        for case in value.computed.cases:
            if len(value.computed.cases) > 1:
                yield "for " + ", ".join(f"{name}={text}" for name, text in case.choice)
            yield from (f"  {line}" for line in input_lines(case, base))
