"""The right side of a relation: how far it reaches into running text, and every reading that the text allows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Expr
from flopkb.arithmetic.text.clause import Clause, TextSide, doubtful
from flopkb.arithmetic.text.grammar import Failed
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.tree import Measured

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


def right_sides(clause: Clause, relation: int) -> list[TextSide]:
    """The readings of the side that begins behind a relation, the most likely first."""
    return _Right(clause).right(relation)


class _Right:
    """Reads on from a relation to where its side ends."""

    def __init__(self, clause: Clause) -> None:
        self.clause = clause

    def right(self, relation: int) -> list[TextSide]:
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
        side = TextSide(
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
            if kind is Sign.TILDE or (kind is Sign.RELATION and word in ("≈", "~")):
                approximate = True
            elif kind is Sign.WORD and (word in _ABOUT or word.removesuffix(".") in _ABOUT):
                approximate = True
                at += self.clause.text(at + 1) == "." and self.clause.kind(at + 2) is Sign.NUMBER
            elif kind is Sign.WORD and word in _BOUNDS and self.bounding(at):
                bound = _BOUNDS[word]
                at += self.clause.text(at + 1) in ("than", "to")
            elif not (
                kind is Sign.NEWLINE or (kind is Sign.WORD and word in _EXACT) or (kind is Sign.WORD and word == "at")
            ):
                break
            at += 1
        return at, approximate, bound

    def bounding(self, at: int) -> bool:
        return (
            self.clause.kind(at + 1) is Sign.NUMBER
            or self.clause.kind(at + 2) in (Sign.NUMBER, Sign.CURRENCY)
            or self.clause.kind(at + 1) is Sign.CURRENCY
        )

    def ending(self, end: int, node: Expr) -> tuple[bool, bool]:
        """Whether a side may end before the token at ``end``, and whether that leaves a doubt."""
        kind, word = self.clause.kind(end), self.clause.text(end)
        if word in _ELLIPSES:
            return True, False
        if kind is Sign.NEWLINE:
            return True, self.clause.kind(end + 1) is Sign.OPERATOR and not self.clause.gap(end + 2)
        if kind is Sign.OPERATOR:
            return self.before_operator(end, node), True
        if kind is Sign.OPEN:
            return self.before_remark(end, node), False
        if kind in (Sign.OPAQUE, Sign.FUNCTION):
            return kind is Sign.OPAQUE and self.clause.gap(end), True
        if kind is Sign.WORD:
            return self.before_word(end)
        if kind is Sign.NUMBER:
            return True, len(word) == 3 and word.isdigit()
        listed = word == "," and self.clause.kind(end + 1) is Sign.NUMBER and not self.clause.gap(end + 1)
        return True, kind is Sign.PUNCTUATION and listed

    def before_operator(self, end: int, node: Expr) -> bool:
        """A dash before words ends a side, a comment sign too, and a unit that goes on in words that are not known."""
        word, after = self.clause.text(end), self.clause.kind(end + 1)
        if word in "*/" and after is Sign.WORD and isinstance(node, Measured) and node.unit is not None:
            return True
        dash = word in "+-" and self.clause.gap(end) and self.clause.gap(end + 1) and after is Sign.WORD
        return dash or word == "//"

    def before_remark(self, end: int, node: Expr) -> bool:
        """Parentheses behind a result are a remark unless they are pressed against it, or name a modulus."""
        if self.clause.text(end + 1).lstrip("\\") in ("mod", "bmod", "pmod", "modulo"):
            return False
        if self.clause.gap(end) or self.clause.text(end) == "[":
            return True
        return isinstance(node, Measured) and node.unit is not None and self.clause.parser().phrases.remark(end)

    def before_word(self, end: int) -> tuple[bool, bool]:
        """Words end a side, but a symbol or ``3 of 4`` may change what it says."""
        word = self.clause.text(end)
        if word in _REMAINDER or word.startswith("\\") or word.lower() in _OPERATIONS:
            return False, True
        symbol = len(word) == 1 and word.isascii() and word not in "aAI"
        pair = word.lower() in ("or", "of", "to") and self.clause.kind(end + 1) in (
            Sign.NUMBER,
            Sign.CURRENCY,
        )
        return True, symbol or pair or not self.clause.gap(end)

    def spans(self, side: TextSide) -> list[TextSide]:
        """``20-30 ms`` behind a relation is a range, not a difference; ``10+`` a bound; ``50 000`` one number."""
        node, end = side.node, side.last
        if isinstance(node, Binary) and node.op == "-" and not node.grouped and not node.spaced:
            low, high = node.left, node.right
            if isinstance(low, Measured) and isinstance(high, Measured) and low.value < high.value:
                unit = replace(low, unit=low.unit or high.unit, suffix=low.suffix or high.suffix)
                return [replace(side, node=unit, high=high)]
        if (
            isinstance(node, Measured)
            and self.clause.kind(end) is Sign.NUMBER
            and node.end == self.clause.tokens[end - 1].end
        ):
            joined = self.joined(side)
            return [joined, side] if joined else []
        if self.clause.kind(end) is Sign.OPERATOR and self.clause.text(end) == "+" and isinstance(node, Measured):
            return [replace(side, bound=">", doubt=True)]
        return []

    def wrapped(self, side: TextSide) -> list[TextSide]:
        """The number with the unit that stands on the next line."""
        node, end, parser = side.node, side.last, self.clause.parser()
        if not isinstance(node, Measured) or node.unit is not None or self.clause.kind(end) is not Sign.NEWLINE:
            return []
        phrase = parser.phrases.after(end + 1)
        if not (phrase.suffix or (phrase.unit is not None and phrase.unit.known)):
            return []
        return [replace(side, node=parser.dressed(node, phrase), last=phrase.end, doubt=True)]

    def joined(self, side: TextSide) -> TextSide | None:
        """Digits grouped by plain spaces."""
        node, at = side.node, side.last
        first = self.clause.tokens[at - 1]
        if (
            not isinstance(node, Measured)
            or first.kind is not Sign.NUMBER
            or not first.text.isdigit()
            or len(first.text) > 3
        ):
            return None
        value = node.value
        while self.clause.kind(at) is Sign.NUMBER and len(self.clause.text(at)) == 3 and self.clause.text(at).isdigit():
            value = value * 1000 + Fraction(self.clause.text(at))
            at += 1
        if at == side.last:
            return None
        last = self.clause.parser().number(at - 1)
        unit = last[0].unit if isinstance(last[0], Measured) else None
        return replace(side, node=replace(node, value=value, unit=unit, end=last[0].end), last=last[1], doubt=True)

    def first_number(self, at: int, end: int, side: TextSide) -> list[TextSide]:
        """The first number alone, where the side goes on (a running calculation), or without a footnote's mark."""
        if isinstance(side.node, Measured):
            return []
        try:
            node, stop = self.clause.parser().factor(at)
        except Failed:
            return []
        if stop == end and isinstance(node, Binary) and node.op == "**" and isinstance(node.left, Measured):
            node = node.left
        elif stop >= end:
            return []
        return [TextSide(node, at, stop, True, True, side.approximate, side.bound)]
