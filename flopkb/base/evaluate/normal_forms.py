"""Rational normal forms of formulas and computations: what a value depends on, decided exactly."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field

from flopkb.arithmetic.formula import Name, Rational, TooLargeError, ZeroDenominator, normal_form
from flopkb.base.evaluate.inputs import BoundExpression, BoundNumber, Inputs, Taken, Unbound
from flopkb.base.faults import BadExpression, Blocked, Cycle, DividesByZero, Fault, Stopped, round_trip
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom


@dataclass(frozen=True, slots=True)
class OverAtom:
    """A symbol bound anew on the lower side of a figure with ``over``."""

    atom: SymbolAtom

    def __str__(self) -> str:
        return f"{self.atom} (over)"


Unknown = SymbolAtom | ValueAtom
Leaf = Callable[[Unknown, BoundNumber | Taken | Unbound], Rational | None]
"""What stands in a form for a symbol or recorded value that is no expression; None for itself."""


def as_unknown(atom: Unknown, standing: BoundNumber | Taken | Unbound) -> Rational | None:
    """A recorded value as an unknown of its own; what is bound to a number stays the symbol that it is."""
    return Rational.atom(standing.atom) if isinstance(standing, Taken) else None


def as_number(atom: Unknown, standing: BoundNumber | Taken | Unbound) -> Rational | None:
    """The number, in base units, that is bound or recorded."""
    return None if isinstance(standing, Unbound) else Rational.of(standing.value)


@dataclass(slots=True)
class NormalForms:
    """The normal form of each formula of a base over its symbols and recorded values, made once."""

    kb: KnowledgeBase
    known: dict[FormulaRef, Rational] = field(default_factory=dict)

    def formula(self, ref: FormulaRef) -> Rational:
        """The form of a formula, those that it names first; raises :class:`Stopped`."""
        for named in self.kb.order(ref) if ref not in self.known else ():
            if named in self.known:
                continue
            linked = self.kb.formulas[named]
            if linked.body is None:
                where = linked.formula.key.location
                raise Stopped(Blocked(where, named.record, cause=f"{named} is faulty"))
            self.known[named] = self.expression(linked.body)
        return self.known[ref]

    def faults(self, holders: Container[str]) -> Iterator[Fault]:
        """What is wrong with the formulas of some records in themselves, whether or not anything is computed from them."""
        for ref, linked in self.kb.formulas.items():
            try:
                if linked.body is not None and ref.record in holders:
                    self.formula(ref)
            except Stopped as stopped:
                yield stopped.fault

    def expression(self, body: LinkedExpr) -> Rational:
        """The form of an expression over the atoms of its names; raises :class:`Stopped`."""

        def resolve(name: Name) -> Rational:
            return self.target(body.targets[name])

        try:
            return normal_form(body.expr, resolve)
        except TooLargeError as error:
            where = body.source.at(error.offset)
            fault = BadExpression(where, body.record, error.length, reason=str(error))
            raise Stopped(fault) from error
        except ZeroDenominator as error:
            raise Stopped(always_zero(body, error)) from error

    def target(self, target: Target) -> Rational:
        """The form of what a name stands for: a formula's own form, else a variable."""
        return self.formula(target) if isinstance(target, FormulaRef) else Rational.atom(target)

    def resolved(self, env: Inputs) -> Rational:
        """The form of the environment's formula, with bound expressions and recorded values put in their places."""
        return self.put(self.formula(env.formula), env)

    def put(self, form: Rational, env: Inputs, leaf: Leaf = as_unknown, open_: tuple[str, ...] = ()) -> Rational:
        """The form with what ``env`` binds in its place, what is no expression as ``leaf`` says; :class:`Stopped`."""
        replacements: dict[object, Rational] = {}
        for atom in sorted(form.atoms(), key=str):  # of several faults always the same one stops it
            if isinstance(atom, (SymbolAtom, ValueAtom)):
                replaced = self._replacement(atom, env, leaf, open_)
                if replaced is not None:
                    replacements[atom] = replaced
        return form.substitute(replacements) if replacements else form

    def _replacement(self, atom: Unknown, env: Inputs, leaf: Leaf, open_: tuple[str, ...]) -> Rational | None:
        standing = env.standing(atom)
        if isinstance(standing, Fault):
            raise Stopped(standing)
        if not isinstance(standing, BoundExpression):
            return leaf(atom, standing)
        if str(atom) in open_:
            path = round_trip(open_[open_.index(str(atom)) :])
            raise Stopped(Cycle(*env.place, path=path))
        return self.put(self.expression(standing.body), env, leaf, (*open_, str(atom)))


def always_zero(body: LinkedExpr, error: ZeroDenominator) -> DividesByZero:
    """The fault of a denominator that is zero whatever the inputs are."""
    return DividesByZero(
        body.source.at(error.offset),
        body.record,
        error.length,
        formula=body.source.text,
        denominator=str(error.denominator),
        always=True,
    )
