"""A formula turned around: the value of one symbol at which a comparison holds or two sides meet, all else being given.

Both sides become rational forms in that symbol alone, as :mod:`flopkb.base.evaluate.search` makes them for greatest
values; what the formulas on the way require narrows the answer. In: a statement and bindings. Out: a
:class:`Solution`, or :class:`Stopped` with what keeps it from being found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import DimensionError, Name, Rational, compares, dimension
from flopkb.arithmetic.numbers import short_text, with_unit
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.greatest import Bound, Outcome, bound
from flopkb.arithmetic.prover.stretches import Stretch, holds, root, stretch, trend
from flopkb.arithmetic.units import ONE, Unit, UnitError, parse_amount
from flopkb.base.document import Scalar
from flopkb.base.evaluate.asked import roles_through
from flopkb.base.evaluate.cases import put_side
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.domains import value_set
from flopkb.base.evaluate.inputs import Inputs
from flopkb.base.evaluate.limits import limits
from flopkb.base.evaluate.normal_forms import NormalForms
from flopkb.base.evaluate.requirements import Beyond, Examined, examined, facts_assumed, frames_of
from flopkb.base.evaluate.search import complete, form_in
from flopkb.base.evaluate.values import walk
from flopkb.base.faults import BadInput, NotApplicable, Stopped, UnitMismatch, UnknownInput, UnreadInput, nearest
from flopkb.base.link.expressions import link_expr, words_of
from flopkb.base.link.formulas import named_unit, unit_of
from flopkb.base.link.frames import ROOT
from flopkb.base.link.targets import FormulaRef, LinkedExpr, LinkedRequirement, SymbolAtom, ValueAtom
from flopkb.base.model import ROLES

OPERATORS = ("<=", ">=", "==", "<", ">", "=")
_NOWHERE = Location("", 1, 1)


@dataclass(frozen=True, slots=True)
class Statement:
    """What is to hold: two texts, each a formula, an expression in formulas or an amount, and what is between them."""

    left: str
    op: str
    right: str

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a statement: its unit, and what it reads (None: it is an amount)."""

    text: str
    unit: Unit
    amount: Fraction | None = None
    body: LinkedExpr | None = None

    @property
    def refs(self) -> tuple[FormulaRef, ...]:
        """The formulas that it names."""
        targets = self.body.targets.values() if self.body is not None else ()
        return tuple(target for target in targets if isinstance(target, FormulaRef))


@dataclass(frozen=True, slots=True)
class Instance:
    """Both sides at one value of the symbol, in base units."""

    at: Fraction
    left: Fraction
    right: Fraction


@dataclass(frozen=True, slots=True)
class Solution:
    """Where a statement holds: ``value`` is the last or first one that it holds at, in base units of ``unit``.

    Without a value it holds at every one, or at none: ``words`` say which and why. ``exact`` is where two sides meet
    between the values that the symbol may take.
    """

    name: str
    unit: Unit
    words: str
    value: Fraction | None = None
    exact: Fraction | None = None
    never: bool = False
    rounded: bool = False
    sides: tuple[Side, Side] | None = None
    around: tuple[Instance, ...] = ()
    assumes: tuple[str, ...] = ()
    upward: bool = True
    """Whether the statement holds up to the value, not from it on."""
    beyond: Beyond | None = None
    """What is assumed of the symbol, where the value is beyond it."""


@dataclass(frozen=True, slots=True)
class StatedProblem:
    """A statement put in a base: its forms in the one symbol, over the domain of that."""

    statement: Statement
    symbol: SymbolAtom
    unit: Unit
    domain: ValueSet
    env: Inputs
    forms: NormalForms
    sides: tuple[Side, Side]
    left: Rational
    right: Rational

    @property
    def excess(self) -> Rational:
        """The left side less the right."""
        return self.left - self.right

    def instance(self, at: Fraction) -> Instance:
        """Both sides at a value."""
        left, right = (form.evaluate({self.symbol: at}) for form in (self.left, self.right))
        return Instance(at, left, right)

    def told(self, at: Fraction | None) -> str:
        """Both sides at a value, in words; at any where the symbol cancels."""
        found = self.instance(self.domain.low if at is None else at)
        sides = ((found.left, self.sides[0]), (found.right, self.sides[1]))
        shown = [f"{side.text} is {short_text(value, side.unit)}" for value, side in sides if side.body is not None]
        where = "" if at is None else f"at {self.symbol.name} = {short_text(at, self.unit)} "
        return where + " and ".join(shown)

    def solution(self, words: str, *, never: bool = False) -> Solution:
        """A solution of it without a value."""
        return Solution(self.symbol.name, self.unit, words, never=never, sides=self.sides)

    def at(self, value: Fraction) -> Inputs:
        """The inputs with the symbol bound to a value."""
        text = str(value / self.unit.scale)
        return self.env.again({**self.env.bound, self.symbol.name: Scalar(_NOWHERE, text, text)})

    def checked(self, value: Fraction) -> Examined:
        """What comes of requirements and assumptions at a value: of the formulas named, and of all that these read."""
        env = self.at(value)
        found = examined(env, [read for side in self.sides for ref in side.refs for read in env.order(ref)])
        computed = Computed(env, {})
        with suppress(Stopped):  # what cancels has no value, and no assumption either
            for body in (side.body for side in self.sides if side.body is not None):
                computed.expression(body, str(self.statement))
        facts = (line for each in (computed, found.read) for line in facts_assumed(each))
        return replace(found, assumed=tuple(dict.fromkeys((*found.assumed, *facts))))


def solve(statement: Statement, name: str, env: Inputs, forms: NormalForms) -> Solution:
    """The value of the symbol ``name`` at which a statement holds; raises :class:`Stopped`."""
    problem = problem_of(statement, name, env, forms)
    if not problem.excess.depends_on(problem.symbol):
        return _unmoved(problem)
    return _meeting(problem) if statement.op in ("=", "==") else _end(problem)


# -- the statement in the base -------------------------------------------------------------------------------------------
def problem_of(statement: Statement, name: str, env: Inputs, forms: NormalForms) -> StatedProblem:
    symbol = _unknown(name, env)
    sides = _sides(statement, env)
    unit = unit_of(symbol, env.kb.scope)
    refs = [ref for side in sides for ref in side.refs]
    domain = _domain(symbol, refs, env)
    start = str(domain.low / unit.scale)
    bound_env = env.again({**env.bound, name: Scalar(_NOWHERE, start, start)})
    for ref in refs:
        if name in env.kb.reach(ref).deciding:
            reason = f"{name} decides which case of {ref} holds, so it cannot be solved for; try values of it with eval"
            raise Stopped(BadInput(*env.place, reason=reason))
    left, right = (_form(side, symbol, bound_env, forms) for side in sides)
    complete([left, right], symbol, bound_env)
    _all_read(sides, symbol.name, bound_env, forms)
    return StatedProblem(statement, symbol, unit, domain, bound_env, forms, sides, left, right)


def _unknown(name: str, env: Inputs) -> SymbolAtom:
    """The symbol that is solved for."""
    record, scope = env.kb.scope.records[env.formula.record], env.kb.scope
    symbol = scope.symbol(name, record.id)
    if symbol is None or words_of(symbol, scope) is not None:
        if name in ROLES:
            reason = f"{name} is a role; solve for a number, as B, L or bandwidth"
            raise Stopped(BadInput(*env.place, reason=reason))
        meant = nearest(name, scope.symbols(record))
        raise Stopped(UnknownInput(*env.place, name=name, holder=record.id, meant=meant, what="symbol"))
    if name in env.bound:
        reason = f"{name} is what is sought; leave out {name}={env.bound[name].text}"
        raise Stopped(BadInput(*env.place, reason=reason))
    return symbol


def _domain(symbol: SymbolAtom, refs: list[FormulaRef], env: Inputs) -> ValueSet:
    scale, found = unit_of(symbol, env.kb.scope).scale, None
    for limit in limits(symbol, env.kb, [each for ref in refs for each in env.kb.order(ref.plain)]):
        values = value_set(limit.domain, scale)
        found = values if found is None else found.meet(values)
    if found is None or found.empty:
        reason = f"{symbol.name} has {'no' if found is None else 'an empty'} domain, so nothing can be sought in it"
        raise Stopped(BadInput(*env.place, reason=reason))
    return found


def _sides(statement: Statement, env: Inputs) -> tuple[Side, Side]:
    """Both sides read; a bare number is in the unit of the other side. They must be of one dimension."""
    left, right = (_side(text, env) for text in (statement.left, statement.right))
    if left.body is None and right.body is None:
        raise Stopped(BadInput(*env.place, reason=f"{statement} names no formula; write FORMULA = VALUE"))
    left, right = _in_unit_of(left, right), _in_unit_of(right, left)
    if left.unit.dimension != right.unit.dimension:
        found, wanted = right.unit.text or "1", left.unit.text or "1"
        raise Stopped(UnitMismatch(*env.place, found=found, wanted=wanted, what=left.text, this=right.text))
    return left, right


def _in_unit_of(side: Side, other: Side) -> Side:
    if side.amount is None or side.unit != ONE:
        return side
    text = with_unit(side.text, other.unit.text)
    return replace(side, text=text, unit=other.unit, amount=side.amount * other.unit.scale)


def _side(text: str, env: Inputs) -> Side:
    scope = env.kb.scope
    try:
        amount = parse_amount(text)
        return Side(text, amount.unit, amount.base)
    except UnitError as error:
        if text[:1].isdigit() and not any(each in text for each in "*+(."):
            raise Stopped(BadInput(*env.place, reason=str(error))) from error
    body = link_expr(Scalar(_NOWHERE, text, text), scope.records[env.formula.record], scope)
    if not isinstance(body, LinkedExpr):
        raise Stopped(body)
    try:
        found = dimension(body.expr, partial(named_unit, body.targets, scope))
    except DimensionError as error:
        raise Stopped(BadInput(*env.place, reason=f"{text}: {error}")) from error
    only = body.targets.get(body.expr) if isinstance(body.expr, Name) else None
    return Side(text, unit_of(only, scope) if only is not None else replace(found, text=found.base_text), body=body)


def _form(side: Side, symbol: SymbolAtom, env: Inputs, forms: NormalForms) -> Rational:
    if side.body is None:
        return Rational.of(side.amount or Fraction(0))
    return form_in(symbol, env.put_in(side.body, ROOT), env, forms)


def _all_read(sides: tuple[Side, Side], sought: str, env: Inputs, forms: NormalForms) -> None:
    """Raise for an input that neither side reads."""
    refs, bodies = [ref for side in sides for ref in side.refs], [side.body for side in sides if side.body is not None]
    atoms = {atom for ref in refs for atom in walk(forms, env.again(formula=ref))}
    atoms |= {atom for body in bodies for atom in body.targets.values() if isinstance(atom, (SymbolAtom, ValueAtom))}
    atoms |= {*env.deciders, *examined(env, refs).read.targets}
    sources = (env.kb.sources.get(atom.plain) if isinstance(atom, SymbolAtom) else atom for atom in atoms)
    roles = {role for source in sources if isinstance(source, ValueAtom) for role in roles_through(source)}
    symbols = {atom.name for atom in atoms if isinstance(atom, SymbolAtom)}
    for name in env.bound:
        read = roles & ROLES.keys() if name in ROLES else symbols
        if name not in read and name != sought:
            raise Stopped(UnreadInput(*env.place, name=name, formula=str(env.formula)))


# -- where it holds ------------------------------------------------------------------------------------------------------
def _unmoved(problem: StatedProblem) -> Solution:
    """A statement in which the symbol cancels: it holds at every value, or at none."""
    excess, op = problem.excess.evaluate({}), problem.statement.op
    met = compares("==" if op == "=" else op, excess, Fraction(0))
    words = f"{problem.symbol.name} does not move it: {problem.told(None)}"
    return problem.solution(words, never=not met)


def _end(problem: StatedProblem) -> Solution:
    """The last value at which a comparison holds, or the first, whichever it is bounded by."""
    limit = bound(problem.statement.op, problem.left, problem.right)
    assert limit is not None, "an equation has its own way"
    found = stretch(limit, problem.symbol, problem.domain)
    if isinstance(found, Outcome):
        if found is Outcome.UNKNOWN:
            raise Stopped(_untold(problem))
        return problem.solution(f"never: {problem.told(_best(problem, limit))}", never=True)
    allowed, stops = allowed_in(problem)
    if isinstance(allowed, NotApplicable):
        return problem.solution(f"never: {allowed.told}", never=True)
    both = found.meet(allowed)
    if both is None:
        where = f"{problem.statement} holds from {problem.symbol.name} = {short_text(found.low, problem.unit)} on"
        return problem.solution(f"never: {where}, and there {stops[0].words}", never=True)
    up = found.ends or not found.starts
    if up and not both.ends:
        return _throughout(problem, both)
    value = both.high if up else both.low
    return _answer(problem, value, found, allowed, stops, up)


def _best(problem: StatedProblem, limit: Bound) -> Fraction:
    """The end of the domain at which a comparison comes nearest to holding."""
    return min((problem.domain.low, problem.domain.high), key=lambda end: limit.excess.evaluate({problem.symbol: end}))


def _throughout(problem: StatedProblem, both: Stretch) -> Solution:
    last = short_text(both.high, problem.unit)
    seen = problem.checked(both.high)
    if seen.unmet is not None:
        return problem.solution(f"never: {seen.unmet.told}", never=True)
    words = f"no limit up to {last}: {problem.told(both.high)}"
    return replace(problem.solution(words), around=(problem.instance(both.high),), assumes=seen.assumed)


def _answer(
    problem: StatedProblem,
    value: Fraction,
    found: Stretch,
    allowed: Stretch,
    stops: tuple[LinkedRequirement, ...],
    up: bool,
) -> Solution:
    seen = problem.checked(value)
    if seen.unmet is not None:
        return problem.solution(f"never: {problem.told(value)}, but {seen.unmet.told}", never=True)
    own = found.high == value if up else found.low == value
    words = "" if own or not stops else f"beyond it {stops[0].words}"
    strict = problem.statement.op in ("<", ">") and problem.domain.finite is None and own
    words = f"anything {'below' if up else 'above'} it, not {problem.symbol.name} itself" if strict else words
    exact = root(problem.excess, problem.symbol, problem.domain) if own else None
    beyond = beside(problem.domain, value, 1 if up else -1) if own else None
    around = [problem.instance(each) for each in (value, beyond) if each is not None]
    return replace(
        problem.solution(words),
        value=value,
        exact=exact if exact != value else None,
        rounded=found.rounded and own,
        around=tuple(around),
        assumes=seen.assumed,
        beyond=seen.limit_of(problem.symbol.name),
        upward=up,
    )


def beside(domain: ValueSet, value: Fraction, step: int) -> Fraction | None:
    """The value of a grid beside another; None on an interval, and beyond its ends."""
    if domain.values or domain.step is None:
        return None
    other = value + step * domain.step
    return other if domain.low <= other <= domain.high else None


def _meeting(problem: StatedProblem) -> Solution:
    """Where two sides are equal, or on a grid the first value at or past it."""
    direction = trend(problem.excess, problem.symbol, problem.domain)
    exact = root(problem.excess, problem.symbol, problem.domain)
    if direction is None and (exact is None or not problem.domain.holds(exact)):
        raise Stopped(_untold(problem))
    if exact is not None and problem.domain.holds(exact):
        return _met(problem, exact, exact, rounded=False)
    limit = Bound("<=", -problem.excess if (direction or 1) > 0 else problem.excess)
    if holds(limit, problem.symbol, problem.domain.low) or not holds(limit, problem.symbol, problem.domain.high):
        ends = f"{problem.told(problem.domain.low)}, and {problem.told(problem.domain.high)}"
        return problem.solution(f"never: {ends}", never=True)
    past = stretch(limit, problem.symbol, problem.domain)
    assert isinstance(past, Stretch), "it turns inside of the domain"
    return _met(problem, past.low, exact, rounded=past.rounded)


def _met(problem: StatedProblem, value: Fraction, exact: Fraction | None, *, rounded: bool) -> Solution:
    seen = problem.checked(value)
    if seen.unmet is not None:
        where = f"they meet at {problem.symbol.name} = {short_text(value, problem.unit)}"
        return problem.solution(f"never: {where}, where {seen.unmet.told}", never=True)
    before = beside(problem.domain, value, -1) if exact != value else None
    around = [problem.instance(each) for each in (before, value) if each is not None]
    words = "the first at or past it" if exact != value and not rounded else ""
    return replace(
        problem.solution(words),
        value=value,
        exact=exact if exact != value else None,
        rounded=rounded,
        around=tuple(around),
        assumes=seen.assumed,
        beyond=seen.limit_of(problem.symbol.name),
    )


def _untold(problem: StatedProblem) -> BadInput:
    name = problem.symbol.name
    reason = f"{problem.statement} may hold, fail and hold again as {name} grows; try several values of it with eval"
    return BadInput(*problem.env.place, reason=reason)


# -- what the formulas on the way require ----------------------------------------------------------------------------------
def allowed_in(problem: StatedProblem) -> tuple[Stretch | NotApplicable, tuple[LinkedRequirement, ...]]:
    """Where everything holds that is required, and the requirements that leave out a part of the domain."""
    whole = Stretch(problem.domain.low, problem.domain.high)
    stops: list[LinkedRequirement] = []
    for asked, limit in required_in(problem):
        found = stretch(limit, problem.symbol, problem.domain)
        both = whole.meet(found) if isinstance(found, Stretch) else None
        if found is Outcome.UNKNOWN:
            continue  # the answer is held against it all the same
        if both is None:
            unmet = problem.checked(problem.domain.low).unmet or problem.checked(problem.domain.high).unmet
            if unmet is not None:
                return unmet, (asked,)
            continue
        stops += [asked] if both != whole else []
        whole = both
    return whole, tuple(reversed(stops))


def required_in(problem: StatedProblem) -> Iterator[tuple[LinkedRequirement, Bound]]:
    """The bounds that the formulas on the way set to the symbol, each once."""
    queue, seen = [ref for side in problem.sides for ref in side.refs], set[FormulaRef]()
    while queue:
        ref = queue.pop(0)
        if ref in seen:
            continue
        seen.add(ref)
        queue += problem.env.order(ref)
        for asked in problem.env.kb.formulas[ref.plain].requires:
            queue += [target for target in asked.targets if isinstance(target, FormulaRef)]
            for limit in _bounds_of(asked, ref, problem):
                yield asked, limit


def _bounds_of(asked: LinkedRequirement, ref: FormulaRef, problem: StatedProblem) -> Iterator[Bound]:
    try:
        for frame in frames_of(asked, ref.frame or ROOT, problem.env):
            for part in asked.parts:
                left, right = (
                    form_in(
                        problem.symbol,
                        put_side(side, asked.body, frame, problem.env),
                        problem.env,
                        problem.forms,
                    )
                    for side in (part.left, part.right)
                )
                limit = bound(part.op, left, right)
                if limit is not None and limit.excess.atoms() <= {problem.symbol}:
                    yield limit
    except Stopped:  # what it lacks is told where the answer is held against it
        return
