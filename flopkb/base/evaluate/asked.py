"""What an asker says: the bindings of one computation, and how far they reach through frames into a model's layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.units import UnitError, parse_amount
from flopkb.base.document import Scalar
from flopkb.base.evaluate.parts import counts_of, part_of, parts_of
from flopkb.base.faults import BadInput, Blocked, Fault, MissingInput, Stopped, Unavailable, listed, nearest
from flopkb.base.layers import PARTS, LayerPart
from flopkb.base.link import KnowledgeBase, Shape
from flopkb.base.link.expressions import link_expr, words_of
from flopkb.base.link.frames import ROOT, Frame, Level
from flopkb.base.link.reach import NOTHING_READ, Reach
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.base.model import Kind, Record, Symbol

_SHAPING = ("model", "mixer", "feed_forward", "mixer_type", "feed_forward_type")


@dataclass(frozen=True, slots=True)
class Unbound:
    """Nothing gives this value; ``names`` are the inputs that would."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A comparison of a symbol with a number, in base units, that holds wherever the asker looks."""

    op: str
    symbol: SymbolAtom
    number: Fraction

    def __str__(self) -> str:
        return f"{self.symbol} {self.op} {self.number}"


@dataclass(frozen=True, slots=True)
class Asked:
    """One choice of a value for every binding of a computation on ``formula``."""

    kb: KnowledgeBase = field(repr=False)
    formula: FormulaRef
    asked_by: str
    location: Location
    bound: Mapping[str, Scalar]
    length: int = 1
    compared: frozenset[ValueAtom] = frozenset()
    """The recorded values that a figure with ``over`` divides by each other: a sparse peak may stand there alone."""
    shaping: Mapping[str, Scalar] = field(default_factory=dict)
    """Roles that say which layers there are, and whose values are left open all the same."""
    known: tuple[Known, ...] = ()
    """Comparisons that hold, whatever the open symbols are: they decide cases."""
    deciders: set[SymbolAtom] = field(default_factory=set, compare=False, repr=False)
    """The symbols that cases and ``has`` were decided by."""
    _shapes: dict[frozenset[str] | None, Shape] = field(default_factory=dict, compare=False, repr=False)
    _reads: dict[Target, Reach] = field(default_factory=dict, compare=False, repr=False)
    _parts: dict[tuple[str, str], LayerPart | Unbound | Fault] = field(default_factory=dict, compare=False, repr=False)

    @property
    def place(self) -> tuple[Location, str, int]:
        """Where a fault of the computation stands."""
        return self.location, self.asked_by, self.length

    @property
    def roles(self) -> dict[str, str]:
        """The record id in each bound role."""
        return {name: value.text for name, value in self.bound.items() if self.kb.scope.is_role(name)}

    def role(self, name: str) -> Scalar | None:
        """What fills a role, as far as layers are concerned."""
        return self.bound.get(name) or self.shaping.get(name)

    def shape(self, ref: FormulaRef) -> Shape:
        """All that the cases, sums and calls of a formula can turn on, of what is asked (worked out once).

        A symbol that is bound is the same in every layer, whatever it is bound to: it stands in a form without a layer.
        """
        deciding = self.kb.reach(ref).deciding if ref.plain in self.kb.formulas else None
        if deciding is not None and any(not is_amount(self.bound[name]) for name in deciding & self.bound.keys()):
            deciding = None  # what an expression names decides with it
        if deciding not in self._shapes:
            self._shapes[deciding] = self._shape(deciding)
        return self._shapes[deciding]

    def _shape(self, deciding: frozenset[str] | None) -> Shape:
        shaping = [(name, name in self.bound, text.text) for name in _SHAPING if (text := self.role(name)) is not None]
        told = [
            (name, text.text if deciding is None or name in deciding or not is_amount(text) else "")
            for name, text in self.bound.items()
            if name not in _SHAPING and (deciding is None or name in deciding or not self.kb.scope.is_role(name))
        ]
        return (self.formula.record, *shaping, *told, *map(str, self.known), *sorted(self.compared))

    def symbol(self, atom: SymbolAtom) -> Symbol:
        """The declaration of a symbol."""
        return self.kb.scope.records[atom.record].symbols[atom.name]

    def own(self, atom: SymbolAtom) -> bool:
        """Whether the computation's own names reach a symbol: that of its formula's record, or the vocabulary's."""
        return self.kb.scope.symbol(atom.name, self.formula.record) == atom.plain

    def binding(self, atom: SymbolAtom) -> Scalar | None:
        """What the asker binds a symbol to, where that counts for it."""
        return self.bound.get(atom.name) if not atom.bare and self.own(atom) else None

    def narrowed(self, target: Target, frame: Frame) -> Target:
        """A target in a frame, without what it cannot read of it."""
        if frame == ROOT:
            return target
        read, kept = self.read(target), list[Level]()
        for level in reversed(frame.levels):
            bodies = [body for atom, body in level.bindings if atom in read.symbols]
            if bodies:
                kept.insert(0, level)
                for body in bodies:
                    read = read.joined(self._read_by(body, None))
        narrow = frame.narrowed(read.roles, tuple(kept))
        return target if narrow is None else replace(target, frame=narrow)

    def read(self, target: Target) -> Reach:
        """What can be read through a name, given what the asker binds."""
        plain = replace(target.plain, bare=True) if isinstance(target, SymbolAtom) and target.bare else target.plain
        if plain not in self._reads:
            self._reads[plain] = self.kb.reach(
                plain
            )  # of a binding in a circle, which is reported where it is followed
            self._reads[plain] = self._read(plain)
        return self._reads[plain]

    def _read(self, target: Target) -> Reach:
        if isinstance(target, SymbolAtom) and self.binding(target) is not None:
            return Reach(symbols=frozenset({target})).joined(self._read_by(self._linked(target), target))
        found = self.kb.reach(target)
        for atom in found.symbols:
            if self.binding(atom) is not None and atom != target:
                found = found.joined(self.read(atom))
        return found

    def _read_by(self, body: LinkedExpr | None, own: SymbolAtom | None) -> Reach:
        found = NOTHING_READ
        for target in body.targets.values() if body is not None else ():
            bare = replace(target, bare=True) if isinstance(target, SymbolAtom) and target == own else target
            found = found.joined(self.read(bare))
        return found

    def _linked(self, atom: SymbolAtom) -> LinkedExpr | None:
        """The expression that a symbol is bound to; None where that is a number (or faulty)."""
        text = self.bound[atom.name]
        if is_amount(text):
            return None
        linked = link_expr(text, self.kb.scope.records[self.formula.record], self.kb.scope)
        return linked if isinstance(linked, LinkedExpr) else None

    def deciding_sources(self) -> Iterator[ValueAtom]:
        """The recorded values by which cases and ``has`` were decided."""
        found = (self.kb.sources.get(atom.plain) for atom in self.deciders)
        yield from (source for source in found if isinstance(source, ValueAtom))

    def part(self, role: str, frame: Frame | None) -> LayerPart | Unbound | Fault:
        """The part of the model that fills ``mixer`` or ``feed_forward``."""
        key = role, (frame or ROOT).part(role)
        if key not in self._parts:
            record = self._model()
            self._parts[key] = (
                part_of(record, role, frame or ROOT, self.role(role), self.place)
                if isinstance(record, Record)
                else record
            )
        return self._parts[key]

    def _model(self) -> Record | Unbound | Fault:
        model = self.role("model")
        if model is None:
            return Unbound(("model",))
        record = self.kb.scope.records.get(model.text)
        if record is None or record.kind is not Kind.MODEL:
            return Blocked(self.location, self.asked_by, cause=f"{model.text} is no usable record")
        return record

    def summed(self, role: str, frame: Frame) -> list[tuple[ValueAtom | SymbolAtom, Frame]]:
        """How often each part in a role occurs, and its frame; of a family of models the number of layers, once.

        Raises :class:`Stopped` where no model says its layers and no type is given for all.
        """
        record = self._model()
        if isinstance(record, Unbound) and self.role(f"{role}_type") is not None:
            layers = ValueAtom("model", "num_hidden_layers")
            symbols = (atom for atom in self.kb.scope.vocabulary.values() if self.kb.sources.get(atom) == layers)
            return [(next(symbols, layers), frame)]
        if isinstance(record, Unbound):
            raise Stopped(MissingInput(*self.place, formula=str(self.formula), names=record.names))
        parts = parts_of(record, role, self.place) if isinstance(record, Record) else record
        if isinstance(parts, Fault) or not isinstance(record, Record):
            raise Stopped(
                parts if isinstance(parts, Fault) else Blocked(self.location, self.asked_by, cause="no model")
            )
        counts = counts_of(record, role) if parts else {}
        return [(ValueAtom("model", path), frame.at(role, name)) for name, path in counts.items()]

    def word(self, atom: SymbolAtom) -> str | Unbound:
        """The word that a symbol stands for (``mixer_type``); raises :class:`Stopped`."""
        text = self.binding(atom)
        known = words_of(atom, self.kb.scope) or ()
        if text is not None and text.text not in known:
            meant = nearest(text.text, known)
            hint = f"did you mean {meant}?" if meant else f"it is one of {listed(known, 15)}"
            raise Stopped(BadInput(*text.whole(self.asked_by), reason=f"{atom.name} is never {text.text}; {hint}"))
        if text is not None:
            return text.text
        source = self.kb.sources.get(atom.plain)
        if not isinstance(source, ValueAtom):
            return Unbound((atom.name,))
        part = self.part(source.holder, atom.frame)
        if isinstance(part, Fault):
            raise Stopped(part)
        if isinstance(part, Unbound):
            return Unbound((atom.name, *part.names))
        found = part.type if source.path == "type" else part.words.get(source.path)
        if found is None:
            reason = f"{part.name} records no {source.path}; record it"
            raise Stopped(Unavailable(*self.place, holder=self.asked_by, reason=reason))
        return found.text


def is_amount(text: Scalar) -> bool:
    """Whether an input is a number (with or without a unit), not an expression."""
    try:
        return not isinstance(text.value, str) or parse_amount(text.text) is not None
    except UnitError:
        return False


def roles_through(source: ValueAtom) -> tuple[str, ...]:
    """The roles that lead to a recorded value: to that of a mixer its model too."""
    return (source.holder, source.index, *(("model",) if source.holder in PARTS else ()))
