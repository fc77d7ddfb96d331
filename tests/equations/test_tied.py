"""Equations that are tied to figures: each digit that is changed is found at its place."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from conftest import TinyBase

from flopkb.commands.main import main

RECORD = """symbols:
  n_layers: {{meaning: layers, domain: {{integer: [1, 512]}}}}
  n_kv: {{meaning: heads, domain: {{integer: [1, 512]}}}}
  d_h: {{meaning: width, domain: {{integer: [1, 1024]}}}}
  b: {{meaning: bytes, unit: byte, domain: {{one_of: [1, 2, 4]}}}}
formulas:
  size: {{expr: 2*n_layers*n_kv*d_h*b, unit: byte/token, written: ["M_{{KV}}"]}}
  share: {{expr: n_kv / n_layers, unit: "1"}}
figures:
  kv: {{formula: size, with: {{n_layers: 61, n_kv: 8, d_h: 120, b: 2}}}}
derivation: |
  {prose}
"""
LINE = 17


def found(base: TinyBase, prose: str) -> list[tuple[str, int]]:
    """The rules and columns of what is found in the prose."""
    base.formula("speed", RECORD.format(prose=prose))
    result = base.check()
    assert not result.crashes
    return [(d.rule, d.location.column) for d in result.diagnostics if d.location.line == LINE]


EQUATION = "`2*61*8*120*2 = 234240 byte/token`"
"""2*61 = 122, times 8 is 976, times 120 is 117,120, times 2 is 234,240."""


def test_it_holds_as_it_stands(base: TinyBase) -> None:
    assert found(base, f"[{EQUATION}](fig:kv)") == []


@pytest.mark.parametrize("at", [i for i, c in enumerate(EQUATION) if c.isdigit()])
def test_a_changed_digit_is_reported_at_its_number(base: TinyBase, at: int) -> None:
    new = "7" if EQUATION[at] != "7" else "3"
    start = at
    while EQUATION[start - 1].isdigit():
        start -= 1
    rule = "equation-mismatch" if start > EQUATION.index("=") else "equation-input"
    changed = EQUATION[:at] + new + EQUATION[at + 1 :]
    assert found(base, f"[{changed}](fig:kv)") == [(rule, 3 + 1 + start)]


DERIVATIONS = [
    "`size = 2*n_layers*n_kv*d_h*b`",
    "`M_KV = 2*n_layers*n_kv*d_h*b`",
    r"$M_{KV} = 2\,n_\text{layers} n_{kv} d_h b = \frac{4 n_{layers} n_{kv} d_h b}{2}$",
    "`2*n_layers*n_kv*d_h*b`",
    r"$size = 2 n_{layers}^2 \cdot share \cdot d_h b$",
]


@pytest.mark.parametrize("text", DERIVATIONS)
def test_derivations_hold_for_all_values(base: TinyBase, text: str) -> None:
    assert found(base, f"[{text}](fig:size)") == []


@pytest.mark.parametrize("text", DERIVATIONS)
def test_a_changed_operator_or_factor_is_found(base: TinyBase, text: str) -> None:
    changed = text.replace("2", "3", 1)
    assert [rule for rule, _ in found(base, f"[{changed}](fig:size)")] == ["derivation-mismatch"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("`share = 2*n_layers*n_kv*d_h*b`", "derivation-mismatch"),
        ("`size = 2*n_layers*n_kv*d_h*b = 5 byte`", "derivation-mismatch"),
        ("`size = n_layers*n_heads`", "unreadable-equation"),
        ("`size = 1/(n_kv - n_kv)`", "derivation-mismatch"),
    ],
)
def test_what_is_wrong_with_a_derivation(base: TinyBase, text: str, rule: str) -> None:
    assert [r for r, _ in found(base, f"[{text}](fig:size)")] == [rule]


def test_inputs_in_the_link_are_put_into_both_sides(base: TinyBase) -> None:
    assert found(base, "[`size = 976*d_h*b`](fig:size?n_layers=61&n_kv=8)") == []
    assert found(base, "[`size = 975*d_h*b`](fig:size?n_layers=61&n_kv=8)") == [("derivation-mismatch", 12)]
    assert found(base, "[`size = 2*n_layers*n_kv*d_h*b = 234240 byte/token`](fig:kv)") == []
    assert found(base, "[`share = 1/61 = 0.0164`](fig:share?n_layers=61&n_kv=1)") == []


RATIO = r"\frac{n_{kv}}{n_{layers}}"


@pytest.mark.parametrize(
    ("prose", "rule"),
    [
        # n_kv and n_layers run from 1 to 512: their ratio is above 0, at most n_kv, at most 512
        (rf"[$share = {RATIO} \le n_{{kv}} < 513$](fig:share)", ""),
        (rf"[$share = {RATIO} \le n_{{kv}} < 512$](fig:share)", "derivation-mismatch"),
        (rf"[$share = {RATIO} \le n_{{kv}} < 1$](fig:share)", "derivation-mismatch"),
        ("[`share <= 0`](fig:share)", "derivation-mismatch"),
        ("[`share > 0`](fig:share)", ""),
        ("[`0 < share`](fig:share)", ""),
        ("[`0 >= share`](fig:share)", "derivation-mismatch"),
        ("[`> 0`](fig:share)", ""),
        ("[`share = n_kv/n_layers <= n_kv/n_layers - 1`](fig:share)", "derivation-mismatch"),
        ("[`share = n_kv/n_layers <= n_kv/n_layers + 1`](fig:share)", ""),
        ("[`share = n_kv/n_layers < n_kv/n_layers`](fig:share)", "derivation-mismatch"),
        ("[`share <= n_kv = 2*n_kv`](fig:share)", "derivation-mismatch"),
        ("[`share <= n_kv = 2*n_kv/2`](fig:share)", ""),
        ("[`share <= n_kv GB`](fig:share)", "unreadable-equation"),
        ("[`share <= 3 GB`](fig:share)", "equation-mismatch"),
        (r"[$share \to 300$](fig:share)", "unreadable-equation"),
        (r"[$share \propto n_{kv}$](fig:share)", "unreadable-equation"),
        (r"[$share \ll 300$](fig:share)", "unreadable-equation"),
        (r"[$share = n_{kv}/n_{layers} \\ n_{kv} = 3$](fig:share)", "unreadable-equation"),
        (rf"[$$share = n_{{kv}}/n_{{layers}} \\ = {RATIO}$$](fig:share)", ""),
        ("[`share < < 3`](fig:share)", "unreadable-equation"),
        ("[`share <`](fig:share)", "unreadable-equation"),
        # as numbers: 8 layers of 64 heads
        ("[`64/8 = 8 > 7`](fig:share?n_kv=64&n_layers=8)", ""),
        ("[`9 > 64/8`](fig:share?n_kv=64&n_layers=8)", ""),
        ("[`9 < 64/8`](fig:share?n_kv=64&n_layers=8)", "equation-mismatch"),
        ("[`8 <= 64/8 <= 10`](fig:share?n_kv=64&n_layers=8)", ""),
        ("[`8 <= 64/8 <= 1`](fig:share?n_kv=64&n_layers=8)", "equation-mismatch"),
        ("[`64/8 < 9 = 300`](fig:share?n_kv=64&n_layers=8)", "equation-mismatch"),
        ("[`64/8 < 9 = 18/2`](fig:share?n_kv=64&n_layers=8)", ""),
        ("[`64/8 < 9 < 10`](fig:share?n_kv=64&n_layers=8)", ""),
        ("[`64/8 < 9 < 9`](fig:share?n_kv=64&n_layers=8)", "equation-mismatch"),
        ("[`64/8 != 8`](fig:share?n_kv=64&n_layers=8)", "equation-mismatch"),
        ("[`64/8 < 3 GB`](fig:share?n_kv=64&n_layers=8)", "equation-mismatch"),
        ("[`share = 8 <= n_kv`](fig:share?n_kv=64&n_layers=8)", ""),
        ("[`share = 8 <= n_layers - 1`](fig:share?n_kv=64&n_layers=8)", "derivation-mismatch"),
        ("[`32/4 = 8`](fig:share?n_kv=64&n_layers=8)", "equation-input"),
        (r"[$\frac{8}{1}$](fig:share?n_kv=64&n_layers=8)", ""),
        (r"[$8\times10^{0}$](fig:share?n_kv=64&n_layers=8)", ""),
        (r"[$3\times10^{3}$](fig:share?n_kv=64&n_layers=8)", "equation-mismatch"),
    ],
)
def test_every_relation_is_decided_or_a_finding(base: TinyBase, prose: str, rule: str) -> None:
    assert sorted({r for r, _ in found(base, prose)}) == ([rule] if rule else [])


@pytest.mark.parametrize(("bound", "holds"), [("< 1", True), (r"\le 0.5", True), ("< 0.5", False), (">= 0.6", False)])
def test_a_number_behind_an_inequality_must_hold(base: TinyBase, bound: str, holds: bool) -> None:
    prose = f"[$share = n_{{kv}}/n_{{layers}} = 0.5 {bound}$](fig:share?n_kv=4&n_layers=8)"
    wanted = [] if holds else ["equation-mismatch"]
    assert [rule for rule, _ in found(base, prose)] == wanted


def test_a_set_of_values_is_quoted_by_its_range(base: TinyBase) -> None:
    assert found(base, "[`0.5-1`](fig:share?n_kv=[1, 2]&n_layers=2)") != []
    assert found(base, "[`0.5-1`](fig:share?n_kv=1,2&n_layers=2)") == []


def test_values_between_and_prefixes_are_inputs_too(base: TinyBase) -> None:
    prose = "[`400/2 = 200`](fig:cache.ridge?accelerator=gpu&dtype=bf16) and [`2 TB/s`](fact:gpu.memory_bandwidth)"
    assert found(base, prose) == []


BUS = """id: bus
kind: accelerator
name: A part with a bus
status: verified
updated: 2026-01-05
vendor: Maker
memory_bus_width: {value: 384 bit, basis: recorded, source: sheet, as_printed: 384 bit}
memory_pin_rate: {value: 12 Gbit/s, basis: recorded, source: sheet, as_printed: 12 Gbps}
memory_bandwidth: {value: 576 GB/s, basis: derived, formula: memory_bus_width * memory_pin_rate}
memory_capacity: {value: 80 GB, basis: recorded, source: sheet, as_printed: 80 GB}
"""


@pytest.mark.parametrize(
    ("prose", "right"),
    [
        ("[`12 Gbit/s × 384 bit = 576 GB/s`](fact:bus.memory_bandwidth)", True),
        ("[`12 Gbps x 384-bit = 576 GB/s`](fact:bus.memory_bandwidth)", True),
        ("[`384 * 12 Gbps = 576 GB/s`](fact:bus.memory_bandwidth)", True),
        ("[`383 bit * 12 Gbps = 576 GB/s`](fact:bus.memory_bandwidth)", False),
        ("[`384 byte * 12 Gbps = 576 GB/s`](fact:bus.memory_bandwidth)", False),
        ("[`2 * 40 GB = 80 GB`](fact:bus.memory_capacity)", True),
        ("[`2 * 40 s = 80 GB`](fact:bus.memory_capacity)", False),
        ("[`40 GB + 40 s = 80 GB`](fact:bus.memory_capacity)", False),
        (r"[$8\times10^{10}\,\mathrm{B}$](fact:bus.memory_capacity)", True),
        (r"[$8\times10^{9}\,\mathrm{B}$](fact:bus.memory_capacity)", False),
    ],
)
def test_units_balance_in_a_tie(base: TinyBase, prose: str, right: bool) -> None:
    base.write("accelerators/bus.yaml", BUS)
    assert [rule for rule, _ in found(base, prose)] == ([] if right else ["equation-mismatch"])


DOCUMENT = """<!-- flopkb:
data:
  bench: bench.json
figures:
  speedup: {{expr: bench.old.ms / bench.new.ms, unit: "1"}}
-->
It is {prose} faster.
"""


@pytest.mark.parametrize(
    ("prose", "rule"),
    [
        ("[`12/4 = 3`](fig:speedup)", ""),
        ("[`12/4 = 3 < 4`](fig:speedup)", ""),
        ("[`12/4 = 3 < 2`](fig:speedup)", "equation-mismatch"),
        ("[`speedup <= 2`](fig:speedup)", "equation-mismatch"),
        ("[`bench.old.ms / bench.new.ms = 3 <= 4`](fig:speedup)", ""),
        ("[`bench.old.ms / bench.new.ms <= 2`](fig:speedup)", "equation-mismatch"),
        (r"[$3 \to 4$](fig:speedup)", "unreadable-equation"),
    ],
)
def test_relations_in_a_document_over_data(
    base: TinyBase, monkeypatch: pytest.MonkeyPatch, prose: str, rule: str
) -> None:
    monkeypatch.chdir(base.folder)
    (base.folder / "bench.json").write_text('{"old": {"ms": 12}, "new": {"ms": 4}}', encoding="utf-8")
    page = base.folder / "page.md"
    page.write_text(DOCUMENT.format(prose=prose), encoding="utf-8")
    told = CliRunner().invoke(main, ["check", "--format", "json", "page.md"]).stdout
    assert [found["rule"] for found in json.loads(told)["findings"]] == ([rule] if rule else [])
