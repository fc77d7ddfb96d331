"""Figures as a writer wants them: digits, unit, qualifier; each text is judged by the rounding rule before use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.numbers import ReadError, decimal_text, grouped, judge, read, readable, rounded_text
from flopkb.arithmetic.numbers.reading import APPROXIMATELY, BOUNDS
from flopkb.arithmetic.numbers.writing import TIGHT
from flopkb.arithmetic.rounding import magnitude
from flopkb.arithmetic.unit_table import COUNTS
from flopkb.arithmetic.units import Unit, UnitError, parse_unit
from flopkb.publishing.render.template_text import Bad

USUAL_DIGITS = 3
MOST_DIGITS = 15
WORDS = (
    "half",
    "a third",
    "a quarter",
    "two thirds",
    "three quarters",
    "twice",
    "an order of magnitude",
    "two orders of magnitude",
    "three orders of magnitude",
)
NBSP = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Form:
    """How a writer wants a number: significant ``digits`` (whole digits always stay) or ``decimals``, a ``unit``,
    a ``qualifier`` or a ``bound`` before it; ``bare`` leaves the unit out, ``words`` writes ``half`` or ``twice``."""

    digits: int | None = None
    decimals: int | None = None
    unit: str | None = None
    qualifier: str = ""
    bound: str = ""
    bare: bool = False
    words: bool = False

    def checked(self) -> Form:
        """The form, if it can be asked for."""
        for name, value, low in (("digits", self.digits, 1), ("decimals", self.decimals, 0)):
            if value is not None and not (type(value) is int and low <= value <= MOST_DIGITS):
                raise Bad(f"{name} is a whole number from {low} to {MOST_DIGITS}")
        if self.digits is not None and self.decimals is not None:
            raise Bad("ask for digits or for decimals, not for both")
        if self.qualifier and self.qualifier not in APPROXIMATELY:
            raise Bad(f"about is one of {', '.join(APPROXIMATELY)}")
        if self.bound and self.bound not in BOUNDS:
            raise Bad(f"bound is one of {', '.join(BOUNDS)}")
        return self


def written(values: Sequence[Fraction], unit: Unit, form: Form, *, exact: bool = False) -> str:
    """``values`` (in base units of ``unit``) as the form says; several values become a range of least and greatest.

    ``exact`` prefers every digit of a value that terminates (recorded values). Raises :class:`Bad`.
    """
    if form.words:
        return worded(values, unit)
    scale, name = shown_unit(values[0] if len(values) == 1 else max(values, key=abs), unit, form)
    ends = sorted({min(values), max(values)})
    for extra in range(MOST_DIGITS + 1):
        numbers = [number(value / scale, form, extra, exact) for value in ends]
        text = joined(numbers, name, form, ends[-1] / scale, unit)
        if stands(text, values, unit) or (
            form.bare and stands(joined(numbers, name, replace(form, bare=False), ends[-1] / scale, unit), values, unit)
        ):
            return text
    raise Bad(f"{decimal_text(ends[-1] / scale)} {name} cannot be written this way: ask for another unit or form")


def worded(values: Sequence[Fraction], unit: Unit) -> str:
    """The word that says the factor."""
    for word in WORDS:
        if stands(word, values, unit):
            return word
    shown = ", ".join(decimal_text(value) for value in values)
    raise Bad(f"no word says {shown}: write it in digits (words are {', '.join(WORDS)})")


def stands(text: str, values: Sequence[Fraction], unit: Unit) -> bool:
    """Whether the text is a right way to write the values."""
    try:
        return judge(read(text.replace(NBSP, " ")), values, unit).ok
    except ReadError:
        return False


def shown_unit(value: Fraction, unit: Unit, form: Form) -> tuple[Fraction, str]:
    """The scale and the name of the unit: the one asked for, else the declared one with the prefix that reads best."""
    if form.unit is None:
        name = readable(value, unit).partition(" ")[2]
        name = name or (unit.text if unit.text not in ("", "1") else "")
        return (parse_unit(name).scale if name else unit.scale), name
    if form.unit == "":
        return unit.scale, ""
    try:
        wanted = parse_unit(form.unit)
    except UnitError as error:
        raise Bad(f"unit: {error}") from None
    if wanted.dimension != unit.dimension:
        raise Bad(f"unit: {form.unit} cannot measure {unit.text or '1'}")
    return wanted.scale, "" if form.unit == "1" else form.unit


def number(value: Fraction, form: Form, extra: int, exact: bool) -> str:
    """The digits of a value, grouped by three."""
    if form.decimals is not None:
        return grouped(rounded_text(value, form.decimals + extra))
    if not value:
        return "0"
    digits = (form.digits or USUAL_DIGITS) + extra
    if exact and form.digits is None and _terminates(value):
        return grouped(decimal_text(value, exponent=False))
    coarse = digits - 1 - magnitude(abs(value))
    if coarse > 0 and magnitude(abs(Fraction(rounded_text(value, coarse)))) > magnitude(abs(value)):
        coarse -= 1  # 0.9996 is 1.00 to three digits
    decimals = max(0, coarse)
    if form.qualifier and coarse < 0:
        place = 10 ** (-coarse)
        return grouped(rounded_text(value / place, 0) + "0" * -coarse)
    for fewer in range(decimals):
        if (value * 10**fewer).denominator == 1:
            return grouped(rounded_text(value, fewer))
    return grouped(rounded_text(value, decimals))


def _terminates(value: Fraction) -> bool:
    return any((value * 10**places).denominator == 1 for places in range(8))


def joined(numbers: Sequence[str], name: str, form: Form, size: Fraction, unit: Unit) -> str:
    """Qualifier, digits and unit side by side."""
    digits = "–".join(dict.fromkeys(numbers))
    lead = form.bound or form.qualifier
    gap = "" if lead in ("~", "≈", "") else " "
    tail = "" if form.bare or not name else name if name in TIGHT else NBSP + counted(name, size)
    return f"{lead}{gap}{digits}{tail}"


def counted(name: str, size: Fraction) -> str:
    """``tokens`` for more than one token."""
    return name + "s" if name in COUNTS and size != 1 and name not in ("flop", "sm") else name


def tex_number(text: str) -> str:
    """A number as :func:`written` gives it, in TeX: its unit and its words as text."""
    escaped = text.replace("%", r"\%").replace("$", r"\$").replace("_", r"\_")
    digits, gap, unit = escaped.partition(NBSP)
    digits = digits.replace(",", "{,}").replace("–", r"\text{–}").replace("×", r"\times ").replace("≈", r"\approx ")
    if any(c.isalpha() for c in digits):
        digits = rf"\text{{{digits}}}"
    return digits + (rf"\ \text{{{unit}}}" if gap else "")
