"""A first look at a formula's text: its size, its characters, and whether operands and operators alternate.

Only what passes is given to Python's parser, so hostile text costs nothing and every fault has a sentence of its own.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from flopkb.arithmetic.diagnostics import named_character
from flopkb.arithmetic.formula.errors import FormulaError, shown
from flopkb.arithmetic.numeral import FORMULA, MAX_EXPONENT, NumeralError, numeral_from

MAX_TEXT = 2000
MAX_BRACKETS = 32
FUNCTIONS = ("min", "max", "ceil", "floor")
LOOKUPS = ("sum", "has")
"""What only a formula of a record has: it looks up what a record holds."""


class Language(Enum):
    """What may be written in a text: a value, conditions joined by ``and``, or any condition; plain or as in formulas."""

    PLAIN = frozenset[str]()
    FORMULA = frozenset({*LOOKUPS})
    CONJUNCTION = frozenset({*LOOKUPS, "and"})
    CONDITION = frozenset({*LOOKUPS, "and", "or", "not", "in"})

    @property
    def functions(self) -> tuple[str, ...]:
        """What takes arguments in parentheses."""
        return (*FUNCTIONS, *(LOOKUPS if self.looks_up else ()))

    @property
    def looks_up(self) -> bool:
        """Whether formulas of records, with inputs of their own, may be named."""
        return self is not Language.PLAIN


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
    "in": "`in` asks whether a type is in a group, and only the condition of a case or requirement does",
    "if": "an expression has no branches: use min or max, or `cases:` in place of `expr:`",
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


def scan(text: str, language: Language) -> None:
    """Raise :class:`FormulaError` unless ``text`` may be in ``language``."""
    if len(text) > MAX_TEXT:
        reason = f"the expression has {len(text)} characters, the most is {MAX_TEXT}: split it into several formulas"
        raise FormulaError(reason, MAX_TEXT, 1)
    tokens = _tokens(text)
    if not tokens:
        raise FormulaError("the expression is empty: write a value such as flops / bytes", 0, max(len(text), 1))
    for token in tokens:
        _check_token(token, language)
    _check_brackets(tokens, language)
    _check_order(tokens, language)


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
    visible = f"`{character}`" if character.isprintable() else f"the character {named_character(character)}"
    if character in _HINTS:
        return FormulaError(f"{visible} is not read here: {_HINTS[character]}", offset)
    if character.isspace():
        return FormulaError(f"the space {named_character(character)} is not read here: write a plain space", offset)
    advice = "write names and numbers with ASCII letters, digits and _" if character.isalnum() else "leave it out"
    return FormulaError(f"{visible} is not read here: {advice}", offset)


def _check_token(token: Lexeme, language: Language) -> None:
    if token.kind == "number":
        _check_number(token)
    elif token.text in _OPERATORS and not (token.text == "=" and language.looks_up):
        raise token.fault(f"`{token.text}` is not read here: {_OPERATORS[token.text]}")
    elif token.kind == "word" and keyword.iskeyword(token.text) and token.text not in language.value:
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


def _check_brackets(tokens: Sequence[Lexeme], language: Language) -> None:
    """Every bracket has its partner; commas stand only in those of a call, an index or a list, ``=`` behind an input's name."""
    open_: list[tuple[Lexeme, bool, bool]] = []
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        if token.text in ("(", "["):
            lists = before is not None and before.kind == "word" and before.text not in ("and", "or", "not")
            lists = lists and not (before is not None and before.text == "in" and token.text == "(")
            open_.append((token, lists, takes_inputs(tokens, place) and language.looks_up))
            if len(open_) > MAX_BRACKETS:
                raise token.fault(f"more than {MAX_BRACKETS} brackets are open here: split the formula")
        elif token.text in (")", "]"):
            if not open_ or open_.pop()[0].text != {")": "(", "]": "["}[token.text]:
                raise token.fault(f"`{token.text}` closes nothing: add its opening bracket or leave it out")
        elif token.text == "," and not (open_ and open_[-1][1]):
            raise token.fault("a comma only separates arguments: write a point for decimals, nothing for thousands")
        elif token.text == "=" and not (open_ and open_[-1][2] and place > 2 and tokens[place - 2].text in ("(", ",")):
            raise token.fault(f"`=` is not read here: {_OPERATORS['=']}")
    if open_:
        last = open_[-1][0]
        raise last.fault(f"`{last.text}` is never closed: add its closing bracket")


def takes_inputs(tokens: Sequence[Lexeme], place: int) -> bool:
    """Whether a bracket opens the inputs of a formula: ``kv_cache.size(L=``."""
    before, name, equals = tokens[place - 1 : place], tokens[place + 1 : place + 2], tokens[place + 2 : place + 3]
    opens = tokens[place].text == "(" and any(token.kind == "word" for token in before)
    return opens and any(token.kind == "word" for token in name) and any(token.text == "=" for token in equals)


_JOINING = ("and", "or", "in")


def _check_order(tokens: Sequence[Lexeme], language: Language) -> None:
    """Operand, operator, operand, ...: brackets open where an operand may stand and close where one has ended."""
    before: Lexeme | None = None
    ended = signed = False
    for place, token in enumerate(tokens):
        listed = token.text == "[" and before is not None and before.text == "in"
        operand = token.kind == "number" or (token.kind == "word" and token.text not in (*_JOINING, "not"))
        if operand or ((token.text in ("(", "not") or listed) and not ended):
            if ended and before is not None:
                raise token.fault(_missing_operator(before.text, token.text))
            ended, signed = operand, False
        elif ended:
            ended = _after_operand(tokens, place, language)
            signed = False
        elif token.text in "+-" and not signed:
            signed = True
        else:
            raise _operand_missing(before, token)
        before = token
    if not ended and before is not None:
        raise before.fault(f"the expression ends behind `{before.text}`: write what belongs on its right")


def _after_operand(tokens: Sequence[Lexeme], place: int, language: Language) -> bool:
    """Whether the operand before a token goes on as one that has ended."""
    before, token = tokens[place - 1], tokens[place]
    word = before.kind == "word"
    if token.text == "(":
        if not word:
            raise token.fault(_missing_operator(before.text, "("))
        if before.text not in language.functions and not (language.looks_up and takes_inputs(tokens, place)):
            raise before.fault(_unknown_function(before.text, language))
    elif token.text == "[" and not word:
        raise token.fault("only a name has an index, and only one: write accelerator.peak_flops[dtype]")
    elif token.text == "." and not word:
        raise token.fault("only a name has parts: write record.name")
    elif token.text == "not":
        raise token.fault("write `not (... in ...)`: `not` stands before a condition")
    return token.text in (")", "]")


def _unknown_function(name: str, language: Language) -> str:
    near = get_close_matches(name.lower(), language.functions, 1)
    *others, last = language.functions
    formulas = (
        "a formula takes inputs by name, as in kv_cache.size(L=2*L)" if language.looks_up else "to multiply write *"
    )
    hint = f"did you mean {near[0]}?" if near else f"the functions are {', '.join(others)} and {last}; {formulas}"
    return f"{shown(name)} is not a function: {hint}"


def _operand_missing(before: Lexeme | None, token: Lexeme) -> FormulaError:
    if before is None:
        return token.fault(f"`{token.text}` has nothing on its left: write a value there")
    if token.text in "+-" and before.text in "+-":
        return token.fault("two signs stand in a row: keep one, or put the second in parentheses")
    return token.fault(f"a value is missing between `{before.text}` and `{token.text}`")
