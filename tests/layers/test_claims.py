"""Claims on formulas over layers: on a family, its type being given, and on models."""

from __future__ import annotations

import pytest

from flopkb.base.claims.verdicts import Invalid, Proved, Refuted
from flopkb.base.claims.verdicts import Tested as OnlyTested
from flopkb.checking.api import Base

from .stacks import HYBRID, MODELS, base_of

CLAIMS = """
id: claims
kind: formula
name: Claims on layers
status: verified
updated: 2026-01-05
formulas:
  windowed: {{expr: "sum(model.mixers, cache.of_layer)", unit: byte}}
  ratio_case:
    unit: "1"
    cases: [{{when: ratio > 1, expr: ratio}}, {{when: ratio == 1, expr: 0}}]
  nothing: {{expr: "0*B", unit: "1"}}
claims:
  - {{id: it, {claim}}}
"""


def verdict(claim: str) -> object:
    """How a claim ends."""
    base = base_of({**MODELS, "hybrid": HYBRID}, CLAIMS.format(claim=claim))
    assert not base.kb.faults, [str(fault) for fault in base.kb.faults]
    return Base(base).claim("claims.it")


HOLD = {
    "a latent does not depend on heads": (
        "formula: cache.size, independent_of: [n_kv, d_h], given: {mixer_type: latent_attention}"
    ),
    "a family by its number of layers": (
        "formula: cache.size, equals: layers*B*L*(r_kv + d_rope)*b_kv, given: {mixer_type: latent_attention}"
    ),
    "a full cache in symbols": (
        "formula: cache.size, equals: 2*layers*B*L*n_kv*d_h*b_kv, given: {mixer_type: full_attention, shared: 0}"
    ),
    "a value width of its own": (
        "formula: cache.entry, equals: n_kv*(d_h + 16), given: {mixer_type: full_attention, shared: 0, d_v: 16}"
    ),
    "proportional to the batch": "formula: cache.size, proportional_to: [B], given: {model: windows, kv_dtype: half}",
    "a window is at most the whole": ("at_most: [cache.kept, L], given: {mixer_type: sliding_attention}"),
    "growing with the context of a model": "formula: cache.size, increasing_in: [L], given: {model: flat, kv_dtype: half}",
    "a model at any of its contexts": (
        "at_most: [cache.size, 120*B*L*b_kv], over: {model: [windows]}, given: {kv_dtype: half}"
    ),
    "active is at most total": "at_most: [weights.active, weights.total], over: {model: [windows, flat]}",
    "touched lies between": "at_most: [weights.touched, weights.total], over: {model: [windows]}, domains: {B: {integer: [1, 64]}}",
    "one mixer of a model": "formula: cache.of_layer, equals: 40*L*b_kv, given: {model: windows, mixer: full}",
    "what is given decides": "formula: ratio_case, equals: 4, given: {ratio: 4}",
    "what is asked for decides": "formula: ratio_case, equals: ratio, where: ratio > 1",
}


@pytest.mark.parametrize("name", HOLD)
def test_claims_that_hold(name: str) -> None:
    found = verdict(HOLD[name])
    assert isinstance(found, Proved | OnlyTested), found


def test_a_family_is_proved_not_tried() -> None:
    assert isinstance(verdict(HOLD["a family by its number of layers"]), Proved)


FAIL = {
    "windows do not grow for ever": "formula: cache.kept, increasing_in: [L], given: {mixer_type: sliding_attention}",
    "layers that differ": "formula: cache.size, equals: 8*B*L*40*b_kv, given: {model: windows, kv_dtype: half}",
    "one model of two": "at_most: [cache.size, 100*B*L*b_kv], over: {model: [windows, flat]}, given: {kv_dtype: half}",
}


@pytest.mark.parametrize("name", FAIL)
def test_claims_that_are_refuted(name: str) -> None:
    found = verdict(FAIL[name])
    assert isinstance(found, Refuted), found


OPEN = {
    "no model and no type": ("formula: cache.size, proportional_to: [B]", "missing input model"),
    "a case in open symbols": ("formula: ratio_case, at_least: [ratio_case, 0]", "ratio"),
    "a type that no case covers": (
        "formula: cache.entry, equals: 1, given: {mixer_type: mamba}",
        "no case for mixer_type mamba",
    ),
    "a type that there is not": (
        "formula: cache.entry, equals: 1, given: {mixer_type: full}",
        "did you mean full_attention?",
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_claims_that_cannot_be_decided(name: str) -> None:
    claim, words = OPEN[name]
    found = verdict(claim.replace("formula: ratio_case, at_least", "at_least"))
    assert isinstance(found, Invalid), found
    assert words in found.reason
