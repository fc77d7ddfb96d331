"""An equation of a record, in Python's notation or in LaTeX: its sides, its relations, and the arithmetic of each side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Call, Expr, FormulaError, Name, Number, Unary
from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.numbers.latex import plain_number
from flopkb.arithmetic.numeral import TO_ASCII, NumeralError, read_numeral
from flopkb.arithmetic.text.joints import WrittenRelation, relations
from flopkb.arithmetic.text.lexer import COMMANDS, GREEK, OPERATORS, Sign, Token

_SPACE = re.compile(
    r"(?:\s|\\[,;:!> ]|\\\\|~|\\(?:quad|qquad|left|right|bigl?|bigr?|Bigl?|Bigr?|displaystyle|,)(?![A-Za-z])|&)+"
)
_WRAPPED = r"\\(?:text|mathrm|mathit|mathsf|mathbf|textrm|operatorname\*?)\{([^{}]*)\}"
_WORD = re.compile(
    rf"(?:{_WRAPPED}|\\({'|'.join(sorted(GREEK))})"
    r"(?![A-Za-z])|([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*))"
)
_SUBSCRIPT = re.compile(rf"\s?_(?:\{{\s?(?:{_WRAPPED}|([A-Za-z0-9_, ]+))\s?\}}|{_WRAPPED}|([A-Za-z0-9]))")
_DOTTED = re.compile(r"\.[A-Za-z_]\w*(?:\[\w+\])?|\[\w+\]")
_POWER = re.compile(
    r"\^\s?(?:\{\s?([-−+]?[0-9]+)\s?\}|([-−+]?[0-9]+))|([⁻⁺]?[⁰¹²³⁴-⁹]+)|\*\*\s?([-−+]?[0-9]+|\(\s?[-−][0-9]+\s?\))"
)
_COMMAND_SIGNS = ("times", "cdot", "ast", "div", "lceil", "rceil", "lfloor", "rfloor")
_SIGNS = {
    **{f"\\{name}": COMMANDS[name][1] for name in _COMMAND_SIGNS}, **{sign: sign for sign in "⌈⌉⌊⌋,"},
    **{sign: text for sign, text in OPERATORS.items() if text in "+-*/"},
    **dict.fromkeys("([{", "("), **dict.fromkeys(")]}", ")"),
}  # fmt: skip
_KINDS = {**dict.fromkeys("(⌈⌊", Sign.OPEN), **dict.fromkeys(")⌉⌋", Sign.CLOSE), ",": Sign.PUNCTUATION}
_SIGN = re.compile(
    rf"\\(?:{'|'.join(_COMMAND_SIGNS)})(?![A-Za-z])|[{re.escape(''.join(sign for sign in _SIGNS if len(sign) == 1))}]"
)
_FUNCTION = re.compile(
    r"\\[dt]?frac\s?(?=\{)|\\?(min|max|ceil|floor)(?![A-Za-z0-9_])\s?(?=[({])|\\(min|max)(?![A-Za-z])"
)
_UNIT = re.compile(rf"(?:\s|\\[,;: ]|~)?(?:{_WRAPPED}|([A-Za-zµμ$%][\w$%²³]*(?:/[A-Za-zµμ][\w²³]*)*))")
_TENS = r"10\s?\^\s?(?:\{\s?[-−+]?[0-9]+\s?\}|[-−+]?[0-9]+)"
_GROUPED = re.compile(
    rf"{_TENS}|(?:[0-9]{{1,3}}(?:(?:\{{,\}}|\\,)[0-9]{{3}}(?![0-9]))+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?(?=\s?\\(?:times|cdot)\s?{_TENS}))"
    rf"(?:\s?\\(?:times|cdot)\s?{_TENS})?"
)
_BASE = re.compile(r"[^\^*⁻⁺⁰¹²³⁴-⁹]+")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[A-Za-z]+\*?\}")
_TRIMMED = " \t\r\n.,;:&~"
_CLOSERS = {"(": ")", "⌈": "⌉", "⌊": "⌋"}
_MAX_TEXT = 2000
_MAX_DEPTH = 40


def tokens(text: str, start: int, end: int, known: frozenset[str]) -> Iterator[Token]:
    """The tokens of ``text[start:end]``, letters being names that are ``known``; raises :class:`FormulaError`."""
    at, gap = start, False
    while at < end:
        space = _SPACE.match(text, at, end)
        if space:
            at, gap = space.end(), True
            continue
        found = list(_next(text, at, end, known, gap))
        yield from found
        at, gap = found[-1].end, False


def _next(text: str, at: int, end: int, known: frozenset[str], gap: bool) -> Iterator[Token]:
    char = text[at]
    if char.isascii() and (char.isdigit() or (char in ".$" and text[at + 1 : at + 2].isdigit())):
        yield _number(text, at, end, known, gap)
        return
    power = _POWER.match(text, at, end)
    if power:
        digits = next(group for group in power.groups() if group).strip("() ").translate(TO_ASCII)
        yield Token(Sign.OPERATOR, "^", at, power.end(), gap, Fraction(digits))
        return
    function = _FUNCTION.match(text, at, end)
    if function:
        name = next((name for name in function.groups() if name), "frac")
        yield Token(Sign.FUNCTION, name, at, function.end(), gap)
        return
    word = _WORD.match(text, at, end)
    if word:
        yield from _names(word, end, known, gap)
        return
    sign = _SIGN.match(text, at, end)
    if sign is None:
        raise FormulaError(f"`{text[at : at + 12].split()[0]}` cannot be read here", at)
    name = _SIGNS[sign[0]]
    yield Token(_KINDS.get(name, Sign.OPERATOR), name, at, sign.end(), gap)


def _number(text: str, at: int, end: int, known: frozenset[str], gap: bool) -> Token:
    """A number with its suffix or unit, unless the letters behind it are names that it multiplies."""
    digits, stop = _digits(text, at, end)
    for unit_end, unit in _units(text, stop, end, known):
        reading = _reading(f"{digits} {unit}") if unit_end else None
        reading = reading or _reading(digits + unit)
        if reading is not None:
            stop = unit_end or stop
            return Token(Sign.NUMBER, text[at:stop], at, stop, gap, reading=reading)
    raise FormulaError(f"`{digits}` is no number", at)


def _digits(text: str, at: int, end: int) -> tuple[str, int]:
    """The digits at ``at`` (behind a dollar, perhaps) and where they end; ``131{,}072`` is LaTeX for 131,072.

    A power of ten behind them belongs to the number: ``3\\times10^{3}`` is 3000.
    """
    grouped = _GROUPED.match(text, at, end)
    if grouped:
        return plain_number(grouped[0]), grouped.end()
    digits_at = at + (text[at] == "$")
    try:
        numeral, stop = read_numeral(text[:end], digits_at)
    except NumeralError as error:
        raise FormulaError(f"`{text[at : at + 12].split()[0]}` {error.reason}", error.offset) from None
    if numeral.exact:  # 8192² is 8192 to a power: its digits are those of an input
        base = _BASE.match(numeral.text)
        stop = digits_at + (base.end() if base else 0)
    return text[at:stop], stop


def _units(text: str, stop: int, end: int, known: frozenset[str]) -> Iterator[tuple[int, str]]:
    """The units that may follow, the longest first; at last none."""
    unit = _UNIT.match(text, stop, end)
    if unit is not None and unit[1] is not None:
        yield unit.end(), unit[1].strip()
    elif unit is not None and (
        # 2mn multiplies, and 2 B where B is known; 4 bytes is an amount, whatever else is called bytes
        segmented(word := unit[2].partition("/")[0], known) is None or (text[stop].isspace() and len(word) > 1)
    ):
        written, after = unit[2], unit.end()
        while written:
            yield after, written
            after, written = after - len(written), written.rpartition("/")[0]
            after += len(written)
    yield 0, ""


def _reading(text: str) -> Quoted | None:
    try:
        return read(text.strip())
    except ReadError:
        return None


def _names(match: re.Match[str], end: int, known: frozenset[str], gap: bool) -> Iterator[Token]:
    """A word, or letters that multiply each other: ``mnb`` where m, n and b are known."""
    text, at, stop = match.string, match.start(), match.end()
    word = next(group for group in match.groups() if group is not None).strip()
    subscript = _SUBSCRIPT.match(text, stop, end)
    while subscript:
        word += "_" + "".join(c for c in next(g for g in subscript.groups() if g) if c.isalnum() or c == "_")
        stop = subscript.end()
        subscript = _SUBSCRIPT.match(text, stop, end)
    dotted = _DOTTED.match(text, stop, end) if word not in known else None
    if dotted:
        yield Token(Sign.WORD, word + dotted[0], at, dotted.end(), gap)
        return
    parts = segmented(word, known)
    if not parts:
        raise FormulaError(f"`{word}` is no name here", at)
    ends = [min(at + len("".join(parts[:count])), stop) for count in range(1, len(parts))]
    for part, place, behind in zip(parts, [at, *ends], [*ends, stop], strict=True):
        yield Token(Sign.WORD, part, place, behind, gap and place == at)


def segmented(word: str, known: frozenset[str]) -> list[str] | None:
    """The known names that a word is made of, as few as will do, or None."""
    if word in known:
        return [word]
    if len(word) > 40:
        return None
    best: list[list[str] | None] = [[]]
    for stop in range(1, len(word) + 1):
        ends = ((head, word[start:stop]) for start, head in enumerate(best) if head is not None)
        best.append(min(([*head, last] for head, last in ends if last in known), key=len, default=None))
    return best[-1]


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
    reading = _reading(plain)
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
