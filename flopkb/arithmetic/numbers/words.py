"""Numbers in words: cardinals (``seven hundred``, ``a million``) and words that multiply (``half``, ``a factor of two``).

One grammar for what is asked for outside links and what is read in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

_SMALL = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_ONES = {word: value for value, word in enumerate(_SMALL, 1)}
_TEN_TIMES = {word: 10 * value for value, word in enumerate(TENS, 2)}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_DOZEN = 12
PARTS = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "twelfth": 12, "sixteenth": 16, "thirty-second": 32, "sixty-fourth": 64, "hundredth": 100,
    "thousandth": 1000, "millionth": 10**6,
}  # fmt: skip
"""Fractions by their names."""
_GAP = "[ \u00a0\u202f\u2009\n-]"
_WORD = "|".join([*_SMALL, *TENS, "hundred", "dozen", *_SCALES])
ADDED = rf"{_GAP}and{_GAP}an?{_GAP}(half|third|quarter)(?!\w)"
SPELLED = (
    rf"(?:(?:an?{_GAP})(?:hundred|dozen|{'|'.join(_SCALES)})|(?:{_WORD}))"
    rf"(?:{_GAP}(?:and{_GAP})?(?:{_WORD})(?!t?hs?(?!\w))){{0,40}}+"
)
"""Of no more words than any number has: a longer row of them would be read again from each of its words."""
CARDINAL = rf"{SPELLED}(?!\w)"
"""A whole number in words; not every sequence that matches is one (:func:`cardinal` says)."""

PART = "|".join(sorted((part for part in PARTS if part not in ("half", "halve")), key=len, reverse=True))
_PART = rf"half|halve|{PART}"
_VERBS = {
    "halv": Fraction(1, 2), "quarter": Fraction(1, 4), "doubl": Fraction(2), "tripl": Fraction(3),
    "quadrupl": Fraction(4), "quintupl": Fraction(5),
}  # fmt: skip
_LONE = {
    **{"half": Fraction(1, 2), "halves": Fraction(1, 2), "third": Fraction(1, 3), "fourth": Fraction(1, 4)},
    **{name: Fraction(1, count) for name, count in PARTS.items() if name not in ("halve", "third", "fourth")},
    **{"quarters": Fraction(1, 4), "twice": Fraction(2), "thrice": Fraction(3), "twofold": Fraction(2)},
}
_COMPARED = rf"(?:{_GAP}as{_GAP}(?:much|many|large|big|fast|long|high|wide|great|small|slow)(?:{_GAP}as)?(?!\w))?"
COMPARATIVE = (
    "more|less|fewer|faster|slower|quicker|larger|smaller|bigger|higher|lower|longer|shorter|greater|cheaper|costlier"
    "|better|worse|wider|narrower|deeper|denser|heavier|lighter"
)
"""What may follow a factor and is no unit: ``three times faster``, ``3x more``."""
_THAN = rf"(?:{_GAP}(?:{COMPARATIVE})(?!\w)|{_COMPARED})"
_FACTOR = rf"(?:by{_GAP})?(?:an?{_GAP})?factors?{_GAP}of{_GAP}"
_ORDERS = dict(zip(("an", "a", "one", "two", "three", "four", "five", "six"), (1, 1, 1, 2, 3, 4, 5, 6), strict=True))
_FORMS = re.compile(
    rf"(?P<order>({'|'.join(_ORDERS)}){_GAP}(?:full{_GAP})?orders?{_GAP}of{_GAP}magnitude)(?!\w)"
    rf"|(?:{_FACTOR})(?P<factor>{CARDINAL})(?P<more>{ADDED})?(?!\w)"
    rf"|(?P<fold>(?:an?{_GAP})?{SPELLED}){_GAP}?fold(?!\w)"
    rf"|(?P<times>{CARDINAL})(?P<plus>{ADDED})?{_GAP}times(?!\w){_THAN}"
    rf"|(?P<count>an?|{CARDINAL}){_GAP}(?P<part>{_PART})s?(?!\w){_COMPARED}"
    rf"|(?P<verb>{'|'.join(_VERBS)})(?:e[sd]?|ing|ed)?(?!\w){_COMPARED}"
    rf"|(?P<lone>{'|'.join(sorted(_LONE, key=len, reverse=True))})(?!\w){_COMPARED}",
    re.IGNORECASE,
)


MULTIPLIED = (
    rf"(?:{CARDINAL}(?:{ADDED})?{_GAP}times|(?:an?{_GAP})?{SPELLED}{_GAP}?fold|double|twice|thrice|triple|treble|quadruple|half(?:{_GAP}of)?"
    rf"|(?:an?|{CARDINAL}){_GAP}(?:{_PART})s?(?:{_GAP}of)?)"
)
"""What multiplies the number that follows: ``two times 80 GB``, ``double 80 GB``, ``a third of 80 GB``."""


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first, with any white space or hyphens between their parts."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(
        re.escape(word).replace(r"\ ", r"[\s-]+") + (r"(?![A-Za-z])" if word[-1].isalpha() else "") for word in ordered
    )


def cardinal(words: str) -> int | None:
    """The whole number that words name, all of them, or None: ``seven hundred and fifty``, ``a million``, ``two dozen``."""
    total, group, last, limit = 0, 0, "", 10**15
    parts = re.split(_GAP, words.lower())
    for place, word in enumerate(parts):
        if word in ("a", "an"):
            if place:
                return None
            group = 1
        elif word == "and":
            if last not in ("hundred", *_SCALES):
                return None
            continue
        elif word in _ONES or word in _TEN_TIMES:
            value = _ONES.get(word) or _TEN_TIMES[word]
            room = 10 if last in _TEN_TIMES and value < 10 else 100
            if last in _ONES or group % room:
                return None
            group += value
        elif word == "hundred" or word == "dozen":
            if group >= 100:
                return None
            group = (group or 1) * (100 if word == "hundred" else _DOZEN)
        elif word in _SCALES and _SCALES[word] < limit and (group or not place):
            limit = _SCALES[word]
            total, group = total + (group or 1) * limit, 0
        else:
            return None
        last = word
    return total + group


def multiplier_at(text: str, at: int, stop: int) -> tuple[Fraction, bool, int] | None:
    """The factor that words name at ``at``, whether it is an order of magnitude (then: how many), and their end."""
    found = _FORMS.match(text, at, stop)
    if found is None:
        return None
    if found["order"]:
        return Fraction(_ORDERS[found[2].lower()]), True, found.end()
    value = _factor(found)
    return None if value is None else (value, False, found.end())


def _factor(found: re.Match[str]) -> Fraction | None:
    if found["verb"]:
        return _VERBS[found["verb"].lower()]
    if found["lone"]:
        return _LONE[found["lone"].lower()]
    words = (found["factor"] or found["fold"] or found["times"] or found["count"]).lower()
    words = re.sub(rf"^an?{_GAP}(?!hundred|dozen|thousand|.illion|trillion)", "", words)  # a tenfold gain
    number = 1 if words in ("a", "an") else cardinal(words)
    if number is None:
        return None
    if found["part"]:
        return Fraction(number, PARTS[found["part"].lower()])
    added = re.search(ADDED, found["more"] or found["plus"] or "", re.IGNORECASE)
    return Fraction(number) + (Fraction(1, PARTS[added[1].lower()]) if added else 0)
