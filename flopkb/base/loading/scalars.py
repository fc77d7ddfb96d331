"""Scalars: what a plain one means, and where each character of one stands in the file.

Plain scalars have the core schema of YAML 1.2, with exact numbers: ``no``, ``on`` and dates are strings; ``989.4e12`` is a
number. What no exact finite number stands for is refused.

YAML folds lines, strips indentation and resolves escapes; for places, the written form is walked once more, and each place
from which text and file run side by side noted as :class:`~flopkb.base.document.Segment`. Lines and columns here count from 0;
:func:`segments_of` shifts them to the positions that are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from flopkb.base.document import Plain, Segment, Style

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)
_OCTAL = re.compile(r"0o[0-7]+", re.ASCII)
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+", re.ASCII)
_DECIMAL = re.compile(r"([-+]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([-+]?[0-9]+))?", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", re.ASCII)
_FIRST = frozenset("0123456789+-.")

LONGEST_NUMBER = 400
"""A number written with more characters than this is refused (no quantity needs them, and they cost time)."""

LARGEST_EXPONENT = 308
"""Numbers from 1e309 on, and those not over 1e-309, are out of range."""


class NumberError(ValueError):
    """A plain scalar that looks like a number but stands for none that a record may hold; ``str()`` is the sentence."""


def plain_value(text: str) -> Plain:
    """The value of a plain scalar; raises :class:`NumberError` for infinities, NaN and numbers out of range."""
    if not text or text[0] not in _FIRST:
        return None if text in _NULL else _BOOLEAN.get(text, text)
    if len(text) > LONGEST_NUMBER:
        return _long(text)
    if _INTEGER.fullmatch(text):
        return _in_range(int(text), text)
    if _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return _in_range(int(text, 0), text)
    match = _DECIMAL.fullmatch(text)
    if match:
        return _decimal(match, text)
    if _NOT_FINITE.fullmatch(text):
        raise NumberError(f"`{text}` cannot be computed with: write a finite number, or leave the key out")
    return text


def _long(text: str) -> str:
    if any(p.fullmatch(text) for p in (_DECIMAL, _HEXADECIMAL, _OCTAL)):
        raise NumberError(f"a number of {len(text)} characters: write it in at most {LONGEST_NUMBER}")
    return text


def _decimal(match: re.Match[str], text: str) -> int | Fraction:
    """The exact value; the size is judged from the digits and the exponent before any power is taken."""
    sign, whole, part, bare, exponent_text = match.groups()
    part = bare or part or ""
    digits = ((whole or "") + part).lstrip("0")
    if not digits:
        return 0
    exponent = int(exponent_text or "0") - len(part)
    if abs(exponent + len(digits)) > 2 * LARGEST_EXPONENT:
        raise _range(text)
    mantissa = int(sign + digits)
    value = Fraction(mantissa * 10**exponent) if exponent >= 0 else Fraction(mantissa, 10**-exponent)
    return _in_range(value.numerator if value.denominator == 1 else value, text)


_LIMIT: int = 10 ** (LARGEST_EXPONENT + 1)
_SMALLEST = Fraction(1, _LIMIT)


def _in_range(value: int | Fraction, text: str) -> int | Fraction:
    size = -value if value < 0 else value
    if size >= _LIMIT or 0 < size <= _SMALLEST:
        raise _range(text)
    return value


def _range(text: str) -> NumberError:
    shown = text if len(text) <= 40 else text[:37] + "…"
    return NumberError(f"`{shown}` is out of range: a number lies between 1e-309 and 1e309 in size")


Place = Callable[[int, int, int], Segment]
"""offset in the text, line and column in the file (from 0) -> the segment with reported positions."""

_HEX_ESCAPES = {"x": 2, "u": 4, "U": 8}
_BLANK = " \t"


def segments_of(
    lines: Sequence[str], style: Style, start: tuple[int, int], end: tuple[int, int], text: str, place: Place
) -> tuple[Segment, ...]:
    """The segments of the scalar written from ``start`` to ``end`` (line, column) of ``lines`` (without line ends)."""
    if style is Style.LITERAL:
        return tuple(_literal(lines, start[0] + 1, text, place))
    if style is Style.FOLDED:
        return tuple(_folded(lines, start[0] + 1, text, place))
    inner = 0 if style is Style.PLAIN else 1
    first = (start[0], start[1] + inner)
    if start[0] == end[0] and (style is Style.PLAIN or len(text) == end[1] - start[1] - 2):
        return (place(0, *first),)
    return tuple(_flow(lines, style, first, (end[0], end[1] - inner), place))


def _literal(lines: Sequence[str], first: int, text: str, place: Place) -> list[Segment]:
    """Lines of text and of the file correspond one to one below the header."""
    written = text.split("\n")
    indent = _indent(lines, first, written)
    found = []
    offset = 0
    for number, content in enumerate(written, first):
        if number < len(lines):
            found.append(place(offset, number, min(indent, len(lines[number]))))
        offset += len(content) + 1
    return found


def _indent(lines: Sequence[str], first: int, written: Sequence[str]) -> int:
    """What the block's indentation is: by how much the first line with content is longer in the file."""
    for number, content in enumerate(written, first):
        if content:
            return len(lines[number]) - len(content)
    return 0


def _folded(lines: Sequence[str], first: int, text: str, place: Place) -> list[Segment]:
    """Walks the file's lines as the folding rules of YAML do, keeping the offset in the folded text."""
    number = first
    while number < len(lines) and not lines[number].strip(" "):
        number += 1
    body = text.lstrip("\n")
    if number >= len(lines) or not body:
        return [place(0, first, 0)] if first < len(lines) else []
    indent = len(lines[number]) - len(lines[number].lstrip(" ")) - (len(body) - len(body.lstrip(" ")))
    found = [place(i, first + i, min(indent, len(lines[first + i]))) for i in range(number - first)]
    offset = number - first
    while offset < len(text) and number < len(lines):
        content = lines[number][indent:]
        found.append(place(offset, number, indent))
        offset += len(content)
        following, blanks = _next_content(lines, number + 1, indent)
        own = 1
        if text[offset:].strip("\n") and not (_spaced(content) or _spaced(lines[following][indent:])):
            own = 0 if blanks else 1  # folded: blank lines stand for newlines, a lone break for a space
        for index in range(blanks):
            line = number + 1 + index
            found.append(place(offset + own + index, line, min(indent, len(lines[line]))))
        offset += own + blanks
        number = following
    return found


def _next_content(lines: Sequence[str], number: int, indent: int) -> tuple[int, int]:
    """The next line that is more than blanks up to the indentation, and how many such blank lines come before it."""
    start = number
    while number < len(lines) and not lines[number][:indent].strip(" ") and not lines[number][indent:]:
        number += 1
    return number, number - start


def _spaced(content: str) -> bool:
    return content[:1] in (" ", "\t")


def _flow(
    lines: Sequence[str], style: Style, start: tuple[int, int], end: tuple[int, int], place: Place
) -> list[Segment]:
    """Plain and quoted scalars: each line without its outer blanks, a break as a space, blank lines as newlines."""
    found: list[Segment] = []
    offset = 0
    number, column = start
    while True:
        last = number == end[0]
        stop = end[1] if last else len(lines[number])
        content = lines[number][:stop]
        continued = not last and style is Style.DOUBLE and _continues(content, column)
        if continued:
            content = content[:-1]
        elif not last:
            content = _without_trailing_blanks(content, style, column)
        offset = _line(content, style, number, column, offset, found, place)
        if last:
            return found
        blanks = 0
        while number + 1 + blanks < end[0] and not lines[number + 1 + blanks].strip(_BLANK):
            blanks += 1
        if not continued:
            found.append(place(offset, number, len(content)))
            offset += 0 if blanks else 1
        for index in range(blanks):
            found.append(place(offset, number + 1 + index, 0))
            offset += 1
        number += blanks + 1
        column = len(lines[number]) - len(lines[number].lstrip(_BLANK))
        if number == end[0]:
            column = min(column, end[1])


def _without_trailing_blanks(content: str, style: Style, column: int) -> str:
    kept = content[:column] + content[column:].rstrip(_BLANK)
    escaped = style is Style.DOUBLE and len(kept) < len(content) and _continues(kept, column)
    return content[: len(kept) + 1] if escaped else kept


def _continues(content: str, column: int) -> bool:
    """Whether a double-quoted line ends in a lone backslash, which joins it to the next."""
    tail = content[column:]
    return (len(tail) - len(tail.rstrip("\\"))) % 2 == 1


def _line(content: str, style: Style, number: int, column: int, offset: int, found: list[Segment], place: Place) -> int:
    """Notes one line's segments: a new one after each escape. Returns the offset behind the line."""
    found.append(place(offset, number, column))
    mark = {Style.SINGLE: "'", Style.DOUBLE: "\\"}.get(style)
    while mark is not None:
        at = content.find(mark, column)
        if at < 0:
            break
        offset += at - column + 1
        column = at + (2 if style is Style.SINGLE else _escape_length(content, at))
        found.append(place(offset, number, column))
    return offset + len(content) - column


def _escape_length(content: str, at: int) -> int:
    return 2 + _HEX_ESCAPES.get(content[at + 1 : at + 2], 0)
