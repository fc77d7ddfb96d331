"""An equation as written: its sides, the relations between them, and the arithmetic of each side."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Call, Expr, Name, Number, Unary
from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.text.strict_lexer import StrictKind, StrictToken, Unread, tokens

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

    def __init__(self, found: list[StrictToken], text: str, start: int, end: int) -> None:
        self.tokens = found
        self.text = text
        self.start = start
        self.end = end
        self.at = 0
        self.depth = 0
        self.numbers: list[WrittenNumber] = []
        self.names: dict[str, None] = {}

    def side(self) -> EquationSide:
        expr = self.sum()
        if self.at < len(self.tokens):
            raise Unread(self.tokens[self.at].start, f"`{self.tokens[self.at].text}` cannot stand here")
        quoted = self.numbers[0].reading if isinstance(expr, Name) and self.numbers else None
        return EquationSide(self.text, self.start, self.end, expr, tuple(self.numbers), tuple(self.names), quoted)

    def peek(self, *texts: str) -> bool:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        return token is not None and token.kind is StrictKind.SIGN and token.text in texts

    def take(self) -> StrictToken:
        if self.at >= len(self.tokens):
            raise Unread(self.end, "the side ends where a value should stand")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, text: str) -> None:
        token = self.take()
        if token.kind is not StrictKind.SIGN or token.text != text:
            raise Unread(token.start, f"`{token.text}` stands where `{text}` should")

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise Unread(self.tokens[self.at].start, "too many brackets")
        left = self.product()
        while self.peek("+", "-"):
            op = self.take().text
            left = Binary(op, left, self.product())
        self.depth -= 1
        return left

    def product(self) -> Expr:
        left = self.signed()
        while self.peek("*", "/"):
            op = self.take().text
            left = Binary(op, left, self.signed())
        return left

    def signed(self) -> Expr:
        if self.peek("-", "+"):
            op = self.take().text
            operand = self.signed()
            return Unary("-", operand) if op == "-" else operand
        return self.touching()

    def touching(self) -> Expr:
        """Factors that stand side by side: they bind more tightly than a slash."""
        left = self.factor()
        while self.at < len(self.tokens) and self.begins(self.tokens[self.at]):
            left = Binary("*", left, self.factor())
        return left

    def begins(self, token: StrictToken) -> bool:
        if token.kind is StrictKind.SIGN:
            return token.text in ("(", "⌈", "⌊")
        return token.kind in (StrictKind.NAME, StrictKind.FRACTION, StrictKind.FUNCTION)

    def factor(self) -> Expr:
        value = self.atom()
        while self.at < len(self.tokens) and self.tokens[self.at].kind is StrictKind.POWER:
            power = self.take()
            if abs(int(power.text)) > 16:
                raise Unread(power.start, "the exponent is too large")
            value = Binary("**", value, Number(Fraction(int(power.text)), offset=power.start, end=power.end))
        return value

    def atom(self) -> Expr:
        token = self.take()
        if token.kind is StrictKind.NUMBER and token.reading is not None:
            self.numbers.append(WrittenNumber(token.text, token.start, token.end, token.reading))
            return Name((f"#{len(self.numbers) - 1}",), offset=token.start, end=token.end)
        if token.kind is StrictKind.NAME:
            self.names[token.text] = None
            return _name(token)
        if token.kind is StrictKind.FRACTION:
            over = self.bracketed()
            return Binary("/", over, self.bracketed())
        if token.kind is StrictKind.FUNCTION:
            return self.call(token)
        if token.text == "(":
            inner = self.sum()
            self.expect(")")
            return inner
        if token.text in ("⌈", "⌊"):
            inner = self.sum()
            self.expect("⌉" if token.text == "⌈" else "⌋")
            return Call("ceil" if token.text == "⌈" else "floor", (inner,), offset=token.start, end=token.end)
        raise Unread(token.start, f"`{token.text}` stands where a value should")

    def bracketed(self) -> Expr:
        self.expect("(")
        inner = self.sum()
        self.expect(")")
        return inner

    def call(self, token: StrictToken) -> Expr:
        self.expect("(")
        args = [self.sum()]
        while self.peek(","):
            self.take()
            args.append(self.sum())
        self.expect(")")
        if (len(args) > 1) is (token.text in ("ceil", "floor")):
            raise Unread(token.start, f"`{token.text}` does not take {len(args)} values")
        return Call(token.text, tuple(args), offset=token.start, end=token.end)


def _name(token: StrictToken) -> Name:
    head, _, rest = token.text.partition("[")
    index = (rest.rstrip("]"),) if rest else None
    return Name(tuple(head.split(".")), index, offset=token.start, end=token.end)
