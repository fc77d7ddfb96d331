"""The unit that the head of a column states for the numbers below it: ``Time (ms)``."""

from __future__ import annotations

import re

from flopkb.arithmetic.units import Unit, UnitError, parse_unit

_BAR = re.compile(r"(?<!\\)\|")
_HEAD = re.compile(r"(?:[(\[]([^()\[\]|]{1,20})[)\]]|,\s*([^,|]{1,20}))\s*[*_]*\s*$")
_RULE = re.compile(r"[\s>]*\|?\s*:?-+")


def column_unit(text: str, offset: int) -> Unit | None:
    """The unit in the head of the column that holds the character at ``offset``; None where it states none."""
    start = text.rfind("\n", 0, offset) + 1
    if not text[start:offset].lstrip(" >").startswith("|"):
        return None
    column = len(_BAR.findall(text, start, offset)) - 1
    head = _head(text, start)
    cells = _BAR.split(head.strip(" >").removeprefix("|")) if head is not None else []
    match = _HEAD.search(cells[column]) if column < len(cells) else None
    try:
        return parse_unit((match[1] or match[2]).strip()) if match is not None else None
    except UnitError:
        return None


def _head(text: str, start: int) -> str | None:
    """The first line of the table that has a line at ``start``."""
    lines: list[str] = []
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before : start - 1]
        if not line.lstrip(" >").startswith("|"):
            break
        lines.append(line)
        start = before
    return lines[-1] if len(lines) > 1 and _RULE.match(lines[-2]) else None
