"""Plots of the base: rooflines, intensity, cache sizes, step times, from exact values, with their data and sources."""

from __future__ import annotations

from flopkb.publishing.plot.chart import Chart, PlotFault, csv_text
from flopkb.publishing.plot.drawing import FORMATS, Look, drawn, inline_svg
from flopkb.publishing.plot.kinds import KINDS, make

__all__ = ["FORMATS", "KINDS", "Chart", "Look", "PlotFault", "csv_text", "drawn", "inline_svg", "make"]
