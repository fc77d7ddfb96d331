"""Names that a document declares: values in data files, and figures that ``flopkb.yaml`` shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.data.facts import DataFacts
from flopkb.base.faults import BadExpression, Fault, NoData, UnknownFigure, nearest
from flopkb.base.link.names import Scope
from flopkb.base.link.targets import FormulaRef, ValueAtom
from flopkb.base.model import Elsewhere, Record


def target_near(
    parts: Sequence[str], record: Record, scope: Scope, where: Location, length: int
) -> ValueAtom | FormulaRef | Fault:
    """What a dotted name stands for in an expression of a document, which must have it in ``near``."""
    found = found_near(record, parts, where, length)
    if isinstance(found, Fault):
        return found
    owner = scope.records[found.record]
    if found.path in owner.formulas:
        ref = FormulaRef(owner.id, found.path)
        return whole(ref, owner, record.id, where) or ref
    if found.path in owner.facts:
        return ValueAtom(owner.id, found.path)
    return no_value(owner, found.path, record.id, where, length)


def whole(ref: FormulaRef, owner: Record, holder: str, where: Location) -> BadExpression | None:
    """The fault of computing on with what is only there for one who asks: what is made of many rows, or searched for."""
    formula = owner.formulas[ref.name]
    reason = ""
    if formula.aggregate:
        made = f"the {formula.aggregate} of many rows"
        reason = f"{ref.name} is {made}, and is only quoted; to compute with one, aggregate a value of data"
    elif formula.such_that is not None:
        reason = (
            f"{ref.name} is found by search, so no expression can name it: ask for it in a figure, a link or a table"
        )
    if not reason:
        return None
    return BadExpression(where, holder, len(ref.name), reason=reason)


def found_near(record: Record, parts: Sequence[str], where: Location, length: int) -> Elsewhere | NoData:
    """Where the value is that a dotted name of a document stands for."""
    near = record.near[parts[0]]
    if near.fault:
        return NoData(where, record.id, length, reason=f"{parts[0]} has no value: {near.fault}")
    return replace(near, path=".".join(part for part in (near.path, *parts[1:]) if part))


def no_value(owner: Record, path: str, holder: str, where: Location, length: int) -> Fault:
    """The fault of naming what a data file does not hold as a number."""
    if isinstance(owner.facts, DataFacts):
        return NoData(where, holder, length, reason=owner.facts.why(path))
    meant = nearest(path, {*owner.formulas, *owner.figures})
    return UnknownFigure(where, holder, length, target=path, meant=meant)
