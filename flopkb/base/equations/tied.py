"""Equations in the text of links: every side read, the figure found among them, every relation decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flopkb.arithmetic.diagnostics import shortened
from flopkb.arithmetic.text.joints import WrittenRelation
from flopkb.arithmetic.text.strict import EquationSide, StrictEquation, read_equation
from flopkb.base.equations.derivation import Names, derivation_faults
from flopkb.base.equations.findings import UNREADABLE, EquationFault, EquationPlace
from flopkb.base.equations.numeric import number_faults
from flopkb.base.equations.orders import Tie, order_faults
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Computation, FigureTarget, Passage


def tied_faults(result: QuoteResult, passage: Passage, base: Evaluation) -> Iterator[EquationFault]:
    """What is wrong with the equation (or derivation) in the text of a link."""
    link = result.quote.link
    place = EquationPlace(
        passage, tuple(passage.reading.source_at(link.plain_start + i) for i in range(len(link.text)))
    )
    computation = computation_of(result, base)
    names = Names.of(base.kb.scope.records[computation.formula.record], base) if computation is not None else None
    tie = Tie(result, computation, names, place)
    equation = read_equation(link.text, names.known if names is not None else frozenset())
    if equation.relations and equation.relations[0] is not None:  # `<= 300` is said of the figure
        equation = StrictEquation(((), *equation.groups), (None, *equation.relations))
    whole = readable_part(equation)
    if whole is not equation:
        yield relation_fault(equation.relations[len(whole.groups)], place)
    yield from unread_faults(whole, tie)
    own, faults = figure_group(whole, tie)
    yield from faults
    yield from order_faults(whole, own, tie)


def computation_of(result: QuoteResult, base: Evaluation) -> Computation | None:
    """The computation that a link stands for, or None for a recorded value or an input."""
    target = result.quote.target
    if isinstance(target, FigureTarget):
        found = base.kb.figures[(target.record, target.name)]
        return found if isinstance(found, Computation) else None
    return target if isinstance(target, Computation) else None


def readable_part(equation: StrictEquation) -> StrictEquation:
    """The equation up to the first relation that no one can decide, or that lacks a side."""
    for at, relation in enumerate(equation.relations):
        beside = [equation.groups[at], *([equation.groups[at - 1]] if at > 1 else ())]
        if relation is not None and (not relation.sign or not all(beside)):
            return StrictEquation(equation.groups[:at], equation.relations[:at])
    return equation


def relation_fault(relation: WrittenRelation | None, place: EquationPlace) -> EquationFault:
    """The fault of a relation that cannot be decided."""
    assert relation is not None
    if relation.sign:
        message = f"nothing stands beside `{relation.text}`; write both sides of it in the link"
    elif relation.text == r"\\":
        message = "a second equation begins here; put each equation in a link of its own"
    else:
        advice = "write = or <=, or link the words to a claim (tends_to, proportional_to)"
        message = f"`{relation.text}` is no relation that can be decided; {advice}"
    return place.fault(UNREADABLE, relation.start, relation.end, message)


def unread_faults(equation: StrictEquation, tie: Tie) -> Iterator[EquationFault]:
    """Sides that cannot be read."""
    for side in (side for group in equation.groups for side in group):
        if side.fault is not None:
            owner = tie.names.record.id if tie.names is not None else "the record"
            advice = f"write it in the names of {owner}, as Python or LaTeX"
            message = f"{side.fault.reason} in {shortened(side.text, 60)}; {advice}"
            yield tie.place.fault(UNREADABLE, side.fault.offset, side.end, message)


def figure_group(equation: StrictEquation, tie: Tie) -> tuple[int, list[EquationFault]]:
    """The run of equal sides that is the figure, and what is wrong with it.

    That is the first with nothing wrong, those with arithmetic or symbols before lone numbers, which may be bounds.
    """
    groups = equation.groups
    if not groups or not groups[0]:
        return 0, []
    order = sorted(range(len(groups)), key=lambda i: (all(lone(side) for side in groups[i]), i))
    found = [(index, list(group_faults(groups[index], tie))) for index in order]
    index, faults = next(((index, faults) for index, faults in found if not faults), found[0])
    if len(groups) > 1 and all(lone(side) for side in groups[index]):
        faults = [replace(fault, instead=None) for fault in faults]  # it may be a bound of the figure
    return index, faults


def lone(side: EquationSide) -> bool:
    """Whether a side is a number alone (a fraction is arithmetic)."""
    return side.quoted is not None and side.quoted.ratio is None


def group_faults(sides: Sequence[EquationSide], tie: Tie) -> Iterator[EquationFault]:
    """What is wrong with one run of sides that are said to be equal to the figure."""
    symbolic = [side for side in sides if side.names]
    numeric = [side for side in sides if side.expr is not None and not side.names]
    figure, names, computation = tie.figure, tie.names, tie.computation
    if figure is not None:
        yield from number_faults(numeric, figure, tie.place)
    elif numeric and computation is not None and names is not None:
        symbolic = [side for side in sides if side.expr is not None]
    if not symbolic or names is None or computation is None:
        return
    if computation.over:
        reason = "is a ratio of two values: tie it to numbers, or the formula to its symbols"
        yield tie.place.fault(UNREADABLE, symbolic[0].start, symbolic[0].end, f"{tie.title} {reason}")
        return
    yield from derivation_faults(symbolic, computation, tie.title, names, tie.place)
