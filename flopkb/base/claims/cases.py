"""Where a claim is made: its record, what is given, and the records that roles run over, one case after the other."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from types import MappingProxyType

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Name, Number, Rational, ZeroDenominator
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.space import Condition, FreeSymbol, Space, Term, at
from flopkb.base.claims.reading import (
    Atom,
    ClaimReader,
    Denominators,
    Undecidable,
    at_scalar,
    numbers_for,
    turns_on_layers,
    undecidable,
)
from flopkb.base.claims.verdicts import Assignment, Invalid
from flopkb.base.document import Scalar
from flopkb.base.evaluate.asked import Known
from flopkb.base.evaluate.cases import holds_in
from flopkb.base.evaluate.domains import value_set
from flopkb.base.evaluate.inputs import Inputs
from flopkb.base.evaluate.limits import Limit, limits, narrowed
from flopkb.base.evaluate.requirements import frames_of
from flopkb.base.faults import Fault, MissingInput, Stopped, listed
from flopkb.base.layers import PARTS
from flopkb.base.link import FormulaRef, KnowledgeBase, SymbolAtom, ValueAtom
from flopkb.base.link.expressions import link_condition, words_of
from flopkb.base.link.formulas import unit_of
from flopkb.base.link.frames import ROOT, Frame
from flopkb.base.link.names import unknown_names
from flopkb.base.link.targets import LinkedRequirement
from flopkb.base.model import Binding, Narrowing, Record, Symbol

MAX_CASES = 2000
NARROWED_BY_NOTHING: Mapping[str, Narrowing] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Bound:
    """A symbol that is given, with the form that is given for it; its place is where it is given."""

    atom: SymbolAtom
    text: Scalar
    form: Rational


@dataclass(frozen=True, slots=True)
class RoleCase:
    """One choice of records for the roles: the numbers that they give, and the space that is left."""

    roles: tuple[Assignment, ...]
    numbers: Mapping[Hashable, Fraction]
    space: Space


@dataclass(slots=True)
class ClaimSetting:
    """One choice of the values given for symbols; :meth:`cases` runs over the roles. Texts are read before that."""

    kb: KnowledgeBase
    record: Record
    location: Location
    reader: ClaimReader
    roles: tuple[Binding, ...]
    domains: Mapping[str, Narrowing] = field(default_factory=dict)
    conditions: list[Condition] = field(default_factory=list)
    given: list[Bound] = field(default_factory=list)
    _domains: dict[SymbolAtom, ValueSet] = field(default_factory=dict)

    @property
    def chosen(self) -> tuple[Assignment, ...]:
        """The values that are given in this setting."""
        return tuple(Assignment(bound.atom.name, bound.text.text) for bound in self.given)

    def read(self, symbols: Mapping[str, Scalar], where: Sequence[Scalar]) -> ClaimSetting:
        """The setting with the values given for symbols and its conditions read."""
        for name, text in symbols.items():
            atom = self.kb.scope.symbol(name, self.record.id)
            assert atom is not None, "settings() asked for the names"
            if words_of(atom, self.kb.scope) is not None:
                continue  # a type decides cases, and is no number
            self.given.append(Bound(atom, text, self.reader.bound(Rational.atom(atom))))
        for text in where:
            self.conditions += (self.reader.condition(part, body) for part, body in self.reader.comparisons(text))
        return self

    def cases(self, terms: Sequence[Term]) -> Iterator[RoleCase]:
        """A case for each choice of records for the roles; choices that give the same numbers are one case."""
        self._require()
        self._reach_parents()
        seen: set[tuple[tuple[str, Fraction], ...]] = set()
        for values in product(*(binding.values for binding in self.roles)):
            chosen = {binding.name: value for binding, value in zip(self.roles, values, strict=True)}
            numbers = self._numbers(chosen, terms)
            key = tuple(sorted((str(atom), value) for atom, value in numbers.items()))
            if key in seen:
                continue
            seen.add(key)
            roles = tuple(Assignment(name, text.text) for name, text in chosen.items())
            yield RoleCase(roles, numbers, self._space(numbers))

    def _require(self) -> None:
        """Reads what the formulas that are read require, and the formulas that these requirements read in turn."""
        done, places = set[FormulaRef](), set[tuple[Location, Frame | None]]()
        while waiting := [ref for ref in self.reader.refs if ref not in done]:
            for ref, asked in [(each, asked) for each in waiting for asked in self.kb.formulas[each.plain].requires]:
                place = asked.body.source.location, ref.frame
                if place not in places:
                    places.add(place)
                    self._require_one(asked, ref.frame or ROOT)
            done.update(waiting)

    def _require_one(self, asked: LinkedRequirement, frame: Frame) -> None:
        """Narrows the domain by a requirement; what it says of layers is left out where no model says which there are."""
        try:
            frames = list(frames_of(asked, frame, self.reader.env))
            if asked.types is not None:
                self.conditions += [
                    _never(asked) for each in frames if not holds_in(asked.types, each, self.reader.env)
                ]
        except Stopped as stopped:
            if isinstance(stopped.fault, MissingInput):
                return
            raise undecidable(stopped.fault) from stopped
        found = [self.reader.condition(part, asked.body, inner) for inner in frames for part in asked.parts]
        self.conditions += (replace(condition, written=False, required=True) for condition in found)

    def _reach_parents(self) -> None:
        """Reads the symbols of which others are multiples, so that the space has them too."""
        queue = [atom for members in self.reader.members.values() for atom in members]
        queue += [bound.atom for bound in self.given]
        while queue:
            atom = queue.pop()
            for parent in self.parents(atom):
                known = {a for members in self.reader.members.values() for a in members}
                self.reader.bound(Rational.atom(parent))
                queue += [a for members in self.reader.members.values() for a in members if a not in known]

    def parents(self, atom: SymbolAtom) -> Iterator[SymbolAtom]:
        """The symbols of which a symbol is a whole multiple."""
        for limit in self.limits(atom):
            of, parent = limit.domain.parent, limit.parent(self.kb)
            if of is not None and parent is None:
                reason = f"{of.text} is no symbol of {limit.record}"
                raise Undecidable(Invalid(reason, of.location, len(of.text), blocked=True))
            if parent is not None:
                yield parent

    def limits(self, atom: SymbolAtom) -> tuple[Limit, ...]:
        """Every domain that a symbol must keep to here: of the formulas that the claim reads, its record's, its own."""
        found = [*limits(atom, self.kb, self.reader.refs)]
        for domains in (self.record.domains, self.domains):
            found += narrowed(atom, domains, self.record, self.kb)
        return tuple(dict.fromkeys(found))

    def declared(self, atom: SymbolAtom) -> Symbol:
        """The declaration of a symbol."""
        return self.kb.scope.records[atom.record].symbols[atom.name]

    def scale(self, atom: Atom) -> Fraction:
        """The unit of a symbol, in base units."""
        return unit_of(atom, self.kb.scope).scale

    def _numbers(self, roles: Mapping[str, Scalar], terms: Sequence[Term]) -> dict[Hashable, Fraction]:
        """What the roles give to the open symbols and recorded values that the claim reads."""
        bound = {**self.reader.env.bound, **roles}
        env = Inputs(self.kb, self.reader.env.formula, self.record.id, self.location, bound)
        needed: set[Hashable] = set(self.reader.members)
        for form in self._all_forms(terms):
            needed |= form.atoms()
        found = numbers_for(env, sorted((a for a in needed if isinstance(a, (SymbolAtom, ValueAtom))), key=str))
        for atom in sorted(needed, key=str):
            if isinstance(atom, ValueAtom) and atom not in found:
                names = [n for n in (atom.holder, atom.index) if self.kb.scope.is_role(n) and n not in bound]
                reason = f"{atom} has no domain: say for which {listed(names)} it is claimed, under over: or given:"
                raise Undecidable(Invalid(reason, self.location))
        for atom, value in found.items():
            if isinstance(atom, SymbolAtom):
                self._check_taken(atom, value, roles)
        return found

    def _all_forms(self, terms: Sequence[Term]) -> Iterator[Rational]:
        parts: list[Term | Condition] = [*terms, *self.conditions]
        for part in parts:
            yield part.form
            yield from (divisor.form for divisor in part.divisors)
        yield from (bound.form for bound in self.given)

    def _check_taken(self, atom: SymbolAtom, value: Fraction, roles: Mapping[str, Scalar]) -> None:
        """A recorded value must lie in the domain of the symbol that takes it."""
        for member in self.reader.members.get(atom, ()):
            limit = next((each for each in self.limits(member) if not self._values(each, member).holds(value)), None)
            if limit is not None:
                source = self.declared(member).source
                holder = source.text.split(".")[0] if source is not None else ""
                text = roles.get(holder)
                reason = (
                    f"{member.name} = {value / self.scale(member)} of {text.text if text else holder} is outside its"
                    f" domain ({limit}); leave it out or widen the domain"
                )
                where = text.location if text is not None else self.location
                raise Undecidable(Invalid(reason, where, len(text.text) if text is not None else 1))

    def _space(self, numbers: Mapping[Hashable, Fraction]) -> Space:
        """The space of what is left open."""
        symbols: dict[SymbolAtom, FreeSymbol] = {}
        conditions: list[Condition] = []
        wholes: list[Rational] = []
        for atom in sorted(self.reader.members, key=self._declared_order):
            if atom not in numbers:
                symbols[atom] = self._free_symbol(atom, numbers)
        for bound in self.given:
            more, whole = self._given_range(bound, numbers)
            conditions += more
            wholes += whole
        for condition in self.conditions:
            conditions.append(condition.at(numbers))
        return Space(ordered(symbols), tuple(conditions), tuple(wholes))

    def _declared_order(self, atom: SymbolAtom) -> tuple[bool, str, int]:
        """The symbols of the record first, then those of others, each in the order of their declaration."""
        return (atom.record != self.record.id, atom.record, self._place(atom))

    def _place(self, atom: SymbolAtom) -> int:
        return list(self.kb.scope.records[atom.record].symbols).index(atom.name)

    def _free_symbol(self, atom: SymbolAtom, numbers: Mapping[Hashable, Fraction]) -> FreeSymbol:
        domain = self._domain(self.reader.members[atom][0])
        parents: list[Rational] = []
        for member in self.reader.members[atom]:
            domain = domain.meet(self._domain(member))
            for parent in self._parent_forms(member, numbers):
                constant = parent.constant()
                if constant is None:
                    parents.append(parent)
                else:
                    domain = domain.on_grid(constant)
        if domain.empty:
            reason = f"the domain of {atom} is empty once its multiple_of and its other names are counted; correct them"
            raise Undecidable(Invalid(reason, self.location))
        unit = self.declared(atom).unit
        shown = unit.text if unit is not None and unit_of(atom, self.kb.scope).dimension else "1"
        return FreeSymbol(atom, domain, self.scale(atom), shown, tuple(dict.fromkeys(parents)), self._place(atom))

    def _values(self, limit: Limit, atom: SymbolAtom) -> ValueSet:
        return value_set(limit.domain, self.scale(atom))

    def _domain(self, atom: SymbolAtom) -> ValueSet:
        """The domain of a symbol with all that narrows it, which must not be empty."""
        if atom in self._domains:
            return self._domains[atom]
        symbol, own, known = self.declared(atom), self.reader.env.own(atom), self.limits(atom)
        if not known:
            name = atom.name if own else f"{atom.record}.{atom.name}"
            here = atom.record == self.record.id
            where, length = (symbol.key.location, len(symbol.key.text)) if here else (self.location, 1)
            raise Undecidable(Invalid(f"{name} has no domain: declare one, or give it a value", where, length))
        found: ValueSet | None = None
        for limit in known:
            values = self._values(limit, atom)
            found = values if found is None else found.meet(values)
            if found.empty:
                reason = f"the domain of {atom.name} is empty ({limit}); correct its bounds"
                raise Undecidable(Invalid(reason, limit.domain.location))
        assert found is not None
        self._domains[atom] = found
        return found

    def _parent_forms(self, atom: SymbolAtom, numbers: Mapping[Hashable, Fraction]) -> Iterator[Rational]:
        """The forms of which a symbol is a whole multiple, in its own unit."""
        for parent in self.parents(atom):
            form = at(self.reader.bound(Rational.atom(parent)), numbers)
            yield form * (self.scale(atom) / self.scale(parent))

    def _given_range(
        self, bound: Bound, numbers: Mapping[Hashable, Fraction]
    ) -> tuple[list[Condition], list[Rational]]:
        """What the domain of a given symbol asks: a number must lie in it, an expression is kept within it."""
        form, conditions = at(bound.form, numbers), []
        constant = form.constant()
        for limit in self.limits(bound.atom):
            allowed = self._values(limit, bound.atom)
            if constant is not None and not allowed.holds(constant):
                shown = constant / self.scale(bound.atom)
                reason = f"{bound.atom} = {shown} is outside its domain ({limit})"
                raise at_scalar(bound.text, f"{reason}; correct it or widen the domain")
            if constant is None:
                ends = ((">=", form - allowed.low), ("<=", form - allowed.high))
                conditions += [Condition(op, side, bound.text.text, (), False) for op, side in ends]
        return conditions, list(self._given_multiples(bound, form, numbers))

    def _given_multiples(
        self, bound: Bound, form: Rational, numbers: Mapping[Hashable, Fraction]
    ) -> Iterator[Rational]:
        """What must be whole for a given symbol to be the multiple that its domain asks for."""
        for parent in self._parent_forms(bound.atom, numbers):
            try:
                whole = form / parent
            except ZeroDenominator:
                raise at_scalar(bound.text, f"{bound.atom} is to be a multiple of 0; correct the inputs") from None
            count = whole.constant()
            if count is None:
                yield whole
            elif count.denominator != 1:
                asked = "; ".join(str(limit) for limit in self.limits(bound.atom) if limit.domain.parent is not None)
                raise at_scalar(bound.text, f"{bound.atom} is not a multiple as its domain asks: {asked}")


def ordered(symbols: Mapping[SymbolAtom, FreeSymbol]) -> tuple[FreeSymbol, ...]:
    """The symbols, each behind those that it is a multiple of."""
    done: dict[Hashable, FreeSymbol] = {}

    def add(symbol: FreeSymbol, above: tuple[Hashable, ...]) -> None:
        if symbol.atom in above:
            names = " -> ".join(str(atom) for atom in (*above, symbol.atom))
            raise Undecidable(Invalid(f"multiple_of goes in a circle: {names}; break it", Location("", 1, 1)))
        for parent in symbol.parents:
            for atom in sorted(parent.atoms(), key=str):
                if atom in symbols and atom not in done:
                    add(symbols[atom], (*above, symbol.atom))  # type: ignore[index]
        done.setdefault(symbol.atom, symbol)

    for symbol in symbols.values():
        add(symbol, ())
    return tuple(done.values())


def settings(
    denominators: Denominators,
    record: Record,
    location: Location,
    bindings: Sequence[Binding],
    where: Sequence[Scalar] = (),
    domains: Mapping[str, Narrowing] = NARROWED_BY_NOTHING,
    *,
    texts: Sequence[Scalar] = (),
) -> Iterator[ClaimSetting]:
    """A setting for each choice of the values given for symbols; roles are left to :meth:`ClaimSetting.cases`.

    Where what is claimed (``texts``) is about formulas over layers, each choice of a model is a setting of its own.
    """
    for fault in unknown_names(bindings, record, record.id, denominators.kb.scope):
        raise undecidable(fault)
    is_role = denominators.kb.scope.is_role
    shaping = ("model", *PARTS) if turns_on_layers((*texts, *where), record, denominators.kb) else ()
    symbols = [binding for binding in bindings if not is_role(binding.name) or binding.name in shaping]
    roles = tuple(binding for binding in bindings if is_role(binding.name))
    total = prod(len(binding.values) for binding in bindings)
    if total > MAX_CASES:
        reason = f"{total} combinations of inputs are too many (at most {MAX_CASES}); narrow them"
        raise Undecidable(Invalid(reason, location))
    for values in product(*(binding.values for binding in symbols)):
        every = {binding.name: value for binding, value in zip(symbols, values, strict=True)}
        shape = {name: value for name, value in every.items() if name in shaping}
        chosen = {name: value for name, value in every.items() if name not in shape}
        known = tuple(known_comparisons(where, record, denominators.kb))
        ref = FormulaRef(record.id, "")
        env = Inputs(denominators.kb, ref, record.id, location, chosen, shaping=shape, known=known)
        reader = ClaimReader(denominators, record, env)
        left = tuple(replace(b, values=(shape[b.name],)) if b.name in shape else b for b in roles)
        yield ClaimSetting(denominators.kb, record, location, reader, left, domains).read(chosen, where)


def _never(asked: LinkedRequirement) -> Condition:
    """The condition of a required type that what is given does not have: nothing is left of the domain."""
    return Condition("==", Rational.of(1), asked.body.source.text, written=False, required=True)


def known_comparisons(where: Sequence[Scalar], record: Record, kb: KnowledgeBase) -> Iterator[Known]:
    """The conditions of a claim that compare a symbol with a number: they decide cases."""
    for text in where:
        linked = link_condition(text, record, kb.scope)
        for part in linked[0] if not isinstance(linked, Fault) else ():
            atom = (
                linked[1].targets.get(part.left)
                if not isinstance(linked, Fault) and isinstance(part.left, Name)
                else None
            )
            if isinstance(atom, SymbolAtom) and isinstance(part.right, Number):
                yield Known(part.op, atom, part.right.value * unit_of(atom, kb.scope).scale)
