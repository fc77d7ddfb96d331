"""Code and mathematics in which a number is given: to another number, or to a recorded value by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from flopkb.arithmetic.formula import compares
from flopkb.arithmetic.numbers import judge, readable
from flopkb.arithmetic.prose import Equation, EquationKind
from flopkb.arithmetic.text.joints import WrittenRelation, assignments
from flopkb.arithmetic.text.strict import EquationSide, read_equation
from flopkb.arithmetic.units import ONE, Unit, parse_unit
from flopkb.base.equations.findings import MISMATCH, EquationFault, EquationPlace
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.evaluate.facts import fact_value
from flopkb.base.link import Passage

_NAMED = re.compile(r"([a-z]\w*(?:\.\w+)+)(?::\s*|\s+(?:is|of)\s+)([^\s=<>].*)")


def stated_faults(equation: Equation, passage: Passage, base: Evaluation) -> Iterator[EquationFault]:
    """``gpu.memory_capacity = 81 GB`` and ``4 = 5``: what is written beside a value, and is not it."""
    for text, place in apart(equation, passage):
        yield from given_faults(text, place, base)


def named_faults(passage: Passage, base: Evaluation) -> Iterator[EquationFault]:
    """``gpu.memory_capacity: 81 GB``: a name in code with a value behind it that is not its own."""
    for start, end in passage.reading.codes:
        found = _NAMED.fullmatch(passage.scalar.text, start, end)
        if found is not None:
            place = EquationPlace(passage, tuple(range(start, end)))
            said = f"{found[1]}{' ' * (found.start(2) - found.end(1) - 1)}={found[2]}"
            yield from given_faults(said, place, base)


def apart(equation: Equation, passage: Passage) -> Iterator[tuple[str, EquationPlace]]:
    """The equations that stand side by side in code, each with its place; mathematics is one."""
    whole = equation.kind in (EquationKind.MATH, EquationKind.DISPLAY)
    for at, text in [(0, equation.text)] if whole else assignments(equation.text):
        start = equation.start + at
        yield text, EquationPlace(passage, tuple(range(start, start + len(text))))


def given_faults(text: str, place: EquationPlace, base: Evaluation) -> Iterator[EquationFault]:
    """What one equation gives to a value that is another."""
    record = base.kb.records.get(place.passage.holder)
    for sides in read_equation(text, frozenset(record.figures if record is not None else ())).groups:
        for left, right in pairwise(sides):
            known = worth(left, base, place.passage.holder)
            if known is None or right.quoted is None:
                continue
            value, unit = known
            if not judge(right.quoted, [value], unit).ok:
                message = f"{left.text} is {readable(value, unit)}, not {right.text}; correct one of the two"
                yield place.told(MISMATCH, right, message, computed=readable(value, unit))


def bounded_faults(
    relation: WrittenRelation, left: EquationSide, right: EquationSide, place: EquationPlace, base: Evaluation
) -> Iterator[EquationFault]:
    """``gpu.memory_capacity > 81 GB``: a bound of a recorded value that does not hold."""
    one, other = (worth(side, base, place.passage.holder) for side in (left, right))
    if one is None or other is None or one[1].dimension != other[1].dimension:
        return
    if not compares(relation.sign, one[0], other[0]):
        known = readable(*(one if left.names else other))
        message = f"`{left.text} {relation.text} {right.text}` does not hold: {(left if left.names else right).text} is {known}"
        yield place.told(MISMATCH, right, message, computed=known)


def worth(side: EquationSide, base: Evaluation, holder: str) -> tuple[Fraction, Unit] | None:
    """The value of a side that is one number, or the name of a recorded value or of a figure; None for all else."""
    quoted = side.quoted
    if quoted is not None and quoted.number is not None and quoted.end is None and not quoted.bound:
        unit = quoted.unit or ONE
        return quoted.value * unit.scale, unit
    if not side.is_name:
        return None
    id, _, path = side.names[0].partition(".")
    figure = base.figures.get((id, path) if path else (holder, id))
    if isinstance(figure, Value) and len(figure.values) == 1:
        return figure.values[0], figure.unit
    record = base.kb.records.get(id)
    fact = record.facts.get(path) if record is not None else None
    value = fact_value(fact, record) if fact is not None and record is not None and fact.value is not None else None
    return (value, parse_unit(fact.unit)) if fact is not None and isinstance(value, Fraction) else None
