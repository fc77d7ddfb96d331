"""Derived values that call formulas of the base: ``parameters.total`` of a model is asked of that model itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flopkb.arithmetic.formula import Name, names, parse_formula
from flopkb.arithmetic.units import parse_unit
from flopkb.base.evaluate.facts import sibling_path
from flopkb.base.faults import BadExpression, Cycle, Fault
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.expressions import levels_of, parsed, resolve
from flopkb.base.link.formulas import check_dimension
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom
from flopkb.base.model import Fact, Record


def linked_derivation(fact: Fact, record: Record, kb: KnowledgeBase) -> LinkedExpr | Fault | None:
    """The derivation of a fact, where it calls formulas; None where it is made of other values of the record alone."""
    body = _linked(fact, record, kb)
    if body is None or isinstance(body, Fault):
        return body
    if fact.path in _read_by(body, record, kb):
        return Cycle(*body.source.whole(record.id), path=(fact.path, body.source.text, fact.path))
    return check_dimension(body, parse_unit(fact.unit), record.id, kb.scope) or body


def _linked(fact: Fact, record: Record, kb: KnowledgeBase) -> LinkedExpr | Fault | None:
    text = fact.formula
    expr = parsed(text, record.id, parse_formula) if text is not None else None
    if text is None or expr is None or isinstance(expr, BadExpression):
        return None  # what does not parse is told where derivations in plain values are
    if all(len(name.parts) == 1 for name in names(expr)):
        return None
    targets: dict[Name, Target] = {}
    for name in names(expr):
        path = sibling_path(str(name), fact, record.facts)
        own = ValueAtom(record.id, path) if path in record.facts else None
        found = own or resolve(name, record, kb.scope, text.at(name.offset))
        if isinstance(found, Fault):
            return found
        targets[name] = found
    body = LinkedExpr(record.id, text, expr, targets)
    return replace(body, levels=levels_of(body, kb.scope))


def _read_by(body: LinkedExpr, record: Record, kb: KnowledgeBase) -> set[str]:
    """The values of its own record that a derivation reads, through formulas and through other derivations."""
    found: set[str] = set()
    queue = [body]
    while queue:
        for value in _values(queue.pop(), kb):
            fact = record.facts.get(value.path) if value.holder in (record.id, record.kind.value) else None
            if fact is not None and fact.path not in found:
                found.add(fact.path)
                inner = _linked(fact, record, kb)
                queue += [inner] if isinstance(inner, LinkedExpr) else []
    return found


def _values(body: LinkedExpr, kb: KnowledgeBase) -> Iterator[ValueAtom]:
    for target in body.targets.values():
        for leaf in kb.leaves(target) if isinstance(target, FormulaRef) else (target,):
            source = kb.sources.get(leaf) if isinstance(leaf, SymbolAtom) else leaf
            if isinstance(source, ValueAtom):
                yield source
