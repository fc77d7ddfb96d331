"""Corrections: counterexample, where the old statement held, and what stands now."""

from __future__ import annotations

import pytest
from conftest import TinyBase

from flopkb.base.claims import Effort, claims_of, use_effort
from flopkb.base.claims.verdicts import CorrectionVerdicts, Invalid, Proved, Refuted

HEAD = """symbols:
  n_q: {meaning: query heads, domain: {integer: [1, 256], multiple_of: n_kv}}
  n_kv: {meaning: KV heads, domain: {integer: [1, 64]}}
  L: {meaning: tokens, domain: {integer: [1, 1000]}}
  b: {meaning: bytes, unit: byte, from: kv_dtype.bytes, domain: {one_of: [1, 2, 4]}}
formulas:
  flops: {expr: 2*L*n_q, unit: flop}
  ai: {expr: flops / (L*n_kv*b), unit: flop/byte}
claims:
  - {id: group, formula: ai, equals: n_q/n_kv, given: {b: 2}}
corrections:
  - date: 2026-01-04
"""


def correction(base: TinyBase, body: str, *, skip: bool = False) -> CorrectionVerdicts:
    base.formula("t", HEAD + "".join(f"    {line}\n" for line in body.splitlines()))
    evaluation = base.evaluate()
    use_effort(evaluation, Effort(), skip=skip)
    return claims_of(evaluation).correction(evaluation.kb.records["t"], 0)


GOOD = """stated: ai == 1
given: {b: 2}
holds_when: n_q == n_kv
counterexample: {n_q: 32, n_kv: 8}
now: ai == n_q / n_kv"""


def test_all_in_order(base: TinyBase) -> None:
    found = correction(base, GOOD)
    assert isinstance(found.counterexamples[0], Refuted)  # what was stated is refuted
    assert isinstance(found.holds_when, Proved) and isinstance(found.now, Proved)


@pytest.mark.parametrize(
    ("old", "new", "part", "kind", "words"),
    [
        ("n_q: 32, n_kv: 8", "n_q: 8, n_kv: 8", "counterexamples", Proved, ""),
        ("n_q: 32, n_kv: 8", "n_q: 32", "counterexamples", Invalid, "leaves n_kv open"),
        ("n_q: 32, n_kv: 8", "n_q: 300, n_kv: 10", "counterexamples", Invalid, "outside its domain"),
        ("n_q: 32, n_kv: 8", "n_q: 30, n_kv: 8", "counterexamples", Invalid, "not a multiple"),
        ("n_q: 32, n_kv: 8", "n_q: 32, n_heads: 8", "counterexamples", Invalid, "no input n_heads"),
        ("n_q == n_kv", "n_q <= 2*n_kv", "holds_when", Refuted, "n_q = 2, n_kv = 1"),
        ("n_q == n_kv", "n_q < 1", "holds_when", Invalid, "satisfies the conditions"),
        ("n_q == n_kv", "n_q == n_k", "holds_when", Invalid, "did you mean n_kv?"),
        ("now: ai == n_q / n_kv", "now: ai == n_q", "now", Refuted, "n_q = 2, n_kv = 2"),
        ("given: {b: 2}\n", "", "now", Refuted, "b = 1"),
    ],
)
def test_what_is_wrong(base: TinyBase, old: str, new: str, part: str, kind: type, words: str) -> None:
    found = getattr(correction(base, GOOD.replace(old, new)), part)
    verdict = found[0] if isinstance(found, tuple) else found
    assert isinstance(verdict, kind), verdict
    assert words in str(verdict)


def test_a_counterexample_beats_what_is_given(base: TinyBase) -> None:
    body = "stated: ai <= 32\ngiven: {b: 2, n_q: 64}\ncounterexample: {b: 1, n_kv: 1}\nnow: {claim: group}"
    assert isinstance(correction(base, body).counterexamples[0], Refuted)


def test_every_counterexample_of_a_list_must_refute(base: TinyBase) -> None:
    body = "stated: ai == 1\ngiven: {b: 2}\ncounterexample: [{n_q: 8, n_kv: 4}, {n_q: 8, n_kv: 8}]\nnow: {claim: group}"
    first, second = correction(base, body).counterexamples
    assert isinstance(first, Refuted) and isinstance(second, Proved)


def test_records_may_fill_roles(base: TinyBase) -> None:
    body = "stated: ai == 1\ncounterexample: {n_q: 8, n_kv: 1, kv_dtype: bf16}\nnow: {claim: group}"
    assert isinstance(correction(base, body).counterexamples[0], Refuted)


def test_dimensions_are_no_obstacle(base: TinyBase) -> None:
    body = "stated: ai == n_kv\ncounterexample: {n_q: 8, n_kv: 2, b: 1}\nnow: {claim: group}"  # flop/byte against heads
    assert isinstance(correction(base, body).counterexamples[0], Refuted)


def test_a_division_by_zero_refutes_nothing(base: TinyBase) -> None:
    body = "stated: ai/(n_kv - 1) == 1\ngiven: {b: 2}\ncounterexample: {n_q: 8, n_kv: 1}\nnow: {claim: group}"
    assert isinstance(correction(base, body).counterexamples[0], Invalid)


def test_without_claims_the_counterexample_is_still_looked_at(base: TinyBase) -> None:
    found = correction(base, GOOD.replace("n_q: 32", "n_q: 8"), skip=True)
    assert isinstance(found.counterexamples[0], Proved)
    assert found.holds_when is None and found.now is None
