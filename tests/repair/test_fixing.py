"""Stale quotes are rewritten in the form in which they stand, and nothing else is touched."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from conftest import HEAD, TinyBase
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from flopkb.base.loading import load_base
from flopkb.base.pipeline import read_texts
from flopkb.checking.check import check
from flopkb.editing.files import Files
from flopkb.editing.fix import Fixed, fixed

RATIO = 'formulas:\n  ratio: {{expr: "{value}", unit: "1"}}\n'


def fix(base: TinyBase, *documents: Path) -> Fixed:
    """The base and the documents, brought up to date in memory."""
    texts, faults = read_texts(documents, base.folder)
    assert not faults
    return fixed(Files(load_base(base.records, base.folder), tuple(texts)), lambda _: True)


def prose_after(base: TinyBase, value: str, written: str) -> str:
    """What stands in place of ``written``, a quote of a figure that is ``value`` now."""
    base.formula("speed", RATIO.format(value=value) + f"derivation: |\n  It is [{written}](fig:ratio) now.\n")
    source = fix(base).after.sources()["records/formulas/speed.yaml"]
    return source.split("It is [")[1].split("](fig")[0]


@pytest.mark.parametrize(
    ("value", "written", "wanted"),
    [
        ("29537/100", "296x", "295x"),
        ("25/2", "9", "13"),  # half up
        ("7/2", "3.0", "3.5"),
        ("118784", "104,448", "118,784"),
        ("123456", "9,999", "123,456"),
        ("29522/100", "about 310", "about 295"),
        ("2*10**9", "3×10⁹", "2×10⁹"),
        ("2*10**9", "3e9", "2e9"),
        ("35/100", "30%", "35%"),
        ("149/100", "1x", "1.5x"),
        ("32768", "16k", "32k"),
        ("65536", "32Ki", "64Ki"),
        ("1/3", "0.5", "0.33"),
        ("29537/100", "**296x**", "**295x**"),
        ("12345", "10\u2009000", "12\u2009345"),
    ],
)
def test_the_value_is_written_in_the_old_form(base: TinyBase, value: str, written: str, wanted: str) -> None:
    assert prose_after(base, value, written) == wanted


@pytest.mark.parametrize("written", ["4-8x", "at most 2x", "half", "-3", "3 GB", "1,5", "an order of magnitude"])
def test_what_would_change_its_meaning_is_left_and_reported(base: TinyBase, written: str) -> None:
    assert prose_after(base, "3", written) == written
    assert check(fix(base).base).errors == 1


def unlike(text: str) -> str:
    """A record that quotes one stale figure in a scalar written as ``text``."""
    return HEAD.format(id="speed", kind="formula", name="Speed", status="verified") + RATIO.format(value=3) + text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'notes: "say \\"it\\" is\\t[4x](fig:ratio) \\u00e9"\n',
            'notes: "say \\"it\\" is\\t[3x](fig:ratio) \\u00e9"\n',
        ),
        (
            "notes: 'it''s [4x](fig:ratio)  # no comment'  # kept\n",
            "notes: 'it''s [3x](fig:ratio)  # no comment'  # kept\n",
        ),
        ("notes: It is [4x](fig:ratio)   # kept\n", "notes: It is [3x](fig:ratio)   # kept\n"),
        ("notes: |-\n     Deep [4x](fig:ratio)\n\n# end", "notes: |-\n     Deep [3x](fig:ratio)\n\n# end"),
        ('notes: "[4\\x78](fig:ratio)"\n', 'notes: "[3\\x78](fig:ratio)"\n'),
        ("notes: |\n  Ü [4&times;](fig:ratio)\n", "notes: |\n  Ü [3&times;](fig:ratio)\n"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_other_byte_stays(base: TinyBase, before: str, after: str, end: str, mark: str) -> None:
    old, new = ((mark + unlike(text)).replace("\n", end) for text in (before, after))
    (base.records / "formulas" / "speed.yaml").write_bytes(old.encode("utf-8"))
    assert fix(base).after.sources()["records/formulas/speed.yaml"] == new


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_documents_are_mended_too(base: TinyBase, end: str) -> None:
    base.formula("speed", RATIO.format(value=3) + "derivation: |\n  [3](fig:ratio)\n")
    page = base.folder / "page.md"
    text = "\ufeff---\ntitle: 4\n---\n\nIt is [4x](fig:speed.ratio), not `[4x](fig:speed.ratio)`.\t \n".replace(
        "\n", end
    )
    page.write_bytes(text.encode("utf-8"))
    done = fix(base, page)
    assert done.after.sources()["page.md"] == text.replace("is [4x]", "is [3x]")
    assert not check(done.base).diagnostics


def test_only_wanted_files_are_touched(base: TinyBase) -> None:
    for id in ("speed", "other"):
        base.formula(id, RATIO.format(value=3) + "derivation: |\n  [4](fig:ratio)\n")
    files = Files(load_base(base.records, base.folder))
    done = fixed(files, lambda path: path == "records/formulas/other.yaml")
    assert list(done.changed()) == ["records/formulas/other.yaml"]


EQUATION = """symbols:
  n_layers: {{meaning: layers, domain: {{integer: [1, 512]}}}}
  n_kv: {{meaning: heads, domain: {{integer: [1, 512]}}}}
  b: {{meaning: bytes, unit: byte, domain: {{one_of: [1, 2]}}}}
formulas:
  size: {{expr: 2*n_layers*n_kv*b, unit: byte/token}}
figures:
  kv: {{formula: size, with: {{n_layers: {layers}, n_kv: {heads}, b: 2}}}}
derivation: |
  It takes [{equation}](fig:kv).
"""


@pytest.mark.parametrize(
    ("layers", "heads", "before", "after"),
    [
        (32, 8, "`2*32*32*2 = 4096 byte/token`", "`2*32*8*2 = 1024 byte/token`"),
        (80, 8, "`2*32*8*2 = 1 KiB/token`", "`2*80*8*2 = 2.5 KiB/token`"),
        (64, 16, "`2*64*16*2 = 9 KiB`", "`2*64*16*2 = 4 KiB`"),
        (
            64,
            16,
            "$2 \\cdot 64 \\cdot 8 \\cdot 2 = 2\\,\\text{KiB}$",
            "$2 \\cdot 64 \\cdot 16 \\cdot 2 = 4\\,\\text{KiB}$",
        ),
    ],
)
def test_equations_move_with_their_inputs(base: TinyBase, layers: int, heads: int, before: str, after: str) -> None:
    file = base.formula("speed", EQUATION.format(layers=layers, heads=heads, equation=before))
    done = fix(base)
    assert done.after.sources()["records/formulas/speed.yaml"] == file.read_text("utf-8").replace(before, after)
    assert not check(done.base).diagnostics


@pytest.mark.parametrize("before", ["`2*7*9*5*2 = 4 KiB`", "`9*7*2*2 = 4 KiB`"])
def test_an_equation_in_which_it_is_not_clear_what_moved_is_left(base: TinyBase, before: str) -> None:
    base.formula("speed", EQUATION.format(layers=64, heads=16, equation=before))
    done = fix(base)
    assert not done.edits
    assert check(done.base).errors


EFFECT = """bound_by: memory
symbols:
  bandwidth: {meaning: memory bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}
  memory: {meaning: what is read, unit: byte, value: 100 GB}
formulas:
  time: {expr: memory / bandwidth, unit: s}
figures:
  full: {formula: time, with: {accelerator: gpu}}
points:
  gpu: {accelerator: gpu}
arithmetic_intensity: |
  Reading all of it takes [50 ms](fig:full) on the part. It is fixed.
hardware_parameters:
  - parameter: memory_bandwidth
    effect: "Reading all of it takes 50 ms on …"
    magnitude: [full]
    basis: derived
    values_for: [gpu]
    cost: time
    elasticity: {gpu: -1}
affected_by_hardware: [gpu]
"""


def test_the_effect_that_repeats_the_words_moves_with_them(base: TinyBase) -> None:
    base.workload("attention", EFFECT.removeprefix("bound_by: memory\n"))
    assert base.lines() == []
    base.change(
        "accelerators/gpu.yaml", {"value: 2000 GB/s": "value: 4000 GB/s", "as_printed: 2 TB/s": "as_printed: 4 TB/s"}
    )
    done = fix(base)
    source = done.after.sources()["records/workload_classes/attention.yaml"]
    assert "[25 ms](fig:full)" in source and '"Reading all of it takes 25 ms on …"' in source
    assert not check(done.base).diagnostics


MOVED = {
    "It is under [296x](fig:ratio).": "It is [under 296x](fig:ratio).",
    "It is about [300](fig:ratio) in all.": "It is [about 300](fig:ratio) in all.",
    "It draws [700](fig:power) W.": "It draws [700 W](fig:power).",
    "It is [295x](fig:ratio) or more.": "It is [295x or more](fig:ratio).",
}
STAY = ("It is under [290x](fig:ratio).", "It is -[295x](fig:ratio).", "It draws [700 W](fig:power) per rack.")


def test_brackets_move_to_the_whole_quantity_where_it_holds(base: TinyBase) -> None:
    body = (
        'symbols:\n  w: {meaning: power, unit: W, value: 700 W}\nformulas:\n  ratio: {expr: 29537/100, unit: "1"}\n'
        "  power: {expr: w, unit: W}\nnotes: |\n"
    )
    base.formula("z", body + "".join(f"  {line}\n" for line in (*MOVED, *STAY)))
    source = fix(base).after.sources()["records/formulas/z.yaml"]
    assert source.partition("notes: |\n")[2].splitlines() == [f"  {line}" for line in (*MOVED.values(), *STAY)]


FORMS = st.sampled_from(["{}", "{}x", "about {}", "~{}x", "**{}**", "`{}`"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(1, 10**7), st.integers(1, 999), st.integers(0, 3), FORMS), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
)
def test_after_any_change_of_inputs_the_base_is_clean(
    base: TinyBase, quotes: list[tuple[int, int, int, str]], end: str
) -> None:
    """Numbers written for other inputs are rewritten; the text outside of the links stays byte for byte."""
    lines = ["formulas:"]
    prose = ["derivation: |"]
    for number, (over, under, decimals, form) in enumerate(quotes):
        lines.append(f'  f{number}: {{expr: {over}/{under}, unit: "1"}}')
        stale = f"{float(Fraction(over * 7, under * 3)):.{decimals}f}"
        assume(Fraction(stale))  # a zero that is none any more is another statement
        prose.append(f"  Text *{'é' * number}* [{form.format(stale)}](fig:f{number}) more,  text.  ")
    text = HEAD.format(id="speed", kind="formula", name="Speed", status="verified") + "\n".join([*lines, *prose]) + "\n"
    file = base.records / "formulas" / "speed.yaml"
    file.write_bytes(text.replace("\n", end).encode("utf-8"))
    done = fix(base)
    left = [
        d
        for d in check(done.base).diagnostics
        if d.rule in ("figure-mismatch", "figure-truncated", "equation-mismatch")
    ]
    assert not left
    old, new = (files.sources()["records/formulas/speed.yaml"] for files in (done.before, done.after))
    assert outside(old) == outside(new)
    assert fixed(done.after, lambda _: True).edits == ()


def outside(text: str) -> list[str]:
    """What stands outside of the texts of links."""
    return [part.rpartition("[")[0] for part in text.split("](fig:")]
