"""A formula with those that it names put in their places, step by step, or as a Python function with a call of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Call, Expr, Name, Number, Unary, number_text, to_text, walk
from flopkb.arithmetic.numbers import decimal_text, with_unit
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.inputs import Inputs
from flopkb.base.faults import Stopped
from flopkb.base.link import FormulaRef, KnowledgeBase
from flopkb.base.link.targets import LinkedExpr, Target
from flopkb.publishing.render.template_text import Bad

_WIDTH = 79


@dataclass(frozen=True, slots=True)
class Flat:
    """An expression whose names are keys of ``targets``."""

    expr: Expr
    targets: Mapping[Name, Target]


def body_of(ref: FormulaRef, kb: KnowledgeBase, env: Inputs | None = None) -> LinkedExpr:
    """The expression of a formula; where ``env`` says of what, with its case chosen and its sums written out."""
    linked = kb.formulas[ref.plain]
    if env is not None and linked.cases and linked.sought is None:
        try:
            body = env.body(ref)
        except Stopped as stopped:
            raise Bad(str(stopped.fault), 0) from stopped
        return replace(body, expr=tidied(body.expr))
    if linked.body is None:
        why = (
            "chooses by the types of layers, so it is no one line: equation() shows its cases with a brace"
            if linked.cases
            else "is faulty: flopkb check says why"
        )
        raise Bad(f"{ref} {why}", 0)
    if linked.sought is not None:
        raise Bad(f"{ref} is found by search, so it is no one line", 0)
    return linked.body


def tidied(expr: Expr) -> Expr:
    """Without the 1 and 0 that ``has`` leaves behind where a sum or a case is written out."""
    if isinstance(expr, Unary):
        return Unary(expr.op, tidied(expr.operand))
    if isinstance(expr, Call):
        return Call(expr.func, tuple(map(tidied, expr.args)))
    if not isinstance(expr, Binary):
        return expr
    left, right = tidied(expr.left), tidied(expr.right)
    one, other = (side.value if isinstance(side, Number) else None for side in (left, right))
    if (expr.op in "+-" and other == 0) or (expr.op in ("*", "/") and other == 1):
        return left
    if (expr.op == "+" and one == 0) or (expr.op == "*" and one == 1):
        return right
    if expr.op == "*" and 0 in (one, other):
        return Number(Fraction(0))
    if expr.op == "-" and one == other == 1:
        return Number(Fraction(0))
    return Binary(expr.op, left, right)


def flat(ref: FormulaRef, kb: KnowledgeBase, *, expand: bool, env: Inputs | None = None) -> Flat:
    """The formula's expression; with ``expand`` in symbols and recorded values alone, each under a name of its own."""
    body = body_of(ref, kb, env)
    if not expand:
        return Flat(body.expr, dict(body.targets))
    targets: dict[Name, Target] = {}
    return Flat(_put(body.expr, body, kb, targets, env), targets)


def _put(
    expr: Expr, body: LinkedExpr, kb: KnowledgeBase, targets: dict[Name, Target], env: Inputs | None = None
) -> Expr:
    if isinstance(expr, Name):
        target = body.targets[expr]
        if isinstance(target, FormulaRef):
            inner = body_of(target, kb, env)
            return _put(inner.expr, inner, kb, targets, env)
        name = Name((body.record, str(target)))
        targets[name] = target
        return name
    if isinstance(expr, Unary):
        return Unary(expr.op, _put(expr.operand, body, kb, targets, env))
    if isinstance(expr, Binary):
        left, right = (_put(side, body, kb, targets, env) for side in (expr.left, expr.right))
        return Binary(expr.op, left, right)
    if isinstance(expr, Call):
        return Call(expr.func, tuple(_put(arg, body, kb, targets, env) for arg in expr.args))
    if not isinstance(expr, Number):
        raise Bad(f"`{to_text(expr)}` depends on a model's layers, so it is no one line: take a formula without it", 0)
    return expr


def steps(ref: FormulaRef, kb: KnowledgeBase, env: Inputs | None = None) -> list[FormulaRef]:
    """The formulas that ``ref`` is computed from, innermost first, itself last."""
    order: dict[FormulaRef, None] = {}

    def visit(at: FormulaRef) -> None:
        for target in read_in(body_of(at, kb, env)):
            if isinstance(target, FormulaRef) and target not in order:
                visit(target)
        order[at] = None

    visit(ref)
    return list(order)


def read_in(body: LinkedExpr) -> Iterator[Target]:
    """What the names of an expression stand for, as they occur."""
    yield from (body.targets[node] for node in walk(body.expr) if isinstance(node, Name))


@dataclass(frozen=True, slots=True)
class Shape:
    """How a listing is to look: the function's name, those of parameters, which of them have a default."""

    function: str
    names: Mapping[str, str]
    defaults: Sequence[str]


def listing(
    ref: FormulaRef, shape: Shape, side: Computed, result: Fraction, unit: Unit, unit_name: str, kb: KnowledgeBase
) -> str:
    """The listing: the function, a blank line, the call with its result in a comment."""
    maker = ListingMaker(ref, shape, side, kb)
    definition = maker.definition()
    return f"{definition}\n\n{maker.call(result, unit, unit_name)}\n"


class ListingMaker:
    """Collects the parameters of one formula and writes the code."""

    def __init__(self, ref: FormulaRef, shape: Shape, side: Computed, kb: KnowledgeBase) -> None:
        self.ref, self.shape, self.side, self.kb = ref, shape, side, kb
        self.parameters: dict[Target, str] = {}
        self.locals: dict[FormulaRef, str] = {}
        self.collect(ref)
        for name in (*shape.names, *shape.defaults):
            if name not in {str(target) for target in self.parameters}:
                raise Bad(f"{name} is no parameter of {ref}: it has {', '.join(map(str, self.parameters))}")

    def collect(self, ref: FormulaRef) -> None:
        """Parameters in the order in which the formula reads them; inner formulas become local variables."""
        for target in read_in(body_of(ref, self.kb, self.side.env)):
            if isinstance(target, FormulaRef):
                self.collect(target)
                self.locals.setdefault(target, self.free(str(target).removeprefix(f"{target.record}.")))
            elif target not in self.parameters:
                self.parameters[target] = self.free(self.shape.names.get(str(target), str(target)))

    def free(self, wanted: str) -> str:
        """A Python name that is not taken yet."""
        name = "".join(c if c.isalnum() else "_" for c in wanted.replace("accelerator.", ""))
        name = name.rstrip("_")
        if not name.isidentifier():
            raise Bad(f"{wanted} is no name in Python")
        taken = {*self.parameters.values(), *self.locals.values(), self.shape.function}
        while name in taken:
            name += "_"
        return name

    def definition(self) -> str:
        parameters = sorted(self.parameters, key=lambda target: str(target) in self.shape.defaults)
        shown = [self.parameter(target) for target in parameters]
        lines = [wrapped(f"def {self.shape.function}(", shown, "):")]
        for ref in steps(self.ref, self.kb, self.side.env)[:-1]:
            lines.append(f"    {self.locals[ref]} = {self.code(ref)}")
        lines.append(f"    return {self.code(self.ref)}")
        text = "\n".join(lines)
        return f"import math\n\n{text}" if "math." in text else text

    def parameter(self, target: Target) -> str:
        name = self.parameters[target]
        return f"{name}={self.value(target)}" if str(target) in self.shape.defaults else name

    def value(self, target: Target) -> str:
        """The value of a parameter in base units, exactly."""
        assert not isinstance(target, FormulaRef)
        return number_text(self.side.target(target))

    def code(self, ref: FormulaRef) -> str:
        body = body_of(ref, self.kb, self.side.env)

        def name(node: Name) -> str:
            target = body.targets[node]
            return self.locals[target] if isinstance(target, FormulaRef) else self.parameters[target]

        return python(body.expr, name)

    def call(self, result: Fraction, unit: Unit, unit_name: str) -> str:
        """The call at the given inputs; its value in the unit asked for stands behind it."""
        given = [self.value(target) for target in self.parameters if str(target) not in self.shape.defaults]
        scale = scale_text(unit.scale)
        shown = float_text(result / unit.scale)
        tail = f" / {scale}" if unit.scale != 1 else ""
        return wrapped(f"{self.shape.function}(", given, f"){tail}  # {with_unit(shown, unit_name)}")


def python(expr: Expr, name: Callable[[Name], str]) -> str:
    """The expression as Python; names through ``name``."""
    return to_text(_renamed(expr, name))


def _renamed(expr: Expr, name: Callable[[Name], str]) -> Expr:
    if isinstance(expr, Name):
        return Name((name(expr),))
    if isinstance(expr, Number):
        return expr
    if isinstance(expr, Unary):
        return Unary(expr.op, _renamed(expr.operand, name))
    if isinstance(expr, Call):
        func = f"math.{expr.func}" if expr.func in ("ceil", "floor") else expr.func
        return Call(func, tuple(_renamed(arg, name) for arg in expr.args))
    if not isinstance(expr, Binary):
        raise Bad(
            f"`{to_text(expr)}` depends on a model's layers, so it is no line of Python: take a formula without it"
        )
    return Binary(expr.op, _renamed(expr.left, name), _renamed(expr.right, name))


def scale_text(scale: Fraction) -> str:
    """``2**30`` or ``1e9``: a unit's scale as a programmer writes it."""
    if scale.denominator == 1 and scale.numerator & (scale.numerator - 1) == 0 and scale.numerator > 2:
        return f"2**{scale.numerator.bit_length() - 1}"
    text = decimal_text(scale)
    digits = text.rstrip("0")
    if digits == "1" and len(text) > 4:
        return f"1e{len(text) - 1}"
    return number_text(scale) if " " not in number_text(scale) else f"({number_text(scale)})"


def float_text(value: Fraction) -> str:
    """What Python prints for the value, cut to a readable length where it has more digits than six."""
    text = repr(float(value))
    if len(text) <= 9:
        return text
    return f"about {decimal_text(value)}"


def wrapped(head: str, parts: Sequence[str], tail: str) -> str:
    """A call on one line, or with its arguments on lines of their own where it is too long."""
    line = f"{head}{', '.join(parts)}{tail}"
    if len(line) <= _WIDTH:
        return line
    inside, lines = "", []
    for part in parts:
        if len(inside) + len(part) + 2 > _WIDTH - 4 and inside:
            lines.append(f"    {inside.rstrip()}")
            inside = ""
        inside += f"{part}, "
    return "\n".join([head, *lines, f"    {inside.rstrip().rstrip(',')}", tail])
