"""What is written with the signs of arithmetic and is none: ranges, labels, sizes, rings, ideals, lost superscripts."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.formula import Binary, Call, Expr, Unary, walk
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.quotes import SignedNumber
from flopkb.arithmetic.text.sides import TextSide
from flopkb.arithmetic.text.tree import Measured, numbers, operators
from flopkb.arithmetic.text.verdict import NOWHERE, Judged


def something_else(computed: TextSide, quoted: TextSide, quote: SignedNumber, best: Judged) -> bool:
    """Whether a side that does not give the quoted number may be no computation of it at all."""
    node, parts = computed.node, list(numbers(computed.node))
    if _is_range(node, quote) or _adds_kinds(node, quote) or _counts_terms(node, quote) or adds_to_a_symbol(node):
        return True
    unit = parts[-1].unit
    counted = parts[-1].noun or (unit is not None and not unit.physical and unit.stored is None)
    if pressed(node, "*") and counted and (computed.listed or parts[0].value == parts[-1].value):
        return True  # 3 to 16 channels, 3×3 kernel; 3×3 kernel = 432 parameters
    doubled = quote.unit is not None and quote.number.value == 2 * parts[0].value
    if doubled and node == Binary("*", parts[0], parts[-1]) and parts[0].value == parts[-1].value:
        return True  # 64 x 64 = 128 bits: of two widths
    if pressed(node, "*") and best.distance > _DIGIT:
        return True  # 4x4 = 254: a size
    if pressed(node, "-") and (computed.numbered or (quote.negative and best.distance == NOWHERE)):
        return True  # bits 7-5; 9/16 − 3/4 = −3/16 without its bars
    if isinstance(node, Binary) and node.op == "-" and not node.spaced and _spaced_product(node.right):
        return True  # 0-33 × 4: each of a range
    if _binary_digits(quote) == best.computed:
        return True  # 1/4 = 0.01
    if pressed(node, "/") and parts[-1].noun and parts[-1].place == 1:
        return True  # 31/5000 loss
    if quote.unit is not None and quote.unit.physical and any(_names_a_card(part) for part in parts):
        return True
    if _in_degrees(quote.number) and not any(map(_in_degrees, parts)):
        return True  # 3/4 = 270°, of a turn
    if isinstance(node, Binary) and operators(node) == 1:
        if node.op in "-/" and any(
            part.value == quote.number.value and part.place == 1 and _plain(part) for part in parts
        ):
            return True
        if node.op == "**" and all(part.value.denominator == 1 for part in parts):
            left, right = (int(part.value) for part in parts)
            if left ^ right == quote.number.value:
                return True
    if any(isinstance(part, Binary) and part.op == "%" and _signed(part) for part in walk(node)):
        return True  # a remainder of negative numbers, which languages tell differently
    if _of_algebra(computed, quoted, quote, parts) or _loses_superscripts(computed) or _casts(node):
        return True
    digits = {*(str(part.value) for part in parts), str(quote.number.value)}
    return all(set(text) <= {"0", "1"} for text in digits)


def _of_algebra(computed: TextSide, quoted: TextSide, quote: SignedNumber, parts: list[Measured]) -> bool:
    """``2 · 4 = 0`` in a ring, the ideals ``(2 · 3) = (60)``, the digits ``6 + 1 = (110)``, Legendre's ``(2/5) = -1``."""
    bare = quote.unit is None and not quote.number.suffix
    if not bare or quote.number.value.denominator != 1:
        return False
    whole = all(part.unit is None and part.value.denominator == 1 for part in parts)
    if not quote.number.value and whole and not any(isinstance(part, Unary) for part in walk(computed.node)):
        signs = {part.op for part in walk(computed.node) if isinstance(part, Binary)}
        if signs <= {"+", "*", "**"}:
            return True
    fraction = isinstance(computed.node, Binary) and computed.node.op == "/" and _in_parentheses(computed)
    return _in_parentheses(quoted) or (whole and fraction and quote.number.value <= 1)


def _in_parentheses(side: TextSide) -> bool:
    """Whether one pair of parentheses holds all of a side."""
    clause = side.clause
    opens = clause is not None and clause.text(side.first) == "("
    return opens and clause is not None and clause.match.get(side.first) == side.last - 1


def _loses_superscripts(computed: TextSide) -> bool:
    """``4x2 + 12 = 20``, ``2x2=9``: an x pressed between a number and a 2 or 3 may be an unknown to that power."""
    clause = computed.clause
    if clause is None:
        return False
    signs = (at for at in range(computed.first + 1, computed.last - 1) if clause.tokens[at].note == "by")
    return any(clause.text(at + 1) in ("2", "3") and clause.kind(at + 2) is not Sign.WORD for at in signs)


def _spaced_product(node: Expr) -> bool:
    return isinstance(node, Binary) and node.op == "*" and node.spaced and not node.grouped


def _binary_digits(quote: SignedNumber) -> Fraction | None:
    """The value of a broken number in base 2; None where it has other digits, a unit, or no point."""
    number = quote.number
    if number.unit is not None or number.suffix or not 0 < number.place < 1:
        return None
    digits = str(int(number.value / number.place))
    places = len(str(int(1 / number.place))) - 1
    return Fraction(int(digits, 2), 2**places) if set(digits) <= {"0", "1"} else None


def _in_degrees(part: Measured) -> bool:
    return part.unit is not None and "°" in part.unit.text


def _casts(node: Expr) -> bool:
    """``int(8) = 10``: a whole number made whole is no computation, but a type."""
    whole = isinstance(node, Call) and node.func in ("floor", "ceil", "round", "abs")
    arg = node.args[0] if isinstance(node, Call) else node
    return whole and isinstance(arg, Measured) and arg.value.denominator == 1


def pressed(node: Expr, signs: str) -> bool:
    """A single sign without white space, as in ``7/8`` or ``12-14``."""
    return isinstance(node, Binary) and operators(node) == 1 and node.op in signs and not node.spaced


def _plain(part: Measured) -> bool:
    return part.unit is None and not part.suffix


def _is_range(node: Expr, quote: SignedNumber) -> bool:
    """``4 - 6 = 2 stars``: what rises and is said to give a positive number is no difference."""
    if not isinstance(node, Binary) or node.op != "-" or quote.negative:
        return False
    low, high = node.left, node.right
    if not isinstance(low, Measured) or not isinstance(high, Measured) or low.unit != high.unit:
        return False
    code = low.value < high.value or low.value <= _NUMBERED
    if not node.spaced and low.place == high.place == 1 and quote.number.value.denominator != 1 and low.unit is None:
        return True  # 2-2 = 1/4, without its superscript
    if not node.spaced and quote.number.value > low.value and low.place == 1 and quote.unit is None and code:
        return True  # a code, a date, a score, the difference of two things that have numbers
    return low.value < high.value and high.value - low.value != quote.number.value  # 5 - 8 = 3 has lost its sign


_DIGIT = 10
"""A wrong digit changes a number by less."""
_NUMBERED = 32
"""Things that are told apart by numbers have small ones."""


def _counts_terms(node: Expr, quote: SignedNumber) -> bool:
    """``4+1+1 = 3 coins``: so many terms."""
    terms = 1
    while isinstance(node, Binary) and node.op == "+" and isinstance(node.right, Measured):
        terms, node = terms + 1, node.left
    whole = quote.number.place == 1 and isinstance(node, Measured) and node.place == 1
    return terms > 1 and whole and quote.number.value == terms


def adds_to_a_symbol(node: Expr) -> bool:
    """``4k + 1``: a k that is a letter."""
    for part in walk(node):
        if isinstance(part, Binary) and part.op in "+-":
            first, second = next(numbers(part.left)), part.right
            small = isinstance(second, Measured) and not second.suffix and second.unit is None and second.value < 100
            if small and any(number.suffix in ("k", "M", "K") for number in (first, *numbers(part.left))):
                return True
    return False


def _signed(node: Binary) -> bool:
    return any(isinstance(part, Unary) for part in walk(node))


_CARDS = frozenset(100 * series + 10 * tier for series in (10, 20, 30, 40, 50) for tier in (5, 6, 7, 8, 9))


def _names_a_card(part: Measured) -> bool:
    """``8 × 5090``: the number is the name of a graphics card."""
    return part.value in _CARDS and part.unit is None and not part.suffix and part.place == 1


def _adds_kinds(node: Expr, quote: SignedNumber) -> bool:
    """``3 floats + 1 DWORD = 16 bytes``: things are counted, and their size is told."""
    if not isinstance(node, Binary) or node.op not in "+-" or quote.unit is None or not quote.unit.physical:
        return False
    return all(part.noun and part.unit is None for part in numbers(node))
