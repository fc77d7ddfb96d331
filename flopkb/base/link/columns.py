"""The unit or scale that the head of a column, or the label of a row, states for its numbers: ``Time (ms)``, ``Runs (k)``."""

from __future__ import annotations

import re
from fractions import Fraction

from flopkb.arithmetic.unit_table import SUFFIXES
from flopkb.arithmetic.units import Unit, UnitError, parse_unit

_BAR = re.compile(r"(?<!\\)\|")
_HEAD = re.compile(
    r"(?:[(\[]\s*([^()\[\]|]{1,24})[)\]]|,\s*([^,|]{1,24})|\s(in\s+[a-z]+s)|\s([x×]\s?10\S{1,4}))\s*[*_]*\s*$"
)
_RULE = re.compile(r"[\s>]*\|?\s*:?-+:?\s*(?:\||$)")
_TEN = re.compile(r"[x×]?\s?10\^?([0-9¹²³⁴-⁹]{1,2})")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_COUNTED = frozenset(
    ("param", "params", "parameter", "parameters", "token", "tokens", "row", "rows", "download", "downloads")
)
"""Behind these a letter in brackets is a scale, whatever stands before: ``Model params (M)``."""
_NAMED = {"mn": "million", "mio": "million", "mln": "million", "mrd": "billion", "G": "billion"}


def column_unit(text: str, offset: int) -> Unit | None:
    """The unit (a plain scale too) in the head of the column that holds the character at ``offset``, else in the first cell
    of its row; None where neither states one.
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    head = _head(text, start)
    if head is None:
        return None
    line = text[start : end if end >= 0 else len(text)]
    column = len(_BAR.findall(text, start, offset)) - line.lstrip(" >").startswith("|")
    heads, row = _cells(head), _cells(line)
    found = stated_unit(heads[column]) if column < len(heads) else None
    return found or (stated_unit(row[0]) if column > 0 else None)


def _cells(line: str) -> list[str]:
    return _BAR.split(line.strip(" >\t\r").removeprefix("|"))


def stated_unit(cell: str) -> Unit | None:
    """The unit at the end of a head or a label; the letter of a name (``Batch (B)``) is none."""
    match = _HEAD.search(cell)
    if match is None:
        return _lone_unit(cell.strip(" *_"))
    written = re.sub(r"^in\s+", "", next(filter(None, match.groups())).strip())
    words = re.findall(r"[A-Za-z]+", cell[: match.start()].lower())
    named = words[-1:] if words and words[-1] in _COUNTED else words
    if written in ("B", "T", "k", "K", "M", "G") and any(word.startswith(written.lower()) for word in named):
        return parse_unit("B") if written == "B" and any(word.startswith("byte") for word in words) else None
    scale, _, rest = written.partition(" ")
    known = _scale(scale) or (_scale(written) if rest else None)
    try:
        if known is None or written == "B":
            return parse_unit(written)
        counted = parse_unit(rest) if rest and _scale(written) is None else parse_unit("1")
        return Unit(counted.scale * known, counted.powers, written)
    except UnitError:
        return None


def _lone_unit(cell: str) -> Unit | None:
    """A head that is nothing but a unit (``GB/s``); a letter alone is a symbol."""
    try:
        unit = parse_unit(cell) if 1 < len(cell) <= 24 else None
    except UnitError:
        return None
    return unit if unit is not None and unit.dimension else None


def _scale(written: str) -> Fraction | None:
    """What a word, a letter or a power of ten multiplies by."""
    power = _TEN.fullmatch(written)
    if power is not None:
        return Fraction(10) ** int(power[1].translate(_SUPERSCRIPT))
    name = _NAMED.get(written, written)
    single = name.lower().removesuffix("s") if len(name) > 2 else name
    return Fraction(SUFFIXES[single][0]) if single and single in SUFFIXES else None


def in_counts(column: Unit) -> Unit:
    """The unit of a column of counts: a ``B`` in its head is billions there."""
    return Unit(Fraction(10**9), (), "B") if column.text == "B" else column


def _head(text: str, start: int) -> str | None:
    """The first line of the table that has a line at ``start``."""
    lines: list[str] = []
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before : start - 1]
        if "|" not in line:
            break
        lines.append(line)
        start = before
    return lines[-1] if len(lines) > 1 and _RULE.match(lines[-2]) else None
