"""Units of names, and the check that a formula's dimension is that of its declared unit."""

from __future__ import annotations

from flopkb.arithmetic.formula import DimensionError, dimension
from flopkb.arithmetic.units import ONE, Unit, UnitError, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.faults import BadDimension, Blocked, Fault
from flopkb.base.link.scope import Scope
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.base.model import ROLES
from flopkb.base.quantities import QUANTITIES


def unit_of(target: Target, scope: Scope) -> Unit:
    """The declared unit of what a name stands for (``1`` where its declaration cannot be read: reported there)."""
    if isinstance(target, SymbolAtom):
        unit = scope.records[target.record].symbols[target.name].unit
        return ONE if unit is None else unit_or_one(unit.text)
    if isinstance(target, FormulaRef):
        return unit_or_one(scope.records[target.record].formulas[target.name].unit.text)
    return fact_unit(target, scope)


def fact_unit(atom: ValueAtom, scope: Scope) -> Unit:
    """The unit of a recorded value: a quantity of a kind of record has one unit, whichever record holds it."""
    kind = ROLES[atom.holder] if atom.holder in ROLES else scope.records[atom.holder].kind
    quantity = QUANTITIES.get(kind, {}).get(atom.path.split(".")[0])
    return parse_unit(quantity.unit) if quantity is not None else ONE


def unit_or_one(text: str) -> Unit:
    """The unit written as ``text``, or ``1`` where it cannot be read (a rule reports that at its place)."""
    try:
        return parse_unit(text)
    except UnitError:
        return ONE


def readable(unit: Scalar | None) -> bool:
    """Whether a declared unit can be read (where it cannot, that is reported at its place)."""
    try:
        return unit is None or parse_unit(unit.text) is not None
    except UnitError:
        return False


def declared_at(target: Target, scope: Scope) -> Scalar | None:
    """Where the unit of a symbol or formula is declared."""
    if isinstance(target, SymbolAtom):
        return scope.records[target.record].symbols[target.name].unit
    return scope.records[target.record].formulas[target.name].unit if isinstance(target, FormulaRef) else None


def check_dimension(body: LinkedExpr, declared: Unit, record: str, scope: Scope) -> Fault | None:
    """Bytes, seconds, joules and dollars must balance; counts may be introduced by the declaration."""
    if not all(readable(declared_at(target, scope)) for target in body.targets.values()):
        return Blocked(location=body.source.location, record=record, cause="a unit in it cannot be read")
    try:
        found = dimension(body.expr, lambda name: unit_of(body.targets[name], scope))
    except DimensionError as error:
        where = body.source.at(error.offset)
        return BadDimension(location=where, record=record, length=error.length, reason=str(error))
    if found.dimension == declared.dimension:
        return None
    reason = (
        f"the expression is in {physical(found)}, but its unit is declared as {declared.text or '1'}; "
        "correct the expression or the unit"
    )
    return BadDimension(location=body.source.location, record=record, length=len(body.source.text), reason=reason)


def physical(unit: Unit) -> str:
    """The physical dimension in words: ``byte/second``."""
    over = [f"{name}^{power}" if power > 1 else name for name, power in unit.dimension if power > 0]
    under = [f"{name}^{-power}" if power < -1 else name for name, power in unit.dimension if power < 0]
    return "/".join(["*".join(over) or "1", *under])
