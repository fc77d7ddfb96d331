"""A formula as it is read in one frame: its one case that holds, its sums written out, its calls and ``has`` decided.

What comes out is plain arithmetic whose names stand for targets in frames; everything that computes, compares or shows
formulas works on that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol

from flopkb.arithmetic.formula import Binary, Call, Expr, Has, Name, Number, Rebound, Sum, Unary, names
from flopkb.base.link.expressions import SUMS
from flopkb.base.link.frames import ROOT, Frame
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom, Target, ValueAtom


class Surroundings(Protocol):
    """What an expansion asks of the inputs that it is made for."""

    def narrowed(self, target: Target, frame: Frame) -> Target:
        """A target in a frame, without what it cannot read of it."""

    def has(self, atom: SymbolAtom) -> bool:
        """Whether something records a symbol (which may be in a frame)."""

    def summed(self, role: str, frame: Frame) -> list[tuple[ValueAtom | SymbolAtom, Frame]]:
        """How often each part in a role occurs, and the frame of the term for it."""


@dataclass(slots=True)
class Expansion:
    """One expression, expanded in a frame. ``bare`` is the symbol whose binding it is, if any: its own name is no cycle."""

    around: Surroundings
    body: LinkedExpr
    frame: Frame
    bare: SymbolAtom | None = None
    targets: dict[Name, Target] = field(default_factory=dict)

    def expanded(self) -> LinkedExpr:
        """The expression in plain arithmetic; itself where nothing in it depends on the frame."""
        expr = self.part(self.body.expr, self.frame)
        if expr is self.body.expr:
            return self.body
        left = {name: self.targets[name] for name in names(expr)}  # what was multiplied by nothing is not asked for
        return LinkedExpr(self.body.record, self.body.source, expr, left)

    def part(self, expr: Expr, frame: Frame) -> Expr:
        match expr:
            case Name():
                return self.named(expr, self.body.targets[expr], frame)
            case Unary():
                operand = self.part(expr.operand, frame)
                return expr if operand is expr.operand else replace(expr, operand=operand)
            case Binary():
                left, right = self.part(expr.left, frame), self.part(expr.right, frame)
                same = left is expr.left and right is expr.right
                return expr if same else folded(replace(expr, left=left, right=right))
            case Call():
                args = tuple(self.part(arg, frame) for arg in expr.args)
                same = all(new is old for new, old in zip(args, expr.args, strict=True))
                return expr if same else replace(expr, args=args)
            case Sum():
                return self.sum(expr, frame)
            case Rebound():
                ref = self.body.targets[expr.formula]
                return self.named(expr.formula, ref, frame.inside(self.body.levels[expr]))
            case Has():
                atom = self.around.narrowed(self.body.targets[expr.symbol], frame)
                assert isinstance(atom, SymbolAtom), "linking has seen to that"
                return Number(Fraction(self.around.has(atom)), offset=expr.offset, end=expr.end)
        return expr

    def named(self, name: Name, target: Target, frame: Frame) -> Name:
        """A name for a target in a frame: itself where the frame is nothing to it."""
        found = self.around.narrowed(target, frame)
        if self.bare is not None and found.plain == self.bare and isinstance(found, SymbolAtom):
            found = replace(found, bare=True)
        label = () if found.frame is None else (str(found.frame),)
        if isinstance(found, SymbolAtom) and found.bare:
            label = (*label, "unbound")
        shown = replace(name, index=(*(name.index or ()), *label)) if label else name
        self.targets[shown] = found
        return shown

    def sum(self, expr: Sum, frame: Frame) -> Expr:
        """The term for each part, times how often it occurs."""
        parts = [
            Binary("*", self.named(Name((str(count),)), count, ROOT), self.part(expr.term, inner))
            for count, inner in self.around.summed(SUMS[str(expr.over)], frame)
        ]
        total: Expr = parts[0] if parts else Number(Fraction(0))
        for part in parts[1:]:
            total = Binary("+", total, part)
        return replace(total, offset=expr.offset, end=expr.end)


def folded(expr: Binary) -> Expr:
    """What a ``has`` that is decided leaves of a sum or product: ``(1 - 0)*x`` is x, and ``0*x`` asks nothing of x."""
    left, right = (side.value if isinstance(side, Number) else None for side in (expr.left, expr.right))
    if left is not None and right is not None and expr.op in "+-*":
        value = left + right if expr.op == "+" else left - right if expr.op == "-" else left * right
        return Number(value, offset=expr.offset, end=expr.end)
    if expr.op == "*" and 0 in (left, right):
        return Number(Fraction(0), offset=expr.offset, end=expr.end)
    if expr.op == "*" and 1 in (left, right):
        return expr.right if left == 1 else expr.left
    return expr


def expanded(
    body: LinkedExpr, around: Surroundings, frame: Frame = ROOT, *, bare: SymbolAtom | None = None
) -> LinkedExpr:
    """An expression in plain arithmetic, as it is read in a frame."""
    return Expansion(around, body, frame, bare).expanded()


def formulas_in(targets: Mapping[Name, Target]) -> Iterator[FormulaRef]:
    """The formulas that names stand for."""
    return (target for target in targets.values() if isinstance(target, FormulaRef))
