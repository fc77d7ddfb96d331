"""On which sides of its ``min`` and ``max`` a cost can be, and what a hardware quantity does to it there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Rational, TooLargeError, ZeroDenominator
from flopkb.base.claims.branches import Branch, branches
from flopkb.base.claims.checker import Checker
from flopkb.base.claims.decide import Effort, Fails, decide
from flopkb.base.claims.reading import Condition, Term, Undecidable
from flopkb.base.claims.space import DividedByZero, Point, Space
from flopkb.base.claims.statement import Statement
from flopkb.base.claims.telling import shown_point
from flopkb.base.document import Scalar
from flopkb.base.evaluate.elasticity import is_of, unrounded_form
from flopkb.base.link import SymbolAtom, ValueAtom
from flopkb.base.model import Record
from flopkb.base.verdicts import Assignment


@dataclass(frozen=True, slots=True)
class Regime:
    """An elasticity that the cost can have, with a point of the declared domains where it has it."""

    elasticity: Fraction
    example: tuple[Assignment, ...]


def regimes(checker: Checker, record: Record, cost: Scalar, quantity: str) -> tuple[Regime, ...]:
    """The different elasticities on the sides of a cost's ``min`` and ``max`` that its domain reaches.

    None where the cost has no such sides, or where its domain is not declared.
    """
    try:
        return tuple(_regimes(checker, record, cost, quantity))
    except (Undecidable, TooLargeError, ZeroDenominator, DividedByZero):
        return ()


def _regimes(checker: Checker, record: Record, cost: Scalar, quantity: str) -> Iterator[Regime]:
    for setting in checker.settings(record, cost, (), ()):
        term = setting.reader.term(cost)
        form = unrounded_form(term.form)
        if not form.opaques():
            return
        moving = {atom for atom in form.atoms() if isinstance(atom, SymbolAtom) and _takes(checker, atom, quantity)}
        sides = [(branch, _slope(branch.forms[0], moving)) for branch in branches((form,))]
        if len({slope.constant() for _, slope in sides}) < 2:
            return
        for case in setting.cases([term]):
            for branch, slope in sides:
                point = _reached(branch, term, case.space, checker.effort)
                if point is not None:
                    yield Regime(slope.evaluate(point), shown_point(form.atoms(), point, case.space))


def _reached(branch: Branch, term: Term, space: Space, effort: Effort) -> Point | None:
    """A small point at which every argument that wins in the branch does so by something."""
    *others, last = branch.leads
    for lead in others:
        space = Space(space.axes, (*space.conditions, Condition(">", lead, term.source)), space.wholes)
    never = Statement("<=", replace(term, form=last), replace(term, form=Rational.of(0), divisors=()), space)
    outcome = decide(never, effort, 0, doubtful=True)
    if not isinstance(outcome, Fails):
        return None
    return {**{axis.atom: axis.span.low for axis in space.axes}, **outcome.point}


def _takes(checker: Checker, atom: SymbolAtom, quantity: str) -> bool:
    source = checker.kb.sources.get(atom)
    return isinstance(source, ValueAtom) and is_of(source.path, quantity)


def _slope(form: Rational, moving: set[SymbolAtom]) -> Rational:
    total = Rational.of(0)
    for atom in sorted(moving):
        total = total + Rational.atom(atom) * form.partial(atom)
    return total / form
