"""Comparisons in running text, judged by the digits that are written: ``3.2x faster (687.8 s to 55.4 s)``, ``3.8% (16/580)``.

They are read only where that is asked for: fewer of those that look wrong are than of equations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.text.equations import ScannedEquation
from flopkb.arithmetic.text.grammar import Failed, Parser
from flopkb.arithmetic.text.lexer import tokens
from flopkb.arithmetic.text.measures import NONE, Choice, Dimension, Measure
from flopkb.arithmetic.text.refine import refine
from flopkb.arithmetic.text.tree import Measured, evaluate
from flopkb.arithmetic.text.verdict import ScanVerdict, distance

_NUMBER = r"(?:(?:about|roughly|~|≈)[ ]?)?[$€£]?(?<![\w.,])[0-9][0-9,]*(?:\.[0-9]+)?(?![\w.]*[0-9])"
_AMOUNT = rf"{_NUMBER}(?:[ ]?(?!x\b|to\b|vs\b|of\b|is\b|are\b)[A-Za-zµ%]{{1,9}}(?:/[A-Za-z]{{1,8}})?)?"
_LESS = "faster slower smaller lower fewer less cheaper shorter reduction savings saving decrease drop"
_MORE = "larger bigger higher more longer greater increase improvement gain speedup speed-up better"
_WORD = f"(?:{'|'.join((_LESS + ' ' + _MORE).split())})"
_TO = r"[ ]?(?:to|→|->|vs\.?|versus|down to|up to|instead of|against)[ ]?"
_A, _B = f"(?P<a>{_AMOUNT})", f"(?P<b>{_AMOUNT})"
_QUOTE = rf"(?P<q>{_NUMBER})[ ]?(?P<sign>[x×%])[ ]{_WORD}"
_PART = rf"(?P<a>{_NUMBER})[ ]?(?:/|of|out of)[ ]?(?P<b>{_NUMBER})(?:[ ][a-z]+)?"
_FORMS = {
    "changed": rf"{_QUOTE}\b[^().;\n]{{0,40}}\((?:from[ ])?{_A}{_TO}{_B}\)",
    "than": rf"{_A}[ ]?(?:,|\(|—|is|are|was|were)[ ]?{_QUOTE}[ ]than[ ]{_B}",
    "share": rf"(?P<q>{_NUMBER})[ ]?%[ ]?\({_PART}\)",
    "shared": rf"{_PART}[ ]\((?P<q>{_NUMBER})[ ]?%\)",
    "again": rf"{_A}[ ]\((?P<q>{_AMOUNT})\)",
    "fits": rf"{_A}[ ](?:easily[ ]|just[ ])?fits?[ ](?:(?:in|on|into|onto|within)[ ])?(?P<n>[0-9]+)[ ]?[x×][ ]?{_B}",
}
_FORM = {name: re.compile(pattern) for name, pattern in _FORMS.items()}
_WIDE = Fraction(1, 10)
"""How far an amount that is said to be rough may be off."""
_NEAR = Fraction(2)
"""An amount repeated in another unit is within this factor, else something else is meant."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit as the interval that its digits leave open; base units."""

    value: Fraction
    low: Fraction
    high: Fraction
    dims: Dimension
    unit: Measure | None

    def by(self, other: Amount) -> tuple[Fraction, Fraction]:
        """The ratio of two amounts, as an interval."""
        return self.low / other.high, self.high / other.low


def compared_amounts(text: str) -> Iterator[ScannedEquation]:
    """The comparisons of a text, each with its place and verdict: ``ok`` or ``different``."""
    for name, form in _FORM.items():
        for match in form.finditer(text):
            said = _JUDGES[name](match)
            if said is not None:
                yield replace(said, start=match.start(), end=match.end())


def amount(text: str, unit: str = "", *, round_zeros: bool = False) -> Amount | None:
    """A number with its unit, or that of ``unit`` where it has none; None for what is not read or not positive.

    With ``round_zeros`` the zeros at its end may be rounded.
    """
    rough = text[:1] in "~≈ar"
    try:
        node, _ = Parser(refine(list(tokens(f"{text} {unit}", 0, len(text) + len(unit) + 1, tex=False)))).factor(0)
    except (Failed, IndexError):
        return None
    if not isinstance(node, Measured) or node.value <= 0 or node.label:
        return None
    whole = evaluate(replace(node, approximate=False), Choice())
    place = node.nonzero if round_zeros else node.place
    half = whole.base * (_WIDE if rough or node.approximate else place / 2 / node.value)
    if whole.dims is None or half >= whole.base:
        return None
    return Amount(whole.base, whole.base - half, whole.base + half, whole.dims, node.unit)


def _both(match: re.Match[str], first: str, second: str) -> tuple[Amount, Amount] | None:
    """Two amounts of one kind; the unit of the second is that of the first, where that has none."""
    b = amount(match[second])
    a = amount(match[first])
    if a is not None and b is not None and a.unit is None and b.unit is not None and b.dims != NONE:
        a = amount(match[first], b.unit.text)
    if a is None or b is None or a.dims != b.dims or (a.unit is None) != (b.unit is None):
        return None
    return a, b


def _changed(match: re.Match[str]) -> ScannedEquation | None:
    """``3.2x faster (687.8 s to 55.4 s)``, ``$0.043, 12% less than $0.049``."""
    pair, quote = _both(match, "a", "b"), amount(match["q"], round_zeros=True)
    if pair is None or quote is None:
        return None
    large, small = sorted(pair, key=lambda each: -each.value)
    low, high = large.by(small)
    if match["sign"] == "%":
        spans = [((low - 1) * 100, (high - 1) * 100), ((1 - 1 / max(low, Fraction(1))) * 100, (1 - 1 / high) * 100)]
        values = [(large.value / small.value - 1) * 100, (1 - small.value / large.value) * 100]
    else:
        spans, values = [(low, high), (low - 1, high - 1)], [large.value / small.value, large.value / small.value - 1]
    fits = any(a <= quote.high and b >= quote.low for a, b in spans)
    value = min(values, key=lambda each: distance(each, quote.value)) if match["sign"] == "%" else values[0]
    return _said(match["q"], value, match["sign"], quote.value, fits=fits)


def _share(match: re.Match[str]) -> ScannedEquation | None:
    """``3.8% (16/580)``: counts are exact."""
    part, whole, quote = amount(match["a"]), amount(match["b"]), amount(match["q"])
    if part is None or whole is None or quote is None or part.value > whole.value:
        return None
    value = part.value / whole.value * 100
    width = quote.high - quote.low
    return _said(match["q"], value, "%", quote.value, fits=quote.low <= value <= quote.high + width / 2)


def _again(match: re.Match[str]) -> ScannedEquation | None:
    """``46068MiB (48.30 GB)``: one amount in two units."""
    pair = _both(match, "a", "q")
    if pair is None or pair[0].dims == NONE or pair[0].unit is None or pair[1].unit is None:
        return None
    first, second = pair
    one, other = pair[0].unit, pair[1].unit
    if one.text == other.text or distance(first.value, second.value) > _NEAR or one.counts or other.counts:
        return None
    width = second.high - second.low
    told_apart = any(_BINARY.search(unit.text) for unit in (one, other))
    factors = [Fraction(1)] if told_apart else [Fraction(1), _binary(other), 1 / _binary(one)]
    fits = any(first.low <= (second.high + width / 2) * by and first.high >= second.low * by for by in factors)
    return _said(match["q"], first.value / other.scale, other.text, second.value / other.scale, fits=fits)


_BINARY = re.compile(r"[KMGTP]i[Bb]")


def _binary(unit: Measure) -> Fraction:
    """How much larger a unit is whose prefix is a power of 1024."""
    return unit.binary / unit.scale if unit.binary is not None else Fraction(1)


def _fits(match: re.Match[str]) -> ScannedEquation | None:
    """``560 GB fits on 8 x 80 GB``."""
    pair = _both(match, "a", "b")
    if pair is None or pair[0].dims == NONE or pair[1].unit is None:
        return None
    need, part, count, unit = pair[0], pair[1], int(match["n"]), pair[1].unit
    fits = need.low <= count * part.high
    return _said(match["a"], count * part.value / unit.scale, unit.text, need.value / unit.scale, fits=fits)


_JUDGES: dict[str, Callable[[re.Match[str]], ScannedEquation | None]] = {
    "changed": _changed, "than": _changed, "share": _share, "shared": _share, "again": _again, "fits": _fits,
}  # fmt: skip


def _said(quoted: str, value: Fraction, unit: str, quote: Fraction, *, fits: bool) -> ScannedEquation:
    verdict = ScanVerdict.OK if fits else ScanVerdict.DIFFERENT
    advice = "" if fits else "compare the amounts that stand beside it"
    off = distance(value, quote) if value > 0 else Fraction(0)
    return ScannedEquation(decimal_text(value), quoted, unit, verdict, "a comparison", advice, off=off)
