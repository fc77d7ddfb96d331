"""The numbers that a reader of plain prose sees and that nothing stands behind.

A word that begins with a letter is an identifier, one that begins with a digit a quantity. Dates, URLs, DOIs, arXiv
numbers, "Equation 2" and the names of records are no quantities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from flopkb.arithmetic.numeral import SUPERSCRIPTS

HOLE = "\ufffc"
"""Stands in the scanned text for what is no prose: code, the text of a link."""

_FRACTIONS = "\u00bc-\u00be\u2150-\u215e"
_LETTER = rf"[^\W\d_{SUPERSCRIPTS}\u2080-\u2089{_FRACTIONS}]"
_HYPHEN = r"[-\u2010\u2011]"
_DIGITS = r"[0-9](?:[0-9]|[.,\u2009\u202f](?=[0-9])|[\u00a0](?=[0-9]{3}(?![0-9]))|_(?=[0-9]))*+"
_POWER = rf"(?:(?:\^|\*\*)\{{?[-+−]?[0-9]+\}}?|[{SUPERSCRIPTS}]+)"
_TIMES_TEN = rf"(?:[ \u2009\u00a0]?[×x·⋅*][ \u2009\u00a0]?10{_POWER})"
_TAIL = rf"(?:%|×(?! ?[0-9])|{_LETTER}\w*+)?+"
_ONE = (
    rf"(?:(?:(?<![\w.)]){re.escape('.')})?{_DIGITS}(?:[{_FRACTIONS}]|[eE][-+−]?[0-9]++(?!\w)|{_TIMES_TEN}|{_POWER})?+{_TAIL}"
    rf"|[{_FRACTIONS}])"
)
_NUMBER = rf"(?:(?<![\w)\]{HOLE}.])[-−–+±](?=[$€£.0-9]))?(?:[$€£](?=[.0-9]))?{_ONE}(?:[-–—−][$€£]?{_ONE})?"
_N = r"\(?[0-9]{1,3}+(?:\.[0-9]{1,3}+)*+[a-h]?+\)?(?!\w|[.,%]?[0-9%]|[-–][0-9]*[g-zA-Z])"
_GAP = r"[ \u00a0]?"
_REFERENCE = (
    rf"(?:Equation|Eqn?\.|eqn?\.|Eqn?|Table|Tab\.|tab\.|Figure|Fig\.|fig\.|Fig){_GAP}{_N}"
    rf"|(?:Equations|Eqn?s\.?|eqn?s\.|Tables|Tabs\.|Figures|Figs\.?|figs\.){_GAP}{_N}"
    rf"(?:(?:, and|, or|,| and| or| to| &|[-–]){_GAP}{_N})*+"
)
_ARXIV = (
    r"(?i:arxiv(?:\.org/(?:abs|pdf)/|(?:[ \u00a0](?:preprint|e-print|number|id|no\.))*[: \u00a0]+))"
    r"(?:arXiv:)?(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]+(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]+)?(?![0-9])"
)
_DOI = r"10\.[0-9]{4,9}/(?=[^\s<>\"]*[A-Za-z]|[^\s<>\"]{5})[^\s<>\"]*[\w/-]|doi:10\.[0-9]{4,9}/[^\s<>\"]*\w"
_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_SKIPPED = r"(?:(?!(?i:arxiv|eq|fig|tab))[A-Za-z][a-z]++(?![\w:/\u2010\u2011-]|\.\w)(?:[ ,;()\n]|\.(?![\w.]))*+)++"
_TOKEN = re.compile(
    rf"{_SKIPPED}|(?P<url>(?:https?|ftp)://[^\s<>\"{HOLE}]+|www\.[^\s<>\"{HOLE}]+\.[^\s<>\"{HOLE}]+)"
    rf"|(?P<doi>{_DOI})|(?P<arxiv>{_ARXIV})|(?P<reference>(?<!\w)(?:{_REFERENCE}))"
    rf"|(?P<date>(?<![\w.-])[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ]{_CLOCK})?(?![\w-]|\.[0-9]))"
    rf"|(?P<multiplier>(?<![\w.)\]{HOLE}])(?:(?<![0-9)\]{HOLE}] )×|(?<![0-9] )x)\.?{_DIGITS}(?!\w|{_HYPHEN}\w))"
    rf"|(?P<part>(?<=[\w{HOLE}][-\u2010\u2011]){_LETTER}\w*+)"
    rf"|(?P<name>{_LETTER}\w*+(?:(?:{_HYPHEN}|(?<=[0-9])\.(?=[0-9]))\w+)*+)"
    rf"|(?P<number>{_NUMBER})"
)
_NOT_MULTIPLIERS = frozenset(["x0", "x1", "x32", "x64", "x86"])
_VARIABLES = re.compile(r"(?<!\w)x[01](?!\w|\.[0-9])")
_LANES = re.compile(r"(?:PCIe?|Gen|lanes?|link|slot)[^\n]{0,12}$")
_FIRST_DIGITS = re.compile(r"[0-9]+")
_UNBREAKABLE = str.maketrans("\u00a0\u2009\u202f\u2007", "    ")


def bare_numbers(
    scanned: str, breaks: Sequence[int], names: frozenset[str] = frozenset()
) -> Iterator[tuple[int, int, bool]]:
    """The quantities in ``scanned``: start, end, and whether it is a multiplier such as ``x2``.

    At ``breaks`` markup was removed within a word; what stands on either side is read on its own.
    """
    known = _Names(scanned, names)
    variables = _VARIABLES.search(scanned) is not None
    at = 0
    for stop in (*breaks, len(scanned)):
        for token in _TOKEN.finditer(scanned, at, stop):
            kind = token.lastgroup
            if kind == "number" or (kind == "date" and not _is_date(token[0])):
                if not known.cover(*token.span()):
                    yield (*token.span(), False)
            elif kind == "multiplier" and not _is_name(token, variables):
                yield (*token.span(), True)
        at = stop


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _is_name(token: re.Match[str], variables: bool) -> bool:
    """Whether ``x2`` is a variable, ``x86`` a machine or ``x16`` a number of lanes."""
    if token[0][0] != "x":
        return False
    before = token.string[max(0, token.start() - 24) : token.start()]
    return variables or token[0] in _NOT_MULTIPLIERS or _LANES.search(before) is not None


class _Names:
    """The names in which a word begins with a digit (RTX 4090), found from that digit."""

    def __init__(self, scanned: str, names: frozenset[str]) -> None:
        self.index = _by_digits(names)
        self.text = _lower(scanned.translate(_UNBREAKABLE)) if self.index else ""

    def cover(self, start: int, end: int) -> bool:
        """Whether the quantity is part of a name."""
        digits = _FIRST_DIGITS.search(self.text, start, end) if self.index else None
        if digits is None:
            return False
        for before, name in self.index.get(digits[0], ()):
            first = digits.start() - before
            last = first + len(name)
            if first >= 0 and last >= end and self.text.startswith(name, first) and self.stands_alone(first, last):
                return True
        return False

    def stands_alone(self, first: int, last: int) -> bool:
        before = self.text[first - 1] if first else " "
        after = self.text[last] if last < len(self.text) else " "
        return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


@lru_cache(maxsize=8)
def _by_digits(names: frozenset[str]) -> dict[str, list[tuple[int, str]]]:
    index: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        lower = _lower(" ".join(name.split()).translate(_UNBREAKABLE))
        for digits in _FIRST_DIGITS.finditer(lower):
            if not digits.start() or not (lower[digits.start() - 1].isalnum() or lower[digits.start() - 1] == "_"):
                index.setdefault(digits[0], []).append((digits.start(), lower))
    return index


def _lower(text: str) -> str:
    """In lower case, with every character at its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
