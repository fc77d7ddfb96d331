"""The right side of a relation: how far it reaches into running text, and every reading that the text allows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.text.clause import Clause, SideReading, doubtful
from flopkb.arithmetic.text.grammar import Failed
from flopkb.arithmetic.text.lexer import TokenKind
from flopkb.arithmetic.text.tree import Binary, Node, Number

_ABOUT = frozenset(["about", "around", "roughly", "approximately", "approx", "nearly", "almost", "circa", "ca", "some"])
_EXACT = frozenset(["exactly", "only", "just", "precisely", "a", "an", "total", "the"])
_BOUNDS = {
    "over": ">",
    "under": "<",
    "above": ">",
    "below": "<",
    "more": ">",
    "less": "<",
    "least": ">",
    "most": "<",
    "up": "<",
}
_ELLIPSES = frozenset({"...", "…", "\\ldots", "\\dots", "\\cdots", "&hellip;"})
_OPERATIONS = frozenset({"times", "plus", "minus", "divided", "multiplied", "squared", "cubed"})
_REMAINDER = frozenset(["mod", "modulo", "remainder", "rem", "r", "R"])


def right_sides(clause: Clause, relation: int) -> list[SideReading]:
    """The readings of the side that begins behind a relation, the most likely first."""
    return _Right(clause).right(relation)


class _Right:
    """Reads on from a relation to where its side ends."""

    def __init__(self, clause: Clause) -> None:
        self.clause = clause

    def right(self, relation: int) -> list[SideReading]:
        """The readings of the side that begins behind a relation, the most likely first."""
        at, approximate, bound = self.qualifiers(relation + 1)
        try:
            node, end = self.clause.parser().expression(at)
        except Failed:
            return []
        fits, doubt = self.ending(end, node)
        if not fits:
            return []
        if self.clause.text(end) in _ELLIPSES and not bound:
            bound = "…"
        side = SideReading(
            node,
            at,
            end,
            doubt or doubtful(node),
            approximate=approximate,
            bound=bound,
            clause=self.clause,
        )
        found = self.spans(side) or [side]
        return found + self.wrapped(side) + self.first_number(at, end, found[0])

    def qualifiers(self, at: int) -> tuple[int, bool, str]:
        """Skip ``about``, ``exactly``, ``~`` and the like: the index behind them, whether they widen, and a bound."""
        approximate, bound = False, ""
        for _ in range(4):
            kind, word = self.clause.kind(at), self.clause.text(at).lower()
            if kind is TokenKind.TILDE or (kind is TokenKind.RELATION and word in ("≈", "~")):
                approximate = True
            elif kind is TokenKind.WORD and (word in _ABOUT or word.removesuffix(".") in _ABOUT):
                approximate = True
                at += self.clause.text(at + 1) == "." and self.clause.kind(at + 2) is TokenKind.NUMBER
            elif kind is TokenKind.WORD and word in _BOUNDS and self.bounding(at):
                bound = _BOUNDS[word]
                at += self.clause.text(at + 1) in ("than", "to")
            elif not (
                kind is TokenKind.NEWLINE
                or (kind is TokenKind.WORD and word in _EXACT)
                or (kind is TokenKind.WORD and word == "at")
            ):
                break
            at += 1
        return at, approximate, bound

    def bounding(self, at: int) -> bool:
        return (
            self.clause.kind(at + 1) is TokenKind.NUMBER
            or self.clause.kind(at + 2) in (TokenKind.NUMBER, TokenKind.CURRENCY)
            or self.clause.kind(at + 1) is TokenKind.CURRENCY
        )

    def ending(self, end: int, node: Node) -> tuple[bool, bool]:
        """Whether a side may end before the token at ``end``, and whether that leaves a doubt."""
        kind, word = self.clause.kind(end), self.clause.text(end)
        if word in _ELLIPSES:
            return True, False
        if kind is TokenKind.NEWLINE:
            return True, self.clause.kind(end + 1) is TokenKind.OPERATOR and not self.clause.gap(end + 2)
        if kind is TokenKind.OPERATOR:
            return self.before_operator(end, node), True
        if kind is TokenKind.OPEN:
            return self.before_remark(end, node), False
        if kind in (TokenKind.OPAQUE, TokenKind.FUNCTION):
            return kind is TokenKind.OPAQUE and self.clause.gap(end), True
        if kind is TokenKind.WORD:
            return self.before_word(end)
        if kind is TokenKind.NUMBER:
            return True, len(word) == 3 and word.isdigit()
        listed = word == "," and self.clause.kind(end + 1) is TokenKind.NUMBER and not self.clause.gap(end + 1)
        return True, kind is TokenKind.PUNCTUATION and listed

    def before_operator(self, end: int, node: Node) -> bool:
        """A dash before words ends a side, a comment sign too, and a unit that goes on in words that are not known."""
        word, after = self.clause.text(end), self.clause.kind(end + 1)
        if word in "*/" and after is TokenKind.WORD and isinstance(node, Number) and node.unit is not None:
            return True
        dash = word in "+-" and self.clause.gap(end) and self.clause.gap(end + 1) and after is TokenKind.WORD
        return dash or word == "//"

    def before_remark(self, end: int, node: Node) -> bool:
        """Parentheses behind a result are a remark unless they are pressed against it, or name a modulus."""
        if self.clause.text(end + 1).lstrip("\\") in ("mod", "bmod", "pmod", "modulo"):
            return False
        if self.clause.gap(end) or self.clause.text(end) == "[":
            return True
        return isinstance(node, Number) and node.unit is not None and self.clause.parser().phrases.remark(end)

    def before_word(self, end: int) -> tuple[bool, bool]:
        """Words end a side, but a symbol or ``3 of 4`` may change what it says."""
        word = self.clause.text(end)
        if word in _REMAINDER or word.startswith("\\") or word.lower() in _OPERATIONS:
            return False, True
        symbol = len(word) == 1 and word.isascii() and word not in "aAI"
        pair = word.lower() in ("or", "of", "to") and self.clause.kind(end + 1) in (
            TokenKind.NUMBER,
            TokenKind.CURRENCY,
        )
        return True, symbol or pair or not self.clause.gap(end)

    def spans(self, side: SideReading) -> list[SideReading]:
        """``20-30 ms`` behind a relation is a range, not a difference; ``10+`` a bound; ``50 000`` one number."""
        node, end = side.node, side.last
        if isinstance(node, Binary) and node.sign == "-" and not node.grouped and not node.spaced:
            low, high = node.left, node.right
            if isinstance(low, Number) and isinstance(high, Number) and low.value < high.value:
                unit = replace(low, unit=low.unit or high.unit, suffix=low.suffix or high.suffix)
                return [replace(side, node=unit, high=high)]
        if (
            isinstance(node, Number)
            and self.clause.kind(end) is TokenKind.NUMBER
            and node.end == self.clause.tokens[end - 1].end
        ):
            joined = self.joined(side)
            return [joined, side] if joined else []
        if self.clause.kind(end) is TokenKind.OPERATOR and self.clause.text(end) == "+" and isinstance(node, Number):
            return [replace(side, bound=">", doubt=True)]
        return []

    def wrapped(self, side: SideReading) -> list[SideReading]:
        """The number with the unit that stands on the next line."""
        node, end, parser = side.node, side.last, self.clause.parser()
        if not isinstance(node, Number) or node.unit is not None or self.clause.kind(end) is not TokenKind.NEWLINE:
            return []
        phrase = parser.phrases.after(end + 1)
        if not (phrase.suffix or (phrase.unit is not None and phrase.unit.known)):
            return []
        return [replace(side, node=parser.dressed(node, phrase), last=phrase.end, doubt=True)]

    def joined(self, side: SideReading) -> SideReading | None:
        """Digits grouped by plain spaces."""
        node, at = side.node, side.last
        first = self.clause.tokens[at - 1]
        if (
            not isinstance(node, Number)
            or first.kind is not TokenKind.NUMBER
            or not first.text.isdigit()
            or len(first.text) > 3
        ):
            return None
        value = node.value
        while (
            self.clause.kind(at) is TokenKind.NUMBER
            and len(self.clause.text(at)) == 3
            and self.clause.text(at).isdigit()
        ):
            value = value * 1000 + Fraction(self.clause.text(at))
            at += 1
        if at == side.last:
            return None
        last = self.clause.parser().number(at - 1)
        unit = last[0].unit if isinstance(last[0], Number) else None
        return replace(side, node=replace(node, value=value, unit=unit, end=last[0].end), last=last[1], doubt=True)

    def first_number(self, at: int, end: int, side: SideReading) -> list[SideReading]:
        """The first number alone, where the side goes on (a running calculation), or without a footnote's mark."""
        if isinstance(side.node, Number):
            return []
        try:
            node, stop = self.clause.parser().factor(at)
        except Failed:
            return []
        if stop == end and isinstance(node, Binary) and node.sign == "^" and isinstance(node.left, Number):
            node = node.left
        elif stop >= end:
            return []
        return [SideReading(node, at, stop, True, True, side.approximate, side.bound)]
