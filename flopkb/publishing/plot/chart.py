"""What a plot shows, before anything is drawn: exact values, names, units, sources; and its data as CSV (a leaf)."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text


class PlotFault(Exception):
    """A plot cannot be made as it was asked for; the text says what to do."""


class NoSuchPoint(PlotFault):
    """A point of a curve that the formula does not apply to: there the curve ends."""


@dataclass(frozen=True, slots=True)
class LogAxis:
    """A logarithmic axis: its label with the unit, the ends, and the ticks with their texts."""

    label: str
    low: Fraction
    high: Fraction
    ticks: tuple[tuple[Fraction, str], ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through exact points; ``role`` is ``curve``, ``roof`` (behind all else) or ``limit`` (a line across).

    ``ends`` is why there is nothing beyond its points; empty where it was drawn as far as it was asked for.
    """

    name: str
    points: tuple[tuple[Fraction, Fraction], ...]
    role: str = "curve"
    colour: int = 0
    dash: int = 0
    ends: str = ""


@dataclass(frozen=True, slots=True)
class MarkedPoint:
    """A marked point; ``role`` is ``work`` (a workload class) or ``ridge``."""

    name: str
    x: Fraction
    y: Fraction
    role: str = "work"
    colour: int = 0


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """One line of the data: which series, where, how much, exactly."""

    series: str
    x: Fraction
    y: Fraction


@dataclass(frozen=True, slots=True)
class Chart:
    """A whole plot. ``sources`` are the records of the sources that its values come from, ``credits`` their names."""

    kind: str
    title: str
    text: str
    x: LogAxis
    y: LogAxis
    curves: tuple[Curve, ...] = ()
    points: tuple[MarkedPoint, ...] = ()
    columns: tuple[str, str] = ("x", "y")
    rows: tuple[SeriesRow, ...] = field(default=(), repr=False)
    sources: tuple[str, ...] = ()
    credits: tuple[str, ...] = ()
    version: str = ""

    @property
    def caption(self) -> str:
        """Title, sources of the values, version of the base."""
        sources = f" Values from {'; '.join(self.credits)}." if self.credits else ""
        return f"{self.title}.{sources} Rendered from {self.version}."


def decades(low: Fraction, high: Fraction) -> tuple[tuple[Fraction, str], ...]:
    """A tick at each power of ten between two values; where these are few, at 2 and 5 times each too."""
    power, parts, found = decade_below(low), (1,) if high / low > 300 else (1, 2, 5), []
    while power <= high:
        found += [(power * part, plain_text(power * part)) for part in parts if low <= power * part <= high]
        power *= 10
    return tuple(found)


def plain_text(value: Fraction) -> str:
    """A tick as it stands on an axis: 0.1, 20, 1,000; from a million on a power of ten with its exponent raised."""
    if value >= 1_000_000 and set(str(int(value))[1:]) == {"0"} and str(int(value))[0] == "1":
        raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
        return "10" + str(len(str(int(value))) - 1).translate(raised)
    return f"{int(value):,}" if value >= 1 else f"{float(value):g}"


def doublings(low: int, high: int, step: int) -> tuple[tuple[Fraction, str], ...]:
    """Ticks at powers of two, ``step`` doublings apart: 1, 4, 16 and 1k, 4k, 16k."""
    found, value = [], low
    while value <= high:
        found.append((Fraction(value), binary_text(value)))
        value *= 2**step
    return tuple(found)


def binary_text(value: int) -> str:
    """2048 as 2k, 1048576 as 1M."""
    for size, suffix in ((1 << 20, "M"), (1 << 10, "k")):
        if value >= size and value % size == 0:
            return f"{value // size}{suffix}"
    return str(value)


def log_steps(low: int, high: int, each: int = 4) -> list[int]:
    """Whole numbers from ``low`` to ``high``, ``each`` to a doubling, the ends among them."""
    found, value = {low, high}, Fraction(low)
    quarter = {1: (1,), 2: (1, Fraction(7, 5)), 4: (1, Fraction(6, 5), Fraction(7, 5), Fraction(17, 10))}[each]
    while value <= high:
        found |= {int(value * part) for part in quarter if low <= value * part <= high}
        value *= 2
    return sorted(found)


def decade_below(value: Fraction) -> Fraction:
    """The greatest power of ten that is no more than a positive value."""
    power = Fraction(1)
    while power > value:
        power /= 10
    while power * 10 <= value:
        power *= 10
    return power


def bounds(values: list[Fraction], *, steps: bool = True) -> tuple[Fraction, Fraction]:
    """Ends of an axis around positive values: 1, 2 or 5 times a power of ten."""
    low, high = min(values), max(values)
    down, up = decade_below(low), decade_below(high)
    parts = (1, 2, 5, 10) if steps else (1, 10)
    below = max(down * part for part in parts if down * part <= low)
    above = min(up * part for part in (*parts, 20) if up * part > high)
    return below, above


def csv_text(chart: Chart) -> str:
    """One line for each value; the last two columns are exact."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    x, y = chart.columns
    writer.writerow(["series", x, y, "x exact", "y exact"])
    for row in chart.rows:
        # A spreadsheet takes a cell that begins with one of these for a formula.
        series = f"'{row.series}" if row.series[:1] in "=+-@" else row.series
        writer.writerow([series, data_text(row.x), data_text(row.y), str(row.x), str(row.y)])
    return out.getvalue()


def data_text(value: Fraction) -> str:
    """Plain decimals of at least nine significant digits, where there are as many."""
    return decimal_text(value, 9, exponent=False)
