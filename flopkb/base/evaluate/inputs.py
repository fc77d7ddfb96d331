"""The inputs of one computation: what each symbol and recorded value stands for, with one value per binding; domains.

A symbol of the formula's own record is bound by the computation, or constant, or taken from a role's record; a symbol
of another record's formula is never bound from here: only roles flow. What is bound by nothing stays a variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Generic, TypeVar

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Expr, Name, TooLargeError, ZeroDenominator, evaluate
from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.prover import ValueSet, listed
from flopkb.arithmetic.units import Unit, UnitError, parse_amount, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate.facts import FactAtom, amount_in_base, fact_value, find_fact
from flopkb.base.faults import (
    BadExpression,
    BadInput,
    Blocked,
    Cycle,
    DividesByZero,
    Fault,
    MissingInput,
    OutsideDomain,
    Stopped,
    round_trip,
)
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.formulas import check_dimension, readable, unit_of
from flopkb.base.link.names import link_expr
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.base.model import ROLES, Domain, Fact, Symbol


@dataclass(frozen=True, slots=True)
class BoundNumber:
    """A symbol bound to a number (in base units)."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class BoundExpression:
    """A symbol bound to an expression in other symbols."""

    body: LinkedExpr


@dataclass(frozen=True, slots=True)
class Taken:
    """A recorded value, found."""

    atom: FactAtom
    fact: Fact
    value: Fraction


@dataclass(frozen=True, slots=True)
class Unbound:
    """Nothing gives this value; ``names`` are the inputs that would."""

    names: tuple[str, ...]


Standing = BoundNumber | BoundExpression | Taken | Unbound
V = TypeVar("V")
_BINARY_SUFFIX = re.compile(r"[-+0-9.]+\s?[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Inputs:
    """One choice of a value for every binding of a computation on ``formula``."""

    kb: KnowledgeBase = field(repr=False)
    formula: FormulaRef
    asked_by: str
    location: Location
    bound: Mapping[str, Scalar]
    length: int = 1
    compared: frozenset[ValueAtom] = frozenset()
    """The recorded values that a figure with ``over`` divides by each other: a sparse peak may stand there alone."""
    _found: dict[SymbolAtom | ValueAtom, Standing | Fault] = field(default_factory=dict, compare=False, repr=False)

    @property
    def place(self) -> tuple[Location, str, int]:
        """Where a fault of the computation stands."""
        return self.location, self.asked_by, self.length

    @property
    def roles(self) -> dict[str, str]:
        """The record id in each bound role."""
        return {name: value.text for name, value in self.bound.items() if name in ROLES}

    def symbol(self, atom: SymbolAtom) -> Symbol:
        """The declaration of a symbol."""
        return self.kb.records[atom.record].symbols[atom.name]

    def standing(self, target: SymbolAtom | ValueAtom) -> Standing | Fault:
        """What gives ``target`` its value (looked up once)."""
        if target not in self._found:
            self._found[target] = self._standing(target)
        return self._found[target]

    def _standing(self, target: SymbolAtom | ValueAtom) -> Standing | Fault:
        if isinstance(target, ValueAtom):
            return self._value(target)
        if target.name not in self.kb.records[target.record].symbols:  # its declaration could not be read
            return Blocked(self.location, self.asked_by, cause=f"{target} is not declared")
        symbol = self.symbol(target)
        if not readable(symbol.unit):
            return Blocked(self.location, self.asked_by, cause=f"the unit of {symbol.name} is faulty")
        if target.record == self.formula.record and target.name in self.bound:
            return self._binding(symbol, self.bound[target.name])
        if symbol.value is not None:
            value = amount_in_base(symbol.value, symbol.unit_text, self.asked_by, symbol.name)
            return BoundNumber(value) if isinstance(value, Fraction) else self._blocked(value)
        if symbol.source is not None:
            return self._source(symbol, target)
        own = target.record == self.formula.record
        return Unbound((target.name if own else f"{target.record}.{target.name}",))

    def _source(self, symbol: Symbol, atom: SymbolAtom) -> Standing | Fault:
        assert symbol.source is not None
        linked = self.kb.sources.get(atom)
        if linked is None or isinstance(linked, Fault):
            return Blocked(self.location, self.asked_by, cause=f"the source of {symbol.name} is faulty")
        return self._value(linked)

    def _value(self, target: ValueAtom) -> Standing | Fault:
        roles = self.roles
        missing = tuple(n for n in (target.holder, target.index) if n in ROLES and n not in roles)
        if missing:
            return Unbound(missing)
        holder = roles.get(target.holder, target.holder)
        record = self.kb.records.get(holder)
        if record is None or (target.holder in ROLES and not self._fills(target.holder, holder)):
            return Blocked(self.location, self.asked_by, cause=f"{holder} is no usable record")
        index = roles.get(target.index, target.index)
        if target.index in ROLES and not self._fills(target.index, index):
            return Blocked(self.location, self.asked_by, cause=f"{index} is no usable record")
        row = record.facts.get(f"{target.path}.{target.index}") if target in self.compared else None
        if row is not None:
            found: tuple[str, Fact] | Fault = (row.path, row)
        else:
            found = find_fact(record, target.path, index, self.location, self.asked_by)
        if isinstance(found, Fault):
            return replace(found, length=self.length)
        path, fact = found
        value = fact_value(fact, record)
        if isinstance(value, Fault):
            return self._blocked(value)
        return Taken(FactAtom(record.id, path), fact, value)

    def _fills(self, role: str, id: str) -> bool:
        """Whether a record can fill a role (where it cannot, that is reported where it is bound)."""
        record = self.kb.records.get(id)
        return record is not None and record.kind is ROLES[role]

    def _blocked(self, fault: Fault) -> Fault:
        return Blocked(self.location, self.asked_by, cause=str(fault))

    def _binding(self, symbol: Symbol, text: Scalar) -> Standing | Fault:
        """A number with or without a unit, or an expression in the formula's symbols."""
        try:
            if isinstance(text.value, str):
                parse_amount(text.text)
        except UnitError as error:
            return self._expression(symbol, text, error)
        value = amount_in_base(text, symbol.unit_text, self.asked_by, symbol.name)
        return value if isinstance(value, Fault) else BoundNumber(value)

    def _expression(self, symbol: Symbol, text: Scalar, amount_error: UnitError) -> Standing | Fault:
        """An expression in the formula's symbols, in the symbol's dimension; one in numbers alone is a bare number."""
        linked = link_expr(text, self.kb.records[self.formula.record], self.kb.scope)
        if isinstance(linked, BadExpression) and _BINARY_SUFFIX.match(text.text):
            return BadInput(*text.whole(self.asked_by), reason=str(amount_error))
        if isinstance(linked, Fault):
            return replace(linked, record=self.asked_by)
        declared = parse_unit(symbol.unit_text)
        if not linked.targets:
            return self._number(linked, declared)
        return check_dimension(linked, declared, self.asked_by, self.kb.scope) or BoundExpression(linked)

    def _number(self, linked: LinkedExpr, declared: Unit) -> Standing | Fault:
        text = linked.source
        try:
            return BoundNumber(evaluate(linked.expr, _no_names) * declared.scale)
        except (ZeroDenominator, TooLargeError) as error:
            return BadInput(*text.whole(self.asked_by), reason=str(error))


def _no_names(name: Name) -> Fraction:
    raise KeyError(str(name))


@dataclass(slots=True)
class Computing(Generic[V]):
    """A formula followed through all that it names, each worth a ``V`` that is computed once.

    ``picked`` stand in for variables that cancel.
    """

    env: Inputs
    picked: Mapping[SymbolAtom | ValueAtom, Fraction]
    formulas: dict[FormulaRef, V] = field(default_factory=dict)
    targets: dict[SymbolAtom | ValueAtom, V] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def evaluated(self, expr: Expr, resolve: Callable[[Name], V]) -> V:
        """What an expression is worth, each name being what ``resolve`` gives."""
        raise NotImplementedError

    def given(self, value: Fraction, standing: Standing) -> V:
        """What a number is worth that ``standing`` gives."""
        raise NotImplementedError

    def formula(self, ref: FormulaRef) -> V:
        """What a formula is worth, those that it names first; raises :class:`Stopped`."""
        for named in self.env.kb.order(ref) if ref not in self.formulas else ():
            if named in self.formulas:
                continue
            body = self.env.kb.formulas[named].body
            if body is None:
                raise Stopped(Blocked(self.env.location, self.env.asked_by, cause=f"{named} is faulty"))
            self.formulas[named] = self.expression(body, str(named))
        return self.formulas[ref]

    def expression(self, body: LinkedExpr, title: str) -> V:
        """What an expression is worth; raises :class:`Stopped`."""
        try:
            return self.evaluated(body.expr, lambda name: self.target(body.targets[name]))
        except TooLargeError as error:
            raise Stopped(BadExpression(*self.env.place, reason=str(error))) from error
        except ZeroDenominator as error:
            raise Stopped(DividesByZero(*self.env.place, formula=title, denominator=str(error.denominator))) from error

    def target(self, target: Target) -> V:
        """What that is worth that a name stands for."""
        if isinstance(target, FormulaRef):
            return self.formula(target)
        if target not in self.targets:
            self._enter(str(target))
            try:
                self.targets[target] = self._leaf(target)
            finally:
                self._open.pop()
        return self.targets[target]

    def _enter(self, name: str) -> None:
        if name in self._open:
            raise Stopped(Cycle(*self.env.place, path=round_trip(self._open[self._open.index(name) :])))
        self._open.append(name)

    def _leaf(self, target: SymbolAtom | ValueAtom) -> V:
        standing = self.env.standing(target)
        if isinstance(standing, Fault):
            raise Stopped(standing)
        if isinstance(standing, Unbound):
            if target in self.picked:
                return self.given(self.picked[target], standing)
            raise Stopped(MissingInput(*self.env.place, formula=str(self.env.formula), names=standing.names))
        if isinstance(standing, BoundExpression):
            return self.expression(standing.body, str(target))
        return self.given(standing.value, standing)


class Computed(Computing[Fraction]):
    """The values of one choice of inputs."""

    __slots__ = ()

    def evaluated(self, expr: Expr, resolve: Callable[[Name], Fraction]) -> Fraction:
        """The exact value."""
        return evaluate(expr, resolve)

    def given(self, value: Fraction, standing: Standing) -> Fraction:
        """The value as it is given, in base units."""
        return value

    def check_domains(self) -> None:
        """Whether every input that was read lies in its domain; raises :class:`Stopped`.

        Done when all values are known: a domain may name another symbol, which may be bound to this one.
        """
        read = [atom for atom in self.targets if isinstance(atom, SymbolAtom) and atom not in self.picked]
        # A symbol that another is a multiple of comes first: it is the one to blame.
        for atom in sorted(read, key=self._is_multiple):
            self._check_domain(atom, self.targets[atom])

    def _is_multiple(self, atom: SymbolAtom) -> bool:
        domain = self.env.symbol(atom).domain
        return domain is not None and domain.multiple_of is not None

    def _check_domain(self, target: SymbolAtom, value: Fraction) -> None:
        symbol = self.env.symbol(target)
        if symbol.domain is None:
            return
        scale, factor = self.unit(target).scale, self._factor(symbol, target)
        allowed = value_set(symbol.domain, scale)
        if not (allowed if factor is None else allowed.on_grid(factor * scale)).holds(value):
            text = self.env.bound.get(target.name)
            where = text.location if text is not None else self.env.location
            raise Stopped(
                OutsideDomain(
                    where,
                    self.env.asked_by,
                    len(text.text) if text is not None else self.env.length,
                    name=target.name,
                    value=decimal_text(value / scale),
                    domain=domain_text(symbol.domain),
                )
            )

    def _factor(self, symbol: Symbol, atom: SymbolAtom) -> Fraction | None:
        """The value that a symbol must be a multiple of, where its domain names a symbol that has one."""
        of = symbol.parent
        if of is None:
            return None
        other = SymbolAtom(atom.record, of.text)
        if of.text not in self.env.kb.records[atom.record].symbols or isinstance(self.env.standing(other), Unbound):
            return None
        return self.target(other) / self.unit(other).scale

    def unit(self, target: Target) -> Unit:
        """The declared unit of what a name stands for."""
        return unit_of(target, self.env.kb.scope)


def number(text: Scalar) -> Fraction:
    """A bound or a limit as an exact number, without a unit (``0.25``, ``1/3``); the schema has checked its form."""
    return Fraction(text.text) if isinstance(text.value, str) or text.value is None else Fraction(text.value)


def value_set(domain: Domain, scale: Fraction) -> ValueSet:
    """A declared domain in base units (without what a named ``multiple_of`` asks); it may be empty."""
    if domain.one_of is not None:
        values = listed(sorted({number(member) * scale for member in domain.one_of}))
    else:
        bounds = domain.integer or domain.rational
        assert bounds is not None, "the schema asks for one of the three"
        low, high = (number(bound) * scale for bound in bounds)
        values = ValueSet(low, high)
        if domain.integer is not None:
            values = values.on_grid(scale)
    step = fixed_step(domain)
    return values.on_grid(step * scale) if step is not None else values


def fixed_step(domain: Domain) -> Fraction | None:
    """The number that values are multiples of, where the domain gives a number."""
    step = domain.multiple_of
    return number(step) if step is not None and not isinstance(step.value, str) else None


def some_value(domain: Domain | None, *, turn: int = 0) -> Fraction:
    """A member of the domain, other than zero where it has one; ``turn`` (0, 1, ...) asks for another each time."""
    if domain is None:
        return Fraction(turn + 1)
    if domain.one_of is not None:
        members = [number(m) for m in domain.one_of if number(m)] or [Fraction(0)]
        return members[turn % len(members)]
    bounds = domain.integer or domain.rational
    low, high = (number(bounds[0]), number(bounds[1])) if bounds is not None else (Fraction(1), Fraction(1))
    step = fixed_step(domain) or Fraction(1)
    first = -(-low // step) if low > 0 or high <= 0 else Fraction(1)
    member = (first + turn) * step
    return member if low <= member <= high else low or high


def domain_text(domain: Domain) -> str:
    """The domain in words."""
    if domain.one_of is not None:
        text = "one of " + ", ".join(member.text for member in domain.one_of)
    else:
        kind = "integers" if domain.integer is not None else "rationals"
        bounds = domain.integer or domain.rational
        text = f"{kind} from {bounds[0].text} to {bounds[1].text}" if bounds is not None else "any value"
    return f"{text}, multiples of {domain.multiple_of.text}" if domain.multiple_of is not None else text
