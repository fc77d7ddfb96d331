"""What a plot shows, before anything is drawn: exact values, names, units, sources; and its data as CSV (a leaf)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text, grouped, rounded_text
from flopkb.arithmetic.rounding import magnitude


class PlotFault(Exception):
    """A plot cannot be made as it was asked for; the text says what to do."""


class NoSuchPoint(PlotFault):
    """A point of a curve that the formula does not apply to: there the curve ends. ``words`` are the reason in short."""

    def __init__(self, text: str, words: str = "") -> None:
        super().__init__(text)
        self.words = words or text


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

    ``ends`` is why there is nothing beyond its points, ``stops`` the same in short; empty where it was drawn as far as it
    was asked for.
    """

    name: str
    points: tuple[tuple[Fraction, Fraction], ...]
    role: str = "curve"
    colour: int = 0
    dash: int = 0
    ends: str = ""
    stops: str = ""


@dataclass(frozen=True, slots=True)
class MarkedPoint:
    """A marked point; ``role`` is ``work`` (a workload class), ``ridge``, or ``end`` (beyond it a curve has no value)."""

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
    unit: str = "1"
    """The unit of the values of a formula over an input."""
    missing: tuple[str, ...] = ()
    """Curves that were asked for and have no value anywhere, each with the reason."""

    @property
    def caption(self) -> str:
        """Title, what could not be drawn, sources of the values, version of the base."""
        sources = f" Values from {'; '.join(self.credits)}." if self.credits else ""
        bare = "".join(f" Not drawn: {each}." for each in self.missing)
        return f"{self.title}.{bare}{sources} Rendered from {self.version}."


def three(value: Fraction) -> str:
    """Three significant digits, whole digits kept."""
    decimals = max(0, 2 - magnitude(value)) if value else 0
    text = rounded_text(value, decimals)
    return grouped(text.rstrip("0").rstrip(".") if "." in text else text)


def curve(
    name: str, xs: Sequence[Fraction], y: Callable[[Fraction], Fraction], number: int, *, whole: bool = True
) -> Curve:
    """A curve through the values at ``xs``; where there is none any more it ends, and says why.

    The end is sought between the last value and the first refusal: the last whole number, or one of 4,096 parts.
    """
    points: list[tuple[Fraction, Fraction]] = []
    refused: NoSuchPoint | None = None
    for x in xs:
        try:
            points.append((x, y(x)))
        except NoSuchPoint as found:
            refused = found
            if points:
                points += last_point(points[-1][0], x, y, whole=whole)
                break
    words = (
        (str(refused), refused.words) if refused is not None and (not points or points[-1][0] < xs[-1]) else ("", "")
    )
    return Curve(name, tuple(points), "curve", number, number, *words)


def last_point(
    good: Fraction, bad: Fraction, y: Callable[[Fraction], Fraction], *, whole: bool
) -> list[tuple[Fraction, Fraction]]:
    """The last point before ``bad`` that has a value, if one lies behind ``good``."""
    found: list[tuple[Fraction, Fraction]] = []
    least = Fraction(1) if whole else (bad - good) / 4096
    while bad - good > least:
        middle = Fraction((good + bad) // 2) if whole else (good + bad) / 2
        try:
            found, good = [(middle, y(middle))], middle
        except NoSuchPoint:
            bad = middle
    return found


def end_marks(curves: Iterable[Curve]) -> tuple[MarkedPoint, ...]:
    """A mark with its name where each curve ends before its axis does; the reason is said once, others say "the same"."""
    marks, told = list[MarkedPoint](), set[str]()
    for each in curves:
        if each.stops and each.points:
            marks.append(
                MarkedPoint(
                    f"{each.name}: {each.stops if each.stops not in told else 'the same'}",
                    *each.points[-1],
                    "end",
                    each.colour,
                )
            )
            told.add(each.stops)
    return tuple(marks)


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
    parts = [Fraction(f"{2 ** (step / each):.2f}") for step in range(each)]
    found, value = {low, high}, Fraction(low)
    while value <= high:
        found |= {int(value * part) for part in parts if low <= value * part <= high}
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
