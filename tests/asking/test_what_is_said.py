"""What an answer says beside the number: one unit a column, what it is a bound of, limits that it passes, what to write instead.

The tiny base: a cache of ``L*8*2`` bytes, read at 2000 GB/s.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import REPOSITORY, TinyBase
from hypothesis import given
from hypothesis import strategies as st

import flopkb
from flopkb.arithmetic.numbers import column_texts
from flopkb.arithmetic.units import parse_unit
from flopkb.checking.asking.sweeps import how_read, written_out
from flopkb.commands.main import main

MIB = 1 << 20
INPUTS = ("model=llm", "kv_dtype=bf16")


def ask(*arguments: str, records: Path = REPOSITORY / "records") -> Result:
    return CliRunner().invoke(main, [*arguments, "--records", str(records)])


# One unit a column.


@pytest.mark.parametrize(
    ("values", "unit", "texts"),
    [
        ([128 * MIB, 1024 * MIB, 2048 * MIB], "byte", ["0.125 GiB", "1 GiB", "2 GiB"]),
        ([16 * 10**9, 1024 * MIB, 2048 * MIB], "byte", ["14.9 GiB", "1 GiB", "2 GiB"]),
        ([16 * 10**9, 17 * 10**9, 2048 * MIB], "byte", ["16 GB", "17 GB", "2.15 GB"]),
        ([Fraction(6, 10**4), Fraction(48, 10**4), Fraction(1, 20)], "s", ["0.6 ms", "4.8 ms", "50 ms"]),
        ([8 * 10**12, 819 * 10**9], "byte/s", ["8 TB/s", "0.819 TB/s"]),
        ([0, 1024 * MIB, 2048 * MIB], "byte", ["0 GiB", "1 GiB", "2 GiB"]),
        ([3, 40], "token", ["3 token", "40 token"]),
        ([], "byte", []),
    ],
)
def test_a_column_has_the_unit_of_most_of_its_values(values: list[Fraction], unit: str, texts: list[str]) -> None:
    assert column_texts([Fraction(value) for value in values], parse_unit(unit)) == texts


@given(
    st.lists(st.fractions(min_value=1, max_value=10**15), min_size=2, max_size=8),
    st.sampled_from(["byte", "s", "flop/s", "byte/token"]),
)
def test_any_column_has_one_unit_and_keeps_its_values(values: list[Fraction], unit: str) -> None:
    read = [text.replace(",", "").partition(" ") for text in column_texts(values, parse_unit(unit))]
    assert len({name for *_, name in read}) == 1
    for (number, _, name), value in zip(read, values, strict=True):
        assert abs(Fraction(number) * parse_unit(name).scale - value) * 200 <= value


def test_tables_of_every_format_and_lists_have_columns_in_one_unit(base: TinyBase) -> None:
    """160 kB, 1.6 MB and 800 kB: most are said in kB."""
    asked = ("eval", "cache.size", *INPUTS, "L=10000,100000,50000")
    lines = ask(*asked, records=base.records).stdout.splitlines()
    assert [" ".join(line.split()[1:]) for line in lines[1:4]] == ["160 kB", "1,600 kB", "800 kB"]
    told = json.loads(ask(*asked, "--format", "json", records=base.records).stdout)
    assert [row["text"] for row in told] == ["160 kB", "1,600 kB", "800 kB"]
    assert [row["value"] for row in told] == ["160000", "1600000", "800000"]
    assert " MB" not in ask(*asked, "--format", "markdown", records=base.records).stdout
    assert "1600000,byte," in ask(*asked, "--format", "csv", records=base.records).stdout
    made = flopkb.load(base.records).table("cache.size", model="llm", kv_dtype="bf16", L=[10000, 100000, 50000])
    assert "1,600 kB" in repr(made)


# Recorded values.


def test_a_recorded_value_is_explained_with_both_sides_of_a_dispute(base: TinyBase) -> None:
    dispute = (
        "{value: 2000 GB/s, basis: recorded, source: sheet, as_printed: 2 TB/s, preferred: the sheet is the maker's, "
        "disputed: [{value: 1500 GB/s, source: config, as_printed: 1500 GB/s, note: an early rate}]}"
    )
    line = "{value: 2000 GB/s, basis: recorded, source: sheet, as_printed: 2 TB/s}"
    base.change("accelerators/gpu.yaml", {line: dispute})
    done = ask("explain", "gpu.memory_bandwidth", records=base.records)
    lines = done.stdout.splitlines()
    assert done.exit_code == 0, done.output
    assert lines[0].startswith("gpu.memory_bandwidth = 2000 GB/s  (")
    assert lines[1:6] == [
        "basis: recorded",
        "source: sheet (Data sheet of the part)",
        "printed: '2 TB/s'",
        "config states 1500 GB/s (stated otherwise): an early rate",
        "preferred: the sheet is the maker's",
    ]
    assert any(line.endswith("  2 TB/s") and "gpu.yaml:" in line for line in lines[lines.index("quoted at") :])
    told = json.loads(ask("explain", "gpu.memory_bandwidth", "--format", "json", records=base.records).stdout)
    assert (told["text"], told["sources"], told["as_printed"]) == ("2000 GB/s", ["sheet"], "2 TB/s")
    assert told["disputed"][0]["note"] == "an early rate" and told["disputed"][0]["difference"] == "conflict"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("eval", "gpu.memory_bandwidth"), "gpu.memory_bandwidth is recorded, not computed: flopkb explain gpu.memory"),
        (("explain", "gpu.memory_bandwith"), "gpu records no memory_bandwith; did you mean memory_bandwidth?"),
        (("eval", "gpu.tdp"), "gpu records no tdp; flopkb show gpu prints what it records"),
        (
            ("eval", "cache.time", *INPUTS, "L=10", "gpu"),
            "gpu is no point of cache; as an input, write accelerator=gpu",
        ),
        (("eval", "cache.size", "llm", "L=10"), "llm is no point of cache; as an input, write model=llm"),
        (
            ("eval", "cache.size", "kv_dtype=bf16", "L=1"),
            "missing input model; add model=ID (flopkb list model names them)",
        ),
        (
            ("eval", "cache.size", *INPUTS, "L=1", "accelerator=gpu"),
            "cache.size does not read accelerator: leave it out\n",
        ),
    ],
)
def test_what_cannot_be_answered_says_what_to_write(arguments: tuple[str, ...], said: str, base: TinyBase) -> None:
    done = ask(*arguments, records=base.records)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("decode_step.rate", "h100", "model=llama_3_8b", "L=2k", "B=1", "mbu=0.7"),
            "ask serving.tokens_per_second, which",
        ),
        (("kv_cache.size", "model=llama_3_8b", "L=2k", "B=1", "kv_dtype=bf16", "weight_dtype=bf16"), "leave it out\n"),
        (("decode_attention.ai", "model=deepseek_v3", "kv_dtype=bf16"), "is not for them; ask mla_decode.ai"),
        (("decode_attention.ai", "model=gemma_3_27b", "kv_dtype=bf16"), "say which, as mixer=local"),
    ],
)
def test_the_formula_that_is_for_a_question_is_named(arguments: tuple[str, ...], said: str) -> None:
    assert said in ask("eval", *arguments).stderr


# What the value is.


def test_times_and_rates_at_full_speed_are_bounds(base: TinyBase) -> None:
    base.formula(
        "step",
        'formulas:\n  rate: {expr: 1/cache.time, unit: 1/s}\n  ratio: {expr: cache.time/cache.time(L=1), unit: "1"}\n',
    )
    asked = (*INPUTS, "L=10", "accelerator=gpu")
    line = ask("eval", "cache.time", *asked, records=base.records).stdout.splitlines()[1]
    assert line.startswith("  cache.time (a lower bound, at full bandwidth) for model=llm")
    line = ask("eval", "cache.time", *asked[:-1], "bandwidth=1 TB/s", records=base.records).stdout.splitlines()[1]
    assert line.startswith("  cache.time (a lower bound, at full bandwidth) for")
    line = ask("eval", "cache.ridge", "accelerator=gpu", "dtype=bf16", records=base.records).stdout.splitlines()[1]
    assert line == "  cache.ridge for accelerator=gpu, dtype=bf16"


def test_a_greatest_value_beyond_what_is_assumed_says_so_at_once(base: TinyBase) -> None:
    """80 GB hold five thousand million tokens of 16 bytes; the domain of L ends the search at 2,500,000."""
    body = (
        "symbols:\n  room: {meaning: room, unit: byte, domain: {integer: [1, 1000000]}}\n"
        "  made: {meaning: what it is made for, unit: token, value: 1000}\n"
        "  N: {meaning: tokens, unit: token, domain: {integer: [1, 100000]}}\n"
        "formulas:\n"
        "  taken: {expr: N*kv_dtype.bytes, unit: byte, assumes: [{that: N <= made, else: longer than it is made for}]}\n"
        "  most: {greatest: N, such_that: taken <= room, else: does not fit, unit: token}\n"
    )
    base.formula("holds", body)
    asked = ("eval", "holds.most", "kv_dtype=bf16")
    lines = ask(*asked, "room=4000 byte", records=base.records).stdout.splitlines()
    assert lines[0] == "2,000 token (longer than it is made for: at most 1,000 token)"
    assert ask(*asked, "room=2000 byte", records=base.records).stdout.splitlines()[0] == "1,000 token"
    lines = ask(*asked, "room=1000 byte, 3000 byte, 4000 byte", records=base.records).stdout.splitlines()
    assert [line.split("  ")[-1] for line in lines[1:4]] == [
        "500 token",
        "1,500 token (> 1,000)",
        "2,000 token (> 1,000)",
    ]
    assert lines[4].endswith(", and so for 1 more")
    done = ask("solve", "holds.taken <= 4000 byte", "for", "N", "kv_dtype=bf16", records=base.records)
    assert done.stdout.splitlines()[0] == "N = 2,000 token (longer than it is made for: at most 1,000 token)"


def test_records_that_are_not_verified_and_memory_on_the_chip_are_said(base: TinyBase) -> None:
    base.change(
        "accelerators/gpu.yaml",
        {"status: verified": "status: draft", "vendor: Maker": "vendor: Maker\nmemory_type: SRAM"},
    )
    left = "formulas:\n  left: {expr: accelerator.memory_capacity - size, unit: byte}\n"
    base.change("formulas/cache.yaml", {"formulas:\n": left})
    lines = ask("eval", "cache.left", *INPUTS, "L=10", "accelerator=gpu", records=base.records).stdout.splitlines()
    assert "  gpu is a draft (flopkb show gpu)" in lines
    assert "  the memory of gpu is SRAM on the chip, and no other is counted" in lines


# Ranges of which two values leave open how they go on.


@pytest.mark.parametrize(
    ("text", "count", "said"),
    [
        ("1k,2k..128k", 8, "1k,2k..128k doubles; 1k,2k,3k..128k steps"),
        ("1k,2k..100k", 100, "1k,2k..100k steps; 1k,2k,4k..100k doubles"),
        ("1k,2k..2k", 2, "1k,2k..2k steps; 1k,2k,4k..2k doubles"),
        ("1000,2000..8000", 8, "1000,2000..8000 steps; 1000,2000,4000..8000 doubles"),
        ("1,2,4..8", 4, ""),
        ("2,3..5", 4, ""),
        ("1..4", 4, ""),
        ("1,2", 2, ""),
    ],
)
def test_how_a_range_was_read_is_said_where_it_could_be_another(text: str, count: int, said: str) -> None:
    assert written_out(text).count(",") + 1 == count
    assert how_read(text) == said


def test_the_answer_says_how_a_range_was_read(base: TinyBase) -> None:
    lines = ask("eval", "cache.size", *INPUTS, "L=1k,2k..4k", records=base.records).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["1,024", "2,048", "4,096"]
    assert "L=1k,2k..4k doubles; 1k,2k,3k..4k steps" in lines
    assert "L: a k of tokens is read as 1,024 of them" in lines
