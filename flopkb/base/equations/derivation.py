"""Sides in symbols: each must equal the formula that the equation is tied to, in the names of its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location, shortened
from flopkb.arithmetic.formula import (
    Binary,
    Call,
    Expr,
    Name,
    Number,
    Rational,
    TooLargeError,
    Unary,
    ZeroDenominator,
    normal_form,
)
from flopkb.arithmetic.formula import names as names_in
from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.text.strict import EquationSide
from flopkb.base.document import Scalar
from flopkb.base.equations.findings import DERIVATION, UNREADABLE, EquationFault, EquationPlace
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.inputs import Inputs
from flopkb.base.evaluate.normal_forms import as_number
from flopkb.base.evaluate.values import choices
from flopkb.base.faults import BadExpression, Blocked, DividesByZero, Fault, Stopped
from flopkb.base.link import Computation, FormulaRef
from flopkb.base.link.expressions import resolve
from flopkb.base.link.targets import LinkedExpr, Target
from flopkb.base.model import Record


class UnknownHere(ValueError):
    """A name that the record does not know; ``fault`` says why."""

    def __init__(self, name: Name, fault: Fault) -> None:
        super().__init__(str(name))
        self.name = name
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Names:
    """The names that equations of a record may use: its symbols, its formulas, and how formulas are written."""

    record: Record
    base: Evaluation = field(repr=False)
    written: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record, base: Evaluation) -> Names:
        """The names of a record."""
        spelled = {text.text.replace(" ", ""): f.name for f in record.formulas.values() for text in f.written}
        return cls(record, base, {plain(name): formula for name, formula in spelled.items()})

    @property
    def known(self) -> frozenset[str]:
        """Every bare name."""
        return frozenset({*self.base.kb.scope.symbols(self.record), *self.record.formulas, *self.written})

    def formula(self, name: str) -> str | None:
        """The formula that a bare name stands for, if it does."""
        return name if name in self.record.formulas else self.written.get(name)

    def target(self, name: Name) -> Target:
        """What a name stands for; raises :class:`UnknownHere`."""
        if len(name.parts) == 1 and name.parts[0] not in self.record.symbols:
            formula = self.formula(name.parts[0])
            if formula is not None:
                return FormulaRef(self.record.id, formula)
        found = resolve(name, self.record, self.base.kb.scope, Location("", 1, 1))
        if isinstance(found, Fault):
            raise UnknownHere(name, found)
        return found


def plain(name: str) -> str:
    """A written name without the marks of LaTeX: ``M_{KV}`` is M_KV."""
    return "".join(c for c in name.replace("\\mathrm", "").replace("\\text", "") if c.isalnum() or c == "_")


def form_of(side: EquationSide, names: Names, env: Inputs, *, free: int | None = None) -> Rational:
    """The normal form of a side over symbols and recorded values; its numbers are exact, in base units.

    The number ``free`` is left open, as an atom of its name. Raises :class:`UnknownHere`,
    :class:`~flopkb.base.evaluate.inputs.Stopped` and the errors of formulas.
    """
    assert side.expr is not None

    def value(name: Name) -> Rational:
        if not name.parts[0].startswith("#"):
            return names.base.evaluator.forms.target(names.target(name), env)
        index = int(name.parts[0][1:])
        return Rational.atom(name.parts[0]) if index == free else Rational.of(amount(side, index))

    return normal_form(side.expr, value)


def linked_side(side: EquationSide, names: Names) -> LinkedExpr:
    """A side with its names looked up and its numbers in base units; raises :class:`UnknownHere`."""
    assert side.expr is not None
    expr = with_numbers(side.expr, side)
    targets = {name: names.target(name) for name in names_in(expr)}
    return LinkedExpr(names.record.id, Scalar(Location("", 1, 1), side.text, side.text), expr, targets)


def with_numbers(expr: Expr, side: EquationSide) -> Expr:
    """The tree of a side with its numbers in their places."""
    if isinstance(expr, Name) and expr.parts[0].startswith("#"):
        return Number(amount(side, int(expr.parts[0][1:])), offset=expr.offset, end=expr.end)
    if isinstance(expr, Binary):
        return replace(expr, left=with_numbers(expr.left, side), right=with_numbers(expr.right, side))
    if isinstance(expr, Unary):
        return replace(expr, operand=with_numbers(expr.operand, side))
    return replace(expr, args=tuple(with_numbers(arg, side) for arg in expr.args)) if isinstance(expr, Call) else expr


def amount(side: EquationSide, index: int) -> Fraction:
    """The value of a number of a side in base units."""
    reading = side.numbers[index].reading
    return reading.value * reading.unit.scale if reading.unit is not None else reading.value


def put(form: Rational, env: Inputs, base: Evaluation) -> Rational:
    """The form with everything put in that is bound: numbers, expressions, recorded values; raises Stopped."""
    return base.evaluator.forms.put(form, env, as_number)


def environments(computation: Computation, base: Evaluation) -> list[Inputs]:
    """One environment for each choice of the listed inputs."""
    return [
        Inputs(base.kb, computation.formula, computation.record, computation.location, bound)
        for bound, _ in choices(computation)
    ]


def derivation_faults(
    sides: Sequence[EquationSide], computation: Computation, title: str, names: Names, place: EquationPlace
) -> Iterator[EquationFault]:
    """What is wrong with the sides in symbols of one run of equal sides."""
    base = names.base
    try:
        envs = environments(computation, base)
        wanted = [(env, put(base.evaluator.forms.formula(computation.formula, env), env, base)) for env in envs]
    except (Stopped, TooLargeError, ZeroDenominator):
        return  # reported where it stands
    for index, side in enumerate(sides):
        if side.is_name and index == 0:
            yield from name_faults(side, computation, names, place)
        else:
            yield from side_faults(side, wanted, title, names, place)


def name_faults(
    side: EquationSide, computation: Computation, names: Names, place: EquationPlace
) -> Iterator[EquationFault]:
    """The name on the left must be that of the formula."""
    formula = names.formula(side.names[0])
    if formula == computation.formula.name or computation.formula.name in side.names[0].split("."):
        return
    own = computation.formula
    shown = " or ".join([own.name, *(name for name, of in names.written.items() if of == own.name)])
    message = f"{side.text} on the left is not the formula {own}; write {shown}, or add it under written:"
    yield place.told(DERIVATION, side, message)


def side_faults(
    side: EquationSide, wanted: Sequence[tuple[Inputs, Rational]], title: str, names: Names, place: EquationPlace
) -> Iterator[EquationFault]:
    """One side against the formula, for every choice of the inputs."""
    try:
        for env, right in wanted:
            found = put(form_of(side, names, env), env, names.base)
            if found != right:
                stray = stray_number(side, env, right, names)
                start, end, advice = (side.start, side.end, "") if stray is None else stray
                message = sentence(side, found, right, title) + advice
                yield place.fault(DERIVATION, start, end, message, quoted=side.text)
                return
    except UnknownHere as unknown:
        message = f"`{unknown}` is neither a symbol nor a formula of {names.record.id}; correct the name, or declare it"
        yield place.fault(UNREADABLE, unknown.name.offset, unknown.name.offset + len(str(unknown)), message)
    except ZeroDenominator:
        yield place.told(DERIVATION, side, f"{shortened(side.text, 80)} divides by zero, so it is not {title}")
    except (TooLargeError, Stopped) as error:
        if isinstance(error, Stopped) and isinstance(error.fault, (BadExpression, Blocked, DividesByZero)):
            return  # reported where it stands
        reason = str(error.fault) if isinstance(error, Stopped) else str(error)
        yield place.fault(UNREADABLE, side.start, side.end, f"{shortened(side.text, 80)} cannot be compared: {reason}")


def sentence(side: EquationSide, found: Rational, right: Rational, title: str) -> str:
    """What the side is, and what the formula is."""
    factor = (found / right).constant() if right.numerator.terms and found.numerator.terms else None
    off = f", off by a factor of {factor}" if factor is not None else ""
    shown = str(right)
    known = f": with these inputs it is {shown}" if len(shown) <= 100 else ""
    return f"{shortened(side.text, 80)} is not {title}{off}{known}"


def stray_number(side: EquationSide, env: Inputs, right: Rational, names: Names) -> tuple[int, int, str] | None:
    """The one number of a side that alone could be at fault: its place, and what it should be."""
    found = []
    for index, number in enumerate(side.numbers):
        wanted = solution(side, index, env, right, names)
        if wanted is not None and wanted > 0 and number.reading.unit is None:
            found.append((number.start, number.end, f"; write {decimal_text(wanted)} for {number.text}"))
    return found[0] if len(found) == 1 else None


def solution(side: EquationSide, index: int, env: Inputs, right: Rational, names: Names) -> Fraction | None:
    """The value of a number that makes a side equal the formula, where the side or its inverse is linear in it."""
    atom = f"#{index}"
    form = put(form_of(side, names, env, free=index), env, names.base)
    if not right.numerator.terms:
        return None
    for turned in (False, True):
        try:
            ends = [form.substitute({atom: value}) for value in (1, 2)]
            one, two, goal = (1 / part if turned else part for part in (*ends, right))
            value = ((goal - one) / (two - one)).constant()
            if value is not None and form.substitute({atom: value + 1}) == right:
                return value + 1
        except (ZeroDenominator, TooLargeError):
            continue
    return None
