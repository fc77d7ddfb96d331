"""Outcomes as verdicts on claims, in words: examples in the record's own symbols, exact values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from flopkb.arithmetic.formula import number_text
from flopkb.arithmetic.numbers import with_unit
from flopkb.arithmetic.prover.decide import Fails, Holds, NoPoint, Outcome, Passed, Second, Statement, ZeroDivisor
from flopkb.arithmetic.prover.limits import NoLimit
from flopkb.arithmetic.prover.space import Point, Space
from flopkb.base.document import Scalar
from flopkb.base.verdicts import Assignment, ClaimVerdict, Invalid, Proved, Refuted, Side, Tested

WANTED = {
    "==": "equal to",
    "!=": "different from",
    "<=": "at most",
    ">=": "at least",
    "<": "less than",
    ">": "more than",
}
"""What the left side of a comparison is said to be of the right one."""


def verdict_on(
    outcome: Outcome | NoLimit, roles: tuple[Assignment, ...], space: Space, claimed: Scalar, where: Sequence[Scalar]
) -> ClaimVerdict:
    """An outcome as a verdict; ``claimed`` and ``where`` are the places that a faulty domain is reported at."""
    if isinstance(outcome, Holds):
        return Proved(outcome.method)
    if isinstance(outcome, Passed):
        return Tested(outcome.points, outcome.why)
    if isinstance(outcome, Fails):
        return refuted(outcome, roles)
    if isinstance(outcome, NoPoint):
        return no_point(outcome, where[0] if where else claimed)
    if isinstance(outcome, NoLimit):
        return no_limit(outcome, roles, space)
    return zero_divisor(outcome, roles, space, claimed)


def no_point(outcome: NoPoint, place: Scalar) -> Invalid:
    """A domain that its conditions leave empty."""
    known = "nothing" if outcome.certain else "nothing that was tried"
    reason = f"{known} in the declared domains satisfies the conditions together; correct them or the domains"
    return Invalid(reason, place.location, len(place.text))


def zero_divisor(outcome: ZeroDivisor, roles: tuple[Assignment, ...], space: Space, place: Scalar) -> Invalid:
    """A division by zero inside the domain."""
    divisor = outcome.divisor
    point = (*roles, *shown_point(divisor.form.atoms(), outcome.point, space))
    reason = (
        f"{divisor.title} divides by {divisor.text}, which is zero at {', '.join(map(str, point)) or 'every point'},"
        " inside the domain; narrow the domain or exclude it with where:"
    )
    return Invalid(reason, place.location, len(place.text))


def shown_point(atoms: Iterable[Hashable], point: Point, space: Space) -> tuple[Assignment, ...]:
    """A point in the units of its symbols, in the order of their declaration."""
    wanted = set(atoms)
    return tuple(
        Assignment(
            str(symbol.atom),
            value_text(point[symbol.atom] / symbol.scale, symbol.unit),
            point[symbol.atom] / symbol.scale,
        )
        for symbol in sorted(space.symbols, key=lambda symbol: symbol.place)
        if symbol.atom in wanted and not isinstance(symbol.atom, Second)
    )


def value_text(value: Fraction, unit: str) -> str:
    """An exact value with its unit."""
    return with_unit(number_text(value), unit)


def shown_atoms(statement: Statement) -> set[Hashable]:
    """The symbols that an example of the statement names."""
    forms = [statement.left.form, statement.right.form, *(c.form for c in statement.space.conditions if c.written)]
    return {atom.atom if isinstance(atom, Second) else atom for form in forms for atom in form.atoms()}


def refuted(outcome: Fails, roles: tuple[Assignment, ...]) -> Refuted:
    """A counterexample with both sides."""
    statement, point = outcome.statement, outcome.point
    example = (*roles, *shown_point(shown_atoms(statement), point, statement.space))
    if statement.varied is None:
        left, right = Side(statement.left.text, outcome.left), Side(statement.right.text, outcome.right)
        return Refuted(example, left, WANTED[statement.op], right)
    return refuted_pair(outcome, example)


def no_limit(outcome: NoLimit, roles: tuple[Assignment, ...], space: Space) -> Refuted:
    """A difference that does not vanish: both sides far out, or that it is unbounded."""
    point, sides = outcome.point, (outcome.left, outcome.right)
    example = (*roles, *(shown_point(point, point, space) if point is not None else ()))
    if point is None or outcome.unbounded:
        where = f"at {', '.join(map(str, example))}: " if example else ""
        reason = f"{where}{outcome.left.text} less {outcome.right.text} grows without bound"
        return Refuted(example, reason=reason)
    left, right = (Side(side.text, side.form.evaluate(point)) for side in sides)
    return Refuted(example, left, "near", right)


def refuted_pair(outcome: Fails, example: tuple[Assignment, ...]) -> Refuted:
    """A counterexample of two points: both values, or by how much they differ where they should in proportion."""
    statement, point = outcome.statement, outcome.point
    atom = statement.varied
    assert atom is not None
    scale = statement.space.symbol(atom).scale
    one, other = point[atom], point[Second(atom)]
    first, second = (f"{statement.left.text} at {atom} = {number_text(value / scale)}" for value in (one, other))
    if statement.power is None:
        return Refuted(example, Side(first, outcome.left), WANTED[statement.op], Side(second, outcome.right))
    # Each side was multiplied by a power of the other value (or, for a negative power, of its own).
    power = statement.power
    left_by, right_by = (other, one) if power > 0 else (one, other)
    lower, upper = outcome.left / left_by ** abs(power), outcome.right / right_by ** abs(power)
    if not lower:
        return Refuted(example, Side(first, lower), "in proportion to", Side(second, upper))
    ratio = f"({number_text(other / scale)}/{number_text(one / scale)})**{power}"
    begin, end = number_text(one / scale), number_text(other / scale)
    left = Side(f"{statement.left.text} from {atom} = {begin} to {end}, as a ratio,", upper / lower)
    return Refuted(example, left, WANTED["=="], Side(ratio, (other / one) ** power))


def together(verdicts: Iterable[ClaimVerdict]) -> ClaimVerdict:
    """All of several: the first that does not hold (those behind it are not decided), else the weakest."""
    tested: list[Tested] = []
    methods: dict[str, None] = {}
    for verdict in verdicts:
        if isinstance(verdict, Refuted | Invalid):
            return verdict
        if isinstance(verdict, Tested):
            tested.append(verdict)
        else:
            methods[verdict.method] = None
    if tested:
        return Tested(sum(verdict.points for verdict in tested), tested[0].why)
    return Proved(" and ".join(methods) or "normal form")


def somewhere(verdicts: Iterable[ClaimVerdict]) -> ClaimVerdict:
    """One of several: the first that holds (those behind it are not decided), else what is most wrong."""
    found: list[ClaimVerdict] = []
    for verdict in verdicts:
        if isinstance(verdict, Proved):
            return verdict
        found.append(verdict)
    return next((verdict for verdict in found if isinstance(verdict, Invalid)), found[0])
