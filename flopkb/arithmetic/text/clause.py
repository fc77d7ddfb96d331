"""The tokens between two breaks, with their relations, and what a side of one is once it is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from flopkb.arithmetic.formula import Binary, Expr
from flopkb.arithmetic.text.grammar import UNUSUAL, Failed, Parser, Precedence, kinds_of, matches
from flopkb.arithmetic.text.lexer import Sign, Token
from flopkb.arithmetic.text.measures import measure
from flopkb.arithmetic.text.tree import numbers


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
    clause: Clause | None = field(default=None, compare=False, repr=False)

    def regrouped(self) -> tuple[Expr, ...]:
        """The readings of the same tokens by an unusual precedence."""
        if self.clause is None or self.high is not None:
            return ()
        return self.clause.otherwise(self.first, self.last, self.node)


class Clause:
    """The tokens between two breaks; ``relations`` are the indices of its ``=`` and ``≈``."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = _with_tildes(tokens)
        self.match = matches(self.tokens)
        self.kinds = kinds_of(self.tokens)
        self.relations = [at for at, kind in enumerate(self.kinds) if kind is Sign.RELATION]
        self._parser = Parser(self.tokens, self.match, self.kinds)

    def kind(self, at: int) -> Sign:
        """The kind of the token at ``at``; a break beyond the ends."""
        return self.kinds[at]

    def text(self, at: int) -> str:
        """The text of the token at ``at``; empty beyond the ends."""
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def gap(self, at: int) -> bool:
        """Whether white space stands before the token at ``at``."""
        return self.tokens[at].gap if 0 <= at < len(self.tokens) else True

    def parser(self) -> Parser:
        """A parser of the usual precedence."""
        return self._parser

    def whole(self, start: int, stop: int, doubt: bool) -> TextSide | int:
        """The side from ``start`` to ``stop``, or the index at which it fails."""
        try:
            node, end = self.parser().expression(start)
        except Failed as failure:
            return failure.at
        while end < stop and self.kind(end) is Sign.NEWLINE:
            end += 1
        if end != stop:
            return end
        return TextSide(node, start, stop, doubt or doubtful(node), clause=self)

    def otherwise(self, start: int, stop: int, usual: Expr) -> tuple[Expr, ...]:
        """The same tokens read by an unusual precedence, where that makes a difference."""
        found: list[Expr] = []
        for style in UNUSUAL if _mixed(usual) else ():
            node = self.styled(start, stop, style)
            if node is not None and node != usual:
                found.append(node)
        return tuple(found)

    def styled(self, start: int, stop: int, style: Precedence) -> Expr | None:
        try:
            node, end = Parser(self.tokens, self.match, self.kinds, style).expression(start)
        except Failed:
            return None
        while end < stop and self.kind(end) is Sign.NEWLINE:
            end += 1
        return node if end == stop else None


def doubtful(node: Expr) -> bool:
    """Whether letters behind a number may be symbols."""
    units = [number.unit for number in numbers(node) if number.unit is not None and "/" in number.unit.text]
    last = [unit.text.rpartition("/")[2] for unit in units]
    strange = any(len(word) < 4 and not measure(word).known for word in last)
    return strange or any(number.label for number in numbers(node))


def _mixed(node: Expr) -> bool:
    """Whether another precedence could give another value: two different signs, not all in parentheses."""
    return isinstance(node, Binary) and any(
        isinstance(part, Binary) and not part.grouped for part in (node.left, node.right)
    )


def _with_tildes(tokens: list[Token]) -> list[Token]:
    """A tilde between two operands is a weak relation."""
    ends = (Sign.NUMBER, Sign.CLOSE, Sign.PERCENT, Sign.WORD)
    starts = (Sign.NUMBER, Sign.CURRENCY, Sign.OPEN, Sign.FUNCTION)
    out = list(tokens)
    for at in range(1, len(tokens) - 1):
        token, behind = tokens[at], tokens[at + 1]
        apart = bool(token.note) or (token.gap and behind.gap)
        if token.kind is Sign.TILDE and tokens[at - 1].kind in ends and behind.kind in starts and apart:
            out[at] = token._replace(kind=Sign.RELATION, text="~")
    return out
