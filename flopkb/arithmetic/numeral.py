"""Numerals: their exact value, the place of the last digit, and writing others in the same form.

One reader for all texts. How lenient it is is a parameter: :data:`PLAIN` for recorded amounts, :data:`FORMULA` for
formulas, :data:`QUOTED` for quotes in prose, :data:`MARKUP` for other people's HTML and LaTeX.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flopkb.arithmetic.rounding import magnitude, round_half_up

MAX_EXPONENT = 308
SUPERSCRIPTS = "⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹"
TO_ASCII = str.maketrans({**dict(zip(SUPERSCRIPTS, "-+0123456789", strict=True)), "−": "-", "–": "-"})
_TO_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
GROUP_SEPARATORS = ",\u2009\u202f\u00a0_"
"""What may stand between groups of three digits: a comma, thin and unbreakable spaces, Python's underscore."""


@dataclass(frozen=True, slots=True)
class NumeralForm:
    """How lenient a reader is: patterns for the digits, and for the powers of ten that may follow them.

    ``digits`` has the separator as its first group, if digits may be grouped. In the others the last group that
    matches is the exponent with its sign, the first is how it is attached.
    """

    digits: re.Pattern[str]
    exponent: re.Pattern[str]
    times_ten: re.Pattern[str] | None = None
    power: re.Pattern[str] | None = None
    separators: re.Pattern[str] | None = None
    """Whatever else may part groups, removed from the digits."""
    most_digits: int = 400
    largest_exponent: int = MAX_EXPONENT


PLAIN = NumeralForm(re.compile(r"()(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"), re.compile(r"([eE])([-+]?[0-9]+)"))
"""Recorded amounts: a point, an exponent, nothing else."""
FORMULA = NumeralForm(
    re.compile(r"()(?:0|[1-9][0-9]*)(?:\.[0-9]+)?"), re.compile(r"([eE])([-+]?[0-9]+)"), most_digits=100
)
"""Formulas: plain, and with no zero too few before the point or too many."""
_INTEGER = rf"[1-9][0-9]{{0,2}}(?:([{GROUP_SEPARATORS}])[0-9]{{3}})(?:\1[0-9]{{3}})*(?![0-9])|[0-9]+"
_RAISED = rf"(\^|\*\*)([-+−]?[0-9]+)|([⁻⁺]?[{SUPERSCRIPTS[2:]}]+)"
QUOTED = NumeralForm(
    re.compile(rf"(?:{_INTEGER})(?:\.[0-9]+)?|\.[0-9]+"),
    re.compile(r"([eE])([-+−]?[0-9]+)(?![0-9A-Za-z.])"),
    re.compile(rf"(\s?[×x·⋅*]\s?10)(?:{_RAISED})(?![0-9.])"),
    re.compile(rf"(?:{_RAISED})(?![0-9.])"),
)
"""Quotes: thousands in groups, ``2×10⁹``, ``2^34``."""
_GROUP = r"(?:,|\{,\}|\\,|[\u2009\u202f\u00a0_]|&thinsp;|&nbsp;|&\#8239;|&\#8201;)"
_SIGNED = "[-−–+]?[0-9]{1,4}"
MARKUP_DIGITS = rf"(?:[1-9][0-9]{{0,2}}(?:{_GROUP}[0-9]{{3}})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|(?<![\w.)\]])\.[0-9]+"
MARKUP = NumeralForm(
    re.compile(f"()(?:{MARKUP_DIGITS})"),
    re.compile(rf"([eE]|\\(?:mathrm|text|rm)\{{e\}}|\{{\\rm\ e\}})(?:\{{({_SIGNED})\}}|({_SIGNED}))(?![\w])"),
    re.compile(
        rf"""((?:\s|\\,|\\[ ])*(?:×|x|\*|·|⋅|∙|•|\\times|\\cdot|&times;|&middot;|&sdot;|&\#215;)(?:\s|\\,|\\[ ])*10)
        (?:\s*(?:\^|\*\*)\s*(?:\{{\s*((?:[-−–+]\s*)?[0-9]{{1,4}})\s*\}}|({_SIGNED}))
        |([⁻⁺]?[{SUPERSCRIPTS[2:]}]+)|<sup>\s*([-−–]?[0-9]{{1,4}})\s*</sup>)(?![\w.]*[0-9])""",
        re.VERBOSE,
    ),
    separators=re.compile(_GROUP),
    most_digits=60,
    largest_exponent=10**4,
)
"""Other people's markup: entities and LaTeX between groups, ``2 \\times 10^{9}``, ``10<sup>9</sup>``."""


class NumeralError(ValueError):
    """Digits that are no number: ``offset`` into the text, ``reason``, and what to write instead, if known."""

    def __init__(self, offset: int, reason: str, suggestion: str | None = None) -> None:
        super().__init__(offset, reason, suggestion)
        self.offset = offset
        self.reason = reason
        self.suggestion = suggestion


@dataclass(frozen=True, slots=True)
class Numeral:
    """Unsigned digits as written.

    ``value`` is exact; ``place`` is the value of the last written digit and ``nonzero_place`` that of the last digit
    that is not zero (both carry the exponent). ``decimals`` and ``separator`` describe the digits before the exponent,
    ``exponent`` the power of ten, ``times_ten`` how it is attached (``e``, ``×10``, ``10`` for a bare power of ten).
    """

    text: str
    value: Fraction
    place: Fraction
    nonzero_place: Fraction
    decimals: int = 0
    separator: str = ""
    exponent: int = 0
    times_ten: str = ""
    caret: str = ""
    exact: bool = False
    """A power such as ``2^34``: its digits are not those of the value, so the value is exact."""
    spelled: bool = False
    """Written in words."""

    def write(self, value: Fraction, extra: int = 0) -> str:
        """``value`` (not negative) rounded half up to the same decimals (and ``extra`` more), in the same form."""
        if self.exact:
            return _plain(value, extra, "")
        exponent = self._exponent_for(value)
        decimals = max(0, self.decimals + extra)
        mantissa = _plain(value / Fraction(10) ** exponent, decimals, self.separator)
        if not self.times_ten:
            return mantissa
        if self.times_ten == "10":
            return self._power(exponent) if mantissa == "1" else f"{mantissa}×{self._power(exponent)}"
        if self.times_ten in "eE":
            return f"{mantissa}{self.times_ten}{exponent}"
        return f"{mantissa}{self.times_ten}{self._power(exponent)[2:]}"

    def _power(self, exponent: int) -> str:
        return "10" + (self.caret + str(exponent) if self.caret else str(exponent).translate(_TO_SUPERSCRIPT))

    def _exponent_for(self, value: Fraction) -> int:
        """The written exponent while the mantissa stays readable, else that of a single digit before the point."""
        if not self.times_ten or not value:
            return self.exponent
        mantissa = value / Fraction(10) ** self.exponent
        low = Fraction(1) if self.times_ten == "10" else Fraction(1, 10)
        high = 10 if self.times_ten == "10" else 1000
        return self.exponent if low <= mantissa < high else magnitude(value)


def _plain(value: Fraction, decimals: int, separator: str) -> str:
    digits = str(round_half_up(value, decimals)).rjust(decimals + 1, "0")
    whole, part = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    if separator and len(whole) > 3:
        whole = separator.join(_groups(whole))
    return f"{whole}.{part}" if part else whole


def _groups(whole: str) -> list[str]:
    first = len(whole) % 3
    return ([whole[:first]] if first else []) + [whole[at : at + 3] for at in range(first, len(whole), 3)]


def read_numeral(text: str, at: int, form: NumeralForm = QUOTED) -> tuple[Numeral, int]:
    """The unsigned numeral that begins at ``at`` and the offset behind it; raise :class:`NumeralError`.

    The longest that ``form`` takes: digits that run on (``1,97,3``, ``1.2.3``) are refused, not cut.
    """
    match = form.digits.match(text, at)
    if match is None:
        raise NumeralError(at, *_not_digits(text, at))
    _refuse_torn(text, match)
    return numeral_from(text, match.span(), match[1] or "", form, len(text))


def numeral_from(text: str, span: tuple[int, int], separator: str, form: NumeralForm, end: int) -> tuple[Numeral, int]:
    """The numeral of the digits at ``span``, with the power of ten behind them, if one is there before ``end``."""
    at, stop = span
    digits = text[at:stop]
    if len(digits.replace(".", "")) > form.most_digits:
        raise NumeralError(at, "has too many digits")
    power = form.power.match(text, stop, end) if form.power is not None else None
    if power:
        return _read_power(text, at, digits, power)
    times = form.exponent.match(text, stop, end)
    if times is None and form.times_ten is not None:
        times = form.times_ten.match(text, stop, end)
    if form.separators is not None:
        digits = form.separators.sub("", digits)
    if times is None:
        return _numeral(text[at:stop], digits, separator, 0, "", ""), stop
    exponent = _exponent(times)
    if abs(exponent) > form.largest_exponent:
        limit = form.largest_exponent
        raise NumeralError(times.start(), "has an exponent out of range", f"one between -{limit} and {limit}")
    caret = times[2] or "" if times[2] in ("^", "**") else ""
    return _numeral(text[at : times.end()], digits, separator, exponent, times[1], caret), times.end()


def _exponent(match: re.Match[str]) -> int:
    """The exponent as far as it matters: more than five digits of it are more than any form takes."""
    written = "".join(match[match.lastindex or 0].translate(TO_ASCII).split())
    return int(written) if len(written) < 6 else MAX_EXPONENT * 4


@lru_cache(maxsize=4096)
def _numeral(text: str, digits: str, separator: str, exponent: int, attached: str, caret: str) -> Numeral:
    plain = digits.replace(separator, "") if separator else digits
    decimals = len(plain.partition(".")[2])
    power = Fraction(10) ** exponent
    place = power / 10**decimals
    significant = plain.replace(".", "").rstrip("0")
    dropped = len(plain.replace(".", "")) - len(significant)
    nonzero = place * 10**dropped if significant.strip("0") else Fraction(0)
    return Numeral(text, Fraction(plain) * power, place, nonzero, decimals, separator, exponent, attached, caret)


def _read_power(text: str, at: int, digits: str, match: re.Match[str]) -> tuple[Numeral, int]:
    """``10¹²`` is one digit with an exponent; ``2^34`` is an exact integer."""
    exponent, whole = _exponent(match), text[at : match.end()]
    if digits == "10" and abs(exponent) <= MAX_EXPONENT:
        power = Fraction(10) ** exponent
        return Numeral(whole, power, power, power, 0, "", exponent, "10", match[1] or ""), match.end()
    base = Fraction(re.sub(f"[{GROUP_SEPARATORS}]", "", digits))
    if abs(exponent) > 1000 or base > 10**6 or len(digits) > 12 or (exponent < 0 and not base):
        raise NumeralError(at, "is a power out of range")
    one = Fraction(1)
    return Numeral(whole, base**exponent, one, one, exact=True), match.end()


def _refuse_torn(text: str, match: re.Match[str]) -> None:
    """A comma or a point that runs into more digits is never guessed at."""
    rest = text[match.end() : match.end() + 2]
    if re.match(rf"[{GROUP_SEPARATORS}.][0-9]", rest):
        start = match.start()
        if rest[0] == ".":
            raise NumeralError(start, "has two points: a version or a date is not a number")
        torn = re.match(rf"[0-9]+[{GROUP_SEPARATORS}]([0-9]+)(?![0-9,])", text[start:])
        whole = match[0]
        decimal = f"{whole}.{torn[1]} for a decimal, " if torn and "." not in whole else ""
        raise NumeralError(
            start, "has a separator that does not group digits by three", f"{decimal}1,979 for thousands"
        )


def _not_digits(text: str, at: int) -> tuple[str, str | None]:
    rest = text[at : at + 1]
    if rest.isdecimal() or rest.isdigit():
        return "has digits that are not ASCII", "the digits 0 to 9"
    if not rest:
        return "ends where a number should stand", None
    return "does not begin with a number", "the number first, or a word such as about before it"
