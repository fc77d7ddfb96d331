"""From the text of a quote to its parts: qualifier, bound, number, suffix, unit, range or word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.diagnostics import shortened
from flopkb.arithmetic.numeral import Numeral, NumeralError, read_numeral
from flopkb.arithmetic.unit_table import SUFFIXES
from flopkb.arithmetic.units import Unit, UnitError, parse_unit

_MAX_TEXT = 200


class ReadError(ValueError):
    """A quote that cannot be read: ``text``, ``offset`` of the fault in it, ``reason`` and, if known, what to write."""

    def __init__(self, text: str, reason: str, offset: int = 0, suggestion: str | None = None) -> None:
        super().__init__(text, reason, offset, suggestion)
        self.text = text
        self.reason = reason
        self.offset = offset
        self.suggestion = suggestion

    def __str__(self) -> str:
        tail = f"; write {self.suggestion}" if self.suggestion else ""
        return f"`{shortened(self.text, 60)}` {self.reason}{tail}"


@dataclass(frozen=True, slots=True)
class Ending:
    """One number of a quote: sign, digits and count suffix (``k Ki M B T million ...``)."""

    negative: bool
    numeral: Numeral
    suffix: str = ""
    start: int = 0
    """Where sign and digits begin in the text of the quote."""
    stop: int = 0
    """Where the digits end (before a suffix)."""

    @property
    def value(self) -> Fraction:
        """The signed value of the digits, without the suffix."""
        return -self.numeral.value if self.negative else self.numeral.value


@dataclass(frozen=True, slots=True)
class Word:
    """A multiplying word: its nominal value and the squares of the least and the greatest value it covers.

    Squares, because an order of magnitude reaches half an order either way, and that is a root.
    """

    nominal: Fraction
    low_square: Fraction
    high_square: Fraction


@dataclass(frozen=True, slots=True)
class Quoted:
    """A number as a person wrote it.

    ``number`` is None where a word or a ratio stands for it. ``end`` is the upper end of a range. ``bound`` is one of
    ``< <= > >=`` or empty. ``unit`` is None where it is left out. ``ratio`` marks an exact fraction such as ``1/8``.
    """

    text: str
    number: Ending | None
    qualifier: str = ""
    bound: str = ""
    end: Ending | None = None
    unit: Unit | None = None
    word: Word | None = None
    ratio: Fraction | None = None

    @property
    def value(self) -> Fraction:
        """The value of digits and suffix in the quote's own unit; of a word, its nominal value."""
        if self.ratio is not None:
            return self.ratio
        if self.number is not None:
            return self.number.value * SUFFIXES[self.number.suffix][0]
        return self.word.nominal if self.word else Fraction(0)

    @property
    def place(self) -> Fraction:
        """u: the value of the last written digit (0 for a word)."""
        return self.number.numeral.place * SUFFIXES[self.number.suffix][0] if self.number else Fraction(0)

    @property
    def nonzero_place(self) -> Fraction:
        """u': the place of the last digit that is not zero (0 for a word or a zero)."""
        return self.number.numeral.nonzero_place * SUFFIXES[self.number.suffix][0] if self.number else Fraction(0)

    @property
    def approximate(self) -> bool:
        """Whether a qualifier such as ``about`` widens the tolerance."""
        return bool(self.qualifier)


BOUNDS = {
    "at most": "<=", "no more than": "<=", "not more than": "<=", "up to": "<=", "<=": "<=", "≤": "<=",
    "at least": ">=", "no less than": ">=", "not less than": ">=", "no fewer than": ">=", ">=": ">=", "≥": ">=",
    "over": ">", "more than": ">", "above": ">", ">": ">", "greater than": ">", "exceeding": ">",
    "under": "<", "less than": "<", "below": "<", "fewer than": "<", "<": "<", "short of": "<",
}  # fmt: skip
"""Words and signs that bound a quantity from one side."""

APPROXIMATELY = (
    "~",
    "≈",
    *["about", "around", "roughly", "nearly", "almost", "approximately", "approx.", "approx", "circa", "ca."],
)
"""Words and signs that widen a quantity to both sides."""

_WORDS: dict[str, Fraction] = {
    "half": Fraction(1, 2), "halved": Fraction(1, 2), "halves": Fraction(1, 2), "halving": Fraction(1, 2),
    "third": Fraction(1, 3), "two thirds": Fraction(2, 3), "quarter": Fraction(1, 4), "three quarters": Fraction(3, 4),
    "fourth": Fraction(1, 4), "fifth": Fraction(1, 5), "sixth": Fraction(1, 6), "eighth": Fraction(1, 8),
    "tenth": Fraction(1, 10), "hundredth": Fraction(1, 100),
    "twice": Fraction(2), "double": Fraction(2), "doubles": Fraction(2), "doubled": Fraction(2),
    "doubling": Fraction(2), "twofold": Fraction(2),
    "thrice": Fraction(3), "triple": Fraction(3), "triples": Fraction(3), "tripled": Fraction(3),
    "threefold": Fraction(3), "quadruple": Fraction(4), "quadruples": Fraction(4), "quadrupled": Fraction(4),
    "fourfold": Fraction(4), "fivefold": Fraction(5), "eightfold": Fraction(8), "tenfold": Fraction(10),
    "hundredfold": Fraction(100), "three times": Fraction(3), "four times": Fraction(4), "five times": Fraction(5),
    "six times": Fraction(6), "seven times": Fraction(7), "eight times": Fraction(8), "nine times": Fraction(9),
    "ten times": Fraction(10), "twice as much": Fraction(2),
}  # fmt: skip
_ORDERS = {"an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first, with any white space or hyphens between their parts."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(
        re.escape(word).replace(r"\ ", r"[\s-]+") + (r"(?![A-Za-z])" if word[-1].isalpha() else "") for word in ordered
    )


_BOUND = re.compile(rf"({any_of(BOUNDS)})\s*", re.IGNORECASE)
_QUALIFIER = re.compile(rf"({any_of(APPROXIMATELY)})\s*", re.IGNORECASE)
_WORD = re.compile(rf"(?:(?:an?|one)\s+)?({any_of(_WORDS)})", re.IGNORECASE)
_ORDER = re.compile(rf"({'|'.join(_ORDERS)})\s+orders?\s+of\s+magnitude", re.IGNORECASE)
_SIGN = re.compile(r"([-−–])\s?|\+")
_MULTIPLIER = re.compile(r"[x×]\s?(?=[0-9.])")
_SUFFIX = re.compile(
    r"(Ki|Mi|Gi|Ti|[kKMBT])(?![A-Za-z0-9/%])|\s(thousand|million|billion|trillion)\b|\s(Ki|Mi|Gi|[kKMBT])(?=\s|$)"
)
_DASH = re.compile(r"\s?(?<!\^)[-–—]\s?(?=[0-9.$])|\s+to\s+(?=[0-9.$+−-])|\s?(?:\.\.\.?|…)\s?(?=[0-9])")
_BETWEEN = re.compile(r"(between|from)\s+", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?=[0-9.$+−-])")
_TAIL = re.compile(r"-(?:wide|way|deep|long|plus|only|sized?|scale|times|bound|equivalent|class|dimensional)\b")
_FRACTION = re.compile(r"([0-9]{1,9})\s?[/⁄]\s?([1-9][0-9]{0,8})(?![0-9.,])")
_VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅛": (1, 8), "⅕": (1, 5), "⅙": (1, 6)}


def read(text: str) -> Quoted:
    """Read the text of a quote, the whole of it; raise :class:`ReadError` with the offset of what cannot be read.

    Nothing is converted: the number stays in the unit that is written, and a suffix that may be 1024 stays a suffix.
    """
    if len(text) > _MAX_TEXT:
        raise ReadError(text, "is too long for a number")
    reader = _QuoteReader(text)
    try:
        return reader.read()
    except NumeralError as error:
        raise ReadError(text, error.reason, error.offset, error.suggestion) from None


class _QuoteReader:
    """Walks through the text once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = len(text) - len(text.lstrip())
        self.stop = len(text.rstrip())
        self.dash = _DASH

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at, self.stop)
        if match:
            self.at = match.end()
        return match

    def read(self) -> Quoted:
        bound, qualifier = self.take(_BOUND), self.take(_QUALIFIER)
        relation = BOUNDS[re.sub(r"[\s-]+", " ", bound[1].lower())] if bound else ""
        approx = qualifier[1] if qualifier else ""
        return self.in_words(approx, relation) or self.fraction(approx, relation) or self.digits(approx, relation)

    def in_words(self, qualifier: str, bound: str) -> Quoted | None:
        order = self.take(_ORDER)
        if order:
            power = _ORDERS[order[1].lower()]
            meant = Word(Fraction(10) ** power, Fraction(10) ** (2 * power - 1), Fraction(10) ** (2 * power + 1))
        else:
            word = self.take(_WORD)
            if word is None:
                return None
            value = _WORDS[re.sub(r"[\s-]+", " ", word[1].lower())]
            meant = Word(value, (value * Fraction(19, 20)) ** 2, (value * Fraction(21, 20)) ** 2)
        self.finish()
        return Quoted(self.text, None, qualifier, bound, unit=parse_unit("x"), word=meant)

    def fraction(self, qualifier: str, bound: str) -> Quoted | None:
        match = self.take(_FRACTION)
        vulgar = _VULGAR.get(self.text[self.at : self.at + 1]) if not match else None
        if vulgar:
            self.at += 1
        elif not match:
            return None
        ratio = Fraction(*vulgar) if vulgar else Fraction(int(match[1]), int(match[2]))  # type: ignore[index]
        return Quoted(self.text, None, qualifier, bound, unit=self.unit(), ratio=ratio)

    def digits(self, qualifier: str, bound: str) -> Quoted:
        opening = self.take(_BETWEEN)
        self.dash = _AND if opening and opening[1].lower() == "between" else _DASH
        dollar, number, first_unit = self.amount()
        end: Ending | None = None
        if not bound and self.take(self.dash):
            also_dollar, end, unit = self.amount()
            unit = unit or first_unit
            if first_unit and unit and first_unit != unit:
                raise ReadError(self.text, "has two units in one range", self.at, "the unit once, after the upper end")
            number = self.inherit(number, end)
            if number.value * SUFFIXES[number.suffix][0] > end.value * SUFFIXES[end.suffix][0]:
                raise ReadError(self.text, "is a range from the greater to the lesser", number.start)
            dollar = dollar or also_dollar
        else:
            unit = first_unit
        self.finish()
        return Quoted(self.text, number, qualifier, bound, end, self.priced(unit) if dollar else unit)

    def inherit(self, number: Ending, end: Ending) -> Ending:
        """``8-16k`` shares its suffix; ``512-4k`` cannot, since its ends would be the wrong way round."""
        if number.suffix or not end.suffix or number.value > end.value:
            return number
        return Ending(number.negative, number.numeral, end.suffix, number.start, number.stop)

    def priced(self, unit: Unit | None) -> Unit:
        dollar = parse_unit("$")
        if unit is None:
            return dollar
        text = unit.text.removeprefix("1/")
        return Unit(
            dollar.scale * unit.scale, (dollar * unit).powers, f"$/{text}" if unit.text.startswith("1/") else f"${text}"
        )

    def amount(self) -> tuple[bool, Ending, Unit | None]:
        """Sign, currency, digits, suffix and unit."""
        start = self.at
        sign = self.take(_SIGN)
        dollar = self.text.startswith("$", self.at, self.stop)
        self.at += dollar
        multiplier = self.take(_MULTIPLIER) is not None
        sign = sign or self.take(_SIGN)
        start = self.at if multiplier or dollar else start
        numeral, self.at = read_numeral(self.text[: self.stop], self.at)
        stop = self.at
        suffix = self.take(_SUFFIX)
        name = next(filter(None, suffix.groups()), "") if suffix else ""
        ending = Ending(bool(sign and sign[1]), numeral, name, start, stop)
        return dollar, ending, parse_unit("×") if multiplier else self.unit(after_price=dollar)

    def unit(self, *, after_price: bool = False) -> Unit | None:
        """The unit that follows, up to a range dash or the end; None if there is none."""
        dash = self.dash.search(self.text, self.at, self.stop)
        rest = self.text[self.at : dash.start() if dash else self.stop]
        tail = _TAIL.search(rest)
        shown = rest[: tail.start()] if tail else rest
        shown = shown.removeprefix("-") if re.match(r"-[A-Za-z]", shown) else shown
        if not shown.strip():
            self.at += len(rest)
            return None
        per = re.match(r"\s*(?:/|per\b|an?\b)\s*", shown) if after_price else None
        try:
            unit = parse_unit("1/" + shown[per.end() :].strip()) if per else parse_unit(shown)
        except UnitError as error:
            offset = self.at + len(rest) - len(rest.lstrip())
            raise ReadError(self.text, _unit_reason(error), offset, error.suggestion) from None
        self.at += len(rest)
        return unit

    def finish(self) -> None:
        if self.at < self.stop:
            raise ReadError(
                self.text, f"goes on after the number with `{self.text[self.at : self.stop].strip()[:20]}`", self.at
            )


def _unit_reason(error: UnitError) -> str:
    return f"has a unit that cannot be read: `{error.text}` {error.reason}"
