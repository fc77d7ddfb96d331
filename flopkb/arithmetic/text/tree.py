"""The arithmetic of one side of an equation, and its exact value under one reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from flopkb.arithmetic.text.measures import NONE, Dimension, Measure, ReadingChoice, dims_of, scale_of


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: value and places without its suffix, the suffix, the unit, and what else stood beside it."""

    start: int
    end: int
    value: Fraction
    place: Fraction
    nonzero: Fraction
    suffix: str = ""
    unit: Measure | None = None
    approximate: bool = False
    label: bool = False
    """Letters stand right behind the digits that are no unit: ``34L``."""
    noun: bool = False
    """Words stand behind it that are no unit."""
    sci: bool = False
    """It is written with a power of ten: ``2 × 10^9``."""

    @property
    def is_unit(self) -> bool:
        """Whether there are no digits: a unit behind parentheses or a power."""
        return not self.place and self.value == 1 and (self.unit is not None or bool(self.suffix))


@dataclass(frozen=True, slots=True)
class Negative:
    start: int
    end: int
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    start: int
    end: int
    sign: str
    left: Node
    right: Node
    spaced: bool = True
    """Whether white space stands on both sides of the sign."""
    grouped: bool = False
    """Whether it stands in parentheses of its own."""


@dataclass(frozen=True, slots=True)
class Call:
    """``root`` (degree in ``degree``), ``ceil``, ``floor``, ``min``, ``max``, ``abs``, ``log2``, ``log10``."""

    start: int
    end: int
    name: str
    args: tuple[Node, ...]
    degree: int = 2


Node = Number | Negative | Binary | Call

SUFFIXES: dict[str, tuple[int, int | None]] = {
    "": (1, None), "k": (1000, 1024), "K": (1000, 1024), "M": (10**6, 2**20), "G": (10**9, 2**30), "B": (10**9, None),
    "bn": (10**9, None), "T": (10**12, None), "tn": (10**12, None), "P": (10**15, None), "Ki": (1024, None),
    "Mi": (2**20, None), "Gi": (2**30, None), "Ti": (2**40, None), "hundred": (100, None), "thousand": (1000, None),
    "million": (10**6, None), "billion": (10**9, None), "trillion": (10**12, None), "quadrillion": (10**15, None),
}  # fmt: skip
"""Count suffixes: the usual factor and the binary one."""

_PERCENT = Fraction(1, 100)
_MAX_BITS = 20_000
_ROOT_DIGITS = 40


class Unreadable(ValueError):
    """An expression without a value here: a division by zero, an irrational function, a number too large."""


class Value(NamedTuple):
    """``digits`` is the value of the bare numbers, ``base`` the one in base units, ``dims`` None if units clash."""

    digits: Fraction
    base: Fraction
    dims: Dimension | None = NONE
    units: bool = False
    percent: bool = False


def numbers(node: Node) -> Iterator[Number]:
    """All numbers of an expression, from left to right."""
    if isinstance(node, Number):
        yield node
    elif isinstance(node, Negative):
        yield from numbers(node.operand)
    elif isinstance(node, Binary):
        yield from numbers(node.left)
        yield from numbers(node.right)
    else:
        for arg in node.args:
            yield from numbers(arg)


def operators(node: Node) -> int:
    """How many operations are in it (a sign is none)."""
    if isinstance(node, Number):
        return 0
    if isinstance(node, Negative):
        return operators(node.operand)
    if isinstance(node, Binary):
        return 1 + operators(node.left) + operators(node.right)
    return 1 + sum(operators(arg) for arg in node.args)


def calls(node: Node) -> bool:
    """Whether there is a root or another function in it."""
    if isinstance(node, Binary):
        return calls(node.left) or calls(node.right)
    return isinstance(node, Call) or (isinstance(node, Negative) and calls(node.operand))


_ONE = Fraction(1)


def suffix_scale(number: Number, setting: ReadingChoice) -> Fraction:
    """The factor of a count suffix under one reading."""
    if not number.suffix or (number.suffix == "B" and setting.b_bytes):
        return _ONE
    usual, binary = SUFFIXES[number.suffix]
    return Fraction(binary if setting.kilo and binary is not None else usual)


def evaluate(node: Node, setting: ReadingChoice) -> Value:
    """The value under one reading; raise :class:`Unreadable`."""
    if isinstance(node, Number):
        return _number(node, setting)
    if isinstance(node, Negative):
        value = evaluate(node.operand, setting)
        return value._replace(digits=-value.digits, base=-value.base)
    if isinstance(node, Call):
        return _call(node, [evaluate(arg, setting) for arg in node.args])
    left, right = evaluate(node.left, setting), evaluate(node.right, setting)
    return _bounded(_combined(node.sign, left, right))


def _number(node: Number, setting: ReadingChoice) -> Value:
    digits = node.value * suffix_scale(node, setting) if node.suffix else node.value
    unit = node.unit
    if unit is None:
        in_bytes = node.suffix == "B" and setting.b_bytes
        return Value(digits, digits, (1, 0, 0, 0) if in_bytes else NONE, in_bytes)
    if not unit.physical and unit.scale == _PERCENT:
        return Value(digits / 100, digits / 100, NONE, False, True)
    return Value(digits, digits * scale_of(unit, setting), dims_of(unit, setting), unit.physical)


def _combined(sign: str, a: Value, b: Value) -> Value:
    plain = a.base is a.digits and b.base is b.digits
    digits = _applied(sign, a.digits, b.digits)
    base = digits if plain else _applied(sign, a.base, b.base)
    units, percent = a.units or b.units, a.percent or b.percent
    if sign in "+-%":
        return Value(digits, base, a.dims if a.dims == b.dims else None, units, percent)
    if sign == "^":
        return Value(digits, base, _raised(a.dims, b.digits), a.units, a.percent)
    if a.dims is None or b.dims is None:
        return Value(digits, base, None, units, percent)
    if b.dims == NONE:
        return Value(digits, base, a.dims, units, percent)
    return Value(digits, base, _shifted(a.dims, b.dims, 1 if sign == "*" else -1), units, percent)


def _applied(sign: str, a: Fraction, b: Fraction) -> Fraction:
    if sign == "*":
        return a * b
    if sign == "+":
        return a + b
    if sign == "-":
        return a - b
    if sign == "^":
        return _power(a, b)
    if not b:
        raise Unreadable("division by zero")
    if sign == "/":
        return a / b
    return a % b if sign == "%" else Fraction(a // b)


def _shifted(a: Dimension, b: Dimension, sign: int) -> Dimension:
    return (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3])


def _raised(dims: Dimension | None, power: Fraction) -> Dimension | None:
    """The dimension of a power or a root; None where a power in it would be broken."""
    if dims is None or dims == NONE:
        return dims
    powers = [power * each for each in dims]
    if any(each.denominator != 1 for each in powers):
        return None
    return (int(powers[0]), int(powers[1]), int(powers[2]), int(powers[3]))


def _power(a: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 1:
        power = int(exponent)
        if abs(power) * max(a.numerator.bit_length(), a.denominator.bit_length(), 1) > _MAX_BITS:
            raise Unreadable("a power too large")
        if power < 0 and not a:
            raise Unreadable("division by zero")
        return a**power
    if exponent.denominator > 12 or abs(exponent.numerator) > 64 or a <= 0:
        raise Unreadable("a power that is not a small root")
    return root(_power(a, Fraction(exponent.numerator)), exponent.denominator)


def root(value: Fraction, degree: int) -> Fraction:
    """The root of a number that is not negative: exact where it is rational, else right to 40 digits."""
    over, under = _integer_root(value.numerator, degree), _integer_root(value.denominator, degree)
    if over**degree == value.numerator and under**degree == value.denominator:
        return Fraction(over, under)
    shift = 10**_ROOT_DIGITS * max(1, under)
    return Fraction(_integer_root(value.numerator * shift**degree // value.denominator, degree), shift)


def _integer_root(value: int, degree: int) -> int:
    if degree == 2:
        return isqrt(value)
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle - 1
    return low


def _call(node: Call, args: list[Value]) -> Value:
    first = args[0]
    if node.name == "root":
        degree, dims = node.degree, _raised(first.dims, Fraction(1, node.degree))
        if first.digits < 0 or first.base < 0:
            raise Unreadable("a root of a negative number")
        return Value(root(first.digits, degree), root(first.base, degree), dims, first.units, first.percent)
    if node.name == "abs":
        return first._replace(digits=abs(first.digits), base=abs(first.base))
    if node.name in ("ceil", "floor", "round"):
        return first._replace(digits=_whole(node.name, first.digits), base=_whole(node.name, first.base))
    if node.name in ("min", "max"):
        choose = min if node.name == "min" else max
        return choose(args, key=lambda value: value.base)
    return Value(
        _logarithm(first.digits, 2 if node.name == "log2" else 10),
        _logarithm(first.base, 2 if node.name == "log2" else 10),
    )


def _whole(name: str, value: Fraction) -> Fraction:
    if name == "ceil":
        return Fraction(value.__ceil__())
    return Fraction(value.__floor__() if name == "floor" else (value + Fraction(1, 2)).__floor__())


def _logarithm(value: Fraction, base: int) -> Fraction:
    for power in range(-64, 129):
        if value == Fraction(base) ** power:
            return Fraction(power)
    raise Unreadable("an irrational logarithm")


def _bounded(value: Value) -> Value:
    for part in (value.digits, value.base):
        if part.numerator.bit_length() + part.denominator.bit_length() > 2 * _MAX_BITS:
            raise Unreadable("a number too large")
    return value


def setting_features(nodes: tuple[Node, ...]) -> Iterator[str]:
    """Which choices of a :class:`ReadingChoice` the numbers of these expressions leave open."""
    for node in nodes:
        for number in numbers(node):
            if SUFFIXES[number.suffix][1] is not None:
                yield "kilo"
            if number.suffix == "B":
                yield "b_bytes"
            if number.unit is not None:
                if number.unit.binary is not None:
                    yield "binary"
                if number.unit.rate:
                    yield "rate"
                if number.unit.month or number.unit.year:
                    yield "calendar"
