"""The tokens of an equation of a record, in Python's notation or in LaTeX: numbers with their units, names, signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.formula import FormulaError
from flopkb.arithmetic.numbers import Quoted, ReadError, read
from flopkb.arithmetic.numbers.latex import plain_number
from flopkb.arithmetic.numeral import TO_ASCII, NumeralError, read_numeral
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
_DOTTED = re.compile(r"(?:\.[A-Za-z_]\w*)+(?:\[\w+\])?|\[\w+\]")
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
_CROSS = re.compile(r"[xX](?=\s?[0-9])")
_UNIT = re.compile(rf"(?:\s|\\[,;: ]|~|-(?=bits?\b))?(?:{_WRAPPED}|([A-Za-zµμ$%][\w$%²³]*(?:/[A-Za-zµμ][\w²³]*)*))")
_TENS = r"10\s?\^\s?(?:\{\s?[-−+]?[0-9]+\s?\}|[-−+]?[0-9]+)"
_GROUPED = re.compile(
    rf"{_TENS}|(?:[0-9]{{1,3}}(?:(?:\{{,\}}|\\,)[0-9]{{3}}(?![0-9]))+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?(?=\s?\\(?:times|cdot)\s?{_TENS}))"
    rf"(?:\s?\\(?:times|cdot)\s?{_TENS})?"
)
_BASE = re.compile(r"[^\^*⁻⁺⁰¹²³⁴-⁹]+")


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
    cross = _CROSS.match(text, at, end) if char not in known else None
    if cross:
        yield Token(Sign.OPERATOR, "*", at, cross.end(), gap)
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
        reading = reading_of(f"{digits} {unit}") if unit_end else None
        reading = reading or reading_of(digits + unit)
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


def reading_of(text: str) -> Quoted | None:
    """A text as a quoted number, None where it is none."""
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
