"""``flopkb eval``: a value for inputs of one's own, or a row for each choice of them; for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import click

from flopkb.arithmetic.numbers import readable
from flopkb.arithmetic.units import parse_unit
from flopkb.base.faults import BadInput, NotApplicable
from flopkb.base.tables import row as markdown_row
from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.checking.text_report import aligned
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, unread
from flopkb.commands.explain import base_asked, input_lines, parsed_inputs, plain_value, sentence, usage_fault
from flopkb.publishing.export.data_tables import written


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What one choice of the inputs that have several values gives: a value, or the reason why there is none.

    ``value`` is exact, in ``unit``; ``text`` is for people.
    """

    inputs: tuple[tuple[str, str], ...]
    value: str = ""
    unit: str = ""
    text: str = ""
    assumes: tuple[str, ...] = ()
    reason: str = ""
    words: str = ""
    """The reason in a few words."""

    def told(self) -> dict[str, object]:
        """The row as an object for programs; of a single answer there are no inputs to tell."""
        chosen = {"inputs": dict(self.inputs)} if self.inputs else {}
        if self.reason:
            return {**chosen, "reason": self.reason}
        return {**chosen, "value": self.value, "unit": self.unit, "text": self.text, "assumes": list(self.assumes)}


def as_json(rows: Sequence[AnswerRow]) -> str:
    """One object, or a list of them where inputs have several values."""
    told = [row.told() for row in rows]
    return json.dumps(told if rows[0].inputs else told[0], indent=2, ensure_ascii=False) + "\n"


def as_csv(rows: Sequence[AnswerRow]) -> str:
    """A line for each row, under a head."""
    heads = [*(name for name, _ in rows[0].inputs), "value", "unit", "text", "assumes", "reason"]
    cells = ((*(t for _, t in r.inputs), r.value, r.unit, r.text, "; ".join(r.assumes), r.reason) for r in rows)
    return written(heads, cells).decode("utf-8-sig").replace("\r\n", "\n")


def as_markdown(rows: Sequence[AnswerRow]) -> str:
    """A table, with the words of the reason where there is no value, and below it what is assumed."""
    names = [name for name, _ in rows[0].inputs]
    lines = [markdown_row([*names, "value"]), f"|{'---|' * len(names)}---:|"]
    lines += [markdown_row([*(text for _, text in row.inputs), row.text or row.words]) for row in rows]
    notes = dict.fromkeys(note for row in rows for note in (*row.assumes, row.reason) if note)
    return "\n".join([*lines, *(["", *(f"- {note}" for note in notes)] if notes else [])]) + "\n"


def as_table(rows: Sequence[AnswerRow]) -> str:
    """The rows in columns, for a terminal."""
    names = [name for name, _ in rows[0].inputs]
    lines = [(*names, "value")]
    lines += [(*(text for _, text in row.inputs), row.text or row.reason) for row in rows]
    notes = dict.fromkeys(f"assumes: {line}" for row in rows for line in row.assumes)
    return "\n".join([*aligned(lines), *notes]) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[AnswerRow]], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
}
"""The formats besides plain text."""


@click.command("eval")
@click.argument("formula", metavar="FORMULA")
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", *FORMATS]),
    default="text",
    help="How the answer is written.",
    show_default=True,
)
@RECORDS
@answered
def evaluate(formula: str, inputs: tuple[str, ...], form: str, records: Path | None) -> Outcome:
    """Evaluate a formula: value and unit first, then what it was computed from.

    Inputs are record ids for roles (model=llama_3_8b), numbers with units ("L=32768"), or names of points; of several
    values (B=1,8,64) each gets a row. With --format json one object stands alone on standard output: `value` (exact),
    `unit`, `text` and `assumes`, or `reason` where there is no value; a list of them where inputs have several values.
    """
    try:
        bound, points = parsed_inputs(inputs)
        base = base_asked(formula, records)
        return answer(formula, points, bound, base, form)
    except UsageFault as fault:
        if form != "json":
            raise
        return Outcome(as_json([AnswerRow((), reason=str(fault))]), 2, f"flopkb: {fault}")


def answer(formula: str, points: Sequence[str], bound: Mapping[str, str], base: Base, form: str) -> Outcome:
    """The outcome in a format. What can be mended by calling again is a :class:`UsageFault`."""
    try:
        value = base.evaluate(formula, *points, **bound)
    except FlopkbError as error:
        rows = list(each(formula, points, bound, base)) if apart(error, bound) else [refused(formula, error, ())]
        if form == "text" and not any(row.value for row in rows):
            return Outcome(code=1, error=f"flopkb: {formula}: {refused(formula, error, ()).reason}")
        text = as_table(rows) if form == "text" else FORMATS[form](rows)
        return Outcome(text, 0 if any(row.value for row in rows) else 1, unread(base))
    text = "\n".join(lines(value)) + "\n" if form == "text" else FORMATS[form](list(rows_of(value)))
    return Outcome(text, error=unread(base))


def apart(error: FlopkbError, bound: Mapping[str, str]) -> bool:
    """Whether some of several choices may have a value although one has none."""
    return bool(listed(bound)) and not isinstance(error.fault, BadInput)


def listed(bound: Mapping[str, str]) -> list[str]:
    """The inputs that have several values."""
    return [name for name, value in bound.items() if "," in value]


def each(formula: str, points: Sequence[str], bound: Mapping[str, str], base: Base) -> Iterator[AnswerRow]:
    """A row for each choice of the inputs that have several values, by itself."""
    names = listed(bound)
    for values in product(*([text.strip() for text in bound[name].split(",")] for name in names)):
        chosen = tuple(zip(names, values, strict=True))
        try:
            (row,) = rows_of(base.evaluate(formula, *points, **{**bound, **dict(chosen)}))
            yield AnswerRow(chosen, row.value, row.unit, row.text, row.assumes)
        except FlopkbError as error:
            yield refused(formula, error, chosen)


def refused(formula: str, error: FlopkbError, chosen: tuple[tuple[str, str], ...]) -> AnswerRow:
    """A row with the reason why there is no value; a :class:`UsageFault` where a person can mend it by calling again."""
    reason = sentence(error.fault)
    if usage_fault(error.fault):
        raise UsageFault(f"{formula}: {reason}") from error
    words = error.fault.words if isinstance(error.fault, NotApplicable) else "not computed"
    return AnswerRow(chosen, reason=reason, words=words)


def rows_of(value: FigureValue) -> Iterator[AnswerRow]:
    """A row for each value."""
    unit = parse_unit(value.unit)
    cases = value.computed.cases if value.computed is not None else ()
    for base, exact, case in zip(value.bases, value.values, cases, strict=True):
        yield AnswerRow(case.choice, str(exact), value.unit, readable(base, unit), case.assumes)


def lines(value: FigureValue) -> Iterator[str]:
    """The value, then one line for each input."""
    yield plain_value(value)
    if value.computed is not None:
        for case in value.computed.cases:
            if len(value.computed.cases) > 1:
                yield "for " + ", ".join(f"{name}={text}" for name, text in case.choice)
            yield from (f"  {line}" for line in input_lines(case))
