"""The rounding rule for plain numbers, written out a second time from its statement, to test the first by.

It reads digits (grouped by commas), a qualifier, a sign, ``k``, ``x``, ``%`` and the units that the records use;
anything else is None: no opinion.
"""

from __future__ import annotations

import re
from fractions import Fraction

UNITS = {
    **{"": 1, "x": 1, "%": Fraction(1, 100), "flop/byte": 1, "byte": 1, "bytes": 1, "flop": 1},
    **{"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "MB": 10**6, "GB": 10**9, "KiB/token": 2**10, "MiB/token": 2**20},
    **{"bit": Fraction(1, 8), "bits": Fraction(1, 8), "W": 1, "tokens": 1, "token/s": 1},
    **{"GB/s": 10**9, "TB/s": 10**12, "GFLOP/s": 10**9, "TFLOP/s": 10**12, "TOPS": 10**12, "FLOP/s": 1},
    **{"s": 1, "ms": Fraction(1, 10**3), "µs": Fraction(1, 10**6), "ns": Fraction(1, 10**9)},
}
NUMBER = re.compile(
    r"(?P<about>~|≈|(?:about|around|roughly|nearly) )?"
    r"(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?P<decimals>\.[0-9]+)? ?(?P<unit>.*)"
)


def within(text: str, value: Fraction) -> bool | None:
    """Whether ``text`` may stand for ``value`` (in base units); None where this rule does not read the text."""
    match = NUMBER.fullmatch(text)
    if match is None or match["unit"] not in UNITS:
        return None
    whole, decimals, scale = match["digits"].replace(",", ""), match["decimals"] or "", Fraction(UNITS[match["unit"]])
    q, v = Fraction(whole + decimals) * scale, value
    u = Fraction(1, 10 ** len(decimals[1:])) * scale
    if q == 0:
        return v == 0
    difference = abs(v - q)
    plain = difference <= min(u / 2, q / 10)
    if match["about"] is None or plain:
        return plain
    digits = whole + decimals[1:]
    coarse = u * 10 ** (len(digits) - len(digits.rstrip("0")))
    return difference <= max(min(u / 2, q / 4), min(coarse / 2, q / 20))
