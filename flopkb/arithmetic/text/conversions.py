"""What bare numbers do to units: a factor that only spells out a conversion, a unit that a number has without saying so."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from flopkb.arithmetic.formula import Binary, Expr
from flopkb.arithmetic.text.measures import NONE, Choice, Dimension, Measure
from flopkb.arithmetic.text.tree import Evaluated, Measured, evaluate, numbers, shifted

FACTORS = frozenset(
    (
        *(Fraction(1000) ** power for power in (-3, -2, -1, 1, 2, 3, 4)),
        *(Fraction(1024) ** power for power in (1, 2, 3, 4)),
        *(Fraction(value) for value in (8, 24, 60, 1440, 3600, 86400)),
        *(Fraction(value) for value in (7, 12, 28, 30, 31, 52, 168, 365, 720, 730, 744, 8760)),
    )
)
"""Factors that turn one unit into another."""
_PREFIXES = frozenset(Fraction(base) ** power for base in (1000, 1024) for power in range(-5, 6))
_MOST = 3
"""So many factors may convert at once."""

SIBLINGS: dict[tuple[int, int, int, int], tuple[tuple[str, Fraction], ...]] = {
    (0, 1, 0, 0): (
        ("seconds", Fraction(1)), ("minutes", Fraction(60)), ("hours", Fraction(3600)), ("days", Fraction(86400)),
        ("weeks", Fraction(604800)), ("ms", Fraction(1, 1000)), ("us", Fraction(1, 10**6)), ("ns", Fraction(1, 10**9)),
    ),
    (0, 0, 0, 1): (("cents", Fraction(1, 100)),),
    (1, 0, 0, 0): (("bits", Fraction(1, 8)),),
}  # fmt: skip
"""Units that a bare number may stand in where the result has another of the same kind: ``60 * 24 = 1 day``."""


def _ladder(names: str) -> tuple[tuple[str, Fraction], ...]:
    return tuple((name, Fraction(1000) ** power) for power, name in zip((4, 3, 2, 1, 0), names.split(), strict=True))


_LADDERS: dict[Dimension, tuple[tuple[str, Fraction], ...]] = {
    (1, 0, 0, 0): _ladder("TB GB MB KB bytes"),
    (1, -1, 0, 0): _ladder("TB/s GB/s MB/s KB/s B/s"),
    (0, 1, 0, 0): (
        ("days", Fraction(86400)), ("hours", Fraction(3600)), ("s", Fraction(1)), ("ms", Fraction(1, 10**3)),
        ("µs", Fraction(1, 10**6)), ("ns", Fraction(1, 10**9)),
    ),
}  # fmt: skip
_MONEY: Dimension = (0, 0, 0, 1)
_NAMES = ("byte", "s", "J", "$")


def converted(node: Expr, choice: Choice, value: Evaluated, wanted: Dimension, scale: Fraction) -> Iterator[Fraction]:
    """The value in the unit of ``scale`` with factors undone that only convert: ``× 24`` that turns hours into days.

    They do only that where the number that the author got, without units, is the result but for a prefix.
    """
    if value.dims is None or not value.digits:
        return
    found = list(_factors(node, choice))
    for count in range(1, min(_MOST, len(found)) + 1):
        for chosen in combinations(found, count):
            amount, dims = value.base / scale, value.dims
            for factor, power in chosen:
                amount *= factor.base**-power
                dims = shifted(dims, factor.dims or NONE, -power)
            if dims == wanted and amount / value.digits in _PREFIXES:
                yield amount


def _factors(node: Expr, choice: Choice, power: int = 1) -> Iterator[tuple[Evaluated, int]]:
    """The factors and divisors that could convert a unit (``60``, ``24 h``), with their powers 1 or -1."""
    if isinstance(node, Binary) and node.op in ("*", "/"):
        yield from _factors(node.left, choice, power)
        yield from _factors(node.right, choice, power if node.op == "*" else -power)
        return
    simple = all(
        not number.suffix and (not number.noun if number.unit is None else number.unit.dims in _CONVERTING)
        for number in numbers(node)
    )
    factor = evaluate(node, choice) if simple else None
    if factor is not None and factor.digits in FACTORS:
        yield factor, power


_CONVERTING = ((1, 0, 0, 0), (0, 1, 0, 0))


def in_a_unit_left_out(node: Expr, has: Dimension, wanted: Dimension) -> Iterator[Fraction]:
    """What a bare number of the expression would bring, if it had the one unit that is missing (``5 W × 3 = 15 J``)."""
    missing = [want - have for have, want in zip(has, wanted, strict=True)]
    if (
        wanted == _MONEY
        and has[3] == 1
        and any(number.unit is not None and number.unit.dims == _MONEY for number in numbers(node))
    ):
        yield from _per_what_is_bought(node, has)
    powers = [(at, power) for at, power in enumerate(missing) if power]
    if not any(_bare(number) for number in numbers(node)):
        return
    if missing in ([1, -1, 0, 0], [-1, 1, 0, 0]):
        yield Fraction(1)  # bytes a second
    if len(powers) != 1 or abs(powers[0][1]) != 1:
        return
    at, power = powers[0]
    yield Fraction(1)
    kind: Dimension = (int(at == 0), int(at == 1), int(at == 2), int(at == 3))
    for _, size in SIBLINGS.get(kind, ()):
        if size != 1:
            yield size**power


def _per_what_is_bought(node: Expr, has: Dimension) -> Iterator[Fraction]:
    """``3 kWh × $0.12``: the price is one for the unit that it is multiplied with."""
    for number in numbers(node):
        unit = number.unit
        if unit is not None and unit.dims == (has[0], has[1], has[2], 0):
            yield 1 / unit.scale


def _bare(number: Measured) -> bool:
    return number.unit is None and not number.noun


def unit_behind_all(node: Expr, unit: Measure) -> bool:
    """``125000 / 1024 KB = 122 KB``: the one unit of the expression stands at its end and is that of the result."""
    *others, last = numbers(node)
    return bool(others) and last.unit is not None and last.unit.text == unit.text and all(map(_bare, others))


def natural(base: Fraction, dims: Dimension) -> tuple[Fraction, str]:
    """An amount in base units as a person would write it: ``23.9 ms``."""
    for name, size in _LADDERS.get(dims, ()):
        if abs(base) >= size:
            return base / size, name
    over = [f"{name}^{power}" if power > 1 else name for name, power in zip(_NAMES, dims, strict=True) if power > 0]
    under = [f"{name}^{-power}" if power < -1 else name for name, power in zip(_NAMES, dims, strict=True) if power < 0]
    return base, "/".join(["·".join(over) or "1", *under]) if dims != NONE else "1"
