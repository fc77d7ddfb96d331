"""A formula's text to its tree, by way of Python's parser and a whitelist of its nodes. Nothing is ever run.

Python's parser is given only what passes a first look at the size, the characters, and whether operands and operators
alternate, so hostile text costs nothing and every fault has a sentence of its own. What passes is plain ASCII: the byte
columns that Python reports are then columns of characters.
"""

from __future__ import annotations

import ast
import keyword
import re
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction

from flopkb.arithmetic.formula.tree import Binary, Call, Compare, Expr, FormulaError, Name, Number, Unary, shown
from flopkb.arithmetic.numeral import FORMULA, MAX_EXPONENT, NumeralError, numeral_from

MAX_TEXT = 2000
MAX_BRACKETS = 32
FUNCTIONS = ("min", "max", "ceil", "floor")

# A number takes every letter, digit and point that touches it, so that `2x`, `0x10` and `1_000` are judged whole.
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>\.?[0-9](?:[eE][+-]?[0-9]|[0-9A-Za-z_]|\.)*)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<op>\*\*|//|<=|>=|==|!=|<<|>>|[-+*/()\[\],.<>=])"
)
_QUANTITY = re.compile(r"(?P<digits>[0-9.]+(?:[eE][+-]?[0-9]+)?)(?P<word>[A-Za-z][A-Za-z0-9]*)")

_HINTS = {
    **dict.fromkeys("×·⋅", "write * to multiply"),
    **dict.fromkeys("−–—", "write - for minus"),
    **dict.fromkeys("'\"", "text in quotes is no value: name a symbol"),
    "^": "write ** for a power",
    "%": "write / 100 for per cent; there is no remainder operator",
    "÷": "write / to divide",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "²": "write **2 for a square",
    "³": "write **3 for a cube",
    "√": "there are no roots: state the square of it",
    "∞": "an expression has no infinity",
    "!": "write != for not equal",
    "&": "write `and` between two conditions",
    "|": "give alternatives as claims of their own",
    "$": "an expression has no units: give the amount to a symbol with `value:`",
    "#": "an expression has no comments: put it behind the value in the file",
    ":": "an expression has no slices, lambdas or assignments",
    "@": "an expression names no sources: name the value itself",
    "\N{NO-BREAK SPACE}": "write a plain space",
}
_WORDS = {
    "and": "`and` joins conditions; a value has none",
    "or": "conditions are joined by `and` alone: give alternatives as claims of their own",
    "not": "write the opposite comparison instead of `not`",
    "if": "an expression has no branches: use min or max, or one formula for each case",
    "lambda": "an expression has no functions of its own; a symbol named lambda needs another name, as lam",
}
_OPERATORS = {
    "//": "write floor(a / b) for a whole quotient",
    "<<": "write * 2**n for a shift",
    ">>": "write / 2**n for a shift",
    "=": "write == to compare; an expression assigns nothing",
}
MAX_DEPTH = 64
MAX_POWER = 16
MAX_NUMBER_POWER = 64
_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_BLANKS = str.maketrans("\t\r\n", "   ")
_EXAMPLE = "write one such as n_q <= 64*n_kv"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of the text: its kind (``number``, ``word`` or ``op``), itself, and where it begins."""

    kind: str
    text: str
    offset: int

    def fault(self, reason: str) -> FormulaError:
        """An error that points at this token."""
        return FormulaError(reason, self.offset, len(self.text))


def scan(text: str, *, condition: bool) -> None:
    """Raise :class:`FormulaError` unless ``text`` is an expression (or, with ``condition``, may be conditions)."""
    if len(text) > MAX_TEXT:
        reason = f"the expression has {len(text)} characters, the most is {MAX_TEXT}: split it into several formulas"
        raise FormulaError(reason, MAX_TEXT, 1)
    tokens = _tokens(text)
    if not tokens:
        raise FormulaError("the expression is empty: write a value such as flops / bytes", 0, max(len(text), 1))
    for token in tokens:
        _check_token(token, condition)
    _check_brackets(tokens)
    _check_order(tokens)


def _tokens(text: str) -> list[Lexeme]:
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _unknown_character(text[position], position)
        if match.lastgroup and match.lastgroup != "space":
            tokens.append(Lexeme(match.lastgroup, match.group(), position))
        position = match.end()
    return tokens


def _unknown_character(character: str, offset: int) -> FormulaError:
    visible = f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"
    if character in _HINTS:
        return FormulaError(f"{visible} is not read here: {_HINTS[character]}", offset)
    if character.isspace():
        return FormulaError(f"the space U+{ord(character):04X} is not read here: write a plain space", offset)
    advice = "write names and numbers with ASCII letters, digits and _" if character.isalnum() else "leave it out"
    return FormulaError(f"{visible} is not read here: {advice}", offset)


def _check_token(token: Lexeme, condition: bool) -> None:
    if token.kind == "number":
        _check_number(token)
    elif token.text in _OPERATORS:
        raise token.fault(f"`{token.text}` is not read here: {_OPERATORS[token.text]}")
    elif token.kind == "word" and keyword.iskeyword(token.text) and not (condition and token.text == "and"):
        reserved = f"`{token.text}` is a reserved word: give the symbol another name"
        raise token.fault(_WORDS.get(token.text, reserved))


def _check_number(token: Lexeme) -> None:
    match = FORMULA.digits.match(token.text)
    if match is None:
        raise token.fault(_why_no_number(token.text))
    try:
        _, stop = numeral_from(token.text, match.span(), "", FORMULA, len(token.text))
    except NumeralError as error:
        if error.offset == 0:
            raise token.fault(f"a number of more than {FORMULA.most_digits} digits is not read: round it") from None
        limit = f"powers of ten lie between -{MAX_EXPONENT} and {MAX_EXPONENT}"
        raise token.fault(f"{shown(token.text)} is out of range: {limit}") from None
    if stop < len(token.text):
        raise token.fault(_why_no_number(token.text))


def _why_no_number(text: str) -> str:
    quantity = _QUANTITY.fullmatch(text)
    if "_" in text:
        return f"{shown(text)} is not read as a number: write its digits without _"
    if re.match("0[xXoObB]", text):
        return f"{shown(text)} is not read as a number: write it in decimal digits"
    if quantity:
        return _missing_operator(quantity["digits"], quantity["word"])
    if text.startswith("."):
        return f"{shown(text)} is not read as a number: write a 0 before the point"
    if text.endswith("."):
        return f"{shown(text)} is not read as a number: leave out the point or write a digit behind it"
    if re.fullmatch("[0-9]+", text):
        return f"{shown(text)} is not read as a number: leave out the zeros in front"
    return f"{shown(text)} is not read as a number: write it as 3350, 0.25 or 989.4e12"


def _missing_operator(left: str, right: str) -> str:
    pair = f"{left} {right}"
    if right[0].isalpha() and left[-1].isdigit():
        return (
            f"an expression has no units: give {shown(pair)} to a symbol with `value:` and name that here,"
            f" or write {shown(f'{left}*{right}')} to multiply by a symbol"
        )
    return f"an operator is missing between `{left}` and {shown(right)}"


def _check_brackets(tokens: list[Lexeme]) -> None:
    """Every bracket has its partner, and commas stand only in those of a call or an index."""
    open_: list[tuple[Lexeme, bool]] = []
    before: Lexeme | None = None
    for token in tokens:
        if token.text in ("(", "["):
            lists = before is not None and before.kind == "word" and before.text != "and"
            open_.append((token, lists))
            if len(open_) > MAX_BRACKETS:
                raise token.fault(f"more than {MAX_BRACKETS} brackets are open here: split the formula")
        elif token.text in (")", "]"):
            if not open_ or open_.pop()[0].text != {")": "(", "]": "["}[token.text]:
                raise token.fault(f"`{token.text}` closes nothing: add its opening bracket or leave it out")
        elif token.text == "," and not (open_ and open_[-1][1]):
            raise token.fault("a comma only separates arguments: write a point for decimals, nothing for thousands")
        before = token
    if open_:
        last = open_[-1][0]
        raise last.fault(f"`{last.text}` is never closed: add its closing bracket")


def _check_order(tokens: list[Lexeme]) -> None:
    """Operand, operator, operand, ...: brackets open where an operand may stand and close where one has ended."""
    before: Lexeme | None = None
    ended = signed = False
    for token in tokens:
        operand = token.kind == "number" or (token.kind == "word" and token.text != "and")
        if operand or (token.text == "(" and not ended):
            if ended and before is not None:
                raise token.fault(_missing_operator(before.text, token.text))
            ended, signed = operand, False
        elif ended:
            ended = _after_operand(before, token)
            signed = False
        elif token.text in "+-" and not signed:
            signed = True
        else:
            raise _operand_missing(before, token)
        before = token
    if not ended and before is not None:
        raise before.fault(f"the expression ends behind `{before.text}`: write what belongs on its right")


def _after_operand(before: Lexeme | None, token: Lexeme) -> bool:
    """Whether the operand before ``token`` goes on as one that has ended."""
    word = before is not None and before.kind == "word"
    name = before.text if before is not None else ""
    if token.text == "(":
        if not word:
            raise token.fault(_missing_operator(name, "("))
        if name not in FUNCTIONS and before is not None:
            raise before.fault(_unknown_function(name))
    elif token.text == "[" and not word:
        raise token.fault("only a name has an index, and only one: write accelerator.peak_flops[dtype]")
    elif token.text == "." and not word:
        raise token.fault("only a name has parts: write record.name")
    return token.text in (")", "]")


def _unknown_function(name: str) -> str:
    near = get_close_matches(name.lower(), FUNCTIONS, 1)
    hint = f"did you mean {near[0]}?" if near else "the functions are min, max, ceil and floor; to multiply write *"
    return f"{shown(name)} is not a function: {hint}"


def _operand_missing(before: Lexeme | None, token: Lexeme) -> FormulaError:
    if before is None:
        return token.fault(f"`{token.text}` has nothing on its left: write a value there")
    if token.text in "+-" and before.text in "+-":
        return token.fault("two signs stand in a row: keep one, or put the second in parentheses")
    return token.fault(f"a value is missing between `{before.text}` and `{token.text}`")


def parse(text: str) -> Expr:
    """The tree of a value such as ``flops / bytes``; raises :class:`FormulaError` with the place of the fault."""
    return _FormulaReader(text, condition=False).expr()


def parse_condition(text: str) -> Compare:
    """The tree of one comparison such as ``n_q <= 64*n_kv``; raises :class:`FormulaError`."""
    conditions = parse_conditions(text)
    if len(conditions) > 1:
        second = conditions[1]
        reason = "one condition belongs here: leave out `and` with what follows"
        raise FormulaError(reason, second.offset, second.length)
    return conditions[0]


def parse_conditions(text: str) -> tuple[Compare, ...]:
    """The comparisons that ``and`` joins in ``text``, one or more; raises :class:`FormulaError`."""
    return _FormulaReader(text, condition=True).conditions()


class _FormulaReader:
    """Turns the nodes of one text into ours; places are those of the text as it was given."""

    def __init__(self, text: str, *, condition: bool) -> None:
        scan(text, condition=condition)
        self.text = text
        # In brackets, leading blanks are no indentation; on one line, a column is an offset.
        self.source = f"({text.translate(_BLANKS)})"
        try:
            self.root = ast.parse(self.source, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            offset = (getattr(error, "offset", None) or 2) - 2
            reason = "this cannot be read as an expression: check its operators and brackets"
            raise FormulaError(reason, min(max(offset, 0), len(text) - 1)) from None

    def expr(self) -> Expr:
        return self.value(self.root, 0)

    def conditions(self) -> tuple[Compare, ...]:
        joined = self.root.values if isinstance(self.root, ast.BoolOp) else [self.root]
        return tuple(map(self.compare, joined))

    def span(self, node: ast.expr) -> tuple[int, int]:
        return node.col_offset - 1, (node.end_col_offset or node.col_offset) - 1

    def fault(self, node: ast.expr, reason: str) -> FormulaError:
        start, end = self.span(node)
        return FormulaError(reason, start, end - start)

    def written(self, node: ast.expr) -> str:
        return self.source[node.col_offset : node.end_col_offset]

    def compare(self, node: ast.expr) -> Compare:
        if not isinstance(node, ast.Compare):
            raise self.fault(node, f"a condition compares two values: {_EXAMPLE}")
        if len(node.ops) > 1:
            raise self.fault(node.comparators[1], "a comparison has two sides: write a < b and b < c")
        left, right = self.value(node.left, 1), self.value(node.comparators[0], 1)
        start, end = self.span(node)
        return Compare(_COMPARE[type(node.ops[0])], left, right, offset=start, end=end)

    def value(self, node: ast.expr, depth: int) -> Expr:
        if depth > MAX_DEPTH:
            reason = f"more than {MAX_DEPTH} operations hang together here: split the formula"
            raise self.fault(node, reason)
        start, end = self.span(node)
        match node:
            case ast.Constant():
                return Number(Fraction(self.written(node)), offset=start, end=end)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self.name(node)
            case ast.UnaryOp(op=ast.UAdd()):
                return self.value(node.operand, depth + 1)
            case ast.UnaryOp(op=ast.USub()):
                return Unary("-", self.value(node.operand, depth + 1), offset=start, end=end)
            case ast.BinOp(op=ast.Pow()):
                return self.power(node, depth)
            case ast.BinOp():
                left, right = self.value(node.left, depth + 1), self.value(node.right, depth + 1)
                return Binary(_BINARY[type(node.op)], left, right, offset=start, end=end)
            case ast.Call():
                return self.call(node, depth)
        raise self.no_value(node)

    def no_value(self, node: ast.expr) -> FormulaError:
        if isinstance(node, ast.Compare | ast.BoolOp):
            return self.fault(node, "a comparison is no value: write it where a condition is asked for")
        return self.fault(node, "this is no value: write names, numbers, + - * / **, min, max, ceil and floor")

    def name(self, node: ast.Name | ast.Attribute | ast.Subscript) -> Name:
        start, end = self.span(node)
        index = None
        inner: ast.expr = node
        if isinstance(inner, ast.Subscript):
            index, inner = self.index(inner.slice), inner.value
        if isinstance(inner, ast.Name):
            parts: tuple[str, ...] = (inner.id,)
        elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            parts = (inner.value.id, inner.attr)
        else:
            raise self.fault(node, f"{shown(self.written(node))} goes too deep: write record.name or record.name[row]")
        if index is None and len(parts) == 1 and parts[0] in FUNCTIONS:
            raise self.fault(node, f"`{parts[0]}` is a function: write its arguments in parentheses")
        return Name(parts, index, offset=start, end=end)

    def index(self, node: ast.expr) -> tuple[str, ...]:
        items = node.elts if isinstance(node, ast.Tuple) else [node]
        for item in items:
            if not isinstance(item, ast.Name):
                raise self.fault(item, "an index is a plain name: write accelerator.peak_flops[dtype]")
        return tuple(item.id for item in items if isinstance(item, ast.Name))

    def power(self, node: ast.BinOp, depth: int) -> Binary:
        base = self.value(node.left, depth + 1)
        most = MAX_NUMBER_POWER if isinstance(base, Number) else MAX_POWER
        raised, negative = node.right, False
        while isinstance(raised, ast.UnaryOp):
            negative ^= isinstance(raised.op, ast.USub)
            raised = raised.operand
        value = Fraction(self.written(raised)) if isinstance(raised, ast.Constant) else None
        if value is None or value.denominator != 1 or value > most:
            reason = f"an exponent is a whole number from -{most} to {most}, written out"
            raise self.fault(node.right, reason)
        start, at, end = node.col_offset - 1, *self.span(node.right)
        exponent = Number(-value if negative else value, offset=at, end=end)
        return Binary("**", base, exponent, offset=start, end=end)

    def call(self, node: ast.Call, depth: int) -> Call:
        start, end = self.span(node)
        func = node.func.id if isinstance(node.func, ast.Name) else ""
        if func not in FUNCTIONS:
            raise self.fault(node, f"{shown(self.written(node.func))} is not a function: use min, max, ceil or floor")
        args = tuple(self.value(arg, depth + 1) for arg in node.args)
        if func in ("ceil", "floor") and len(args) != 1:
            raise self.fault(node, f"{func} takes one argument, not {len(args)}")
        if func in ("min", "max") and len(args) < 2:
            raise self.fault(node, f"{func} takes two arguments or more, not {len(args)}")
        return Call(func, args, offset=start, end=end)
