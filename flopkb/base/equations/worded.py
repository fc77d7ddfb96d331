"""Relations that words make of links and numbers: ``[16](a) is twice [8](b)``, ``the ratio of [64](a) to [8](b) is [8](c)``.

Each is a run with the equation that the words say, to be recomputed like one in signs. Words that leave open what they
say (``about twice``, ``two times larger``, percent more) make none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from flopkb.base.equations.operands import IS, SPACE, Operand, Run, of_one_unit

_MINUS = " − "
"""Not a hyphen, which makes a range of two numbers."""
_SAYS = rf"{IS}(?:exactly{SPACE})?"
_THE = rf"(?:(?:the|that{SPACE}of){SPACE}(?:the{SPACE})?)?"
_IS = re.compile(_SAYS)
_RESULT = re.compile(rf"{_SAYS}|{SPACE}(?:equals|comes{SPACE}(?:out{SPACE})?(?:to|at)|gives|makes){SPACE}")
_MORE = re.compile(
    rf"{SPACE}(?:more|greater|higher|larger|longer|wider|bigger){SPACE}than{SPACE}{_THE}|{SPACE}above{SPACE}"
)
_LESS = re.compile(rf"{SPACE}(?:less|fewer|lower|smaller|shorter|narrower){SPACE}than{SPACE}{_THE}|{SPACE}below{SPACE}")
_TIMES = re.compile(
    rf"{SPACE}?(?:times|x|×){SPACE}(?:as{SPACE}(?:much|many|large|big|long|high|wide|fast){SPACE}as{SPACE})?{_THE}"
)
_OF = re.compile(rf"{SPACE}of{SPACE}{_THE}")
_MULTIPLES = {
    "twice": (" * ", "2"), "double": (" * ", "2"), "triple": (" * ", "3"), "quadruple": (" * ", "4"),
    "half": (" / ", "2"), "a third": (" / ", "3"), "one third": (" / ", "3"), "third": (" / ", "3"),
    "a quarter": (" / ", "4"), "one quarter": (" / ", "4"), "quarter": (" / ", "4"),
}  # fmt: skip
_WORD = re.compile("|".join(word.replace(" ", SPACE) for word in _MULTIPLES), re.IGNORECASE)
_AS_MUCH = re.compile(
    rf"{SPACE}(?:of{SPACE}|as{SPACE}(?:much|many|large|big|long|high|wide|fast){SPACE}as{SPACE})?{_THE}"
)
_NAMED = tuple(
    (sign, re.compile(rf"\b(?:{nouns}){SPACE}(?:of|between){SPACE}{_THE}\Z", re.IGNORECASE), re.compile(between))
    for sign, nouns, between in (
        (" / ", "ratio|quotient", rf"{SPACE}(?:to|and|over){SPACE}{_THE}"),
        (" + ", "sum|total", rf"{SPACE}and{SPACE}{_THE}"),
        (" * ", "product", rf"{SPACE}(?:and|with){SPACE}{_THE}"),
        (_MINUS, "difference", rf"{SPACE}(?:and|to){SPACE}{_THE}"),
    )
)
_FURTHEST_BEFORE = 40


def worded_runs(operands: Sequence[Operand], plain: str) -> Iterator[Run]:
    """The equations that words make of numbers that follow each other (sorted by place), at least one of them linked."""
    for a, b, c in zip(operands, operands[1:], operands[2:], strict=False):
        if any(operand.result for operand in (a, b, c)):
            yield from _multiple(a, b, c, plain)
            yield from _compared(a, b, c, plain)
            yield from _named(a, b, c, plain)


def _multiple(a: Operand, b: Operand, c: Operand, plain: str) -> Iterator[Run]:
    """``[16](a) is twice [8](c)``."""
    found = _WORD.match(plain, b.start)
    said = found and _IS.fullmatch(plain, a.end, b.start) and _AS_MUCH.fullmatch(plain, found.end(), c.start)
    if found and said and a.result and c.result and _alike(a, c):
        sign, number = _MULTIPLES[re.sub(SPACE, " ", found[0].lower())]
        yield Run((a, c, Operand(number, *found.span())), ("=", sign))


def _compared(a: Operand, b: Operand, c: Operand, plain: str) -> Iterator[Run]:
    """``[16](a) is [8](b) more than [8](c)``, ``is 2 times [8](c)``, ``is 50% of [32](c)``."""
    if not _IS.fullmatch(plain, a.end, b.start):
        return
    for pattern, sign in ((_MORE, " + "), (_LESS, _MINUS)):
        if pattern.fullmatch(plain, b.end, c.start) and _alike(a, b, c) and not b.text.endswith(("%", "x", "×")):
            yield Run((a, c, b), ("=", sign))
    if _TIMES.fullmatch(plain, b.end, c.start) and _alike(a, c) and _bare(b):
        yield Run((a, b, c), ("=", " * "))
    if b.text.endswith("%") and _OF.fullmatch(plain, b.end, c.start) and _alike(a, c):
        yield Run((a, b, c), ("=", " * "))


def _named(a: Operand, b: Operand, c: Operand, plain: str) -> Iterator[Run]:
    """``the ratio of [64](a) to [8](b) is [8](c)``; a difference is that of the larger number to the other."""
    if not _RESULT.fullmatch(plain, b.end, c.start):
        return
    for sign, before, between in _NAMED:
        if not before.search(plain, max(0, a.start - _FURTHEST_BEFORE), a.start) or not between.fullmatch(
            plain, a.end, b.start
        ):
            continue
        one, other = a.reading, b.reading
        turned = sign == _MINUS and one is not None and other is not None and one.value < other.value
        yield Run((b, a, c) if turned else (a, b, c), (sign, "="))


def _bare(operand: Operand) -> bool:
    """Whether a number has no physical unit: a factor (``16x``) and a count are bare."""
    reading = operand.reading
    return reading is not None and (reading.unit is None or not reading.unit.dimension)


def _alike(*operands: Operand) -> bool:
    """Whether all are measured in units of one dimension, or none has a unit."""
    return all(map(_bare, operands)) or all(of_one_unit(a, b) for a, b in pairwise(operands))
