"""The changes that ``flopkb mutate`` makes: one slip of the pen each, in a quote, a value, a formula or a claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Binary, Compare, Expr, FormulaError, Name, Number, exponent, parse, walk
from flopkb.arithmetic.numbers import Quoted
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.link.formulas import unit_of
from flopkb.base.link.targets import SymbolAtom
from flopkb.base.model import Fact, Record


class Group(Enum):
    """What is mutated; each group has a score of its own."""

    QUOTES = "quotes"
    FORMULAS = "formulas"
    CLAIMS = "claims"


@dataclass(frozen=True, slots=True)
class Mutant:
    """``before``, which stands at ``location`` of the record's file, is replaced by ``after``."""

    group: Group
    record: str
    location: Location
    before: str
    after: str
    what: str

    def __str__(self) -> str:
        return f"{self.location}: {self.what}: {self.before} -> {self.after}"


def digit_mutants(record: Record, text: str, where: Location, what: str) -> Iterator[Mutant]:
    """Each digit changed to the next one; ``text`` stands in one piece at ``where``."""
    for index, character in enumerate(text):
        if character.isascii() and character.isdigit():
            after = f"{text[:index]}{(int(character) + 1) % 10}{text[index + 1 :]}"
            yield Mutant(Group.QUOTES, record.id, where, text, after, what)


def quote_mutants(record: Record, base: Evaluation) -> Iterator[Mutant]:
    """Each digit of each quoted number, as-printed text and recorded value of a record."""
    for result in base.quotes.get(record.id, ()):
        if isinstance(result.reading, Quoted) and result.judgement is not None:
            yield from digit_mutants(record, result.quote.link.text, result.location, "quoted number")
    for fact in record.facts.values():
        for stated in (fact, *fact.disputed):
            yield from fact_mutants(record, stated)


def fact_mutants(record: Record, fact: Fact) -> Iterator[Mutant]:
    """The digits of a value and of its printed form (where that is written on its own)."""
    if fact.value is not None:
        yield from digit_mutants(record, fact.value.text, text_start(fact.value), f"value of {fact.path}")
    if fact.as_printed is not None and fact.as_printed is not fact.value:
        yield from digit_mutants(
            record, fact.as_printed.text, text_start(fact.as_printed), f"printed form of {fact.path}"
        )


def text_start(scalar: Scalar) -> Location:
    """Where the text of a scalar begins, behind an opening quote."""
    return scalar.at(0)


def formula_mutants(record: Record, base: Evaluation) -> Iterator[Mutant]:
    """Every operator swapped, every constant and exponent changed, every symbol replaced by another of its dimension."""
    for formula in record.formulas.values():
        try:
            expr = parse(formula.expr.text)
        except FormulaError:
            continue
        for node in walk(expr):
            if not isinstance(node, Compare):
                yield from node_mutants(node, formula.expr, record, base)


def node_mutants(node: Expr, text: Scalar, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The mutants of one node of a formula."""
    if isinstance(node, Number):
        for value in sorted({node.value + 1, node.value - 1, node.value * 2} - {node.value}):
            if value > 0:
                yield made(Group.FORMULAS, record, text, node.offset, node.length, str(value), "constant")
    elif isinstance(node, Name):
        for other in stand_ins(node, record, base):
            yield made(Group.FORMULAS, record, text, node.offset, node.length, other, "symbol")
    elif isinstance(node, Binary):
        yield from operator_mutants(node, text, record)


_SWAPS = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "**": ("*",)}


def operator_mutants(node: Binary, text: Scalar, record: Record) -> Iterator[Mutant]:
    """An operator swapped for another; an exponent raised and lowered."""
    start = operator_at(node, text.text)
    for other in _SWAPS[node.op]:
        yield made(Group.FORMULAS, record, text, start, len(node.op), other, "operator")
    if node.op == "**":
        for power in (exponent(node) + 1, exponent(node) - 1):
            right = node.right
            yield made(Group.FORMULAS, record, text, right.offset, right.length, str(power), "exponent")


def operator_at(node: Binary, text: str) -> int:
    """Where the operator stands: between its operands, outside their brackets."""
    at = node.left.offset + node.left.length
    while text[at : at + len(node.op)] != node.op:
        at += 1
    return at


def stand_ins(name: Name, record: Record, base: Evaluation) -> Iterator[str]:
    """Other symbols of the record that have the dimension of ``name``."""
    if len(name.parts) != 1 or name.parts[0] not in record.symbols:
        return
    scope = base.kb.scope
    wanted = unit_of(SymbolAtom(record.id, name.parts[0]), scope).dimension
    for other in record.symbols:
        if other != name.parts[0] and unit_of(SymbolAtom(record.id, other), scope).dimension == wanted:
            yield other


def made(group: Group, record: Record, text: Scalar, offset: int, length: int, after: str, what: str) -> Mutant:
    """A mutant of a piece of a scalar."""
    return Mutant(group, record.id, text.at(offset), text.text[offset : offset + length], after, what)
