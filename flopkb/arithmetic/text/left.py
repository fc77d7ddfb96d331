"""The left side of a relation: where it begins in running text, and every reading that the text allows."""

from __future__ import annotations

from dataclasses import replace

from flopkb.arithmetic.text.clause import Clause, TextSide
from flopkb.arithmetic.text.grammar import FUNCTIONS, PARTIAL
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import STOP_WORDS
from flopkb.arithmetic.text.tree import operators

_MAX_REGION = 160
_MAX_WORDS = 5
_INSIDE = (
    Sign.NUMBER,
    Sign.OPERATOR,
    Sign.PERCENT,
    Sign.CURRENCY,
    Sign.FUNCTION,
    Sign.TILDE,
    Sign.NEWLINE,
)


def left_sides(clause: Clause, relation: int) -> list[TextSide]:
    """The readings of the side that ends at a relation, the most likely first."""
    return _Left(clause).left(relation)


class _Left:
    """Walks back from a relation to where its side begins."""

    def __init__(self, clause: Clause) -> None:
        self.clause = clause

    def left(self, relation: int) -> list[TextSide]:
        """The readings of the side that ends at a relation, the most likely first."""
        start, blocked = self.region(relation)
        while start < relation and self.clause.kind(start) is Sign.NEWLINE:
            start += 1
        if blocked or start >= relation or self.refused(start):
            return []
        start, doubt = self.opening(start)
        doubt = doubt or self.keyword(start)
        if start < 0 or start >= relation:
            return []
        sides = self.parsed(start, relation, doubt)
        if sides and not sides[0].doubt:
            sides += self.shortened(start, relation)
        return sides

    def region(self, relation: int) -> tuple[int, bool]:
        """Where the arithmetic before a relation begins, and whether something unreadable blocks it."""
        at = relation - 1
        while at >= 0 and relation - at < _MAX_REGION:
            kind = self.clause.kind(at)
            if kind in _INSIDE:
                at -= 1
            elif kind is Sign.CLOSE:
                opening = self.clause.match.get(at)
                if opening is None:
                    return at + 1, False
                if any(token.kind is Sign.RELATION for token in self.clause.tokens[opening:at]) and not self.annotated(
                    opening
                ):
                    return at + 1, True
                if self.clause.text(at) == "}" and self.clause.kind(opening - 1) is Sign.WORD:
                    return at + 1, False  # the argument of some command
                at = opening - 1
                if self.clause.kind(at) is Sign.WORD and not self.clause.gap(opening):
                    at, fits = (
                        self.before_words(at) if self.clause.text(at).lower() not in FUNCTIONS else (at - 1, True)
                    )
                    if not fits:
                        return opening, True
            elif kind is Sign.WORD:
                before, fits = self.before_words(at)
                if not fits:
                    return at + 1, False
                at = before
            else:
                return at + 1, False
        return at + 1, at >= 0

    def annotated(self, opening: int) -> bool:
        """Whether parentheses stand directly behind a number (so that what is in them is a remark)."""
        return self.clause.kind(opening - 1) is Sign.NUMBER

    def before_words(self, at: int) -> tuple[int, bool]:
        """The index before the words that end at ``at``, and whether they belong to a number there."""
        count, last = 0, at
        while self.clause.kind(at) is Sign.WORD and count < _MAX_WORDS:
            word = self.clause.text(at).lower()
            if word in STOP_WORDS or (word == "of" and not self.percentage(at - 1)):
                return at, False
            at, count = at - 1, count + 1
        if self.clause.kind(at) is Sign.OPERATOR and self.clause.text(at) == "/":
            if self.clause.kind(at - 1) is Sign.WORD:
                return self.before_words(at - 1)
            return at - 1, self.clause.kind(at - 1) in (Sign.NUMBER, Sign.CLOSE)
        if (
            self.clause.kind(at) is Sign.OPERATOR
            and self.clause.text(at) == "^"
            and self.clause.tokens[at].value is not None
        ):
            return at, True
        if self.clause.kind(at) is Sign.CLOSE:
            return at, self.clause.match.get(at) is not None
        return (at, True) if self.clause.kind(at) in (Sign.NUMBER, Sign.PERCENT) else (last, False)

    def percentage(self, at: int) -> bool:
        return (
            self.clause.kind(at) is Sign.PERCENT
            or self.clause.text(at) in ("percent", "x")
            or self.clause.kind(at) is Sign.NUMBER
        )

    def refused(self, start: int) -> bool:
        """Whether what stands before ``start`` makes the side only a part of something else."""
        before = self.clause.tokens[start - 1] if start > 0 else None
        if before is None:
            return False
        if before.kind is Sign.WORD:
            word = before.text.lower()
            called = self.clause.kind(start) is Sign.OPEN and not self.clause.gap(start)
            of = word in ("of", "by") and self.clause.text(start - 2).lower() in PARTIAL
            joined = not self.clause.gap(start) and self.clause.kind(start) is not Sign.CURRENCY
            return called or word in PARTIAL or of or (joined and before.text.isascii())
        if before.kind is Sign.OPAQUE:
            return not self.clause.gap(start) or before.text in ("{", "}", "==", "_") or before.text[-1:] == "="
        derivative = before.text in ("'", "’") and self.clause.kind(start) is Sign.OPEN
        return (before.kind is Sign.CLOSE or derivative) and not self.clause.gap(start)

    def keyword(self, start: int) -> bool:
        """``256 × T=32 × D=768``: a factor with its name before it."""
        pressed = (
            self.clause.kind(start - 1) is Sign.RELATION
            and not self.clause.gap(start)
            and not self.clause.gap(start - 1)
        )
        return pressed and self.clause.kind(start - 2) is Sign.WORD and self.clause.kind(start - 3) is Sign.OPERATOR

    def opening(self, start: int) -> tuple[int, bool]:
        """Skip a dash or a comment sign at the start; (-1, ...) where the start shows that symbols stand before it."""
        if self.clause.kind(start) is not Sign.OPERATOR:
            return start, False
        sign, word = (
            self.clause.text(start),
            self.clause.kind(start - 1) in (Sign.WORD, Sign.OPAQUE, Sign.CLOSE),
        )
        if sign == "//":
            return start + 1, self.clause.kind(start - 1) in (Sign.NUMBER, Sign.CLOSE)
        if sign not in "+-":
            return -1, True
        if self.clause.gap(start) and self.clause.gap(start + 1):
            return start + 1, word
        if word and not self.clause.gap(start):
            return -1, True
        return start, word

    def parsed(self, start: int, relation: int, doubt: bool) -> list[TextSide]:
        """Parse the whole region, or what is left of it behind tokens that are no part of the side."""
        for _ in range(4):
            side = self.clause.whole(start, relation, doubt)
            if isinstance(side, TextSide):
                return [side]
            start = self.restart(max(side, start + 1), relation)
            if start < 0:
                return []
            doubt = doubt or self.clause.kind(start - 1) is not Sign.WORD
        return []

    def restart(self, at: int, relation: int) -> int:
        """The next index at which a side may begin after a failure at ``at``."""
        for index in range(at, relation):
            fits = self.clause.kind(index) in (
                Sign.NUMBER,
                Sign.CURRENCY,
                Sign.FUNCTION,
                Sign.OPEN,
                Sign.TILDE,
            )
            if fits and self.clause.kind(index - 1) is not Sign.OPERATOR and self.clause.gap(index):
                return index if self.clause.match.get(index, relation) <= relation else -1
        return -1

    def shortened(self, start: int, relation: int) -> list[TextSide]:
        """Shorter readings: behind a spaced dash, behind a comment sign, behind a mark such as ``(2)``."""
        cuts: list[int] = []
        depth = 0
        for at in range(start, relation):
            depth += (self.clause.kind(at) is Sign.OPEN) - (self.clause.kind(at) is Sign.CLOSE)
            dash = self.clause.kind(at) is Sign.OPERATOR and (
                (self.clause.text(at) == "-" and self.clause.gap(at) and self.clause.gap(at + 1))
                or self.clause.text(at) == "//"
            )
            if depth == 0 and dash and at > start:
                cuts.append(at + 1)
        if (
            self.clause.kind(start) is Sign.OPEN
            and self.clause.match.get(start) == start + 2
            and self.clause.gap(start + 3)
        ):
            cuts.append(start + 3)
        sides = [self.clause.whole(cut, relation, False) for cut in cuts[-3:]]
        return [replace(side, secondary=True) for side in sides if isinstance(side, TextSide) and operators(side.node)]
