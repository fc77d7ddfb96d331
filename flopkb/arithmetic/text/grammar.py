"""From tokens to the arithmetic of one side: precedence, juxtaposition, fractions, roots, units and annotations.

The grammar of running text, where words are units and remarks, and a side begins and ends wherever it can. That of
records (``strict``) makes the same trees of the same tokens, but there letters are the names that a record knows.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Call, Expr, Unary
from flopkb.arithmetic.text.clause import Clause, Phrase
from flopkb.arithmetic.text.lexer import Sign, Token
from flopkb.arithmetic.text.measures import priced
from flopkb.arithmetic.text.sides import USUAL, Precedence, TextSide, doubtful
from flopkb.arithmetic.text.tree import Measured, Root, operators
from flopkb.arithmetic.text.words import PARTIAL, function_name, is_logarithm

MAX_DEPTH = 40


class Failed(Exception):
    """The tokens from ``at`` on are no arithmetic."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


_LARGEST_BASE = 16


class Parser(Clause):
    """Recursive descent over the tokens of one clause, from any index on."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.style = USUAL
        self.depth = 0
        self.is_result = False
        """Whether the side behind a relation is read: ``24 NICs of 100 GbE`` is a number of them there."""

    def whole(self, start: int, stop: int, doubt: bool) -> TextSide | int:
        """The side from ``start`` to ``stop``, or the index at which it fails."""
        try:
            node, end = self.expression(start)
        except Failed as failure:
            return failure.at
        while end < stop and self.kind(end) is Sign.NEWLINE:
            end += 1
        if end != stop:
            return end
        return TextSide(node, start, stop, doubt or doubtful(node), clause=self)

    def part(self, start: int, stop: int) -> TextSide | int:
        """The side that these tokens are by themselves."""
        return Parser(self.tokens[start:stop]).whole(0, stop - start, False)

    def styled(self, start: int, stop: int, style: Precedence) -> Expr | None:
        self.style = style
        try:
            found = self.whole(start, stop, False)
        finally:
            self.style = USUAL
        return found.node if isinstance(found, TextSide) else None

    def expression(self, at: int) -> tuple[Expr, int]:
        """The longest expression from ``at`` on, and the index behind it."""
        return self.chain(at, outer=True)

    def chain(self, at: int, *, outer: bool) -> tuple[Expr, int]:
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
            if self.kind(at) is Sign.OPEN and isinstance(right, Measured) and self.names_a_base(at, node, right):
                right = replace(right, label=True)
            node, at = _binary(sign, node, right, spaced=self.spaced(at, after)), end

    def names_a_base(self, at: int, node: Expr, inside: Measured) -> bool:
        """``1000(8)``, ``(13)(12)``: digits in a base, a product of permutations; ``2(0.1)``, ``30(4)`` are products."""
        if operators(node) or not isinstance(node, Measured) or node.place != 1 or inside.place != 1:
            return False
        if self.kind(at - 1) is Sign.CLOSE:
            return all(_is_cycle(str(part.value)) for part in (node, inside))
        digits = str(node.value)
        if len(digits) > 2 and set(digits) <= {"0", "1"}:
            return True  # 10011(19): its value is told behind it
        return node.value > 9 and inside.value <= _LARGEST_BASE and int(max(digits)) < inside.value

    def operand(self, sign: str, at: int, *, outer: bool) -> tuple[Expr, int]:
        if outer:
            return self.chain(at, outer=False)
        return self.denominator(at) if sign == "/" and self.style.wide_slash else self.factor(at)

    def spaced(self, at: int, after: int) -> bool:
        """Whether the operator at ``at`` has white space on both sides (a product without a sign counts as spaced)."""
        if self.kind(at) is not Sign.OPERATOR:
            return True
        return self.tokens[at].gap and after < len(self.tokens) and self.tokens[after].gap

    def denominator(self, at: int) -> tuple[Expr, int]:
        node, at = self.factor(at)
        while True:
            sign, after = self.sign(at, node, sums=False)
            if sign != "*":
                return node, at
            right, at = self.factor(after)
            node = _binary("*", node, right)

    def sign(self, at: int, node: Expr, *, sums: bool) -> tuple[str, int]:
        """The operator at ``at``, if it is one of this precedence, and where its right operand begins."""
        kind, text = self.kind(at), self.text(at)
        if kind is Sign.NEWLINE:
            return self.sign(at + 1, node, sums=sums)
        if kind is Sign.OPERATOR:
            after = at + 2 if self.kind(at + 1) is Sign.NEWLINE else at + 1
            wanted = ("+", "-") if sums else ("*", "/", "//")
            return (text, after) if text in wanted else ("", at)
        if sums:
            return "", at
        if kind is Sign.NUMBER and self.tokens[at].note == "pi":
            return "*", at
        if kind is Sign.PERCENT and (self.kind(at + 1) in (Sign.NUMBER, Sign.OPEN) or self.signed(at + 1)):
            return "%", at + 1
        if (
            kind is Sign.WORD
            and text == "of"
            and (self.share_of(node) or (self.amount_of(at) and not self.is_result))
            and self.kind(at + 1) in (Sign.NUMBER, Sign.CURRENCY, Sign.OPEN, Sign.TILDE)
        ):
            return "*", at + 1
        if (
            kind is Sign.OPEN
            and text in "(["
            and (not self.tokens[at].gap or self.kind(at - 1) is Sign.CLOSE)
            and (text != "[" or self.kind(at - 1) is Sign.CLOSE)
            and self.arithmetic(at)
        ):
            return "*", at
        return ("*", at) if kind is Sign.FUNCTION and not isinstance(node, Unary) else ("", at)

    def share_of(self, node: Expr) -> bool:
        """Whether ``of`` behind it multiplies: a percentage or a fraction."""
        if isinstance(node, Measured):
            return node.unit is not None and node.unit.scale == Fraction(1, 100) and not node.unit.physical
        return isinstance(node, Binary) and node.op == "/"

    def arithmetic(self, at: int) -> bool:
        """Whether the parentheses at ``at`` hold a factor, not a remark."""
        close = self.match.get(at)
        if close is None or close == at + 1:
            return False
        inside = self.tokens[at + 1 : close]
        if len(inside) == 1 and self.tokens[at].gap and self.kind(at - 1) is not Sign.CLOSE:
            return False
        if not any(token.kind is Sign.WORD for token in inside):
            return all(token.kind not in (Sign.RELATION, Sign.ORDER, Sign.PUNCTUATION, Sign.OPAQUE) for token in inside)
        return not self.remark(at)

    def factor(self, at: int) -> tuple[Expr, int]:
        if self.kind(at) is Sign.NEWLINE:
            at += 1
        if self.operator(at) in ("+", "-") and self.kind(at + 1) is not Sign.OPERATOR:
            operand, end = self.factor(at + 1)
            if self.text(at) == "+":
                return operand, end
            return Unary("-", operand, offset=self.tokens[at].start, end=operand.end), end
        if self.kind(at) is Sign.TILDE:
            node, end = self.factor(at + 1)
            return (replace(node, approximate=True) if isinstance(node, Measured) else node), end
        node, at = self.labelled(at) if self.names_a_number(at) else self.atom(at)
        if self.operator(at) == "!":
            node, at = Call("factorial", (node,), offset=node.offset, end=self.tokens[at].end), at + 1
        if self.operator(at) == "^":
            exponent, at = self.exponent(at)
            node = replace(_binary("**", node, exponent), end=max(exponent.end, self.tokens[at - 1].end))
            return self.with_unit(node, at)
        return node, at

    def names_a_number(self, at: int) -> bool:
        """``× batch 16 ×``: a factor with its name before it."""
        word = self.kind(at) is Sign.WORD and self.kind(at + 1) is Sign.NUMBER and self.kind(at - 1) is Sign.OPERATOR
        return word and self.text(at).isalpha() and not function_name(self.text(at)) and self.text(at) not in PARTIAL

    def labelled(self, at: int) -> tuple[Expr, int]:
        node, end = self.atom(at + 1)
        return (replace(node, noun=True) if isinstance(node, Measured) else node), end

    def exponent(self, at: int) -> tuple[Expr, int]:
        sign = self.tokens[at]
        if sign.value is not None:
            return _integer(sign, sign.value), at + 1
        at += 1
        negative = self.operator(at) in ("+", "-")
        minus = negative and self.text(at) == "-"
        at += negative
        if self.kind(at) is Sign.NUMBER:
            token = self.tokens[at]
            node: Expr = _integer(token, token.value or Fraction(0))
            at += 1
        elif self.kind(at) is Sign.OPEN and self.text(at) in "({":
            node, at = self.group(at)
        else:
            raise Failed(at)
        return (Unary("-", node, offset=node.offset, end=node.end) if minus else node), at

    def group(self, at: int) -> tuple[Expr, int]:
        """What stands between the parentheses at ``at``, all of it."""
        close = self.match.get(at)
        if close is None or self.depth > MAX_DEPTH:
            raise Failed(at)
        self.depth += 1
        try:
            node, end = self.expression(at + 1)
        finally:
            self.depth -= 1
        while self.kind(end) is Sign.NEWLINE:
            end += 1
        if end != close:
            raise Failed(end)
        start, stop = self.tokens[at].start, self.tokens[close].end
        node = (
            replace(node, offset=start, end=stop, grouped=True)
            if isinstance(node, Binary)
            else replace(node, offset=start, end=stop)
        )
        return node, close + 1

    def atom(self, at: int) -> tuple[Expr, int]:
        kind = self.kind(at)
        if kind is Sign.NUMBER:
            return self.number(at)
        if kind is Sign.CURRENCY:
            return self.price(at)
        if kind is Sign.OPEN:
            return self.bracketed(at)
        if kind is Sign.FUNCTION:
            return self.function(at)
        if kind is Sign.WORD and function_name(self.text(at)) and self.text(at + 1) == "(":
            return self.called(at)
        if kind is Sign.WORD and is_logarithm(self.text(at)):
            node, end = self.factor(at + 1)  # \log_2 8
            if self.operator(end) in ("+", "-") and isinstance(node, Measured | Binary):
                node = _labelled(node)
            return Call(function_name(self.text(at)), (node,), offset=self.tokens[at].start, end=node.end), end
        raise Failed(at)

    def bracketed(self, at: int) -> tuple[Expr, int]:
        sign = self.text(at)
        node, end = self.group(at)
        if sign in "⌈⌊":
            node = Call("ceil" if sign == "⌈" else "floor", (node,), offset=node.offset, end=node.end)
        return self.with_unit(node, end)

    def with_unit(self, node: Expr, at: int) -> tuple[Expr, int]:
        """A unit or a remark behind a group or a power."""
        phrase = self.after(at)
        if phrase.unit is None and not phrase.suffix:
            return node, phrase.end if phrase.end > at and not phrase.label else at
        unit = replace(_integer(self.tokens[at], Fraction(1)), end=self.tokens[phrase.end - 1].end)
        return _binary("*", node, self.dressed(unit, phrase), grouped=True), phrase.end

    def number(self, at: int) -> tuple[Expr, int]:
        token = self.tokens[at]
        assert token.value is not None and token.place is not None and token.nonzero is not None
        sci, start, end = token.note == "sci", token.start, token.end
        plain = Measured(token.value, token.place, token.nonzero, sci=sci, offset=start, end=end)
        if token.note == "pi":  # it may be a name
            return replace(plain, label=True), at + 1
        if self.operator(at + 1) == "^":
            return plain, at + 1
        phrase = self.after(at + 1)
        if phrase.label and self.text(phrase.end) == "^":
            raise Failed(at)
        return self.dressed(plain, phrase), phrase.end

    def dressed(self, plain: Measured, phrase: Phrase) -> Measured:
        end = self.tokens[phrase.end - 1].end if phrase.written else plain.end
        return replace(plain, end=end, suffix=phrase.suffix, unit=phrase.unit, label=phrase.label, noun=phrase.noun)

    def price(self, at: int) -> tuple[Expr, int]:
        sign, start = self.text(at), self.tokens[at].start
        if self.kind(at + 1) is Sign.OPEN:  # $(4 + 10)
            inner, end = self.group(at + 1)
            dollar = replace(_integer(self.tokens[at], Fraction(1)), unit=priced(None, sign))
            return replace(_binary("*", inner, dollar, grouped=True), offset=start, end=inner.end), end
        node, end = self.factor(at + 1)
        if isinstance(node, Unary) and isinstance(node.operand, Measured):
            return replace(node, offset=start, operand=replace(node.operand, unit=priced(node.operand.unit, sign))), end
        if not isinstance(node, Measured):
            raise Failed(at)
        doubt = node.label or (sign == "$" and self.gap(at + 1))  # a dollar that stands apart may open mathematics
        return replace(node, offset=start, unit=priced(node.unit, sign), label=doubt), end

    def function(self, at: int) -> tuple[Expr, int]:
        start, name = self.tokens[at].start, self.text(at)
        if name == "frac":
            return self.fraction(at)
        degree, at = 2, at + 1
        if self.text(at) == "[" and self.kind(at + 1) is Sign.NUMBER and self.match.get(at) == at + 2:
            degree, at = int(self.tokens[at + 1].value or 2), at + 3
        if self.kind(at) is Sign.OPEN:
            arg, end = self.group(at)
        elif self.kind(at) is Sign.NUMBER:
            one, number = Fraction(1), self.tokens[at]
            arg = Measured(number.value or Fraction(0), one, one, offset=number.start, end=number.end)
            end = at + 1
        else:
            raise Failed(at)
        if not 2 <= degree <= 12:
            raise Failed(at)
        return self.with_unit(Root("root", (arg,), degree, offset=start, end=arg.end), end)

    def fraction(self, at: int) -> tuple[Expr, int]:
        start = self.tokens[at].start
        if self.kind(at + 1) is Sign.NUMBER:  # \frac12
            token = self.tokens[at + 1]
            if len(token.text) != 2 or not token.text.isdigit():
                raise Failed(at)
            over, under = (_integer(token, Fraction(int(digit))) for digit in token.text)
            return replace(_binary("/", over, under, grouped=True), offset=start), at + 2
        if self.text(at + 1) != "{":
            raise Failed(at)
        left, end = self.group(at + 1)
        if self.text(end) != "{":
            raise Failed(end)
        right, end = self.group(end)
        return self.with_unit(replace(_binary("/", left, right, grouped=True), offset=start), end)

    def called(self, at: int) -> tuple[Expr, int]:
        start, name, opening = self.tokens[at].start, function_name(self.text(at)), at + 1
        close = self.match.get(opening)
        if close is None or self.depth > MAX_DEPTH:
            raise Failed(at)
        args: list[Expr] = []
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
        made = Root if name == "root" else Call
        return self.with_unit(made(name, tuple(args), offset=start, end=self.tokens[close].end), close + 1)


def _is_cycle(digits: str) -> bool:
    """Whether digits could be a cycle of a permutation: two or more, all different, none of them 0."""
    return 1 < len(digits) == len(set(digits) - {"0"})


def _labelled(node: Measured | Binary) -> Expr:
    """The argument of a function without parentheses, of which nobody knows where it ends."""
    if isinstance(node, Measured):
        return replace(node, label=True)
    return replace(node, left=_labelled(node.left)) if isinstance(node.left, Measured | Binary) else node


def _integer(token: Token, value: Fraction) -> Measured:
    return Measured(value, Fraction(0), Fraction(0), offset=token.start, end=token.end)


def _binary(op: str, left: Expr, right: Expr, *, spaced: bool = True, grouped: bool = False) -> Binary:
    return Binary(op, left, right, spaced=spaced, grouped=grouped, offset=left.offset, end=right.end)
