"""An equation as written: its sides, the relations between them, and the arithmetic of each side."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from flopkb.arithmetic.formula import Binary, Call, Expr, Name, Number, Unary
from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.text.lexer import Sign, Token
from flopkb.arithmetic.text.strict_lexer import Unread, tokens

_RELATION = re.compile(
    r"(?P<equal>:=|==|\\equiv(?![A-Za-z])|≡|=)|(?P<about>≈|≃|≅|\\approx(?:eq)?(?![A-Za-z])|\\simeq(?![A-Za-z])|\\cong(?![A-Za-z]))"
    r"|(?P<order><=|>=|≤|≥|<|>|\\l(?:e|eq|t|eqslant)(?![A-Za-z])|\\g(?:e|eq|t|eqslant)(?![A-Za-z])|≪|≫|≲|≳|\\ll(?![A-Za-z])|\\gg(?![A-Za-z])"
    r"|\\propto(?![A-Za-z])|∝|→|\\to(?![A-Za-z])|\\rightarrow|=>|⇒|\\Rightarrow|\\\\|\n)"
)
_BOUNDS = {"<": "<", "lt": "<", ">": ">", "gt": ">"} | dict.fromkeys(("<=", "≤", "le", "leq", "leqslant"), "<=")
_BOUNDS |= dict.fromkeys((">=", "≥", "ge", "geq", "geqslant"), ">=")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[A-Za-z]+\*?\}")
_TRIMMED = " \t\r\n.,;:&~"
_OPENING, _CLOSING = "([{", ")]}"
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
    """One side. ``expr`` has a name ``#0``, ``#1``, ... for each number that is no exponent.

    ``fault`` says why there is none.

    ``quoted`` is set where the side is one number, as a person quotes one.
    """

    text: str
    start: int
    end: int
    expr: Expr | None = None
    numbers: tuple[WrittenNumber, ...] = ()
    names: tuple[str, ...] = ()
    quoted: Quoted | None = None
    fault: Unread | None = field(default=None, compare=False)

    @property
    def is_name(self) -> bool:
        """Whether the side is a lone name."""
        return isinstance(self.expr, Name) and bool(self.names)


@dataclass(frozen=True, slots=True)
class StrictEquation:
    """``groups`` are the runs of sides that equality joins; an inequality or an arrow begins a new one.

    ``bounds`` say what stands before each of them: one of ``< <= > >=``, or nothing.
    """

    text: str
    groups: tuple[tuple[EquationSide, ...], ...]
    bounds: tuple[str, ...] = ()


def read_equation(text: str, known: frozenset[str]) -> StrictEquation:
    """Read an equation, or a lone expression. Sides that cannot be read say why."""
    shown = _ENVIRONMENT.sub(lambda m: " " * len(m[0]), text[:_MAX_TEXT])
    groups: list[tuple[str, list[EquationSide]]] = [("", [])]
    at, approximate = 0, False
    for start, end, kind in [*relations(shown), (len(shown), len(shown), "end")]:
        side = _side(shown, at, start, known, approximate)
        if side is not None:
            groups[-1][1].append(side)
        if kind == "order":
            groups.append((_BOUNDS.get(shown[start:end].lstrip("\\"), ""), []))
        at, approximate = end, kind == "about"
    filled = [(bound, tuple(group)) for bound, group in groups if group]
    return StrictEquation(text, tuple(group for _, group in filled), tuple(bound for bound, _ in filled))


def relations(text: str) -> list[tuple[int, int, str]]:
    """The relations outside of brackets: start, end, and ``equal``, ``about`` or ``order``."""
    found, depth, at = [], 0, 0
    marks = re.compile(rf"[{re.escape(_OPENING + _CLOSING)}]|{_RELATION.pattern}")
    while match := marks.search(text, at):
        at = match.end()
        if match[0] in _OPENING:
            depth += 1
        elif match[0] in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0:
            found.append((match.start(), match.end(), match.lastgroup or ""))
    return found


def _side(text: str, start: int, end: int, known: frozenset[str], approximate: bool) -> EquationSide | None:
    while start < end and text[start] in _TRIMMED:
        start += 1
    while end > start and text[end - 1] in _TRIMMED:
        end -= 1
    if start == end:
        return None
    written = text[start:end]
    quoted = _quoted(written, known, approximate)
    if quoted is not None:
        number = WrittenNumber(written, start, end, quoted)
        return EquationSide(written, start, end, Name(("#0",), offset=start, end=end), (number,), (), quoted)
    try:
        return _StrictParser(list(tokens(text, start, end, known)), written, start, end).side()
    except Unread as fault:
        return EquationSide(written, start, end, fault=fault)


def _quoted(written: str, known: frozenset[str], approximate: bool) -> Quoted | None:
    """A lone number, with its qualifier and unit; behind ``≈`` it is qualified."""
    if written in known or not any(c.isdigit() for c in written):
        return None
    try:
        reading = read(written)
    except ReadError:
        return None
    if reading.unit is not None and reading.unit.text in known:
        return None
    return read(f"≈{written}") if approximate and not reading.qualifier and not reading.bound else reading


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
            raise Unread(self.next.start, f"`{self.next.text}` cannot stand here")
        quoted = self.numbers[0].reading if isinstance(expr, Name) and self.numbers else None
        return EquationSide(self.text, self.start, self.end, expr, tuple(self.numbers), tuple(self.names), quoted)

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.next
        if token.kind is Sign.BREAK:
            raise Unread(self.end, "the side ends where a value should stand")
        self.at += 1
        return token

    def expect(self, text: str) -> None:
        token = self.take()
        if token.text != text:
            raise Unread(token.start, f"`{token.text}` stands where `{text}` should")

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise Unread(self.next.start, "too many brackets")
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
        if self.next.text in ("-", "+"):
            op, operand = self.take().text, self.signed()
            return Unary("-", operand) if op == "-" else operand
        return self.touching()

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
                raise Unread(power.start, "the exponent is too large")
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
        raise Unread(token.start, f"`{token.text}` stands where a value should")

    def bracketed(self, opening: str) -> Expr:
        self.expect(opening)
        inner = self.sum()
        self.expect(_CLOSERS[opening])
        return inner

    def call(self, token: Token) -> Expr:
        self.expect("(")
        args = [self.sum()]
        while self.next.text == ",":
            self.take()
            args.append(self.sum())
        self.expect(")")
        if (len(args) > 1) is (token.text in ("ceil", "floor")):
            raise Unread(token.start, f"`{token.text}` does not take {len(args)} values")
        return Call(token.text, tuple(args), offset=token.start, end=token.end)


def _name(token: Token) -> Name:
    head, _, rest = token.text.partition("[")
    index = (rest.rstrip("]"),) if rest else None
    return Name(tuple(head.split(".")), index, offset=token.start, end=token.end)
