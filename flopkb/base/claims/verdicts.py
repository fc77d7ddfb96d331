"""How a claim ended: proved, tested, refuted, or not a claim that can be decided; and how an outcome is worded as one.

Facts first; ``str`` makes the sentence. A value is exact and in base units; an :class:`Assignment` holds the text that
stands for it in the record's own terms.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from flopkb.arithmetic.diagnostics import Location, shortened
from flopkb.arithmetic.formula import number_text
from flopkb.arithmetic.numbers import with_unit
from flopkb.arithmetic.prover.decide import Fails, Holds, NoPoint, Outcome, Passed, Second, Statement, ZeroDivisor
from flopkb.arithmetic.prover.limits import NoLimit
from flopkb.arithmetic.prover.space import Point, Space
from flopkb.base.document import Scalar
from flopkb.base.faults import WANTED, listed


@dataclass(frozen=True, slots=True)
class Assignment:
    """A symbol or role of the record with the value that it has in an example."""

    name: str
    text: str
    value: Fraction | None = None
    """The exact value in the symbol's unit; None for the record in a role."""

    def __str__(self) -> str:
        return self.text if self.text.startswith(f"{self.name}[") else f"{self.name} = {self.text}"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison in an example: what was written, and its exact value in base units."""

    text: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class Proved:
    """It holds everywhere in its domain. ``method`` says how that is known; ``witness`` is where what exists does."""

    word: ClassVar[str] = "proved"
    method: str
    witness: tuple[Assignment, ...] = ()
    note: str = ""
    """What a reader should know besides: of which symbols it says nothing."""

    def __str__(self) -> str:
        where = f": {_listed(self.witness)}" if self.witness else ""
        return f"proved by {self.method}{where}{_noted(self.note)}"


@dataclass(frozen=True, slots=True)
class Tested:
    """It holds exactly at every one of ``points`` points of its domain, and nothing shows that it holds elsewhere.

    ``size`` is how many points the domain has, None where it is no grid.
    """

    word: ClassVar[str] = "tested"
    points: int
    why: str = ""
    size: int | None = None
    note: str = ""

    def __str__(self) -> str:
        reach = f"{self.points} of {_counted(self.size)}" if self.size else f"{self.points}"
        rest = "" if self.size else " of a domain without end"
        return f"tested at {reach} points{rest}" + (f" ({self.why})" if self.why else "") + _noted(self.note)


@dataclass(frozen=True, slots=True)
class Refuted:
    """It fails at ``counterexample``, where no symbol can be made smaller without its holding; both sides are exact.

    ``wanted`` is what the left side should be of the right one (``at most``). Where something was said to exist and
    does not, there is no counterexample, and ``reason`` tells how far was looked.
    """

    word: ClassVar[str] = "refuted"
    counterexample: tuple[Assignment, ...]
    left: Side | None = None
    wanted: str = ""
    right: Side | None = None
    reason: str = ""

    def __str__(self) -> str:
        if self.left is None or self.right is None:
            return self.reason
        where = f"at {_listed(self.counterexample)}" if self.counterexample else "whatever the inputs"
        right = shortened(self.right.text, 60)
        value = _exact(self.right.value)
        known = "" if right == value else f", which is {value}"
        return (
            f"{where}: {shortened(self.left.text, 60)} is {_exact(self.left.value)}, not {self.wanted} {right}{known}"
        )


@dataclass(frozen=True, slots=True)
class Invalid:
    """It cannot be decided as it stands: a missing or empty domain, a zero denominator, an unknown name, too large.

    ``blocked`` where another fault, reported at its own place, is the reason.
    """

    word: ClassVar[str] = "invalid"
    reason: str
    location: Location
    length: int = 1
    blocked: bool = False
    missing: str = ""
    """What it names that is not there."""

    def __str__(self) -> str:
        return self.reason


ClaimVerdict = Proved | Tested | Refuted | Invalid
ENDINGS = (Proved, Tested, Refuted, Invalid)
"""Every way in which a claim ends, the best first; each has its ``word``."""


@dataclass(frozen=True, slots=True)
class CorrectionVerdicts:
    """A correction: each counterexample against what was stated, what was stated where it held, and what stands now."""

    counterexamples: tuple[ClaimVerdict, ...]
    holds_when: ClaimVerdict | None = None
    now: ClaimVerdict | None = None


def _noted(note: str) -> str:
    return f"; {note}" if note else ""


def _counted(size: int) -> str:
    """A number of points: exact while that can be read."""
    return f"{size:,}" if size < 10**9 else f"about 10^{len(str(size)) - 1}"


def _listed(assignments: tuple[Assignment, ...]) -> str:
    return ", ".join(map(str, assignments))


def _exact(value: Fraction) -> str:
    """The exact value; where that takes more digits than a message holds, how many it takes."""
    text = str(value)
    if len(text) <= 40:
        return text
    power = len(str(abs(value.numerator))) - len(str(value.denominator))
    return f"{text[:24]}… (an exact fraction of {len(text)} characters, about 1e{power})"


def verdict_on(
    outcome: Outcome | NoLimit, roles: tuple[Assignment, ...], space: Space, claimed: Scalar, where: Sequence[Scalar]
) -> ClaimVerdict:
    """An outcome as a verdict; ``claimed`` and ``where`` are the places that a faulty domain is reported at."""
    if isinstance(outcome, Holds):
        return Proved(outcome.method)
    if isinstance(outcome, Passed):
        return Tested(outcome.points, outcome.why, outcome.size)
    if isinstance(outcome, Fails):
        return refuted(outcome, roles)
    if isinstance(outcome, NoPoint):
        return no_point(outcome, space, where[0] if where else claimed)
    if isinstance(outcome, NoLimit):
        return no_limit(outcome, roles, space)
    return zero_divisor(outcome, roles, space, claimed)


def no_point(outcome: NoPoint, space: Space, place: Scalar) -> Invalid:
    """A domain that its conditions, or what the formulas require, leave empty."""
    known = "nothing" if outcome.certain else "nothing that was tried"
    required = listed(dict.fromkeys(shortened(c.text, 60) for c in space.conditions if c.required), 2)
    conditions = f"the conditions and what its formulas require ({required})" if required else "the conditions"
    reason = f"{known} in the declared domains satisfies {conditions} together; correct them or the domains"
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
        sizes = [verdict.size for verdict in tested]
        size = None if None in sizes else sum(size for size in sizes if size is not None)
        return Tested(sum(verdict.points for verdict in tested), tested[0].why, size)
    return Proved(" and ".join(methods) or "normal form")


def somewhere(verdicts: Iterable[ClaimVerdict]) -> ClaimVerdict:
    """One of several: the first that holds (those behind it are not decided), else what is most wrong."""
    found: list[ClaimVerdict] = []
    for verdict in verdicts:
        if isinstance(verdict, Proved):
            return verdict
        found.append(verdict)
    return next((verdict for verdict in found if isinstance(verdict, Invalid)), found[0])
