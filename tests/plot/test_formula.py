"""Any formula over any input: curves for the inputs that have several values, each ending where it does not apply."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import TinyBase

import flopkb
from flopkb.commands.main import main
from flopkb.publishing import plot
from flopkb.publishing.plot.chart import NoSuchPoint, curve

FORMULAS = """\
symbols:
  peak: {meaning: peak rate, unit: flop/s, from: "accelerator.peak_flops[dtype]"}
  bandwidth: {meaning: rate of memory, unit: byte/s, from: accelerator.memory_bandwidth, domain: {rational: [1, 10**15]}}
  memory: {meaning: memory, unit: byte, from: accelerator.memory_capacity}
  B: {meaning: sequences, unit: sequence, domain: {integer: [1, 100000]}}
  L: {meaning: context, unit: token, domain: {integer: [1, 1000000000]}}
  h: {meaning: heads, from: model.num_key_value_heads}
  entry: {meaning: what a head keeps of a token, unit: byte, value: 1 MB}
formulas:
  size: {expr: B*L*h*entry, unit: byte}
  time:
    expr: size/bandwidth
    unit: s
    requires: [{that: size <= memory, else: does not fit}]
  ridge: {expr: peak/bandwidth*B, unit: flop/byte}
  nothing: {expr: B - 1, unit: "1"}
"""


@pytest.fixture
def base_of(base: TinyBase) -> flopkb.Base:
    base.formula("cost", FORMULAS.replace("10**15", "1000000000000000"))
    return flopkb.load(base.records)


def test_a_curve_for_each_choice_ends_at_the_last_value_that_fits(base_of: flopkb.Base) -> None:
    """Memory over 8 heads of 1 MB and 100 tokens: the last batch is the whole number below."""
    memory = base_of.fact("gpu.memory_capacity").bases[0]
    made = plot.make(
        "cost.time", base_of, {"x": "B", "B": "1..4096", "model": "llm", "accelerator": "gpu", "L": "50, 100"}
    )
    assert [each.name for each in made.curves] == ["L=50", "L=100"]
    assert [each.points[-1][0] for each in made.curves] == [memory // (8 * 10**6 * 50), memory // (8 * 10**6 * 100)]
    assert [each.stops for each in made.curves] == ["does not fit"] * 2
    ends = [mark for mark in made.points if mark.role == "end"]
    assert [mark.name for mark in ends] == ["L=50: does not fit", "L=100: the same"]
    assert made.x.high == 256  # both end, the last of them at 200: no axis to 4,096
    assert [(mark.x, mark.y) for mark in ends] == [each.points[-1] for each in made.curves]
    assert "does not fit" in made.text


def test_axes_have_the_names_of_inputs_and_powers_of_two(base_of: flopkb.Base) -> None:
    made = plot.make("cost.size", base_of, {"x": "L", "model": "llm", "B": 1})
    assert made.x.label == "L: context (token)" and made.y.label == "cost.size (TB)"
    assert [text for _, text in made.x.ticks] == ["1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k"]
    assert made.rows[0].x == 1024 and made.rows[0].y == Fraction(1024 * 8 * 10**6, 10**12)


def test_an_input_with_a_unit_runs_between_two_ends(base_of: flopkb.Base) -> None:
    given = {"x": "bandwidth", "bandwidth": "1 TB/s..8 TB/s", "model": "llm", "accelerator": "gpu", "B": 1, "L": 1}
    made = plot.make("cost.time", base_of, given)
    assert made.x.label == "bandwidth: rate of memory (TB/s)" and (made.x.low, made.x.high) == (1, 8)
    (only,) = made.curves
    assert all(x * y == only.points[0][0] * only.points[0][1] for x, y in only.points)  # time falls as the rate grows


def test_what_has_no_value_anywhere_is_said_in_the_caption(base_of: flopkb.Base) -> None:
    made = plot.make("cost.time", base_of, {"x": "B", "model": "llm", "accelerator": "gpu", "L": "1,1000000"})
    assert [each.name for each in made.curves] == ["L=1"]
    assert "Not drawn: L=1000000 (does not fit)." in made.caption and "Not drawn: L=1000000" in made.text


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "say x=NAME"),
        ({"x": "Q"}, "cost.time has no input of that name"),
        ({"x": "bandwidth"}, "bandwidth needs two ends"),
        ({"x": "B", "B": "7"}, "B needs two ends"),
        ({"x": "B", "B": "1 GB..2 GB"}, "B is in sequence, which 1 GB is not"),
        ({"x": "B", "L": "1,2,3,4,5,6,7,8,9"}, "9 curves, and a plot has at most 8"),
        ({"x": "B"}, "missing input L"),
        ({"x": "B", "L": 10**9}, "does not fit"),
        ({"x": "B", "L": 1, "page": 3}, "page"),
    ],
)
def test_what_cannot_be_plotted(base_of: flopkb.Base, given: dict[str, object], words: str) -> None:
    with pytest.raises(plot.PlotFault, match=re.escape(words)):
        plot.make("cost.time", base_of, {"model": "llm", "accelerator": "gpu", **given})


def test_a_value_that_is_not_above_nothing_is_no_point(base_of: flopkb.Base) -> None:
    made = plot.make("cost.nothing", base_of, {"x": "B", "B": "1..8"})
    assert made.curves[0].points[0] == (2, 1)


def test_the_command_and_its_options(base: TinyBase, base_of: flopkb.Base, tmp_path: Path) -> None:
    out, where = str(tmp_path / "a.svg"), ["--records", str(base.records)]
    inputs = ["x=B", "B=1..64", "L=1", "model=llm", "accelerator=gpu"]
    done = CliRunner().invoke(main, ["plot", "cost.size", *inputs, "-o", out, *where])
    assert done.exit_code == 0, done.output
    drawing = Path(out).read_text(encoding="utf-8")
    assert ">cost.size (MB)</text>" in drawing and "prefers-color-scheme: dark" in drawing
    for arguments, words in (
        ([*inputs, "--part", "gpu"], "--part is an option of the views"),
        (["x=B", "B=1..2", "B=2..3"], "B is given twice"),
    ):
        done = CliRunner().invoke(main, ["plot", "cost.size", *arguments, "-o", out, *where])
        assert done.exit_code == 2 and words in done.output
    done = CliRunner().invoke(main, ["plot", "kv-cache", "B=3", "-o", out, *where])
    assert done.exit_code == 2 and "kv-cache takes options, not B=3" in done.output


def up_to(last: Fraction) -> Callable[[Fraction], Fraction]:
    """A formula that applies up to a value."""

    def y(x: Fraction) -> Fraction:
        if x > last:
            raise NoSuchPoint("a.b: not applicable: full", "full")
        return x

    return y


def test_the_end_between_two_points_is_sought() -> None:
    whole = curve("one", [Fraction(1), Fraction(100)], up_to(Fraction(41)), 0)
    assert whole.points == ((1, 1), (41, 41)) and (whole.stops, whole.ends) == ("full", "a.b: not applicable: full")
    part = curve("one", [Fraction(1), Fraction(2)], up_to(Fraction(3, 2)), 0, whole=False)
    assert part.points[-1][0] == Fraction(3, 2)
    assert curve("one", [Fraction(1), Fraction(2)], up_to(Fraction(9)), 0).stops == ""


def test_a_drawing_in_a_page_has_the_colours_of_the_page_and_text_that_is_text(base_of: flopkb.Base) -> None:
    made = plot.make("cost.size", base_of, {"x": "L", "model": "llm", "B": 1})
    inline, alone = plot.inline_svg(made, "p", "words"), plot.drawn(made, "svg", "p").decode("utf-8")
    assert "prefers-color-scheme" not in inline and "var(--plot-ink)" in inline
    assert inline.count(">128k</text>") == 2 and alone.count(">128k</text>") == 1
    assert "prefers-color-scheme: dark" in alone
