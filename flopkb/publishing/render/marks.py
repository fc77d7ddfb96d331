"""Marks that stand for document objects and stretches of the template in the text that a template gives (a leaf).

A mark is three characters of Unicode's private use area, so that no digit or letter of it is ever read as prose.
"""

from __future__ import annotations

import re

OBJECT, TEXT = "\ue000", "\ue001"
_FIRST, _BASE = 0xE100, 4096
MARK = re.compile("[\ue000\ue001][\ue100-\uf0ff][\ue100-\uf0ff]")
STRAY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]")
"""Characters that no text of a template may hold: a mark must not be forged."""

MOST = _BASE * _BASE


def mark(kind: str, index: int) -> str:
    """The mark of the object (or the text) with this number."""
    high, low = divmod(index, _BASE)
    return kind + chr(_FIRST + high) + chr(_FIRST + low)


def index_of(written: str) -> int:
    """The number behind a mark."""
    return (ord(written[1]) - _FIRST) * _BASE + ord(written[2]) - _FIRST
