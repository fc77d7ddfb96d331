"""Values of computations, with what they depend on (decided exactly, after everything that cancels has cancelled)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod

from flopkb.arithmetic.formula import Rational, TooLargeError, ZeroDenominator
from flopkb.arithmetic.units import ONE, Unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate.asked import Unbound
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.differences import conflicts
from flopkb.base.evaluate.domains import some_value
from flopkb.base.evaluate.facts import FactAtom, is_of
from flopkb.base.evaluate.inputs import BoundExpression, Inputs, Taken
from flopkb.base.evaluate.normal_forms import NormalForms, OverAtom, as_number
from flopkb.base.evaluate.requirements import Examined, below_nothing, examined, facts_assumed
from flopkb.base.faults import BadExpression, BadInput, DividesByZero, Fault, MissingInput, Stopped
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.expressions import link_expr
from flopkb.base.link.formulas import unit_of
from flopkb.base.link.targets import Computation, FormulaRef, LinkedExpr, SymbolAtom, ValueAtom
from flopkb.base.model import ROLES, Binding, Fact

Variable = SymbolAtom | ValueAtom
_CASES = 1000
"""A figure with lists among its inputs has at most so many values."""

_TURNS = 4
"""So many stand-ins are tried for variables that cancel: a formula may divide by zero at one of them."""


@dataclass(frozen=True, slots=True)
class Case:
    """One choice of the listed inputs: its exact value in base units, and its form over all that it depends on."""

    choice: tuple[tuple[str, str], ...]
    value: Fraction
    form: Rational = field(repr=False)
    upper: Computed = field(repr=False)
    lower: Computed | None = field(repr=False)
    examined: tuple[Examined, ...] = field(default=(), repr=False)
    """What came of the requirements and assumptions of each side."""
    hypothetical: str = ""
    sought: bool = False
    """Whether the value was found by search: then it moves with all that its condition reads."""

    @property
    def told(self) -> tuple[Computed, ...]:
        """The sides with whose inputs the value moves; of one that was searched for, what its condition was read with."""
        return tuple(each.read for each in self.examined) if self.sought else self.sides

    @property
    def assumes(self) -> tuple[str, ...]:
        """The lines that go with the value: what it assumes and does not hold, or is not known."""
        unmet = (each.unmet for each in self.examined if each.unmet is not None)
        lines = [f"hypothetical, {self.hypothetical} ({each.words}: {each.detail})" for each in unmet]
        lines += [line for each in self.examined for line in each.assumed]
        lines += [
            line for side in (*self.sides, *(each.read for each in self.examined)) for line in facts_assumed(side)
        ]
        return tuple(dict.fromkeys(lines))

    @property
    def sides(self) -> tuple[Computed, ...]:
        """The computation, and with ``over`` the one that it is divided by."""
        return (self.upper,) if self.lower is None else (self.upper, self.lower)

    def taken(self) -> Iterator[Taken]:
        """The recorded values that were looked at."""
        return (taken for side in self.sides for taken in taken_by(side))

    def asked(self) -> Iterator[Taken]:
        """The recorded values that were looked at to know whether the formula applies."""
        return (taken for each in self.examined for taken in taken_by(each.read))

    def contested(self) -> tuple[tuple[FactAtom, Fact], ...]:
        """The inputs for which other sources state another value."""
        found = {taken.atom: taken.fact for taken in self.taken() if conflicts(taken.fact)}
        return tuple(sorted(found.items(), key=lambda item: item[0]))


def taken_by(side: Computed) -> Iterator[Taken]:
    """The recorded values that a side has read."""
    for atom in side.targets:
        standing = side.env.standing(atom)
        if isinstance(standing, Taken):
            yield standing


@dataclass(frozen=True, slots=True)
class Value:
    """What a computation gives: one value for each choice of its listed inputs, in base units of ``unit``."""

    computation: Computation
    unit: Unit
    cases: tuple[Case, ...]
    aggregate: str = ""
    """What is made of the values of all cases, where one value is meant."""

    @property
    def applies(self) -> bool:
        """Whether everything holds that its formulas require."""
        return all(each.unmet is None for case in self.cases for each in case.examined)

    @property
    def assumes(self) -> tuple[str, ...]:
        """The lines that go with the values, each once."""
        return tuple(dict.fromkeys(line for case in self.cases for line in case.assumes))

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The exact values, in the order of the choices, or the one that is made of them."""
        found = tuple(case.value for case in self.cases)
        if not self.aggregate:
            return found
        from flopkb.base.data.selection import AGGREGATES  # of data files, which a question does not read

        return (AGGREGATES[self.aggregate](found),)

    @property
    def value(self) -> Fraction:
        """The exact value in base units; an error for a set of several."""
        (only,) = self.values
        return only

    def depends_on(self, atom: Hashable) -> bool:
        """Whether any of the values moves with ``atom``."""
        return any(moves_with(case.form, atom) for case in self.cases)

    def facts(self) -> frozenset[FactAtom]:
        """The recorded values that the value moves with; of one that was searched for, all that its condition read."""
        moving = {
            atom
            for case in self.cases
            for atom in case.form.atoms()
            if isinstance(atom, FactAtom) and case.form.depends_on(atom)
        }
        sought = {taken.atom for case in self.cases if case.sought for side in case.told for taken in taken_by(side)}
        return frozenset(moving | sought)

    def depends_on_quantity(self, quantity: str) -> bool:
        """Whether the value moves with some recorded value of a hardware quantity."""
        return any(is_of(atom.path, quantity) for atom in self.facts())

    def contested(self) -> tuple[tuple[FactAtom, Fact], ...]:
        """The inputs for which other sources state another value."""
        found = {atom: fact for case in self.cases for atom, fact in case.contested()}
        return tuple(sorted(found.items(), key=lambda item: item[0]))


def moves_with(form: Rational, atom: Hashable) -> bool:
    """Whether a form depends on an atom, a symbol in any frame."""
    if form.depends_on(atom):
        return True
    plain = (other for other in form.atoms() if isinstance(other, SymbolAtom) and other.frame is not None)
    return any(other.plain == atom and form.depends_on(other) for other in plain)


@dataclass(slots=True)
class Evaluator:
    """Computes values over one base, remembering forms."""

    kb: KnowledgeBase
    forms: NormalForms

    def value(self, computation: Computation) -> Value | Fault:
        """The value of a computation, or the first thing that keeps it from being computed."""
        unit = self.kb.formulas[computation.formula].unit if not computation.over else ONE
        count = prod(len(binding.values) for binding in (*computation.bindings, *computation.over))
        if count > _CASES:
            return too_many(computation, count)
        try:
            cases = tuple(self._case(computation, *choice) for choice in choices(computation))
        except Stopped as stopped:
            return stopped.fault
        except TooLargeError as error:
            return BadExpression(*computation.place, reason=str(error))
        except ZeroDenominator as error:
            return zero(computation, str(error.denominator))
        return Value(computation, unit, cases, self.kb.formulas[computation.formula].formula.aggregate)

    def symbols_read(self, value: Value) -> tuple[str, ...]:
        """The names of the symbols that a value reads and an asker can bind, whether or not they cancel."""
        sides = (side.env for case in value.cases for side in case.sides)
        read = ((env, atom) for env in sides for atom in walk(self.forms, env, env.deciders))
        names = dict.fromkeys(a.name for env, a in read if isinstance(a, SymbolAtom) and env.own(a))
        checked = (each.read for case in value.cases for each in case.examined)
        names.update((a.name, None) for r in checked for a in r.targets if isinstance(a, SymbolAtom) and r.env.own(a))
        sought = self.kb.formulas[value.computation.formula].sought_symbol
        return tuple(name for name in names if sought is None or name != sought.name)

    def _case(self, computation: Computation, bound: Mapping[str, Scalar], over: Mapping[str, Scalar]) -> Case:
        upper = self._sought(self._environment(computation, bound))
        lower = self._sought(self._environment(computation, {**bound, **over})) if computation.over else None
        form = self.forms.resolved(upper)
        if lower is not None:
            under = self._renamed(lower, over)
            if under.constant() == 0:
                raise Stopped(zero(computation))
            form = form / under
        free = self._free(form, computation, upper, lower)
        value, computed, below = self._computed(computation, upper, lower, free)
        sides = [(side, side.formulas[computation.formula]) for side in (computed, below) if side is not None]
        found = tuple(self._examined(side, worth) for side, worth in sides)
        unmet = next((each.unmet for each in found if each.unmet is not None), None)
        if unmet is not None and not computation.hypothetical:
            raise Stopped(unmet)
        chosen = choice_of(computation, bound, over)
        sought = self.kb.formulas[computation.formula].sought is not None
        return Case(chosen, value, form, computed, below, found, computation.hypothetical, sought)

    def _sought(self, env: Inputs) -> Inputs:
        """The inputs with the symbol bound to its greatest value that a formula seeks (as they are, where it seeks none)."""
        if self.kb.formulas[env.formula].sought is None:
            return env
        from flopkb.base.evaluate.search import with_greatest  # brings the prover

        return with_greatest(env, self.forms)

    def _examined(self, side: Computed, value: Fraction) -> Examined:
        """What the formulas of a side require and assume; a count below nothing is refused where nothing else is."""
        found = examined(side.env, side.formulas)
        return found if found.unmet is not None else replace(found, unmet=below_nothing(value, side))

    def _computed(
        self, computation: Computation, upper: Inputs, lower: Inputs | None, free: tuple[Variable, ...]
    ) -> tuple[Fraction, Computed, Computed | None]:
        """The value, with stand-ins for the variables that cancel: any at which nothing divides by zero."""
        for turn in range(_TURNS):
            picked = {atom: stand_in(atom, upper, turn) for atom in free}
            computed = Computed(upper, picked)
            below = Computed(lower, picked) if lower is not None else None
            try:
                return side_values(computation, computed, below), computed, below
            except Stopped as stopped:
                if not free or turn == _TURNS - 1 or not isinstance(stopped.fault, DividesByZero):
                    raise
        raise AssertionError("the last turn returns or raises")

    def _environment(self, computation: Computation, bound: Mapping[str, Scalar]) -> Inputs:
        where, record, length = computation.place
        compared = self._compared(computation) if computation.over else frozenset()
        return Inputs(self.kb, computation.formula, record, where, bound, length, compared)

    def _compared(self, computation: Computation) -> frozenset[ValueAtom]:
        """The recorded values to which an input is bound on both sides of a ratio."""
        both = {b.name for b in computation.bindings} & {b.name for b in computation.over} - ROLES.keys()
        bindings = (b for b in (*computation.bindings, *computation.over) if b.name in both)
        record = self.kb.scope.records[computation.formula.record]
        linked = (link_expr(text, record, self.kb.scope) for b in bindings for text in b.values)
        bodies = (body for body in linked if isinstance(body, LinkedExpr))
        return frozenset(t for body in bodies for t in body.targets.values() if isinstance(t, ValueAtom))

    def _renamed(self, lower: Inputs, over: Mapping[str, Scalar]) -> Rational:
        """The lower side, with the symbols that ``over`` binds kept apart from those of the upper side."""
        form = self.forms.resolved(lower)
        again = {
            atom: Rational.atom(OverAtom(atom))
            for atom in form.atoms()
            if isinstance(atom, SymbolAtom) and atom.name in over and lower.own(atom)
        }
        return form.substitute(again) if again else form

    def _free(
        self, form: Rational, computation: Computation, upper: Inputs, lower: Inputs | None
    ) -> tuple[Variable, ...]:
        """The variables that cancel; a variable that nothing binds and that does not cancel is a missing input."""
        free: dict[Variable, None] = {}
        missing: list[str] = []
        for atom, names in unbound(self.forms, (upper, lower)):
            if form.depends_on(atom):
                missing.extend(names)
            else:
                free[atom] = None
        if missing:
            raise Stopped(
                MissingInput(*computation.place, formula=str(computation.formula), names=tuple(dict.fromkeys(missing)))
            )
        return tuple(free)


def side_values(computation: Computation, upper: Computed, lower: Computed | None) -> Fraction:
    """The value (of a ratio both sides), every input being in its domain; raises :class:`Stopped`."""
    value = side_value(computation, upper)
    if lower is None:
        return value
    by = side_value(computation, lower)
    if not by:
        raise Stopped(zero(computation))
    return value / by


def stand_in(atom: Variable, inputs: Inputs, turn: int = 0) -> Fraction:
    """A value in base units for a variable that cancels; ``turn`` (0, 1, ...) asks for another each time."""
    if isinstance(atom, ValueAtom):
        return Fraction(turn + 1)
    return some_value(inputs.symbol(atom).domain, turn=turn) * unit_of(atom, inputs.kb.scope).scale


def side_value(computation: Computation, side: Computed) -> Fraction:
    """The value of one side. An input outside its domain is what is wrong where it makes a denominator zero."""
    try:
        value = side.formula(computation.formula)
    except Stopped as stopped:
        if isinstance(stopped.fault, DividesByZero):
            side.check_domains()
        raise
    side.check_domains()
    return value


def unbound(
    forms: NormalForms, sides: tuple[Inputs | None, ...]
) -> Iterator[tuple[SymbolAtom | ValueAtom, tuple[str, ...]]]:
    """The variables of the formula that nothing binds, each with the inputs that would bind it."""
    for env in sides:
        if env is None:
            continue
        for atom in walk(forms, env):
            standing = env.standing(atom)
            if isinstance(standing, Unbound):
                yield atom, standing.names


def walk(forms: NormalForms, env: Inputs, deciders: Iterable[SymbolAtom] = ()) -> Iterator[SymbolAtom | ValueAtom]:
    """Every symbol and recorded value that the computation reads, those inside bound expressions too.

    Symbols that decide cases are read where they are told.
    """
    seen: set[object] = set()
    queue: list[object] = [*env.leaves(env.formula), *deciders]
    while queue:
        atom = queue.pop(0)
        if atom in seen or not isinstance(atom, (SymbolAtom, ValueAtom)):
            continue
        seen.add(atom)
        yield atom
        standing = env.standing(atom)
        if isinstance(standing, BoundExpression):
            for target in standing.body.targets.values():
                queue.extend(env.leaves(target))


def choices(computation: Computation) -> Iterator[tuple[dict[str, Scalar], dict[str, Scalar]]]:
    """Every choice of one value for each binding, as those of the upper side and those of ``over``; the last varies fastest."""
    for values in product(*(binding.values for binding in computation.bindings)):
        bound = {binding.name: value for binding, value in zip(computation.bindings, values, strict=True)}
        for others in product(*(binding.values for binding in computation.over)):
            yield bound, {binding.name: value for binding, value in zip(computation.over, others, strict=True)}


def choice_of(
    computation: Computation, bound: Mapping[str, Scalar], over: Mapping[str, Scalar]
) -> tuple[tuple[str, str], ...]:
    """The values chosen from lists, by name."""
    pairs: list[tuple[Binding, Mapping[str, Scalar]]] = [(b, bound) for b in computation.bindings]
    pairs += [(b, over) for b in computation.over]
    return tuple((b.name, chosen[b.name].text) for b, chosen in pairs if b.is_list)


def too_many(computation: Computation, count: int) -> BadInput:
    """The fault of lists that make more cases than anyone reads."""
    return BadInput(
        *computation.place,
        reason=f"the lists among the inputs of {computation.title} make {count} cases, and {_CASES} are the most; "
        "shorten them",
    )


def zero(computation: Computation, denominator: str = "") -> DividesByZero:
    """The fault of a denominator that is zero: the one named, else the value at ``over``."""
    return DividesByZero(
        *computation.place,
        formula=computation.title,
        denominator=denominator or f"{computation.formula} at its over inputs",
    )


@dataclass(frozen=True, slots=True)
class Step:
    """A formula on the way, ``text`` being the expression that counts here: its form in the variables that are left open."""

    ref: FormulaRef
    text: str
    form: Rational
    unit: Unit
    computed: Fraction | None = None
    """Its value where the form with the inputs put in would be too large."""

    @property
    def value(self) -> Fraction | None:
        """The value in base units; None where variables that cancel further on are left."""
        return self.form.constant() if self.computed is None else self.computed


def steps(case: Case, forms: NormalForms) -> Iterator[Step]:
    """Every formula on the way, innermost first; with ``over`` those of the upper side, then those of the lower."""
    for side in case.sides:
        for ref in side.formulas:
            form, computed = forms.formula(ref, side.env), None
            try:
                form = forms.put(form, side.env, as_number)
            except TooLargeError:
                computed = side.formula(ref)
            yield Step(ref, side.env.body(ref).source.text, form, side.unit(ref), computed)
