"""The arithmetic of one side of an equation, and its exact value under one reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from flopkb.scan.measures import NONE, Dimension, Measure, Setting, dims_of, scale_of


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
    bound: str = ""
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

_MAX_BITS = 20_000
_ROOT_DIGITS = 40


class Unreadable(ValueError):
    """An expression without a value here: a division by zero, an irrational function, a number too large."""


class Value(NamedTuple):
    """``digits`` is the value of the bare numbers, ``base`` the one in base units, ``dims`` None if units clash.

    ``loose`` and ``rounded`` are relative errors: of the inputs marked as approximate, and of all written digits.
    """

    digits: Fraction
    base: Fraction
    dims: Dimension | None = NONE
    units: bool = False
    percent: bool = False
    loose: Fraction = Fraction(0)
    rounded: Fraction = Fraction(0)


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


def suffix_scale(number: Number, setting: Setting) -> Fraction:
    """The factor of a count suffix under one reading."""
    if number.suffix == "B" and setting.b_bytes:
        return Fraction(1)
    usual, binary = SUFFIXES[number.suffix]
    return Fraction(binary if setting.kilo and binary is not None else usual)


def evaluate(node: Node, setting: Setting) -> Value:
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


def _number(node: Number, setting: Setting) -> Value:
    digits = node.value * suffix_scale(node, setting)
    size = abs(node.value)
    whole = node.place == 1 and not node.suffix and not node.sci
    rounded = node.place / 2 / size if size and not whole else Fraction(0)
    loose = (
        max(node.place / 2 / size, min(node.nonzero / 2 / size, Fraction(1, 20)))
        if node.approximate and size
        else Fraction(0)
    )
    unit = node.unit
    if node.suffix == "B" and setting.b_bytes and unit is None:
        return Value(digits, digits, (1, 0, 0, 0), True, False, loose, rounded)
    if unit is None:
        return Value(digits, digits, NONE, False, False, loose, rounded)
    if not unit.physical and unit.scale == Fraction(1, 100):
        return Value(digits / 100, digits / 100, NONE, False, True, loose, rounded)
    base = digits * scale_of(unit, setting)
    return Value(digits, base, dims_of(unit, setting), unit.physical, False, loose, rounded)


def _combined(sign: str, a: Value, b: Value) -> Value:
    if sign in "+-":
        return _sum(a, b, 1 if sign == "+" else -1)
    units, percent = a.units or b.units, a.percent or b.percent
    errors = (a.loose + b.loose, a.rounded + b.rounded)
    if sign == "*":
        dims = None if a.dims is None or b.dims is None else _shifted(a.dims, b.dims, 1)
        return Value(a.digits * b.digits, a.base * b.base, dims, units, percent, *errors)
    if sign == "^":
        return _power(a, b)
    if not b.digits or not b.base:
        raise Unreadable("division by zero")
    if sign == "%":
        return Value(a.digits % b.digits, a.base % b.base, a.dims, units, False, *errors)
    dims = None if a.dims is None or b.dims is None else _shifted(a.dims, b.dims, -1)
    digits, base = a.digits / b.digits, a.base / b.base
    if sign == "//":
        digits, base = Fraction(digits.__floor__()), Fraction(base.__floor__())
    return Value(digits, base, dims, units, percent, *errors)


def _shifted(a: Dimension, b: Dimension, sign: int) -> Dimension:
    return (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3])


def _sum(a: Value, b: Value, sign: int) -> Value:
    digits, base = a.digits + sign * b.digits, a.base + sign * b.base
    size = abs(digits) or Fraction(1)
    loose = (abs(a.digits) * a.loose + abs(b.digits) * b.loose) / size
    rounded = (abs(a.digits) * a.rounded + abs(b.digits) * b.rounded) / size
    dims = a.dims if a.dims == b.dims else None
    return Value(digits, base, dims, a.units or b.units, a.percent or b.percent, loose, rounded)


def _power(a: Value, b: Value) -> Value:
    exponent = b.digits
    if exponent.denominator == 1:
        power = int(exponent)
        if abs(power) * max(a.base.numerator.bit_length(), a.base.denominator.bit_length(), 1) > _MAX_BITS:
            raise Unreadable("a power too large")
        if power < 0 and not a.base:
            raise Unreadable("division by zero")
        dims = (
            None
            if a.dims is None
            else _shifted(NONE, (a.dims[0] * power, a.dims[1] * power, a.dims[2] * power, a.dims[3] * power), 1)
        )
        return Value(
            a.digits**power, a.base**power, dims, a.units, a.percent, abs(power) * a.loose, abs(power) * a.rounded
        )
    if exponent.denominator > 12 or abs(exponent.numerator) > 64 or a.base <= 0 or a.digits <= 0:
        raise Unreadable("a power that is not a small root")
    whole = Value(Fraction(exponent.numerator), Fraction(exponent.numerator))
    return _root(_power(a, whole), exponent.denominator)


def _root(a: Value, degree: int) -> Value:
    if a.digits < 0 or a.base < 0:
        raise Unreadable("a root of a negative number")
    dims = None
    if a.dims is not None and all(power % degree == 0 for power in a.dims):
        dims = (a.dims[0] // degree, a.dims[1] // degree, a.dims[2] // degree, a.dims[3] // degree)
    return Value(
        root(a.digits, degree), root(a.base, degree), dims, a.units, a.percent, a.loose / degree, a.rounded / degree
    )


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
        return _root(first, node.degree)
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
    """Which choices of a :class:`Setting` the numbers of these expressions leave open."""
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
