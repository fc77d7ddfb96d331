"""The signs of one side of an equation, in Python's notation or in LaTeX, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.numeral import TO_ASCII, NumeralError, read_numeral
from flopkb.arithmetic.text.lexer import Sign, Token

_SPACE = re.compile(
    r"(?:\s|\\[,;:!> ]|~|\\(?:quad|qquad|left|right|bigl?|bigr?|Bigl?|Bigr?|displaystyle|,)(?![A-Za-z])|&)+"
)
_WRAPPED = r"\\(?:text|mathrm|mathit|mathsf|mathbf|textrm|operatorname\*?)\{([^{}]*)\}"
_WORD = re.compile(
    rf"(?:{_WRAPPED}|\\(alpha|beta|gamma|delta|epsilon|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega)"
    r"(?![A-Za-z])|([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*))"
)
_SUBSCRIPT = re.compile(rf"\s?_(?:\{{\s?(?:{_WRAPPED}|([A-Za-z0-9_, ]+))\s?\}}|{_WRAPPED}|([A-Za-z0-9]))")
_DOTTED = re.compile(r"\.[A-Za-z_]\w*(?:\[\w+\])?|\[\w+\]")
_POWER = re.compile(
    r"\^\s?(?:\{\s?([-−+]?[0-9]+)\s?\}|([-−+]?[0-9]+))|([⁻⁺]?[⁰¹²³⁴-⁹]+)|\*\*\s?([-−+]?[0-9]+|\(\s?[-−][0-9]+\s?\))"
)
_OPERATORS = {
    "*": "*", "×": "*", "·": "*", "⋅": "*", "∗": "*", "\\times": "*", "\\cdot": "*", "\\ast": "*",
    "/": "/", "÷": "/", "⁄": "/", "∕": "/", "\\div": "/",
    "+": "+", "-": "-", "−": "-", "–": "-",
    "(": "(", "[": "(", "{": "(", ")": ")", "]": ")", "}": ")", ",": ",",
    "\\lceil": "⌈", "⌈": "⌈", "\\rceil": "⌉", "⌉": "⌉", "\\lfloor": "⌊", "⌊": "⌊", "\\rfloor": "⌋", "⌋": "⌋",
}  # fmt: skip
_BRACKETS = {
    **dict.fromkeys("(⌈⌊", Sign.OPEN), **dict.fromkeys(")⌉⌋", Sign.CLOSE), ",": Sign.PUNCTUATION,
}  # fmt: skip
_OPERATOR = re.compile(r"\\(?:times|cdot|ast|div|lceil|rceil|lfloor|rfloor)(?![A-Za-z])|[*×·⋅∗/÷⁄∕+−–(){}\[\],⌈⌉⌊⌋-]")
_FUNCTION = re.compile(
    r"\\[dt]?frac\s?(?=\{)|\\?(min|max|ceil|floor)(?![A-Za-z0-9_])\s?(?=[({])|\\(min|max)(?![A-Za-z])"
)
_UNIT = re.compile(rf"(?:\s|\\[,;: ]|~)?(?:{_WRAPPED}|([A-Za-zµμ$%][\w$%²³]*(?:/[A-Za-zµμ][\w²³]*)*))")
_GROUPED = re.compile(r"[0-9]{1,3}(?:\{,\}[0-9]{3})+(?:\.[0-9]+)?")
_BASE = re.compile(r"[^\^*⁻⁺⁰¹²³⁴-⁹]+")
_UNIT_PART = re.compile(r"/(?=[^/]*$)")


class Unread(ValueError):
    """A side that cannot be read: the place in the text, and why."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(offset, reason)
        self.offset = offset
        self.reason = reason


def tokens(text: str, start: int, end: int, known: frozenset[str]) -> Iterator[Token]:
    """The signs of ``text[start:end]``; raises :class:`Unread`. ``known`` are the names that letters may stand for."""
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
    if _WORD.match(text, at, end):
        yield from _names(text, at, end, known, gap)
        return
    sign = _OPERATOR.match(text, at, end)
    if sign is None:
        raise Unread(at, f"`{text[at : at + 12].split()[0]}` cannot be read here")
    name = _OPERATORS[sign[0]]
    yield Token(_BRACKETS.get(name, Sign.OPERATOR), name, at, sign.end(), gap)


def _number(text: str, at: int, end: int, known: frozenset[str], gap: bool) -> Token:
    """A number with its suffix or unit, unless the letters behind it are names that it multiplies."""
    digits, stop = _digits(text, at, end)
    for unit_end, unit in _units(text, stop, end, known):
        reading = _reading(f"{digits} {unit}") if unit_end else None
        reading = reading or _reading(digits + unit)
        if reading is not None:
            stop = unit_end or stop
            return Token(Sign.NUMBER, text[at:stop], at, stop, gap, reading=reading)
    raise Unread(at, f"`{digits}` is no number")


def _digits(text: str, at: int, end: int) -> tuple[str, int]:
    """The digits at ``at`` (behind a dollar, perhaps) and where they end; ``131{,}072`` is LaTeX for 131,072."""
    grouped = _GROUPED.match(text, at, end)
    if grouped:
        return grouped[0].replace("{,}", ","), grouped.end()
    digits_at = at + (text[at] == "$")
    try:
        numeral, stop = read_numeral(text[:end], digits_at)
    except NumeralError as error:
        raise Unread(error.offset, f"`{text[at : at + 12].split()[0]}` {error.reason}") from None
    if numeral.exact:  # 8192² is 8192 to a power: its digits are those of an input
        base = _BASE.match(numeral.text)
        stop = digits_at + (base.end() if base else 0)
    return text[at:stop], stop


def _units(text: str, stop: int, end: int, known: frozenset[str]) -> Iterator[tuple[int, str]]:
    """The units that may follow, the longest first; at last none."""
    unit = _UNIT.match(text, stop, end)
    if unit is not None and unit[1] is not None:
        yield unit.end(), unit[1].strip()
    elif unit is not None and _may_be_unit(unit[2].partition("/")[0], known, gap=text[stop].isspace()):
        written, after = unit[2], unit.end()
        while written:
            yield after, written
            cut = _UNIT_PART.search(written)
            after, written = (after - len(written) + cut.start(), written[: cut.start()]) if cut else (after, "")
    yield 0, ""


def _may_be_unit(word: str, known: frozenset[str], *, gap: bool) -> bool:
    """``2mn`` multiplies, and ``2 B`` where B is known; ``4 bytes`` is an amount, whatever else is called bytes."""
    return segmented(word, known) is None or (gap and len(word) > 1)


def _reading(text: str) -> Quoted | None:
    try:
        return read(text.strip())
    except ReadError:
        return None


def _names(text: str, at: int, end: int, known: frozenset[str], gap: bool) -> Iterator[Token]:
    """A word, or letters that multiply each other: ``mnb`` where m, n and b are known."""
    word, stop = _word(text, at, end)
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
    if parts is None:
        raise Unread(at, f"`{word}` is no name here")
    place = at
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        yield Token(Sign.WORD, part, place, stop if last else min(place + len(part), stop), gap and not index)
        place = min(place + len(part), stop)


def _word(text: str, at: int, end: int) -> tuple[str, int]:
    match = _WORD.match(text, at, end)
    assert match is not None
    return next(group for group in match.groups() if group is not None).strip(), match.end()


def segmented(word: str, known: frozenset[str]) -> list[str] | None:
    """The known names that a word is made of, as few as will do, or None."""
    if word in known:
        return [word]
    if len(word) > 40:
        return None
    best: list[list[str] | None] = [[]] + [None] * len(word)
    for stop in range(1, len(word) + 1):
        for start in range(stop):
            head = best[start]
            if head is not None and word[start:stop] in known:
                current = best[stop]
                if current is None or len(head) + 1 < len(current):
                    best[stop] = [*head, word[start:stop]]
    return best[-1]
