"""Tables of a document whose lines are rows of a data file: what a comment above them asks for, and what they hold.

rows: runs
columns:
  Model: model
  Median (ms): {value: new_ms, digits: 3}
  Faster: {value: speedup, unit: x}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers import Quoted, ReadError, judge, read, rewrite
from flopkb.arithmetic.numbers.writing import decimal_text, significant_text, with_unit
from flopkb.arithmetic.prose import Target, parse_target, read_plain
from flopkb.arithmetic.units import Unit, UnitError, parse_unit
from flopkb.base.data.facts import DataFacts
from flopkb.base.data.trees import GROUPED, NUMBER
from flopkb.base.document import Mapping, Node, Scalar
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.evaluate.facts import fact_value
from flopkb.base.faults import Fault, did_you_mean
from flopkb.base.link import Computation, Linker, Passage
from flopkb.base.link.columns import column_unit, stated_unit
from flopkb.base.loading import parse_fragment
from flopkb.base.model import Record
from flopkb.base.tables import row as written_row
from flopkb.base.writing import Edit

_DIRECTIVE = re.compile(r"<!--\s*flopkb-table:(.*)-->", re.DOTALL)
_BAR = re.compile(r"(?<!\\)\|")
_TABLE_LINE = re.compile(r"(?:\||[^|\n]*\S[^|\n]*(?<!\\)\|).*\n?")
"""The bar at the beginning may be left out."""
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A column: its head, and the field of a row or the figure over rows that fills it."""

    head: str
    value: Scalar
    unit: Unit | None = None
    digits: int | None = None


@dataclass(frozen=True, slots=True)
class RowCell:
    """What belongs into a cell: its text, and for a number the exact value in base units of ``unit``."""

    text: str
    value: Fraction | None = None
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class RowFault:
    """Something wrong with such a table; ``edit`` mends it, where it can be mended."""

    location: Location
    message: str
    length: int = 1
    quoted: str | None = None
    computed: str | None = None
    edit: Edit | None = None


@dataclass(frozen=True, slots=True)
class RowTable:
    """A table of a document: where it stands in the text (behind its directive), and what is wrong with it."""

    start: int
    end: int
    location: Location
    """Where the directive stands."""
    faults: tuple[RowFault, ...] = ()
    cells: int = 0
    """How many of its cells were held to the file."""
    file: str = ""
    """The data file whose rows fill it."""


class _Unfit(Exception):
    """The directive cannot be followed; never leaves this module."""

    def __init__(self, where: Location, reason: str, length: int = 1) -> None:
        super().__init__(reason)
        self.fault = RowFault(where, reason, length)


def row_tables(holder: str, base: Evaluation) -> tuple[RowTable, ...]:
    """The tables of a document that rows fill, worked out once."""
    key = (RowTable, holder)
    if key not in base.shared:
        base.shared[key] = tuple(table for p in base.passages(holder) for table in _tables(p, base))
    found = base.shared[key]
    assert isinstance(found, tuple)
    return found


def in_row_table(offset: int, holder: str, base: Evaluation) -> bool:
    """Whether a place in a document lies in such a table, whose numbers are held to the file without links."""
    return any(table.start <= offset < table.end for table in row_tables(holder, base))


def _tables(passage: Passage, base: Evaluation) -> Iterator[RowTable]:
    text = passage.scalar.text
    for comment in passage.reading.comments:
        match = _DIRECTIVE.fullmatch(comment.text)
        if match is None:
            continue
        start = text.find("\n", comment.end) + 1 or len(text)
        end = start
        while (line := _TABLE_LINE.match(text, end)) is not None and end < len(text):
            end = line.end()
        reader = _RowReader(passage, base, comment.start, comment.start + match.start(1), match[1])
        faults = tuple(reader.faults(start, end))
        yield RowTable(start, end, reader.here, faults, reader.cells, reader.file)


@dataclass(slots=True)
class _RowReader:
    """Follows one directive."""

    passage: Passage
    base: Evaluation
    start: int
    at: int
    body: str
    columns: list[RowColumn] = field(default_factory=list)
    cells: int = 0
    file: str = ""
    rule: str = ""

    @property
    def here(self) -> Location:
        return self.passage.scalar.at(self.start)

    def faults(self, start: int, end: int) -> Iterator[RowFault]:
        """What is wrong with the table that stands at ``start:end``."""
        try:
            rows = self.rows()
            cells = [[self.cell(column, row) for column in self.columns] for row in rows]
            self.cells, self.file = len(rows) * len(self.columns), rows[0].path
        except _Unfit as unfit:
            yield unfit.fault
            return
        text = self.passage.scalar.text
        lines = text[start:end].splitlines(keepends=True)
        wanted = [[column.head for column in self.columns], *([cell.text for cell in line] for line in cells)]
        self.rule = lines[1] if len(lines) > 1 else ""
        held = [_split(line) for number, line in enumerate(lines) if number != 1]
        if len(held) != len(wanted) or held[0] != wanted[0] or any(len(line) != len(self.columns) for line in held):
            yield self.rewritten(start, end, wanted, len(held) - 1 if held else 0)
            return
        at = start + len(lines[0]) + len(lines[1])
        for line, expected in zip(lines[2:], cells, strict=True):
            yield from self.line_faults(line, at, expected)
            at += len(line)

    def ruled(self, line: str) -> list[str]:
        """The line below the head: as it is, where it has as many columns."""
        held = _split(line)
        return held if len(held) == len(self.columns) else ["---"] * len(self.columns)

    def rewritten(self, start: int, end: int, wanted: list[list[str]], held: int) -> RowFault:
        """The table as a whole, where its lines or columns are others than those of the file."""
        lines = [written_row(wanted[0]), written_row(self.ruled(self.rule)), *map(written_row, wanted[1:])]
        scalar = self.passage.scalar
        new = "".join(f"{line}\n" for line in lines)
        edit = Edit(scalar, start, end, new, f"table of {len(wanted) - 1} rows")
        has = (
            f"has {held} rows, the file {len(wanted) - 1}"
            if held != len(wanted) - 1
            else "has other columns than asked"
        )
        reason = (
            f"the table below {has}; flopkb fix writes it" if held else "no table stands below; flopkb fix writes it"
        )
        return RowFault(self.here, reason, len("<!--"), edit=edit)

    def line_faults(self, line: str, at: int, expected: Sequence[RowCell]) -> Iterator[RowFault]:
        """What is wrong in the cells of one line."""
        bars = [match.end() for match in _BAR.finditer(line)]
        for left, right, cell in zip(bars, [bar - 1 for bar in bars[1:]], expected, strict=False):
            inner = line[left:right]
            start = at + left + len(inner) - len(inner.lstrip())
            yield from self.cell_faults(start, inner.strip(), cell)

    def cell_faults(self, start: int, written: str, cell: RowCell) -> Iterator[RowFault]:
        scalar, plain = self.passage.scalar, read_plain(written).strip()
        instead = cell.text
        if cell.value is None or cell.unit is None:
            if plain == read_plain(cell.text).strip():
                return
            message = f"{plain or 'an empty cell'} is wrong: the file has {cell.text}; write {cell.text}"
        else:
            judged = self.judged(plain, cell, start)
            if judged is None:
                return
            message, instead = judged
        place = written.find(plain) if plain and plain in written else 0
        old = plain if plain and plain in written else written
        edit = Edit(scalar, start + place, start + place + len(old), instead, f"{old} -> {instead}")
        yield RowFault(scalar.at(start + place), message, max(1, len(old)), plain, cell.text, edit)

    def judged(self, plain: str, cell: RowCell, start: int) -> tuple[str, str] | None:
        """What is wrong with a number and what to write; None where it is right."""
        assert cell.value is not None and cell.unit is not None
        value, unit = cell.value, cell.unit
        try:
            reading: Quoted | None = read(plain)
        except ReadError:
            reading = None
        if reading is not None:
            column = column_unit(self.passage.scalar.text, start)
            if reading.unit is None and column is not None and column.dimension == unit.dimension:
                value, unit = value / column.scale, parse_unit("1")
            if judge(reading, [value], unit).ok:
                return None
            instead = rewrite(reading, [value], unit) or cell.text
            instead = cell.text if _digits(instead) < min(_digits(plain), _digits(cell.text)) else instead
        else:
            instead = cell.text
        return f"{plain or 'an empty cell'} is wrong: the file gives {cell.text}; write {instead}", instead

    def rows(self) -> list[Record]:
        """The rows that fill the table, its columns being read."""
        line, column = self.passage.scalar.at(self.at).line, self.passage.scalar.at(self.at).column
        padded = "\n" * (line - 1) + " " * (column - 1) + self.body
        root = parse_fragment(padded, self.here.path, 1, 1) if self.body.strip() else []
        if isinstance(root, list):
            where, reason = (root[0].location, root[0].message) if root else (self.here, "write rows: and columns:")
            raise _Unfit(where, reason)
        if not isinstance(root, Mapping):
            raise _Unfit(root.location, "a table is a mapping: write rows: and columns: below each other")
        for key, _ in root:
            if key.text not in ("rows", "columns"):
                raise _Unfit(key.location, f"a table has no key {key.text}; it has rows and columns", len(key.text))
        name, columns = root.get("rows"), root.get("columns")
        if not isinstance(name, Scalar) or not isinstance(columns, Mapping) or not columns.entries:
            raise _Unfit(self.here, "write rows: with a name of data, and columns: with what fills each")
        self.columns = [self.column(head, node) for head, node in columns.entries]
        return self.named_rows(name)

    def column(self, head: Scalar, node: Node) -> RowColumn:
        if isinstance(node, Scalar):
            return RowColumn(head.text, node)
        value = node.get("value") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping) or not isinstance(value, Scalar):
            raise _Unfit(node.location, f"{head.text} takes a field, or {{value: field, unit: ms, digits: 3}}")
        unit, digits = node.get("unit"), node.get("digits")
        number = digits.value if isinstance(digits, Scalar) else None
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= 15):
            raise _Unfit(node.location, "digits: takes a whole number from 1 to 15")
        try:
            return RowColumn(head.text, value, parse_unit(unit.text) if isinstance(unit, Scalar) else None, number)
        except UnitError as error:
            raise _Unfit(node.location, str(error)) from None

    def named_rows(self, name: Scalar) -> list[Record]:
        known = self.base.kb.scope.records
        declared = known.get(self.passage.holder)
        near = declared.near if declared is not None else {}
        found = near.get(name.text)
        rows = known[found.record].rows_of if found is not None and found.record in known else ()
        if not rows:
            reason = f"{name.text} is no name of rows of a data file{did_you_mean(name.text, near)}"
            raise _Unfit(name.location, reason, len(name.text))
        return [known[row] for row in rows]

    def cell(self, column: RowColumn, row: Record) -> RowCell:
        """What belongs into a cell of the row."""
        value = self.figure(column, row)
        if value is not None:
            return self.number(column, *value)
        fact = row.facts.get(column.value.text)
        if fact is None or fact.value is None:
            return RowCell(self.text_of(column, row))
        exact = fact_value(fact, row)
        assert isinstance(exact, Fraction), "a fact of a data file is a number"
        written = fact.value.text if column.unit is None and column.digits is None else ""
        return self.number(column, exact, parse_unit(fact.unit), written)

    def number(self, column: RowColumn, value: Fraction, unit: Unit, written: str = "") -> RowCell:
        """A number with its unit, unless the head of the column states it; ``written`` is how the file writes it."""
        head = stated_unit(column.head)
        shown = column.unit or (head if head is not None and head.dimension == unit.dimension else unit)
        if shown.dimension != unit.dimension:
            raise _Unfit(column.value.location, f"{shown} cannot measure {column.value.text}, which is in {unit}")
        if GROUPED.fullmatch(written) and shown.scale == unit.scale:
            text = written
        elif not NUMBER.fullmatch(written):
            text = significant_text(value / shown.scale, column.digits or _DIGITS)
        else:
            text = written if shown.scale == unit.scale else decimal_text(value / shown.scale, exponent=False)
        headed = re.search(r"[(\[][^()\[\]]+[)\]]\s*$", column.head)
        return RowCell(text if headed else with_unit(text, shown.text, tight=True), value, unit)

    def text_of(self, column: RowColumn, row: Record) -> str:
        """The text that a row has in a field."""
        assert isinstance(row.facts, DataFacts)
        try:
            leaf = row.facts.leaf(column.value.text)
        except KeyError:
            reason = (
                f"{row.id} has no field {column.value.text}{did_you_mean(column.value.text, self.fields(row.facts))}"
            )
            raise _Unfit(column.value.location, reason, len(column.value.text)) from None
        return str(leaf) if isinstance(leaf, str) else ""

    def fields(self, facts: DataFacts) -> list[str]:
        tree = facts.trees.get("")
        return list(tree) if isinstance(tree, dict) else []

    def figure(self, column: RowColumn, row: Record) -> tuple[Fraction, Unit] | None:
        """The value of a figure over rows for one of them; None where the column names a field."""
        name, known = column.value.text, self.base.kb.scope.records
        declared = known.get(self.passage.holder)
        target = parse_target(f"fig:{name}")
        shared = declared.near.get(name) if declared is not None else None
        if declared is None or not isinstance(target, Target):
            return None
        if name not in declared.formulas and (shared is None or shared.path != name):
            return None
        found = Linker(declared, self.base.kb.scope, is_page=True).resolve(target, column.value, column.value.location)
        value = self.base.evaluator.value(found) if isinstance(found, Computation) else found
        if isinstance(value, Value) and not value.aggregate:
            for case in value.cases:
                if any(chosen == row.id for _, chosen in case.choice):
                    return case.value, value.unit
        reason = str(value) if isinstance(value, Fault) else f"{name} is computed over other rows than these"
        raise _Unfit(column.value.location, reason, len(name))


def _digits(text: str) -> int:
    """How many significant digits are written."""
    return len(re.sub(r"[^0-9]", "", text).lstrip("0"))


def _split(line: str) -> list[str]:
    """The cells of a line of a table, without the blanks around them."""
    return [cell.strip() for cell in _BAR.split(line.strip())[1:-1]]
