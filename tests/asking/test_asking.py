"""Questions as people type them: names, several values, conditions, and answers in the unit that they use."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import REPOSITORY, TinyBase
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import answer_text, short_text
from flopkb.arithmetic.units import parse_unit
from flopkb.base.loading import LoadedBase
from flopkb.checking.asking.sweeps import SweepFault, written_out
from flopkb.commands.main import main

Run = Callable[..., Result]


def ask(*arguments: str, records: Path = REPOSITORY / "records") -> Result:
    return CliRunner().invoke(main, [*arguments, "--records", str(records)])


# Numbers for people.


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        ("8589934592", "byte", "8 GiB (8,589,934,592 byte)"),
        ("160", "byte", "160 byte"),
        ("8000", "byte", "8 kB"),
        ("287834112", "byte", "274.5 MiB (287,834,112 byte)"),
        ("1342177280", "byte", "1.25 GiB (1,342,177,280 byte)"),
        ("16060522496", "byte", "16.1 GB (16,060,522,496 byte)"),
        ("131072", "byte/token", "128 KiB/token (131,072 byte/token)"),
        ("607627/100000000", "s", "6.07627 ms"),
        ("7/1152", "s", "6.08 ms"),
        ("1144/7", "token/s", "163 token/s"),
        ("487819", "token", "487,819 token"),
        ("989500000000000", "flop/s", "989.5 TFLOP/s"),
        ("19790/67", "flop/byte", "295 flop/byte"),
        ("1/2", "1", "0.5"),
        ("0", "byte", "0 byte"),
        ("-3/1000", "s", "-3 ms"),
    ],
)
def test_an_answer_is_short_and_exact_where_few_digits_do_it(number: str, unit: str, text: str) -> None:
    declared = parse_unit(unit)
    assert answer_text(Fraction(number) * declared.scale, declared) == text


@given(
    st.fractions(min_value=Fraction(1, 10**9), max_value=10**15), st.sampled_from(["byte", "s", "flop/s", "token", "1"])
)
def test_a_short_text_is_within_half_a_percent(value: Fraction, unit: str) -> None:
    """Three digits and no fewer: the text, read again, is the value within half of its last digit."""
    declared = parse_unit(unit)
    text = short_text(value * declared.scale, declared)
    number, _, name = text.partition(" ")
    read = Fraction(number.replace(",", "")) * parse_unit(name or "1").scale
    assert abs(read - value * declared.scale) * 200 <= value * declared.scale


# Several values.


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1,2,4..32", "1, 2, 4, 8, 16, 32"),
        ("1000,2000..4500", "1000, 2000, 3000, 4000"),
        ("1..4", "1, 2, 3, 4"),
        ("2,4..8", "2, 4, 6, 8"),
        ("8k,16k,32k..64k", "8k, 16k, 32k, 64k"),
        ("1 TB/s,2 TB/s..3 TB/s", "1 TB/s, 2 TB/s, 3 TB/s"),
        ("0.5,1..2", "0.5, 1, 1.5, 2"),
        ("1,2,4..8,100", "1, 2, 4, 8, 100"),
        ("h100,h200", "h100,h200"),
    ],
)
def test_a_range_is_written_out(text: str, written: str) -> None:
    assert written_out(text) == written


@pytest.mark.parametrize(
    "text", ["1..", "..4", "1..2..3", "1,2,5..9", "h100..h200", "8..1", "2,1..0", "1,2k..4k", "3,3..9"]
)
def test_a_range_that_does_not_go_on_evenly_is_refused(text: str) -> None:
    with pytest.raises(SweepFault, match="`"):
        written_out(text)


@given(st.integers(1, 500), st.integers(1, 50), st.integers(0, 40))
def test_steps_are_those_that_were_begun(first: int, step: int, count: int) -> None:
    end = first + step * (count + 1)
    expected = [str(first + step * place) for place in range(count + 2)]
    assert written_out(f"{first},{first + step}..{end}").split(", ") == expected


# The command.


def test_names_are_taken_as_people_write_them() -> None:
    lines = ask("eval", "KV-cache.size", "model=Llama-3-8B", "kv_dtype=FP8", "L=128k", "B=1").stdout.splitlines()
    assert lines[0] == "8 GiB (8,589,934,592 byte)"
    assert "model=llama_3_8b, kv_dtype=fp8, L=131,072, B=1" in lines[1]
    assert any("L=128k is read as 131,072 tokens" in line for line in lines)


def test_a_table_has_the_swept_inputs_as_columns_and_reasons_in_its_cells() -> None:
    done = ask("eval", "roofline.ridge", "accelerator=h100,a100,mi300x", "dtype=fp8")
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert lines[0].split() == ["accelerator", "value"]
    assert lines[1].split() == ["h100", "591", "flop/byte"]
    assert "has no fp8 arithmetic" in lines[2]


def test_several_formulas_stand_side_by_side(base: TinyBase) -> None:
    done = ask(
        "eval",
        "cache.size",
        "cache.time",
        "model=llm",
        "kv_dtype=bf16",
        "L=10,20",
        "accelerator=gpu",
        records=base.records,
    )
    rows = [line.split() for line in done.stdout.splitlines()[:3]]
    assert rows[0] == ["L", "cache.size", "cache.time"]
    assert rows[1] == ["10", "160", "byte", "0.08", "ns"]
    told = json.loads(
        ask(
            "eval", "cache.size", "cache.time", "model=llm", "kv_dtype=bf16", "L=10,20", "accelerator=gpu", "--format", "json",
            records=base.records,
        ).stdout
    )  # fmt: skip
    assert [(row["inputs"]["L"], row["formula"]) for row in told] == [
        ("10", "cache.size"), ("10", "cache.time"), ("20", "cache.size"), ("20", "cache.time"),
    ]  # fmt: skip


def test_an_input_that_no_row_reads_is_a_fault(base: TinyBase) -> None:
    done = ask("eval", "cache.size", "cache.time", "model=llm", "kv_dtype=bf16", "L=10", "M=2", records=base.records)
    assert done.exit_code == 2
    assert "no input M" in done.stderr or "does not read M" in done.stderr


def test_rows_are_sorted_and_narrowed_by_value() -> None:
    done = ask(
        "eval", "roofline.ridge", "accelerator=h100,h200,l4", "dtype=bf16", "--sort=-value", "--where", "value > 250"
    )
    assert [line.split()[0] for line in done.stdout.splitlines()[1:3]] == ["l4", "h100"]
    assert not any(line.startswith("h200") for line in done.stdout.splitlines())


def test_unit_exact_and_verbose(base: TinyBase) -> None:
    asked = ("eval", "cache.size", "model=llm", "kv_dtype=bf16", "L=10k")
    assert ask(*asked, "--unit", "kB", records=base.records).stdout.splitlines()[0] == "163.84 kB"
    assert ask(*asked, "--exact", records=base.records).stdout.splitlines()[0] == "163,840 byte"
    done = ask(*asked, "--unit", "s", records=base.records)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot measure" in done.stderr
    assert "config" in ask(*asked, "-v", records=base.records).stdout


def test_a_record_alone_lists_its_formulas(base: TinyBase) -> None:
    lines = ask("eval", "cache", records=base.records).stdout.splitlines()
    assert lines[0].split() == ["formula", "unit", "inputs"]
    assert any(line.split()[0] == "cache.size" and "model, kv_dtype" in line and line.endswith("L") for line in lines)


def test_list_compares_values_and_formulas() -> None:
    done = ask(
        "list", "accelerator", "--where", "roofline.ridge(dtype=bf16) < 100", "--sort", "roofline.ridge(dtype=bf16)"
    )
    lines = done.stdout.splitlines()
    assert lines[1].split()[:3] == ["nvidia_h20_sxm", "verified", "37"]
    assert "no value for roofline.ridge(dtype=bf16)" in done.stderr
    told = json.loads(ask("list", "accelerator", "--where", "memory_capacity >= 140 GB", "--format", "json").stdout)
    ids = {entry["id"] for entry in told}
    assert "nvidia_h200_sxm" in ids and "nvidia_h100_sxm" not in ids


@pytest.mark.parametrize(
    ("condition", "among", "not_among"),
    [
        ("sliding_window=1024", "gemma_3_27b", "gpt_oss_20b"),  # of one part of its layers
        ("sliding_window < 1024", "gpt_oss_20b", "gemma_3_27b"),
        ("kv_lora_rank=512", "deepseek_v3", "llama_3_8b"),  # stands beside the others where all are alike
        ("type=latent_attention", "deepseek_v3", "gemma_3_27b"),
        ("type=latent_attention", "deepseek_v3_2", "llama_3_8b"),
        ("type=mixture_of_experts", "mixtral_8x7b", "llama_3_8b"),
    ],
)
def test_list_looks_into_layers(condition: str, among: str, not_among: str) -> None:
    told = json.loads(ask("list", "model", "--where", condition, "--format", "json").stdout)
    ids = {entry["id"] for entry in told}
    assert among in ids and not_among not in ids


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("list", "model", "--where", "hidden_siz > 3"), "did you mean hidden_size?"),
        (("list", "model", "--where", "hidden_size > 3 GB"), "cannot be compared"),
        (("list", "model", "--where", "hidden_size >"), "no condition"),
        (("eval", "roofline.ridge", "accelerator=h100", "dtype=bf16", "--sort", "nothing"), "is no value here"),
        (("eval", "kv_cache.size", "L=1..", "model=llama_3_8b"), "no range"),
        (("explain", "kv_cache"), "kv_cache is a record; write kv_cache.NAME with one of"),
    ],
)
def test_a_question_that_cannot_be_put_says_what_to_write(arguments: tuple[str, ...], told: str) -> None:
    done = ask(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr


def test_explain_takes_inputs_as_eval_does() -> None:
    apart = ask("explain", "decode_attention.ai", "model=Llama-3-8B", "kv_dtype=bf16")
    joined = ask("explain", "decode_attention.ai?model=llama_3_8b&kv_dtype=bf16")
    assert apart.exit_code == 0
    assert apart.stdout == joined.stdout


def test_show_and_impact_take_names_and_tell_programs() -> None:
    assert json.loads(ask("show", "h100 SXM", "--format", "json").stdout)["id"] == "nvidia_h100_sxm"
    told = json.loads(ask("impact", "H100.memory_bandwidth", "--format", "json").stdout)
    assert told["value"] == "nvidia_h100_sxm.memory_bandwidth"
    assert {branch["kind"] for branch in told["moves"]} >= {"value", "figure"}
    shown = ask("show", "kv_cache").stdout
    assert "SYMBOLS" in shown


# What shells propose.


@pytest.mark.parametrize(
    ("words", "proposed"),
    [
        ("flopkb show llama_3", "llama_3_8b"),
        ("flopkb eval kv_cache.s", "kv_cache.size"),
        ("flopkb eval kv_cache.size model=llama_3", "model=llama_3_8b"),
        ("flopkb eval kv_cache.size kv_d", "kv_dtype="),
        ("flopkb list acc", "accelerator"),
        ("flopkb solve decode_step.ti", "decode_step.time"),
        ("flopkb solve decode_step.time = 3ms for bandw", "bandwidth"),
        ("flopkb solve decode_step.time = 3ms for L model=llama_3", "model=llama_3_8b"),
        ("flopkb plot kv_cache.size x", "x="),
        ("flopkb plot kv_cache.size kv_d", "kv_dtype="),
        ("flopkb rules name-c", "name-clash"),
        ("flopkb eval kv_cache.size --format js", "json"),
        ("flopkb impact nvidia_h100_sxm.memory_b", "nvidia_h100_sxm.memory_bandwidth"),
    ],
)
def test_a_shell_completes(words: str, proposed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    done = CliRunner().invoke(
        main,
        [],
        prog_name="flopkb",
        env={"_FLOPKB_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)},
    )
    assert f"plain,{proposed}" in done.stdout.split()


# What is read for a question.


@pytest.mark.parametrize(
    "words",
    [
        "kv_cache.size model=Llama-3-8B kv_dtype=fp8 B=1 L=128k -v",
        "decode_attention.gap_mha",
        "decode_step.time decode_step.rate h100 model=llama_3_8b B=1,2 L=2k",
        "capacity.longest_context model=gemma-3-27b accelerator=l40s weight_dtype=int4 kv_dtype=bf16 B=1",
        "capacity.largest_batch model=Llama-2-70B weight_dtype=awq_int4_g128 kv_dtype=fp16 L=8k accelerator=h100 -v",
        "parameters.total model=DeepSeek-V3 -v",
    ],
)
def test_an_answer_from_what_a_question_reads_is_that_of_the_whole_base(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the whole base is not read for it."""
    from flopkb.base import pipeline
    from flopkb.base.loading import load_base

    read = list[int]()

    def counting(loaded: LoadedBase, *, whole: bool = True) -> object:
        read.append(len(loaded.documents))
        return linked(loaded, whole=whole)

    linked = pipeline.linked
    monkeypatch.setattr(pipeline, "linked", counting)
    quick = ask("eval", *words.split())
    monkeypatch.setattr(pipeline, "load_mentioned", lambda root, cwd, question: load_base(root, cwd))
    assert ask("eval", *words.split()).output == quick.output
    assert len(read) == 2 and read[0] < 20 < read[1]


# Margins.


def test_margins_tell_how_far_each_input_may_move() -> None:
    """At 2 bytes a weight the intensity of a product is 2*b*m*n/(2*(m*n + m*b + n*b)) flop/byte; at m = n = 4096 it is
    4096*b/(4096 + 2*b), which meets 19790/67 at b = 345.1...: 345 sequences are the last below.
    """
    inputs = ["accelerator=h100", "dtype=bf16", "weight_dtype=bf16", "m=4096", "n=4096", "b=64"]
    asked = ["eval", "decode_gemm.intensity", *inputs, "--margin", "value < roofline.ridge"]
    done = ask(*asked)
    assert done.exit_code == 0, done.output
    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "decode_gemm.intensity < roofline.ridge" in rows["input"]
    assert "64" in rows["b"] and "holds up to 345" in rows["b"] and rows["b"].endswith("5.39x")
    assert "no limit up to 1,000,000 element" in rows["m"]
    told = {each["name"]: each for each in json.loads(ask(*asked, "--format", "json").stdout)["margin"]}
    assert told["b"] == {"name": "b", "now": "64", "flips": "345", "unit": "1", "words": "holds up to 345"}


def test_margins_of_what_does_not_hold_say_what_would() -> None:
    asked = ["eval", "roofline.ridge", "peak=300 TFLOP/s", "bandwidth=1 TB/s"]
    done = ask(*asked, "--margin", "value <= 100 flop/byte")
    assert "peak       300 TFLOP/s  would hold up to 100 TFLOP/s" in done.stdout
    assert "bandwidth  1 TB/s       would hold from 3 TB/s on" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["peak=3 TFLOP/s", "bandwidth=1 TB/s", "--margin", "value = 3"], "write a comparison"),
        (["peak=3 TFLOP/s, 4 TFLOP/s", "bandwidth=1 TB/s", "--margin", "value < 3"], "asked of one value"),
        (["peak=3 TFLOP/s", "bandwidth=1 TB/s", "--margin", "value < 3", "--format", "csv"], "text or json, not csv"),
    ],
)
def test_what_has_no_margin(arguments: list[str], words: str) -> None:
    done = ask("eval", "roofline.ridge", *arguments)
    assert done.exit_code == 2 and words in done.stderr
