"""The inputs of one computation: what each symbol and recorded value stands for, with one value per binding.

A symbol of the formula's own record is bound by the computation, or constant, or taken from a role's record; a symbol
of another record's formula is never bound from here: only roles flow. What is bound by nothing stays a variable.

Names are read in frames: inside a sum over the layers of a model, and inside a call with inputs of its own. There a
symbol is what the innermost call binds it to; the bound expression is read outside of that call, for the same layer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Name, TooLargeError, ZeroDenominator, evaluate, names
from flopkb.arithmetic.units import Unit, UnitError, parse_amount, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate.asked import Asked, Unbound
from flopkb.base.evaluate.cases import chosen, implied
from flopkb.base.evaluate.derivations import linked_derivation
from flopkb.base.evaluate.domains import value_set
from flopkb.base.evaluate.expansion import expanded
from flopkb.base.evaluate.facts import FactAtom, amount_in_base, fact_value, find_fact, is_of
from flopkb.base.evaluate.parts import is_recorded
from flopkb.base.faults import (
    BadExpression,
    BadInput,
    Blocked,
    DividesByZero,
    Fault,
    MissingInput,
    Stopped,
    Unavailable,
)
from flopkb.base.layers import PARTS, LayerPart
from flopkb.base.link import Decided, KnowledgeBase
from flopkb.base.link.expressions import link_expr
from flopkb.base.link.formulas import check_dimension, readable, unit_of
from flopkb.base.link.frames import ROOT, Frame
from flopkb.base.link.names import blocked_entry
from flopkb.base.link.reach import OWN_DTYPES
from flopkb.base.link.targets import NO_FALLBACK, FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.base.model import ROLES, Fact, Record, Symbol
from flopkb.base.schema.layering import layer_types


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


Standing = BoundNumber | BoundExpression | Taken | Unbound
_BINARY_SUFFIX = re.compile(r"[-+0-9.]+\s?[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Inputs(Asked):
    """One choice of a value for every binding of a computation on ``formula``."""

    _found: dict[SymbolAtom | ValueAtom, Standing | Fault] = field(default_factory=dict, compare=False, repr=False)

    _bodies: dict[FormulaRef, Decided] = field(default_factory=dict, compare=False, repr=False)

    def body(self, ref: FormulaRef) -> LinkedExpr:
        """The expression of a formula in its frame, its case chosen and its sums written out; raises :class:`Stopped`."""
        if ref not in self._bodies:
            self._bodies[ref] = self._body(ref)
        body, deciders = self._bodies[ref]
        self.deciders.update(deciders)
        return body

    def _body(self, ref: FormulaRef) -> Decided:
        linked, known = self.kb.formulas[ref.plain], self.kb.worked_out.bodies
        if not linked.cases:
            raise Stopped(Blocked(self.location, self.asked_by, cause=f"{ref} is faulty"))
        if ref.frame is None and linked.body is not None and self.kb.reach(ref).plain:
            return linked.body, frozenset()  # read alike by all that ask
        key = self.shape(ref), ref
        if key not in known:
            alone = self.again()  # what it has decided already would not be told of this formula
            known[key] = alone.put_in(chosen(linked, ref, alone), ref.frame or ROOT), frozenset(alone.deciders)
        return known[key]

    def again(self, bound: Mapping[str, Scalar] | None = None, formula: FormulaRef | None = None) -> Inputs:
        """The same inputs with nothing found yet, perhaps others ``bound``, or those of another formula."""
        return Inputs(
            self.kb,
            formula or self.formula,
            self.asked_by,
            self.location,
            self.bound if bound is None else bound,
            self.length,
            self.compared,
            self.shaping,
            self.known,
        )

    def put_in(self, body: LinkedExpr, frame: Frame, *, bare: SymbolAtom | None = None) -> LinkedExpr:
        """An expression as it is read in a frame."""
        return expanded(body, self, frame, bare=bare)

    def order(self, ref: FormulaRef) -> tuple[FormulaRef, ...]:
        """The formulas that ``ref`` reads here, each after those that it reads itself; ``ref`` is the last.

        Found without recursion: a chain of formulas may be as long as its files allow. Raises :class:`Stopped`.
        """
        done: dict[FormulaRef, None] = {}
        stack = [(ref, False)]
        while stack:
            current, entered = stack.pop()
            if entered or current in done:
                done.setdefault(current)
                continue
            stack.append((current, True))
            named = [target for target in self.body(current).targets.values() if isinstance(target, FormulaRef)]
            stack.extend((target, False) for target in reversed(named) if target not in done)
        return tuple(done)

    def leaves(self, target: Target) -> tuple[SymbolAtom | ValueAtom, ...]:
        """The symbols and recorded values that are read through a name, each once; raises :class:`Stopped`."""
        if not isinstance(target, FormulaRef):
            return (target,)
        targets = (each for ref in self.order(target) for each in self.body(ref).targets.values())
        return tuple(dict.fromkeys(each for each in targets if not isinstance(each, FormulaRef)))

    def has(self, atom: SymbolAtom) -> bool:
        """Whether something gives a symbol a value that is no mere definition; raises :class:`Stopped`."""
        self.deciders.add(atom)
        if self.binding(atom) is not None or any(level.binding(atom.plain) for level in (atom.frame or ROOT).levels):
            return True
        symbol = self.symbol(atom)
        rest = self.kb.fallbacks.get(atom.plain, NO_FALLBACK)
        sources = [self.kb.sources.get(atom.plain), *(rest.later if not isinstance(rest, Fault) else ())]
        return symbol.value is not None or any(
            self._records(replace(source, frame=atom.frame)) for source in sources if isinstance(source, ValueAtom)
        )

    def _records(self, source: ValueAtom) -> bool:
        if source.holder not in PARTS:
            return isinstance(self.standing(source), Taken)
        part, record = self.part(source.holder, source.frame), self._model()
        if isinstance(part, Fault):
            raise Stopped(part)
        return isinstance(part, LayerPart) and isinstance(record, Record) and is_recorded(record, part, source.path)

    def number(self, body: LinkedExpr) -> Fraction | Unbound:
        """What an expression in plain arithmetic comes to, or the first input that is missing; raises :class:`Stopped`."""
        missing: list[Unbound] = []

        def resolve(name: Name) -> Fraction:
            found = self._number_of(body.targets[name])
            if isinstance(found, Unbound):
                missing.append(found)
                raise Stopped(MissingInput(*self.place, formula=str(self.formula), names=found.names))
            return found

        try:
            return evaluate(body.expr, resolve)
        except Stopped:
            if missing:
                return missing[0]
            raise
        except TooLargeError as error:
            raise Stopped(BadExpression(*self.place, reason=str(error))) from error
        except ZeroDenominator as error:
            raise Stopped(
                DividesByZero(*self.place, formula=body.source.text, denominator=error.denominator)
            ) from error

    def _number_of(self, target: Target) -> Fraction | Unbound:
        if isinstance(target, FormulaRef):
            return self.number(self.body(target))
        standing = self.standing(target)
        if isinstance(standing, Fault):
            raise Stopped(standing)
        if isinstance(standing, BoundExpression):
            return self.number(standing.body)
        return standing if isinstance(standing, Unbound) else standing.value

    def decided(self, op: str, left: LinkedExpr, right: LinkedExpr) -> bool | None:
        """Whether a comparison of an open symbol with a number holds anyway; None where that is not known."""
        atom = left.targets.get(left.expr) if isinstance(left.expr, Name) else None
        number = self.number(right)
        if not isinstance(atom, SymbolAtom) or isinstance(number, Unbound):
            return None
        domain = self.symbol(atom).domain
        scale = unit_of(atom, self.kb.scope).scale
        values = [value_set(domain, scale)] if domain is not None else []
        return implied(op, number, values, [known for known in self.known if known.symbol == atom.plain])

    # -- symbols and recorded values ------------------------------------------------------------------------------
    def standing(self, target: SymbolAtom | ValueAtom) -> Standing | Fault:
        """What gives ``target`` its value (looked up once)."""
        if target not in self._found:
            self._found[target] = self._standing(target)
        return self._found[target]

    def _standing(self, target: SymbolAtom | ValueAtom) -> Standing | Fault:
        if isinstance(target, ValueAtom):
            return self._value(target)
        if target.name not in self.kb.scope.records[target.record].symbols:  # its declaration could not be read
            return Blocked(self.location, self.asked_by, cause=f"{target.name} is not declared")
        symbol, frame = self.symbol(target), target.frame or ROOT
        if not readable(symbol.unit):
            return Blocked(self.location, self.asked_by, cause=f"the unit of {symbol.name} is faulty")
        for place in reversed(range(len(frame.levels))):
            body = frame.levels[place].binding(target.plain)
            if body is not None:
                return self._given(symbol, body, frame.outside(place))
        text = self.binding(target)
        if text is not None:
            return self._binding(symbol, text, target)
        if symbol.value is not None:
            value = amount_in_base(symbol.value, symbol.unit_text, self.asked_by, symbol.name)
            return BoundNumber(value) if isinstance(value, Fraction) else self._blocked(value)
        if symbol.source is not None:
            return self._source(symbol, target)
        return Unbound((target.name if self.own(target) else f"{target.record}.{target.name}",))

    def _source(self, symbol: Symbol, atom: SymbolAtom) -> Standing | Fault:
        """The first of the sources that is recorded, else the definition; a fault is that of the first source."""
        assert symbol.source is not None
        linked, rest = self.kb.sources.get(atom.plain), self.kb.fallbacks.get(atom.plain, NO_FALLBACK)
        if linked is None or isinstance(linked, Fault) or isinstance(rest, Fault):
            return Blocked(self.location, self.asked_by, cause=f"the source of {symbol.name} is faulty")
        frame = atom.frame or ROOT
        taken = [replace(source, frame=atom.frame) for source in (linked, *rest.later)]
        first = self._value(taken[0])
        if not self._absent(taken[0], first):
            return first
        for later in taken[1:]:
            found = self._value(later)
            if not self._absent(later, found):
                return replace(found, instead_of=linked) if isinstance(found, Taken) else found
        return self._given(symbol, rest.otherwise, frame) if rest.otherwise is not None else first

    def _absent(self, target: ValueAtom, found: Standing | Fault) -> bool:
        """Whether a record simply does not have what is asked of it (neither is that unknown, nor is it faulty)."""
        if target.holder in PARTS:
            if isinstance(found, Unbound):  # of a family of models nothing is recorded
                return self.role(f"{target.holder}_type") is not None and self.role("model") is None
            part, record = self.part(target.holder, target.frame), self._model()
            if not isinstance(part, LayerPart) or not isinstance(record, Record):
                return False
            return not isinstance(found, Blocked) and not is_recorded(record, part, target.path)
        if not isinstance(found, Fault) or isinstance(found, Blocked):
            return False
        holder = self.kb.scope.records.get(self.roles.get(target.holder, target.holder))
        return holder is not None and not any(is_of(path, target.path) for path in holder.facts)

    def _part_value(self, target: ValueAtom) -> Standing | Fault:
        """What the part that fills ``mixer`` or ``feed_forward`` records."""
        part, record = self.part(target.holder, target.frame), self._model()
        if not isinstance(part, LayerPart) or not isinstance(record, Record):
            return part if not isinstance(part, LayerPart) else Blocked(*self.place, cause="no model")
        path = part.prefix + target.path
        fact = record.facts.get(path)
        if fact is None:
            missing = blocked_entry(record, path, self.asked_by, self.location)
            what = f"{record.id} records no {path}" if part.prefix else f"{record.id} records no {path} for its layers"
            its_own = target.path in layer_types(target.holder)[part.type.text].fields
            reason = (
                f"{what}, which {part.type.text} layers have here; record it with its source"
                if its_own
                else f"{part.type.text} layers, as {record.id} has them, have no {target.path}: {self.formula} is not for them"
            )
            return missing or Unavailable(*self.place, holder=record.id, reason=reason, other_type=not its_own)
        value = recorded_value(fact, record, self.kb)
        return (
            self._blocked(value) if isinstance(value, Fault) else Taken(FactAtom(record.id, path), fact, value, target)
        )

    def own_dtype(self, target: ValueAtom) -> str | None:
        """The dtype that a mixer has for its own state, which counts where the asker says none."""
        if target.holder not in OWN_DTYPES:
            return None
        part = self.part("mixer", target.frame)
        said = part.words.get(target.holder) if isinstance(part, LayerPart) else None
        return said.text if said is not None else None

    def _value(self, target: ValueAtom) -> Standing | Fault:
        if target.holder in PARTS:
            return self._part_value(target)
        roles, own = self.roles, self.own_dtype(target)
        if own is not None:
            roles.setdefault(target.holder, own)
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
        row = record.facts.get(f"{target.path}.{target.index}") if target.plain in self.compared else None
        if row is not None:
            found: tuple[str, Fact] | Fault = (row.path, row)
        else:
            found = find_fact(record, target.path, index, self.location, self.asked_by)
        if isinstance(found, Fault):
            return replace(found, length=self.length)
        path, fact = found
        value = recorded_value(fact, record, self.kb)
        if isinstance(value, Fault):
            return self._blocked(value)
        return Taken(FactAtom(record.id, path), fact, value, target)

    def _fills(self, role: str, id: str) -> bool:
        """Whether a record can fill a role (where it cannot, that is reported where it is bound)."""
        record = self.kb.scope.records.get(id)
        return record is not None and record.kind is ROLES[role]

    def _blocked(self, fault: Fault) -> Fault:
        return Blocked(self.location, self.asked_by, cause=str(fault))

    def _binding(self, symbol: Symbol, text: Scalar, atom: SymbolAtom) -> Standing | Fault:
        """A number with or without a unit, or an expression in the formula's symbols."""
        try:
            if isinstance(text.value, str):
                parse_amount(text.text)
        except UnitError as error:
            return self._expression(symbol, text, atom, error)
        value = amount_in_base(text, symbol.unit_text, self.asked_by, symbol.name)
        return value if isinstance(value, Fault) else BoundNumber(value)

    def _expression(self, symbol: Symbol, text: Scalar, atom: SymbolAtom, amount_error: UnitError) -> Standing | Fault:
        """An expression in the formula's symbols, in the symbol's dimension; one in numbers alone is a bare number.

        It is read where the symbol is, and its own name means what the symbol is without it.
        """
        linked = link_expr(text, self.kb.scope.records[self.formula.record], self.kb.scope)
        if isinstance(linked, BadExpression) and _BINARY_SUFFIX.match(text.text):
            return BadInput(*text.whole(self.asked_by), reason=str(amount_error))
        if isinstance(linked, Fault):
            return replace(linked, record=self.asked_by)
        fault = check_dimension(linked, parse_unit(symbol.unit_text), self.asked_by, self.kb.scope)
        if fault is not None and names(linked.expr):
            return fault
        return self._given(symbol, linked, (atom.frame or ROOT).outside(0), bare=atom.plain)

    def _given(
        self, symbol: Symbol, linked: LinkedExpr, frame: Frame, *, bare: SymbolAtom | None = None
    ) -> Standing | Fault:
        """What an expression gives a symbol; one in numbers alone is in the symbol's unit."""
        if not names(linked.expr):
            return self._number(linked, parse_unit(symbol.unit_text))
        return BoundExpression(self.put_in(linked, frame, bare=bare))

    def _number(self, linked: LinkedExpr, declared: Unit) -> Standing | Fault:
        text = linked.source
        try:
            return BoundNumber(evaluate(linked.expr, _no_names) * declared.scale)
        except (ZeroDenominator, TooLargeError) as error:
            return BadInput(*text.whole(self.asked_by), reason=str(error))


def _no_names(name: Name) -> Fraction:
    raise KeyError(str(name))


def recorded_value(fact: Fact, record: Record, kb: KnowledgeBase) -> Fraction | Fault:
    """The exact value of a fact in base units: of a derived one what its formula gives, which may call the base's own.

    ``parameters.total`` is then asked of the record itself, which fills the role of its kind.
    """

    def called(fact: Fact, record: Record) -> Fraction | Fault | None:
        key = record.id, fact.path
        if kb.scope.records.get(record.id) is not record:
            return worth(fact, record)
        if key not in kb.worked_out.derived:
            kb.worked_out.derived[key] = worth(fact, record)
        return kb.worked_out.derived[key]

    def worth(fact: Fact, record: Record) -> Fraction | Fault | None:
        assert fact.formula is not None
        body, text = linked_derivation(fact, record, kb), fact.formula
        if body is None or isinstance(body, Fault):
            return body
        bound = {record.kind.value: Scalar(text.location, record.id, record.id)}
        env = Inputs(kb, FormulaRef(record.id, ""), record.id, text.location, bound)
        try:
            value = env.number(env.put_in(body, ROOT))
        except Stopped as stopped:
            return stopped.fault
        if isinstance(value, Unbound):
            return MissingInput(*env.place, formula=text.text, names=value.names)
        return value

    return fact_value(fact, record, called)
