"""Conditions and orders by value: ``roofline.ridge(dtype=bf16) < 100``, ``memory_capacity >= 80 GB``, ``value < 10 ms``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.units import ONE, Unit, UnitError, parse_amount, parse_unit
from flopkb.checking.asking.question import QuestionFault

_OPS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_TERM = r"[A-Za-z_][\w.]*(?:\([^()]*\))?"
_CONDITION = re.compile(rf"\s*({_TERM})\s*(<=|>=|==|!=|<|>|=)\s*(.+?)\s*")


@dataclass(frozen=True, slots=True)
class Term:
    """What is compared: a name, or a formula with inputs of its own."""

    name: str
    inputs: tuple[tuple[str, str], ...] = ()
    called: bool = False

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{k}={v}' for k, v in self.inputs)})" if self.called else self.name


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in base units, with the unit that it is declared in."""

    base: Fraction
    unit: Unit


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison; ``right`` is a term or an amount, as written."""

    left: Term
    op: str
    right: str

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"

    def holds(self, value_of: Callable[[Term], Quantity | None]) -> bool | None:
        """Whether it holds, exactly; None where a side has no value. Raises :class:`QuestionFault`."""
        left = value_of(self.left)
        if left is None:
            return None
        right = self._right(left, value_of)
        return None if right is None else _OPS[self.op](left.base, right)

    def _right(self, left: Quantity, value_of: Callable[[Term], Quantity | None]) -> Fraction | None:
        found = self._amount(left) if self.right[:1] in "+-.0123456789" else value_of(term(self.right))
        if found is not None and found.unit.dimension != left.unit.dimension:
            asked, has = found.unit.text or "1", left.unit.text or "1"
            raise QuestionFault(f"{self}: {self.left} is in {has}, which cannot be compared with {asked}")
        return found.base if found is not None else None

    def _amount(self, left: Quantity) -> Quantity:
        """The amount on the right: in the unit of the left where it has none."""
        try:
            amount = parse_amount(self.right)
        except UnitError as fault:
            raise QuestionFault(f"{self}: {fault}") from fault
        bare = amount.unit == ONE
        return Quantity(amount.value * left.unit.scale, left.unit) if bare else Quantity(amount.base, amount.unit)


def condition(text: str) -> Condition:
    """A condition as it is typed; raises :class:`QuestionFault`."""
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise QuestionFault(
            f"{text!r} is no condition; write FIELD=VALUE, as status=verified, or compare, as 'memory_capacity >= 80 GB'"
        )
    return Condition(term(match[1]), match[2], match[3])


def term(text: str) -> Term:
    """A term as it is typed; raises :class:`QuestionFault`."""
    if not re.fullmatch(_TERM, text.strip()):
        raise QuestionFault(
            f"{text!r} is nothing to compare; write a field, a formula as roofline.ridge(dtype=bf16), or an amount"
        )
    name, bracket, inside = text.strip().partition("(")
    pairs = [part.partition("=") for part in inside.rstrip(")").split(",") if part.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise QuestionFault(f"{text}: an input is written NAME=VALUE, as dtype=bf16")
    return Term(name, tuple((key.strip(), value.strip()) for key, _, value in pairs), bool(bracket))


def wanted_unit(text: str, declared: str) -> Unit:
    """The unit that ``--unit`` names, for a value declared in another; raises :class:`QuestionFault`."""
    try:
        unit = parse_unit(text)
    except UnitError as fault:
        raise QuestionFault(str(fault)) from fault
    if unit.dimension != parse_unit(declared).dimension:
        raise QuestionFault(f"--unit {text}: the value is in {declared or '1'}, which {text} cannot measure")
    return unit
