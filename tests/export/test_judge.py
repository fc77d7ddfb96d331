"""A changed value judged in the page, by its own script in node: what Python says of the record changed so."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, TinyBase

from export.bases import resolved
from flopkb.base.evaluate import Evaluation
from flopkb.checking.api import Base, load
from flopkb.publishing.export.html.behind import behind, readers
from flopkb.publishing.export.html.program import Program
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.pages.lookups import Lookups

SCRIPT = Path(__file__).parents[2] / "flopkb/publishing/export/html/judge.js"
JUDGE = """
const judge = require(process.argv[1]);
const { program, records, changes } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const id = Object.keys(changes)[0].split(".")[0], found = {};
const [other, all] = judge.spread(program, changes, id, records[id].kind, records[id].derived);
for (const [id, { quotes, asks }] of Object.entries(records)) for (const quote of quotes) {
  found[`${id}#${quote.anchor}`] = judge.judged(other, quote, asks, all).state;
}
process.stdout.write(JSON.stringify(found));
"""
MARGINS = """
const judge = require(process.argv[1]);
const { program, records, id, anchor, inputs } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const { quotes, asks } = records[id];
process.stdout.write(JSON.stringify(judge.margins(program, quotes.find((each) => each.anchor === anchor), asks, inputs)));
"""
CLASS = """\
symbols:
  L: {meaning: context, unit: token, domain: {integer: [1, 100000]}}
  n: {meaning: heads, from: model.num_key_value_heads, domain: {integer: [1, 64]}}
  b: {meaning: bytes of an element, unit: byte, from: kv_dtype.bytes, domain: {one_of: [1, 2, 4]}}
  bandwidth: {meaning: memory bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}
  memory: {meaning: memory, unit: byte, from: accelerator.memory_capacity}
formulas:
  size: {expr: L*n*b*1000000, unit: byte, requires: [{that: size_alone <= memory, else: does not fit}]}
  size_alone: {expr: L*n*b*1000000, unit: byte}
  time: {expr: size / bandwidth, unit: s}
  ridge: {expr: "accelerator.peak_flops[dtype] / bandwidth", unit: flop/byte}
figures:
  read: {formula: time, with: {model: llm, kv_dtype: bf16, accelerator: gpu, L: 4000}}
  ratio: {formula: ridge, with: {accelerator: gpu, dtype: bf16}}
  halved: {formula: size_alone, with: {model: llm, kv_dtype: bf16, n: 4, L: 1}, over: {n: model.num_key_value_heads}}
  several: {formula: size_alone, with: {model: llm, kv_dtype: bf16, L: [1000, 2000]}}
implications: |
  Reading takes [32 ms](fig:read), [about 30 ms](fig:read) or [under 40 ms](fig:read); the ridge is at [200](fig:ratio), the
  part reads [2 TB/s](fact:gpu.memory_bandwidth), half of the heads take [half](fig:halved), and it is [16-32 GB](fig:several).
  In place, a ridge of [200 flop/byte](fig:ridge?accelerator=gpu&dtype=bf16).
"""


def told(base: ResolvedBase) -> dict[str, Any]:
    """What is behind the numbers of every record, as the page has it."""
    look = Lookups.of(base)
    reading = readers(look)
    return {id: data for id, record in base.records.items() if (data := behind(record, look, reading))}


def program(base: Base) -> dict[str, Any]:
    """What the page computes with."""
    return json.loads(json.dumps(Program(base.evaluation.kb).made()))


def in_node(script: str, data: dict[str, Any]) -> Any:
    """What the script says."""
    if shutil.which("node") is None:
        pytest.skip("node, which runs the scripts of the site, is not installed")
    done = subprocess.run(
        ["node", "-e", script, str(SCRIPT)], input=json.dumps(data), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def change(base: ResolvedBase, key: str, factor: Fraction) -> dict[str, Any]:
    """A recorded value that is so many times as great."""
    fact = next(fact for fact in base.facts if fact.key == key)
    assert fact.value is not None
    places = [fact.path, *([f"{fact.quantity}.{fact.dtype}"] if fact.dtype else [])]
    return {key: {"value": str(fact.value.base * factor), "places": places}}


def as_changed(record: str, old: str, new: str) -> str:
    """A record with another value, of which its source would print something else."""
    return re.sub(r"as_printed: [^,}\n]+", "as_printed: otherwise", record.replace(old, new))


def states(evaluation: Evaluation, of: dict[str, Any]) -> dict[str, str]:
    """What Python says of the quotes that the page judges: equations are judged by rules of their own."""
    found = {}
    for id, data in of.items():
        results = evaluation.quotes[id]
        for quote in data["quotes"]:
            if "math" not in quote:
                judgement = results[int(quote["anchor"].removeprefix("quote-")) - 1].judgement
                state = "impossible" if judgement is None else "right" if judgement.ok else "stale"
                found[f"{id}#{quote['anchor']}"] = state
    return found


@pytest.mark.parametrize(
    ("key", "old", "factors"),
    [
        ("gpu.memory_bandwidth", "value: 2000 GB/s", ("2001", "1900", "2500", "1000", "8000")),
        ("gpu.memory_capacity", "value: 80 GB", ("65", "63")),
        ("gpu.peak_flops.bf16", "value: 400 TFLOP/s", ("400.9", "402")),
        ("llm.num_key_value_heads", "num_key_value_heads: 8", ("9", "16", "4", "65")),
    ],
)
def test_what_the_page_says_of_a_change_is_what_python_says(
    key: str, old: str, factors: tuple[str, ...], base: TinyBase
) -> None:
    base.workload("reading", CLASS)
    before = resolved(load(base.records), base.records)
    given, computes = told(before), program(before.base)
    file = next(base.records.rglob(f"{key.partition('.')[0]}.yaml"))
    kept = file.read_text(encoding="utf-8")
    number = old.rpartition(": ")[2].split()[0]
    seen = set()
    for new in factors:
        file.write_text(as_changed(kept, old, old.replace(number, new)), encoding="utf-8")
        expected = states(base.evaluate(), given)
        changes = change(before, key, Fraction(new) / Fraction(number))
        found = in_node(JUDGE, {"program": computes, "records": given, "changes": changes})
        assert {anchor: state for anchor, state in found.items() if anchor in expected} == expected, new
        seen |= set(expected.values())
    assert {"right", "stale"} <= seen


@pytest.mark.slow
def test_a_change_of_the_shipped_base_is_judged_as_python_judges_it(whole: ResolvedBase, tmp_path: Path) -> None:
    given, computes = told(whole), program(whole.base)
    shutil.copytree(REPOSITORY / "records", tmp_path / "records")
    for key, old, new in (
        ("nvidia_h100_sxm.memory_bandwidth", "value: 3350 GB/s", "value: 4020 GB/s"),
        ("llama_3_8b.num_key_value_heads", "num_key_value_heads: 8", "num_key_value_heads: 16"),
    ):
        file = next((tmp_path / "records").rglob(f"{key.partition('.')[0]}.yaml"))
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(as_changed(text, old, new), encoding="utf-8")
    changes = change(whole, "llama_3_8b.num_key_value_heads", Fraction(2))
    changes |= change(whole, "nvidia_h100_sxm.memory_bandwidth", Fraction(4020, 3350))
    expected = states(load(tmp_path / "records").evaluation, given)
    found = in_node(JUDGE, {"program": computes, "records": given, "changes": changes})
    assert {anchor: state for anchor, state in found.items() if anchor in expected} == expected
    assert sum(state != "right" for state in expected.values()) > 50


def test_how_far_an_input_may_move_before_a_quote_fails(base: TinyBase) -> None:
    base.workload("reading", CLASS)
    made = resolved(load(base.records), base.records)
    given = told(made)
    asked = {"program": program(made.base), "records": given, "id": "reading", "anchor": "quote-1"}
    inputs = [{"key": "gpu.memory_bandwidth", "value": "2000000000000", "places": ["memory_bandwidth"]}]
    (found,) = in_node(MARGINS, asked | {"inputs": inputs})
    # 64 GB over 2 TB/s is 32 ms, and 32 ms is right from 31.5 to 32.5: from 64/65 to 64/63 of the bandwidth
    assert Fraction(found["down"]) / 2 / 10**12 == pytest.approx(64 / 65, rel=1e-3)
    assert Fraction(found["up"]) / 2 / 10**12 == pytest.approx(64 / 63, rel=1e-3)
