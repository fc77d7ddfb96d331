"""Mutants of claims: direction flipped, bound moved, symbol exchanged or added, domain widened, condition dropped.

Only what says more than the claim, or something else, is made: a claim with a symbol less, or with a looser bound, follows
from the one that stands, so no check could object to it. What exists in a domain exists in a wider one, so there the
domain is narrowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.formula import Compare, FormulaError, Number, parse, parse_conditions, walk
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Binding, Claim, Record
from flopkb.checking.mutate.mutants import Group, Mutant, made, node_mutants

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
        yield from symbol_mutants(claim, record)
        yield from bound_mutants(claim, record, base)
        yield from domain_mutants(claim, record)


def whole(text: Scalar, after: str, what: str, record: Record) -> Mutant:
    """A mutant that replaces a whole scalar."""
    return Mutant(Group.CLAIMS, record.id, text.at(0), text.text, after, what)


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


def symbol_mutants(claim: Claim, record: Record) -> Iterator[Mutant]:
    """In a list of symbols, one is exchanged for another of the record, and another is added."""
    if claim.relation.text not in LISTS:
        return
    listed = {symbol.text for symbol, _ in claim.terms}
    others = [name for name in record.symbols if name not in listed][:OTHERS]
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
    if claim.relation.text == "at_most":
        yield whole(terms[1], f"({terms[1].text})/2", "bound", record)
    elif claim.relation.text == "at_least":
        yield whole(terms[1], f"2*({terms[1].text})", "bound", record)
    elif claim.relation.text in ("equals", "tends_to", "crosses"):
        yield whole(terms[0], f"2*({terms[0].text})", "bound", record)
        yield from expression_mutants(terms[0], record, base)
    for name, text in claim.options:
        if name.text == "at":
            yield whole(text, f"2*({text.text})", "crossing", record)


def expression_mutants(text: Scalar, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The slips of a formula, in a term of a claim."""
    try:
        expr = parse(text.text)
    except FormulaError:
        return
    for node in walk(expr):
        if not isinstance(node, Compare):
            for mutant in node_mutants(node, text, record, base):
                yield Mutant(
                    Group.CLAIMS, record.id, mutant.location, mutant.before, mutant.after, f"{mutant.what} of a term"
                )


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
                    yield made(Group.CLAIMS, record, condition, node.offset, node.length, after, "domain")


def given_mutants(binding: Binding, record: Record) -> Iterator[Mutant]:
    """A given number exchanged for its double."""
    for value in binding.values:
        if isinstance(value.value, int) and not isinstance(value.value, bool):
            yield whole(value, str(value.value * 2), "given value", record)
