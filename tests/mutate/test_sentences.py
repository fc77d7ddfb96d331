"""Slips around links, and suppressions that hide more: each kind is made, and caught; what says the same stands apart."""

from __future__ import annotations

from collections import Counter

import pytest
from conftest import TinyBase

from flopkb.checking.mutate.mutants import MutantGroup
from flopkb.checking.mutate.run import MutantResult, all_mutants, run, says_the_same

RECORD = """symbols:
  a: {meaning: one, domain: {integer: [1, 1000]}}
  b: {meaning: other, domain: {integer: [1, 1000]}}
  w: {meaning: width, unit: byte, value: 2 byte}
formulas:
  ratio: {expr: a/b, unit: "1", written: [AI]}
  size: {expr: a*w, unit: byte}
figures:
  f: {formula: ratio, with: {a: 64, b: 7}}
  g: {formula: size, with: {a: 64}}
derivation: |
  It is [9.14x](fig:f) for [128 byte](fig:g), [2](lit:ordinal) of them.
  There [`64/7 = 9.14 < 10`](fig:f) and [`AI = a/b <= a`](fig:ratio).
"""
SUPPRESSION = "suppress:\n  - {rule: figure-mismatch, at: derivation, reason: it quotes what was believed then}\n"


def outcomes(base: TinyBase, body: str, group: MutantGroup) -> list[MutantResult]:
    base.formula("speed", body)
    evaluation = base.evaluate()
    mine = [m for m in all_mutants(evaluation) if m.group is group and m.record == "speed"]
    return run(evaluation, mine, 1)


def test_every_slip_but_one_is_caught_or_says_the_same(base: TinyBase) -> None:
    found = outcomes(base, RECORD, MutantGroup.SENTENCES)
    # an equation in numbers alone may stand without a link: it is recomputed as it stands
    assert [o.mutant.after for o in found if o.survived] == ["`64/7 = 9.14 < 10`"]
    made = Counter(o.mutant.what for o in found)
    # five links; two numbers, each with a sign, two units behind and two bounds within; `=` and `<`, `=` and `<=`
    assert made == {
        "link dropped": 5,
        "sign before a link": 2,
        "unit behind a link": 4,
        "qualifier": 4,
        "relation": 4,
    }
    apart = {o.mutant.after for o in found if o.apart is not None}
    assert apart == {"over 9.14x"}  # 64/7 is 9.142...: it is over 9.14; 128 bytes are neither over nor under 128


@pytest.mark.parametrize("rule", ["bare-number", "equation-mismatch", "claim-refuted"])
def test_a_suppression_of_another_rule_is_caught(base: TinyBase, rule: str) -> None:
    found = outcomes(base, RECORD.replace("[9.14x]", "[9.3x]") + SUPPRESSION, MutantGroup.SUPPRESSIONS)
    (mine,) = [o for o in found if o.mutant.after == rule]
    assert mine.rule is not None


def test_a_suppression_that_nothing_needs_is_caught(base: TinyBase) -> None:
    (planted,) = outcomes(base, RECORD, MutantGroup.SUPPRESSIONS)
    assert planted.rule == "unused-suppression"


def test_only_bounds_can_say_the_same(base: TinyBase) -> None:
    base.formula("speed", RECORD)
    evaluation = base.evaluate()
    record = evaluation.kb.records["speed"]
    others = [m for m in all_mutants(evaluation) if m.group is MutantGroup.SENTENCES and m.what != "qualifier"]
    assert all(says_the_same(mutant, record, evaluation) is None for mutant in others if mutant.record == "speed")
