"""How an equation stands in its text: whether what surrounds it parts it from everything that could belong to it.

The grammar finds where arithmetic could begin and end. This looks at the text itself, and knows only what may stand
beside an equation: the edge of a line, punctuation, prose, a bracket that opens or closes, a relation. Anything else,
among it whatever nobody has thought of, leaves open that the equation is only a part of something.
"""

from __future__ import annotations

import re
import unicodedata

from flopkb.arithmetic.text.lexer import BLOCK_TAGS, COMMANDS, Sign

_REACH = 100
_MARKS_BEFORE = re.compile(
    r"(?:[ \t*_`\"'“”‘’«»$&\u00a0]|\\[\[(]|\\(?:q?quad|left|right|[Bb]ig+[lr]?|displaystyle)(?![A-Za-z])|\\[,;: ]"
    r"|<[^<>\n]{0,99}>|\\[a-z]{2,12}\{)\Z"
)
_MARKS_BEHIND = re.compile(
    r"(?:[*_`\"'“”‘’«»$&]|\\[\])]|[ ]*\\q?quad(?![A-Za-z])|\\(?:right|[Bb]ig+[lr]?)(?![A-Za-z])|\\[,;: ]|</?[A-Za-z][^<>\n]{0,99}>)"
)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)")
_COLUMN = re.compile(r"[^\s+*/^×·=(\[{-][ \t]{3,}\Z|\t\Z")
_OPENING = re.compile(r"(?:\\left\s?)?[(\[{]")
_FACTOR = re.compile(r"[)\]}0-9](?:\s|\\left|\\[Bb]ig+l?)*\Z")
"""What a bracket multiplies by standing beside it, on the line above too."""
_TIME = re.compile(r"[0-9]:[0-9]{2}(?:[.,][0-9]+)?\]?\Z")
_CLOSERS = re.compile(r"[)\]}*_`\"'”’$]*")
_WORD_BEFORE = re.compile(r"\\?(?:[^\W\d_]+['’])?[^\W\d_]+\Z")
_ABBREVIATED = re.compile(r"[A-Z] [a-z]{2}")
_BULLET = re.compile(r"(?:^|\n)[ \t>]*[-*+–][ ]+\Z")
_ITEM_SIGN = re.compile(r"(?:^|\n)[ \t]*[*•]?[ \t]*[+]\Z")
_WORD_BEHIND = re.compile(r"[^\W\d_]+")
_LETTERS = frozenset("aAI")
"""The letters that are words."""
_PARTS = frozenset(
    (Sign.BREAK, Sign.MARK, Sign.RELATION, Sign.ORDER, Sign.STYLE, Sign.DROP, Sign.PUNCTUATION, Sign.TILDE)
)
_OPERATORS = frozenset("+*/^×÷·⋅∙%@\\_")
_JOINS = frozenset("+*/^×÷·⋅∙-−–")
_INFIX = _JOINS | {"="}
_DASHES = frozenset("-−–—")
_LEFT_OUT = ("...", "…", "dots")
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


_DENIED = re.compile(
    r"\b(?:what if|suppose|imagine|wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?|false|counterexamples?|erroneous(?:ly)?"
    r"|buggy|paradox)\b[^.;!?|]{0,60}\Z|\b(?:not|never|isn't|cannot)\b[^.\w]{0,4}\Z",
    re.IGNORECASE,
)
"""The sentence itself says that the equation does not hold."""
_SCALED = re.compile(r"[0-9]\s?(?:[千百万亿億萬]|(?:lakhs?|crores?|Mio|Mrd|тыс|млн|млрд)\b)")
"""Words for thousands and millions that are not read."""
_BOLD_DIGITS = re.compile(r"[*]{2}[0-9]+[*]{2}[0-9]|[0-9][*]{2}[0-9]+[*]{2}")
"""``12**3**``: stars that mark digits of a number."""
_DENIED_BEHIND = re.compile(
    r"[^.\n|]{0,20}\b(?:is|are|was|which is|would be) (?:wrong|incorrect|false|impossible)\b", re.IGNORECASE
)


def parted(text: str, start: int, end: int) -> bool:
    """Whether what stands on both sides of ``text[start:end]`` parts it from the rest."""
    if _DENIED.search(text, max(0, start - _REACH), start) or _DENIED_BEHIND.match(text, end):
        return False
    if _SCALED.search(text, start, end + 3) or _BOLD_DIGITS.search(text, max(0, start - 2), end + 2):
        return False
    if text[start - 1 : start] in ("`", "$") and text.startswith(text[start - 1], end):
        before = text[max(0, start - _REACH) : start - 1]
        return before.rstrip(" ")[-1:] not in _JOINS  # a span of code or mathematics of its own
    return _before(text, start) and _behind(text, end)


def _before(text: str, start: int) -> bool:
    whole = text[max(0, start - _REACH) : start]
    if _OPENING.match(text, start) and _FACTOR.search(whole):
        return False
    before = whole
    while mark := _MARKS_BEFORE.search(before):
        before = before[: mark.start()]
        if mark[0] in ("\\(", "\\["):
            return before.rstrip()[-1:] not in _JOINS
        if _is_block(mark[0]):
            return before.rstrip()[-1:] not in _INFIX  # a bar of a fraction may be a tag
    gap, last = len(before) < len(whole), before[-1:]
    if before.endswith(_LEFT_OUT):
        return False
    if not last or last in "\n=≈<>≤≥|;→⇒" or _COLUMN.search(whole) or _TIME.search(before):
        return True
    if last in _DASHES or last in "+#":
        return (gap and before[-2:-1] in ("", " ", "\n", "-", "#")) or _ITEM_SIGN.search(before) is not None
    if last in "/":
        return before.endswith("//") or whole.startswith("/*", len(before) - 1)
    if last in ",.:!?":
        return gap or before[-2:-1].isspace()
    if last in "([{":
        return _opens(before[:-1], text.find(_CLOSED_BY[last], start, start + 3 * _REACH) >= 0)
    if last.isalpha():
        return _word_before(before, gap)
    if last in ")]}⟩" or last.isdigit():
        return gap and not last.isdigit()
    return last not in _OPERATORS and unicodedata.category(last) != "Sm"


def _is_block(mark: str) -> bool:
    """Whether a mark is a tag that parts what stands on both sides of it."""
    name = _TAG.match(mark)
    return name is not None and name[1].lower() in BLOCK_TAGS


def _opens(before: str, closed: bool) -> bool:
    """A bracket before the equation: one of prose, which closes behind it; not one of an expression that is cut there."""
    last = before.rstrip(" ")[-1:]
    if last and not before[-1:].isspace() and (last.isalnum() or last in ")]}"):
        return last.isalpha() and not last.isascii()
    if last == "=" or last.isdigit():
        return closed
    return last not in _INFIX or _BULLET.search(before) is not None


def _word_before(before: str, gap: bool) -> bool:
    word = _WORD_BEFORE.search(before)
    assert word is not None
    if word[0].startswith("\\"):
        kind, _ = COMMANDS.get(word[0][1:], (Sign.WORD, ""))
        return kind in _PARTS
    if not word[0][-1].isascii():
        return True
    return gap and (len(word[0]) > 1 or word[0] in _LETTERS)


_RULE = re.compile(r"(?:[*][ ]?){3,}")


def _behind(text: str, end: int) -> bool:
    behind = _RULE.sub("", text[end : end + _REACH])
    at = 0
    while mark := _MARKS_BEHIND.match(behind, at):
        if _is_block(mark[0]):
            return True
        at = mark.end()
    if behind.lstrip().startswith("*/"):
        return True
    gap = behind[at : at + 1] in (" ", "\t", "\u00a0")
    rest = behind[at:].lstrip(" \t\u00a0")
    first = rest[:1]
    if not first or first == "\n" or behind[at : at + 2].isspace():
        return True
    if first in ",.:":
        return not rest[1:2].isdigit()
    if first in ")]}":
        inner = _CLOSERS.match(rest)
        assert inner is not None
        return rest[inner.end() :].lstrip(" ")[:1] not in _OPERATORS
    if first.isalpha():
        word = _WORD_BEHIND.match(rest)
        assert word is not None
        is_word = len(word[0]) > 1 or word[0] in _LETTERS or _ABBREVIATED.match(rest) is not None
        return not word[0].isascii() or (gap and is_word)
    if first == "\\":
        name = re.match(r"\\([A-Za-z]+|.)", rest)
        if name is not None and name[1].startswith(("left", "big", "Big")):
            return False  # a bracket of mathematics, which multiplies
        multiple = name is not None and name[1] == "times" and not rest[name.end() :].lstrip(" $*`)")[:1].isalnum()
        return multiple or (name is not None and COMMANDS.get(name[1], (Sign.WORD, ""))[0] in _PARTS)
    if first in _DASHES:
        return gap and (rest[1:2].isspace() or rest[1:2] == ">")
    if first in "([{":
        return gap or not rest[1:2].isascii()
    return not first.isdigit() and first not in _OPERATORS and first != "?"
