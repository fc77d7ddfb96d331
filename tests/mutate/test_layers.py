"""Slips in cases, requirements and the layers of a model: which are made, and that a base which holds its numbers sees them."""

from __future__ import annotations

import pytest
from layers.stacks import HYBRID, MODELS, base_of

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import parse_case, walk
from flopkb.base.document import Document, Scalar
from flopkb.base.evaluate import Evaluation, evaluate
from flopkb.base.link import link
from flopkb.base.loading import load_text
from flopkb.base.schema import read_records
from flopkb.checking.check import check
from flopkb.checking.mutate.layers import condition_mutants, layer_mutants, part_mutants
from flopkb.checking.mutate.mutants import Mutant, MutantGroup
from flopkb.checking.mutate.run import all_mutants, replaced, run, sampled

# windows at L = 100, B = 2: (100*40 + 4*16*20)*2*2 bytes; the hybrid's state: 3 layers of 2*3*5 elements of 4 bytes.
# Weights of windows: 3 mixers of 12,000 and 4 of 10,000; 2 dense blocks of 15,000 and 6 of 8*(100 + 3*100*20).
HELD = """
id: held
kind: formula
name: What the tests hold
status: verified
updated: 2026-01-05
formulas:
  within:
    expr: cache.size
    unit: byte
    requires: [{that: L <= 64, else: it is too long}]
    assumes: [{that: B <= 8, else: the batch is large}]
figures:
  last: {formula: within, with: {model: windows, kv_dtype: half, L: 64, B: 8}}
  beyond: {formula: within, with: {model: windows, kv_dtype: half, L: 65, B: 8}, hypothetical: the first that is too long}
derivation: |
  It keeps [21,120 bytes](fig:cache.size?model=windows&kv_dtype=half&L=100&B=2), and a state of
  [360 bytes](fig:cache.state?model=hybrid), beside [398,800 parameters](fig:weights.total?model=windows).
"""
BASE = base_of({**MODELS, "hybrid": HYBRID}, HELD)


def survivors(base: Evaluation, mutants: list[Mutant]) -> list[str]:
    return [str(found.mutant) for found in run(base, mutants, 1) if found.survived]


def of(record: str) -> list[Mutant]:
    return [m for m in all_mutants(BASE) if m.group is MutantGroup.LAYERS and m.record == record]


def test_counts_repetitions_and_types_of_a_model_are_caught() -> None:
    mine = of("windows")
    counts = [(m.before, m.after) for m in mine if m.what in ("count of layers", "repeat of layers")]
    # counts 1, 2, 1, 1 and a repetition of 2, each one more and one less
    assert sorted(counts) == sorted([("1", "2"), ("1", "0")] * 3 + [("2", "3"), ("2", "1")] * 2)
    assert {m.what for m in mine} == {"count of layers", "repeat of layers", "type of a layer"}
    assert survivors(BASE, mine) == []


def test_a_model_whose_layers_are_alike_has_one_type_of_each_role() -> None:
    found = {m.before for m in layer_mutants(BASE.kb.records["flat"])}
    assert found == {"full_attention", "gated"}


CONDITIONS = {
    "mixer_type == gated_delta": {"mixer_type != gated_delta", "mixer_type == indexer", "mixer_type == mamba"},
    "ratio > 1": {"ratio < 1", "ratio > 2"},
    "L <= window": {"L >= window", "L <= 2*(window)", "L <= (window)/2"},
    "has(r_q)": {"not has(r_q)"},
    "not shared": {"shared", "not not shared"},
    "shared or has(r_q)": {"shared and has(r_q)", "not shared or has(r_q)", "shared or not has(r_q)"},
    "mixer_type in with_heads": {"mixer_type in with_cache", "mixer_type in without_cache"},
    "experts in [gated, plain]": {"experts in [mixture_of_experts, plain]", "experts in [gated, mixture_of_experts]"},
    "experts == nothing": {"experts != nothing"},
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_the_slips_of_a_condition(text: str) -> None:
    slips = [slip for node in walk(parse_case(text)) for slip in part_mutants(node, text, BASE)]
    assert {text[:at] + after + text[at + length :] for at, length, after, _ in slips} == CONDITIONS[text]


def test_a_condition_that_is_none_has_no_slips() -> None:
    faulty = Scalar(Location("x", 1, 1), "mixer_type ==", "mixer_type ==")
    assert list(condition_mutants(faulty, "case", BASE.kb.records["held"], BASE)) == []


def test_a_bound_that_a_figure_stands_on_is_held() -> None:
    mine = [m for m in of("held") if m.what.endswith("of a requirement")]
    assert {(m.before, m.after) for m in mine} == {("<=", ">="), ("64", "65"), ("8", "9")}
    # nothing says that a batch of 8 is the last that is not large
    assert [line for line in survivors(BASE, mine) if "64" in line] == []


def test_a_case_that_a_number_rests_on_is_held_and_one_that_none_does_is_told() -> None:
    taken = [m for m in of("cache") if "sliding" in m.before or "gated_delta" in m.before]
    assert taken
    assert survivors(BASE, taken) == []


def found_in_full(mutant: Mutant) -> bool:
    """Whether anything new is found where everything is read, linked and evaluated again."""
    record = BASE.kb.records[mutant.record]
    loaded = load_text(replaced(record.document.source, mutant), record.path)
    others = [each.document for each in BASE.kb.records.values() if each.id != record.id]
    records, _, refused = read_records([*others, *([loaded] if isinstance(loaded, Document) else [])])
    if refused or not isinstance(loaded, Document):
        return True
    found = check(evaluate(link(records))).diagnostics
    return bool({(d.rule, d.message) for d in found} - {(d.rule, d.message) for d in check(BASE).diagnostics})


def test_what_depends_on_a_change_is_all_that_it_can_touch() -> None:
    mine = sampled([m for m in all_mutants(BASE) if m.group is not MutantGroup.SUPPRESSIONS], 50, 1)
    assert len({m.group for m in mine}) >= 3
    wrong = [
        str(found.mutant) for found in run(BASE, mine, 1) if (found.rule is not None) != found_in_full(found.mutant)
    ]
    assert wrong == []
