"""How many per cent a cost changes when a hardware quantity changes by one: d ln cost / d ln quantity, exactly.

Computed by carrying values and their relative slopes through the formulas (forward differentiation) at one operating
point, or on each side of a cost's ``min`` and ``max`` that its domain reaches. A quantity with rows, as ``peak_flops``,
is all of its rows at once. ``floor`` and ``ceil`` count as what is inside them: a rounded cost moves in jumps, and the
elasticity is that of the cost before rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import (
    Binary,
    Call,
    Dual,
    Expr,
    Name,
    Rational,
    TieError,
    TooLargeError,
    Unary,
    ZeroDenominator,
    dual,
)
from flopkb.arithmetic.prover.decide import Effort, Fails, Statement, decide
from flopkb.arithmetic.prover.signs import Branch, branches
from flopkb.arithmetic.prover.space import Condition, DividedByZero, Point, Space, Term
from flopkb.base.claims import Checker
from flopkb.base.claims.cases import settings
from flopkb.base.claims.reading import Undecidable
from flopkb.base.claims.verdicts import Assignment, shown_point
from flopkb.base.document import Scalar
from flopkb.base.evaluate.computing import Computing
from flopkb.base.evaluate.facts import FactAtom, is_of
from flopkb.base.evaluate.inputs import Inputs, Standing, Taken
from flopkb.base.evaluate.values import Evaluator, stand_in, unbound
from flopkb.base.faults import BadInput, Fault, MissingInput, Stopped
from flopkb.base.link import FormulaRef, SymbolAtom, ValueAtom
from flopkb.base.model import Record

Atom = SymbolAtom | ValueAtom


@dataclass(frozen=True, slots=True)
class Tie:
    """Two sides of a ``min`` or ``max`` meet at the point, where the elasticity jumps from one to the other."""

    call: str

    def __str__(self) -> str:
        return f"both sides of {self.call} are equal here, so the elasticity jumps; take a point on either side"


@dataclass(slots=True)
class Slopes(Computing[Dual]):
    """Values at a point, each with its slope in the logarithm of the quantity; may raise :class:`TieError` too."""

    quantity: str = ""

    def evaluated(self, expr: Expr, resolve: Callable[[Name], Dual]) -> Dual:
        """The value and slope of an expression, as if nothing were rounded."""
        return dual(unrounded(expr), resolve)

    def given(self, value: Fraction, standing: Standing) -> Dual:
        """A number as it is given: the quantity itself has the slope of its own size."""
        moves = isinstance(standing, Taken) and is_of(standing.atom.path, self.quantity)
        return value, value if moves else Fraction(0)


def unrounded(expr: Expr) -> Expr:
    """The expression with every ``floor`` and ``ceil`` replaced by what is inside it."""
    if isinstance(expr, Call):
        args = tuple(map(unrounded, expr.args))
        return args[0] if expr.func in ("floor", "ceil") else replace(expr, args=args)
    if isinstance(expr, Binary):
        return replace(expr, left=unrounded(expr.left), right=unrounded(expr.right))
    return replace(expr, operand=unrounded(expr.operand)) if isinstance(expr, Unary) else expr


def elasticity(
    evaluator: Evaluator, ref: FormulaRef, quantity: str, bound: Mapping[str, Scalar], record: str, where: Location
) -> Fraction | Tie | Fault:
    """The elasticity of a cost at one point (``bound``), or what keeps it from being computed.

    A variable that nothing binds is no matter where it cancels in the elasticity; else it is missing.
    """
    if evaluator.kb.formulas[ref].sought is not None:
        return BadInput(
            where, record, reason=f"{ref} is found by search, so it has no elasticity; take a formula of it"
        )
    env = Inputs(evaluator.kb, ref, record, where, dict(bound))
    try:
        open_ = dict(unbound(evaluator.forms, (env, None)))
        missing = needed(evaluator, env, quantity, open_)
        if missing:
            return MissingInput(where, record, formula=str(ref), names=missing)
        value, slope = Slopes(env, {atom: stand_in(atom, env) for atom in open_}, quantity=quantity).formula(ref)
    except Stopped as stopped:
        return stopped.fault
    except TieError as tie:
        return Tie(str(tie.call.func))
    if not value:
        reason = f"{ref} is zero here, so nothing changes it by a per cent"
        return BadInput(where, record, reason=reason)
    return slope / value


def needed(evaluator: Evaluator, env: Inputs, quantity: str, open_: Mapping[Atom, tuple[str, ...]]) -> tuple[str, ...]:
    """The inputs without which the elasticity is not known: decided exactly from the form of the cost."""
    if not open_:
        return ()
    form = unrounded_form(evaluator.forms.resolved(env))
    moving = [atom for atom in form.atoms() if isinstance(atom, FactAtom) and is_of(atom.path, quantity)]
    # A min, max, floor or ceil in the way, or a zero, leaves it to the cost itself.
    decided = form if form.opaques() or not form.numerator.terms else relative_slope(form, moving)
    names = [name for atom, inputs in open_.items() if decided.depends_on(atom) for name in inputs]
    return tuple(dict.fromkeys(names))


def unrounded_form(form: Rational) -> Rational:
    """The form with every ``floor`` and ``ceil`` replaced by what is inside it (those inside a ``min`` stay)."""
    inside = {opaque: unrounded_form(opaque.args[0]) for opaque in form.opaques() if opaque.func in ("floor", "ceil")}
    return form.substitute(inside) if inside else form


def relative_slope(form: Rational, moving: Iterable[FactAtom] | Iterable[SymbolAtom]) -> Rational:
    """The elasticity as a form, where the atoms of ``moving`` move together."""
    total = Rational.of(0)
    for atom in sorted(moving, key=str):
        total = total + Rational.atom(atom) * form.partial(atom)
    return total / form


@dataclass(frozen=True, slots=True)
class BranchElasticity:
    """An elasticity that the cost can have, with a point of the declared domains where it has it."""

    elasticity: Fraction
    example: tuple[Assignment, ...]


def branch_elasticities(checker: Checker, record: Record, cost: Scalar, quantity: str) -> tuple[BranchElasticity, ...]:
    """The different elasticities on the sides of a cost's ``min`` and ``max`` that its domain reaches.

    None where the cost has no such sides, or where its domain is not declared.
    """
    try:
        return tuple(_branch_elasticities(checker, record, cost, quantity))
    except (Undecidable, TooLargeError, ZeroDenominator, DividedByZero):
        return ()


def _branch_elasticities(checker: Checker, record: Record, cost: Scalar, quantity: str) -> Iterator[BranchElasticity]:
    for setting in settings(checker.denominators, record, cost.location, (), texts=[cost]):
        term = setting.reader.term(cost)
        form = unrounded_form(term.form)
        if not form.opaques():
            return
        moving = {atom for atom in form.atoms() if isinstance(atom, SymbolAtom) and _takes(checker, atom, quantity)}
        sides = [(branch, relative_slope(branch.forms[0], moving)) for branch in branches((form,))]
        if len({slope.constant() for _, slope in sides}) < 2:
            return
        for case in setting.cases([term]):
            for branch, slope in sides:
                point = _reached(branch, term, case.space, checker.effort)
                if point is not None:
                    yield BranchElasticity(slope.evaluate(point), shown_point(form.atoms(), point, case.space))


def _reached(branch: Branch, term: Term, space: Space, effort: Effort) -> Point | None:
    """A small point at which every argument that wins in the branch does so by something."""
    *others, last = branch.leads
    for lead in others:
        space = space.where(Condition(">", lead, term.text))
    never = Statement("<=", replace(term, form=last), replace(term, form=Rational.of(0), divisors=()), space)
    outcome = decide(never, effort, 0, expect_failure=True)
    if not isinstance(outcome, Fails):
        return None
    return {**{symbol.atom: symbol.domain.low for symbol in space.symbols}, **outcome.point}


def _takes(checker: Checker, atom: SymbolAtom, quantity: str) -> bool:
    source = checker.kb.sources.get(atom.plain)
    return isinstance(source, ValueAtom) and is_of(source.path, quantity)
