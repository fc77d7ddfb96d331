"""``flopkb eval``: a value for inputs of one's own, or a table of them; for people and for programs."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from flopkb.arithmetic.numbers import all_digits, answer_text, grouped, short_text, with_unit
from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.checking.api import Base
from flopkb.checking.asking.answers import MOST, AnswerRow, answers, counted_values, in_columns
from flopkb.checking.asking.bounds import bound_words
from flopkb.checking.asking.conditions import wanted_unit
from flopkb.checking.asking.question import Question, QuestionFault, question
from flopkb.checking.text_report import aligned
from flopkb.commands import (
    RECORDS,
    Outcome,
    UsageFault,
    answered,
    completing,
    json_text,
    names_no_formula,
    open_for_values,
    style,
    unread,
)
from flopkb.commands.explain import input_lines, remarks


def as_json(rows: Sequence[AnswerRow]) -> str:
    """One object, or a list of them where inputs have several values."""
    told = [row.told(several=several(rows)) for row in rows]
    return json.dumps(told if rows[0].inputs or len(rows) > 1 else told[0], indent=2, ensure_ascii=False) + "\n"


def several(rows: Sequence[AnswerRow]) -> bool:
    """Whether rows are of more than one formula."""
    return len({row.formula for row in rows}) > 1


def as_csv(rows: Sequence[AnswerRow]) -> str:
    """A line for each row, under a head."""
    from flopkb.publishing.export.data_tables import written

    more = several(rows)
    heads = [*(name for name, _ in rows[0].inputs), *(["formula"] if more else [])]
    cells = (
        (
            *(t for _, t in r.inputs),
            *([r.formula] if more else []),
            r.value,
            r.unit,
            r.text,
            "; ".join(r.assumes),
            r.reason,
        )
        for r in rows
    )
    table = written([*heads, "value", "unit", "text", "assumes", "reason"], cells)
    return table.decode("utf-8-sig").replace("\r\n", "\n")


def as_markdown(rows: Sequence[AnswerRow]) -> str:
    """A table, with the words of the reason where there is no value, and below it what is assumed."""
    from flopkb.base.tables import row as markdown_row

    names = [name for name, _ in rows[0].inputs]
    formulas = columns(rows)
    lines = [markdown_row([*names, *formulas]), f"|{'---|' * len(names)}{'---:|' * len(formulas)}"]
    lines += [
        markdown_row([*(shown_input(t) for _, t in group[0].inputs), *(cell(r) or r.words for r in group)])
        for group in by_choice(rows)
    ]
    notes = dict.fromkeys(note for note in (*assumed(rows), *(row.reason for row in rows)) if note)
    return "\n".join([*lines, *(["", *(f"- {note}" for note in notes)] if notes else [])]) + "\n"


def columns(rows: Sequence[AnswerRow]) -> list[str]:
    """The heads of the values: the formulas where there are several."""
    return list(dict.fromkeys(row.formula for row in rows)) if several(rows) else ["value"]


def assumed(rows: Sequence[AnswerRow]) -> Iterator[str]:
    """What rows assume, a line each; where they differ in the numbers alone, the first stands for them."""
    alike: dict[str, dict[str, None]] = {}
    for row in rows:
        for line in row.assumes:
            alike.setdefault(line.partition(" (")[0], {})[line] = None
    for lines_alike in alike.values():
        first, *others = lines_alike
        yield first + (f", and so for {len(others)} more" if others else "")


def cell(row: AnswerRow) -> str:
    """The value of a row in a table; of one that is beyond a limit, that too."""
    limit = row.beyond
    return f"{row.text} (> {short_text(limit.limit, limit.unit).split(' ')[0]})" if limit is not None else row.text


def by_choice(rows: Sequence[AnswerRow]) -> Iterator[list[AnswerRow]]:
    """The rows of each choice, which stand in one line of a table."""
    count = len(columns(rows))
    yield from (list(rows[start : start + count]) for start in range(0, len(rows), count))


def as_table(rows: Sequence[AnswerRow]) -> str:
    """The rows in columns, for a terminal."""
    side_by_side = several(rows)
    lines = [(*(name for name, _ in rows[0].inputs), *columns(rows))]
    lines += [
        (
            *(shown_input(text) for _, text in group[0].inputs),
            *(cell(r) or (r.words if side_by_side else r.reason) for r in group),
        )
        for group in by_choice(rows)
    ]
    notes = dict.fromkeys(f"assumes: {line}" for line in assumed(rows))
    notes |= dict.fromkeys(row.reason for row in rows if row.reason and side_by_side)
    return "\n".join([*aligned(lines), *notes]) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[AnswerRow]], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
}
"""The formats besides plain text."""


@click.command("eval")
@click.argument("formula", metavar="FORMULA", shell_complete=completing("formulas"))
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...", shell_complete=completing("inputs"))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", *FORMATS]),
    default="text",
    help="How the answer is written.",
    show_default=True,
)
@click.option("--unit", metavar="UNIT", help="Give the value in this unit, as GB or ms.")
@click.option("--exact", is_flag=True, help="Give every digit of the value, or its fraction.")
@click.option("-v", "--verbose", is_flag=True, help="Say each input, with the source of what is recorded.")
@click.option(
    "--where", "conditions", multiple=True, metavar="CONDITION", help="Only rows where it holds, as 'value < 20 ms'."
)
@click.option("--sort", metavar="NAME", help="Sort rows by value, or by a formula or input; -NAME: largest first.")
@click.option(
    "--margin", metavar="COMPARISON", help="For each input, how far it may move before it flips, as 'value <= 20 ms'."
)
@RECORDS
@answered
def evaluate(
    formula: str,
    inputs: tuple[str, ...],
    form: str,
    unit: str | None,
    exact: bool,
    verbose: bool,
    conditions: tuple[str, ...],
    sort: str | None,
    margin: str | None,
    records: Path | None,
) -> Outcome:
    """Evaluate a formula: the value first, then what it was computed for and what it assumes.

    Inputs are records for roles, by id or name (model=Llama-3-8B), numbers with units (L=32768, L=128k), or names of
    points. Several values make a table: B=1,8,64 or B=1,2,4..512, which doubles, or L=1000,2000..8000, which steps, or
    accelerator=h100,h200; so do several formulas. FORMULA may be a record alone: then its formulas are listed with
    their inputs. With --format json one object stands alone on standard output: `value` (exact), `unit`, `text` and
    `assumes`, or `reason` where there is no value; a list of them where inputs have several values.
    """
    arguments = [formula, *inputs]
    shown = Shown(exact, verbose, unit is not None, margin or "")

    def told(base: Base, *, whole: bool) -> Outcome | None:
        if "." not in formula.partition("?")[0] and not inputs:
            from flopkb.commands.formulas import formula_listing

            return formula_listing(formula, base, form) if whole else None
        if "." not in formula.partition("?")[0]:
            raise UsageFault(names_no_formula(formula, base))
        asked = question(arguments, base.evaluation.kb.scope)
        if counted_values(asked) > MOST:
            return in_floats(asked, base, form, [*conditions, *([sort] if sort else []), *([unit] if unit else [])])
        compared = set(re.split(r"[\s<>=*/+()-]", margin or "")) & set(map(str, base.evaluation.kb.formulas))
        elsewhere = {name for other in compared for name in base.input_names(other)}
        found = answers(asked, base, asked_unit(unit, asked, base), elsewhere)
        rows = found
        if conditions or sort:
            from flopkb.checking.asking.filtering import narrowed

            rows = narrowed(found, asked, conditions, sort, base)
        if len(rows) > 1 and unit is None:
            rows = in_columns(rows)
        return outcome(rows, asked, base, form, shown) if whole or all(row.value for row in rows) else None

    words = [word for text in (*arguments, *conditions, sort or "") for word in words_of(text)]
    try:
        quick = told(open_for_values(records, words), whole=False) if not margin else None
        if quick is not None:
            return quick
    except (UsageFault, QuestionFault):
        pass  # the message is that of the whole base
    try:
        done = told(open_for_values(records), whole=True)
        assert done is not None
        return done
    except (UsageFault, QuestionFault) as fault:
        if form != "json":
            raise UsageFault(str(fault)) from fault
        return Outcome(as_json([AnswerRow((), reason=str(fault))]), 2, f"flopkb: {fault}")


def words_of(text: str) -> list[str]:
    """The words of an argument that may call a record."""
    parts = re.split(r"[=,?&()<>]", text)
    return [*parts, *(part.rpartition(".")[0] for part in parts), *(part.partition(".")[0] for part in parts)]


def asked_unit(unit: str | None, asked: Question, base: Base) -> Unit | None:
    """The unit that is asked for, which must measure every formula."""
    if unit is None:
        return None
    linked = {str(ref): each.unit.text for ref, each in base.evaluation.kb.formulas.items()}
    return [wanted_unit(unit, linked.get(formula, unit)) for formula in asked.formulas][-1]


def in_floats(asked: Question, base: Base, form: str, dropped: Sequence[str]) -> Outcome:
    """More values than are computed exactly, as CSV, with what is said of them on standard error."""
    from flopkb.checking.asking.floats import float_table
    from flopkb.publishing.export.data_tables import written

    if form != "csv" or dropped:
        what = f"{dropped[0]} is not applied to so many" if dropped else "say --format csv, or take fewer"
        raise QuestionFault(f"these inputs make {counted_values(asked):,} values, more than {MOST:,}: {what}")
    found = float_table(asked, base)
    cells = (tuple("" if cell is None else str(cell) for cell in row) for row in found.rows())
    text = written(list(found.heads), cells).decode("utf-8-sig").replace("\r\n", "\n")
    said = "flopkb: values in floats, equal to the exact ones to 12 digits"
    notes = dict.fromkeys(f"flopkb: assumes: {line}" for _, each in found.columns for line in each.assumes)
    return Outcome(text, 0, "\n".join([said, *notes]))


class Shown:
    """How one answer is written: all digits, its inputs too, in a unit that was asked for, with margins of a comparison."""

    def __init__(self, exact: bool, verbose: bool, in_unit: bool, margin: str = "") -> None:
        self.exact, self.verbose, self.in_unit, self.margin = exact, verbose, in_unit, margin

    def value(self, row: AnswerRow) -> str:
        """The value of a row as its first line."""
        assert row.base is not None
        unit = parse_unit(row.unit)
        if self.exact:
            return with_unit(all_digits(row.base / unit.scale), row.unit)
        return row.text if self.in_unit else answer_text(row.base, unit)


def outcome(rows: Sequence[AnswerRow], asked: Question, base: Base, form: str, shown: Shown) -> Outcome:
    """The rows in a format; exit code 1 where none has a value."""
    code = 0 if any(row.text for row in rows) else 1
    if not rows:
        return Outcome(code=1, error="flopkb: no row is left by --where")
    if shown.margin and not code:
        return with_margins(rows, asked, base, form, shown)
    if form != "text":
        return Outcome(FORMATS[form](rows), code, unread(base))
    if code:
        reasons = dict.fromkeys(f"flopkb: {row.formula}: {row.reason}" for row in rows)
        return Outcome(code=code, error="\n".join(reasons))
    if len(rows) > 1 or rows[0].inputs:
        texts = [replace(row, text=shown.value(row)) if row.value and shown.exact else row for row in rows]
        return Outcome(
            "\n".join([as_table(texts).rstrip("\n"), *fitted(table_lines(rows, asked))]) + "\n", code, unread(base)
        )
    return Outcome("\n".join(fitted(lines(rows[0], asked, shown))) + "\n", code, unread(base))


def with_margins(rows: Sequence[AnswerRow], asked: Question, base: Base, form: str, shown: Shown) -> Outcome:
    """One answer, and how far each input may move before a comparison flips."""
    from flopkb.checking.asking.margins import margin_rows, margins  # brings the prover

    if len(rows) > 1 or rows[0].inputs or rows[0].case is None:
        raise UsageFault("--margin is asked of one value; give each input one")
    if form not in ("text", "json"):
        raise UsageFault(f"--margin is written as text or json, not {form}")
    found = margins(shown.margin, rows[0], asked, base)
    if form == "json":
        return Outcome(json_text({**rows[0].told(), "margin": [each.told() for each in found]}), 0, unread(base))
    table = aligned(margin_rows(shown.margin, rows[0], found))
    return Outcome("\n".join([*fitted(lines(rows[0], asked, shown)), *table]) + "\n", 0, unread(base))


def fitted(texts: Iterable[str]) -> Iterator[str]:
    """Lines no wider than the terminal, what is left of each below it; as they are where there is none."""
    width = style().width
    for text in texts:
        indent = " " * (len(text) - len(text.lstrip()))
        yield from (
            textwrap.wrap(text, width, subsequent_indent=indent + "  ") if width and len(text) > width else [text]
        )


def lines(row: AnswerRow, asked: Question, shown: Shown) -> Iterator[str]:
    """The value, what it was computed for, how inputs were read and what is assumed; its inputs where they are wanted."""
    beyond = f" ({row.beyond})" if row.beyond is not None else ""
    yield (shown.value(row) if row.value else row.text) + beyond
    yield f"  {computed_for(titled(row), dict(row.bound))}"
    yield from (f"  {note}" for note in asked.notes)
    if row.case is not None and shown.verbose:
        yield from (f"  {line}" for line in input_lines(row.case))
    else:
        yield from (f"  {line}" for line in (remarks(row.case) if row.case is not None else ()))
        yield from (f"  assumes: {line}" for line in row.assumes)


def table_lines(rows: Sequence[AnswerRow], asked: Question) -> Iterator[str]:
    """What goes for all rows: the inputs that they share, how inputs were read, what sources dispute."""
    swept = {name for name, _ in rows[0].inputs}
    first = next((row for row in rows if row.case is not None), None)
    if first is not None:
        names = {row.formula: row.formula for row in rows} | {row.formula: titled(row) for row in rows if row.case}
        formulas = ", ".join(names.values())
        shared = {name: text for row in rows for name, text in row.bound if name not in swept}
        yield from [computed_for(formulas, shared)] if shared else []
    yield from asked.notes
    yield from dict.fromkeys(line for row in rows if row.case is not None for line in remarks(row.case))


def titled(row: AnswerRow) -> str:
    """The formula of a row; of one that gives a bound, with what it is a bound of."""
    words = bound_words(row.case) if row.case is not None else ""
    return f"{row.formula} ({words})" if words else row.formula


def shown_input(text: str) -> str:
    """An input as text for people has it: whole numbers in groups of three digits."""
    return grouped(text) if text.isdigit() else text


def computed_for(formula: str, inputs: Mapping[str, str]) -> str:
    """One line: the formula, and the inputs that it was asked with."""
    pairs = ", ".join(f"{name}={shown_input(text)}" for name, text in inputs.items())
    return f"{formula} for {pairs}" if pairs else formula
