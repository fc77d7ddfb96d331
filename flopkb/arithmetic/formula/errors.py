"""What can be wrong with a formula: facts first, the sentence last."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.diagnostics import shortened
from flopkb.arithmetic.formula.tree import Call, Condition, Expr, number_text, to_text

MAX_EXPONENT = 65_536
"""The largest exponent of a power."""

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
    """A number or polynomial beyond the size that is worked with.

    ``what`` names the bound that was passed, ``greatest`` the greatest exponent that keeps within it.
    """

    def __init__(self, what: str, expr: Expr | None = None, greatest: int | None = None) -> None:
        super().__init__(what, expr)
        self.what = what
        self.expr = expr
        self.greatest = greatest

    def __str__(self) -> str:
        where = "this" if self.expr is None else shown(to_text(self.expr))
        if self.greatest is not None:
            return f"{where} needs {self.what}: ask for an exponent of at most {self.greatest:,} of this base"
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


class BadExponent(TooLargeError):
    """An exponent that is no whole number, or is too large; ``exponent`` is its value."""

    def __init__(self, exponent: Fraction, expr: Expr | None = None) -> None:
        super().__init__("another exponent", expr)
        self.exponent = exponent

    def __str__(self) -> str:
        value = number_text(self.exponent) if self.exponent.denominator < 10**6 else "no whole number"
        what = "an exponent" if self.expr is None else f"the exponent of {shown(to_text(self.expr))}"
        return f"{what} is {shortened(value, _SHOWN)}: it must be a whole number from -{MAX_EXPONENT} to {MAX_EXPONENT}"


class DimensionError(ValueError):
    """Two sides that do not measure the same thing. ``left`` and ``right`` are their dimensions in base units."""

    def __init__(self, left: str, right: str, expr: Expr | Condition, reason: str) -> None:
        super().__init__(left, right, expr, reason)
        self.left = left
        self.right = right
        self.offset = expr.offset
        self.length = expr.length
        self.reason = reason

    def __str__(self) -> str:
        return self.reason
