"""Statements over exact rational forms, decided over declared domains; knows no records.

In: a comparison of two forms, and the domain of their symbols (grids, intervals, lists, narrowed by conditions). Out:
proved, holding at so many points, or refuted at a point that is as small as it can be. In order: the rational normal
form and signs; exact evaluation at boundary points, at every listed value and at seeded points; a solver, where one is
installed; Hypothesis to make a counterexample small and, in a thorough run, to look for one. Everything is exact and
the same from run to run. Here stand the values that one symbol may take, as exact sets, and how they are narrowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from random import Random


@dataclass(frozen=True, slots=True)
class ValueSet:
    """Values from ``low`` to ``high``: the multiples of ``step``, or every rational, or exactly ``values`` (sorted).

    ``open_low`` and ``open_high`` leave the end itself out (of an interval; grids and lists are cut instead).
    """

    low: Fraction
    high: Fraction
    step: Fraction | None = None
    values: tuple[Fraction, ...] = ()
    open_low: bool = False
    open_high: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is no value."""
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))

    @property
    def finite(self) -> int | None:
        """How many values there are, or None for an interval."""
        if self.empty:
            return 0
        if self.values:
            return len(self.values)
        if self.step is not None:
            return int((self.high - self.low) / self.step) + 1
        return 1 if self.low == self.high else None

    def holds(self, value: Fraction) -> bool:
        """Whether ``value`` is in the set."""
        if self.values:
            return value in self.values
        if self.step is not None and (value / self.step).denominator != 1:
            return False
        return self.above_low(value) and self.below_high(value)

    def above_low(self, value: Fraction) -> bool:
        """Whether ``value`` is not below the lower end."""
        return value > self.low if self.open_low else value >= self.low

    def below_high(self, value: Fraction) -> bool:
        """Whether ``value`` is not above the upper end."""
        return value < self.high if self.open_high else value <= self.high

    def narrowed(self, low: Fraction | None = None, high: Fraction | None = None, *, open_: bool = False) -> ValueSet:
        """The values of the set from ``low`` to ``high`` (without these two where ``open_``)."""
        domain = self
        if low is not None and (low > domain.low or (low == domain.low and open_)):
            domain = replace(domain, low=low, open_low=open_)
        if high is not None and (high < domain.high or (high == domain.high and open_)):
            domain = replace(domain, high=high, open_high=open_)
        return domain if domain is self else domain._cut()

    def on_grid(self, step: Fraction) -> ValueSet:
        """The values of the set that are multiples of ``step``."""
        if not step:
            return NOTHING
        step = abs(step)
        if self.values:
            return listed(v for v in self.values if (v / step).denominator == 1)
        return replace(self, step=step if self.step is None else common_multiple(self.step, step))._cut()

    def meet(self, other: ValueSet) -> ValueSet:
        """The values in both sets."""
        if other.values and not self.values:
            return other.meet(self)
        if self.values:
            return listed(v for v in self.values if other.holds(v))
        domain = self.narrowed(other.low, other.high)
        return domain.on_grid(other.step) if other.step is not None else domain

    def within(self, other: ValueSet) -> bool:
        """Whether every value of the set is one of the other."""
        common = self.meet(other)
        if self.empty or self.finite is not None:
            return self.empty or common.finite == self.finite
        return not common.values and (common.low, common.high, common.step) == (self.low, self.high, self.step)

    def _cut(self) -> ValueSet:
        """The ends moved inward to values of the set."""
        if self.values:
            return listed(v for v in self.values if self.above_low(v) and self.below_high(v))
        if self.step is None:
            return self
        first, last = -(-self.low // self.step), self.high // self.step
        first += self.open_low and first * self.step == self.low
        last -= self.open_high and last * self.step == self.high
        return ValueSet(first * self.step, last * self.step, self.step)

    def nearest(self, value: Fraction) -> Fraction:
        """The value of the set that is nearest to ``value``; the set is not empty."""
        if self.values:
            return min(self.values, key=lambda v: (abs(v - value), v))
        if self.step is not None:
            on = round(value / self.step) * self.step
            return min(max(on, self.low), self.high)
        if self.above_low(value) and self.below_high(value):
            return value
        inward = (self.high - self.low) / 1024
        if value <= self.low:
            return self.low + inward if self.open_low else self.low
        return self.high - inward if self.open_high else self.high

    def boundary_points(self, most: int = 16) -> Iterator[Fraction]:
        """The values where a claim is likeliest to fail: those listed, the ends and their neighbours, the middle."""
        if self.values:
            yield from self.values[:most]
            return
        step = self.step if self.step is not None else (self.high - self.low) / 64
        wanted = (self.low, self.high, self.low + step, self.high - step, (self.low + self.high) / 2)
        yield from dict.fromkeys(self.nearest(value) for value in wanted)

    def drawn(self, random: Random) -> Fraction:
        """A value at random, small ones as likely as large ones."""
        count = self.finite
        if self.values:
            return random.choice(self.values)
        if count is not None and self.step is not None:
            return self.low + min(random.randrange(1 << random.randint(0, count.bit_length())), count - 1) * self.step
        reach = self.high - self.low
        return self.nearest(self.low + reach / (1 << random.randint(0, 24)) * random.randint(0, 8) / 8)


NOTHING = ValueSet(Fraction(1), Fraction(0))
"""No value at all."""


def listed(values: Iterable[Fraction]) -> ValueSet:
    """Exactly these values, which are sorted."""
    kept = tuple(values)
    return ValueSet(kept[0], kept[-1], None, kept) if kept else NOTHING


def common_multiple(left: Fraction, right: Fraction) -> Fraction:
    """The least positive number that both divide."""
    return Fraction(lcm(left.numerator, right.numerator), gcd(left.denominator, right.denominator))


@dataclass(frozen=True, slots=True)
class Bounds:
    """From ``low`` to ``high``; None is without end. ``positive`` leaves out a ``low`` of 0."""

    low: Fraction | None = None
    high: Fraction | None = None
    positive: bool = False

    @property
    def negative_free(self) -> bool:
        """Whether no value is below zero."""
        return self.low is not None and self.low >= 0

    @property
    def above_zero(self) -> bool:
        """Whether every value is above zero."""
        return self.low is not None and (self.low > 0 or (self.positive and self.low == 0))
