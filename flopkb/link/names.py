"""Names in expressions, looked up in the scope of a record."""

from __future__ import annotations

from collections.abc import Iterable

from flopkb.diagnostics import Location
from flopkb.document import Scalar
from flopkb.faults import BadExpression, Blocked, Fault, UnknownFact, UnknownName, nearest
from flopkb.formula import Compare, Expr, FormulaError, Name, names, parse, parse_conditions
from flopkb.link.scope import ANY_KIND, Scope, blocked_entry, record_fault
from flopkb.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.model import ROLES, Record


def link_expr(text: Scalar, record: Record, scope: Scope) -> LinkedExpr | Fault:
    """The expression in ``text`` with its names looked up, or the first thing wrong with it."""
    try:
        expr = parse(text.text)
    except FormulaError as error:
        return BadExpression(location=text.at(error.offset), record=record.id, length=error.length, reason=str(error))
    return link_names(text, expr, record, scope)


def link_condition(text: Scalar, record: Record, scope: Scope) -> tuple[tuple[Compare, ...], LinkedExpr] | Fault:
    """A condition (``n_q <= 64*n_kv and ...``) with its names looked up, or the first thing wrong with it."""
    try:
        parts = parse_conditions(text.text)
    except FormulaError as error:
        return BadExpression(location=text.at(error.offset), record=record.id, length=error.length, reason=str(error))
    linked: dict[Name, Target] = {}
    for part in parts:
        for side in (part.left, part.right):
            found = link_names(text, side, record, scope)
            if isinstance(found, Fault):
                return found
            linked.update(found.targets)
    return parts, LinkedExpr(record.id, text, parts[0].left, linked)


def link_names(text: Scalar, expr: Expr, record: Record, scope: Scope) -> LinkedExpr | Fault:
    """``expr``, parsed from ``text``, with its names looked up."""
    targets: dict[Name, Target] = {}
    for name in names(expr):
        found = resolve(name, record, scope, text.at(name.offset))
        if isinstance(found, Fault):
            return found
        targets[name] = found
    return LinkedExpr(record.id, text, expr, targets)


def resolve(name: Name, record: Record, scope: Scope, where: Location) -> Target | Fault:
    """What ``name`` stands for in an expression of ``record``."""
    if len(name.parts) == 1:
        return _own(name.parts[0], record, scope, where)
    holder, path = name.parts[0], ".".join(name.parts[1:])
    index = ".".join(name.index) if name.index else ""
    if holder in ROLES:
        return _value(holder, path, index, scope.paths[ROLES[holder]], record, where)
    if holder in scope.broken:
        return Blocked(location=where, record=record.id, cause=f"{holder} could not be read")
    other = scope.records.get(holder)
    if other is None:
        meant = nearest(holder, {*ROLES, *scope.records})
        return UnknownName(location=where, record=record.id, length=len(holder), name=holder, meant=meant)
    unfit = record_fault(holder, where, "the expression", ANY_KIND, record, scope)
    if unfit is not None:
        return unfit
    if path in other.formulas:
        return FormulaRef(holder, path)
    fields = {*other.formulas, *other.facts, *(p.split(".")[0] for p in other.facts)}
    missing = blocked_entry(other, f"formulas.{path}", record.id, where) or blocked_entry(other, path, record.id, where)
    return missing or _value(holder, path, index, fields, record, where)


def _own(name: str, record: Record, scope: Scope, where: Location) -> Target | Fault:
    if name in record.symbols:
        return SymbolAtom(record.id, name)
    if name in record.formulas:
        return FormulaRef(record.id, name)
    for section in ("symbols", "formulas"):
        missing = blocked_entry(record, f"{section}.{name}", record.id, where)
        if missing is not None:
            return missing
    meant = nearest(name, scope.known(record))
    return UnknownName(location=where, record=record.id, length=len(name), name=name, meant=meant)


def _value(
    holder: str, path: str, index: str, fields: Iterable[str], record: Record, where: Location
) -> ValueAtom | UnknownFact:
    known = set(fields)
    if path in known:
        return ValueAtom(holder, path, index)
    return UnknownFact(location=where, record=record.id, holder=holder, path=path, meant=nearest(path, known))
