"""Marks that stand for document objects and stretches of the template in the text that a template gives (a leaf).

A mark is three characters of Unicode's private use area, so that no digit or letter of it is ever read as prose.
"""

from __future__ import annotations

import re

OBJECT, TEXT = "\ue000", "\ue001"
_FIRST, _BASE = 0xE100, 4096
MARK = re.compile("[\ue000\ue001][\ue100-\uf0ff][\ue100-\uf0ff]")
PRIVATE = re.compile("[\ue000-\uf8ff]")
MOST = _BASE * _BASE


def mark(kind: str, index: int) -> str:
    """The mark of the object (or the text) with this number."""
    high, low = divmod(index, _BASE)
    return kind + chr(_FIRST + high) + chr(_FIRST + low)


def index_of(written: str) -> int:
    """The number behind a mark."""
    return (ord(written[1]) - _FIRST) * _BASE + ord(written[2]) - _FIRST
