"""The data behind a plot as CSV: series, x, y in decimal and exactly."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.publishing.plot.chart import Chart


def csv_text(chart: Chart) -> str:
    """One line for each value; the last two columns are exact."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    x, y = chart.columns
    writer.writerow(["series", x, y, "x exact", "y exact"])
    for row in chart.rows:
        # A spreadsheet takes a cell that begins with one of these for a formula.
        series = f"'{row.series}" if row.series[:1] in "=+-@" else row.series
        writer.writerow([series, decimal(row.x), decimal(row.y), str(row.x), str(row.y)])
    return out.getvalue()


def decimal(value: Fraction) -> str:
    """Plain decimals of at least nine significant digits, where there are as many."""
    return decimal_text(value, 9, exponent=False)
