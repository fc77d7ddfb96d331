"""What does not fit or does not apply has no value in any output: its words stand there instead.

524,288 tokens of Llama-3-8B in bf16 take 64 GiB, twice of them 128 GiB: beside 16 GB of weights two do not fit 81,559 MiB.
"""

from __future__ import annotations

import csv
import io
import json
from functools import cache

import pytest
from click.testing import CliRunner
from conftest import REPOSITORY

import flopkb
from flopkb.checking.api import open_for_questions
from flopkb.commands.main import main
from flopkb.publishing import plot
from flopkb.publishing.render.rendering import render

FORMULA = "decode_step.time"
INPUTS = {
    "model": "llama_3_8b",
    "accelerator": "nvidia_h100_sxm",
    "dtype": "bf16",
    "weight_dtype": "bf16",
    "kv_dtype": "bf16",
    "L": "524288",
}
WORDS = "weights and cache do not fit the part"


@cache
def base() -> flopkb.Base:
    return open_for_questions(REPOSITORY / "records")


def asked(*more: str) -> list[str]:
    return [FORMULA, *(f"{name}={value}" for name, value in INPUTS.items()), *more]


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, [*arguments, "--records", str(REPOSITORY / "records")])
    return done.exit_code, done.stdout, done.stderr


def test_one_answer_is_the_reason_and_exit_code_1() -> None:
    code, out, said = run("eval", *asked("B=2"))
    assert (code, out) == (1, "") and WORDS in said and "not applicable" in said


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
def test_a_table_has_the_reason_in_place_of_the_value(form: str) -> None:
    code, out, _ = run("eval", *asked("B=1,2"), "--format", form)
    assert code == 0 and WORDS in out
    if form == "json":
        first, second = json.loads(out)
        assert "value" in first and "value" not in second and WORDS in second["reason"]
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert rows[0]["value"] and not rows[1]["value"] and not rows[1]["text"] and WORDS in rows[1]["reason"]
    else:
        line = next(line for line in out.splitlines() if line.replace("|", " ").split()[:1] == ["2"])
        assert WORDS in line and " ms" not in line


def test_python_raises_or_has_none() -> None:
    with pytest.raises(flopkb.FlopkbError, match=WORDS):
        base().evaluate(FORMULA, B=2, **INPUTS)
    made = base().table(FORMULA, B=[1, 2], **INPUTS)
    assert made[0][FORMULA] is not None and made[1][FORMULA] is None and WORDS in made.reasons[1][FORMULA]
    ((_, swept),) = base().sweep(FORMULA, B=[1, 2, 3], **INPUTS).columns
    assert [value is None for value in swept.values] == [False, True, True] and swept.reason == WORDS


def test_solve_never_goes_beyond_what_fits() -> None:
    code, out, _ = run("solve", f"{FORMULA} <= 10 s", "for", "B", *asked()[1:])
    assert code == 0 and out.startswith(f"B = 1 sequence, beyond it {WORDS}")
    code, out, said = run("solve", f"{FORMULA} >= 10 s", "for", "B", *asked()[1:])
    assert (code, out) == (1, "") and "never" in said


def test_a_curve_ends_and_a_plot_without_a_point_is_refused() -> None:
    inputs = {**INPUTS, "x": "B", "B": "1..8"}
    with pytest.raises(plot.PlotFault, match=WORDS):
        plot.make(FORMULA, base(), {**inputs, "L": "1048576"})
    made = plot.make(FORMULA, base(), {**inputs, "L": "131072"})
    assert made.curves[0].points[-1][0] == 4 and WORDS in made.text  # 4 * 16 GiB and 16 GB of weights


def test_a_document_is_not_rendered_with_it() -> None:
    inputs = ", ".join(f"{name}='{value}'" for name, value in INPUTS.items())
    text = f"# A title\n\nA step takes {{{{ fig('{FORMULA}', B='2', {inputs}) }}}}.\n"
    made = render(text, "t.md.j2", base())
    assert made.document is None
    assert any(WORDS in found.message for found in made.diagnostics)


EXPERTS = ("eval", "capacity.weight_bytes", "weight_dtype=bf16", "expert_dtype=fp8")


def test_a_number_format_of_experts_is_refused_for_a_model_without_any() -> None:
    code, out, said = run(*EXPERTS, "model=llama_3_8b")
    assert (code, out) == (2, "")
    assert said == (
        "flopkb: capacity.weight_bytes has no use for expert_dtype here: nothing that it counts is in that format; leave it out\n"
    )
    # Mixtral 8x7B: 32 layers of 8 experts of 3*4096*14336 weights take a byte less each
    for models in ("mixtral_8x7b", "llama_3_8b,mixtral_8x7b"):
        code, out, said = run(*EXPERTS, f"model={models}", "--format", "json")
        assert (code, said) == (0, "")
        last = json.loads(out)[-1] if "," in models else json.loads(out)
        assert last["value"] == str(2 * 46702792704 - 32 * 8 * 3 * 4096 * 14336)
