"""Relations other than equality, and sides that bound a figure: each is decided, by its numbers or by the prover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location, Severity, shortened
from flopkb.arithmetic.formula import Name, compares
from flopkb.arithmetic.numbers import Verdict, decimal_text, judge, misquoted
from flopkb.arithmetic.text.joints import MIRRORED, WrittenRelation
from flopkb.arithmetic.text.strict import EquationSide, StrictEquation, read_equation
from flopkb.arithmetic.units import ONE
from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import Invalid, Proved, Tested
from flopkb.base.document import Scalar
from flopkb.base.equations.derivation import Names, UnknownHere, linked_side
from flopkb.base.equations.findings import DERIVATION, MISMATCH, UNREADABLE, EquationFault, EquationPlace
from flopkb.base.equations.numeric import TiedFigure, comes_to, scales, value_of
from flopkb.base.evaluate import QuoteResult
from flopkb.base.link import Computation
from flopkb.base.link.targets import LinkedExpr

SAME = WrittenRelation("=", "=", 0, 0)
"""That two sides of one run are equal."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What an equation is tied to: the link, the computation behind it (None: a recorded value), and its names."""

    result: QuoteResult
    computation: Computation | None
    names: Names | None
    place: EquationPlace = field(repr=False)

    @property
    def figure(self) -> TiedFigure | None:
        """The exact values, where there are any."""
        return TiedFigure.of(self.result) if self.result.values and self.result.unit is not None else None

    @property
    def title(self) -> str:
        """How messages name it."""
        return self.result.quote.title


_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}
Part = EquationSide | None
"""A side; None stands for the figure itself."""


def order_faults(equation: StrictEquation, own: int, tie: Tie) -> Iterator[EquationFault]:
    """What is wrong with the relations around the group ``own``, which is the figure, and within all other groups."""
    parts: list[Part] = [None if i == own else best_side(group) for i, group in enumerate(equation.groups)]
    for index, group in enumerate(equation.groups):
        side = parts[index]
        for other in group if side is not None else ():
            if other is not side and other.expr is not None:
                yield from pair_faults(SAME, side, other, tie)
    for index, relation in enumerate(equation.relations):
        if relation is None or not relation.sign:
            continue
        left, right = parts[index - 1] if index else None, parts[index]
        if (left is not None or index - 1 == own) and (right is not None or index == own):
            yield from pair_faults(relation, left, right, tie)


def best_side(group: Sequence[EquationSide]) -> EquationSide | None:
    """The side that tells most exactly what a run of equal sides is: symbols, then arithmetic, then a number."""
    read = [side for side in group if side.expr is not None]
    return min(read, key=lambda side: (not side.names, side.quoted is not None), default=None)


def pair_faults(relation: WrittenRelation, left: Part, right: Part, tie: Tie) -> Iterator[EquationFault]:
    """What is wrong with one relation between two sides."""
    figure = tie.figure
    if any(side is not None and side.names for side in (left, right)) or (figure is None and tie.computation):
        yield from symbolic_faults(relation, left, right, tie)
    elif figure is not None and relation.equal and left is not None and right is not None:
        yield from equal_faults(left, right, figure, tie.place)
    elif figure is not None and (left is None or right is None):
        side, sign = (right, relation.sign) if left is None else (left, MIRRORED[relation.sign])
        if side is not None:
            yield from bound_faults(sign, side, relation, figure, tie.place)
    elif figure is not None and left is not None and right is not None:
        yield from ordered_faults(relation, left, right, tie.place)


def equal_faults(
    left: EquationSide, right: EquationSide, figure: TiedFigure, place: EquationPlace
) -> Iterator[EquationFault]:
    """Two sides in numbers that are no figure: the second must be what the first comes to."""
    value = value_of(left)
    if value is None:
        yield divides(left, place)
    elif right.quoted is not None:
        unit = left.quoted.unit if left.quoted is not None and left.quoted.unit is not None else ONE
        other = replace(figure, unit=unit)
        if not comes_to(value, right, other if left.quoted is not None else figure):
            shown = left.text if left.quoted is not None else decimal_text(value)
            message = f"{right.text} is not {shortened(left.text, 60)}; it should be {shown}"
            yield place.told(MISMATCH, right, message, computed=shown)
    elif value_of(right) != value:
        message = f"{right.text} does not come to {decimal_text(value)} as {left.text} does; correct one of them"
        yield place.told(MISMATCH, right, message, computed=decimal_text(value))


def divides(side: EquationSide, place: EquationPlace) -> EquationFault:
    """The fault of arithmetic without a value."""
    return place.told(MISMATCH, side, f"{side.text} has no value: it divides by zero")


def bound_faults(
    sign: str, side: EquationSide, relation: WrittenRelation, figure: TiedFigure, place: EquationPlace
) -> Iterator[EquationFault]:
    """``figure sign side``, in numbers: it must hold exactly."""
    quoted = side.quoted
    if quoted is not None and (quoted.bound or quoted.end is not None or quoted.word is not None):
        message = f"{shortened(side.text, 60)} is no single number, so `{relation.text}` cannot be decided; write one"
        yield place.told(UNREADABLE, side, message)
        return
    if quoted is not None and sign != "!=":
        judgement = judge(replace(quoted, bound=sign, qualifier=""), figure.values, figure.unit)
        if judgement.verdict in (Verdict.UNIT_MISMATCH, Verdict.UNIT_MISSING):
            yield place.told(MISMATCH, side, misquoted(side.text, figure.title, judgement))
            return
        holds = judgement.ok
    else:
        value = value_of(side)
        if value is None:
            yield divides(side, place)
            return
        tried = scales(quoted, figure.unit) if not any(n.reading.unit for n in side.numbers) else (Fraction(1),)
        holds = all(compares(sign, v, value * scale) for v in figure.values for scale in tried)
    if not holds:
        message = (
            f"{figure.title} is {figure.text}, so `{sign} {shortened(side.text, 60)}` does not hold; correct the bound"
        )
        yield place.told(MISMATCH, side, message, computed=figure.text)


def ordered_faults(
    relation: WrittenRelation, left: EquationSide, right: EquationSide, place: EquationPlace
) -> Iterator[EquationFault]:
    """Two sides in numbers, neither of which is a figure."""
    one, other = value_of(left), value_of(right)
    if one is None or other is None:
        yield divides(left if one is None else right, place)
        return
    units = [side.quoted.unit for side in (left, right) if side.quoted is not None and side.quoted.unit is not None]
    bare = [side for side in (left, right) if not any(number.reading.unit for number in side.numbers)]
    if len({unit.dimension for unit in units}) > 1 or (units and bare and units[0].dimension):
        message = f"{left.text} and {right.text} are in units that cannot be compared; write one unit for both"
        yield place.told(MISMATCH, right, message)
    elif not compares(relation.sign, one, other):
        message = f"`{left.text} {relation.text} {right.text}` does not hold; correct the relation or a number"
        yield place.told(MISMATCH, right, message)


def symbolic_faults(relation: WrittenRelation, left: Part, right: Part, tie: Tie) -> Iterator[EquationFault]:
    """A relation with symbols, decided over their declared domains."""
    sides = [side for side in (left, right) if side is not None]
    start, end = min(side.start for side in sides), max(side.end for side in sides)
    computation, names = tie.computation, tie.names
    if computation is None or names is None or computation.over:
        message = f"`{relation.text}` cannot be decided: {tie.title} has no formula in these symbols; tie it to one"
        yield tie.place.fault(UNREADABLE, start, end, message)
        return
    try:
        written = [linked_side(side, names) if side is not None else formula_of(computation) for side in (left, right)]
    except UnknownHere as unknown:
        message = f"`{unknown}` is neither a symbol nor a formula of {names.record.id}; correct the name, or declare it"
        yield tie.place.fault(UNREADABLE, start, end, message)
        return
    declared = names.base.kb.formulas[computation.formula].unit
    for side in sides:
        if None in (left, right) and side.quoted is not None and side.quoted.value:
            judgement = judge(side.quoted, [Fraction(1)], declared)
            if judgement.verdict in (Verdict.UNIT_MISMATCH, Verdict.UNIT_MISSING):
                yield tie.place.told(MISMATCH, side, misquoted(side.text, tie.title, judgement))
                return
    sign = "==" if relation.equal else relation.sign
    yield from decided_faults(sign, written, computation, (start, end), tie, names)


def decided_faults(
    sign: str,
    written: Sequence[LinkedExpr],
    computation: Computation,
    span: tuple[int, int],
    tie: Tie,
    names: Names,
) -> Iterator[EquationFault]:
    """What the prover says of ``left sign right``."""
    left, right = written
    text = f"{left.source.text} {sign} {right.source.text}"
    where = Scalar(computation.location, text, text)
    verdict = claims_of(names.base).checker.comparison(sign, left, right, computation.bindings, where)
    shown = shortened(text, 80)
    if isinstance(verdict, Proved) or (isinstance(verdict, Invalid) and verdict.blocked):
        return
    if isinstance(verdict, Tested):
        message = f"{shown} is not proved, only {verdict}; state it as a claim, which says how far it was tested"
        yield tie.place.fault(DERIVATION, *span, message, severity=Severity.WARNING)
    elif isinstance(verdict, Invalid):
        yield tie.place.fault(UNREADABLE, *span, f"{shown} cannot be decided: {verdict}")
    else:
        yield tie.place.fault(DERIVATION, *span, f"{shown} does not hold {verdict}", quoted=text)


def never_faults(text: str, names: Names, place: EquationPlace) -> Iterator[EquationFault]:
    """Bounds in symbols that no link ties and that hold nowhere (one that holds somewhere may be a condition)."""
    read = read_equation(text, names.known)
    parts = [best_side(group) for group in read.groups]
    for left, relation, right in zip(parts, read.relations[1:], parts[1:], strict=False):
        opposite = _NEGATED.get(relation.sign) if relation is not None else None
        if relation is None or opposite is None or left is None or right is None or not (left.names or right.names):
            continue
        try:
            one, other = linked_side(left, names), linked_side(right, names)
        except UnknownHere:
            continue
        said = f"{left.text} {relation.text} {right.text}"
        where = Scalar(place.passage.scalar.location, said, said)
        if isinstance(claims_of(names.base).checker.comparison(opposite, one, other, (), where), Proved):
            message = f"{shortened(said, 80)} holds nowhere in the declared domains; correct it"
            yield place.fault(DERIVATION, left.start, right.end, message, quoted=said)


def formula_of(computation: Computation) -> LinkedExpr:
    """The formula of a computation, as an expression in its own name."""
    ref = computation.formula
    name = Name((ref.name,))
    return LinkedExpr(ref.record, Scalar(Location("", 1, 1), ref.name, ref.name), name, {name: ref})
