"""Units of names, and the check that a formula's dimension is that of its declared unit."""

from __future__ import annotations

from flopkb.faults import BadDimension, Fault
from flopkb.formula import DimensionError, Name, dimension
from flopkb.link.scope import Scope
from flopkb.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.model import ROLES, Record
from flopkb.units import ONE, Unit, UnitError, parse_unit


def unit_of(target: Target, scope: Scope) -> Unit:
    """The declared unit of what a name stands for (``1`` where its declaration cannot be read: reported there)."""
    if isinstance(target, SymbolAtom):
        unit = scope.records[target.record].symbols[target.name].unit
        return ONE if unit is None else unit_or_one(unit.text)
    if isinstance(target, FormulaRef):
        return unit_or_one(scope.records[target.record].formulas[target.name].unit.text)
    return fact_unit(target, scope)


def fact_unit(atom: ValueAtom, scope: Scope) -> Unit:
    """The unit of a recorded value, from any record that has it (a quantity has one unit)."""
    kind = ROLES.get(atom.holder)
    holders = (r for r in scope.records.values() if (r.kind is kind if kind else r.id == atom.holder))
    for record in holders:
        for path, fact in record.facts.items():
            if path == atom.path or path.startswith(atom.path + "."):
                return unit_or_one(fact.unit)
    return ONE


def unit_or_one(text: str) -> Unit:
    """The unit written as ``text``, or ``1`` where it cannot be read (a rule reports that at its place)."""
    try:
        return parse_unit(text)
    except UnitError:
        return ONE


def check_dimension(body: LinkedExpr, declared: Unit, record: Record, scope: Scope) -> Fault | None:
    """Bytes, seconds, joules and dollars must balance; counts may be introduced by the declaration."""

    def unit(name: Name) -> Unit:
        return unit_of(body.targets[name], scope)

    try:
        found = dimension(body.expr, unit)
    except DimensionError as error:
        return BadDimension(location=body.source.at(error.offset), record=record.id, reason=str(error))
    if found.dimension == declared.dimension:
        return None
    reason = (
        f"the expression is in {physical(found)}, but its unit is declared as {declared.text or '1'}; "
        "correct the expression or the unit"
    )
    return BadDimension(location=body.source.location, record=record.id, length=len(body.source.text), reason=reason)


def physical(unit: Unit) -> str:
    """The physical dimension in words: ``byte/second``."""
    over = [f"{name}^{power}" if power > 1 else name for name, power in unit.dimension if power > 0]
    under = [f"{name}^{-power}" if power < -1 else name for name, power in unit.dimension if power < 0]
    return "/".join(["*".join(over) or "1", *under])
