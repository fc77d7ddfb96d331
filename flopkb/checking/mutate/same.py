"""Whether a mutant that nothing found says the same as the original, and so does not count."""

from __future__ import annotations

from flopkb.arithmetic.formula import FormulaError, Rational, normal_form, parse
from flopkb.arithmetic.numbers import ReadError, judge, read
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.inputs import Stopped
from flopkb.base.link import FactTarget
from flopkb.base.model import Formula, Record
from flopkb.checking.mutate.mutants import Group, Mutant


def says_the_same(mutant: Mutant, record: Record, base: Evaluation) -> str | None:
    """Why the mutant is no fault, or None where it is one that was missed."""
    if mutant.group is Group.FORMULAS:
        return same_formula(mutant, record, base)
    if mutant.group is Group.QUOTES:
        return same_number(mutant, record, base)
    return None


def same_number(mutant: Mutant, record: Record, base: Evaluation) -> str | None:
    """A quote that is still right as written, or a value whose every quote still is."""
    for result in base.quotes.get(record.id, ()):
        if result.location == mutant.location and result.unit is not None:
            try:
                judged = judge(read(mutant.after), result.values, result.unit)
            except ReadError:
                return None
            return "still right by the rounding rule" if judged.ok else None
    for fact in record.facts.values():
        for stated in (fact, *fact.disputed):
            if stated.value is not None and stated.value.at(0) == mutant.location:
                return quoted_still(record, fact.path, base)
    return None


def quoted_still(record: Record, path: str, base: Evaluation) -> str | None:
    """A value that is quoted, by quotes that all still round to what they say."""
    for results in base.quotes.values():
        for result in results:
            target = result.quote.target
            if isinstance(target, FactTarget) and (target.record, target.path) == (record.id, path):
                return "every quote of it is still right by the rounding rule"
    return None


def same_formula(mutant: Mutant, record: Record, base: Evaluation) -> str | None:
    """A formula with the same normal form."""
    for formula in record.formulas.values():
        text = formula.expr
        end = text.at(len(text.text))
        if text.at(0) <= mutant.location <= end:
            offset = mutant.location.column - text.at(0).column
            changed = text.text[:offset] + mutant.after + text.text[offset + len(mutant.before) :]
            return "the same normal form" if equal_forms(formula, changed, record, base) else None
    return None


def equal_forms(formula: Formula, changed: str, record: Record, base: Evaluation) -> bool:
    """Whether the changed text is the same function of the same symbols."""

    def resolve(name: object) -> Rational:
        return Rational.atom(str(name))

    try:
        return normal_form(parse(formula.expr.text), resolve) == normal_form(parse(changed), resolve)
    except (FormulaError, ArithmeticError, Stopped):
        return False
