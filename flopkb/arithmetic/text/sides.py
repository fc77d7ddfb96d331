"""One side of an equation in running text: its arithmetic, and the readings of the same tokens by another precedence."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from flopkb.arithmetic.formula import Binary, Expr
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import measure
from flopkb.arithmetic.text.tree import numbers
from flopkb.arithmetic.text.words import NUMBERED

if TYPE_CHECKING:
    from flopkb.arithmetic.text.grammar import Parser


@dataclass(frozen=True, slots=True)
class Precedence:
    """Which precedence to read by.

    ``wide_slash``: a slash divides by the whole product behind it. ``sums_first``: sums before products.
    """

    wide_slash: bool = False
    sums_first: bool = False


USUAL = Precedence()
UNUSUAL = (Precedence(wide_slash=True), Precedence(sums_first=True))


@dataclass(frozen=True, slots=True)
class TextSide:
    """One reading of one side: its tokens from ``first`` to ``last`` (not included) and their arithmetic.

    ``doubt`` says that the text around it may change its meaning: such a side can be right, but is never called wrong.
    ``secondary`` marks a shorter reading than the text suggests; ``high`` is the upper end of a range.
    """

    node: Expr
    first: int
    last: int
    doubt: bool = False
    secondary: bool = False
    approximate: bool = False
    bound: str = ""
    high: Expr | None = None
    clause: Parser | None = field(default=None, compare=False, repr=False)

    @property
    def numbered(self) -> bool:
        """Whether a word stands before it that makes its numbers names: ``bits 7-5``."""
        return self.clause is not None and self.clause.text(self.first - 1).lower() in NUMBERED

    @property
    def listed(self) -> bool:
        """Whether a comma stands before it."""
        return self.clause is not None and self.clause.text(self.first - 1) == ","

    def regrouped(self) -> tuple[Expr, ...]:
        """The readings of the same tokens by an unusual precedence."""
        if self.clause is None or self.high is not None or not _mixed(self.node):
            return ()
        styled = (self.clause.styled(self.first, self.last, style) for style in UNUSUAL)
        found = (*styled, _by_spaces(self.clause, self.first, self.last))
        return tuple(node for node in found if node is not None and node != self.node)


def doubtful(node: Expr) -> bool:
    """Whether letters behind a number may be symbols."""
    units = [number.unit for number in numbers(node) if number.unit is not None and "/" in number.unit.text]
    last = [unit.text.rpartition("/")[2] for unit in units]
    strange = any(
        len(word) < 4 and not measure(word).known and not (len(word) == 3 and word.isupper()) for word in last
    )
    return strange or any(number.label for number in numbers(node))


def _mixed(node: Expr) -> bool:
    """Whether another precedence could give another value: two different signs, not all in parentheses."""
    return isinstance(node, Binary) and any(
        isinstance(part, Binary) and not part.grouped for part in (node.left, node.right)
    )


def _by_spaces(clause: Parser, start: int, stop: int) -> Expr | None:
    """``1/5 / 4/5``, ``2+3 * 4``: what is pressed together comes first; None where spaces tell nothing."""
    cuts = [at for at in range(start + 1, stop - 1) if _apart(clause, start, at)]
    edges = [start - 1, *cuts, stop]
    parts: list[Expr] = []
    for before, behind in pairwise(edges):
        part = clause.part(before + 1, behind)
        if not isinstance(part, TextSide):
            return None
        parts.append(part.node)
    signs = [clause.operator(at) for at in cuts]
    if not any(isinstance(part, Binary) and not part.grouped for part in parts):
        return None
    for wanted in ("*/", "+-"):
        at = 0
        while at < len(signs):
            if signs[at] in wanted:
                joined = Binary(signs.pop(at), parts[at], parts[at + 1], offset=parts[at].offset, end=parts[at + 1].end)
                parts[at : at + 2] = [joined]
            else:
                at += 1
    return parts[0] if len(parts) == 1 else None


def _apart(clause: Parser, start: int, at: int) -> bool:
    """Whether an operator outside of brackets has white space on both sides."""
    if clause.operator(at) not in ("+", "-", "*", "/") or not (clause.gap(at) and clause.gap(at + 1)):
        return False
    return not any(clause.kind(index) is Sign.OPEN and clause.match.get(index, at) > at for index in range(start, at))
