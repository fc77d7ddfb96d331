"""Whole checks: everything in one run, one message a fault, and a crash of one rule that leaves the others alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from click.testing import CliRunner
from conftest import HEAD, REPOSITORY, TinyBase

from flopkb.base import faults
from flopkb.base.claims import Effort, use_effort
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.check import MAX_MESSAGE, check, narrowed, shortened
from flopkb.checking.findings import Finding, SuppressionRule
from flopkb.checking.rules import RULES
from flopkb.commands.main import main

SIX = 'formulas:\n  six: {expr: 2*3, unit: "1"}\n'
AREA = (
    "symbols:\n  a: {meaning: one side, domain: {integer: [1, 9]}}\n  b: {meaning: other, domain: {integer: [1, 9]}}\n"
    'formulas:\n  area: {expr: a*b, unit: "1"}\n'
)

# Twenty files, each with a fault of another kind: the body behind the head of a formula record (5 lines), the place.
TWENTY: dict[str, tuple[str, str]] = {
    "f01": ('formulas:\n  six: "2*3\n', "7:8: yaml"),
    "f02": ('formulas:\n  six: {exprr: 2*3, unit: "1"}\n', "7:9: schema"),
    "f03": (f"sources: [nobody]\n{SIX}", "6:11: unknown-reference"),
    "f04": (f"sources: [llm]\n{SIX}", "6:11: wrong-kind"),
    "f05": ('formulas:\n  six: {expr: 2*, unit: "1"}\n', "7:16: formula-syntax"),
    "f06": ('formulas:\n  six: {expr: 2*missing, unit: "1"}\n', "7:17: unknown-name"),
    "f07": ('formulas:\n  one: {expr: two, unit: "1"}\n  two: {expr: one, unit: "1"}\n', "7:15: cycle"),
    "f08": ("formulas:\n  size: {expr: 2*cache.size, unit: s}\n", "7:16: formula-dimension"),
    "f09": (f"{SIX}derivation: |\n  [6 KB](fig:six).\n", "9:6: unreadable-number"),
    "f10": (f"{SIX}derivation: |\n  [6](fig:sixx).\n", "9:11: unknown-figure"),
    "f11": (f"{SIX}derivation: |\n  [7](fig:six).\n", "9:4: figure-mismatch"),
    "f12": ('formulas:\n  six: {expr: 69/10, unit: "1"}\nderivation: |\n  [6](fig:six).\n', "9:4: figure-truncated"),
    "f13": (f"{SIX}derivation: |\n  [6 s](fig:six).\n", "9:4: unit-mismatch"),
    "f14": (f"{AREA}derivation: |\n  [6](fig:area?a=2).\n", "12:11: missing-input"),
    "f15": (f"{AREA}derivation: |\n  [20](fig:area?a=2&b=10).\n", "12:23: outside-domain"),
    "f16": (f"{AREA}derivation: |\n  [6](fig:area?a=2&c=3).\n", "12:20: unknown-input"),
    "f17": (f"symbols:\n  idle: {{meaning: nothing}}\n{SIX}", "7:3: unused-definition"),
    "f18": (f"{SIX}derivation: |\n  TODO\n", "9:3: placeholder"),
    "f19": (f"{SIX}derivation: >\n  One.\n", "8:13: folded-prose"),
    "f20": (f"{SIX}derivation: |\n  [2 TB/s](fact:gpu.memory_bandwith).\n", "9:21: unknown-fact"),
}


@pytest.fixture
def twenty(base: TinyBase) -> TinyBase:
    """The neutral base with twenty faulty records beside it."""
    for id, (body, _) in TWENTY.items():
        base.formula(id, body)
    return base


def test_twenty_faults_in_twenty_files_are_twenty_findings(twenty: TinyBase) -> None:
    found = [f"{d.location}: {d.rule}" for d in twenty.check().diagnostics]
    assert found == [f"records/formulas/{id}.yaml:{place}" for id, (_, place) in sorted(TWENTY.items())]


def test_the_report_is_the_same_whatever_the_order_of_hashes(twenty: TinyBase) -> None:
    outputs = {run_check(twenty, seed) for seed in ("0", "1", "2")}
    assert len(outputs) == 1
    (output,) = outputs
    assert output.count('"severity": "error"') == 20


def run_check(base: TinyBase, seed: str) -> str:
    """Standard output of ``flopkb check --format json`` with a seed for hashes."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "flopkb", "check", "--format", "json"]
    done = subprocess.run(command, cwd=base.folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    return done.stdout


# One fault, one message: what rests on something faulty is not told again.

USER = """sources: [config]
figures:
  size: {formula: cache.size, with: {model: llm, kv_dtype: bf16, L: 10}}
  knee: {formula: cache.ridge, with: {accelerator: gpu, dtype: bf16}}
formulas:
  time: {expr: cache.size / accelerator.memory_bandwidth, unit: s}
derivation: |
  [160 bytes](fig:size), [200](fig:knee), [200](fig:cache.ridge?accelerator=gpu&dtype=bf16),
  [2 TB/s](fact:gpu.memory_bandwidth), [0.08 ns](fig:time?model=llm&kv_dtype=bf16&accelerator=gpu&L=10) [@sheet],
  [10](in:size.L) tokens, [`size = L*n*b`](fig:cache.size), [`ridge = time*ridge/time`](fig:cache.ridge).

  ```flopkb-table
  formula: cache.size
  with: {model: llm, kv_dtype: bf16}
  rows: {L: [10, 20]}
  unit: kB
  ```
"""


@pytest.fixture
def used(base: TinyBase) -> TinyBase:
    """A record that uses all the neutral ones."""
    base.formula(
        "user", USER.replace("&L=10", "").replace("[0.08 ns](fig:time?model=llm&kv_dtype=bf16&accelerator=gpu) ", "")
    )
    assert base.lines() == []
    return base


def broken_yaml(text: str) -> str:
    return text.replace("name:", "name: [", 1)


def broken_kind(text: str) -> str:
    return text.replace("kind: ", "kind: x", 1)


def broken_status(text: str) -> str:
    return text.replace("status: verified", "status: vrified", 1)


NEUTRAL_FILES = (
    "sources/sheet.yaml",
    "sources/config.yaml",
    "accelerators/gpu.yaml",
    "models/llm.yaml",
    "dtypes/bf16.yaml",
    "formulas/cache.yaml",
    "formulas/user.yaml",
)


@pytest.mark.parametrize("file", NEUTRAL_FILES)
@pytest.mark.parametrize("how", [broken_yaml, broken_kind, broken_status])
def test_a_record_that_cannot_be_read_is_one_finding(file: str, how: Callable[[str], str], used: TinyBase) -> None:
    path = used.records / file
    path.write_text(how(path.read_text(encoding="utf-8")), encoding="utf-8")
    found = used.check().diagnostics
    assert [d.location.path for d in found] == [f"records/{file}"], found


CASCADES: dict[str, tuple[str, dict[str, str], str]] = {
    "an entry with an unknown key": ("formulas/user.yaml", {"size: {formula": "size: {fromula"}, "8:10: schema"),
    "a formula that does not parse": ("formulas/cache.yaml", {"expr: L*n*b": "expr: L*n*b*"}, "12:21: formula-syntax"),
    "a formula that does not balance": (
        "formulas/cache.yaml",
        {"expr: L*n*b": "expr: L*n*b*b"},
        "12:16: formula-dimension",
    ),
    "a unit that is none": ("formulas/cache.yaml", {"unit: byte}\n  time": "unit: KB}\n  time"}, "12:29: bad-input"),
    "a symbol left out": ("formulas/cache.yaml", {"b: {meaning: bytes": "b: {maening: bytes"}, "9:7: schema"),
    "a symbol whose unit is none": ("formulas/cache.yaml", {"unit: byte, from": "unit: KB, from"}, "9:43: bad-input"),
    "a symbol whose source is misspelt": (
        "formulas/cache.yaml",
        {"model.num_key_value_heads": "model.num_key_vlue_heads"},
        "8:29: unknown-fact",
    ),
    "a recorded value with an unknown key": ("accelerators/gpu.yaml", {"value: 2000": "vlaue: 2000"}, "7:20: schema"),
    "a recorded value in a unit that is none": (
        "accelerators/gpu.yaml",
        {"value: 80 GB": "value: 80 Gb/z"},
        "8:26: bad-input",
    ),
    "a peak of a format that is misspelt": (
        "accelerators/gpu.yaml",
        {"dtype: bf16": "dtype: bf6"},
        "10:17: unknown-reference",
    ),
    "a field of prose under a misspelt key": ("formulas/user.yaml", {"derivation:": "derivatoin:"}, "12:1: schema"),
    "a section under a misspelt key": ("formulas/cache.yaml", {"symbols:": "symbosl:"}, "6:1: schema"),
    "a misspelt input": ("formulas/user.yaml", {"kv_dtype: bf16, L": "kv_dtpye: bf16, L"}, "8:50: unknown-input"),
    "a misspelt figure": ("formulas/user.yaml", {"(fig:knee)": "(fig:kne)"}, "13:36: unknown-figure"),
    "a misspelt fact": (
        "formulas/user.yaml",
        {"fact:gpu.memory_bandwidth": "fact:gpu.memory_bandwith"},
        "14:21: unknown-fact",
    ),
    "an id that is not the file's name": ("accelerators/gpu.yaml", {"id: gpu": "id: gpuu"}, "1:5: id-and-file"),
    "a source whose id is not the file's name": ("sources/sheet.yaml", {"id: sheet": "id: sheets"}, "1:5: id-and-file"),
    "a sparse row that says dense": (
        "accelerators/gpu.yaml",
        {
            "peak_flops:\n": "peak_flops:\n  bf16_sparse: {dtype: bf16, sparsity: dense, value: 800 TFLOP/s, "
            "basis: recorded, source: sheet, as_printed: 800 teraFLOPS}\n",
            "[80 GB]": "[800 TFLOP/s](fact:gpu.peak_flops.bf16_sparse), [80 GB]",
        },
        "10:3: row-name",
    ),
    "a unit that is none, behind a table": ("formulas/cache.yaml", {"unit: byte}": "unit: bite}"}, "12:29: bad-input"),
    "a zero denominator, behind a derivation": (
        "formulas/cache.yaml",
        {"expr: size / bandwidth": "expr: size / (bandwidth - bandwidth)"},
        "13:24: zero-denominator",
    ),
    "a row of peaks in place of a format": (
        "formulas/user.yaml",
        {"accelerator: gpu, dtype: bf16}": "accelerator: gpu, dtype: bf16_sparse}"},
        "9:64: unknown-reference",
    ),
    "a number in quotes": ("models/llm.yaml", {"num_key_value_heads: 8": 'num_key_value_heads: "8"'}, "10:22: schema"),
    "a misspelt source": (
        "models/llm.yaml",
        {"config_source: config": "config_source: confg"},
        "7:16: unknown-reference",
    ),
}


@pytest.mark.parametrize("name", CASCADES)
def test_what_rests_on_a_fault_is_not_told_again(name: str, used: TinyBase) -> None:
    file, changes, place = CASCADES[name]
    used.change(file, changes)
    assert [f"{d.location}: {d.rule}" for d in used.check().diagnostics] == [f"records/{file}:{place}"]


# A fault of flopkb itself.


def crashing(*_: object) -> Iterator[Finding]:
    raise RuntimeError("no good")
    yield


def test_a_crash_names_rule_and_record_and_leaves_the_other_rules_running(base: TinyBase) -> None:
    base.formula("wrong", f"{SIX}derivation: |\n  [7](fig:six).\n")
    rules = tuple(replace(rule, run=crashing) if rule.id == "cycle" else rule for rule in RULES)
    evaluation = base.evaluate()
    result = check(evaluation, rules)
    assert {crash.subject for crash in result.crashes} == set(evaluation.kb.records)
    assert {crash.rule for crash in result.crashes} == {"cycle"}
    assert str(result.crashes[0]) == (
        "rule cycle failed on gpu: RuntimeError: no good; this is a fault of flopkb, please report it"
    )
    assert [found.rule for found in result.diagnostics] == ["figure-mismatch"]
    assert result.exit_code == 3


def test_what_a_rule_found_before_it_crashed_is_kept(base: TinyBase) -> None:
    def half(record: Record, _: Evaluation) -> Iterator[Finding]:
        yield Finding(record.location, "found")
        raise RuntimeError("no good")

    rule = replace(next(rule for rule in RULES if rule.id == "cycle"), run=half)
    result = check(base.evaluate(), (rule,))
    assert len(result.diagnostics) == len(result.crashes) == 6


def test_a_crash_of_a_rule_on_suppressions_is_told_too(base: TinyBase) -> None:
    base.formula("quiet", f"suppress:\n  - {{rule: cycle, at: formulas, reason: it is only a test}}\n{SIX}")
    rules = tuple(replace(rule, run=crashing) if isinstance(rule, SuppressionRule) else rule for rule in RULES)
    result = check(base.evaluate(), rules)
    assert [(crash.rule, crash.subject) for crash in result.crashes] == [("unused-suppression", "quiet")]


# Severities, order, narrowing.


def test_findings_in_a_draft_are_warnings_and_the_check_passes(base: TinyBase) -> None:
    base.formula("young", f"{SIX}derivation: |\n  [7](fig:six).\n", status="draft")
    result = check(base.evaluate())
    assert [found.severity.value for found in result.diagnostics] == ["warning"]
    assert result.exit_code == 0 and result.errors == 0


def test_findings_are_sorted_by_place_with_lines_as_numbers(base: TinyBase) -> None:
    lines = "".join("  [7](fig:six)\n" for _ in range(12))
    base.formula("b", f"{SIX}derivation: |\n{lines}")
    base.formula("a", f"{SIX}derivation: |\n  [7](fig:six)\n")
    places = [str(found.location) for found in base.check().diagnostics]
    assert places == ["records/formulas/a.yaml:9:4", *(f"records/formulas/b.yaml:{9 + n}:4" for n in range(12))]


def test_a_path_narrows_what_is_reported_not_what_is_checked(twenty: TinyBase) -> None:
    result = twenty.check()
    only = narrowed(result, ["records/formulas/f10.yaml"])
    assert [found.rule for found in only.diagnostics] == ["unknown-figure"]
    assert narrowed(result, ["records/models"]).diagnostics == ()
    assert narrowed(result, ["records/form"]).diagnostics == ()
    assert narrowed(result, ["records/"]).diagnostics == result.diagnostics


def test_a_suppressed_finding_is_not_reported_and_another_of_its_kind_elsewhere_is(base: TinyBase) -> None:
    body = "suppress:\n  - {rule: figure-mismatch, at: derivation, reason: as the standard has it}\n"
    base.formula("quiet", f"{SIX}derivation: |\n  [7](fig:six).\n{body}")
    base.formula("loud", f"{SIX}derivation: |\n  [7](fig:six).\n")
    assert [found.location.path for found in base.check().diagnostics] == ["records/formulas/loud.yaml"]


def test_a_suppression_of_a_rule_that_does_not_run_is_not_called_unused(base: TinyBase) -> None:
    claims = "claims:\n  - {id: small, at_most: [x, 8]}\n"
    body = f"suppress:\n  - {{rule: figure-mismatch, at: derivation, reason: a reason in words}}\n  - {{rule: claim-refuted, at: claims, reason: another in words}}\n{claims}"
    symbols = "symbols:\n  x: {meaning: a number, domain: {integer: [1, 9]}}\n"
    base.formula("quiet", f"{symbols}{SIX}derivation: |\n  [7](fig:six).\n{body}")
    assert base.check().diagnostics == ()
    without = [rule for rule in RULES if rule.id != "figure-mismatch"]
    assert check(base.evaluate(), without).diagnostics == ()
    skipping = base.evaluate()
    use_effort(skipping, Effort(), skip=True)
    assert check(skipping).diagnostics == ()


def test_a_long_message_is_cut() -> None:
    message = shortened("word " * 100)
    assert len(message) < MAX_MESSAGE == 300
    assert message.endswith("…")
    assert shortened("a\n  b") == "a b"


def test_every_kind_of_fault_is_reported_by_a_rule() -> None:
    """Whoever adds a kind of fault adds the rule that reports it, or, for one of questions, the answer that names it."""
    kinds = {
        name
        for name, kind in vars(faults).items()
        if isinstance(kind, type) and issubclass(kind, faults.Fault) and kind not in (faults.Fault, faults.Blocked)
    }
    sources = "".join(
        path.read_text(encoding="utf-8")
        for room in ("rules", "asking")
        for path in (REPOSITORY / "flopkb" / "checking" / room).glob("*.py")
    )
    assert {name for name in kinds if name not in sources} == set()


# The ways in which real bases were wrong, and what looked wrong and was right.

HEADS = "num_hidden_layers: {layers}\nnum_attention_heads: {heads}\nnum_key_value_heads: {kv}\nhead_dim: {dim}\n"
KV = (
    "symbols:\n"
    "  layers: {meaning: layers, from: model.num_hidden_layers}\n"
    "  kv: {meaning: KV heads, from: model.num_key_value_heads}\n"
    "  dim: {meaning: width of a head, from: model.head_dim}\n"
    "  b: {meaning: bytes of an element, unit: byte, from: kv_dtype.bytes}\n"
    "formulas:\n"
    "  per_token: {expr: 2*layers*kv*dim*b, unit: byte/token}\n"
)


def model(base: TinyBase, id: str, **values: int) -> None:
    """A model whose notes quote its values."""
    names = dict(
        zip(values, ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim"), strict=True)
    )
    quotes = ", ".join(f"[{value}](fact:{id}.{names[name]})" for name, value in values.items())
    head = HEAD.format(id=id, kind="model", name="M", status="verified") + "developer: Lab\nconfig_source: config\n"
    base.write(f"models/{id}.yaml", f"{head}{HEADS.format(**values)}notes: |\n  {quotes}\n")


def test_a_product_that_was_not_carried_through(base: TinyBase) -> None:
    """2*32*32*96*2 is 393,216; 24,576 lacks a factor."""
    model(base, "phi", layers=32, heads=32, kv=32, dim=96)
    base.formula("kv", f"{KV}derivation: |\n  [24,576 bytes](fig:per_token?model=phi&kv_dtype=bf16)\n")
    (found,) = base.check().diagnostics
    assert (found.rule, found.quoted, found.computed) == ("figure-mismatch", "24,576 bytes", "393216 bytes")


def test_a_head_dimension_that_is_set_on_its_own(base: TinyBase) -> None:
    """36 layers, 8 KV heads of 128 (not 2560/32 = 80): 147,456 bytes a token."""
    model(base, "qwen", layers=36, heads=32, kv=8, dim=128)
    base.formula("kv", f"{KV}derivation: |\n  [147,456 bytes](fig:per_token?model=qwen&kv_dtype=bf16)\n")
    assert base.lines() == []


def test_a_field_that_was_corrected_while_the_prose_was_not(base: TinyBase) -> None:
    """128 became 242 GB/s; "3.5x PCIe 5.0" (63 GB/s) is 3.84x now. The quote of the field and the ratio are told."""
    base.write(
        "accelerators/link.yaml",
        "id: link\nkind: accelerator\nname: A linked part\nstatus: verified\nupdated: 2026-01-05\nvendor: Maker\n"
        "interconnect_bandwidth: {value: 242 GB/s, basis: recorded, source: sheet, as_printed: 242 GB/s}\n"
        "host_bandwidth: {value: 63.0 GB/s, basis: recorded, source: sheet, as_printed: 63.0 GB/s}\n"
        "notes: |\n  [128 GB/s](fact:link.interconnect_bandwidth) against [63.0 GB/s](fact:link.host_bandwidth).\n",
    )
    base.formula(
        "ratio",
        "formulas:\n"
        '  over_host: {expr: accelerator.interconnect_bandwidth / accelerator.host_bandwidth, unit: "1"}\n'
        "derivation: |\n  [3.5x](fig:over_host?accelerator=link) the host link.\n",
    )
    found = [(d.quoted, d.computed) for d in base.check().diagnostics]
    assert found == [("128 GB/s", "242 GB/s"), ("3.5x", "3.84127x")]


def test_a_sparse_row_at_twice_the_dense_one_is_no_fault(base: TinyBase) -> None:
    base.change(
        "accelerators/gpu.yaml",
        {
            "notes: |": "  bf16_sparse: {dtype: bf16, sparsity: sparse, value: 800 TFLOP/s, basis: recorded, "
            "source: sheet, as_printed: 800 TFLOP/s}\nnotes: |",
            "[400 TFLOP/s]": "[800 TFLOP/s](fact:gpu.peak_flops.bf16_sparse), [400 TFLOP/s]",
        },
    )
    base.formula("ridge", f"{SIX}derivation: |\n  [200](fig:cache.ridge?accelerator=gpu&dtype=bf16)\n")
    assert base.lines() == []


# Sizes.


def test_a_record_of_two_hundred_fields_gets_short_messages(base: TinyBase) -> None:
    symbols = "".join(f"  a_rather_long_name_of_a_symbol_{n}: {{meaning: number {n}}}\n" for n in range(200))
    names = " + ".join(f"a_rather_long_name_of_a_symbol_{n}" for n in range(50))
    base.formula(
        "wide",
        f'symbols:\n{symbols}formulas:\n  sum: {{expr: {names}, unit: "1"}}\n  bad: {{exprr: {names}, unit: byte}}\n'
        "derivation: |\n  [1](fig:sum), [1](fig:sums).\nunknown_key: 3\n",
    )
    found = base.check().diagnostics
    assert {"schema", "missing-input", "unknown-figure", "unused-definition"} <= {d.rule for d in found}
    assert max(len(d.message) for d in found) < 300


def test_an_alias_bomb_costs_nothing(base: TinyBase) -> None:
    import time

    levels = "".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9) if n else '1'}]\n" for n in range(8))
    base.formula("bomb", f"symbols:\n{levels}{SIX}")
    began = time.monotonic()
    assert {d.rule for d in base.check().diagnostics} == {"yaml"}
    assert time.monotonic() - began < 2


def test_a_chain_of_formulas_as_deep_as_a_file_allows_is_computed(base: TinyBase) -> None:
    """No recursion that a long chain of formulas could exhaust."""
    chain = "".join(f'  f{n}: {{expr: f{n - 1} + 1, unit: "1"}}\n' for n in range(1, 400))
    base.formula("deep", f'formulas:\n  f0: {{expr: 1 + 0, unit: "1"}}\n{chain}derivation: |\n  [400](fig:f399)\n')
    assert base.lines() == []


def test_a_long_cycle_is_one_short_finding(base: TinyBase) -> None:
    chain = "".join(f'  f{n}: {{expr: f{(n + 1) % 300} + 1, unit: "1"}}\n' for n in range(300))
    base.formula("ring", f"formulas:\n{chain}")
    (found,) = base.check().diagnostics
    assert found.rule == "cycle" and len(found.message) < 300


def test_one_cause_of_many_findings_is_told_once_above_them(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five quotes rest on the bandwidth that was changed; a sixth, of something else, stands by itself."""
    base.formula(
        "many",
        "formulas:\n  share: {expr: accelerator.memory_bandwidth / accelerator.memory_bandwidth, unit: '1'}\n"
        "  rate: {expr: accelerator.memory_bandwidth, unit: GB/s}\n  six: {expr: 2*3, unit: '1'}\n"
        "derivation: |\n  [1](fig:share?accelerator=gpu), [7](fig:six)\n"
        + "".join("  and [2000 GB/s](fig:rate?accelerator=gpu)\n" for _ in range(5)),
    )
    base.change(
        "accelerators/gpu.yaml", {"as_printed: 2 TB/s": "as_printed: 1 TB/s", "value: 2000 GB/s": "value: 1000 GB/s"}
    )
    monkeypatch.chdir(base.folder)
    text = CliRunner().invoke(main, ["check"]).output
    (cause,) = (line for line in text.splitlines() if " findings follow from " in line)
    assert cause.split()[0].isdigit() and "gpu.memory_bandwidth = 1000 GB/s" in cause
    assert "flopkb fix writes them anew" in cause
    assert "figure-mismatch 6" in text or "figure-mismatch 7" in text
    flat = CliRunner().invoke(main, ["check", "--flat"]).output
    assert "follow from" not in flat and flat.count("figure-mismatch:") == text.count("figure-mismatch:")


def test_what_names_a_formula_that_is_gone_is_told_together(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four links, a formula and a claim name cache.share, which is not there; the correction tells of it once."""
    base.formula(
        "many",
        "symbols:\n  q: {meaning: q, domain: {integer: [1, 9]}}\n"
        "formulas:\n  double: {expr: 2*cache.share, unit: '1'}\n  own: {expr: q, unit: '1'}\n"
        "claims:\n  - {id: small, at_most: [own, cache.share]}\n"
        "corrections:\n  - date: 2026-01-05\n    stated: own == cache.share\n    counterexample: {q: 3}\n"
        "    holds_when: q == cache.share\n    now: own == q\n"
        "derivation: |\n" + "".join("  and [1](fig:cache.share)\n" for _ in range(4)),
    )
    monkeypatch.chdir(base.folder)
    lines = CliRunner().invoke(main, ["check"]).output.splitlines()
    (cause,) = (at for at, line in enumerate(lines) if " findings follow from " in line)
    assert lines[cause].startswith(
        f"{len(lines[cause + 1 :]) - 3} findings follow from cache.share, which is not there"
    )
    assert all("cache.share" in line for line in lines[cause + 1 : -3])
    correction = [line for line in lines if "failed-correction: " in line]
    assert len(correction) == len({line.split(": error")[0] for line in correction})
