"""A record with thousands of faults: each is reported, and only for the first is it looked up what could be meant."""

from __future__ import annotations

import pytest
from conftest import TinyBase

from flopkb.checking.rules import bare_number

SIX = 'formulas:\n  six: {expr: 2*3, unit: "1"}\nderivation: |\n  '


def test_every_bare_number_is_found_and_few_are_looked_up(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    advice = bare_number.advice
    monkeypatch.setattr(bare_number, "advice", lambda bare, *rest: asked.append(bare.text) or advice(bare, *rest))
    base.formula("many", SIX + "It is [6](fig:six)" + " or 123" * 2000 + ".\n")
    lines = [line for line in base.lines() if "bare-number" in line]
    assert len(lines) == 2000 and len(asked) == 500
    assert lines[1999].endswith(
        "123 is linked to nothing; link it to a figure, an input or a recorded value, or as a literal: [123](lit:reason)"
    )
