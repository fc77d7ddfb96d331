"""Values of a record that are derived from its other values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from flopkb.arithmetic.formula import Expr, FormulaError, Name, TooLargeError, ZeroDenominator, evaluate, names, parse
from flopkb.base.faults import BadExpression, Blocked, Cycle, DividesByZero, Fault, UnknownFact, nearest, round_trip
from flopkb.base.link.names import left_out
from flopkb.base.model import Fact, Record


def derived_value(fact: Fact, record: Record, value_of: Callable[[Fact, Record], Fraction | Fault]) -> Fraction | Fault:
    """What the formula of ``fact`` gives from its siblings (each by ``value_of``), in base units."""
    assert fact.formula is not None
    text = fact.formula
    try:
        expr = parsed(text.text)
    except FormulaError as error:
        return BadExpression(location=text.at(error.offset), record=record.id, length=error.length, reason=str(error))
    used = names(expr)
    if not used:
        reason = "a derived value is computed from other values of the record, and this names none"
        return BadExpression(location=text.location, record=record.id, length=len(text.text), reason=reason)
    way = way_back(fact, record)
    if way is not None:
        return Cycle(location=text.location, record=record.id, length=len(text.text), path=way)
    values: dict[Name, Fraction] = {}
    for name in used:
        sibling = record.facts.get(str(name))
        if sibling is None and left_out(record, str(name)):
            return Blocked(location=text.location, record=record.id, cause=f"{record.id}.{name} is faulty")
        if sibling is None:
            meant = nearest(str(name), record.facts)
            return UnknownFact(
                location=text.at(name.offset),
                record=record.id,
                length=name.length,
                holder=record.id,
                path=str(name),
                meant=meant,
            )
        value = value_of(sibling, record)
        if isinstance(value, Fault):
            return Blocked(location=text.location, record=record.id, cause=str(value))
        values[name] = value
    try:
        return evaluate(expr, values.__getitem__)
    except TooLargeError as error:
        return BadExpression(location=text.location, record=record.id, length=len(text.text), reason=str(error))
    except ZeroDenominator as error:
        return DividesByZero(location=text.location, record=record.id, formula=fact.path, denominator=error.denominator)


@lru_cache(maxsize=1024)
def parsed(text: str) -> Expr:
    """The tree of a derivation: few texts are asked for often."""
    return parse(text)


def way_back(fact: Fact, record: Record) -> tuple[str, ...] | None:
    """The values on the way from a derived value back to itself, or None."""
    stack: list[tuple[str, ...]] = [(fact.path,)]
    seen: set[str] = set()
    while stack:
        path = stack.pop()
        following = record.facts.get(path[-1])
        for name in inputs_of(following) if following is not None else ():
            if name == fact.path:
                return round_trip(path)
            if name not in seen:
                seen.add(name)
                stack.append((*path, name))
    return None


def inputs_of(fact: Fact) -> tuple[str, ...]:
    """The paths of the siblings that a derived value is computed from (none where its formula does not parse)."""
    if fact.formula is None:
        return ()
    try:
        return tuple(str(name) for name in names(parsed(fact.formula.text)))
    except FormulaError:
        return ()
