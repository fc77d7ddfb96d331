"""The formulas of the site, computed by its own script, against Python: the same digits, the same refusals."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from export.scenarios import Question, figures, scenarios
from flopkb.checking.api import Base
from flopkb.publishing.export.html.program import Program

SCRIPT = Path(__file__).parents[2] / "flopkb/publishing/export/html/evaluate.js"
COMPARE = """
const flopkb = require(process.argv[1]);
const { program, asked } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = asked.map(({ formula, given, over, picked }) => {
  try {
    const found = flopkb.answer(program, formula, given, picked);
    const value = over ? flopkb.over(found.value, flopkb.answer(program, formula, over, picked).value) : found.value;
    return { value: flopkb.text(value), text: found.text, assumes: found.assumes };
  } catch (error) {
    if (!(error instanceof flopkb.Refused)) throw error;
    return { value: null };
  }
});
process.stdout.write(JSON.stringify(answers));
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None, reason="node, which runs the script of the site, is not installed"
    ),
]


@pytest.fixture(scope="module")
def program(api: Base) -> dict[str, Any]:
    """What the site computes with."""
    return json.loads(json.dumps(Program(api.evaluation.kb).made()))


def answers(program: dict[str, Any], asked: Sequence[Question]) -> list[dict[str, Any]]:
    """What the script answers in node."""
    given = json.dumps({"program": program, "asked": [question.data for question in asked]})
    done = subprocess.run(
        ["node", "-e", COMPARE, str(SCRIPT)], input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def differing(found: Sequence[dict[str, Any]], asked: Sequence[Question]) -> list[tuple[Question, dict[str, Any]]]:
    """The questions that the two answer differently."""
    return [
        (question, answer) for question, answer in zip(asked, found, strict=True) if answer["value"] != question.value
    ]


def test_every_figure_has_the_same_value(program: dict[str, Any], api: Base) -> None:
    asked = list(figures(api.evaluation))
    found = answers(program, asked)
    assert len(asked) > 150 and differing(found, asked) == []
    for question, answer in zip(asked, found, strict=True):
        if question.over is None:
            assert sorted(answer["assumes"]) == sorted(question.assumes), question


def test_two_thousand_questions_have_the_same_answers(program: dict[str, Any], api: Base) -> None:
    asked = list(scenarios(api.evaluation, 2000, seed=19))
    found = answers(program, asked)
    assert differing(found, asked) == []
    told = [(question, answer) for question, answer in zip(asked, found, strict=True) if question.value is not None]
    assert 500 < len(told) < len(asked) - 300, "both answers and refusals are among them"
    assert [(q.text, sorted(q.assumes)) for q, _ in told] == [(a["text"], sorted(a["assumes"])) for _, a in told]


MUTANTS: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "an operator": (("formulas", "kv_cache.size", "cases", 0, 1, 0), "+"),
    "a number": (("formulas", "decode_attention.flops", "cases", 0, 1, 1, 1, 1, 1), "5"),
    "the type of a case": (("formulas", "kv_cache.entries", "cases", 1, 0, 2), ["chunked_attention"]),
    "a recorded value": (("records", "nvidia_h100_sxm", "facts", "memory_bandwidth"), "3350000000001"),
    "how many layers there are": (("records", "gemma_3_27b", "mixer", "full", "count"), "11"),
    "a requirement": (("formulas", "decode_step.memory_time", "requires", 0, "parts", 0, 0), ">"),
    "the greatest value of a domain": (("symbols", "inference.L", "domain", "to"), "4096"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_changed_program_is_caught(name: str, program: dict[str, Any], api: Base) -> None:
    path, value = MUTANTS[name]
    changed = json.loads(json.dumps(program))
    place = changed
    for step in path[:-1]:
        place = place[step]
    assert place[path[-1]] != value
    place[path[-1]] = value
    asked = [*figures(api.evaluation), *scenarios(api.evaluation, 300, seed=7)]
    assert differing(answers(changed, asked), asked)
