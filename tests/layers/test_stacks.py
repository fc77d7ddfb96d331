"""Sums over layers, cases and calls: values worked out by hand, and reasons where there is none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from flopkb.base.faults import Blocked, Fault, MissingInput, NotCovered, SeveralCases, Unavailable, UnreadInput
from flopkb.checking.api import Base

from .stacks import FLAT, HYBRID, MODELS, WINDOWS, asked, base_of

BASE = base_of({**MODELS, "hybrid": HYBRID})
# windows: one full layer, 2 KV heads of 10; four windowed ones of 16 tokens, 1 KV head; two that reuse the full cache.
FULL, LOCAL = 2 * 20, 1 * 20


def test_nothing_is_wrong_with_the_base_itself() -> None:
    assert [str(fault) for fault in BASE.kb.faults] == []


VALUES = {
    "each type by its case": ("cache.size", {"model": "windows", "L": "100", "B": "2"}, 2 * (100 * FULL + 4 * 16 * LOCAL) * 2),
    "below the window": ("cache.size", {"model": "windows", "L": "10", "B": "1"}, (10 * FULL + 4 * 10 * LOCAL) * 2),
    "layers that are alike": ("cache.size", {"model": "flat", "L": "100", "B": "2"}, 3 * 100 * FULL * 2 * 2),
    "a formula at other inputs": ("cache.twice", {"model": "windows", "L": "100", "B": "2"}, 2 * (200 * FULL + 4 * 16 * LOCAL) * 2),
    "a binding is read for each layer": (
        "cache.size", {"model": "windows", "L": "100", "B": "1", "n_kv": "n_q"}, (100 * 80 + 4 * 16 * 80) * 2
    ),
    "its own name is its value without it": (
        "cache.size", {"model": "windows", "L": "100", "B": "1", "n_kv": "2*n_kv"}, (100 * 2 * FULL + 4 * 16 * 2 * LOCAL) * 2
    ),
    "also in a call": ("cache.of_rank", {"model": "windows", "L": "100", "B": "1", "T": "2"}, (100 * 20 + 4 * 16 * 20) * 2),
    "what a call binds needs no other input of it": (
        "cache.one_group", {"model": "windows", "L": "100", "B": "3", "T": "2", "n_kv": "4"}, 3 * (100 * 40 + 4 * 16 * 40) * 2
    ),
    "a number binds every layer": ("cache.size", {"model": "windows", "L": "100", "B": "1", "n_kv": "4"}, (100 * 80 + 4 * 16 * 80) * 2),
    "one layer alone": ("cache.of_layer", {"model": "windows", "mixer": "local", "L": "100"}, 16 * LOCAL * 2),
    "a cache of another asks for nothing": ("cache.of_layer", {"model": "windows", "mixer": "again"}, 0),
    "the only mixer there is": ("cache.of_layer", {"model": "flat", "L": "100"}, 100 * FULL * 2),
    "a family of models": ("cache.entry", {"mixer_type": "latent_attention", "r_kv": "30", "d_rope": "6"}, 36),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_what_a_cache_keeps(name: str) -> None:
    formula, inputs, value = VALUES[name]
    more = {"kv_dtype": "half"} if formula != "cache.entry" and "nothing" not in name else {}
    assert asked(BASE, formula, **inputs, **more) == value


def test_what_was_asked_before_changes_nothing() -> None:
    base = base_of(MODELS)
    asked(base, "weights.total", model="windows", n_q="8")
    assert asked(base, "weights.total", model="windows") == asked(base_of(MODELS), "weights.total", model="windows") > 0


def test_a_mixer_says_the_dtype_of_its_state_and_an_asker_overrules_it() -> None:
    state = 2 * 3 * 5
    assert asked(BASE, "cache.state", model="hybrid") == 3 * state * 4
    assert asked(BASE, "cache.state", model="hybrid", state_dtype="half") == 3 * state * 2
    assert (
        asked(BASE, "cache.read", model="hybrid", kv_dtype="half", L="7", B="5")
        == 5 * 7 * 36 * 2 + 2 * 5 * 3 * state * 4
    )


FULL_WEIGHTS, LOCAL_WEIGHTS = 100 * 40 + 100 * 40 + 40 * 100, 100 * 40 + 100 * 20 + 40 * 100
MIXERS = 3 * FULL_WEIGHTS + 4 * LOCAL_WEIGHTS
DENSE, ROUTER, EXPERT = 3 * 100 * 50, 100 * 8, 3 * 100 * 20


def test_what_layers_weigh() -> None:
    assert asked(BASE, "weights.total", model="windows") == MIXERS + 2 * DENSE + 6 * (ROUTER + 8 * EXPERT)
    assert asked(BASE, "weights.active", model="windows") == MIXERS + 2 * DENSE + 6 * (ROUTER + 2 * EXPERT)
    called = 8 * (1 - Fraction(3, 4) ** 3)
    assert asked(BASE, "weights.touched", model="windows", B="3") == MIXERS + 2 * DENSE + 6 * (ROUTER + called * EXPERT)


def test_has_is_worth_one_or_nothing() -> None:
    assert asked(BASE, "cache.lonely", model="flat") == 1
    assert asked(BASE, "cache.lonely", r_q="5") == 0
    compressed = base_of({"flat": FLAT + "q_lora_rank: 7\n"})
    assert asked(compressed, "cache.lonely", model="flat") == 0
    assert asked(compressed, "weights.queries", model="flat") == 100 * 7 + 7 * 40


REASONS: dict[str, tuple[str, dict[str, str], type[Fault], str]] = {
    "several mixers": ("cache.entry", {"model": "windows"}, Unavailable, "has the mixers full, local, again; say which, as mixer: full"),
    "a misspelt mixer": ("cache.entry", {"model": "windows", "mixer": "lcal"}, Unavailable, "did you mean local?"),
    "no model": ("cache.size", {"kv_dtype": "half", "L": "1", "B": "1"}, MissingInput, "missing input model"),
    "what is unsaid": ("weights.total", {"model": "hybrid"}, Unavailable, "does not say the feed-forward blocks"),
    "a type that is not covered": ("weights.mixing", {"model": "hybrid", "mixer": "delta"}, NotCovered, "no case for mixer_type gated_delta"),
    "an input of no case that counts": ("cache.size", {"model": "flat", "kv_dtype": "half", "L": "1", "B": "1", "window": "5"}, UnreadInput, "window"),
    "a format of no case that counts": ("cache.state", {"model": "flat", "state_dtype": "half"}, UnreadInput, "does not read state_dtype"),
    "a model's field where its layers differ": ("asks.heads", {"model": "windows"}, Unavailable, "differ in num_key_value_heads (full 2, local 1"),
    "a field that one type has": ("asks.width", {"model": "windows"}, Unavailable, "differ in sliding_window"),
    "a type that there is not": ("cache.entry", {"mixer_type": "full"}, Fault, "did you mean full_attention?"),
}  # fmt: skip
ASKS = """
id: asks
kind: formula
name: Questions
status: verified
updated: 2026-01-05
formulas:
  heads: {expr: model.num_key_value_heads, unit: head}
  width: {expr: model.sliding_window, unit: token}
  size: {expr: model.head_dim, unit: element}
"""


@pytest.mark.parametrize("name", REASONS)
def test_why_there_is_no_value(name: str) -> None:
    formula, inputs, kind, words = REASONS[name]
    found = asked(base_of({**MODELS, "hybrid": HYBRID}, ASKS), formula, **inputs)
    assert isinstance(found, kind), found
    assert words in str(found)
    assert len(str(found)) < 300


def test_a_models_field_is_that_in_which_its_layers_agree() -> None:
    base = base_of(MODELS, ASKS)
    assert asked(base, "asks.size", model="windows") == 10
    assert asked(base, "asks.heads", model="flat") == 2


NESTED = """
id: nested
kind: formula
name: Sums
status: verified
updated: 2026-01-05
formulas:
  heads: {expr: "sum(model.mixers, n_q)", unit: head}
  twice: {expr: 2*heads, unit: head}
  beside: {expr: "heads + sum(model.mixers, n_kv)", unit: head}
  inside: {expr: "sum(model.mixers, twice)", unit: head}
  called: {expr: "sum(model.feed_forwards, heads(n_q=2))", unit: head}
"""


def test_a_sum_of_what_is_summed_already_is_reported() -> None:
    base = base_of(MODELS, NESTED, faulty=True)
    assert [(fault.location.line, str(fault)) for fault in base.kb.faults] == [
        (10, "nested.inside sums what nested.heads sums already: a sum stands in no other sum, add them side by side"),
        (11, "nested.called sums what nested.heads sums already: a sum stands in no other sum, add them side by side"),
    ]
    assert isinstance(asked(base, "nested.inside", model="flat"), Blocked)
    assert asked(base, "nested.beside", model="flat") == 3 * (4 + 2)


def test_two_cases_at_once() -> None:
    both = """
id: both
kind: formula
name: Two cases
status: verified
updated: 2026-01-05
formulas:
  f: {unit: "1", cases: [{when: mixer_type in with_heads, expr: 1}, {when: mixer_type == full_attention, expr: 2}]}
"""
    found = asked(base_of(MODELS, both), "both.f", model="flat")
    assert isinstance(found, SeveralCases)


@pytest.mark.parametrize(
    "fault",
    [
        "num_hidden_layers: 8 -> num_hidden_layers: 9",
        "mixers: [again] -> mixers: [agian]",
        "reuses: full -> reuses: local2",
        "sliding_window: 16, -> ",
    ],
)
def test_nothing_is_computed_from_layers_that_are_wrong(fault: str) -> None:
    old, _, new = fault.partition(" -> ")
    assert old in WINDOWS
    base = base_of({"windows": WINDOWS.replace(old, new)}, faulty=True)
    found = asked(base, "cache.size", model="windows", kv_dtype="half", L="10", B="1")
    assert isinstance(found, Blocked), found


def test_counts_and_fields_are_what_the_value_depends_on() -> None:
    value = Base(BASE).evaluate("cache.size", model="windows", kv_dtype="half", L="100", B="2").computed
    assert value is not None
    assert {atom.path for atom in value.facts() if atom.record == "windows"} == {
        "mixers.full.count",
        "mixers.full.num_key_value_heads",
        "mixers.full.head_dim",
        "mixers.local.count",
        "mixers.local.sliding_window",
        "mixers.local.num_key_value_heads",
        "mixers.local.head_dim",
    }


ONLY = """
id: only
kind: formula
name: For one type
status: verified
updated: 2026-01-05
formulas:
  full: {expr: n_kv, unit: head, requires: [{that: mixer_type == full_attention, else: of full layers}]}
  none: {expr: "sum(model.mixers, 1)", unit: layer, requires: [{each: model.mixers, that: mixer_type in with_heads, else: of heads}]}
  said: {expr: "sum(model.mixers, 1)", unit: layer, assumes: [{each: model.mixers, that: mixer_type == full_attention, else: apart}]}
"""
TYPED = base_of({**MODELS, "hybrid": HYBRID}, ONLY)


def test_a_type_is_required_of_a_mixer_and_of_each() -> None:
    assert asked(TYPED, "only.full", model="windows", mixer="full") == 2
    assert asked(TYPED, "only.none", model="windows") == 7
    assert str(asked(TYPED, "only.full", model="windows", mixer="local")) == (
        "only.full is not applicable: of full layers: mixer_type is sliding_attention"
    )
    assert "of heads: mixer_type is gated_delta (mixer delta)" in str(asked(TYPED, "only.none", model="hybrid"))


def test_a_type_that_nothing_says_is_not_asked() -> None:
    assert asked(TYPED, "only.full", n_kv="3") == 3
    assert "is not applicable" in str(asked(TYPED, "only.full", n_kv="3", mixer_type="latent_attention"))


def test_an_assumed_type_is_one_line_for_all_that_fall_short() -> None:
    assert Base(TYPED).evaluate("only.said", model="windows").assumes == (
        "apart (mixer_type is sliding_attention (mixer local))",
    )
    assert Base(TYPED).evaluate("only.said", model="flat").assumes == ()


def test_a_format_of_a_state_that_an_asker_overrules_is_said() -> None:
    ask = Base(BASE).evaluate
    assert ask("cache.state", model="hybrid").assumes == ()
    assert ask("cache.state", model="hybrid", state_dtype="wide").assumes == ()
    assert ask("cache.state", model="hybrid", state_dtype="half").assumes == (
        "state_dtype is half as asked, where the model says wide",
    )
