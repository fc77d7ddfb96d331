"""Many values of one symbol: a formula as one form in it, with the values at which it applies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.formula import Rational
from flopkb.arithmetic.prover.greatest import Outcome
from flopkb.arithmetic.prover.stretches import Stretch, stretch
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate.inputs import Inputs
from flopkb.base.evaluate.normal_forms import NormalForms
from flopkb.base.evaluate.solving import StatedProblem, Statement, allowed_in, beside, problem_of, required_in
from flopkb.base.faults import BadInput, NotApplicable, Stopped
from flopkb.base.link.targets import SymbolAtom


@dataclass(frozen=True, slots=True)
class Swept:
    """A formula as a form in one symbol, exactly, and the values of that at which it applies."""

    symbol: SymbolAtom
    unit: Unit
    whole: bool
    form: Rational
    form_unit: Unit
    allowed: Stretch
    reason: str
    """Why there is no value beyond ``allowed``, in a few words."""
    assumes: tuple[str, ...]


def swept(formula: str, name: str, low: Fraction, high: Fraction, env: Inputs, forms: NormalForms) -> Swept:
    """A formula over the values of a symbol between two of them; raises :class:`Stopped` where that has no one form.

    What is required must bound the symbol by a value up to or from which it holds.
    """
    problem = problem_of(Statement(formula, ">=", "0"), name, env, forms)
    if problem.domain.values:
        raise Stopped(BadInput(*env.place, reason=f"{name} may take {len(problem.domain.values)} values; list those"))
    for asked, limit in required_in(problem):
        if stretch(limit, problem.symbol, problem.domain) is Outcome.UNKNOWN:
            raise Stopped(BadInput(*env.place, reason=f"{asked.words} may hold and fail in turn as {name} grows"))
    allowed, stops = allowed_in(problem)
    if isinstance(allowed, NotApplicable):
        raise Stopped(allowed)
    _held(problem, allowed, low, high)
    reason = stops[0].words if stops else f"beyond the domain of {name}"
    seen = problem.checked(min(high, allowed.high))
    whole = problem.domain.step is not None
    return Swept(
        problem.symbol, problem.unit, whole, problem.left, problem.sides[0].unit, allowed, reason, seen.assumed
    )


def _held(problem: StatedProblem, allowed: Stretch, low: Fraction, high: Fraction) -> None:
    """Hold the stretch against the requirements themselves, at its ends, beside them and between."""
    step, start = problem.domain.step, problem.domain.low
    between = [low + (high - low) * share / 8 for share in range(9)]
    at = set(between) if step is None else {start + (value - start) // step * step for value in between}
    ends = [allowed.low, allowed.high]
    at |= {*ends, *(each for end in ends for way in (-1, 1) if (each := beside(problem.domain, end, way)) is not None)}
    for value in sorted(each for each in at if problem.domain.low <= each <= problem.domain.high):
        if (problem.checked(value).unmet is None) != (allowed.low <= value <= allowed.high):
            reason = f"what is required holds at other values of {problem.symbol.name} than one stretch"
            raise Stopped(BadInput(*problem.env.place, reason=reason))
