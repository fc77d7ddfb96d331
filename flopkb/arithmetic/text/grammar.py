"""From tokens to the arithmetic of one side: precedence, juxtaposition, fractions, roots, units and annotations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.text.lexer import Token, TokenKind
from flopkb.arithmetic.text.measures import Measure, priced
from flopkb.arithmetic.text.phrases import Phrase, Phrases
from flopkb.arithmetic.text.tree import Binary, Call, Negative, Node, Number

MAX_DEPTH = 40
_MARGIN = 6
"""How far beyond the ends of a clause the grammar may look."""
FUNCTIONS = frozenset({"sqrt", "ceil", "floor", "round", "min", "max", "abs", "int", "log2", "log10"})
PARTIAL = frozenset(
    "log ln lg exp sin cos tan lim sum prod times plus minus over mod modulo root squared square cube cubed half third "  # noqa: SIM905
    "quarter divided multiplied sqrt max min gcd lcm pcie pci-e gen rtx gtx ddr hbm".split()
)
"""Words that make what follows them only a part of an expression."""


class Failed(Exception):
    """The tokens from ``at`` on are no arithmetic."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@dataclass(frozen=True, slots=True)
class Precedence:
    """Which precedence to read by.

    ``wide_slash``: a slash divides by the whole product behind it. ``sums_first``: sums before products.
    """

    wide_slash: bool = False
    sums_first: bool = False


USUAL = Precedence()
UNUSUAL = (Precedence(wide_slash=True), Precedence(sums_first=True))


class Parser:
    """Recursive descent over the tokens of one clause, from any index on."""

    def __init__(
        self, tokens: list[Token], match: dict[int, int], kinds: list[TokenKind], style: Precedence = USUAL
    ) -> None:
        self.tokens = tokens
        self.match = match
        self.style = style
        self.kinds = kinds
        self.phrases = Phrases(tokens, match, kinds)
        self.depth = 0

    def kind(self, at: int) -> TokenKind:
        """The kind of the token at ``at``; a break beyond the end."""
        return self.kinds[at]

    def text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def expression(self, at: int) -> tuple[Node, int]:
        """The longest expression from ``at`` on, and the index behind it."""
        return self.chain(at, outer=True)

    def chain(self, at: int, *, outer: bool) -> tuple[Node, int]:
        """Operations of one precedence: usually products inside sums, by another style sums inside products."""
        sums = outer != self.style.sums_first
        node, at = self.chain(at, outer=False) if outer else self.factor(at)
        while True:
            sign, after = self.sign(at, node, sums=sums)
            if not sign:
                return node, at
            try:
                right, end = self.operand(sign, after, outer=outer)
            except Failed:
                if self.depth:
                    raise
                return node, at
            node, at = Binary(node.start, right.end, sign, node, right, self.spaced(at, after)), end

    def operand(self, sign: str, at: int, *, outer: bool) -> tuple[Node, int]:
        if outer:
            return self.chain(at, outer=False)
        return self.denominator(at) if sign == "/" and self.style.wide_slash else self.factor(at)

    def spaced(self, at: int, after: int) -> bool:
        """Whether the operator at ``at`` has white space on both sides (a product without a sign counts as spaced)."""
        if self.kind(at) is not TokenKind.OPERATOR:
            return True
        return self.tokens[at].gap and after < len(self.tokens) and self.tokens[after].gap

    def denominator(self, at: int) -> tuple[Node, int]:
        node, at = self.factor(at)
        while True:
            sign, after = self.sign(at, node, sums=False)
            if sign != "*":
                return node, at
            right, at = self.factor(after)
            node = Binary(node.start, right.end, "*", node, right)

    def sign(self, at: int, node: Node, *, sums: bool) -> tuple[str, int]:
        """The operator at ``at``, if it is one of this precedence, and where its right operand begins."""
        kind, text = self.kind(at), self.text(at)
        if kind is TokenKind.NEWLINE:
            return self.sign(at + 1, node, sums=sums)
        if kind is TokenKind.OPERATOR:
            after = at + 2 if self.kind(at + 1) is TokenKind.NEWLINE else at + 1
            wanted = ("+", "-") if sums else ("*", "/", "//")
            return (text, after) if text in wanted else ("", at)
        if sums:
            return "", at
        if kind is TokenKind.PERCENT and self.kind(at + 1) in (TokenKind.NUMBER, TokenKind.OPEN):
            return "%", at + 1
        if (
            kind is TokenKind.WORD
            and text == "of"
            and self.part(node)
            and self.kind(at + 1) in (TokenKind.NUMBER, TokenKind.CURRENCY, TokenKind.OPEN, TokenKind.TILDE)
        ):
            return "*", at + 1
        if (
            kind is TokenKind.OPEN
            and text in "(["
            and (not self.tokens[at].gap or self.kind(at - 1) is TokenKind.CLOSE)
            and (text != "[" or self.kind(at - 1) is TokenKind.CLOSE)
            and self.arithmetic(at)
        ):
            return "*", at
        return ("*", at) if kind is TokenKind.FUNCTION and not isinstance(node, Negative) else ("", at)

    def part(self, node: Node) -> bool:
        """Whether ``of`` behind it multiplies: a percentage or a fraction."""
        if isinstance(node, Number):
            return node.unit is not None and node.unit.scale == Fraction(1, 100) and not node.unit.physical
        return isinstance(node, Binary) and node.sign == "/"

    def arithmetic(self, at: int) -> bool:
        """Whether the parentheses at ``at`` hold a factor, not a remark."""
        close = self.match.get(at)
        if close is None or close == at + 1:
            return False
        inside = self.tokens[at + 1 : close]
        if len(inside) == 1 and self.tokens[at].gap and self.kind(at - 1) is not TokenKind.CLOSE:
            return False
        if not any(token.kind is TokenKind.WORD for token in inside):
            return all(
                token.kind not in (TokenKind.RELATION, TokenKind.ORDER, TokenKind.PUNCTUATION, TokenKind.OPAQUE)
                for token in inside
            )
        return not self.phrases.remark(at)

    def factor(self, at: int) -> tuple[Node, int]:
        if self.kind(at) is TokenKind.NEWLINE:
            at += 1
        if (
            self.kind(at) is TokenKind.OPERATOR
            and self.text(at) in "+-"
            and self.kind(at + 1) is not TokenKind.OPERATOR
        ):
            operand, end = self.factor(at + 1)
            if self.text(at) == "+":
                return operand, end
            return Negative(self.tokens[at].start, operand.end, operand), end
        if self.kind(at) is TokenKind.TILDE:
            node, end = self.factor(at + 1)
            return (replace(node, approximate=True) if isinstance(node, Number) else node), end
        node, at = self.atom(at)
        if self.kind(at) is TokenKind.OPERATOR and self.text(at) == "^":
            exponent, at = self.exponent(at)
            node = Binary(node.start, max(exponent.end, self.tokens[at - 1].end), "^", node, exponent)
            return self.with_unit(node, at)
        return node, at

    def exponent(self, at: int) -> tuple[Node, int]:
        sign = self.tokens[at]
        if sign.value is not None:
            return _integer(sign.start, sign.end, sign.value), at + 1
        at += 1
        negative = self.kind(at) is TokenKind.OPERATOR and self.text(at) in "+-"
        minus = negative and self.text(at) == "-"
        at += negative
        if self.kind(at) is TokenKind.NUMBER:
            token = self.tokens[at]
            node: Node = _integer(token.start, token.end, token.value or Fraction(0))
            at += 1
        elif self.kind(at) is TokenKind.OPEN and self.text(at) in "({":
            node, at = self.group(at)
        else:
            raise Failed(at)
        return (Negative(node.start, node.end, node) if minus else node), at

    def group(self, at: int) -> tuple[Node, int]:
        """What stands between the parentheses at ``at``, all of it."""
        close = self.match.get(at)
        if close is None or self.depth > MAX_DEPTH:
            raise Failed(at)
        self.depth += 1
        try:
            node, end = self.expression(at + 1)
        finally:
            self.depth -= 1
        while self.kind(end) is TokenKind.NEWLINE:
            end += 1
        if end != close:
            raise Failed(end)
        start, stop = self.tokens[at].start, self.tokens[close].end
        node = (
            replace(node, start=start, end=stop, grouped=True)
            if isinstance(node, Binary)
            else replace(node, start=start, end=stop)
        )
        return node, close + 1

    def atom(self, at: int) -> tuple[Node, int]:
        kind = self.kind(at)
        if kind is TokenKind.NUMBER:
            return self.number(at)
        if kind is TokenKind.CURRENCY:
            return self.price(at)
        if kind is TokenKind.OPEN:
            return self.bracketed(at)
        if kind is TokenKind.FUNCTION:
            return self.function(at)
        if kind is TokenKind.WORD and self.text(at).lower() in FUNCTIONS and self.text(at + 1) == "(":
            return self.called(at)
        raise Failed(at)

    def bracketed(self, at: int) -> tuple[Node, int]:
        sign = self.text(at)
        node, end = self.group(at)
        if sign in "⌈⌊":
            node = Call(node.start, node.end, "ceil" if sign == "⌈" else "floor", (node,))
        return self.with_unit(node, end)

    def with_unit(self, node: Node, at: int) -> tuple[Node, int]:
        """A unit or a remark behind a group or a power."""
        phrase = self.phrases.after(at)
        if phrase.unit is None and not phrase.suffix:
            return node, phrase.end if phrase.end > at and not phrase.label else at
        start, end = self.tokens[at].start, self.tokens[phrase.end - 1].end
        one = Fraction(1)
        unit = Number(
            start, end, one, Fraction(0), Fraction(0), phrase.suffix, phrase.unit, label=phrase.label, noun=phrase.noun
        )
        return Binary(node.start, end, "*", node, unit, grouped=True), phrase.end

    def number(self, at: int) -> tuple[Node, int]:
        token = self.tokens[at]
        assert token.value is not None and token.place is not None and token.nonzero is not None
        plain = Number(token.start, token.end, token.value, token.place, token.nonzero, sci=token.note == "sci")
        if self.kind(at + 1) is TokenKind.OPERATOR and self.text(at + 1) == "^":
            return plain, at + 1
        phrase = self.phrases.after(at + 1)
        if phrase.label and self.text(phrase.end) == "^":
            raise Failed(at)
        return self.dressed(plain, phrase), phrase.end

    def dressed(self, plain: Number, phrase: Phrase) -> Number:
        end = self.tokens[phrase.end - 1].end if phrase.written else plain.end
        return replace(plain, end=end, suffix=phrase.suffix, unit=phrase.unit, label=phrase.label, noun=phrase.noun)

    def price(self, at: int) -> tuple[Node, int]:
        sign, start = self.text(at), self.tokens[at].start
        node, end = self.factor(at + 1)
        if isinstance(node, Negative) and isinstance(node.operand, Number):
            return replace(node, start=start, operand=replace(node.operand, unit=priced(node.operand.unit, sign))), end
        if not isinstance(node, Number):
            raise Failed(at)
        return replace(node, start=start, unit=priced(_per(node.unit), sign)), end

    def function(self, at: int) -> tuple[Node, int]:
        start, name = self.tokens[at].start, self.text(at)
        if name == "frac":
            return self.fraction(at)
        degree, at = 2, at + 1
        if self.text(at) == "[" and self.kind(at + 1) is TokenKind.NUMBER and self.match.get(at) == at + 2:
            degree, at = int(self.tokens[at + 1].value or 2), at + 3
        if self.kind(at) is TokenKind.OPEN:
            arg, end = self.group(at)
        elif self.kind(at) is TokenKind.NUMBER:
            token = self.tokens[at]
            arg, end = Number(token.start, token.end, token.value or Fraction(0), Fraction(1), Fraction(1)), at + 1
        else:
            raise Failed(at)
        if not 2 <= degree <= 12:
            raise Failed(at)
        return self.with_unit(Call(start, arg.end, "root", (arg,), degree), end)

    def fraction(self, at: int) -> tuple[Node, int]:
        start = self.tokens[at].start
        if self.kind(at + 1) is TokenKind.NUMBER:  # \frac12
            token = self.tokens[at + 1]
            if len(token.text) != 2 or not token.text.isdigit():
                raise Failed(at)
            over, under = (_integer(token.start, token.end, Fraction(int(digit))) for digit in token.text)
            return Binary(start, token.end, "/", over, under, grouped=True), at + 2
        if self.text(at + 1) != "{":
            raise Failed(at)
        left, end = self.group(at + 1)
        if self.text(end) != "{":
            raise Failed(end)
        right, end = self.group(end)
        return self.with_unit(Binary(start, right.end, "/", left, right, grouped=True), end)

    def called(self, at: int) -> tuple[Node, int]:
        start, name, opening = self.tokens[at].start, self.text(at).lower(), at + 1
        close = self.match.get(opening)
        if close is None or self.depth > MAX_DEPTH:
            raise Failed(at)
        args: list[Node] = []
        at = opening
        self.depth += 1
        try:
            while at != close:
                arg, at = self.expression(at + 1)
                args.append(arg)
                if at != close and self.text(at) != ",":
                    raise Failed(at)
        finally:
            self.depth -= 1
        if len(args) > 1 and name not in ("min", "max"):
            raise Failed(opening)
        name = {"sqrt": "root", "int": "floor"}.get(name, name)
        return self.with_unit(Call(start, self.tokens[close].end, name, tuple(args)), close + 1)


def _integer(start: int, end: int, value: Fraction) -> Number:
    return Number(start, end, value, Fraction(0), Fraction(0))


def _per(unit: Measure | None) -> Measure | None:
    """``$2/hour``: what follows the price divides."""
    return unit


def kinds_of(tokens: list[Token]) -> list[TokenKind]:
    """The kinds of the tokens, with breaks behind the last, which are also what negative indices lead to."""
    return [*(token.kind for token in tokens), *[TokenKind.BREAK] * _MARGIN]


def matches(tokens: list[Token]) -> dict[int, int]:
    """For each bracket that has a partner, the index of the partner."""
    partner = {")": "(", "]": "[", "}": "{", "⌉": "⌈", "⌋": "⌊"}
    found: dict[int, int] = {}
    stack: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind is TokenKind.OPEN:
            stack.append(at)
        elif token.kind is TokenKind.CLOSE:
            while stack and tokens[stack[-1]].text != partner.get(token.text):
                if token.text in ")" and tokens[stack[-1]].text in "[{":
                    stack.pop()
                    continue
                break
            if stack and tokens[stack[-1]].text == partner.get(token.text):
                opening = stack.pop()
                found[opening], found[at] = at, opening
    return found
