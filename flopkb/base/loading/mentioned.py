"""Which files of a base a question needs: those with formulas (or of no kind that is known), and the records that they mention.

Decided from the texts alone, which takes a tenth of the time of reading all of them. A record that a formula reads is
mentioned by its id, in a formula or in the question; who asks may call it by a name. Where a question ends without a value
the whole base is read, so that every message is that of the whole base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from flopkb.base.document import folded

_PLAIN = re.compile(r"""^kind:[ \t]*["']?(?:accelerator|interconnect|model|dtype|source)\b""", re.MULTILINE)
_SOURCE = re.compile(r"""^kind:[ \t]*["']?source\b""", re.MULTILINE)
_NAMES = re.compile(r"^(?:name|aliases):(.*(?:\n[ \t-].*)*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BETWEEN = re.compile(r"""[\[\],"'\n]|^\s*-\s""", re.MULTILINE)


def mentioned(texts: Mapping[str, str], question: Iterable[str]) -> frozenset[str]:
    """The files, of ``texts`` by the stems of their names, that a question in some words needs."""
    asked = {folded(word) for word in question} - {""}
    named = {stem for stem, text in texts.items() if folded(stem) in asked or asked & _names(text)}
    found = {stem for stem, text in texts.items() if stem in named or not _PLAIN.search(text)}
    queue = list(found)
    while queue:
        words = set(_WORD.findall(texts[queue.pop()]))
        more = {stem for stem in words & texts.keys() - found if not _SOURCE.search(texts[stem])}
        found |= more
        queue += more
    return frozenset(found)


def _names(text: str) -> set[str]:
    """The names in the lines of a record that say them."""
    return {folded(part) for match in _NAMES.finditer(text) for part in _BETWEEN.split(match[1])}
