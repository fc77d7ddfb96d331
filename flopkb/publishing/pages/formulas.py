"""The formulas of a record with their cases and what they require, and the layers of a model: tables for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flopkb.base.document import Mapping
from flopkb.base.layers import PARTS, Layers
from flopkb.base.model import Formula, Requirement
from flopkb.base.schema.sections import mappings, scalar, scalars
from flopkb.publishing.pages.blocks import Block, ColumnHead, RecordTable, RowCell, TableRow
from flopkb.publishing.pages.inlines import Aside, Break, Code, Flow, FormulaMath, OnlyIn, Words, Written
from flopkb.publishing.pages.lookups import between

SHAPE = frozenset((*PARTS.values(), "layers"))
"""The fields of a model that have tables of their own."""

_HEADS = (
    ColumnHead("Formula"),
    ColumnHead("Mathematics", forms="html"),
    ColumnHead("As written", forms="html"),
    ColumnHead("Expression", forms="markdown text"),
    ColumnHead("Unit"),
)


def formula_table(record: str, formulas: Sequence[Formula]) -> Iterator[Block]:
    """Formulas as mathematics and as they are written, each case and each requirement on a line of its own."""
    groups = [list(formula_rows(record, formula)) for formula in formulas]
    yield RecordTable(_HEADS, groups, "Formulas", "formulas", sortable=False)


def formula_rows(record: str, formula: Formula) -> Iterator[TableRow]:
    """A formula; off the site its cases, and what it requires and assumes, are rows below it."""
    written = f" also written {', '.join(name.text for name in formula.written)}" if formula.written else None
    name = (Code(formula.name), OnlyIn("html", Aside(written)) if written else None)
    math = FormulaMath(f"{record}.{formula.name}")
    cased = formula.such_that is None and formula.cases[0].when is not None
    texts = [str(case) for case in formula.cases] if cased else [formula.text]
    below = [*(texts if cased else ()), *conditions(formula)]
    lines: list[Flow] = [*map(Code, texts), *map(Aside, conditions(formula))]
    shown = [part for line in lines for part in (line, Break(True))][:-1]
    expr = Words("by case:") if cased else (OnlyIn("text", "= "), Code(texts[0]))
    first = (RowCell(name, formula.name, is_head=True), math, shown, expr, Written(formula.unit.text))
    yield TableRow(first, f"formula-{formula.name}")
    for line in below:
        yield TableRow((None, None, None, Code(line), None), forms="markdown")
        yield TableRow((RowCell(f"    {line}"),), forms="text")


def conditions(formula: Formula) -> Iterator[str]:
    """What a formula requires and assumes, in the words of its record."""
    for word, asked in (("requires", formula.requires), ("assumes", formula.assumes)):
        yield from (f"{word} {condition(each)}" for each in asked)


def condition(asked: Requirement) -> str:
    """A requirement in one line."""
    each = f" for each of {asked.each.text}" if asked.each is not None else ""
    when = f" where {asked.when.text}" if asked.when is not None else ""
    return f"{asked.that.text}{each}{when}, else: {asked.otherwise.text}"


def layer_tables(layers: Layers | None, root: Mapping) -> Iterator[Block]:
    """What a model is made of: its layers in their order, and each part with its type and the words that it says."""
    if layers is None:
        return
    rows = [[TableRow(cells)] for cells in order(root)]
    heads = tuple(map(ColumnHead, ("Layers", *(section.replace("_", " ").capitalize() for section in PARTS.values()))))
    if rows:
        yield RecordTable(heads, rows, "Layers in their order", "layers", sortable=False)
    parts = [list(part_rows(layers, role)) for role in PARTS]
    named = tuple(map(ColumnHead, ("Part", "Type", "In layers", "Says")))
    yield RecordTable(named, parts, "Parts of the layers", "parts", sortable=False)


def order(root: Mapping) -> Iterator[tuple[RowCell | Flow, ...]]:
    """Each entry of ``layers``: how many there are, and what each holds; a pattern says at its first how often it comes."""
    for item in mappings(root.get("layers")):
        repeat = scalar(item, "repeat")
        for index, place in enumerate(mappings(item.get("layers")) if repeat is not None else (item,)):
            before = "" if repeat is None else "then " if index else f"{repeat.text} times: "
            count = scalar(place, "count")
            held = (names_in(place, section) for section in PARTS.values())
            yield (RowCell(Words(before + (count.text if count is not None else "")), is_head=True), *held)


def names_in(place: Mapping, section: str) -> Flow:
    """The parts of one role that layers hold side by side."""
    found = place.get(section)
    if found is None:
        return Words("as the model says")
    names = scalars(found)
    return between(", ", (Code(name.text) for name in names)) if names else Words("none")


def part_rows(layers: Layers, role: str) -> Iterator[TableRow]:
    """The parts of one role; their amounts stand among the values of the record."""
    counts = layers.counts(role)
    for name, part in layers.parts(role).items():
        count = counts.get(name)
        said = between(", ", (Code(f"{key}: {word.text}") for key, word in part.words.items()))
        cells = (Code(part.type.text), Words("all" if count is None else str(count)), said)
        yield TableRow((RowCell(Code(name), name, is_head=True), *cells), f"{role.replace('_', '-')}-{name}")
