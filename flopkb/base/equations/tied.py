"""Equations that are tied to a figure by a link: `` [`2*32 = 64`](fig:x) ``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flopkb.base.equations.derivation import derivation_faults
from flopkb.base.equations.findings import UNREADABLE, EquationFault, Place
from flopkb.base.equations.known import Names
from flopkb.base.equations.numeric import Figure, bound_faults, number_faults
from flopkb.base.equations.sides import Side, read_equation
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Computation, FigureTarget, Passage


def tied_faults(result: QuoteResult, passage: Passage, base: Evaluation) -> Iterator[EquationFault]:
    """What is wrong with the equation (or derivation) in the text of a link."""
    link = result.quote.link
    place = Place(passage, tuple(passage.reading.source_at(link.plain_start + i) for i in range(len(link.text))))
    computation = computation_of(result, base)
    names = Names.of(base.kb.records[computation.formula.record]) if computation is not None else None
    equation = read_equation(link.text, names.known if names is not None else frozenset())
    for sides in equation.groups[:1]:
        yield from group_faults(sides, result, computation, names, place, base)
    for bound, sides in zip(equation.bounds[1:2], equation.groups[1:2], strict=True):
        if result.values and result.unit is not None and bound and sides[0].quoted is not None:
            yield from bound_faults(bound, sides[0], Figure.of(result), place)


def computation_of(result: QuoteResult, base: Evaluation) -> Computation | None:
    """The computation that a link stands for, or None for a recorded value or an input."""
    target = result.quote.target
    if isinstance(target, FigureTarget):
        found = base.kb.figures[(target.record, target.name)]
        return found if isinstance(found, Computation) else None
    return target if isinstance(target, Computation) else None


def group_faults(
    sides: Sequence[Side],
    result: QuoteResult,
    computation: Computation | None,
    names: Names | None,
    place: Place,
    base: Evaluation,
) -> Iterator[EquationFault]:
    """What is wrong with one run of sides that are said to be equal."""
    for side in sides:
        if side.fault is not None:
            advice = f"write it in the names of {owner(names)}, as Python or LaTeX"
            message = f"{side.fault.reason} in {shortened(side.text)}; {advice}"
            yield place.fault(UNREADABLE, side.fault.offset, side.end, message)
    symbolic = [side for side in sides if side.names]
    numeric = [side for side in sides if side.expr is not None and not side.names]
    if result.values and result.unit is not None:
        yield from number_faults(numeric, Figure.of(result), place)
    elif numeric and computation is not None and names is not None:
        symbolic = [side for side in sides if side.expr is not None]
    if not symbolic or names is None or computation is None:
        return
    if computation.over:
        reason = "is a ratio of two values: tie it to numbers, or the formula to its symbols"
        yield place.fault(UNREADABLE, symbolic[0].start, symbolic[0].end, f"{result.quote.title} {reason}")
        return
    yield from derivation_faults(symbolic, computation, result.quote.title, names, place, base)


def owner(names: Names | None) -> str:
    """The record whose names an equation uses."""
    return names.record.id if names is not None else "the record"


def shortened(text: str) -> str:
    """A side in a message."""
    return text if len(text) <= 60 else text[:59] + "…"
