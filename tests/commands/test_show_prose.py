"""The prose of `show`: paragraphs and items wrapped, mathematics as a terminal can show it."""

from __future__ import annotations

import pytest

from flopkb.publishing.pages.terminal import WIDTH, plain_math, reflowed


def test_a_paragraph_is_wrapped_whatever_its_lines_begin_with() -> None:
    words = "Its memory holds\n80 GB, and a driver reports\n81559 MiB; " + "a word " * 20
    lines = list(reflowed(words))
    assert " ".join(lines) == " ".join(words.split())
    assert len(lines) == 3 and all(len(line) <= WIDTH for line in lines)


def test_items_stand_below_each_other_and_their_lines_below_their_text() -> None:
    lines = list(reflowed("Three:\n- one\n  goes on\n- " + "two " * 30 + "\n12. three"))
    assert lines[:2] == ["Three:", "- one goes on"]
    assert lines[2].startswith("- two two") and lines[3].startswith("  two")
    assert lines[-1] == "12. three"


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"\mathrm{softmax}(Q K^{\top} / \sqrt{d_k})\,V", "softmax(Q K^T / sqrt(d_k)) V"),
        (r"\frac{n_q}{n_{kv}} \le 8", "(n_q)/(n_kv) ≤ 8"),
        (r"a \times b \cdot c \approx \alpha", "a × b · c ≈ alpha"),
    ],
)
def test_mathematics_of_a_line(latex: str, shown: str) -> None:
    assert plain_math(latex) == shown
