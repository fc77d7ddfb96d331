"""The texts of a claim as forms over its free symbols: names looked up, inputs put in, divisors noted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import (
    Compare,
    Expr,
    Name,
    Rational,
    TooLargeError,
    ZeroDenominator,
    denominators,
    names,
    normal_form,
    to_text,
)
from flopkb.arithmetic.prover.space import Condition, Divisor, Term
from flopkb.base.claims.verdicts import Invalid
from flopkb.base.document import Scalar
from flopkb.base.evaluate.asked import Unbound, roles_through
from flopkb.base.evaluate.inputs import BoundNumber, Inputs, Taken
from flopkb.base.evaluate.normal_forms import NormalForms
from flopkb.base.faults import Blocked, Cycle, Fault, Stopped, did_you_mean
from flopkb.base.link import FormulaRef, KnowledgeBase, Shape, SymbolAtom, ValueAtom
from flopkb.base.link.expressions import link_condition, link_expr, words_of
from flopkb.base.link.frames import ROOT, Frame
from flopkb.base.link.names import withheld
from flopkb.base.link.targets import LinkedExpr
from flopkb.base.model import ROLES, Record

Atom = SymbolAtom | ValueAtom


class Undecidable(Exception):
    """A claim that cannot be decided as it stands; ``verdict`` says why. Never leaves this package."""

    def __init__(self, verdict: Invalid) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict


def undecidable(fault: Fault) -> Undecidable:
    """The exception for a fault of linking or evaluation."""
    blocked = isinstance(fault, Blocked)
    return Undecidable(Invalid(str(fault), fault.location, fault.length, blocked, fault.missing))


def at_scalar(text: Scalar, reason: str) -> Undecidable:
    """The exception for a text of the claim."""
    return Undecidable(Invalid(reason, text.location, max(1, len(text.text.split("\n", 1)[0]))))


@dataclass(slots=True)
class Denominators:
    """What each formula of a base divides by, through every formula that it names; made once."""

    kb: KnowledgeBase
    forms: NormalForms
    _known: dict[tuple[Shape, FormulaRef], tuple[Divisor, ...]] = field(default_factory=dict)

    def of_formula(self, ref: FormulaRef, env: Inputs) -> tuple[Divisor, ...]:
        """The divisors of a formula as it is read with some inputs."""
        key = () if self.kb.reach(ref).plain else env.shape(ref), ref
        if key not in self._known:
            body = env.body(ref)
            self._known[key] = self.of_body(body, body.expr, str(ref), env)
        return self._known[key]

    def of_body(self, body: LinkedExpr, expr: Expr, title: str, env: Inputs) -> tuple[Divisor, ...]:
        """The divisors of ``expr``, whose names ``body`` looks up."""
        found: dict[Divisor, None] = {}
        for target in body.targets.values():
            if isinstance(target, FormulaRef):
                found.update(dict.fromkeys(self.of_formula(target, env)))
        for divisor in denominators(expr):
            form = form_of(divisor, body, self.forms, env)
            if form.constant() in (None, 0):
                found[Divisor(title, to_text(divisor), form)] = None
        return tuple(found)


def form_of(expr: Expr, body: LinkedExpr, forms: NormalForms, env: Inputs) -> Rational:
    """The form of an expression whose names ``body`` looks up, over symbols and recorded values."""

    def resolve(name: Name) -> Rational:
        target = body.targets[name]
        try:
            return forms.target(target, env)
        except Stopped as stopped:  # what is wrong with a formula itself is reported at its own place
            fault = stopped.fault
            own = fault.location != env.location
            raise Undecidable(Invalid(str(fault), fault.location, fault.length, blocked=own)) from stopped

    try:
        return normal_form(expr, resolve)
    except ZeroDenominator as error:
        where, length = place(error.expr, body)
        raise Undecidable(Invalid(f"{error} everywhere; correct the expression", where, length)) from error
    except TooLargeError as error:
        where, length = place(error.expr, body)
        raise Undecidable(Invalid(str(error), where, length)) from error


def place(expr: Expr | None, body: LinkedExpr) -> tuple[Location, int]:
    """Where a part of an expression stands in the file."""
    return (body.source.at(expr.offset), expr.length) if expr is not None else (body.source.location, 1)


@dataclass(slots=True)
class ClaimReader:
    """Reads the texts of one claim of ``record``, with the inputs that ``env`` binds put in.

    Symbols that take the same recorded value of an open role are one unknown: ``canonical`` says which stands for all.
    """

    denominators: Denominators
    record: Record
    env: Inputs
    canonical: dict[ValueAtom, SymbolAtom] = field(default_factory=dict)
    members: dict[SymbolAtom, list[SymbolAtom]] = field(default_factory=dict)
    refs: dict[FormulaRef, None] = field(default_factory=dict)
    """Every formula that was read, those that formulas name too."""

    def form(self, expr: Expr, body: LinkedExpr, frame: Frame = ROOT) -> Rational:
        """An expression whose names ``body`` looks up, without the inputs."""
        body = self.put_in(body, expr, frame)
        try:
            for target in body.targets.values():
                if isinstance(target, FormulaRef) and target not in self.refs:
                    self.refs.update(dict.fromkeys(self.env.order(target)))
        except Stopped as stopped:
            raise undecidable(stopped.fault) from stopped
        return form_of(body.expr, body, self.denominators.forms, self.env)

    def put_in(self, body: LinkedExpr, expr: Expr, frame: Frame = ROOT) -> LinkedExpr:
        """An expression whose names ``body`` looks up, in plain arithmetic."""
        targets = {name: body.targets[name] for name in names(expr)}
        try:
            return self.env.put_in(replace(body, expr=expr, targets=targets), frame)
        except Stopped as stopped:
            raise undecidable(stopped.fault) from stopped

    def term(self, text: Scalar) -> Term:
        """A value, as ``formula`` or a side names it."""
        linked = link_expr(text, self.record, self.denominators.kb.scope)
        if isinstance(linked, Fault):
            raise undecidable(linked)
        return self.value(linked)

    def reads(self, text: Scalar) -> frozenset[Atom]:
        """Every symbol and recorded value that a value is computed from, also where it cancels; inputs put in."""
        linked = link_expr(text, self.record, self.denominators.kb.scope)
        if isinstance(linked, Fault):
            raise undecidable(linked)
        found: set[Atom] = set()
        queue, seen = list(linked.targets.values()), set[object]()
        while queue:
            target = queue.pop()
            if target in seen:
                continue
            seen.add(target)
            if isinstance(target, FormulaRef):
                queue += self.denominators.kb.formulas[target].targets
            elif words_of(target, self.denominators.kb.scope) is None:
                inside = self.bound(Rational.atom(target)).atoms()
                found.update(atom for atom in inside if isinstance(atom, SymbolAtom | ValueAtom))
        return frozenset(found)

    def among(self, name: str, read: Iterable[Atom]) -> bool:
        """Whether a symbol of the record, or a value of a role, is among what is read."""
        if name in ROLES:
            sources = (self.source(a) if isinstance(a, SymbolAtom) else a for a in read)
            return any(source is not None and name in roles_through(source) for source in sources)
        atom = self.denominators.kb.scope.symbol(name, self.record.id)
        return atom is not None and bool(self.bound(Rational.atom(atom)).atoms() & set(read))

    def value(self, linked: LinkedExpr) -> Term:
        """A value, its names looked up."""
        form = self.bound(self.form(linked.expr, linked))
        return Term(linked.source.text, form, self.divisors(linked, linked.expr))

    def comparisons(self, text: Scalar) -> Iterator[tuple[Compare, LinkedExpr]]:
        """The comparisons of a condition with their names looked up."""
        linked = link_condition(text, self.record, self.denominators.kb.scope)
        if isinstance(linked, Fault):
            raise undecidable(linked)
        yield from ((part, linked[1]) for part in linked[0])

    def condition(self, part: Compare, body: LinkedExpr, frame: Frame = ROOT) -> Condition:
        """One comparison as the sign of the difference of its sides."""
        left, right = self.form(part.left, body, frame), self.form(part.right, body, frame)
        form = self.bound(left - right)
        divisors = (*self.divisors(body, part.left, frame), *self.divisors(body, part.right, frame))
        return Condition(part.op, form, body.source.text, tuple(dict.fromkeys(divisors)))

    def sides(self, part: Compare, body: LinkedExpr) -> tuple[Term, Term]:
        """The two sides of a comparison."""
        left, right = (
            Term(to_text(side), self.bound(self.form(side, body)), self.divisors(body, side))
            for side in (part.left, part.right)
        )
        return left, right

    def divisors(self, body: LinkedExpr, expr: Expr, frame: Frame = ROOT) -> tuple[Divisor, ...]:
        """What the value of ``expr`` divides by, with the inputs put in, and what the inputs themselves divide by."""
        plain = self.put_in(body, expr, frame)
        found = self.denominators.of_body(plain, plain.expr, to_text(expr), self.env)
        return tuple(Divisor(d.title, d.text, self.bound(d.form)) for d in found)

    def bound(self, form: Rational) -> Rational:
        """The form with everything in it that ``env`` binds put in its place."""
        try:
            return self.denominators.forms.put(form, self.env, self.open_or_number)
        except Stopped as stopped:
            if isinstance(stopped.fault, Cycle):
                reason = f"inputs are defined by each other: {' -> '.join(stopped.fault.path)}; break the cycle"
                raise Undecidable(Invalid(reason, self.env.location)) from stopped
            raise undecidable(stopped.fault) from stopped
        except ZeroDenominator as error:
            where = self.env.location
            raise Undecidable(Invalid(f"{error} for the inputs given; change them", where)) from error
        except TooLargeError as error:
            raise Undecidable(Invalid(str(error), self.env.location)) from error

    def open_or_number(self, atom: Atom, standing: BoundNumber | Taken | Unbound) -> Rational | None:
        """The number that is given, or of what is open the symbol that stands for all with its source."""
        if not isinstance(standing, Unbound):
            return Rational.of(standing.value)
        shared = self.shared(atom) if isinstance(atom, SymbolAtom) else atom
        return Rational.atom(shared) if shared != atom else None

    def shared(self, atom: SymbolAtom) -> SymbolAtom:
        """The symbol that stands for every open one with the same source (the record's own, where it has one)."""
        source = self.source(atom)
        if source is None:
            self.members.setdefault(atom, [atom])
            return atom
        if source not in self.canonical:
            self.canonical[source] = self._own(source) or atom
        first = self.canonical[source]
        known = self.members.setdefault(first, [])
        if atom not in known:
            known.append(atom)
        return first

    def source(self, atom: SymbolAtom) -> ValueAtom | None:
        """The recorded value that a symbol takes first, in its frame."""
        found = self.denominators.kb.sources.get(atom.plain)
        return replace(found, frame=atom.frame) if isinstance(found, ValueAtom) else None

    def _own(self, source: ValueAtom) -> SymbolAtom | None:
        """The symbol with this source that the claim may name and nothing binds, so that messages use its name."""
        scope = self.denominators.kb.scope
        for name in scope.symbols(self.record):
            own = scope.symbol(name, self.record.id)
            if own and name not in self.env.bound and self.denominators.kb.sources.get(own) == source:
                return own
        return None

    def taken_from(self, role: str) -> tuple[SymbolAtom, ...]:
        """The open symbols read so far that take a recorded value of a role."""
        sources = ((atom, self.source(atom)) for atom in sorted(self.members, key=str))
        return tuple(atom for atom, source in sources if source is not None and role in roles_through(source))

    def symbol(self, name: Scalar) -> SymbolAtom:
        """A symbol that the claim names, which must be open."""
        scope = self.denominators.kb.scope
        atom = scope.symbol(name.text, self.record.id)
        if atom is None:
            blocked = withheld(name.text, self.record, scope, name.location, self.record.id)
            if blocked is not None:
                raise undecidable(blocked)
            hint = did_you_mean(name.text, scope.symbols(self.record))
            raise at_scalar(name, f"{self.record.id} has no symbol {name.text}{hint}")
        if self.bound(Rational.atom(atom)).atoms() != {self.shared(atom)}:
            raise at_scalar(name, f"{name.text} is given, so it cannot vary here; leave it out of one of the two")
        return self.shared(atom)


def turns_on_layers(texts: Iterable[Scalar | None], record: Record, kb: KnowledgeBase) -> bool:
    """Whether what expressions and conditions name has cases, or sums over the layers of a model."""
    for text in texts:
        linked = link_expr(text, record, kb.scope) if text is not None else None
        if isinstance(linked, Fault) and text is not None:
            condition = link_condition(text, record, kb.scope)
            linked = condition[1] if not isinstance(condition, Fault) else None
        if isinstance(linked, LinkedExpr) and any(not kb.reach(target).plain for target in linked.targets.values()):
            return True
    return False


def numbers_for(env: Inputs, atoms: Iterable[Atom]) -> dict[Hashable, Fraction]:
    """The values, in base units, of the atoms that ``env`` binds to numbers or takes from its roles; others are left out.

    Raises :class:`Undecidable` where a role has no such value.
    """
    found: dict[Hashable, Fraction] = {}
    for atom in atoms:
        standing = env.standing(atom)
        if isinstance(standing, Fault):
            raise undecidable(standing)
        if isinstance(standing, (Taken, BoundNumber)):
            found[atom] = standing.value
    return found
