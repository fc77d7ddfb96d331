"""Tables of the base in a document: over inputs, or with columns of different formulas and recorded values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flopkb.arithmetic.numbers import grouped
from flopkb.base.model import ROLES
from flopkb.checking.api import Base
from flopkb.publishing.provenance import unique
from flopkb.publishing.render import asking
from flopkb.publishing.render.asking import Answer
from flopkb.publishing.render.objects import Cell, Column, TableThing
from flopkb.publishing.render.template_text import Bad
from flopkb.publishing.render.values import Form, written

MOST_CELLS = 2000
_BLANK = re.compile(r"…|\.\.\.")
_ABSENT = {"not_published": "not published", "not_supported": "not supported"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A table as a template asks for it."""

    target: str
    rows: object
    columns: object
    form: Form
    heads: Mapping[str, str]
    inputs: Mapping[str, object]
    sort: str = ""


Line = tuple[tuple[str, object], ...]


def table(base: Base, asked: Asked, label: str, caption: str, sources: bool) -> TableThing:
    """The table, every cell computed."""
    lines = axis(asked.rows, "rows")
    if not lines:
        raise Bad("a table has rows: rows={'L': [2048, 4096]}")
    if not isinstance(asked.heads, Mapping) or not all(isinstance(text, str) for text in asked.heads.values()):
        raise Bad("heads maps inputs to texts")
    made = TableMaker(base, asked, lines)
    columns = asked.columns
    own = [column for column in columns if isinstance(column, Column)] if isinstance(columns, (list, tuple)) else []
    if own and isinstance(columns, (list, tuple)) and len(own) == len(columns):
        return made.by_column(own, label, caption, sources)
    return made.by_input(axis(columns, "columns"), label, caption, sources)


def axis(given: object, what: str) -> list[Line]:
    """The lines of an axis: one choice of a value for each of its inputs."""
    if given is None:
        return []
    if not isinstance(given, Mapping) or not given:
        raise Bad(f"{what} is a mapping of inputs to lists of values: {what}={{'L': [2048, 4096]}}")
    lists = []
    for name, values in given.items():
        items = values if isinstance(values, (list, tuple)) else [values]
        if not isinstance(name, str) or not items or len(items) > MOST_CELLS:
            raise Bad(f"{what} is a mapping of inputs to lists of values: {what}={{'L': [2048, 4096]}}")
        lists.append([(name, item) for item in items])
    size = 1
    for items in lists:
        size *= len(items)
    if size > MOST_CELLS:
        raise Bad(f"a table has at most {MOST_CELLS} cells")
    return list(product(*lists))


class TableMaker:
    """Makes one table; texts of the template go into slots, numbers of the base into cells."""

    def __init__(self, base: Base, asked: Asked, lines: Sequence[Line]) -> None:
        self.base, self.asked, self.lines = base, asked, lines
        self.slots: list[str] = []
        self.used: list[str] = []
        self.last: Fraction | None = None

    def slot(self, text: str) -> int:
        self.slots.append(text)
        return len(self.slots) - 1

    def head(self, name: str) -> int | str:
        """What an input is called: the writer's text, else its meaning in the base."""
        told = self.asked.heads.get(name)
        if told is not None:
            return self.slot(_BLANK.sub("", told).strip())
        return name.replace("_", " ") if name in ROLES else self.meaning(name)

    def meaning(self, name: str) -> str:
        scope = self.base.evaluation.kb.scope
        atom = scope.symbol(name, self.asked.target.partition(".")[0])
        symbol = scope.declared(atom) if atom is not None else None
        return " ".join(symbol.meaning.text.split()) if symbol is not None else name

    def label(self, name: str, value: object) -> str:
        """A value of an input as readers see it."""
        if name in ROLES or isinstance(value, str):
            record = self.base.records.get(str(value))
            if record is not None:
                return record.aliases[0].text if record.aliases else record.name
            return str(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Bad(f"{name} takes numbers, amounts or ids")
        return grouped(str(value))

    def choice(self, line: Line) -> int | str:
        """The head of a column: ``batch of 8`` by the text ``batch of …``."""
        parts = []
        for name, value in line:
            told, shown = self.asked.heads.get(name), self.label(name, value)
            if told is not None and _BLANK.search(told):
                parts.append(("template", _BLANK.sub("\0", told, count=1), shown))
            elif name in ROLES:
                parts.append(("", "\0", shown))
            else:
                parts.append(("", f"{told or self.meaning(name)} = \0", shown))
        return ", ".join(text.replace("\0", shown) for _, text, shown in parts)

    def by_input(self, columns: list[Line], label: str, caption: str, sources: bool) -> TableThing:
        """One formula over a grid of inputs."""
        if not self.asked.target:
            raise Bad("a table names its formula, or its columns with column(...)")
        across = columns or [()]
        if len(self.lines) * len(across) > MOST_CELLS:
            raise Bad(f"a table has at most {MOST_CELLS} cells")
        self.slot(caption)
        names = [name for name, _ in self.lines[0]]
        heads: list[int | str] = [self.head(name) for name in names]
        told = self.asked.heads.get("value")
        heads += [self.choice(line) for line in columns] or [
            self.slot(told) if told else self.asked.target.rpartition(".")[2].replace("_", " ")
        ]
        rows: list[tuple[Cell | int, ...]] = [
            (*(Cell(self.label(name, value)) for name, value in line), *(self.cell(line, extra) for extra in across))
            for line in self.lines
        ]
        return self.made(rows, heads, label, sources)

    def cell(self, line: Line, extra: Line) -> Cell:
        inputs = {**self.asked.inputs, **dict(line), **dict(extra)}
        return self.computed(self.asked.target, inputs, self.asked.form)

    def computed(self, target: str, inputs: Mapping[str, object], form: Form, unfit: str = "") -> Cell:
        try:
            answer = asking.figure(self.base, target, inputs)
        except Bad as bad:
            return Cell(absent(bad, unfit))
        return self.shown(answer, form)

    def shown(self, answer: Answer, form: Form, *, exact: bool = False) -> Cell:
        self.used += answer.sources
        text = written(answer.values, answer.unit, form, exact=exact)
        self.last = max(answer.values)
        return Cell(text, f"{answer.name}: {answer.exact}")

    def by_column(self, columns: Sequence[Column], label: str, caption: str, sources: bool) -> TableThing:
        """Columns of different formulas and recorded values, a row for each choice of the row inputs."""
        if len(self.lines) * len(columns) > MOST_CELLS:
            raise Bad(f"a table has at most {MOST_CELLS} cells")
        self.slot(caption)
        heads: list[int | str] = [self.head(name) for name, _ in self.lines[0]]
        for column in columns:
            unit = column.form.unit if column.form.bare and column.form.unit not in ("", "1", None) else ""
            heads.append(self.slot(column.head + (f" ({unit})" if unit else "")))
        keyed = [self.row(line, columns) for line in self.lines]
        if self.asked.sort:
            if self.asked.sort not in [column.head for column in columns]:
                raise Bad(f"sort: no column is headed {self.asked.sort[:60]}")
            keyed.sort(key=lambda pair: pair[0], reverse=True)
        return self.made([row for _, row in keyed], heads, label, sources)

    def row(self, line: Line, columns: Sequence[Column]) -> tuple[tuple[bool, Fraction], tuple[Cell | int, ...]]:
        """A row, and the value by which it is sorted (rows without one come last)."""
        key: Fraction | None = None
        cells: list[Cell | int] = [Cell(self.label(name, value)) for name, value in line]
        for column in columns:
            self.last = None
            cells.append(self.entry(column, line))
            key = self.last if column.head == self.asked.sort else key
        return (key is not None, key if key is not None else Fraction(0)), tuple(cells)

    def entry(self, column: Column, line: Line) -> Cell:
        if column.fact:
            owner = next((str(value) for name, value in line if name in ROLES), "")
            try:
                answer = asking.fact(self.base, f"{owner}.{column.fact}", None)
            except Bad as bad:
                return Cell(absent(bad))
            return self.shown(answer, column.form, exact=True)
        inputs = {**self.asked.inputs, **column.inputs, **dict(line)}
        return self.computed(column.fig, inputs, column.form, column.unfit)

    def made(self, rows: list[tuple[Cell | int, ...]], heads: list[int | str], label: str, sources: bool) -> TableThing:
        names = len(self.lines[0])
        aligns = tuple(self.align(index, rows, names) for index in range(len(heads)))
        used = unique(self.used) if sources else ()
        return TableThing(tuple(rows), tuple(heads), aligns, label, tuple(self.slots), used)

    def align(self, index: int, rows: list[tuple[Cell | int, ...]], names: int) -> str:
        """Numbers to the right, names to the left."""
        texts = [cell.text for row in rows if isinstance(cell := row[index], Cell)]
        return "right" if texts and (index >= names or all(text[:1].isdigit() for text in texts)) else "left"


def absent(bad: Bad, unfit: str = "") -> str:
    """What a cell says whose formula does not apply (``unfit``, or its own words), or whose value a record declares absent.

    Any other fault stops the render.
    """
    if bad.words:
        return unfit or bad.words
    for mark, text in _ABSENT.items():
        if mark in bad.reason:
            return text
    raise replace_argument(bad)


def replace_argument(bad: Bad) -> Bad:
    """The fault, no longer tied to an argument of the table."""
    return Bad(bad.reason, None, 0, bad.rule)
