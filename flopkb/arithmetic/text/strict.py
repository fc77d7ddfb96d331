"""An equation of a record, in Python's notation or in LaTeX: its sides, its relations, and the arithmetic of each side."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from flopkb.arithmetic.formula import Binary, Call, Expr, FormulaError, Name, Number, Unary
from flopkb.arithmetic.numbers import Quoted, read
from flopkb.arithmetic.numbers.latex import plain_number
from flopkb.arithmetic.text.joints import WrittenRelation, relations
from flopkb.arithmetic.text.lexer import Sign, Token
from flopkb.arithmetic.text.notation import reading_of, tokens

_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[A-Za-z]+\*?\}")
_TRIMMED = " \t\r\n.,;:&~"
_CLOSERS = {"(": ")", "⌈": "⌉", "⌊": "⌋"}
_MAX_TEXT = 2000
_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number of a side, with its unit, at ``start:end`` of the equation's text."""

    text: str
    start: int
    end: int
    reading: Quoted


@dataclass(frozen=True, slots=True)
class EquationSide:
    """One side. ``expr`` has a name ``#0``, ``#1``, ... for each number that is no exponent; ``fault`` says why not.

    ``quoted`` is set where the side is one number, as a person quotes one.
    """

    text: str
    start: int
    end: int
    expr: Expr | None = None
    numbers: tuple[WrittenNumber, ...] = ()
    names: tuple[str, ...] = ()
    quoted: Quoted | None = None
    fault: FormulaError | None = field(default=None, compare=False)

    @property
    def is_name(self) -> bool:
        """Whether the side is a lone name."""
        return isinstance(self.expr, Name) and bool(self.names)


@dataclass(frozen=True, slots=True)
class StrictEquation:
    """``groups`` are the runs of sides that equality joins; any other relation begins a new one.

    ``relations`` stand before each of them: the first is None unless the text begins with a relation.
    """

    groups: tuple[tuple[EquationSide, ...], ...]
    relations: tuple[WrittenRelation | None, ...] = ()


def read_equation(text: str, known: frozenset[str]) -> StrictEquation:
    """Read an equation, or a lone expression. Sides that cannot be read say why."""
    shown = _ENVIRONMENT.sub(lambda m: " " * len(m[0]), text[:_MAX_TEXT])
    groups: list[tuple[WrittenRelation | None, list[EquationSide]]] = [(None, [])]
    at, approximate = 0, False
    for found in [*relations(shown), WrittenRelation("=", "", len(shown), len(shown))]:
        side = _side(shown, at, found.start, known, approximate)
        if side is not None:
            groups[-1][1].append(side)
        if not found.equal:
            groups = [*(groups if groups != [(None, [])] else ()), (found, [])]
        at, approximate = found.end, found.sign == "≈"
    filled = [
        (relation, (*(_as_arithmetic(side, shown, known) for side in group[:-1]), *group[-1:]))
        for relation, group in groups
        if group or relation is not None
    ]
    return StrictEquation(tuple(group for _, group in filled), tuple(relation for relation, _ in filled))


def _as_arithmetic(side: EquationSide, text: str, known: frozenset[str]) -> EquationSide:
    """A fraction that another side says the result of is arithmetic: ``64/8 = 8``."""
    if side.quoted is None or side.quoted.ratio is None:
        return side
    return _parsed_side(text, side.start, side.end, known)


def _parsed_side(text: str, start: int, end: int, known: frozenset[str]) -> EquationSide:
    try:
        return _StrictParser(list(tokens(text, start, end, known)), text[start:end], start, end).side()
    except FormulaError as fault:
        return EquationSide(text[start:end], start, end, fault=fault)


def _side(text: str, start: int, end: int, known: frozenset[str], approximate: bool) -> EquationSide | None:
    start = end - len(text[start:end].lstrip(_TRIMMED))
    written = text[start:end].rstrip(_TRIMMED)
    while written.endswith(r"\\"):
        written = written[:-2].rstrip(_TRIMMED)
    if not written:
        return None
    end = start + len(written)
    quoted = _quoted(written, known, approximate)
    if quoted is not None:
        number = WrittenNumber(written, start, end, quoted)
        return EquationSide(written, start, end, Name(("#0",), offset=start, end=end), (number,), (), quoted)
    return _parsed_side(text, start, end, known)


def _quoted(written: str, known: frozenset[str], approximate: bool) -> Quoted | None:
    """A lone number, with its qualifier and unit; behind ``≈`` it is qualified."""
    if written in known or not any(c.isdigit() for c in written):
        return None
    plain = plain_number(written)
    reading = reading_of(plain)
    if reading is None or (reading.unit is not None and reading.unit.text in known):
        return None
    return read(f"≈{plain}") if approximate and not reading.qualifier and not reading.bound else reading


class _StrictParser:
    """Recursive descent; numbers become names ``#0``, ``#1``, ... so that they can be given values later."""

    def __init__(self, found: list[Token], text: str, start: int, end: int) -> None:
        self.tokens = [*found, Token(Sign.BREAK, "", end, end)]
        self.text = text
        self.start = start
        self.end = end
        self.at = 0
        self.depth = 0
        self.numbers: list[WrittenNumber] = []
        self.names: dict[str, None] = {}

    def side(self) -> EquationSide:
        expr = self.sum()
        if self.next.kind is not Sign.BREAK:
            raise FormulaError(f"`{self.next.text}` cannot stand here", self.next.start)
        quoted = self.numbers[0].reading if isinstance(expr, Name) and self.numbers else None
        return EquationSide(self.text, self.start, self.end, expr, tuple(self.numbers), tuple(self.names), quoted)

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        if self.next.kind is Sign.BREAK:
            raise FormulaError("the side ends where a value should stand", self.end)
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, text: str) -> None:
        token = self.take()
        if token.text != text:
            raise FormulaError(f"`{token.text}` stands where `{text}` should", token.start)

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise FormulaError("too many brackets", self.next.start)
        found = self.joined(self.product, "+", "-")
        self.depth -= 1
        return found

    def product(self) -> Expr:
        return self.joined(self.signed, "*", "/")

    def joined(self, operand: Callable[[], Expr], *signs: str) -> Expr:
        """Operands with signs of one precedence between them."""
        left = operand()
        while self.next.text in signs:
            left = Binary(self.take().text, left, operand())
        return left

    def signed(self) -> Expr:
        if self.next.text not in ("-", "+"):
            return self.touching()
        op, operand = self.take().text, self.signed()
        return Unary("-", operand) if op == "-" else operand

    def touching(self) -> Expr:
        """Factors that stand side by side: they bind more tightly than a slash."""
        left = self.factor()
        while self.next.kind in (Sign.WORD, Sign.FUNCTION, Sign.OPEN):
            left = Binary("*", left, self.factor())
        return left

    def factor(self) -> Expr:
        value = self.atom()
        while self.next.text == "^":
            power = self.take()
            assert power.value is not None
            if abs(power.value) > 16:
                raise FormulaError("the exponent is too large", power.start)
            value = Binary("**", value, Number(power.value, offset=power.start, end=power.end))
        return value

    def atom(self) -> Expr:
        token = self.take()
        if token.kind is Sign.NUMBER and token.reading is not None:
            self.numbers.append(WrittenNumber(token.text, token.start, token.end, token.reading))
            return Name((f"#{len(self.numbers) - 1}",), offset=token.start, end=token.end)
        if token.kind is Sign.WORD:
            self.names[token.text] = None
            return _name(token)
        if token.text == "frac":
            return Binary("/", self.bracketed("("), self.bracketed("("))
        if token.kind is Sign.FUNCTION:
            return self.call(token)
        if token.kind is Sign.OPEN:
            self.at -= 1
            inner = self.bracketed(token.text)
            func = {"⌈": "ceil", "⌊": "floor"}.get(token.text)
            return Call(func, (inner,), offset=token.start, end=token.end) if func else inner
        raise FormulaError(f"`{token.text}` stands where a value should", token.start)

    def bracketed(self, opening: str) -> Expr:
        self.expect(opening)
        inner = self.sum()
        self.expect(_CLOSERS[opening])
        return inner

    def call(self, token: Token) -> Expr:
        self.expect("(")
        args = [self.sum()]
        while self.next.text == ",":
            self.at += 1
            args.append(self.sum())
        self.expect(")")
        if (len(args) > 1) is (token.text in ("ceil", "floor")):
            raise FormulaError(f"`{token.text}` does not take {len(args)} values", token.start)
        return Call(token.text, tuple(args), offset=token.start, end=token.end)


def _name(token: Token) -> Name:
    head, _, rest = token.text.partition("[")
    return Name(tuple(head.split(".")), (rest.rstrip("]"),) if rest else None, offset=token.start, end=token.end)
