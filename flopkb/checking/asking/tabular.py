"""Tables of values for Python: rows that pandas takes as they are, exact values beside them, a picture in notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import overload

from flopkb.arithmetic.units import UnitError, parse_amount, parse_unit
from flopkb.checking.api import Base, FlopkbError, question_fault
from flopkb.checking.asking.answers import AnswerRow, answers, in_columns
from flopkb.checking.asking.question import Question, QuestionFault, question
from flopkb.checking.text_report import aligned

Cell = float | str | None
TableInput = str | int | Fraction | Sequence[str | int | Fraction]
"""An input, or a list of values of one."""


class AnswerTable(Sequence[Mapping[str, Cell]]):
    """A row for each choice of the inputs that have several values: these, and the value of each formula.

    Values are floats in the formula's declared unit (``units``), None where there is none (``reasons`` say why);
    ``exact`` has them as fractions. ``pandas.DataFrame(table)`` takes the rows as they are.
    """

    def __init__(self, rows: Sequence[AnswerRow], formulas: Sequence[str], units: Mapping[str, str]) -> None:
        count = len(formulas)
        self._groups = [tuple(rows[start : start + count]) for start in range(0, len(rows), count)]
        self.formulas = tuple(formulas)
        self.units = dict(units)
        self._rows = [self._told(group) for group in self._groups]

    def _told(self, group: Sequence[AnswerRow]) -> dict[str, Cell]:
        inputs: dict[str, Cell] = {name: number_or_text(text) for name, text in group[0].inputs}
        values = {row.formula: float(Fraction(row.value)) if row.value else None for row in group}
        return inputs | {formula: values.get(formula) for formula in self.formulas}

    @property
    def exact(self) -> tuple[Mapping[str, Fraction | None], ...]:
        """The values of each row as fractions, in the declared units."""
        return tuple(
            {row.formula: Fraction(row.value) if row.value else None for row in group} for group in self._groups
        )

    @property
    def reasons(self) -> tuple[Mapping[str, str], ...]:
        """Of each row the formulas that have no value, with the reason."""
        return tuple({row.formula: row.reason for row in group if not row.value} for group in self._groups)

    @property
    def assumes(self) -> tuple[str, ...]:
        """What values assume and an asker may not share, a line each."""
        return tuple(dict.fromkeys(line for group in self._groups for row in group for line in row.assumes))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Cell]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Cell]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Cell] | Sequence[Mapping[str, Cell]]:
        return self._rows[index]

    def _lines(self) -> Iterator[tuple[str, ...]]:
        yield (*(name for name, _ in self._groups[0][0].inputs), *self.formulas)
        for group in self._groups:
            yield (*(text for _, text in group[0].inputs), *(row.text or row.words for row in group))

    def __repr__(self) -> str:
        return "\n".join(aligned(list(self._lines())))

    def _repr_html_(self) -> str:
        """The table as a notebook shows it."""
        head, *rows = (tuple(map(escape, line)) for line in self._lines())
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><thead><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr></thead><tbody>{body}</tbody></table>"


def number_or_text(text: str) -> Cell:
    """A plain number as a number, whole where it is; anything else as it stands."""
    try:
        amount = parse_amount(text)
    except UnitError:
        return text
    if amount.unit != parse_unit("1"):
        return text
    return amount.value.numerator if amount.value.denominator == 1 else float(amount.value)


def asked_in_python(
    formulas: Sequence[str], points: Sequence[str], inputs: Mapping[str, TableInput], base: Base
) -> Question:
    """The question that arguments of Python put; a usage fault is a :class:`FlopkbError`."""
    texts = [f"{name}={_text(value)}" for name, value in inputs.items()]
    return question([*formulas, *points, *texts], base.evaluation.kb.scope)


def _text(value: TableInput) -> str:
    return (
        value if isinstance(value, str) else ", ".join(map(str, value)) if isinstance(value, Sequence) else str(value)
    )


def table(formulas: Sequence[str], points: Sequence[str], inputs: Mapping[str, TableInput], base: Base) -> AnswerTable:
    """The table of some formulas; raises :class:`FlopkbError` for what can be mended by asking again."""
    try:
        asked = asked_in_python(formulas, points, inputs, base)
        rows = in_columns(answers(asked, base))
    except QuestionFault as fault:
        raise FlopkbError(question_fault(str(fault))) from fault
    units = {str(ref): each.unit.text or "1" for ref, each in base.evaluation.kb.formulas.items()}
    return AnswerTable(rows, asked.formulas, {formula: units.get(formula, "1") for formula in asked.formulas})
