"""What to write, or where to look, when an equation does not come out."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text, rounded_text, with_unit
from flopkb.arithmetic.rounding import magnitude, round_half_up
from flopkb.arithmetic.text.quotes import as_quote
from flopkb.arithmetic.text.verdict import NOWHERE, Judged, ScanVerdict

_NEAR = Fraction(1, 25)
_FACTORS = (
    *((Fraction(1000) ** power, f"{10 ** (3 * power):,}: check the prefixes") for power in (1, 2, 3)),
    (Fraction(8), "8: check bits and bytes"),
    (Fraction(60), "60: check the units of time"),
    (Fraction(3600), "3,600: check the units of time"),
    (Fraction(100), "100: check the percentage"),
    *((Fraction(count), f"{count}: check what is counted") for count in range(2, 17)),
    (Fraction(10), "10: check the zeros"),
)
_BINARY = (Fraction(1024, 1000), Fraction(1024**2, 1000**2), Fraction(1024**3, 1000**3), Fraction(1024**4, 1000**4))
_TIGHT = Fraction(1, 200)
_FAR = 0.25


def advice(outcome: Judged) -> str:
    """The advice on one judged relation; empty where it is right."""
    match outcome.verdict:
        case ScanVerdict.OK:
            return ""
        case ScanVerdict.ROUNDED:
            return f"say that it is {outcome.reading.rpartition(', ')[2]}"
        case ScanVerdict.WITHIN:
            return "the numbers it is computed from are shown rounded: give them more digits, or write " + right(
                outcome
            )
        case ScanVerdict.LOOSE:
            return f"write {right(outcome)}, or a sign of approximation"
        case ScanVerdict.WRONG if outcome.unlike:
            return "the two sides cannot be equal: check their units"
        case _:
            return f"write {right(outcome)}" + hint(outcome)


def hint(outcome: Judged) -> str:
    """What a factor that tells something points at."""
    off = outcome.distance if outcome.distance < NOWHERE else Fraction(1)
    about = float(off)
    for factor, words in _FACTORS:
        if abs(about / factor.numerator * factor.denominator - 1) > _FAR:
            continue  # the exact comparison costs more than all else that is said
        if abs(off / factor - 1) <= (_NEAR if factor > 16 else _TIGHT):
            return f"; it is off by a factor of {words}"
    if any(abs(off / factor - 1) <= _TIGHT for factor in _BINARY):
        return "; it is off as powers of 1000 and 1024 are: check the prefixes"
    return ""


def right(outcome: Judged) -> str:
    """The computed number as the quoted one is written: to the same place, but with at least two digits."""
    value, quote = outcome.computed, as_quote(outcome.quoted.node)
    place = quote.number.place if quote is not None else Fraction(0)
    if not value or not place:
        return with_unit(decimal_text(value), outcome.unit, tight=True)
    decimals = max(-magnitude(place), 0 if value.denominator == 1 else 1 - magnitude(abs(value)))
    if -6 <= decimals <= 0:
        whole = round_half_up(value, 0) if decimals == 0 else round_half_up(value / 10**-decimals, 0) * 10**-decimals
        text = decimal_text(Fraction(-whole if value < 0 else whole))
    else:
        text = rounded_text(value, decimals) if 0 < decimals < 12 else decimal_text(value)
    return with_unit(text, outcome.unit, tight=True)
