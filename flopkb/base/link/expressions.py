"""Expressions and conditions with their names looked up: symbols, formulas, recorded values, and the words of types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import (
    Among,
    Compare,
    Condition,
    Expr,
    FormulaError,
    Joined,
    Name,
    Opposite,
    Rebound,
    Sum,
    names,
    parse_case,
    parse_conditions,
    parse_deep,
    parse_formula,
    to_text,
    walk,
)
from flopkb.base.document import Scalar
from flopkb.base.faults import BadExpression, Blocked, Fault, UnknownFact, UnknownInput, UnknownName, nearest
from flopkb.base.layers import PARTS
from flopkb.base.link.elsewhere import target_near, whole
from flopkb.base.link.frames import Level
from flopkb.base.link.names import ANY_KIND, Scope, blocked_entry, left_out, record_fault, withheld
from flopkb.base.link.targets import FormulaRef, LinkedCondition, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.base.model import ROLES, Binding, Kind, Record
from flopkb.base.schema.layering import part_fields, word_fields

T = TypeVar("T")
SUMS = {f"model.{section}": role for role, section in PARTS.items()}
"""What a sum may run over, each with the role that its term is read in."""


def parsed(text: Scalar, record: str, parse: Callable[[str], T]) -> T | BadExpression:
    """What ``parse`` makes of a text, or the fault at the character where it cannot."""
    try:
        return parse(text.text)
    except FormulaError as error:
        return BadExpression(text.at(error.offset), record, error.length, reason=str(error))


def link_expr(text: Scalar, record: Record, scope: Scope) -> LinkedExpr | Fault:
    """The expression in ``text`` with its names looked up, or the first thing wrong with it."""
    expr = parsed(text, record.id, parse_deep if record.near else parse_formula)
    if isinstance(expr, BadExpression):
        return expr
    targets = look_up(names(expr), text, record, scope)
    if isinstance(targets, Fault):
        return targets
    linked = LinkedExpr(record.id, text, expr, targets)
    fault = next(misused(linked, scope), None)
    return fault or replace(linked, levels=levels_of(linked, scope))


def levels_of(body: LinkedExpr, scope: Scope) -> dict[Rebound, Level]:
    """What each call with inputs binds, inner calls first."""
    found: dict[Rebound, Level] = {}
    for node in reversed([node for node in walk(body.expr) if isinstance(node, Rebound)]):
        ref = body.targets[node.formula]
        atoms = [scope.symbol(name, ref.record) if isinstance(ref, FormulaRef) else None for name, _ in node.inputs]
        bindings = tuple(
            (atom, LinkedExpr(body.record, body.source, value, {n: body.targets[n] for n in names(value)}, found))
            for atom, (_, value) in zip(atoms, node.inputs, strict=True)
            if atom is not None
        )
        found[node] = Level(bindings, ", ".join(f"{name}={to_text(value)}" for name, value in node.inputs))
    return found


def misused(body: LinkedExpr, scope: Scope) -> Iterator[Fault]:
    """Sums over what is no part of a model, and inputs of what is no formula or has no such symbol."""
    for node in walk(body.expr):
        if isinstance(node, Sum) and str(node.over) not in SUMS:
            reason = f"sum runs over {' or '.join(SUMS)}, not over {node.over}"
            yield BadExpression(body.source.at(node.over.offset), body.record, node.over.length, reason=reason)
        if isinstance(node, Rebound):
            yield from _misbound(node, body, scope)


def _misbound(node: Rebound, body: LinkedExpr, scope: Scope) -> Iterator[Fault]:
    ref, where = body.targets[node.formula], body.source.at(node.offset)
    if not isinstance(ref, FormulaRef):
        reason = f"{node.formula} is no formula, so it takes no inputs; to multiply write *"
        yield BadExpression(where, body.record, node.formula.length, reason=reason)
        return
    for name, _ in node.inputs:
        if scope.symbol(name, ref.record) is None:
            meant = nearest(name, scope.symbols(scope.records[ref.record]))
            yield UnknownInput(where, body.record, node.length, name=name, holder=ref.record, meant=meant)


def link_case(text: Scalar, record: Record, scope: Scope) -> LinkedCondition | Fault:
    """A condition of any kind with its names looked up and its groups and words of types spelled out.

    ``experts == gated`` and ``mixer_type in has_heads`` both become :class:`Among` with their words.
    """
    condition = parsed(text, record.id, parse_case)
    if isinstance(condition, BadExpression):
        return condition
    linker = _CaseLinker(text, record, scope)
    try:
        return LinkedCondition(record.id, text, linker.linked(condition), linker.targets)
    except _Misfit as misfit:
        return misfit.fault


class _Misfit(Exception):
    """Something in a condition that cannot be linked; it never leaves this module."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


class _CaseLinker:
    """Links the parts of one condition."""

    def __init__(self, text: Scalar, record: Record, scope: Scope) -> None:
        self.text, self.record, self.scope = text, record, scope
        self.targets: dict[Name, Target] = {}

    def linked(self, condition: Condition) -> Condition:
        match condition:
            case Joined():
                return replace(condition, parts=tuple(map(self.linked, condition.parts)))
            case Opposite():
                part = self.linked(condition.part)
                if any(isinstance(node, Among) for node in walk(part)):
                    raise self.misfit(
                        condition, "`not` of a type covers types that nobody thought of: name them, with `in`"
                    )
                return replace(condition, part=part)
            case Among():
                return self.among(condition)
            case Compare(left=Name()) if self.words(condition.left) is not None:
                return self.equal(condition)
        self.look_up(condition)
        return condition

    def look_up(self, node: Expr | Condition) -> None:
        found = look_up(names(node), self.text, self.record, self.scope)
        if isinstance(found, Fault):
            raise _Misfit(found)
        self.targets.update(found)
        for part in walk(node):
            if isinstance(part, Sum | Rebound):
                raise self.misfit(
                    part, "a condition compares formulas by their names: give this a name under formulas:"
                )

    def words(self, expr: Expr) -> tuple[str, ...] | None:
        """The words that a symbol takes; None where it stands for a number (or is no symbol)."""
        if not isinstance(expr, Name):
            return None
        self.look_up(expr)
        return words_of(self.targets[expr], self.scope)

    def equal(self, condition: Compare) -> Among:
        left, right = condition.left, condition.right
        assert isinstance(left, Name)
        if condition.op != "==":
            raise self.misfit(
                condition,
                f"{left} is a word, and `!=` would cover words yet to come: name those meant, with `in`",
            )
        if not isinstance(right, Name) or len(right.parts) != 1 or right.index is not None:
            raise self.misfit(right, f"{left} is a word: write one of {', '.join(self.words(left) or ())}")
        return self.among(Among(left, "", right.parts, offset=condition.offset, end=condition.end), right)

    def among(self, condition: Among, at: Expr | None = None) -> Among:
        known = self.words(condition.symbol)
        if known is None:
            raise self.misfit(
                condition, f"{condition.symbol} is a number: `in` asks for a type; compare it with == or <="
            )
        group = self.scope.groups.get(condition.group)
        words = tuple(word for word in known if word in group) if group is not None else condition.words
        if condition.group and group is None:
            meant = nearest(condition.group, self.scope.groups)
            raise self.misfit(
                condition, f"there is no group {condition.group}" + (f"; did you mean {meant}?" if meant else "")
            )
        strange = next((word for word in (group or words) if word not in known), None)
        if strange is not None:
            meant = nearest(strange, known)
            hint = f"did you mean {meant}?" if meant else f"it is one of {', '.join(known)}"
            raise self.misfit(at or condition, f"{condition.symbol} is never {strange}: {hint}")
        return replace(condition, group="", words=words)

    def misfit(self, node: Expr | Condition, reason: str) -> _Misfit:
        return _Misfit(BadExpression(self.text.at(node.offset), self.record.id, node.length, reason=reason))


def words_of(target: Target, scope: Scope) -> tuple[str, ...] | None:
    """The words that a symbol takes; None where it stands for an amount."""
    symbol = scope.declared(target) if isinstance(target, SymbolAtom) else None
    source = symbol.source if symbol is not None else None
    role, _, field = source.text.partition(".") if source is not None else ("", "", "")
    return word_fields(role).get(field) if role in PARTS else None


def link_condition(text: Scalar, record: Record, scope: Scope) -> tuple[tuple[Compare, ...], LinkedExpr] | Fault:
    """A condition (``n_q <= 64*n_kv and ...``) with its names looked up, or the first thing wrong with it."""
    parts = parsed(text, record.id, parse_conditions)
    if isinstance(parts, BadExpression):
        return parts
    targets = look_up((name for part in parts for name in names(part)), text, record, scope)
    if isinstance(targets, Fault):
        return targets
    body = LinkedExpr(record.id, text, parts[0].left, targets)
    sides = [replace(body, expr=side) for part in parts for side in (part.left, part.right)]
    fault = next((fault for side in sides for fault in misused(side, scope)), None)
    levels = {node: level for side in sides for node, level in levels_of(side, scope).items()}
    return fault or (parts, replace(body, levels=levels))


def look_up(found: Iterable[Name], text: Scalar, record: Record, scope: Scope) -> dict[Name, Target] | Fault:
    """What each name found in ``text`` stands for, or what is wrong with the first that stands for nothing."""
    targets: dict[Name, Target] = {}
    for name in found:
        target = resolve(name, record, scope, text.at(name.offset))
        if isinstance(target, Fault):
            return target
        targets[name] = target
    return targets


def resolve(name: Name, record: Record, scope: Scope, where: Location) -> Target | Fault:
    """What ``name`` stands for in an expression of ``record``: a symbol or formula of it, or what another record gives.

    The fault stands at ``where``, the name's first character.
    """
    if name.parts[0] in record.near:
        return target_near(name.parts, record, scope, where, name.length)
    if len(name.parts) > 2:
        first = name.parts[0]
        why = "no name of data, and only those have so many keys"
        return UnknownName(where, record.id, len(first), name=first, meant=nearest(first, record.near), why=why)
    if len(name.parts) == 1:
        return _own(name.parts[0], record, scope, where)
    holder, path = name.parts[0], ".".join(name.parts[1:])
    if holder in ROLES:
        kind = ROLES[holder]
        return _value(holder, name, part_fields(holder) if kind is None else scope.paths[kind], record, scope, where)
    if holder in scope.broken:
        return Blocked(where, record.id, cause=f"{holder} could not be read")
    other = scope.records.get(holder)
    if other is None:
        meant = nearest(holder, {*ROLES, *record.near, *scope.records})
        return UnknownName(where, record.id, len(holder), name=holder, meant=meant)
    unfit = record_fault(holder, where, "the expression", ANY_KIND, record, scope)
    if unfit is not None:
        return unfit
    if path in other.formulas:
        return whole(FormulaRef(holder, path), other, record.id, where) or FormulaRef(holder, path)
    missing = blocked_entry(other, f"formulas.{path}", record.id, where) or blocked_entry(other, path, record.id, where)
    if missing is not None:
        return missing
    if not other.facts:
        return _no_formula(name, other, record, scope, where)
    fields = {*other.facts, *(p.split(".")[0] for p in other.facts)}
    return _value(holder, name, fields, record, scope, where)


def row_bindings(texts: Iterable[Scalar], record: Record, scope: Scope, where: Location) -> tuple[Binding, ...]:
    """The rows that expressions of a document are computed over, each choice of a row a case of its own."""
    found: dict[str, None] = {}
    seen: set[FormulaRef] = set()
    queue = [(text, record) for text in texts]
    while queue:
        text, holder = queue.pop()
        body = link_expr(text, holder, scope) if holder.near else None
        for target in body.targets.values() if isinstance(body, LinkedExpr) else ():
            if isinstance(target, FormulaRef) and target not in seen:
                seen.add(target)
                owner = scope.records[target.record]
                queue += [(case.expr, owner) for case in owner.formulas[target.name].cases]
            elif isinstance(target, ValueAtom) and target.holder not in ROLES:
                found[target.holder] = None
    rows = [(id, scope.records[id].rows_of) for id in found]
    return tuple(
        Binding(Scalar(where, id, id), tuple(Scalar(where, row, row) for row in ids), True) for id, ids in rows if ids
    )


def _no_formula(name: Name, other: Record, record: Record, scope: Scope, where: Location) -> UnknownName:
    """A name of a record that has formulas and no such one; its symbols are out of reach."""
    path = name.parts[1]
    meant = nearest(path, other.formulas)
    why = f"no formula of {other.id}"
    if path in other.symbols and scope.vocabulary.get(path) == SymbolAtom(other.id, path):
        why, meant = f"a symbol of the vocabulary, which is used by its bare name; write {path}", None
    elif path in other.symbols:
        why, meant = f"a symbol of {other.id}, and symbols are read nowhere else; name a formula of it", None
    shown = f"{other.id}.{meant}" if meant else None
    return UnknownName(where, record.id, name.length, name=str(name), meant=shown, why=why)


def _own(name: str, record: Record, scope: Scope, where: Location) -> Target | Fault:
    if name in record.symbols:
        return SymbolAtom(record.id, name)
    if name in record.formulas:
        return whole(FormulaRef(record.id, name), record, record.id, where) or FormulaRef(record.id, name)
    missing = blocked_entry(record, f"formulas.{name}", record.id, where)
    shared = scope.symbol(name, record.id)
    if missing is None and not left_out(record, f"symbols.{name}") and shared is not None:
        return shared
    missing = missing or withheld(name, record, scope, where, record.id)
    if missing is not None:
        return missing
    meant = nearest(name, {*scope.symbols(record), *record.formulas, *record.near})
    return UnknownName(where, record.id, len(name), name=name, meant=meant)


def _value(
    holder: str, name: Name, fields: Iterable[str], record: Record, scope: Scope, where: Location
) -> ValueAtom | Fault:
    path, known = ".".join(name.parts[1:]), set(fields)
    index = ".".join(name.index) if name.index else ""
    if path not in known:
        meant = nearest(path, known)
        return UnknownFact(where, record.id, name.length, holder=holder, path=path, meant=meant)
    if index and index not in (rows := known_rows(path, scope)) and index not in scope.broken:
        at = replace(where, column=where.column + str(name).index("[") + 1)
        return UnknownName(at, record.id, len(index), name=index, meant=nearest(index, rows))
    return ValueAtom(holder, path, index)


def known_rows(path: str, scope: Scope) -> set[str]:
    """What may stand in brackets: a role that holds a number format, such a format, or the name of a row."""
    formats = {record.id for record in scope.records.values() if record.kind is Kind.DTYPE}
    roles = {role for role, kind in ROLES.items() if kind is Kind.DTYPE}
    rows = {p.removeprefix(f"{path}.") for p in scope.paths[Kind.ACCELERATOR] if p.startswith(f"{path}.")}
    return formats | roles | rows
