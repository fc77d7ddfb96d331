"""The nodes of a formula and of a condition, and their text: what the parser makes and every other part walks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar, overload

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
    """``+ - * / **``; the right side of a power is a whole number wherever the power has a value."""

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
class Sum(Node):
    """``sum(model.mixers, x)``: ``term`` for everything in ``over``, added."""

    over: Name
    term: Expr


@dataclass(frozen=True, slots=True)
class Rebound(Node):
    """``kv_cache.size(L=2*L)``: a formula with ``inputs`` of its own, by name."""

    formula: Name
    inputs: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Has(Node):
    """``has(r_q)``: 1 where something gives the symbol a value, else 0."""

    symbol: Name


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """A condition: two values and one of ``== != < <= > >=``; on the right of ``==`` also a word (as a name)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Among(Node):
    """``mixer_type in has_heads``, a named ``group``, or ``experts in [gated, plain]``, its ``words``."""

    symbol: Name
    group: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Flag(Node):
    """A symbol, or ``has`` of one, as a condition: true where it is not 0."""

    value: Name | Has


@dataclass(frozen=True, slots=True)
class Opposite(Node):
    """``not`` in front of a condition."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Joined(Node):
    """Two or more conditions with ``and`` or ``or`` between them."""

    op: str
    parts: tuple[Condition, ...]


Expr = Number | Name | Unary | Binary | Call | Sum | Rebound | Has
"""What has a value."""

Condition = Compare | Among | Flag | Opposite | Joined
"""What is true or false."""

Test = Compare | Among | Flag
"""A condition that holds no other."""

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_LEVELS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}
_PLAIN_DIGITS = 15


@overload
def children(expr: Expr) -> tuple[Expr, ...]: ...
@overload
def children(expr: Expr | Condition) -> tuple[Expr | Condition, ...]: ...
def children(expr: Expr | Condition) -> tuple[Expr | Condition, ...]:
    """The parts of a node, from left to right; names that are only looked up (in ``has`` and before inputs) are parts too."""
    match expr:
        case Binary() | Compare():
            return (expr.left, expr.right)
        case Unary():
            return (expr.operand,)
        case Call():
            return expr.args
        case Sum():
            return (expr.term,)
        case Rebound():
            return (expr.formula, *(value for _, value in expr.inputs))
        case Has() | Among():
            return (expr.symbol,)
        case Flag():
            return (expr.value,)
        case Opposite():
            return (expr.part,)
        case Joined():
            return expr.parts
    return ()


Inner = Unary | Binary | Call | Sum | Rebound | Has
"""What is no leaf."""


def fold(expr: Expr, leaf: Callable[[Number | Name], T], join: Callable[[Inner, list[T]], T]) -> T:
    """What a tree comes to: ``leaf`` gives that of a number or a name, ``join`` that of a node from its operands'.

    The operand of a :class:`Rebound` is the formula alone (its inputs count where they are used), ``has`` has none.
    """
    if isinstance(expr, Binary):  # first, since most nodes are: this is the inner loop of every computation
        return join(expr, [fold(expr.left, leaf, join), fold(expr.right, leaf, join)])
    if isinstance(expr, (Number, Name)):
        return leaf(expr)
    if isinstance(expr, Rebound):
        return join(expr, [leaf(expr.formula)])
    return join(expr, [fold(child, leaf, join) for child in (() if isinstance(expr, Has) else children(expr))])


def holding(condition: Condition, test: Callable[[Test], bool]) -> bool:
    """Whether a condition is true, ``test`` saying so of its parts; what cannot change the outcome is not asked."""
    if isinstance(condition, Joined):
        return (all if condition.op == "and" else any)(holding(part, test) for part in condition.parts)
    return not holding(condition.part, test) if isinstance(condition, Opposite) else test(condition)


def walk(expr: Expr | Condition) -> Iterator[Expr | Condition]:
    """Every node, a parent before its operands, from left to right."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def names(expr: Expr | Condition) -> tuple[Name, ...]:
    """The names that occur, each once, at its first place."""
    return tuple(dict.fromkeys(node for node in walk(expr) if isinstance(node, Name)))


def denominators(expr: Expr | Condition) -> tuple[Expr, ...]:
    """Every sub-expression that is divided by, as it stands: what must not be zero even where it cancels."""
    found = []
    for node in walk(expr):
        if isinstance(node, Binary) and node.op == "/":
            found.append(node.right)
        elif isinstance(node, Binary) and node.op == "**" and (exponent(node) or 0) < 0:
            found.append(node.left)
    return tuple(found)


def exponent(power: Binary) -> int | None:
    """The whole number to which ``power`` raises its left side; None where that is an expression."""
    value = power.right.value if isinstance(power.right, Number) else Fraction(1, 2)
    return value.numerator if value.denominator == 1 else None


def to_text(expr: Expr | Condition) -> str:
    """The expression in one canonical spelling, with no more parentheses than it needs; it parses to an equal tree."""
    match expr:
        case Number():
            return number_text(expr.value)
        case Name():
            return str(expr)
        case Unary():
            return expr.op + _operand(expr.operand, _POWER)
        case Binary(op="**"):
            power = exponent(expr)
            return f"{_operand(expr.left, _ATOM)}**{_operand(expr.right, _ATOM) if power is None else power}"
        case Binary():
            level = _LEVELS[expr.op]
            return f"{_operand(expr.left, level)} {expr.op} {_operand(expr.right, level + 1)}"
        case Call():
            return f"{expr.func}({', '.join(map(to_text, expr.args))})"
        case Sum():
            return f"sum({expr.over}, {to_text(expr.term)})"
        case Rebound():
            return f"{expr.formula}({', '.join(f'{name}={to_text(value)}' for name, value in expr.inputs)})"
        case Has():
            return f"has({expr.symbol})"
    return _condition_text(expr)


def _condition_text(condition: Condition) -> str:
    match condition:
        case Compare():
            return f"{to_text(condition.left)} {condition.op} {to_text(condition.right)}"
        case Among():
            return f"{condition.symbol} in {condition.group or '[' + ', '.join(condition.words) + ']'}"
        case Flag():
            return to_text(condition.value)
        case Opposite(part=Joined()):
            return f"not ({to_text(condition.part)})"
        case Opposite():
            return f"not {to_text(condition.part)}"
    parts = (f"({to_text(part)})" if isinstance(part, Joined) else to_text(part) for part in condition.parts)
    return f" {condition.op} ".join(parts)


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
