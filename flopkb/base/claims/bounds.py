"""Between which ends a symbol runs, as proofs see it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


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
