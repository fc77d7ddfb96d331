"""Equations and inequalities in code, mathematics and fences; code without one is nobody's business."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.prose import EquationKind, read_prose

from .marked import marked


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("so `«a = 2*3»` it is", EquationKind.CODE),
        ("`` «a = 2*3» ``", EquationKind.CODE),
        ("`«1000 * 312 / 2039 ≈ 153»`", EquationKind.CODE),
        ("`«ai == n_q / n_kv»`", EquationKind.CODE),
        ("`«10 * 3 ~= 29»`", EquationKind.CODE),
        ("`«a <= b»`", EquationKind.CODE),
        ("`«a >= b»`", EquationKind.CODE),
        ("`«a != b»`", EquationKind.CODE),
        ("`«9 < 64/8»`", EquationKind.CODE),
        (r"$«a \le b»$", EquationKind.MATH),
        (r"$«a > b»$", EquationKind.MATH),
        (r"$«2 \cdot 3 = 6»$", EquationKind.MATH),
        (r"$«x \approx 3»$", EquationKind.MATH),
        ("$$«2 = 2»$$", EquationKind.DISPLAY),
        ("$$«\na\n=\n- 3\n»$$", EquationKind.DISPLAY),
        ("text\n$$«\na = 3\n»$$\nmore", EquationKind.DISPLAY),
        ("# On `«a = 3»`", EquationKind.CODE),
        ("> - `«a = 3»`", EquationKind.CODE),
        ("| `«a = 3»` |\n|---|", EquationKind.CODE),
        ("[`«a = 3»`](https://a.b)", EquationKind.CODE),
        ("[as `«a = 3»` says](claim:c)", EquationKind.CODE),
        ("```\n«a = 3»\n```", EquationKind.FENCE),
        ("> ```python\n> x\n>   «a = 3»  \n> ```", EquationKind.FENCE),
        ("    «a = 3»", EquationKind.FENCE),
    ],
)
def test_found_at_its_place(source: str, kind: EquationKind) -> None:
    text, ((start, end),) = marked(source)
    (equation,) = read_prose(text).equations
    assert (equation.start, equation.end, equation.kind) == (start, end, kind)
    assert equation.text == text[start:end]


@pytest.mark.parametrize(
    "source",
    [
        "`code` and `2*3` and `a := b` and `a => b` and `x += 1` and `a -> b` and `<b>` and `a | b` and `> a` and `a <`",
        "$x$ and $2mnb$ and $a \\to b$ and $\\left(a$",
        "[`a = 3`](fig:g) and [$a = 3$](fig:g)",
        "a = 3",
        "<!-- `a = 3` -->",
        "```\nx\n```",
        "`a = 3",
        "costs $5 = cheap and $6",
        "$ a = 3 $",
    ],
)
def test_not_found(source: str) -> None:
    assert read_prose(source).equations == ()


def test_a_line_of_a_fence_each_with_its_info() -> None:
    text, spans = marked("```text title\n«a = 2»\nb\n\n«c = 3»\n```\n")
    equations = read_prose(text).equations
    assert [(e.start, e.end) for e in equations] == spans
    assert {e.info for e in equations} == {"text title"}


def test_an_equation_over_lines_of_a_quote_keeps_its_length() -> None:
    text = "> so `a\n> = 3` it is"
    (equation,) = read_prose(text).equations
    assert equation.text == "a\n  = 3"
    assert (equation.start, equation.end) == (6, 13)


def test_the_plain_text_goes_on_behind_it() -> None:
    reading = read_prose("`2 * 3 = 6` bytes per token")
    (equation,) = reading.equations
    assert reading.plain[equation.plain_start : equation.plain_end] == "2 * 3 = 6"
    assert reading.plain[equation.plain_end :] == " bytes per token"


@pytest.mark.parametrize("price", ["from $5 to $10", "$49.24 / 8 = $6.155", "US$5 and US$6", r"\$5 and $6", "$5-$6"])
def test_prices_are_no_mathematics(price: str) -> None:
    reading = read_prose(price)
    assert reading.equations == ()
    assert "$" in reading.plain


def test_a_table_directive_gives_its_body() -> None:
    text = "> ```flopkb-table\n>  rows: [1]\n> cols: x = 2\n> ```\n"
    reading = read_prose(text)
    (table,) = reading.tables
    assert table.body.text == " rows: [1]\ncols: x = 2\n"
    assert table.body.at(1) == text.index("rows")
    assert table.body.at(table.body.text.index("x")) == text.index("x =")
    assert (table.start, table.end) == (text.index("```"), len(text) - 1)
    assert reading.equations == ()


def test_other_fences_are_no_tables() -> None:
    assert read_prose("```flopkb-tables\na\n```\n`flopkb-table`").tables == ()
