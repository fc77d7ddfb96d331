"""The changes that ``flopkb mutate`` makes: one slip of the pen each, in a quote, a value, a formula or a claim.

Of claims: direction flipped, bound moved, symbol exchanged or added, domain widened, condition dropped.

Only what says more than the claim, or something else, is made: a claim with a symbol less, or with a looser bound, follows
from the one that stands, so no check could object to it. What exists in a domain exists in a wider one, so there the
domain is narrowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import (
    Binary,
    Condition,
    Expr,
    FormulaError,
    Name,
    Number,
    exponent,
    parse_conditions,
    parse_formula,
    walk,
)
from flopkb.arithmetic.numbers import Quoted
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.layers import is_count
from flopkb.base.link.formulas import unit_of
from flopkb.base.model import Binding, Claim, Fact, Record


class MutantGroup(Enum):
    """What is mutated; each group has a score of its own."""

    QUOTES = "quotes"
    FORMULAS = "formulas"
    LAYERS = "layers"
    CLAIMS = "claims"
    SENTENCES = "sentences"
    SUPPRESSIONS = "suppressions"


@dataclass(frozen=True, slots=True)
class Mutant:
    """``before``, which stands at ``location`` of the record's file, is replaced by ``after``."""

    group: MutantGroup
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
            yield Mutant(MutantGroup.QUOTES, record.id, where, text, after, what)


def quote_mutants(record: Record, base: Evaluation) -> Iterator[Mutant]:
    """Each digit of each quoted number, as-printed text and recorded value of a record."""
    for result in base.quotes.get(record.id, ()):
        if isinstance(result.reading, Quoted) and result.judgement is not None:
            yield from digit_mutants(record, result.quote.link.text, result.location, "quoted number")
    for fact in (fact for fact in record.facts.values() if not is_count(fact.path)):
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
        for case in formula.cases:
            yield from text_mutants(case.expr, record, base)


def text_mutants(text: Scalar, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The mutants of one expression; none of one that is faulty as it stands."""
    try:
        expr = parse_formula(text.text)
    except FormulaError:
        return
    for node in walk(expr):
        if not isinstance(node, Condition):
            yield from node_mutants(node, text, record, base)


def node_mutants(node: Expr | Condition, text: Scalar, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The mutants of one node of a formula."""
    if isinstance(node, Number):
        for value in sorted({node.value + 1, node.value - 1, node.value * 2} - {node.value}):
            if value > 0:
                yield made(MutantGroup.FORMULAS, record, text, node.offset, node.length, str(value), "constant")
    elif isinstance(node, Name):
        for other in stand_ins(node, record, base):
            yield made(MutantGroup.FORMULAS, record, text, node.offset, node.length, other, "symbol")
    elif isinstance(node, Binary):
        yield from operator_mutants(node, text, record)


_SWAPS = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "**": ("*",)}


def operator_mutants(node: Binary, text: Scalar, record: Record) -> Iterator[Mutant]:
    """An operator swapped for another; an exponent raised and lowered."""
    start = operator_at(node, text.text)
    for other in _SWAPS[node.op]:
        yield made(MutantGroup.FORMULAS, record, text, start, len(node.op), other, "operator")
    if node.op == "**":
        written = exponent(node)
        for power in (written + 1, written - 1) if written is not None else ():
            right = node.right
            yield made(MutantGroup.FORMULAS, record, text, right.offset, right.length, str(power), "exponent")


def operator_at(node: Binary, text: str) -> int:
    """Where the operator stands: between its operands, outside their brackets."""
    at = node.left.offset + node.left.length
    while text[at : at + len(node.op)] != node.op:
        at += 1
    return at


def stand_ins(name: Name, record: Record, base: Evaluation) -> Iterator[str]:
    """Other symbols of the record that have the dimension of ``name``."""
    known = {atom.name: atom for atom in base.kb.symbols_used(record)}
    if len(name.parts) != 1 or name.parts[0] not in known:
        return
    wanted = unit_of(known[name.parts[0]], base.kb.scope).dimension
    for other, atom in known.items():
        if other != name.parts[0] and unit_of(atom, base.kb.scope).dimension == wanted:
            yield other


def made(group: MutantGroup, record: Record, text: Scalar, offset: int, length: int, after: str, what: str) -> Mutant:
    """A mutant of a piece of a scalar."""
    return Mutant(group, record.id, text.at(offset), text.text[offset : offset + length], after, what)


FLIPPED = {
    "at_most": "at_least",
    "at_least": "at_most",
    "increasing_in": "decreasing_in",
    "decreasing_in": "increasing_in",
}
LISTS = ("independent_of", "proportional_to", "increasing_in", "decreasing_in")
OTHERS = 4
"""How many other symbols of the record stand in for one in a list."""
ALWAYS = "0 <= 1"
"""A condition that narrows nothing."""


def claim_mutants(record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The mutants of every claim of the record."""
    for claim in record.claims.values():
        yield from direction_mutants(claim, record)
        yield from symbol_mutants(claim, record, base)
        yield from bound_mutants(claim, record, base)
        yield from domain_mutants(claim, record)


def whole(text: Scalar, after: str, what: str, record: Record) -> Mutant:
    """A mutant that replaces a whole scalar."""
    return Mutant(MutantGroup.CLAIMS, record.id, text.at(0), text.text, after, what)


def direction_mutants(claim: Claim, record: Record) -> Iterator[Mutant]:
    """At most becomes at least, increasing becomes decreasing, an exponent changes its sign or its size."""
    flipped = FLIPPED.get(claim.relation.text)
    if flipped is not None:
        yield whole(claim.relation, flipped, "direction", record)
    if claim.relation.text == "proportional_to":
        for _, exponent in claim.terms:
            if exponent is not None and isinstance(exponent.value, int):
                yield whole(exponent, str(-exponent.value), "exponent", record)
                yield whole(exponent, str(exponent.value + (1 if exponent.value != -1 else 3)), "exponent", record)


def symbol_mutants(claim: Claim, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """In a list of symbols, one is exchanged for another of the record, and another is added."""
    if claim.relation.text not in LISTS:
        return
    listed = {symbol.text for symbol, _ in claim.terms}
    others = [atom.name for atom in base.kb.symbols_used(record) if atom.name not in listed][:OTHERS]
    for symbol, _ in claim.terms:
        for other in others:
            yield whole(symbol, other, "symbol exchanged", record)
    for other in others:
        symbol, exponent = claim.terms[0]
        added = f"{other}: 1, {symbol.text}" if exponent is not None else f"{other}, {symbol.text}"
        yield whole(symbol, added, "symbol added", record)


def bound_mutants(claim: Claim, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The bound moved by a factor of two to where the claim says more, and the slips of a formula in what it equals."""
    if claim.relation.text in LISTS:
        return
    terms = [term for term, _ in claim.terms]
    nothing = terms[-1].text == "0"  # twice nothing is nothing
    if claim.relation.text == "at_most" and not nothing:
        yield whole(terms[1], f"({terms[1].text})/2", "bound", record)
    elif claim.relation.text == "at_least" and not nothing:
        yield whole(terms[1], f"2*({terms[1].text})", "bound", record)
    elif claim.relation.text in ("equals", "tends_to", "crosses"):
        if not nothing:
            yield whole(terms[0], f"2*({terms[0].text})", "bound", record)
        yield from expression_mutants(terms[0], record, base)
    for name, text in claim.options:
        if name.text == "at":
            yield whole(text, f"2*({text.text})", "crossing", record)


def expression_mutants(text: Scalar, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The slips of a formula, in a term of a claim."""
    for mutant in text_mutants(text, record, base):
        yield replace(mutant, group=MutantGroup.CLAIMS, what=f"{mutant.what} of a term")


def domain_mutants(claim: Claim, record: Record) -> Iterator[Mutant]:
    """Each condition dropped or widened; each given value exchanged for its double."""
    exists = claim.relation.text == "exists"
    for condition in claim.where:
        if not exists:
            yield whole(condition, ALWAYS, "condition dropped", record)
        yield from moved(condition, record, Fraction(1, 64) if exists else Fraction(4))
    for binding in claim.given:
        yield from given_mutants(binding, record)


def moved(condition: Scalar, record: Record, factor: Fraction) -> Iterator[Mutant]:
    """The numbers that bound something from above in a condition, times ``factor``: more is let through, or less."""
    try:
        parts = parse_conditions(condition.text)
    except FormulaError:
        return
    for part in parts:
        for side, up in ((part.right, part.op in ("<", "<=")), (part.left, part.op in (">", ">="))):
            for node in walk(side):
                if isinstance(node, Number) and up and node.value:
                    after = str(node.value * factor)
                    yield made(MutantGroup.CLAIMS, record, condition, node.offset, node.length, after, "domain")


def given_mutants(binding: Binding, record: Record) -> Iterator[Mutant]:
    """A given number exchanged for its double."""
    for value in binding.values:
        if isinstance(value.value, int) and not isinstance(value.value, bool):
            yield whole(value, str(value.value * 2), "given value", record)
