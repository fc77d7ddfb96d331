"""From the text of a quote to its parts: qualifier, bound, number, suffix, unit, range or word."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import shortened
from flopkb.arithmetic.numbers.words import CARDINAL, COMPARATIVE, any_of, cardinal, multiplier_at
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
    ``< <= > >= =`` or empty. ``unit`` is None where it is left out. ``ratio`` marks an exact fraction such as ``1/8``.
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

    @property
    def one_sided(self) -> bool:
        """Whether the qualifier, such as ``nearly``, says that the value is not more than what is written."""
        return bool(APPROXIMATELY.get(_words(self.qualifier)))


BOUNDS = {
    **dict.fromkeys(("<", "less than", "fewer than", "lower than", "smaller than", "under", "below"), "<"),
    **dict.fromkeys(("short of", "shy of", "south of", "strictly below", "strictly less than"), "<"),
    **dict.fromkeys(("<=", "≤", "at most", "no more than", "not more than", "up to", "no greater than"), "<="),
    **dict.fromkeys(("no larger than", "no higher than", "not over", "not above", "as much as", "as many as"), "<="),
    **dict.fromkeys(("a maximum of", "maximum of", "at the most", "not exceeding"), "<="),
    **dict.fromkeys(("at the very most", "less than or equal to", "no longer than", "no bigger than", "=<"), "<="),
    **dict.fromkeys((">", "more than", "greater than", "higher than", "larger than", "bigger than", "over"), ">"),
    **dict.fromkeys(("above", "beyond", "exceeding", "exceeds", "exceed", "exceeded", "in excess of"), ">"),
    **dict.fromkeys(("upwards of", "upward of", "north of"), ">"),
    **dict.fromkeys((">=", "≥", "at least", "no less than", "not less than", "no fewer than", "no smaller than"), ">="),
    **dict.fromkeys(("not under", "not below", "as little as", "as few as", "a minimum of", "minimum of"), ">="),
    **dict.fromkeys(("at the very least", "at the least", "more than or equal to", "greater than or equal to"), ">="),
    **dict.fromkeys(("no shorter than", "no lower than", "=>"), ">="),
    **dict.fromkeys(("exactly", "precisely"), "="),
}
"""Words and signs that bound a quantity from one side, or from both."""

APPROXIMATELY = {
    **dict.fromkeys(("~", "≈", "about", "around", "roughly", "approximately", "approx.", "approx", "circa", "ca."), ""),
    **dict.fromkeys(("close to", "in the region of", "in the neighborhood of", "in the neighbourhood of"), ""),
    **dict.fromkeys(("nearly", "almost", "approaching", "nearing", "not quite"), "<="),
}
"""Words and signs that widen a quantity to both sides; behind some the value may not be more than is written."""

BEHIND = {
    **dict.fromkeys(("+", "plus", "or more", "or greater", "or higher", "and up", "and more", "or above"), ">="),
    **dict.fromkeys(("and above", "at least", "at a minimum"), ">="),
    **dict.fromkeys(("or less", "or fewer", "or lower", "or below", "at most", "at a maximum"), "<="),
    **dict.fromkeys(("or so", "or thereabouts", "give or take"), "~"),
}
"""What qualifies a quantity from behind it."""

DEGREES = (
    *("just", "only just", "slightly", "a little", "a bit", "a hair", "well", "far", "somewhat", "considerably"),
    *("way", "much", "a shade", "a touch"),
    *("comfortably", "barely", "marginally", "very", "only", "quite"),
)
"""What may stand before a qualifier and changes nothing that is judged."""


_DEGREE = rf"(?:(?:{any_of(DEGREES)})\s+)?"
_BOUND = re.compile(rf"{_DEGREE}({any_of(BOUNDS)})\s*", re.IGNORECASE)
_QUALIFIER = re.compile(rf"{_DEGREE}({any_of(APPROXIMATELY)})\s*", re.IGNORECASE)
_BEHIND = re.compile(rf"(?:\s?(\+)|\s+({any_of(set(BEHIND) - {'+'})}))\Z", re.IGNORECASE)
_CARDINAL = re.compile(CARDINAL, re.IGNORECASE)
_FACTOR_OF = re.compile(r"(?:by\s+)?(?:an?\s+)?factor\s+of\s+(?=[0-9.])", re.IGNORECASE)
_SIGN = re.compile(r"([-−–]|(?:minus|negative)\b)\s?|\+|plus\s", re.IGNORECASE)
_MULTIPLIER = re.compile(r"[x×]\s?(?=[0-9.])")
_SUFFIX = re.compile(
    r"(Ki|Mi|Gi|Ti|bn|tn|[kKMBT])(?![A-Za-z0-9/%])|\s(hundred|dozen|thousand|million|billion|trillion|bn|tn)\b|\s(Ki|Mi|Gi|[kKMBT])(?=\s|$)"
)
_DASH = re.compile(r"\s?(?<!\^)[-–—]\s?(?=[0-9.$])|\s+to\s+(?=[0-9.$+−-])|\s?(?:\.\.\.?|…)\s?(?=[0-9])")
_BETWEEN = re.compile(r"(between|from)\s+", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?=[0-9.$+−-])")
_TAIL = re.compile(r"-(?:wide|way|deep|long|plus|only|sized?|scale|times|bound|equivalent|class|dimensional)\b")
_COMPARED = re.compile(rf"(x|×|times|fold)\s+(?:{COMPARATIVE})\s*\Z", re.IGNORECASE)
_FRACTION = re.compile(r"([0-9]{1,9})\s?[/⁄]\s?([1-9][0-9]{0,8})(?![0-9.,])")
_VULGAR = re.compile(r"([0-9]{0,6})([¼-¾⅐-⅞])")


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
        self.plus = False

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at, self.stop)
        if match:
            self.at = match.end()
        return match

    def read(self) -> Quoted:
        bound, qualifier = self.take(_BOUND), self.take(_QUALIFIER)
        relation = BOUNDS[_words(bound[1])] if bound else ""
        approx = qualifier[1] if qualifier else ""
        behind = _BEHIND.search(self.text, self.at, self.stop)
        if behind:
            self.stop = behind.start()
            said = BEHIND[_words(behind[1] or behind[2])]
            if (relation or approx) and said != "~":
                raise ReadError(self.text, "is qualified from both sides", behind.start(), "one of the two")
            relation, approx = (relation, approx or behind[2]) if said == "~" else (said, approx)
        return self.in_words(approx, relation) or self.fraction(approx, relation) or self.digits(approx, relation)

    def in_words(self, qualifier: str, bound: str) -> Quoted | None:
        found = multiplier_at(self.text, self.at, self.stop)
        if found is None:
            return None
        value, order, self.at = found
        if order:
            low, high = Fraction(10) ** (2 * int(value) - 1), Fraction(10) ** (2 * int(value) + 1)
            meant = Word(Fraction(10) ** int(value), low, high)
        else:
            meant = Word(value, (value * Fraction(19, 20)) ** 2, (value * Fraction(21, 20)) ** 2)
        self.finish()
        return Quoted(self.text, None, qualifier, bound, unit=parse_unit("x"), word=meant)

    def fraction(self, qualifier: str, bound: str) -> Quoted | None:
        match = self.take(_FRACTION)
        if match:
            ratio = Fraction(int(match[1]), int(match[2]))
        elif vulgar := self.take(_VULGAR):
            part = Fraction(unicodedata.numeric(vulgar[2])).limit_denominator(10)
            ratio = int(vulgar[1] or 0) + part
        else:
            return None
        return Quoted(self.text, None, qualifier, bound, unit=self.unit(), ratio=ratio)

    def digits(self, qualifier: str, bound: str) -> Quoted:
        factor = self.take(_FACTOR_OF)
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
        if self.plus:
            bound = bound or ">="
        if factor and unit is None:
            unit = parse_unit("x")
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
        numeral, self.at = self.numeral()
        stop = self.at
        if self.text.startswith("+", stop, self.stop):  # 700+ W
            self.plus, self.at = True, stop + 1
        suffix = self.take(_SUFFIX)
        name = next(filter(None, suffix.groups()), "") if suffix else ""
        ending = Ending(bool(sign and sign[1]), numeral, name, start, stop)
        return dollar, ending, parse_unit("×") if multiplier else self.unit(after_price=dollar)

    def numeral(self) -> tuple[Numeral, int]:
        """The digits, or a whole number in words."""
        spelled = _CARDINAL.match(self.text, self.at, self.stop)
        value = cardinal(spelled[0]) if spelled else None
        if spelled is None or value is None:
            return read_numeral(self.text[: self.stop], self.at)
        written, _ = read_numeral(str(value), 0)
        return replace(written, text=spelled[0], spelled=True), spelled.end()

    def unit(self, *, after_price: bool = False) -> Unit | None:
        """The unit that follows, up to a range dash or the end; None if there is none."""
        dash = self.dash.search(self.text, self.at, self.stop)
        rest = self.text[self.at : dash.start() if dash else self.stop]
        tail = _TAIL.search(rest)
        shown = rest[: tail.start()] if tail else rest
        shown = _COMPARED.sub(r"\1", shown)
        shown = shown.removeprefix("-") if re.match(r"-[A-Za-z]", shown) else shown
        if not shown.strip():
            self.at += len(rest)
            return None
        if re.match(r"\s*[0-9](?!\s*/)", shown):
            self.finish()
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


def _words(written: str) -> str:
    """A qualifier as the tables have it."""
    return re.sub(r"[\s-]+", " ", written.lower())


def _unit_reason(error: UnitError) -> str:
    return f"has a unit that cannot be read: `{error.text}` {error.reason}"
