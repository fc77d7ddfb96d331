"""Slips around links: sign, unit or qualifier changed, a relation turned, a link dropped; and suppressions that hide more."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.numbers import Quoted
from flopkb.arithmetic.text.joints import WrittenRelation, relations
from flopkb.arithmetic.text.strict import read_equation
from flopkb.base.document import Scalar
from flopkb.base.equations import says_something
from flopkb.base.equations.derivation import Names
from flopkb.base.equations.numeric import value_of
from flopkb.base.equations.tied import computation_of
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import ClaimTarget, LiteralTarget
from flopkb.base.model import Record
from flopkb.checking.mutate.mutants import Mutant, MutantGroup

BARE, MEASURED = (" GB/s", " million", "k"), (" per second", " per GB")
"""What makes another quantity of a number where it is written behind a link: of one without a unit, of one with one."""
QUALIFIERS = ("over", "under")
FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "≤": "≥", "≥": "≤", r"\le": r"\ge", r"\ge": r"\le"}
FLIPPED |= {r"\leq": r"\geq", r"\geq": r"\leq", r"\lt": r"\gt", r"\gt": r"\lt"}
PLANTED = ("figure-mismatch", "bare-number", "equation-mismatch", "claim-refuted")
"""Rules whose findings a suppression would hide that nobody needs."""


def sentence_mutants(record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The slips around every link of a record that stands on one line."""
    for result in base.quotes.get(record.id, ()):
        link, scalar = result.quote.link, result.quote.scalar
        written = scalar.text[link.start : link.end]
        if "\n" in written or isinstance(result.quote.target, ClaimTarget) or result.fault is not None:
            continue
        inside = written[1 : written.rindex("](")] if "](" in written else link.text
        yield slip(record, scalar, link.start, written, inside, "link dropped")
        if isinstance(result.quote.target, LiteralTarget):
            continue
        if result.quote.is_math:
            yield from relation_mutants(record, result, base)
        elif isinstance(result.reading, Quoted) and result.reading.number is not None:
            yield from number_mutants(record, result, written)


def number_mutants(record: Record, result: QuoteResult, written: str) -> Iterator[Mutant]:
    """Sign and unit outside the brackets, a bound inside."""
    link, scalar, reading = result.quote.link, result.quote.scalar, result.reading
    yield slip(record, scalar, link.start, written, f"-{written}", "sign before a link")
    measured = isinstance(reading, Quoted) and (reading.unit is not None or reading.number is None)
    for unit in MEASURED if measured else BARE:
        yield slip(record, scalar, link.start, written, f"{written}{unit}", "unit behind a link")
    if isinstance(reading, Quoted) and not reading.qualifier and not reading.bound:
        inner = scalar.text[link.text_start : link.text_end]
        for word in QUALIFIERS:
            yield slip(record, scalar, link.text_start, inner, f"{word} {inner}", "qualifier")


def slip(record: Record, scalar: Scalar, start: int, before: str, after: str, what: str) -> Mutant:
    """A mutant of a piece of prose."""
    return Mutant(MutantGroup.SENTENCES, record.id, scalar.at(start), before, after, what)


def relation_mutants(record: Record, result: QuoteResult, base: Evaluation) -> Iterator[Mutant]:
    """Each inequality of a tied equation turned round, each equality made a strict one that is false."""
    link, scalar = result.quote.link, result.quote.scalar
    if not says_something(link.text) or scalar.text[link.text_start : link.text_end] != link.text:
        return
    for relation in relations(link.text):
        after = FLIPPED.get(relation.text) or (untrue(relation, result, base) if relation.sign == "=" else None)
        if after is not None:
            at = link.text_start + relation.start
            yield slip(record, scalar, at, relation.text, after, "relation")


def untrue(relation: WrittenRelation, result: QuoteResult, base: Evaluation) -> str:
    """``<``, or ``>`` where a rounded number on the right makes the other one true."""
    computation = computation_of(result, base)
    known = (
        Names.of(base.kb.records[computation.formula.record], base).known if computation is not None else frozenset()
    )
    equation = read_equation(result.quote.link.text, known)
    sides = [side for group in equation.groups for side in group]
    right = next((side for side in sides if side.start >= relation.end), None)
    value = value_of(right) if right is not None and right.quoted is not None and right.expr is not None else None
    return ">" if value is not None and result.values and value > result.values[0] else "<"


def suppression_mutants(record: Record) -> Iterator[Mutant]:
    """The rule of each suppression exchanged, its place widened; and one planted that nothing needs."""
    for suppression in record.suppressions:
        for rule in PLANTED:
            if rule != suppression.rule.text:
                where, before = suppression.rule.at(0), suppression.rule.text
                yield Mutant(MutantGroup.SUPPRESSIONS, record.id, where, before, rule, "suppression widened")
        if suppression.at is not None and "." in suppression.at.text:
            where, before = suppression.at.at(0), suppression.at.text
            wider = before.rpartition(".")[0]
            yield Mutant(MutantGroup.SUPPRESSIONS, record.id, where, before, wider, "suppression widened")
    node = record.document.root.key("name")
    if node is not None and not record.suppressions:
        for rule in PLANTED[:1]:
            field = record.prose[0].field if record.prose else "name"
            reason = "this was agreed upon in the review of the record"
            planted = f"suppress: [{{rule: {rule}, at: {field}, reason: {reason}}}]\nname"
            where = node.at(0)
            yield Mutant(MutantGroup.SUPPRESSIONS, record.id, where, "name", planted, "suppression planted")
