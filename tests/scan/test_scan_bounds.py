"""Hostile input: refused or read in bounded time and memory."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.text import Markup, scan_text

pytestmark = pytest.mark.slow

LONG = 40_000
"""Characters of each hostile text; the bound below is far from what it takes, and far from quadratic."""
SECONDS = 20.0

HOSTILE = {
    "a line of prose": "some words and 12 then " * (LONG // 23),
    "a line of equations": "2 * 3 = 6, " * (LONG // 11),
    "one chain": "1 + 1 = " * (LONG // 8),
    "one sum": "1+" * (LONG // 2) + "1 = 5",
    "digits": "9" * LONG + " = 5 * 3",
    "open parentheses": "(" * LONG + "1 + 1 = 2",
    "nested parentheses": "(" * (LONG // 4) + "1 + 1" + ")" * (LONG // 4) + " = 2",
    "equals signs": "= " * (LONG // 2),
    "assignments": "a1=1 " * (LONG // 5),
    "unclosed tags": "<a 1=2 " * (LONG // 7),
    "dollars": "$1=2 " * (LONG // 5),
    "braces": "{1=" * (LONG // 3),
    "fractions": "\\frac{1}{" * (LONG // 9) + " = 2",
    "styles": "\\text{1 = " * (LONG // 10),
    "subscripts": "x_{1 = " * (LONG // 7),
    "links": "[1](" * (LONG // 4) + "= 3",
    "comments": "<!-- 1 = 2 " * (LONG // 11),
    "fences": "```\n1 = 2\n" * (LONG // 10),
    "stars": "**1 = " * (LONG // 6),
    "superscripts": "2<sup>3 = " * (LONG // 10),
    "control characters": "".join(chr(1 + code % 255) for code in range(LONG)),
}


@pytest.mark.parametrize("kind", [Markup.MARKDOWN, Markup.HTML])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_read_in_bounded_time(text: str, kind: Markup) -> None:
    began = time.process_time()
    result = scan_text(text, "hostile", kind)
    assert time.process_time() - began < SECONDS
    assert result.counts["wrong"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "10**10**10 = 5",
        "9^9^9^9 = 5",
        "2^99999 * 2 = 4",
        "1e99999 * 2 = 3",
        "10^(10^10) = 1",
        "(9^99)^99^9 = 1",
        "7 / 0 = 5",
        "1 / (3 - 3) = 5",
        "sqrt(-4) = 2",
    ],
)
def test_what_has_no_value_is_not_judged(text: str) -> None:
    assert scan_text(text, "a.md").equations == ()


def test_a_binary_file_is_not_read() -> None:
    assert scan_text("3 * 4 = 13\0", "a.bin").equations == ()


@given(st.text(max_size=60))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    for kind in Markup:
        scan_text(text, "a", kind)


@given(
    st.lists(
        st.sampled_from(
            [
                "1",
                "2.5",
                "=",
                "≈",
                "*",
                "(",
                ")",
                "{",
                "}",
                "\\frac",
                "$",
                "%",
                "x",
                "GB",
                "/",
                "^",
                "~",
                "\n",
                "`",
                "**",
                "<sup>",
                "[",
                "]",
            ]
        ),
        max_size=25,
    )
)
def test_any_heap_of_signs_is_read_without_a_fault(signs: list[str]) -> None:
    for kind in Markup:
        scan_text(" ".join(signs), "a", kind)
        scan_text("".join(signs), "a", kind)


def test_of_a_document_with_very_many_equations_the_rest_is_named() -> None:
    result = scan_text("- 2 * 3 = 7\n" * 9_000, "a.md")
    assert 8_000 <= result.counts["wrong"] < 8_200
    assert [each.reason for each in result.unread] == ["what follows 8,000 signs of equality in one document: split it"]


def test_names_alone_before_a_sign_cost_no_equation() -> None:
    made = scan_text("[width= 5, total = 3 * 4, (x = 2 * 3 = 7)] and y = 8\n", "a.md")
    assert [equation.text for equation in made.equations] == ["2 * 3 = 7"]
    assert made.unread == ()


@pytest.mark.parametrize("shape", ["one line", "lines", "a sign a line"])
def test_what_is_skipped_for_its_size_is_named(shape: str) -> None:
    unit = {"one line": "1 + 1 = ", "lines": "1 + 1 = " * 9 + "\n", "a sign a line": "1 + 1 =\n"}[shape]
    for name in ("a.md", "a.txt", "a.tex", "a.html"):
        result = scan_text(unit * 700 + "\n\n2 * 3 = 7\n", name)
        assert result.counts["wrong"] == 1
        assert [each.line for each in result.unread] == [1]
        assert result.unread[0].reason.startswith("more than ") and len(result.unread[0].text) < 1100
