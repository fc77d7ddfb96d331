"""Plots of a base whose records have none of the names of ours: what is drawn is found in the base itself."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import TinyBase

import flopkb
from flopkb.publishing import plot

FORMULAS = """\
symbols:
  peak: {meaning: peak, unit: flop/s, from: "accelerator.peak_flops[dtype]"}
  bandwidth: {meaning: bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}
  I: {meaning: intensity, unit: flop/byte, domain: {rational: [1/1000, 100000]}}
  B: {meaning: sequences, unit: sequence, domain: {integer: [1, 100000]}}
  L: {meaning: context, unit: token, domain: {integer: [1, 1000000000]}}
  h: {meaning: heads, from: model.num_key_value_heads}
  k: {meaning: bytes, unit: byte, from: kv_dtype.bytes}
  w: {meaning: bytes, unit: byte, from: weight_dtype.bytes}
formulas:
  ridge: {expr: peak/bandwidth, unit: flop/byte}
  attainable: {expr: "min(peak, I*bandwidth)", unit: flop/s}
  size: {expr: B*L*h*k, unit: byte}
  weight_intensity: {expr: B/w, unit: flop/byte}
  intensity: {expr: B/(w + L*k/1000), unit: flop/byte}
  ai: {expr: h/k, unit: flop/byte}
  time: {expr: (w + B*L*k)/bandwidth, unit: s}
"""
CLASS = """\
figures:
  low: {formula: cost.ai, with: {model: llm, kv_dtype: bf16}}
  high: {formula: cost.ai, with: {h: 64, kv_dtype: bf16}}
  middle: {formula: cost.ai, with: {h: 32, kv_dtype: bf16}}
  of_a_part: {formula: cost.ridge, with: {accelerator: gpu, dtype: bf16}}
"""


@pytest.fixture
def other(base: TinyBase) -> TinyBase:
    base.formula("cost", FORMULAS)
    base.workload("reading", CLASS)
    return base


def test_no_id_of_the_shipped_base_stands_in_the_code_of_plots() -> None:
    ids = {path.stem for path in (Path(__file__).parents[2] / "records").rglob("*.yaml")} - {"roofline", "kv_cache"}
    for module in (Path(plot.__file__).parent).glob("*.py"):
        names = set(re.findall(r"""["'`]([a-z0-9_]+)[."'`?]""", module.read_text(encoding="utf-8")))
        assert not ids & names, module


@pytest.mark.parametrize("kind", plot.KINDS)
def test_every_plot_is_made_of_any_base_that_has_the_formulas(kind: str, other: TinyBase) -> None:
    made = plot.make(kind, flopkb.load(other.records), {})
    assert made.rows and plot.drawn(made, "svg", "a").startswith(b"<?xml")


def test_classes_stand_on_the_roof_at_their_least_and_greatest_intensity(other: TinyBase) -> None:
    made = plot.make("roofline", flopkb.load(other.records), {})
    assert [(point.name, point.x) for point in made.points if point.role == "work"] == [
        ("reading.low: 4", 4),
        ("reading.high: 32", 32),
    ]


def test_the_cache_is_that_of_the_models_that_have_a_size(other: TinyBase) -> None:
    llm = (other.records / "models" / "llm.yaml").read_text(encoding="utf-8")
    heads = "num_key_value_heads: 8\n"
    for id, name, own in (
        ("big", "A model of 70", heads.replace("8", "16")),
        ("small", "A model of 9", heads.replace("8", "4")),
        ("twin", "Twin of A model", heads),
        ("bare", "Bare", ""),
    ):
        text = llm.replace("id: llm", f"id: {id}").replace("name: A model", f"name: {name}")
        other.write(f"models/{id}.yaml", text.replace(heads, own))
    made = plot.make("kv-cache", flopkb.load(other.records), {})
    assert [c.name for c in made.curves if c.role == "curve"] == ["A model", "A model of 9", "A model of 70"]
    assert made.curves[0].points[0] == (1024, Fraction(1024 * 8 * 2, 10**9))


def test_a_formula_that_changes_moves_the_curve(other: TinyBase) -> None:
    before = plot.make("kv-cache", flopkb.load(other.records), {}).rows
    other.change("formulas/cost.yaml", {"B*L*h*k": "2*B*L*h*k"})
    after = plot.make("kv-cache", flopkb.load(other.records), {}).rows
    sizes = [(one.y, two.y) for one, two in zip(before, after, strict=True) if one.series == "A model"]
    assert sizes and all(two == 2 * one for one, two in sizes)


@pytest.mark.parametrize("kind", plot.KINDS)
def test_a_base_without_the_formulas_says_which_one_is_missing(kind: str, base: TinyBase) -> None:
    (base.records / "formulas" / "cache.yaml").unlink()
    with pytest.raises(plot.PlotFault, match=r"needs a formula called \w+ with the unit .*; the base has none"):
        plot.make(kind, flopkb.load(base.records), {})


@pytest.mark.parametrize("kind", plot.KINDS)
def test_an_empty_base_says_what_it_lacks(kind: str, empty: TinyBase) -> None:
    with pytest.raises(plot.PlotFault, match=r"this base has no \w+ to plot"):
        plot.make(kind, flopkb.load(empty.records), {})
