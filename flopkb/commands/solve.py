"""``flopkb solve``: the input at which a formula reaches a value, or two formulas meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import click

from flopkb.arithmetic.numbers import digits_text, exact_text, in_readable_unit, short_text, with_unit
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate.solving import Solution
from flopkb.checking.api import Base, FlopkbError
from flopkb.checking.asking.answers import (
    AnswerRow,
    Choice,
    choices,
    explained,
    in_columns,
    refused,
    sentence,
    usage_fault,
)
from flopkb.checking.asking.question import Question, QuestionFault, question
from flopkb.checking.turned import formula_in
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, completing, json_text, open_for_values, unread
from flopkb.commands.eval import FORMATS, as_table, words_of

_USAGE = "write FORMULA = VALUE for NAME, as 'decode_step.time <= 20 ms' for L model=llama_3_8b"


def row_of(found: Solution, choice: Choice = ()) -> AnswerRow:
    """A solution as a row of an answer."""
    if found.value is None:
        reason = found.words if found.never else ""
        return AnswerRow(choice, text=found.words, reason=reason, words=found.words, assumes=found.assumes)
    unit, about = found.unit, "about " if found.rounded else ""
    value, text = exact_text(found.value / unit.scale), about + short_text(found.value, unit)
    row = AnswerRow(choice, found.name, value, unit.text or "1", text, found.assumes, base=found.value)
    return replace(row, rounded=found.rounded, beyond=found.beyond)


def told(found: Solution) -> dict[str, object]:
    """A solution as an object for programs: that of a row, and where the sides meet."""
    meets = exact_text(found.exact / found.unit.scale) if found.exact is not None else None
    own = {} if found.never else {"exact": not found.rounded, "meets_at": meets, "words": found.words}
    return {"name": found.name, **row_of(found).told(), **own}


def lines(found: Solution) -> Iterator[str]:
    """The answer, what it rests on, and what it assumes."""
    row = row_of(found)
    if found.value is None:
        yield row.text
    else:
        beyond = f" ({found.beyond})" if found.beyond is not None else ""
        yield f"{found.name} = {row.text}{beyond}" + (f", {found.words}" if found.words else "")
        if found.exact is not None:
            number = with_unit(digits_text(found.exact / found.unit.scale, 6), found.unit.text)
            yield f"  the sides meet at {found.name} = {number}"
        for at, *sides in zip((each.at for each in found.around), *_columns(found), strict=True):
            yield f"  at {short_text(at, found.unit)}: {', '.join(map(str, sides))}"
    yield from (f"  assumes: {line}" for line in found.assumes)


def _columns(found: Solution) -> Iterator[list[str]]:
    """Each side that is no amount, at each value around the answer, told apart."""
    columns = ([at.left for at in found.around], [at.right for at in found.around])
    for side, values in zip(found.sides or (), columns, strict=bool(found.sides)):
        if side.body is not None:
            yield [f"{side.text} is {text}" for text in told_apart(values, side.unit)]


def told_apart(values: Sequence[Fraction], unit: Unit) -> list[str]:
    """Values as a person says them, with more digits where different ones would read the same."""
    short = [short_text(value, unit) for value in values]
    if len(set(short)) == len(set(values)):
        return short
    units = [in_readable_unit(value, unit) for value in values]
    return [with_unit(digits_text(number, 12), name) for number, name in units]


@click.command("solve", context_settings={"ignore_unknown_options": True})
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="FORMULA = VALUE for NAME [NAME=VALUE]...",
    shell_complete=completing("statement"),
)
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
def command(words: tuple[str, ...], form: str, records: Path | None) -> Outcome:
    """Turn a formula around: the input at which it reaches a value, or at which two formulas meet.

    FORMULA = VALUE, or FORMULA = FORMULA, with <= or >= too (in quotes, for the shell): the longest context within
    20 ms a token is 'decode_step.time <= 20 ms' for L, the batch at which a step turns compute-bound is
    'decode_step.intensity = decode_step.ridge' for B. Inputs are those of eval. The answer is exact where the formula
    allows it; of whole numbers it is the last that keeps a bound, or the first at or past the value. Where it is
    never reached, that is said with the reason.
    """
    statement, name, rest = parts(words)
    named = [word for text in (statement, name, *rest) for word in words_of(text)]
    quick = turned(statement, name, rest, form, open_for_values(records, named))
    return quick if not quick.code else turned(statement, name, rest, form, open_for_values(records))


def turned(statement: str, name: str, rest: Sequence[str], form: str, base: Base) -> Outcome:
    """The answer of a base, or why there is none."""
    try:
        asked = question([formula_in(statement, base.evaluation.kb), *rest], base.evaluation.kb.scope)
        if asked.listed:
            return table(statement, name, asked, base, form)
        found = base.solve(statement, name, *asked.points, **asked.inputs)
    except (UsageFault, QuestionFault, FlopkbError) as fault:
        formula = formula_in(statement, base.evaluation.kb)
        reason = sentence(explained(fault.fault, formula, base)) if isinstance(fault, FlopkbError) else str(fault)
        code = 1 if isinstance(fault, FlopkbError) and not usage_fault(fault.fault) else 2
        return Outcome(json_text({"reason": reason}) if form == "json" else "", code, f"flopkb: {reason}")
    if form == "text" and found.never:
        return Outcome("", 1, f"flopkb: {found.words}")
    if form == "text":
        return Outcome("\n".join([*lines(found), *(f"  {note}" for note in asked.notes)]) + "\n", error=unread(base))
    text = json_text(told(found)) if form == "json" else FORMATS[form]([row_of(found)])
    return Outcome(text, 1 if found.never else 0, unread(base))


def table(statement: str, name: str, asked: Question, base: Base, form: str) -> Outcome:
    """A row for each choice of the inputs that have several values."""
    rows: list[AnswerRow] = []
    for choice in choices(asked):
        try:
            found = base.solve(statement, name, *asked.points, **{**asked.inputs, **dict(choice)})
            rows.append(row_of(found, choice))
        except FlopkbError as error:
            if usage_fault(error.fault):
                raise
            rows.append(refused(statement, error.fault, choice))
    rows = in_columns(rows)
    text = FORMATS[form](rows) if form != "text" else as_table(rows)
    return Outcome(text, 0 if any(not row.reason for row in rows) else 1, unread(base))


def parts(words: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """The statement, the name that is sought and the inputs."""
    flat = [part for word in words for part in (word.split(" ") if " for " in f" {word} " else [word])]
    if "for" not in flat or flat.index("for") in (0, len(flat) - 1):
        raise UsageFault(_USAGE)
    at = flat.index("for")
    return " ".join(flat[:at]), flat[at + 1], tuple(flat[at + 2 :])
