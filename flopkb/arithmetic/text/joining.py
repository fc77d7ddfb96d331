"""What tokens make of each other where they touch: names with digits, compounds, grouped digits, words that compute."""

from __future__ import annotations

import re
from fractions import Fraction

from flopkb.arithmetic.text.lexer import Sign, Token
from flopkb.arithmetic.text.measures import STOP_WORDS, measure
from flopkb.arithmetic.text.words import PARTIAL
from flopkb.arithmetic.unit_table import NAMED

_PI = Fraction(31415926535897932384626433, 10**25)
_PI_PLACE = Fraction(1, 100)
"""Many take 3.14 for it."""
LATEX_UNITS = {unit.latex: name for name, unit in NAMED.items() if unit.latex}
"""The unit of a macro of siunitx, or of two (``\\giga\\byte``)."""
_WORD_OPERATORS = {"times": "*", "plus": "+", "minus": "-"}


def joined(tokens: list[Token]) -> list[Token]:
    """Join ``GPT-3`` to a name, part ``80-GB`` into number and unit, and read ``3 times 4`` as a product."""
    out: list[Token] = []
    for at, token in enumerate(tokens):
        if out and token.kind is Sign.NUMBER and _names(out, token):
            out.pop()
            out[-1] = out[-1]._replace(text=f"{out[-1].text}-{token.text}", end=token.end)
        elif out and token.text in ("s", "m", "J", "W") and token.kind is Sign.WORD and out[-1].text == "\\mu":
            out[-1] = out[-1]._replace(text="µ" + token.text, end=token.end)
        elif out and token.kind is Sign.WORD and _compound(out, token):
            out.pop()
            out.append(token._replace(note="compound"))
        elif token.text in ("π", "\\pi") and token.kind is Sign.WORD and not _called(tokens, at):
            out.append(token._replace(kind=Sign.NUMBER, value=_PI, place=_PI_PLACE, nonzero=_PI_PLACE, note="pi"))
        elif out and (joined := _joined_to(out, token, tokens[at + 1 : at + 3])) is not None:
            out[-1:] = joined
        elif token.text == "@" and out and _rate_follows(tokens, at, out):
            out.append(token._replace(kind=Sign.OPERATOR, text="*"))
        elif token.kind is Sign.WORD and token.text in _WORD_OPERATORS and _between_numbers(tokens, at):
            out.append(token._replace(kind=Sign.OPERATOR, text=_WORD_OPERATORS[token.text]))
        elif token.kind is Sign.WORD and token.text in ("x", "X") and _between_numbers(tokens, at):
            out.append(token._replace(kind=Sign.OPERATOR, text="*"))
        elif out and token.kind is Sign.WORD and token.text == "by" and out[-1].text in ("divided", "multiplied"):
            sign = "/" if out.pop().text == "divided" else "*"
            out.append(token._replace(kind=Sign.OPERATOR, text=sign))
        else:
            out.append(token)
    return out


def _called(tokens: list[Token], at: int) -> bool:
    """Whether parentheses are pressed against the token at ``at``."""
    return at + 1 < len(tokens) and tokens[at + 1].kind is Sign.OPEN and not tokens[at + 1].gap


_BEHIND_FACTORIALS = (Sign.OPERATOR, Sign.RELATION, Sign.OPEN)


def _is_factorial(behind: list[Token]) -> bool:
    """Whether arithmetic goes on behind a ``!``: at the end of a sentence it is none."""
    if behind and behind[0].kind is Sign.CLOSE:
        return behind[0].text == "}" or (len(behind) > 1 and behind[1].kind in _BEHIND_FACTORIALS)
    return bool(behind) and (
        behind[0].kind in _BEHIND_FACTORIALS or (behind[0].kind is Sign.NUMBER and not behind[0].gap)
    )


def _joined_to(out: list[Token], token: Token, behind: list[Token]) -> list[Token] | None:
    """What a token makes of the one before it: ``per cent``, ``5!``, ``131 072``, ``\\giga\\byte``."""
    last = out[-1]
    if token.kind is Sign.WORD and last.kind is Sign.WORD:
        if token.text == "cent" and last.text == "per":
            return [last._replace(kind=Sign.PERCENT, text="%", end=token.end)]
        if (unit := LATEX_UNITS.get(last.text + token.text)) is not None:
            return [last._replace(text=unit, end=token.end)]
    if token.kind is Sign.WORD and (name := LATEX_UNITS.get(token.text)) is not None:
        if last.text == "\\per":
            return [last._replace(kind=Sign.OPERATOR, text="/"), token._replace(text=name)]
        return [last, token._replace(text=name)]
    if token.text == "!" and not token.gap and last.kind in (Sign.NUMBER, Sign.CLOSE) and _is_factorial(behind):
        return [last, token._replace(kind=Sign.OPERATOR)]
    if token.kind is Sign.NUMBER and last.kind is Sign.NUMBER and _groups(out, token):
        value = (last.value or Fraction(0)) * 1000 + (token.value or 0)
        nonzero = token.nonzero if token.value else (last.nonzero or Fraction(0)) * 1000
        text = last.text + token.text
        return [
            last._replace(text=text, end=token.end, value=value, place=token.place, nonzero=nonzero, note="grouped")
        ]
    return None


_THREE = re.compile(r"[0-9]{3}(?:\.[0-9]+)?")


def _groups(out: list[Token], token: Token) -> bool:
    """Whether a number goes on the digits of the one before it: three of them, one blank away, behind an operator."""
    last = out[-1]
    if not _THREE.fullmatch(token.text) or token.start - last.end != 1 or not last.text.isdigit():
        return False
    if last.note != "grouped" and (len(last.text) > 3 or last.value == 0):
        return False
    before = out[-2].kind if len(out) > 1 else Sign.BREAK
    if before is Sign.WORD and out[-2].text.lower() in STOP_WORDS:
        return True
    return before in (Sign.OPERATOR, Sign.RELATION, Sign.OPEN, Sign.BREAK, Sign.CURRENCY)


def _rate_follows(tokens: list[Token], at: int, out: list[Token]) -> bool:
    """``5 streams @ 500 kbps``: so many, each at that."""
    counted = out[-1].kind is Sign.NUMBER or any(token.kind is Sign.NUMBER for token in out[-4:-1])
    apart = tokens[at].gap and at + 1 < len(tokens) and tokens[at + 1].gap
    return counted and apart and tokens[at + 1].kind is Sign.NUMBER


def _names(out: list[Token], token: Token) -> bool:
    """``GPT-3``: a word, a hyphen and digits without a gap, where the word is no unit of a number before it."""
    if len(out) < 2 or out[-1].text != "-" or out[-1].gap or token.gap or out[-2].kind is not Sign.WORD:
        return False
    if len(out) < 3 or out[-3].kind is not Sign.NUMBER:
        return True
    name = out[-2]
    return name.gap and len(name.text) > 2 and name.text[0].isupper() and not measure(name.text).known


def _compound(out: list[Token], token: Token) -> bool:
    """``80-GB``, ``128-token``: the hyphen only joins."""
    if len(out) < 2 or out[-1].text != "-" or out[-1].gap or token.gap or out[-2].kind is not Sign.NUMBER:
        return False
    if out[-1].note == "minus" or token.text in PARTIAL:
        return False
    return len(token.text) > 2 or token.text in ("GB", "MB", "TB", "KB")


def _between_numbers(tokens: list[Token], at: int) -> bool:
    """Whether a word such as ``x`` or ``times`` stands between two operands, so that it multiplies them."""
    if at == 0 or at + 1 >= len(tokens):
        return False
    before, after = tokens[at - 1], tokens[at + 1]
    starts = after.kind in (Sign.NUMBER, Sign.CURRENCY, Sign.OPEN, Sign.FUNCTION) or after.text == "~"
    if not starts or before.kind not in (Sign.NUMBER, Sign.CLOSE, Sign.WORD, Sign.PERCENT):
        return False
    if before.kind is Sign.WORD:
        return any(token.kind is Sign.NUMBER for token in tokens[max(0, at - 5) : at - 1])
    return tokens[at].gap == after.gap or before.kind is Sign.NUMBER
