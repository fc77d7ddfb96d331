"""Plots: exact data, the same bytes each time, labels that touch nothing, clear words where one cannot be made."""

from __future__ import annotations

import csv
import io
import itertools
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import REPOSITORY, own_base

import flopkb
from flopkb.commands.main import main
from flopkb.publishing import plot
from flopkb.publishing.plot.drawing import composed
from flopkb.publishing.plot.placing import Box

pytestmark = pytest.mark.slow


RECORDS = ["--records", str(REPOSITORY / "records")]
CASES: dict[str, tuple[str, dict[str, object]]] = {
    "roofline": ("roofline", {}),
    "roofline of several": (
        "roofline",
        {"parts": ["nvidia_h100_sxm", "nvidia_l4", "amd_mi300x"], "precisions": ["bf16", "fp8"]},
    ),
    "intensity": ("intensity", {}),
    "intensity of several": (
        "intensity",
        {"parts": ["nvidia_h100_sxm", "nvidia_h20_sxm"], "contexts": [2048, 8192, 131072]},
    ),
    "kv-cache": ("kv-cache", {}),
    "kv-cache of batches": ("kv-cache", {"models": ["llama_3_8b"], "batches": [1, 8, 64], "kv_dtype": "int8"}),
    "step-time": ("step-time", {}),
    "step-time of parts": ("step-time", {"parts": ["nvidia_h100_sxm", "nvidia_h200_sxm"], "batches": [1, 32]}),
}


@cache
def chart(name: str) -> plot.Chart:
    kind, options = CASES[name]
    return plot.make(kind, own_base(), options)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_every_label_has_a_place_and_touches_no_other(name: str, narrow: bool) -> None:
    figure, placed = composed(chart(name), plot.Look(narrow=narrow))
    boxes = [spot.box for spot in placed if spot is not None]
    assert len(boxes) == len(placed) > 0
    for one, other in itertools.combinations(boxes, 2):
        assert not one.meets(other), (one, other)
    whole = Box(0, 0, figure.bbox.width + 1, figure.bbox.height + 1)
    assert all(box.within(whole) for box in boxes)


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_cut_off(name: str) -> None:
    figure, _ = composed(chart(name), plot.Look(caption=True))
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    tight = figure.get_tightbbox(canvas.get_renderer())
    assert tight.x0 >= 0 and tight.y0 >= 0
    assert tight.x1 <= figure.get_figwidth() and tight.y1 <= figure.get_figheight()


@pytest.mark.parametrize("form", plot.FORMATS)
def test_the_same_bytes_each_time_and_no_date(form: str) -> None:
    once, again = (plot.drawn(chart("roofline"), form, "a", plot.Look(caption=True)) for _ in range(2))
    assert once == again
    assert not re.search(rb"(?i)creationdate|moddate|<dc:date>", once)
    assert not re.search(rb"(?i)matplotlib v?\d", once)


def test_letters_are_as_large_as_can_be_read_at_600_pixels() -> None:
    figure, _ = composed(chart("kv-cache"), plot.Look(caption=True))
    scale = 600 / figure.get_figwidth() / 72  # pixels for a point when shown 600 pixels wide
    sizes = [text.get_fontsize() * scale for text in [*figure.texts, *figure.axes[0].texts]]
    assert min(sizes) > 9.5


def test_colours_are_those_that_the_colour_blind_tell_apart() -> None:
    # Okabe and Ito's set, as published: blue, vermilion, bluish green, reddish purple, orange, sky blue.
    assert plot.drawing.COLOURS[:6] == ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def test_the_roofline_has_its_ridge_and_its_classes() -> None:
    made = chart("roofline")
    (ridge,) = [point for point in made.points if point.role == "ridge"]
    assert ridge.x == Fraction(9895, 10) * 1000 / 3350 and ridge.y == Fraction(9895, 10)
    work = {point.name: point for point in made.points if point.role == "work"}
    assert work["decode attention, GQA-8: 8"].x == 8
    # Left of the ridge the rate is intensity times bandwidth: 8 flop/byte * 3350 GB/s = 26.8 TFLOP/s.
    assert work["decode attention, GQA-8: 8"].y == Fraction(268, 10)


def test_the_cache_is_a_line_and_capacities_lie_across() -> None:
    made = chart("kv-cache")
    (curve,) = [c for c in made.curves if c.name == "Llama-2-7B"]
    # 512 KiB a token: 524,288 * 1024 tokens = 0.536870912 GB
    assert curve.points[0] == (1024, Fraction(536870912, 10**9))
    limits = {c.name: c.points for c in made.curves if c.role == "limit"}
    # 44 GB as printed; 192 GiB * 2**30 = 206,158,430,208 bytes
    assert {y for _, y in limits["WSE-3: 44 GB"]} == {44}
    assert {y for _, y in limits["MI300X: 192 GiB"]} == {Fraction(206158430208, 10**9)}


def test_a_step_takes_as_long_as_its_bytes_take() -> None:
    made = chart("step-time")
    (curve,) = [c for c in made.curves if c.name == "one sequence"]
    at = dict(curve.points)
    # A step reads no table of embeddings:
    # ((8,030,261,248 - 128,256 * 4096) * 2 + 131,072 * 32,768) bytes / 3350 GB/s = 19,304,816,640 / 3.35e12 s
    assert at[Fraction(32768)] == Fraction(19304816640 * 1000, 3350 * 10**9)


def test_sources_of_the_values_are_in_the_caption() -> None:
    assert chart("roofline").sources == ("nvidia_h100_datasheet",)
    assert "Values from NVIDIA H100 datasheet." in chart("roofline").caption
    assert "digest" in chart("roofline").caption


def test_the_data_are_exact() -> None:
    rows = list(csv.reader(io.StringIO(plot.csv_text(chart("roofline")))))
    assert rows[0] == ["series", "intensity (flop/byte)", "attainable rate (TFLOP/s)", "x exact", "y exact"]
    assert ["decode attention, GQA-8: 8".rpartition(":")[0], "8", "26.8", "8", "134/5"] in rows
    for row in rows[1:]:
        assert abs(Fraction(row[2]) - Fraction(row[4])) <= abs(Fraction(row[4])) / 10**8


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("rooflin", {}, "did you mean roofline"),
        ("roofline", {"parts": ["nvidia_h100_sx"]}, "did you mean nvidia_h100_sxm"),
        ("roofline", {"parts": ["apple_m3_ultra"]}, "not_published"),
        ("roofline", {"at": [("a", "decode_attention.aii?kv_dtype=bf16")]}, "aii"),
        ("roofline", {"at": [("a", "decode_attention.ai")]}, "missing"),
        ("roofline", {"batches": [1]}, "no option batches"),
        ("kv-cache", {"contexts": ["32k"]}, "1000 or 1024"),
        ("kv-cache", {"contexts": [0]}, "whole numbers"),
        ("kv-cache", {"models": ["llama_3_8b"] * 3 + ["x"]}, "there is no model x"),
        ("step-time", {"batches": list(range(1, 20))}, "up to 8"),
        ("intensity", {"kv_dtype": "bf17"}, "bf17"),
    ],
)
def test_what_cannot_be_plotted(kind: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(plot.PlotFault, match=re.escape(words)):
        plot.make(kind, own_base(), options)


def test_the_command_writes_picture_and_data(tmp_path: Path) -> None:
    for ending in plot.FORMATS:
        out, data = tmp_path / f"r.{ending}", tmp_path / f"{ending}.csv"
        arguments = [
            "plot",
            "roofline",
            "-o",
            str(out),
            "--data",
            str(data),
            "--at",
            "mine=decode_attention.ai_mha",
            *RECORDS,
        ]
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output
        assert out.stat().st_size > 5000 and "mine,1,3.35," in data.read_text(encoding="utf-8")
        assert "Values from" in done.output


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    for arguments, words in (
        (["rooflin", "-o", str(tmp_path / "a.svg")], "did you mean roofline"),
        (["roofline", "-o", str(tmp_path / "a.gif")], "--format"),
        (["roofline", "-o", str(tmp_path / "none" / "a.svg")], "its folder does not exist"),
    ):
        done = CliRunner().invoke(main, ["plot", *arguments, *RECORDS])
        assert done.exit_code == 2 and words in done.output, done.output


def test_a_change_of_the_bandwidth_moves_what_depends_on_it(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(REPOSITORY / "records", tmp_path / "records")
    file = tmp_path / "records" / "accelerators" / "nvidia_h100_sxm.yaml"
    text = file.read_text(encoding="utf-8").replace(
        "memory_bandwidth:\n  value: 3350 GB/s", "memory_bandwidth:\n  value: 4000 GB/s"
    )
    file.write_text(text, encoding="utf-8")
    changed = flopkb.load(tmp_path / "records")
    for name, moves in (("roofline", True), ("intensity", True), ("step-time", True), ("kv-cache", False)):
        kind, options = CASES[name]
        assert (plot.make(kind, changed, options).rows != chart(name).rows) is moves, name
