"""Names in expressions, looked up in the scope of a record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Compare, Expr, FormulaError, Name, names, parse, parse_conditions
from flopkb.base.document import Scalar
from flopkb.base.faults import BadExpression, Blocked, Fault, UnknownFact, UnknownName, nearest
from flopkb.base.link.scope import ANY_KIND, Scope, blocked_entry, record_fault
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.base.model import ROLES, Kind, Record


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
    if holder in ROLES:
        return _value(holder, name, scope.paths[ROLES[holder]], record, scope, where)
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
    missing = blocked_entry(other, f"formulas.{path}", record.id, where) or blocked_entry(other, path, record.id, where)
    if missing is not None:
        return missing
    if not other.facts:
        return _no_formula(name, other, record, where)
    fields = {*other.facts, *(p.split(".")[0] for p in other.facts)}
    return _value(holder, name, fields, record, scope, where)


def _no_formula(name: Name, other: Record, record: Record, where: Location) -> UnknownName:
    """A name of a record that has formulas and no such one; its symbols are out of reach."""
    path = name.parts[1]
    meant = nearest(path, other.formulas)
    why = f"no formula of {other.id}"
    if path in other.symbols:
        why, meant = f"a symbol of {other.id}, and symbols are read nowhere else; name a formula of it", None
    shown = f"{other.id}.{meant}" if meant else None
    return UnknownName(location=where, record=record.id, length=name.length, name=str(name), meant=shown, why=why)


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
    holder: str, name: Name, fields: Iterable[str], record: Record, scope: Scope, where: Location
) -> ValueAtom | Fault:
    path, known = ".".join(name.parts[1:]), set(fields)
    index = ".".join(name.index) if name.index else ""
    if path not in known:
        meant = nearest(path, known)
        return UnknownFact(location=where, record=record.id, length=name.length, holder=holder, path=path, meant=meant)
    if index and index not in (rows := known_rows(path, scope)) and index not in scope.broken:
        at = replace(where, column=where.column + str(name).index("[") + 1)
        return UnknownName(location=at, record=record.id, length=len(index), name=index, meant=nearest(index, rows))
    return ValueAtom(holder, path, index)


def known_rows(path: str, scope: Scope) -> set[str]:
    """What may stand in brackets: a role that holds a number format, such a format, or the name of a row."""
    formats = {record.id for record in scope.records.values() if record.kind is Kind.DTYPE}
    roles = {role for role, kind in ROLES.items() if kind is Kind.DTYPE}
    rows = {p.removeprefix(f"{path}.") for p in scope.paths[Kind.ACCELERATOR] if p.startswith(f"{path}.")}
    return formats | roles | rows
