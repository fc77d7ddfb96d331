"""Where the sides of an equation begin and end in running text, with every reading that the text allows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.scan.grammar import UNUSUAL, USUAL, Failed, Parser, Style, matches
from flopkb.scan.measures import STOP_WORDS, measure
from flopkb.scan.tokens import Kind, Token
from flopkb.scan.tree import Binary, Node, Number, numbers

_MAX_REGION = 160
_MAX_WORDS = 5
_INSIDE = (Kind.NUMBER, Kind.OPERATOR, Kind.PERCENT, Kind.CURRENCY, Kind.FUNCTION, Kind.TILDE, Kind.NEWLINE)
_FUNCTIONS = frozenset({"sqrt", "ceil", "floor", "round", "min", "max", "abs", "int", "log2", "log10"})
_PARTIAL = frozenset(
    ["log", "ln", "lg", "exp", "sin", "cos", "tan", "lim", "sum", "prod", "times", "plus", "minus", "over", "mod", "modulo", "root", "squared", "square", "cube", "cubed", "half", "third", "quarter", "divided", "multiplied", "sqrt", "max", "min", "gcd", "lcm"]
)
"""Words that make what follows them only a part of an expression."""
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
_REMAINDER = frozenset(["mod", "modulo", "remainder", "rem", "r", "R"])


@dataclass(frozen=True, slots=True)
class Side:
    """One reading of one side: its tokens from ``first`` to ``last`` (not included) and their arithmetic.

    ``doubt`` says that the text around it may change its meaning: such a side can be right, but is never called wrong.
    ``secondary`` marks a shorter reading than the text suggests. ``other`` are readings by an unusual precedence.
    ``high`` is the upper end of a range.
    """

    node: Node
    first: int
    last: int
    doubt: bool = False
    secondary: bool = False
    approximate: bool = False
    bound: str = ""
    high: Node | None = None
    other: tuple[Node, ...] = ()


class Clause:
    """The tokens between two breaks, with their relations."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = _with_tildes(tokens)
        self.match = matches(self.tokens)
        self.relations = [at for at, token in enumerate(self.tokens) if token.kind is Kind.RELATION]

    def kind(self, at: int) -> Kind:
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else Kind.BREAK

    def text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def gap(self, at: int) -> bool:
        return self.tokens[at].gap if 0 <= at < len(self.tokens) else True

    # the left side

    def left(self, relation: int) -> list[Side]:
        """The readings of the side that ends at a relation, the most likely first."""
        start, blocked = self.region(relation)
        while start < relation and self.kind(start) is Kind.NEWLINE:
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
        """The index from which on only arithmetic stands before a relation, and whether something unreadable blocks it."""
        at = relation - 1
        while at >= 0 and relation - at < _MAX_REGION:
            kind = self.kind(at)
            if kind in _INSIDE:
                at -= 1
            elif kind is Kind.CLOSE:
                opening = self.match.get(at)
                if opening is None:
                    return at + 1, False
                if any(token.kind is Kind.RELATION for token in self.tokens[opening:at]) and not self.annotated(
                    opening
                ):
                    return at + 1, True
                at = opening - 1
                if self.kind(at) is Kind.WORD and not self.gap(opening):
                    at, fits = self.before_words(at) if self.text(at).lower() not in _FUNCTIONS else (at - 1, True)
                    if not fits:
                        return opening, True
            elif kind is Kind.WORD:
                before, fits = self.before_words(at)
                if not fits:
                    return at + 1, False
                at = before
            else:
                return at + 1, False
        return at + 1, at >= 0

    def annotated(self, opening: int) -> bool:
        """Whether parentheses stand directly behind a number (so that what is in them is a remark)."""
        return self.kind(opening - 1) is Kind.NUMBER

    def before_words(self, at: int) -> tuple[int, bool]:
        """The index before the words that end at ``at``, and whether they belong to a number there."""
        count, last = 0, at
        while self.kind(at) is Kind.WORD and count < _MAX_WORDS:
            word = self.text(at).lower()
            if word in STOP_WORDS or (word == "of" and not self.percentage(at - 1)):
                return at, False
            at, count = at - 1, count + 1
        if self.kind(at) is Kind.OPERATOR and self.text(at) == "/":
            if self.kind(at - 1) is Kind.WORD:
                return self.before_words(at - 1)
            return at - 1, self.kind(at - 1) in (Kind.NUMBER, Kind.CLOSE)
        if self.kind(at) is Kind.OPERATOR and self.text(at) == "^" and self.tokens[at].value is not None:
            return at, True
        if self.kind(at) is Kind.CLOSE:
            return at, self.match.get(at) is not None
        return (at, True) if self.kind(at) in (Kind.NUMBER, Kind.PERCENT) else (last, False)

    def percentage(self, at: int) -> bool:
        return self.kind(at) is Kind.PERCENT or self.text(at) in ("percent", "x") or self.kind(at) is Kind.NUMBER

    def refused(self, start: int) -> bool:
        """Whether what stands before ``start`` makes the side only a part of something else."""
        before = self.tokens[start - 1] if start > 0 else None
        if before is None:
            return False
        if before.kind is Kind.WORD:
            word = before.text.lower()
            called = self.kind(start) is Kind.OPEN and not self.gap(start)
            of = word in ("of", "by") and self.text(start - 2).lower() in _PARTIAL
            joined = not self.gap(start) and self.kind(start) is not Kind.CURRENCY
            return called or word in _PARTIAL or of or (joined and before.text.isascii())
        if before.kind is Kind.OPAQUE:
            return not self.gap(start) or before.text in ("{", "}", "==", "_") or before.text[-1:] == "="
        return before.kind is Kind.CLOSE and not self.gap(start)

    def keyword(self, start: int) -> bool:
        """``256 × T=32 × D=768``: a factor with its name before it."""
        pressed = self.kind(start - 1) is Kind.RELATION and not self.gap(start) and not self.gap(start - 1)
        return pressed and self.kind(start - 2) is Kind.WORD and self.kind(start - 3) is Kind.OPERATOR

    def opening(self, start: int) -> tuple[int, bool]:
        """Skip a dash or a comment sign at the start; (-1, ...) where the start shows that symbols stand before it."""
        if self.kind(start) is not Kind.OPERATOR:
            return start, False
        sign, word = self.text(start), self.kind(start - 1) in (Kind.WORD, Kind.OPAQUE, Kind.CLOSE)
        if sign == "//":
            return start + 1, self.kind(start - 1) in (Kind.NUMBER, Kind.CLOSE)
        if sign not in "+-":
            return -1, True
        if self.gap(start) and self.gap(start + 1):
            return start + 1, word
        if word and not self.gap(start):
            return -1, True
        return start, word

    def parsed(self, start: int, relation: int, doubt: bool) -> list[Side]:
        """Parse the whole region, or what is left of it behind tokens that are no part of the side."""
        for _ in range(4):
            side = self.whole(start, relation, doubt)
            if isinstance(side, Side):
                return [side]
            start = self.restart(max(side, start + 1), relation)
            if start < 0:
                return []
            doubt = doubt or self.kind(start - 1) is not Kind.WORD
        return []

    def restart(self, at: int, relation: int) -> int:
        """The next index at which a side may begin after a failure at ``at``."""
        for index in range(at, relation):
            fits = self.kind(index) in (Kind.NUMBER, Kind.CURRENCY, Kind.FUNCTION, Kind.OPEN)
            if fits and self.kind(index - 1) is not Kind.OPERATOR and self.gap(index):
                return index if self.match.get(index, relation) <= relation else -1
        return -1

    def whole(self, start: int, stop: int, doubt: bool) -> Side | int:
        """The side from ``start`` to ``stop``, or the index at which it fails."""
        try:
            node, end = Parser(self.tokens, self.match).expression(start)
        except Failed as failure:
            return failure.at
        while end < stop and self.kind(end) is Kind.NEWLINE:
            end += 1
        if end != stop:
            return end
        return Side(node, start, stop, doubt or _doubtful(node), other=self.otherwise(start, stop, node))

    def otherwise(self, start: int, stop: int, usual: Node) -> tuple[Node, ...]:
        """The same tokens read by an unusual precedence, where that makes a difference."""
        found: list[Node] = []
        for style in UNUSUAL if _mixed(usual) else ():
            node = self.styled(start, stop, style)
            if node is not None and node != usual:
                found.append(node)
        return tuple(found)

    def styled(self, start: int, stop: int, style: Style) -> Node | None:
        try:
            node, end = Parser(self.tokens, self.match, style).expression(start)
        except Failed:
            return None
        while end < stop and self.kind(end) is Kind.NEWLINE:
            end += 1
        return node if end == stop else None

    def shortened(self, start: int, relation: int) -> list[Side]:
        """Shorter readings: behind a spaced dash, behind a comment sign, behind a mark such as ``(2)``."""
        cuts: list[int] = []
        depth = 0
        for at in range(start, relation):
            depth += (self.kind(at) is Kind.OPEN) - (self.kind(at) is Kind.CLOSE)
            dash = self.kind(at) is Kind.OPERATOR and (
                (self.text(at) == "-" and self.gap(at) and self.gap(at + 1)) or self.text(at) == "//"
            )
            if depth == 0 and dash and at > start:
                cuts.append(at + 1)
        if self.kind(start) is Kind.OPEN and self.match.get(start) == start + 2 and self.gap(start + 3):
            cuts.append(start + 3)
        sides = [self.whole(cut, relation, False) for cut in cuts[-3:]]
        return [replace(side, secondary=True) for side in sides if isinstance(side, Side)]

    # the right side

    def right(self, relation: int) -> list[Side]:
        """The readings of the side that begins behind a relation, the most likely first."""
        at, approximate, bound = self.qualifiers(relation + 1)
        try:
            node, end = Parser(self.tokens, self.match).expression(at)
        except Failed:
            return []
        fits, doubt = self.ending(at, end, node)
        if not fits:
            return []
        if self.text(end) in _ELLIPSES and not bound:
            bound = "…"
        side = Side(
            node,
            at,
            end,
            doubt or _doubtful(node),
            approximate=approximate,
            bound=bound,
            other=self.otherwise(at, end, node),
        )
        found = self.spans(side) or [side]
        return found + self.first_number(at, end, found[0])

    def qualifiers(self, at: int) -> tuple[int, bool, str]:
        """Skip ``about``, ``exactly``, ``~`` and the like: the index behind them, whether they widen, and a bound."""
        approximate, bound = False, ""
        for _ in range(4):
            kind, word = self.kind(at), self.text(at).lower()
            if kind is Kind.TILDE or (kind is Kind.RELATION and word in ("≈", "~")):
                approximate = True
            elif kind is Kind.WORD and (word in _ABOUT or word.removesuffix(".") in _ABOUT):
                approximate = True
                at += self.text(at + 1) == "." and self.kind(at + 2) is Kind.NUMBER
            elif kind is Kind.WORD and word in _BOUNDS and self.bounding(at):
                bound = _BOUNDS[word]
                at += self.text(at + 1) in ("than", "to")
            elif not (
                kind is Kind.NEWLINE or (kind is Kind.WORD and word in _EXACT) or (kind is Kind.WORD and word == "at")
            ):
                break
            at += 1
        return at, approximate, bound

    def bounding(self, at: int) -> bool:
        return (
            self.kind(at + 1) is Kind.NUMBER
            or self.kind(at + 2) in (Kind.NUMBER, Kind.CURRENCY)
            or self.kind(at + 1) is Kind.CURRENCY
        )

    def ending(self, at: int, end: int, node: Node) -> tuple[bool, bool]:
        """Whether a side may end here, and whether that leaves a doubt."""
        kind, word = self.kind(end), self.text(end)
        if kind is Kind.NEWLINE:
            following = self.kind(end + 1) is Kind.OPERATOR and self.gap(end + 2) is False
            return True, following
        if kind is Kind.OPERATOR:
            spaced = word in "+-" and self.gap(end) and self.gap(end + 1) and self.kind(end + 1) is Kind.WORD
            return spaced or word == "//", True
        if kind is Kind.OPEN:
            remainder = self.text(end + 1).lstrip("\\") in ("mod", "bmod", "pmod", "modulo")
            return (self.gap(end) or self.text(end) == "[") and not remainder, False
        if word in _ELLIPSES:
            return True, False
        if kind in (Kind.OPAQUE, Kind.FUNCTION):
            return kind is Kind.OPAQUE and self.gap(end), True
        if kind is Kind.WORD:
            if word in _REMAINDER or word.startswith("\\") or word.lower() in _PARTIAL:
                return False, True
            single = len(word) == 1 and word.isascii() and word not in "aAI"
            pair = word.lower() in ("or", "of", "to", "and") and self.kind(end + 1) in (Kind.NUMBER, Kind.CURRENCY)
            return True, single or (pair and word.lower() != "and") or not self.gap(end)
        if kind is Kind.NUMBER:
            return True, len(word) == 3 and word.isdigit()
        return True, kind is Kind.PUNCTUATION and word == "," and self.kind(end + 1) is Kind.NUMBER and not self.gap(
            end + 1
        )

    def spans(self, side: Side) -> list[Side]:
        """``20-30 ms`` behind a relation is a range, not a difference; ``10+`` a bound; ``50 000`` one number."""
        node, end = side.node, side.last
        if isinstance(node, Binary) and node.sign == "-" and not node.grouped and not node.spaced:
            low, high = node.left, node.right
            if isinstance(low, Number) and isinstance(high, Number) and low.value < high.value:
                unit = replace(low, unit=low.unit or high.unit, suffix=low.suffix or high.suffix)
                return [replace(side, node=unit, high=high)]
        if isinstance(node, Number) and self.kind(end) is Kind.NUMBER and node.end == self.tokens[end - 1].end:
            joined = self.joined(side)
            return [joined, side] if joined else []
        if self.kind(end) is Kind.OPERATOR and self.text(end) == "+" and isinstance(node, Number):
            return [replace(side, bound=">", doubt=True)]
        return []

    def joined(self, side: Side) -> Side | None:
        """Digits grouped by plain spaces."""
        node, at = side.node, side.last
        first = self.tokens[at - 1]
        if (
            not isinstance(node, Number)
            or first.kind is not Kind.NUMBER
            or not first.text.isdigit()
            or len(first.text) > 3
        ):
            return None
        value = node.value
        while self.kind(at) is Kind.NUMBER and len(self.text(at)) == 3 and self.text(at).isdigit():
            value = value * 1000 + Fraction(self.text(at))
            at += 1
        if at == side.last:
            return None
        last = Parser(self.tokens, self.match).number(at - 1)
        unit = last[0].unit if isinstance(last[0], Number) else None
        return replace(side, node=replace(node, value=value, unit=unit, end=last[0].end), last=last[1], doubt=True)

    def first_number(self, at: int, end: int, side: Side) -> list[Side]:
        """The first number alone, where the side goes on (a running calculation), or its base without a footnote's mark."""
        if isinstance(side.node, Number):
            return []
        try:
            node, stop = Parser(self.tokens, self.match).factor(at)
        except Failed:
            return []
        if stop == end and isinstance(node, Binary) and node.sign == "^" and isinstance(node.left, Number):
            node = node.left
        elif stop >= end:
            return []
        return [Side(node, at, stop, True, True, side.approximate, side.bound)]


def _doubtful(node: Node) -> bool:
    """Whether letters behind a number may be symbols."""
    units = [number.unit for number in numbers(node) if number.unit is not None and "/" in number.unit.text]
    last = [unit.text.rpartition("/")[2] for unit in units]
    strange = any(len(word) < 4 and not measure(word).known for word in last)
    return strange or any(number.label for number in numbers(node))


def _mixed(node: Node) -> bool:
    """Whether another precedence could give another value: two different signs, not all in parentheses."""
    return isinstance(node, Binary) and any(
        isinstance(part, Binary) and not part.grouped for part in (node.left, node.right)
    )


def _with_tildes(tokens: list[Token]) -> list[Token]:
    """A tilde between two operands is a weak relation."""
    ends = (Kind.NUMBER, Kind.CLOSE, Kind.PERCENT, Kind.WORD)
    starts = (Kind.NUMBER, Kind.CURRENCY, Kind.OPEN, Kind.FUNCTION)
    out = list(tokens)
    for at, token in enumerate(tokens):
        if token.kind is Kind.TILDE and 0 < at < len(tokens) - 1 and tokens[at - 1].kind in ends:
            if tokens[at + 1].kind in starts and (token.gap or token.note) and (tokens[at + 1].gap or token.note):
                out[at] = token._replace(kind=Kind.RELATION, text="~")
    return out


__all__ = ["USUAL", "Clause", "Side"]
