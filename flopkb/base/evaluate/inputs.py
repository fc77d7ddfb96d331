"""The inputs of one computation: what each symbol and recorded value stands for, with one value per binding.

A symbol of the formula's own record is bound by the computation, or constant, or taken from a role's record; a symbol
of another record's formula is never bound from here: only roles flow. What is bound by nothing stays a variable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Name, TooLargeError, ZeroDenominator, evaluate
from flopkb.arithmetic.units import Unit, UnitError, parse_amount, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate.facts import FactAtom, amount_in_base, fact_value, find_fact, is_of
from flopkb.base.faults import (
    BadExpression,
    BadInput,
    Blocked,
    Fault,
)
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.expressions import link_expr
from flopkb.base.link.formulas import check_dimension, readable
from flopkb.base.link.targets import NO_FALLBACK, FormulaRef, LinkedExpr, SymbolAtom, ValueAtom
from flopkb.base.model import ROLES, Fact, Symbol


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
    """A recorded value, found; ``via`` is how a formula names it."""

    atom: FactAtom
    fact: Fact
    value: Fraction
    via: ValueAtom
    instead_of: ValueAtom | None = None
    """The value that the symbol takes where it is recorded, and here it is not."""


@dataclass(frozen=True, slots=True)
class Unbound:
    """Nothing gives this value; ``names`` are the inputs that would."""

    names: tuple[str, ...]


Standing = BoundNumber | BoundExpression | Taken | Unbound
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
        return {name: value.text for name, value in self.bound.items() if self.kb.scope.is_role(name)}

    def symbol(self, atom: SymbolAtom) -> Symbol:
        """The declaration of a symbol."""
        return self.kb.scope.records[atom.record].symbols[atom.name]

    def own(self, atom: SymbolAtom) -> bool:
        """Whether the computation's own names reach a symbol: that of its formula's record, or the vocabulary's."""
        return self.kb.scope.symbol(atom.name, self.formula.record) == atom

    def standing(self, target: SymbolAtom | ValueAtom) -> Standing | Fault:
        """What gives ``target`` its value (looked up once)."""
        if target not in self._found:
            self._found[target] = self._standing(target)
        return self._found[target]

    def _standing(self, target: SymbolAtom | ValueAtom) -> Standing | Fault:
        if isinstance(target, ValueAtom):
            return self._value(target)
        if target.name not in self.kb.scope.records[target.record].symbols:  # its declaration could not be read
            return Blocked(self.location, self.asked_by, cause=f"{target} is not declared")
        symbol = self.symbol(target)
        if not readable(symbol.unit):
            return Blocked(self.location, self.asked_by, cause=f"the unit of {symbol.name} is faulty")
        if target.name in self.bound and self.own(target):
            return self._binding(symbol, self.bound[target.name])
        if symbol.value is not None:
            value = amount_in_base(symbol.value, symbol.unit_text, self.asked_by, symbol.name)
            return BoundNumber(value) if isinstance(value, Fraction) else self._blocked(value)
        if symbol.source is not None:
            return self._source(symbol, target)
        return Unbound((target.name if self.own(target) else f"{target.record}.{target.name}",))

    def _source(self, symbol: Symbol, atom: SymbolAtom) -> Standing | Fault:
        """The first of the sources that is recorded, else the definition; a fault is that of the first source."""
        assert symbol.source is not None
        linked, rest = self.kb.sources.get(atom), self.kb.fallbacks.get(atom, NO_FALLBACK)
        if linked is None or isinstance(linked, Fault) or isinstance(rest, Fault):
            return Blocked(self.location, self.asked_by, cause=f"the source of {symbol.name} is faulty")
        first = self._value(linked)
        if not self._absent(linked, first):
            return first
        for later in rest.later:
            found = self._value(later)
            if not self._absent(later, found):
                return replace(found, instead_of=linked) if isinstance(found, Taken) else found
        return BoundExpression(rest.otherwise) if rest.otherwise is not None else first

    def _absent(self, target: ValueAtom, found: Standing | Fault) -> bool:
        """Whether a record simply does not have what is asked of it (neither is that unknown, nor is it faulty)."""
        if not isinstance(found, Fault) or isinstance(found, Blocked):
            return False
        record = self.kb.scope.records.get(self.roles.get(target.holder, target.holder))
        return record is not None and not any(is_of(path, target.path) for path in record.facts)

    def _value(self, target: ValueAtom) -> Standing | Fault:
        roles = self.roles
        missing = tuple(n for n in (target.holder, target.index) if self.kb.scope.is_role(n) and n not in roles)
        if missing:
            return Unbound(missing)
        holder = roles.get(target.holder, target.holder)
        record = self.kb.scope.records.get(holder)
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
        return Taken(FactAtom(record.id, path), fact, value, target)

    def _fills(self, role: str, id: str) -> bool:
        """Whether a record can fill a role (where it cannot, that is reported where it is bound)."""
        record = self.kb.scope.records.get(id)
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
        linked = link_expr(text, self.kb.scope.records[self.formula.record], self.kb.scope)
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
