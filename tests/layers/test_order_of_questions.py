"""What was asked before changes no answer: what is kept of a base for the next question turns on all that decides."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from .stacks import asked, base_of

STEPS = """
id: steps
kind: formula
name: Cases that a number decides
status: verified
updated: 2026-01-05
formulas:
  of_one:
    unit: "1"
    cases:
      - {when: L <= 100, expr: 1}
      - {when: L > 100, expr: 2}
  of_two: {expr: of_one + 10*of_one(L=2*L), unit: "1"}
  of_all: {expr: "sum(model.mixers, of_one*n_kv)", unit: "1"}
"""
KEPT = base_of(
    {"it": "num_hidden_layers: 2\nattention: full_attention\nnum_attention_heads: 4\nnum_key_value_heads: 3\nhead_dim: 1\n"
           "hidden_size: 4\nfeed_forward: gated\nintermediate_size: 5\n"},
    STEPS,
)  # fmt: skip
"""Asked by all examples, one after the other."""


@settings(deadline=None, database=None, derandomize=True, max_examples=150)
@given(
    st.sampled_from(["of_one", "of_two", "of_all"]),
    st.integers(1, 300),
    st.sampled_from(["", "*B", "+B"]),
    st.integers(1, 9),
)
def test_the_question_before_changes_no_answer(formula: str, number: int, by: str, batch: int) -> None:
    tokens = {"": number, "*B": number * batch, "+B": number + batch}[by]

    def step(tokens: int) -> int:
        return 1 if tokens <= 100 else 2

    right = {"of_one": step(tokens), "of_two": step(tokens) + 10 * step(2 * tokens), "of_all": 6 * step(tokens)}[
        formula
    ]
    given_ = {
        "L": f"{number}{by}",
        **({"B": str(batch)} if by else {}),
        **({"model": "it"} if formula == "of_all" else {}),
    }
    assert asked(KEPT, f"steps.{formula}", **given_) == Fraction(right)
