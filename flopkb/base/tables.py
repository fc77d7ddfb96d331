"""Tables of figures as Markdown: what a ``flopkb-table`` directive looks like to a reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flopkb.arithmetic.numbers import amount_text, grouped
from flopkb.arithmetic.prose import read_prose
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, TableResult, Value
from flopkb.base.faults import Fault, NotApplicable
from flopkb.base.link import KnowledgeBase, Passage
from flopkb.base.link.tables import Table, TableAxis
from flopkb.base.model import ROLES, Binding

_BLANK = re.compile(r"…|\.\.\.")


def tables_in(passage: Passage, base: Evaluation) -> Iterator[tuple[int, int, str]]:
    """Where the directives of a passage stand in its text, and the Markdown table that takes the place of each."""
    own = {id(table) for table in passage.tables}
    for result in base.tables.get(passage.holder, ()):
        if id(result.table) in own:
            directive = result.table.directive
            line = passage.scalar.text.rfind("\n", 0, directive.start) + 1
            before = passage.scalar.text[line : directive.start]
            lines = markdown_table(result, base.kb).split("\n")
            yield (
                directive.start,
                directive.end,
                f"\n{before if not before.strip(' >') else ' ' * len(before)}".join(lines),
            )


def markdown_table(result: TableResult, kb: KnowledgeBase) -> str:
    """The table as Markdown, its caption below it. A cell that could not be computed says so."""
    table = result.table
    heads = [head(name, table, kb) for name in table.rows.names] + list(column_heads(table, kb))
    lines = [row(heads), row(["---"] * len(heads))]
    for line, cells in zip(table.rows.lines, result.cells, strict=True):
        labels = [value_text(binding, table, kb) for binding in line]
        lines.append(row([*labels, *(cell_text(cell, table) for cell in cells)]))
    if table.caption is not None:
        lines += ["", table.caption.text.strip()]
    return "\n".join(lines)


def row(cells: Sequence[str]) -> str:
    """One line; a bar within a cell is escaped."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def head(name: str, table: Table, kb: KnowledgeBase) -> str:
    """What an input is called: its label, else its meaning."""
    label = dict(table.labels).get(name)
    if label is not None:
        return _BLANK.sub("", shown(label)).strip()
    if name in ROLES:
        return name.replace("_", " ")
    atom = kb.scope.symbol(name, table.formula.record)
    symbol = kb.scope.declared(atom) if atom is not None else None
    return " ".join(symbol.meaning.text.split()) if symbol is not None else name


def column_heads(table: Table, kb: KnowledgeBase) -> Iterator[str]:
    """The heads of the columns with numbers: what is chosen for them, or what the one column shows."""
    if table.columns == TableAxis():
        label = dict(table.labels).get(table.formula_at.text)
        yield shown(label) if label is not None else table.formula.name.replace("_", " ")
        return
    for line in table.columns.lines:
        yield ", ".join(choice_text(binding, table, kb) for binding in line)


def choice_text(binding: Binding, table: Table, kb: KnowledgeBase) -> str:
    """``batch of 8`` by the label ``batch of …``, else ``batch = 8``; a record stands for itself."""
    value = value_text(binding, table, kb)
    label = dict(table.labels).get(binding.name)
    if label is not None and _BLANK.search(label.text):
        return _BLANK.sub(lambda _: value, shown(label))
    if binding.name in ROLES or binding.values[0].text in dict(table.labels):
        return value
    return f"{head(binding.name, table, kb)} = {value}"


def value_text(binding: Binding, table: Table, kb: KnowledgeBase) -> str:
    """A value of an input: its label, a record's name, a number with its thousands grouped."""
    value = binding.values[0]
    label = dict(table.labels).get(value.text)
    if label is not None:
        return shown(label)
    if binding.name in ROLES and value.text in kb.records:
        return kb.records[value.text].name
    number = value.value
    return grouped(value.text) if isinstance(number, int) and not isinstance(number, bool) else value.text


def shown(label: Scalar) -> str:
    """A label as a reader sees it: links as their text."""
    return " ".join(read_prose(label.text).plain.split()) if "](" in label.text else label.text


def cell_text(cell: Value | Fault, table: Table) -> str:
    """A value with its unit, as exact as it is short, else rounded to the digits asked for."""
    if isinstance(cell, NotApplicable):
        return cell.words
    if isinstance(cell, Fault):
        return "not computed"
    return amount_text(cell.value, table.unit, table.digits)
