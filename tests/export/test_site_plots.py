"""Plots on pages: a class on the roofline, figures on curves over a count, read without a script, with their data."""

from __future__ import annotations

import json
import re

import pytest
from conftest import TinyBase

from export.bases import resolved
from export.site import parsed
from flopkb.checking.api import load
from flopkb.publishing.export.html import html_export

pytestmark = pytest.mark.slow

FORMULAS = """\
symbols:
  peak: {meaning: peak, unit: flop/s, from: "accelerator.peak_flops[dtype]"}
  bandwidth: {meaning: bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}
  I: {meaning: intensity, unit: flop/byte, domain: {rational: [1/1000, 100000]}}
  L: {meaning: context, unit: token, domain: {integer: [1, 1000000000]}}
  h: {meaning: heads, from: model.num_key_value_heads}
  k: {meaning: bytes, unit: byte, from: kv_dtype.bytes}
formulas:
  ridge: {expr: peak/bandwidth, unit: flop/byte}
  attainable: {expr: "min(peak, I*bandwidth)", unit: flop/s}
  share_of_peak: {expr: attainable/peak, unit: "1"}
  ai: {expr: h/k, unit: flop/byte}
  size: {expr: L*h*k, unit: byte, requires: [{that: L <= 9000, else: too long}]}
"""
CLASS = """\
figures:
  low: {formula: cost.ai, with: {model: llm, kv_dtype: bf16}}
  high: {formula: cost.ai, with: {h: 64, kv_dtype: bf16}}
  short: {formula: cost.size, with: {model: llm, kv_dtype: bf16, L: 2048}}
  long: {formula: cost.size, with: {model: llm, kv_dtype: bf16, L: 4096}}
"""


@pytest.fixture
def page(base: TinyBase) -> str:
    """The page of a workload class."""
    base.formula("cost", FORMULAS)
    base.workload("reading", CLASS)
    return html_export(resolved(load(base.records), base.records))["workload_classes/reading.html"].decode("utf-8")


def figures(page: str) -> list[str]:
    """The plots of a page."""
    return re.findall(r'<figure class="plot".*?</figure>', page, re.DOTALL)


def test_a_class_stands_on_the_roofline_at_its_intensities(page: str) -> None:
    roofline = parsed(figures(page)[0].encode()).text
    assert "Roofline of A part bf16" in roofline
    assert "ai, A model, bf16: 4 flop/byte, 2% of the peak" in roofline  # 8 heads over 2 byte; the ridge is at 200
    assert "ai, h = 64, bf16: 32 flop/byte, 16% of the peak" in roofline


def test_figures_that_differ_in_a_count_lie_on_a_curve_which_ends_where_the_formula_does(page: str) -> None:
    curve = parsed(figures(page)[1].encode()).text
    assert "cost.size – ends at 9,000: too long" in curve
    assert "size, A model, bf16, L = 2048: 32.8 kB" in curve and "L = 4096: 65.5 kB" in curve  # 2048 * 8 * 2 byte
    assert figures(page)[1].count("<polyline") == 1


def test_the_data_of_a_plot_are_those_that_are_drawn(page: str) -> None:
    data = json.loads(re.findall(r'<script type="application/json">(.*?)</script>', figures(page)[1])[0])
    points = data["curves"][0]["points"]
    assert points[0] == [1024, 16.384, "16.4 kB"] and points[-1] == [9000, 144, "144 kB"]
    assert [mark for *_, mark in data["marks"]] == ["1", "2"] and data["curves"][0]["reason"] == "too long"


def test_where_nothing_can_be_drawn_there_is_no_plot(base: TinyBase) -> None:
    base.workload("bare", "notes: Words alone.\n")
    files = html_export(resolved(load(base.records), base.records))
    assert not any(figures(data.decode("utf-8")) for name, data in files.items() if name.endswith(".html"))
