"""What a formula may be asked with, and formulas near one that does not read an input or is not for a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flopkb.base.evaluate.asked import roles_through
from flopkb.base.layers import PARTS
from flopkb.base.link.targets import FormulaRef, SymbolAtom, Target, ValueAtom
from flopkb.base.model import ROLES
from flopkb.checking.api import Base, FlopkbError


def inputs_of(ref: FormulaRef, base: Base) -> tuple[str, ...]:
    """What a formula may ask for: the roles that give it recorded values, then the symbols that nothing else gives."""
    kb = base.evaluation.kb
    read = set(read_by(ref, base))
    symbols = {atom for target in read if isinstance(target, SymbolAtom) for atom in kb.reach(target).symbols}
    values = {target for target in read if isinstance(target, ValueAtom)}
    values |= {found for atom in symbols if isinstance(found := kb.sources.get(atom), ValueAtom)}
    roles = {role for value in values for role in roles_through(value) if role in ROLES and role not in PARTS}
    own = [atom for atom in symbols if kb.scope.symbol(atom.name, ref.record) == atom]
    given = [atom for atom in own if atom in kb.sources or kb.scope.records[atom.record].symbols[atom.name].value]
    sought = kb.formulas[ref].sought_symbol
    open_ = sorted({atom.name for atom in own} - {atom.name for atom in given})
    names = {sought.name} if sought is not None else set()
    return (*(role for role in ROLES if role in roles), *(name for name in open_ if name not in names))


def read_by(ref: FormulaRef, base: Base) -> Iterator[Target]:
    """Everything that a formula names, through the formulas on the way."""
    seen, queue = {ref}, [ref]
    while queue:
        for target in base.evaluation.kb.formulas[queue.pop()].targets:
            yield target.plain
            if isinstance(target, FormulaRef) and target.plain not in seen:
                seen.add(target.plain)
                queue.append(target.plain)


def beside(formula: str, base: Base) -> Iterator[FormulaRef]:
    """The formulas of other records that are in the unit of one, counts and all."""
    linked = {str(ref): each for ref, each in base.evaluation.kb.formulas.items()}
    own = linked.get(formula)
    for ref, each in base.evaluation.kb.formulas.items() if own is not None else ():
        if own is not None and each.unit.text == own.unit.text and ref.record != own.ref.record:
            yield ref


def that_reads(name: str, formula: str, base: Base) -> str:
    """The formula that gives the same and reads an input which one does not; empty where there is none.

    It reads whatever the other does and little else.
    """
    ref = next((each for each in base.evaluation.kb.formulas if str(each) == formula), None)
    asked = {*inputs_of(ref, base), name} if ref is not None else set()
    read = {str(each): {*inputs_of(each, base)} for each in beside(formula, base)}
    found = [(len(names - asked), each) for each, names in read.items() if asked <= names]
    return min(found)[1] if found and min(found)[0] <= 2 else ""


def that_applies(formula: str, inputs: Mapping[str, str], base: Base) -> str:
    """The formula of the same name in another record that has a value for these inputs; empty where there is none."""
    for ref in beside(formula, base):
        if ref.name == formula.rpartition(".")[2]:
            try:
                base.evaluate(str(ref), **inputs)
            except FlopkbError:
                continue
            return str(ref)
    return ""
