"""The formulas of a record with their units and inputs, as ``flopkb eval RECORD`` lists them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flopkb.base.evaluate.asked import roles_through
from flopkb.base.layers import PARTS
from flopkb.base.link.targets import FormulaRef, SymbolAtom, Target, ValueAtom
from flopkb.base.model import ROLES, Record
from flopkb.checking.api import Base
from flopkb.checking.text_report import aligned
from flopkb.commands import Outcome, UsageFault, record_named, unread


def formula_listing(name: str, base: Base, form: str) -> Outcome:
    """Each formula of a record with its unit and what it can be asked with."""
    record = record_named(name, base)
    rows = list(formula_rows(record, base))
    if not rows:
        raise UsageFault(f"{record.id} has no formulas; flopkb show {record.id} prints what it has")
    if form == "json":
        told = [{"formula": name, "unit": unit, "inputs": list(inputs)} for name, unit, inputs in rows]
        return Outcome(json.dumps(told, indent=2, ensure_ascii=False) + "\n", error=unread(base))
    lines = [(name, unit, ", ".join(inputs)) for name, unit, inputs in rows]
    return Outcome("\n".join(aligned([("formula", "unit", "inputs"), *lines])) + "\n", error=unread(base))


def formula_rows(record: Record, base: Base) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, unit and inputs of each formula."""
    for name in record.formulas:
        ref = FormulaRef(record.id, name)
        yield str(ref), base.evaluation.kb.formulas[ref].unit.text or "1", inputs_of(ref, base)


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
