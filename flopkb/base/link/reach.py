"""What a formula can read, through all that it names: symbols, the parts of a model that it is read in, what decides its cases.

Found from the texts alone, whatever is bound: so it is what *may* be read. A value drops from its frame what its formula
cannot read, so that one value has one frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from flopkb.arithmetic.formula import Condition, Expr, Has, Name, Rebound, Sum, children
from flopkb.base.faults import Fault
from flopkb.base.layers import PARTS
from flopkb.base.link.expressions import SUMS
from flopkb.base.link.targets import (
    NO_FALLBACK,
    Fallback,
    FormulaRef,
    LinkedCondition,
    LinkedExpr,
    LinkedFormula,
    SymbolAtom,
    Target,
    ValueAtom,
)

OWN_DTYPES = ("state_dtype", "conv_dtype")
"""The dtypes that a mixer may have of its own."""


@dataclass(frozen=True, slots=True)
class Reach:
    """``roles`` are those that a part of a model fills and no sum inside does; ``deciding`` the names that cases turn on.

    ``plain`` says that there are no cases, sums, calls with inputs or ``has`` in it, so that it is the same everywhere.
    """

    roles: frozenset[str] = frozenset()
    symbols: frozenset[SymbolAtom] = frozenset()
    deciding: frozenset[str] = frozenset()
    plain: bool = True

    def joined(self, other: Reach) -> Reach:
        """What either can read."""
        return Reach(
            self.roles | other.roles,
            self.symbols | other.symbols,
            self.deciding | other.deciding,
            self.plain and other.plain,
        )


NOTHING_READ = Reach()


@dataclass(slots=True)
class Reaches:
    """The reach of everything in a base, each found once. Formulas are asked for in order, those that one names first."""

    formulas: Mapping[FormulaRef, LinkedFormula]
    sources: Mapping[SymbolAtom, ValueAtom | Fault]
    fallbacks: Mapping[SymbolAtom, Fallback | Fault]
    known: dict[FormulaRef | SymbolAtom, Reach] = field(default_factory=dict)

    def formula(self, ref: FormulaRef) -> Reach:
        """The reach of a formula in all of its cases."""
        if ref not in self.known:
            self.known[ref] = NOTHING_READ  # on a cycle, which is reported, nothing is read a second time
            found = NOTHING_READ
            for case in self.formulas[ref].cases:
                found = found.joined(self.body(case.body))
                if case.when is not None:
                    found = found.joined(self.condition(case.when))
            self.known[ref] = found
        return self.known[ref]

    def symbol(self, atom: SymbolAtom) -> Reach:
        """The reach of a symbol that nothing binds."""
        if atom not in self.known:
            self.known[atom] = Reach(symbols=frozenset({atom}))
            source, rest = self.sources.get(atom), self.fallbacks.get(atom, NO_FALLBACK)
            values = [source, *(rest.later if isinstance(rest, Fallback) else ())]
            found = Reach(roles_of(values), frozenset({atom}))
            if isinstance(rest, Fallback) and rest.otherwise is not None:
                found = found.joined(self.body(rest.otherwise))
            self.known[atom] = found
        return self.known[atom]

    def target(self, target: Target) -> Reach:
        """The reach of what a name stands for."""
        if isinstance(target, FormulaRef):
            return self.formula(target.plain)
        return self.symbol(target.plain) if isinstance(target, SymbolAtom) else Reach(roles_of([target]))

    def body(self, body: LinkedExpr) -> Reach:
        """The reach of an expression."""
        return self._part(body.expr, body.targets)

    def condition(self, when: LinkedCondition) -> Reach:
        """The reach of a condition: all that it reads decides."""
        read = self._part(when.condition, when.targets)
        taken = {target for target in when.targets.values() if isinstance(target, ValueAtom)}
        return read.joined(Reach(deciding=self._names(read, taken), plain=False))

    def _names(self, read: Reach, taken: Iterable[ValueAtom] = ()) -> frozenset[str]:
        """The names of symbols and roles that give what is read its value."""
        sources = [self.sources.get(atom) for atom in read.symbols]
        rests = [self.fallbacks.get(atom, NO_FALLBACK) for atom in read.symbols]
        later = [value for rest in rests if isinstance(rest, Fallback) for value in rest.later]
        values = [value for value in (*taken, *sources, *later) if isinstance(value, ValueAtom)]
        roles = {role for value in values for role in (value.holder, value.index)}
        return frozenset({*(atom.name for atom in read.symbols), *roles})

    def _part(self, node: Expr | Condition, targets: Mapping[Name, Target]) -> Reach:
        if isinstance(node, Name):
            return self.target(targets[node])
        found = NOTHING_READ
        for child in children(node):
            found = found.joined(self._part(child, targets))
        if isinstance(node, Sum):
            return Reach(found.roles - {SUMS[str(node.over)]}, found.symbols, found.deciding, False)
        if isinstance(node, Has):
            return found.joined(Reach(deciding=self._names(found), plain=False))
        if isinstance(node, Rebound):
            inner, given = self.target(targets[node.formula]), NOTHING_READ
            for _, value in node.inputs:
                given = given.joined(self._part(value, targets))
            turns = inner.deciding & {name for name, _ in node.inputs}
            return found.joined(Reach(deciding=self._names(given) if turns else frozenset(), plain=False))
        return found


def roles_of(values: list[ValueAtom | Fault | None] | list[ValueAtom]) -> frozenset[str]:
    """The parts of a model from which recorded values are taken; a mixer may say the dtype of its own state."""
    holders = {value.holder for value in values if isinstance(value, ValueAtom)}
    own = {"mixer"} if holders & set(OWN_DTYPES) else set[str]()
    return frozenset((holders & PARTS.keys()) | own)
