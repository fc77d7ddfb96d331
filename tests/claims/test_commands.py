"""Claims on the command line: what check sums up, what show and explain tell, and the base itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase, own_base

from claims.claiming import record
from flopkb.base.claims import Effort, claims_of, use_effort, verdicts
from flopkb.base.claims.verdicts import Proved
from flopkb.base.evaluate import Evaluation

pytestmark = pytest.mark.slow

CLAIMS = """{id: true_one, formula: f, equals: x*v}
{id: hard_one, at_least: ['floor(big/x)*x + x - big', 1]}
{id: false_one, at_most: [x, v]}"""


def flopkb(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run([sys.executable, "-m", "flopkb", *args], capture_output=True, text=True, cwd=folder, env=env)


def test_the_last_line_counts_claims(base: TinyBase) -> None:
    record(base, CLAIMS, 'f: {expr: "x*v", unit: "1"}')
    done = flopkb(base.folder, "check")
    assert done.returncode == 1
    assert "1 claim proved, 1 tested, 1 refuted," in done.stdout.splitlines()[-1]


def test_claims_can_be_left_out_and_the_last_line_says_so(base: TinyBase) -> None:
    record(base, CLAIMS, 'f: {expr: "x*v", unit: "1"}')
    done = flopkb(base.folder, "check", "--no-claims")
    assert "claims skipped" in done.stdout.splitlines()[-1]
    assert "claim-refuted" not in done.stdout


def test_the_summary_for_programs(base: TinyBase) -> None:
    record(base, CLAIMS, 'f: {expr: "x*v", unit: "1"}')
    summary = json.loads(flopkb(base.folder, "check", "--format", "json").stdout)["summary"]
    assert summary["claims"] == {"proved": 1, "tested": 1, "refuted": 1, "invalid": 0}
    assert json.loads(flopkb(base.folder, "check", "--format", "json", "--no-claims").stdout)["summary"]["claims"] == {}


def test_show_tells_how_claims_ended(base: TinyBase) -> None:
    record(base, CLAIMS, 'f: {expr: "x*v", unit: "1"}')
    text = flopkb(base.folder, "show", "t").stdout
    assert "f equals x*v" in text and "proved by normal form" in text
    assert "x = 2, v = 1: x is 2, not at most v, which is 1" in " ".join(text.split())


@pytest.fixture(scope="module")
def records() -> Evaluation:
    evaluation = replace(own_base().evaluation, shared={})
    use_effort(evaluation, Effort(use_solver=False))
    return evaluation


ROUNDED = {
    ("tensor_parallel", "a_rank_holds_no_more"),
    ("tensor_parallel", "heads_of_a_rank_are_one_at_least"),
    ("tensor_parallel", "one_rank_is_one_part"),
    ("tensor_parallel", "a_step_on_one_rank_is_a_step"),
    ("parallel", "one_rank_holds_all"),
    ("parallel", "one_rank_keeps_all"),
    ("parallel", "sequences_are_divided"),
    ("parameters", "never_more_than_there_are"),
    ("multi_token_decode", "drafting_is_not_free"),
}
"""Of quotients that are rounded up, and of high powers: these alone are tested where no solver is."""


def test_every_other_claim_of_the_base_is_proved_without_the_solver(records: Evaluation) -> None:
    claims = claims_of(records)
    found = {(r.id, name): v for r in records.kb.records.values() for name, v in claims.of_record(r)}
    assert len(found) > 60
    rest = {key: verdict for key, verdict in found.items() if not isinstance(verdict, Proved)}
    assert rest.keys() == ROUNDED and all(isinstance(verdict, verdicts.Tested) for verdict in rest.values())


def test_the_corrections_of_the_base_do_what_they_say(records: Evaluation) -> None:
    from flopkb.checking.rules import failed_correction

    holders = [record for record in records.kb.records.values() if record.corrections]
    assert {"decode_attention", "decode_gemm", "mla_decode"} <= {record.id for record in holders}
    assert [finding for record in holders for finding in failed_correction.check(record, records)] == []


def test_explain_shows_the_elasticity_of_a_row(records: Evaluation) -> None:
    text = flopkb(REPOSITORY, "explain", "decode_attention.read_32k").stdout
    assert "magnitude of memory_bandwidth (derived)" in text
    assert "-1 at llama_3_8b_32k" in text and "0 at mqa64_int2" in text


def test_a_claim_from_code() -> None:
    base = own_base()
    assert isinstance(base.claim("decode_attention.below_the_roof"), Proved)
    with pytest.raises(Exception, match=r"did you mean decode_attention\.below_the_roof"):
        base.claim("decode_attention.below_the_rof")
