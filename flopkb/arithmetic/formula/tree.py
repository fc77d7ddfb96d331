"""The nodes of a formula, its text, and what can be wrong with one: what the parser makes and every other part walks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from flopkb.arithmetic.diagnostics import shortened

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node:
    """``offset:end`` are the characters of the text that the node stands for; they do not count in ``==``."""

    offset: int = field(default=0, compare=False, kw_only=True)
    end: int = field(default=0, compare=False, kw_only=True)

    @property
    def length(self) -> int:
        """How many characters it has."""
        return self.end - self.offset


@dataclass(frozen=True, slots=True)
class Number(Node):
    """An exact number: ``0.1`` is one tenth."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Name(Node):
    """``B``, ``roofline.ridge`` or ``accelerator.peak_flops[dtype]``: at most two parts, and perhaps an index."""

    parts: tuple[str, ...]
    index: tuple[str, ...] | None = None

    def __str__(self) -> str:
        index = "" if self.index is None else f"[{', '.join(self.index)}]"
        return ".".join(self.parts) + index


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """A leading minus; a leading plus leaves no node."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """``+ - * / **``; in a formula the right side of a power is always a whole :class:`Number`."""

    op: str
    left: Expr
    right: Expr
    spaced: bool = field(default=True, compare=False, kw_only=True)
    """Whether white space stands on both sides of the sign (in running text)."""
    grouped: bool = field(default=False, compare=False, kw_only=True)
    """Whether it stands in parentheses of its own (in running text)."""


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``min`` or ``max`` of two or more, ``ceil`` or ``floor`` of one."""

    func: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """A condition: two values and one of ``== != < <= > >=``."""

    op: str
    left: Expr
    right: Expr


Expr = Number | Name | Unary | Binary | Call
"""What has a value. A :class:`Compare` has none, so it is no ``Expr``."""

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_LEVELS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}
_PLAIN_DIGITS = 15


def children(expr: Expr | Compare) -> tuple[Expr, ...]:
    """The operands of a node, from left to right."""
    if isinstance(expr, (Binary, Compare)):
        return (expr.left, expr.right)
    if isinstance(expr, Unary):
        return (expr.operand,)
    return expr.args if isinstance(expr, Call) else ()


def fold(expr: Expr, leaf: Callable[[Number | Name], T], join: Callable[[Unary | Binary | Call, list[T]], T]) -> T:
    """What a tree comes to: ``leaf`` gives that of a number or a name, ``join`` that of a node from its operands'."""
    if isinstance(expr, Binary):  # first, since most nodes are: this is the inner loop of every computation
        return join(expr, [fold(expr.left, leaf, join), fold(expr.right, leaf, join)])
    if isinstance(expr, (Number, Name)):
        return leaf(expr)
    return join(expr, [fold(child, leaf, join) for child in children(expr)])


def walk(expr: Expr | Compare) -> Iterator[Expr | Compare]:
    """Every node, a parent before its operands, from left to right."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def names(expr: Expr | Compare) -> tuple[Name, ...]:
    """The names that occur, each once, at its first place."""
    return tuple(dict.fromkeys(node for node in walk(expr) if isinstance(node, Name)))


def denominators(expr: Expr | Compare) -> tuple[Expr, ...]:
    """Every sub-expression that is divided by, as it stands: what must not be zero even where it cancels."""
    found = []
    for node in walk(expr):
        if isinstance(node, Binary) and node.op == "/":
            found.append(node.right)
        elif isinstance(node, Binary) and node.op == "**" and exponent(node) < 0:
            found.append(node.left)
    return tuple(found)


def exponent(power: Binary) -> int:
    """The whole number to which ``power`` raises its left side."""
    if not isinstance(power.right, Number) or power.right.value.denominator != 1:
        raise TypeError("an exponent is a whole Number")
    return power.right.value.numerator


def to_text(expr: Expr | Compare) -> str:
    """The expression in one canonical spelling, with no more parentheses than it needs; it parses to an equal tree."""
    if isinstance(expr, Compare):
        return f"{to_text(expr.left)} {expr.op} {to_text(expr.right)}"
    if isinstance(expr, Number):
        return number_text(expr.value)
    if isinstance(expr, Name):
        return str(expr)
    if isinstance(expr, Call):
        return f"{expr.func}({', '.join(map(to_text, expr.args))})"
    if isinstance(expr, Unary):
        return expr.op + _operand(expr.operand, _POWER)
    if expr.op == "**":
        return f"{_operand(expr.left, _ATOM)}**{exponent(expr)}"
    level = _LEVELS[expr.op]
    return f"{_operand(expr.left, level)} {expr.op} {_operand(expr.right, level + 1)}"


def number_text(value: Fraction) -> str:
    """An exact number as a formula writes it: ``0.25``, ``989.4e12`` as ``989400000000000``, a third as ``1 / 3``."""
    twos, fives, rest = 0, 0, value.denominator
    while rest % 2 == 0:
        twos, rest = twos + 1, rest // 2
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    if rest != 1:
        return f"{value.numerator} / {value.denominator}"
    places = max(twos, fives)
    sign = "-" if value < 0 else ""
    digits = str(abs(value.numerator) * 10**places // value.denominator)
    if max(len(digits), places) > _PLAIN_DIGITS:
        return sign + _scientific(digits, len(digits) - 1 - places)
    padded = digits.rjust(places + 1, "0")
    return sign + (padded if not places else f"{padded[:-places]}.{padded[-places:]}")


def _scientific(digits: str, power: int) -> str:
    fraction = digits[1:].rstrip("0")
    return f"{digits[0]}{'.' if fraction else ''}{fraction}e{power}"


def _operand(expr: Expr, needed: int) -> str:
    text = to_text(expr)
    return text if _level(expr) >= needed else f"({text})"


def _level(expr: Expr) -> int:
    """How tightly the text of a node holds together."""
    if isinstance(expr, Binary):
        return _LEVELS[expr.op]
    if isinstance(expr, Number):
        negative, whole = expr.value < 0, " / " not in number_text(expr.value)
        return _ATOM if whole and not negative else _SIGN if whole else _PRODUCT
    return _SIGN if isinstance(expr, Unary) else _ATOM


_SHOWN = 60


def shown(text: str) -> str:
    """``text`` in code quotes, cut so that a message stays short."""
    return f"`{shortened(text, _SHOWN)}`"


class FormulaError(ValueError):
    """A text that is no formula: ``reason`` is a sentence that says what to do, ``offset`` and ``length`` say where.

    Both count characters of the text that was given.
    """

    def __init__(self, reason: str, offset: int, length: int = 1) -> None:
        super().__init__(reason, offset, length)
        self.reason = reason
        self.offset = offset
        self.length = length

    def __str__(self) -> str:
        return self.reason


class LocatedError(Exception):
    """A fault of a value: ``expr`` is the part of the formula at fault, or None where no formula is at hand."""

    expr: Expr | None = None

    @property
    def offset(self) -> int:
        """Where the part at fault begins in its formula's text."""
        return self.expr.offset if self.expr is not None else 0

    @property
    def length(self) -> int:
        """How many characters the part at fault has."""
        return self.expr.length if self.expr is not None else 0


class ZeroDenominator(LocatedError, ZeroDivisionError):
    """A division by zero. ``denominator`` is the divisor's text, ``expr`` its part of the formula, if known."""

    def __init__(self, denominator: str, expr: Expr | None = None) -> None:
        super().__init__(denominator, expr)
        self.denominator = denominator
        self.expr = expr

    def __str__(self) -> str:
        return f"the denominator {shown(self.denominator)} is zero"


class TooLargeError(LocatedError, ArithmeticError):
    """A number or polynomial beyond the size that is worked with; ``what`` names the bound that was passed."""

    def __init__(self, what: str, expr: Expr | None = None) -> None:
        super().__init__(what, expr)
        self.what = what
        self.expr = expr

    def __str__(self) -> str:
        where = "this" if self.expr is None else shown(to_text(self.expr))
        return f"{where} needs {self.what}: split the formula or lower its exponents"


class TieError(LocatedError, ArithmeticError):
    """``min`` or ``max`` has no derivative where two of its arguments meet with different ``derivatives``."""

    def __init__(self, call: Call, value: Fraction, derivatives: tuple[Fraction, ...]) -> None:
        super().__init__(call, value, derivatives)
        self.expr = self.call = call
        self.value = value
        self.derivatives = derivatives

    def __str__(self) -> str:
        call = shown(to_text(self.call))
        return f"arguments of {call} meet here and change at different rates: take another point"


class NotDifferentiable(ArithmeticError):
    """A quotient has no derivative in closed form: ``atom`` is inside ``opaque``, a min, max, ceil or floor."""

    def __init__(self, atom: str, opaque: str) -> None:
        super().__init__(atom, opaque)
        self.atom = atom
        self.opaque = opaque

    def __str__(self) -> str:
        return f"{shown(self.opaque)} has no derivative in {shown(self.atom)} that holds everywhere: take it at a point"


class DimensionError(ValueError):
    """Two sides that do not measure the same thing. ``left`` and ``right`` are their dimensions in base units."""

    def __init__(self, left: str, right: str, expr: Expr | Compare, reason: str) -> None:
        super().__init__(left, right, expr, reason)
        self.left = left
        self.right = right
        self.offset = expr.offset
        self.length = expr.length
        self.reason = reason

    def __str__(self) -> str:
        return self.reason
