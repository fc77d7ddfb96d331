"""A formula with the formulas that it names put in their places, or step by step, innermost first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flopkb.arithmetic.formula import Binary, Call, Expr, Name, Unary
from flopkb.base.link import FormulaRef, KnowledgeBase
from flopkb.base.link.targets import LinkedExpr, Target
from flopkb.publishing.render.faults import Bad


@dataclass(frozen=True, slots=True)
class Flat:
    """An expression whose names are keys of ``targets``."""

    expr: Expr
    targets: Mapping[Name, Target]


def body_of(ref: FormulaRef, kb: KnowledgeBase) -> LinkedExpr:
    """The expression of a formula."""
    body = kb.formulas[ref].body
    if body is None:
        raise Bad(f"{ref} is faulty: flopkb check says why", 0)
    return body


def flat(ref: FormulaRef, kb: KnowledgeBase, *, expand: bool) -> Flat:
    """The formula's expression; with ``expand`` in symbols and recorded values alone, each under a name of its own."""
    body = body_of(ref, kb)
    if not expand:
        return Flat(body.expr, dict(body.targets))
    targets: dict[Name, Target] = {}
    return Flat(_put(body.expr, body, kb, targets), targets)


def _put(expr: Expr, body: LinkedExpr, kb: KnowledgeBase, targets: dict[Name, Target]) -> Expr:
    if isinstance(expr, Name):
        target = body.targets[expr]
        if isinstance(target, FormulaRef):
            inner = body_of(target, kb)
            return _put(inner.expr, inner, kb, targets)
        name = Name((body.record, str(target)))
        targets[name] = target
        return name
    if isinstance(expr, Unary):
        return Unary(expr.op, _put(expr.operand, body, kb, targets))
    if isinstance(expr, Binary):
        return Binary(expr.op, _put(expr.left, body, kb, targets), _put(expr.right, body, kb, targets))
    if isinstance(expr, Call):
        return Call(expr.func, tuple(_put(arg, body, kb, targets) for arg in expr.args))
    return expr


def steps(ref: FormulaRef, kb: KnowledgeBase) -> list[FormulaRef]:
    """The formulas that ``ref`` is computed from, innermost first, itself last."""
    order: dict[FormulaRef, None] = {}

    def visit(at: FormulaRef) -> None:
        for target in body_of(at, kb).targets.values():
            if isinstance(target, FormulaRef) and target not in order:
                visit(target)
        order[at] = None

    visit(ref)
    return list(order)
