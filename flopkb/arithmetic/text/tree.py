"""The arithmetic of one side of an equation in running text, and its exact value under one reading."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import NamedTuple

from flopkb.arithmetic.formula import Binary, Call, Expr, Inner, Name, Number, Unary, fold, walk
from flopkb.arithmetic.rounding import round_half_up
from flopkb.arithmetic.text.functions import FACTORIAL_UP_TO, exponential, factorial, logarithm
from flopkb.arithmetic.text.measures import NONE, Choice, Dimension, Measure, dims_of, scale_of
from flopkb.arithmetic.unit_table import LOOSE_SUFFIXES


@dataclass(frozen=True, slots=True)
class Measured(Number):
    """A number as written: value and places without its suffix, the suffix, the unit, and what else stood beside it."""

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
class Root(Call):
    """The root of one argument; ``func`` is ``root``."""

    degree: int = 2


_PERCENT = Fraction(1, 100)
_BINARY_UNIT = re.compile(r"[KMGTPEkmgtpe]i[Bb]")
"""Who writes one of these knows the difference."""
_MAX_BITS = 20_000
_ROOT_DIGITS = 40


class Unreadable(ArithmeticError):
    """An expression without a value here: an irrational function, a number too large."""


class Evaluated(NamedTuple):
    """``digits`` is the value of the bare numbers, ``base`` the one in base units, ``dims`` None if units clash."""

    digits: Fraction
    base: Fraction
    dims: Dimension | None = NONE
    units: bool = False
    percent: bool = False


def numbers(node: Expr) -> Iterator[Measured]:
    """All numbers of an expression, from left to right."""
    return (part for part in walk(node) if isinstance(part, Measured))


def with_numbers(node: Expr, by_offset: dict[int, Measured]) -> Expr:
    """The expression with some of its numbers, named by their offsets, replaced by others."""
    if isinstance(node, Measured):
        return by_offset.get(node.offset, node)
    if isinstance(node, Unary):
        return replace(node, operand=with_numbers(node.operand, by_offset))
    if isinstance(node, Binary):
        left, right = (with_numbers(part, by_offset) for part in (node.left, node.right))
        return replace(node, left=left, right=right)
    assert isinstance(node, Call), "running text has no names and no sums over layers"
    return replace(node, args=tuple(with_numbers(arg, by_offset) for arg in node.args))


def operators(node: Expr) -> int:
    """How many operations are in it (a sign is none)."""
    return sum(isinstance(part, (Binary, Call)) for part in walk(node))


def calls(node: Expr) -> bool:
    """Whether there is a root or another function in it."""
    return any(isinstance(part, Call) for part in walk(node))


_ONE = Fraction(1)


def suffix_scale(number: Measured, choice: Choice) -> Fraction:
    """The factor of a count suffix under one reading."""
    if not number.suffix or (number.suffix == "B" and choice.b_bytes):
        return _ONE
    usual, *binary = LOOSE_SUFFIXES[number.suffix]
    return Fraction(binary[0] if choice.kilo and binary else usual)


def evaluate(node: Expr, choice: Choice) -> Evaluated:
    """The value under one reading, as bare numbers and in base units at once: units that clash are left to the caller.

    Raises :class:`Unreadable` where there is no rational value of a bearable size, ZeroDivisionError as usual.
    """

    def leaf(number: Number | Name) -> Evaluated:
        assert isinstance(number, Measured)
        return _number(number, choice)

    def join(inner: Inner, operands: list[Evaluated]) -> Evaluated:
        if isinstance(inner, Binary):
            if not choice.apart and adds_percent(inner):
                operands[1] = _part(*operands)
            return _bounded(_combined(inner.op, *operands))
        if isinstance(inner, Call):
            return _call(inner, operands, choice)
        assert isinstance(inner, Unary), "running text has no sums over layers"
        return operands[0]._replace(digits=-operands[0].digits, base=-operands[0].base)

    return fold(node, leaf, join)


def adds_percent(node: Expr) -> bool:
    """``$100 - 15%``: as on a pocket calculator, a part of what stands before it."""
    if not isinstance(node, Binary) or node.op not in "+-" or not _is_percentage(node.right):
        return False
    return not any(_is_percentage(number) for number in numbers(node.left))


def _is_percentage(node: Expr) -> bool:
    return isinstance(node, Measured) and node.unit is not None and node.unit.text in ("%", "percent")


def _part(whole: Evaluated, share: Evaluated) -> Evaluated:
    return whole._replace(digits=whole.digits * share.digits, base=whole.base * share.digits)


def _number(node: Measured, choice: Choice) -> Evaluated:
    digits = node.value * suffix_scale(node, choice) if node.suffix else node.value
    unit = node.unit
    if unit is None:
        in_bytes = node.suffix == "B" and choice.b_bytes
        return Evaluated(digits, digits, (1, 0, 0, 0) if in_bytes else NONE, in_bytes)
    if not unit.physical and unit.scale == _PERCENT:
        return Evaluated(digits / 100, digits / 100, NONE, False, True)
    dims = dims_of(unit, choice)
    return Evaluated(digits, digits * scale_of(unit, choice), dims, dims != NONE)


def _combined(sign: str, a: Evaluated, b: Evaluated) -> Evaluated:
    plain = a.base is a.digits and b.base is b.digits
    apply = _OPERATIONS[sign]
    digits = apply(a.digits, b.digits)
    base = digits if plain else apply(a.base, b.base)
    units, percent = a.units or b.units, a.percent or b.percent
    if sign in "+-%":
        if a.dims != b.dims and sign != "%" and (shared := _shared_unit(a, b)) is not None:
            return Evaluated(digits, apply(*shared), a.dims if a.units else b.dims, True, percent)
        return Evaluated(digits, base, a.dims if a.dims == b.dims else None, units, percent)
    if sign == "**":
        return Evaluated(digits, base, _raised(a.dims, b.digits), a.units, a.percent)
    if a.dims is None or b.dims is None:
        return Evaluated(digits, base, None, units, percent)
    if b.dims == NONE:
        return Evaluated(digits, base, a.dims, units, percent)
    return Evaluated(digits, base, shifted(a.dims, b.dims, 1 if sign == "*" else -1), units, percent)


def _shared_unit(a: Evaluated, b: Evaluated) -> tuple[Fraction, Fraction] | None:
    """``8 + 1 bytes``: one unit stands behind both numbers; both in base units, None where that cannot be."""
    bare, other = (a, b) if b.units else (b, a)
    if bare.units or bare.percent or other.dims in (None, NONE) or not other.digits:
        return None
    known, found = other.base, bare.digits * other.base / other.digits
    return (found, known) if b.units else (known, found)


def shifted(a: Dimension, b: Dimension, sign: int) -> Dimension:
    """The powers of a product (``sign`` 1) or a quotient (-1)."""
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


def _call(node: Call, args: list[Evaluated], choice: Choice) -> Evaluated:
    first = args[0]
    if isinstance(node, Root):
        degree, dims = node.degree, _raised(first.dims, Fraction(1, node.degree))
        if first.digits < 0 or first.base < 0:
            raise Unreadable("a root of a negative number")
        return Evaluated(root(first.digits, degree), root(first.base, degree), dims, first.units, first.percent)
    if node.func == "abs":
        return first._replace(digits=abs(first.digits), base=abs(first.base))
    if node.func in _WHOLE:
        whole = _WHOLE[node.func]
        return first._replace(digits=Fraction(whole(first.digits)), base=Fraction(whole(first.base)))
    if node.func in ("min", "max"):
        choose = min if node.func == "min" else max
        return choose(args, key=lambda value: value.base)
    return Evaluated(_real(node.func, first.digits, choice), _real(node.func, first.base, choice))


_BASES = {"log2": 2, "log10": 10, "lg": 10, "ln": 0}
_LOG = (0, 10, 2)


def _real(func: str, value: Fraction, choice: Choice) -> Fraction:
    """A function of a real number: exact where that is rational, else right to 40 digits."""
    if value.numerator.bit_length() + value.denominator.bit_length() > _MAX_BITS // 8:
        raise Unreadable("a number too large for a function")
    if func == "factorial":
        if value.denominator != 1 or not 0 <= value <= FACTORIAL_UP_TO:
            raise Unreadable("a factorial of no small whole number")
        return factorial(int(value))
    if func == "exp":
        if abs(value) > 1000:
            raise Unreadable("a power too large")
        return exponential(value)
    if value <= 0:
        raise Unreadable("a logarithm of a number that is not positive")
    if func.startswith("log_"):
        base = Fraction(int(func[4:][:9]))
        return logarithm(value, 0) / logarithm(base if base > 1 else Fraction(2), 0)
    return logarithm(value, _LOG[choice.logarithm] if func == "log" else _BASES[func])


def _bounded(value: Evaluated) -> Evaluated:
    for part in (value.digits, value.base):
        if part.numerator.bit_length() + part.denominator.bit_length() > 2 * _MAX_BITS:
            raise Unreadable("a number too large")
    return value


_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod, "**": _power,
    "//": lambda a, b: Fraction(a // b), "quot": lambda a, b: Fraction(int(a / b)),
}  # fmt: skip
_WHOLE: dict[str, Callable[[Fraction], int]] = {
    "ceil": ceil, "floor": floor, "round": lambda value: (-1 if value < 0 else 1) * round_half_up(value, 0),
}  # fmt: skip


def open_choices(nodes: tuple[Expr, ...]) -> Iterator[str]:
    """Which choices of a :class:`Choice` the numbers of these expressions leave open."""
    for node in nodes:
        for part in walk(node):
            if isinstance(part, Call) and part.func == "log":
                yield "logarithm"
            elif isinstance(part, Binary) and adds_percent(part):
                yield "apart"
        for number in numbers(node):
            if len(LOOSE_SUFFIXES[number.suffix]) > 1:
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
                if number.unit.stored is not None:
                    yield "stored"
                if _BINARY_UNIT.search(number.unit.text):
                    yield "told apart"
