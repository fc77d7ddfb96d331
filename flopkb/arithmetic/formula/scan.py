"""The first look at a formula's text: its size, its characters, and whether operands and operators alternate.

Python's parser is given only what passes here, so hostile text costs nothing and every fault has a sentence of its own.
What passes is plain ASCII: the byte columns that Python reports are then columns of characters.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from difflib import get_close_matches

from flopkb.arithmetic.formula.tree import FormulaError, shown
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

_USE_MINUS = "write - for minus"
_USE_TIMES = "write * to multiply"
_NO_TEXT = "text in quotes is no value: name a symbol"
_HINTS = {
    "^": "write ** for a power",
    "%": "write / 100 for per cent; there is no remainder operator",
    "×": _USE_TIMES,
    "·": _USE_TIMES,
    "⋅": _USE_TIMES,
    "−": _USE_MINUS,
    "–": _USE_MINUS,
    "—": _USE_MINUS,
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
    "'": _NO_TEXT,
    '"': _NO_TEXT,
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
