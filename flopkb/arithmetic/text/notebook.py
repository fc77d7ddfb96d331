"""Notebooks of Jupyter: the texts of their cells and outputs, each character in its place in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LEXEME = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": " ", "b": " ", "f": " "}
_TEXTS = ("source", "text", "text/plain", "text/markdown")
_LARGEST = 1 << 20
"""An output longer than this is no text that anybody reads."""

Part = tuple[int, int, bool]
"""Where a cell or an output begins and ends, and whether its lines stand alone."""


@dataclass(slots=True)
class _Container:
    sign: str
    key: str = ""
    """In an object: the key whose value stands next."""
    value: bool = False
    kind: str = field(default="")
    """Of a cell: its type."""


def cells(text: str) -> tuple[str, list[Part]]:
    """The file with everything but texts blanked out and escapes resolved in place, and the parts it holds.

    A file that is no notebook gives blanks.
    """
    seen, parts = [" "] * len(text), list[Part]()
    stack: list[_Container] = []
    for match in _LEXEME.finditer(text):
        sign = text[match.start()]
        if sign in "{[":
            stack.append(_Container(sign))
        elif sign in "}]":
            closed = stack.pop() if stack else None
            if closed is not None and sign == "]":
                _part_ends(stack, parts, match.end())
        elif not stack:
            continue
        elif sign in ":,":
            stack[-1].value = sign == ":"
        elif stack[-1].sign == "{" and not stack[-1].value:
            stack[-1].key = match[0][1:-1]
        else:
            _value(stack, match, seen, parts)
    return "".join(seen), [part for part in parts if part[1] > part[0]]


def _value(stack: list[_Container], match: re.Match[str], seen: list[str], parts: list[Part]) -> None:
    top = stack[-1]
    if top.sign == "{" and top.key == "cell_type":
        top.kind = match[0][1:-1]
    owner = top if top.sign == "{" else stack[-2] if len(stack) > 1 else top
    if owner.key not in _TEXTS or len(match[0]) > _LARGEST or not any(each.key == "cells" for each in stack):
        return
    if top.sign == "{" or not parts or parts[-1][1] >= 0:
        prose = owner.key == "text/markdown" or (owner.key == "source" and owner.kind in ("markdown", "raw", ""))
        parts.append((match.start(), -1, not prose))
    _write(match, seen)
    if top.sign == "{":
        _part_ends(stack, parts, match.end())


def _part_ends(stack: list[_Container], parts: list[Part], end: int) -> None:
    if parts and parts[-1][1] < 0:
        parts[-1] = (parts[-1][0], end, parts[-1][2])


def _write(match: re.Match[str], seen: list[str]) -> None:
    """The characters of one string; the last place of an escape holds what it stands for."""
    at, inside = match.start() + 1, match[0][1:-1]
    last = 0
    for escape in _ESCAPE.finditer(inside):
        seen[at + last : at + escape.start()] = inside[last : escape.start()]
        seen[at + escape.end() - 1] = _meant(escape[0])
        last = escape.end()
    seen[at + last : at + len(inside)] = inside[last:]


def _meant(escape: str) -> str:
    if escape[1] == "u":
        code = int(escape[2:], 16)
        return " " if 0xD800 <= code < 0xE000 else chr(code)
    return _PLAIN.get(escape[1], escape[1])
