"""Values of a record that are derived from its other values."""

from __future__ import annotations

from fractions import Fraction

from flopkb.evaluate.facts import fact_value
from flopkb.faults import BadExpression, Blocked, DividesByZero, Fault, UnknownFact, nearest
from flopkb.formula import FormulaError, Name, ZeroDenominator, evaluate, names, parse
from flopkb.model import Fact, Record


def derived_value(fact: Fact, record: Record) -> Fraction | Fault:
    """What the formula of ``fact`` gives from its siblings, in base units."""
    assert fact.formula is not None
    text = fact.formula
    try:
        expr = parse(text.text)
    except FormulaError as error:
        return BadExpression(location=text.at(error.offset), record=record.id, length=error.length, reason=str(error))
    values: dict[Name, Fraction] = {}
    for name in names(expr):
        sibling = record.facts.get(str(name))
        if sibling is None:
            meant = nearest(str(name), record.facts)
            return UnknownFact(
                location=text.at(name.offset), record=record.id, length=name.length, holder=record.id, path=str(name), meant=meant
            )
        value = fact_value(sibling, record)
        if isinstance(value, Fault):
            return Blocked(location=text.location, record=record.id, cause=str(value))
        values[name] = value
    try:
        return evaluate(expr, values.__getitem__)
    except ZeroDenominator as error:
        return DividesByZero(location=text.location, record=record.id, formula=fact.path, denominator=error.denominator)


def inputs_of(fact: Fact) -> tuple[str, ...]:
    """The paths of the siblings that a derived value is computed from (none where its formula does not parse)."""
    if fact.formula is None:
        return ()
    try:
        return tuple(str(name) for name in names(parse(fact.formula.text)))
    except FormulaError:
        return ()
