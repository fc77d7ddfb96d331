"""What an equation that comes out wrong may be instead: right with other digits, in another arithmetic, or running on.

Text loses things on its way to a file: a superscript (``2^8`` becomes ``28``), the bar of a fraction (``3/4``, ``34``),
what parts thousands from decimals. Whole numbers are also computed with modulo a number, in other bases and bit by bit
where the text around them says so. Where one of these makes an equation right, it is not called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import gcd

from flopkb.arithmetic.formula import Binary, Expr, walk
from flopkb.arithmetic.text.lexer import Sign
from flopkb.arithmetic.text.measures import Choice
from flopkb.arithmetic.text.quotes import as_quote
from flopkb.arithmetic.text.sides import TextSide
from flopkb.arithmetic.text.tree import Measured, evaluate, numbers, operators, with_numbers
from flopkb.arithmetic.text.verdict import Judged

_MOST = 600
"""So many ways to read the digits are tried."""
_MOST_NUMBERS = 6
_TALLEST = 40
"""Exponents that lost their place are small."""


def explained(outcome: Judged, lefts: list[TextSide], rights: list[TextSide], text: str) -> str:
    """What makes a wrong equation right after all, as a reason not to judge it; empty where nothing does."""
    if not lefts or not rights:
        return ""
    left, right = lefts[0], rights[0]
    computed = right if any(outcome.quoted is side for side in lefts) else left
    if _by_a_tail(computed, outcome.quoted):
        return "the end of its side alone gives the result"
    if _by_other_digits(left.node, right.node, text):
        return "it is right if a superscript, the bar of a fraction or a separator was lost"
    whole = _whole(left.node) and _whole(right.node)
    if whole and (_wraps(left.node, right.node) or _in_another_arithmetic(left.node, right.node, text)):
        return "the text computes with whole numbers in another way"
    return ""


def _value(node: Expr) -> Fraction | None:
    try:
        return evaluate(node, Choice()).base
    except ArithmeticError:
        return None


def _by_a_tail(computed: TextSide, quoted: TextSide) -> bool:
    """``1.5x (632 * 1.5 = 948``: what stands in a bracket behind a number, with no sign between, gives the result."""
    quote, clause = as_quote(quoted.node), computed.clause
    if quote is None or clause is None or not quote.precise:
        return False
    for cut in range(computed.first + 1, computed.last - 2):
        if clause.kind(cut) is not Sign.OPEN or clause.kind(cut - 1) is Sign.OPERATOR:
            continue
        tail = clause.whole(cut + 1, computed.last, False)
        value = _value(tail.node) if isinstance(tail, TextSide) and operators(tail.node) else None
        if value is not None and abs(value - quote.value(Choice())) <= quote.number.place / 2:
            return True
    return False


def _by_other_digits(left: Expr, right: Expr, text: str) -> bool:
    """Whether some numbers of the left side, or all of both as fractions, read otherwise make the sides equal."""
    quote, written = as_quote(right), _value(right)
    near = Fraction(0)
    if quote is not None and quote.precise and written is not None:
        near = quote.number.place / 2 / quote.number.value * abs(written)
    values = (_value(one) for one in islice(_variants(left, text), 1, _MOST))
    if written is not None and any(value is not None and abs(value - written) <= near for value in values):
        return True
    wanted = {_value(other) for other in _variants(right, text, fractions=True)}
    return any(_value(one) in wanted - {None} for one in islice(_variants(left, text, fractions=True), _MOST))


def _variants(node: Expr, text: str, *, fractions: bool = False) -> Iterator[Expr]:
    """The expression with its numbers read in every way, first as it is; or with all of two digits as ``fractions``."""
    leaves = list(numbers(node))
    if len(leaves) > _MOST_NUMBERS:
        return
    for chosen in product(*(list(_readings(number, text, fractions=fractions)) for number in leaves)):
        yield with_numbers(node, {number.offset: other for number, other in zip(leaves, chosen, strict=True)})


_DIGITS = re.compile(r"[0-9]{2,4}")
_SEPARATED = re.compile(r"([0-9]{1,3})[.,]([0-9]{3})")


def _readings(number: Measured, text: str, *, fractions: bool) -> Iterator[Measured]:
    written = text[number.offset : number.end]
    found = list(_fractions(written)) if _DIGITS.fullmatch(written) else []
    if fractions:
        yield from (replace(number, value=value) for value in found)
        if not found:
            yield number
        return
    yield number
    yield from (replace(number, value=value) for value in found)
    if _DIGITS.fullmatch(written):
        for at in range(1, len(written)):
            base, exponent = int(written[:at]), int(written[at:])
            if 1 < exponent <= _TALLEST and base > 1 and written[at] != "0":
                yield replace(number, value=Fraction(base) ** exponent)
    elif separated := _SEPARATED.fullmatch(written):
        thousands = int(separated[1] + separated[2])
        yield replace(number, value=Fraction(thousands) if "." in written else Fraction(thousands, 1000))


def _fractions(digits: str) -> Iterator[Fraction]:
    """``34`` as 3/4, ``818`` as 8 1/8: the fractions in lowest terms that digits may be without their bars."""
    for at in range(1, len(digits)):
        over, under = int(digits[:at]), int(digits[at:])
        if under > 1 and digits[at] != "0" and gcd(over, under) == 1:
            yield Fraction(over, under)
        for bar in range(at + 1, len(digits)):
            part, of = int(digits[at:bar]), int(digits[bar:])
            if 0 < part < of and gcd(part, of) == 1 and digits[bar] != "0":
                yield int(digits[:at]) + Fraction(part, of)


_AROUND = 300
_MODULAR = re.compile(
    r"\b(?:mod|modulo|modular|modulus|congruen\w*|residues?|GF|xor|bitwise|boolean|overflow\w*|finite field|ideals?|rings?)\b"
    r"|≡|⊕|∧|∨|\\(?:equiv|[pb]?mod|oplus|land|lor|mathbb\{?[FZ])|[FZ]_|[a-z]\s?%\s?[0-9a-z]|取模|模|异或",
    re.IGNORECASE,
)
_BASED = re.compile(
    r"\b(?:binary|octal|hex|hexadecimal|base[ -]?[0-9]+|base|radix|digits?|two.s complement)\b|进制", re.IGNORECASE
)


def _whole(node: Expr) -> bool:
    """Whether bare whole numbers are all there is."""
    return all(
        part.value.denominator == 1 and part.place in (0, 1) and part.unit is None and not part.suffix
        for part in numbers(node)
    )


def _wraps(left: Expr, right: Expr) -> bool:
    """``32767 + 1 = -32768``: off by all that a machine's number can hold."""
    a, b = _value(left), _value(right)
    return a is not None and b is not None and abs(a - b) in _HELD


_HELD = frozenset(2**bits for bits in (8, 16, 31, 32, 63, 64, 128, 256))


def _in_another_arithmetic(left: Expr, right: Expr, text: str) -> bool:
    a, b = _value(left), _value(right)
    if a is None or b is None:
        return False
    start, end = min(left.offset, right.offset), max(left.end, right.end)
    around = text[max(0, start - _AROUND) : end + _AROUND // 2]
    result = b if as_quote(right) is not None else a
    divides = any(isinstance(part, Binary) and part.op == "/" for side in (left, right) for part in walk(side))
    if (a - b).denominator == 1 and 0 <= result < abs(a - b) and not divides and _MODULAR.search(around):
        return True
    return _BASED.search(around) is not None and any(_in_base(left, right, base, text) for base in _BASES)


_BASES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16)


def _in_base(left: Expr, right: Expr, base: int, text: str) -> bool:
    sides = []
    for node in (left, right):
        values: dict[int, Measured] = {}
        for number in numbers(node):
            try:
                values[number.offset] = replace(number, value=Fraction(int(text[number.offset : number.end], base)))
            except ValueError:
                return False
        sides.append(_value(with_numbers(node, values)))
    return sides[0] is not None and sides[0] == sides[1]
