"""Many values at once: floats that are the exact values to 12 digits, and none where there is no exact one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from click.testing import CliRunner
from conftest import REPOSITORY
from hypothesis import given, settings
from hypothesis import strategies as st

import flopkb
from flopkb.checking.api import open_for_questions
from flopkb.commands.main import main

FORMATS = {"dtype": "bf16", "weight_dtype": "bf16", "kv_dtype": "bf16"}
QUESTIONS: list[tuple[str, str, dict[str, str | int]]] = [
    ("decode_step.time", "L", {"accelerator": "h100", "B": 1, **FORMATS}),
    ("decode_step.rate", "B", {"accelerator": "h100", "L": 4096, **FORMATS}),
    ("kv_cache.size", "L", {"kv_dtype": "fp8", "B": 3}),
    ("kv_cache.read", "L", {"kv_dtype": "bf16", "B": 1}),
    (
        "decode_gemm.intensity",
        "b",
        {"accelerator": "h100", "dtype": "bf16", "weight_dtype": "bf16", "m": 4096, "n": 1000},
    ),
    ("roofline.attainable", "I", {"accelerator": "h100", "dtype": "bf16"}),
]
MODELS = ["llama_3_8b", "gemma_3_27b", "deepseek_v3", "gpt_oss_20b"]


@cache
def base() -> flopkb.Base:
    return open_for_questions(REPOSITORY / "records")


def exact(formula: str, inputs: dict[str, str | int]) -> Fraction | None:
    try:
        return base().evaluate(formula, **inputs).value
    except flopkb.FlopkbError:
        return None


@settings(deadline=None)
@given(
    st.sampled_from(QUESTIONS),
    st.sampled_from(MODELS),
    st.lists(st.integers(1, 1_000_000), min_size=2, max_size=6, unique=True),
)
def test_a_float_is_the_exact_value_to_twelve_digits(
    question: tuple[str, str, dict[str, str | int]], model: str, xs: list[int]
) -> None:
    formula, name, inputs = question
    asked = {**inputs, **({"model": model} if not formula.startswith(("decode_gemm", "roofline")) else {})}
    xs = [min(x, 65_536) for x in xs] if name == "B" else xs
    try:
        swept = base().sweep(formula, **asked, **{name: xs})
    except flopkb.FlopkbError:
        return  # it has no one form, and is computed value by value
    ((_, found),) = swept.columns
    for x, value in zip(xs, found.values, strict=True):
        wanted = exact(formula, {**asked, name: x})
        assert (value is None) == (wanted is None), (x, found.reason)
        if value is not None and wanted is not None:
            assert abs(Fraction(value) - wanted) <= abs(wanted) / 10**12


def test_what_does_not_fit_has_no_value_and_the_reason() -> None:
    """An H100 holds 529,939 tokens of Llama-3-8B (tests of capacity): none beyond has a time."""
    swept = base().sweep(
        "decode_step.time", model="llama_3_8b", accelerator="h100", B=1, L=range(529_930, 529_950), **FORMATS
    )
    data = swept.data
    assert [x for x, value in zip(data["L"], data["value"], strict=True) if value is not None] == [
        *range(529_930, 529_940)
    ]
    assert set(data["reason"][10:]) == {"weights and cache do not fit the part"}
    assert any("made for" in line for line in swept.columns[0][1].assumes)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"L": [1, Fraction(3, 2)]}, "whole numbers"),
        ({"L": ["1k", "x"]}, "plain numbers"),
        ({"L": [1, 2], "kv_dtype": "bf17"}, "bf17"),
        ({"L": 5, "B": 1}, "only numbers may have so many"),
    ],
)
def test_what_is_no_sweep(inputs: dict[str, object], words: str) -> None:
    asked: dict[str, object] = {"model": "llama_3_8b", "kv_dtype": "bf16", "B": 1, **inputs}
    with pytest.raises(flopkb.FlopkbError, match=words):
        base().sweep("kv_cache.size", **asked)  # type: ignore[arg-type]


def test_the_command_says_that_they_are_floats() -> None:
    asked = ["eval", "roofline.attainable", "accelerator=h100", "dtype=bf16", "I=1..20000"]
    where = ["--records", str(REPOSITORY / "records")]
    done = CliRunner().invoke(main, [*asked, "--format", "csv", *where])
    lines = done.stdout.splitlines()
    assert lines[:2] == ["I,formula,value,unit,reason", "1,roofline.attainable,3350000000000.0,flop/s,"]
    assert len(lines) == 20_001 and "in floats, equal to the exact ones to 12 digits" in done.stderr
    done = CliRunner().invoke(main, [*asked, *where])
    assert done.exit_code == 2 and "20,000 values, more than 10,000: say --format csv" in done.stderr
    done = CliRunner().invoke(main, [*asked, "--format", "csv", "--where", "value < 3", *where])
    assert done.exit_code == 2 and "value < 3 is not applied" in done.stderr


def test_a_table_is_rows_that_pandas_takes() -> None:
    made = base().table("roofline.ridge", accelerator=["h100", "a100"], dtype="fp8")
    assert list(made) == [
        {"accelerator": "h100", "roofline.ridge": 1979 / 3.35},
        {"accelerator": "a100", "roofline.ridge": None},
    ]
    assert made.units == {"roofline.ridge": "flop/byte"}
    assert made.exact[0] == {"roofline.ridge": Fraction(197900, 335)}
    assert "no fp8 arithmetic" in made.reasons[1]["roofline.ridge"]
    assert repr(made).splitlines()[1].split() == ["h100", "591", "flop/byte"]
    assert made._repr_html_().startswith("<table><thead><tr><th>accelerator</th><th>roofline.ridge</th></tr>")


def test_values_and_records_say_what_they_are() -> None:
    value = base().evaluate("kv_cache.size", model="llama_3_8b", kv_dtype="fp8", B=1, L=131072)
    assert value._repr_html_().startswith(
        "<b>8 GiB (8,589,934,592 byte)</b> <code>kv_cache.size</code><br><small>assumes"
    )
    assert repr(base().records["llama_3_8b"]) == "<model llama_3_8b: Llama-3-8B, verified>"
