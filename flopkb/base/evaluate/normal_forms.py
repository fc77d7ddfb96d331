"""Rational normal forms of formulas and computations: what a value depends on, decided exactly."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace

from flopkb.arithmetic.formula import (
    Binary,
    Call,
    Expr,
    Has,
    Name,
    Rational,
    Rebound,
    Sum,
    TooLargeError,
    Unary,
    ZeroDenominator,
    normal_form,
    to_text,
    walk,
)
from flopkb.base.evaluate.asked import Unbound
from flopkb.base.evaluate.inputs import BoundExpression, BoundNumber, Inputs, Taken
from flopkb.base.faults import BadExpression, Cycle, DividesByZero, Fault, Stopped, round_trip
from flopkb.base.link import KnowledgeBase, Shape
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
    shaped: dict[tuple[Shape, FormulaRef], Rational] = field(default_factory=dict)
    """Forms of formulas whose cases, sums and calls depend on what is asked."""

    def carried(self, kb: KnowledgeBase, touched: Container[FormulaRef], id: str) -> NormalForms:
        """The forms of another state of the base but for formulas that are ``touched``, and what was asked of the record ``id``."""
        known = {ref: form for ref, form in self.known.items() if ref not in touched}
        shaped = {
            key: form
            for key, form in self.shaped.items()
            if key[1].plain not in touched and not any(id in str(part) for part in key[0][1:])
        }
        return NormalForms(kb, known, shaped)

    def formula(self, ref: FormulaRef, env: Inputs) -> Rational:
        """The form of a formula as it is read with some inputs, those that it names first; raises :class:`Stopped`."""
        found = self._known(ref, env)
        if found is None:
            for named in env.order(ref):
                if self._known(named, env) is None:
                    self._keep(named, env, self.expression(env.body(named), env))
            found = self._known(ref, env)
            assert found is not None, "order ends with the formula itself"
        return found

    def _known(self, ref: FormulaRef, env: Inputs) -> Rational | None:
        return self.known.get(ref) if self._is_plain(ref) else self.shaped.get((env.shape(ref), ref))

    def _keep(self, ref: FormulaRef, env: Inputs, form: Rational) -> None:
        if self._is_plain(ref):
            self.known[ref] = form
        else:
            self.shaped[env.shape(ref), ref] = form

    def _is_plain(self, ref: FormulaRef) -> bool:
        return ref.frame is None and self.kb.reach(ref).plain

    def faults(self, holders: Iterable[str]) -> Iterator[Fault]:
        """What is wrong with the formulas of some records in themselves, whether or not anything is computed from them."""
        for ref in self.kb.formulas_in(holders):
            linked = self.kb.formulas[ref]
            env = Inputs(self.kb, ref, ref.record, linked.formula.key.location, {})
            plain = linked.body is not None and self.kb.reach(ref).plain
            for case in linked.cases:
                try:
                    _ = self.formula(ref, env) if plain else self.alone(case.body)
                except Stopped as stopped:
                    yield stopped.fault

    def alone(self, body: LinkedExpr) -> Rational:
        """The form of an expression by itself: what it looks up in other formulas and in layers is a variable each."""
        for node in walk(body.expr):
            for part in (node.term,) if isinstance(node, Sum) else ():
                self.alone(replace(body, expr=part))
        return formed(replace(body, expr=without_lookups(body.expr)), lambda name: Rational.atom(str(name)))

    def expression(self, body: LinkedExpr, env: Inputs) -> Rational:
        """The form of an expression in plain arithmetic over the atoms of its names; raises :class:`Stopped`."""

        def resolve(name: Name) -> Rational:
            return self.target(body.targets[name], env)

        return formed(body, resolve)

    def target(self, target: Target, env: Inputs) -> Rational:
        """The form of what a name stands for: a formula's own form, else a variable."""
        return self.formula(target, env) if isinstance(target, FormulaRef) else Rational.atom(target)

    def resolved(self, env: Inputs) -> Rational:
        """The form of the environment's formula, with bound expressions and recorded values put in their places."""
        return self.put(self.formula(env.formula, env), env)

    def put(self, form: Rational, env: Inputs, leaf: Leaf = as_unknown, open_: tuple[Unknown, ...] = ()) -> Rational:
        """The form with what ``env`` binds in its place, what is no expression as ``leaf`` says; :class:`Stopped`."""
        replacements: dict[object, Rational] = {}
        for atom in sorted(form.atoms(), key=str):  # of several faults always the same one stops it
            if isinstance(atom, (SymbolAtom, ValueAtom)):
                replaced = self._replacement(atom, env, leaf, open_)
                if replaced is not None:
                    replacements[atom] = replaced
        return form.substitute(replacements) if replacements else form

    def _replacement(self, atom: Unknown, env: Inputs, leaf: Leaf, open_: tuple[Unknown, ...]) -> Rational | None:
        standing = env.standing(atom)
        if isinstance(standing, Fault):
            raise Stopped(standing)
        if not isinstance(standing, BoundExpression):
            return leaf(atom, standing)
        if atom in open_:
            path = round_trip([str(each) for each in open_[open_.index(atom) :]])
            raise Stopped(Cycle(*env.place, path=path))
        return self.put(self.expression(standing.body, env), env, leaf, (*open_, atom))


def formed(body: LinkedExpr, resolve: Callable[[Name], Rational]) -> Rational:
    """The form of an expression; raises :class:`Stopped` where it is too large or divides by what is always zero."""
    try:
        return normal_form(body.expr, resolve)
    except TooLargeError as error:
        fault = BadExpression(body.source.at(error.offset), body.record, error.length, reason=str(error))
        raise Stopped(fault) from error
    except ZeroDenominator as error:
        raise Stopped(always_zero(body, error)) from error


def without_lookups(expr: Expr) -> Expr:
    """The expression with a name for each sum over layers, each formula at inputs of its own and each ``has``."""
    match expr:
        case Sum() | Rebound() | Has():
            return Name((to_text(expr),), offset=expr.offset, end=expr.end)
        case Binary():
            return replace(expr, left=without_lookups(expr.left), right=without_lookups(expr.right))
        case Unary():
            return replace(expr, operand=without_lookups(expr.operand))
        case Call():
            return replace(expr, args=tuple(map(without_lookups, expr.args)))
    return expr


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
