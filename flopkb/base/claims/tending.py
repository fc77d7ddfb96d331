"""Claims that a formula tends to an expression: by degrees, or followed far out where a min is in the way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.formula import Rational, ZeroDenominator
from flopkb.base.claims.decide import Outcome
from flopkb.base.claims.limits import End, Finite, Infinite, leading, limit
from flopkb.base.claims.reading import Divisor, Term
from flopkb.base.claims.relations import Read, freed
from flopkb.base.claims.setting import Case
from flopkb.base.claims.space import Axis, Point, Space
from flopkb.base.claims.statement import Statement
from flopkb.base.claims.telling import shown_point, side
from flopkb.base.verdicts import Refuted, Tested, Verdict

FAR = 40
"""A limit that degrees do not give is followed to 2**80, 2**160 and 2**320 (or as near to a finite end)."""
SAMPLES = 16


def tends(
    read: Read,
    case: Case,
    ends: Mapping[Hashable, End],
    tell: Callable[[Outcome], Verdict],
    decide: Callable[[Statement], Outcome],
    seed: int,
) -> Verdict:
    """How a claim on a limit ends in one case."""
    assert read.formula is not None
    formula, expression = case.term(read.formula), case.term(read.sides[0])
    space = case.space
    for atom in ends:
        space = freed(space, atom)
    gap = limit(formula.form - expression.form, ends)
    if isinstance(gap, Finite):
        return tell(decide(limit_statement(formula, expression, gap, ends, space)))
    points = space.points(seed, SAMPLES)
    if isinstance(gap, Infinite):
        return unbounded(formula, expression, ends, case, points)
    return followed(formula, expression, ends, case, points)


def limit_statement(
    formula: Term, expression: Term, gap: Finite, ends: Mapping[Hashable, End], space: Space
) -> Statement:
    """That the limits are equal; what is divided by must not vanish on the way."""
    divisors = tuple(vanishing((*formula.divisors, *expression.divisors), ends))
    limits = [limit(side.form, ends) for side in (formula, expression)]
    names = [f"the limit of {formula.text}", expression.text]
    forms = [found.form for found in limits if isinstance(found, Finite)]
    if len(forms) < 2:
        names, forms = [f"the limit of {formula.text} - {expression.text}", "0"], [gap.form, Rational.of(0)]
    left, right = (
        replace(side, text=name, form=form, divisors=divisors)
        for side, name, form in zip((formula, expression), names, forms, strict=True)
    )
    return Statement("==", left, right, space)


def vanishing(divisors: tuple[Divisor, ...], ends: Mapping[Hashable, End]) -> Iterator[Divisor]:
    """What each divisor is like near the limit, up to powers of what vanishes."""
    for divisor in divisors:
        yield replace(divisor, form=leading(divisor.form, ends))


def unbounded(
    formula: Term, expression: Term, ends: Mapping[Hashable, End], case: Case, points: Iterable[Point]
) -> Refuted:
    """That the difference has no limit, at the first values of the other symbols."""
    atoms = (formula.form.atoms() | expression.form.atoms()) - set(ends)
    point = next(iter(points), None)
    shown = (*case.roles, *(shown_point(atoms, point, case.space) if point is not None else ()))
    where = f"at {', '.join(map(str, shown))}: " if shown else ""
    reason = f"{where}{formula.text} less {expression.text} grows without bound"
    return Refuted(shown, reason=reason)


def followed(
    formula: Term, expression: Term, ends: Mapping[Hashable, End], case: Case, points: Iterable[Point]
) -> Verdict:
    """The difference followed along the way at sampled values of the other symbols: it must go on shrinking."""
    tried = 0
    for point in points:
        try:
            places = [{**point, **at_distance(ends, case.space, FAR * factor)} for factor in (2, 4, 8)]
            _, near, last = (abs(formula.form.evaluate(p) - expression.form.evaluate(p)) for p in places)
        except ZeroDenominator:
            continue
        tried += 1
        if last and last * 2 ** (FAR // 2) > near:
            atoms = formula.form.atoms() | expression.form.atoms()
            shown = (*case.roles, *shown_point(atoms, places[0], case.space))
            return Refuted(shown, side(formula, places[0]), "near", side(expression, places[0]))
    return Tested(tried, "a limit through min, max, ceil or floor is followed, not derived")


def at_distance(ends: Mapping[Hashable, End], space: Space, power: int) -> Point:
    """Values of the moving symbols on their way."""
    found: Point = {}
    for atom, end in ends.items():
        axis = space.axis(atom)
        found[atom] = axis.scale * 2**power if end is None else end + side_of(axis, end) * axis.scale / 2**power
    return found


def side_of(axis: Axis, end: Fraction) -> int:
    """From which side a symbol approaches a finite end: from inside its domain."""
    return -1 if end >= axis.span.high else 1
