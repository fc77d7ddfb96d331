"""A formula followed through all that it names: its exact value for one choice of inputs, each of which lies in its domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Generic, TypeVar

from flopkb.arithmetic.formula import Expr, Name, TooLargeError, ZeroDenominator, evaluate
from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate.asked import Unbound
from flopkb.base.evaluate.domains import value_set
from flopkb.base.evaluate.inputs import BoundExpression, Inputs, Standing
from flopkb.base.evaluate.limits import Limit, limits
from flopkb.base.faults import (
    BadExpression,
    Cycle,
    DividesByZero,
    Fault,
    MissingInput,
    OutsideDomain,
    Stopped,
    round_trip,
)
from flopkb.base.link.formulas import unit_of
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom

V = TypeVar("V")


@dataclass(slots=True)
class Computing(Generic[V]):
    """A formula followed through all that it names, each worth a ``V`` that is computed once.

    ``picked`` stand in for variables that cancel.
    """

    env: Inputs
    picked: Mapping[SymbolAtom | ValueAtom, Fraction]
    formulas: dict[FormulaRef, V] = field(default_factory=dict)
    targets: dict[SymbolAtom | ValueAtom, V] = field(default_factory=dict)
    _open: list[Target] = field(default_factory=list)

    def evaluated(self, expr: Expr, resolve: Callable[[Name], V]) -> V:
        """What an expression is worth, each name being what ``resolve`` gives."""
        raise NotImplementedError

    def given(self, value: Fraction, standing: Standing) -> V:
        """What a number is worth that ``standing`` gives."""
        raise NotImplementedError

    def formula(self, ref: FormulaRef) -> V:
        """What a formula is worth, those that it names first; raises :class:`Stopped`."""
        for named in self.env.order(ref) if ref not in self.formulas else ():
            if named not in self.formulas:
                self.formulas[named] = self.expression(self.env.body(named), str(named))
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
            self._enter(target)
            try:
                self.targets[target] = self._leaf(target)
            finally:
                self._open.pop()
        return self.targets[target]

    def _enter(self, target: Target) -> None:
        if target in self._open:
            path = round_trip([str(each) for each in self._open[self._open.index(target) :]])
            raise Stopped(Cycle(*self.env.place, path=path))
        self._open.append(target)

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
        known = [(atom, limit) for atom in read for limit in limits(atom.plain, self.env.kb, self.formulas)]
        # A symbol that another is a multiple of comes first: it is the one to blame.
        for atom, limit in sorted(known, key=lambda pair: pair[1].domain.multiple_of is not None):
            self._check_limit(atom, limit, self.targets[atom])

    def _check_limit(self, target: SymbolAtom, limit: Limit, value: Fraction) -> None:
        scale, factor = self.unit(target).scale, self._factor(limit, target)
        allowed = value_set(limit.domain, scale)
        if not (allowed if factor is None else allowed.on_grid(factor * scale)).holds(value):
            text = self.env.binding(target)
            where = text.location if text is not None else self.env.location
            raise Stopped(
                OutsideDomain(
                    where,
                    self.env.asked_by,
                    len(text.text) if text is not None else self.env.length,
                    name=target.name,
                    value=decimal_text(value / scale),
                    domain=str(limit),
                )
            )

    def _factor(self, limit: Limit, target: SymbolAtom) -> Fraction | None:
        """The value that a symbol must be a multiple of, where its domain names a symbol that has one.

        It is looked for in the layer that ``target`` is of: not every type of layer has it.
        """
        named = limit.parent(self.env.kb)
        other = replace(named, frame=target.frame) if named is not None else None
        if other is None or isinstance(self.env.standing(other), Unbound | Fault):
            return None
        return self.target(other) / self.unit(other).scale

    def unit(self, target: Target) -> Unit:
        """The declared unit of what a name stands for."""
        return unit_of(target, self.env.kb.scope)
