"""What is reported of an equation: its place, its values, the reading that was taken, the advice."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.text import Markup, ScannedEquation, scan_text


def only(text: str, kind: Markup = Markup.MARKDOWN, *, foreign: bool = True) -> ScannedEquation:
    (equation,) = scan_text(text, "notes.md", kind, foreign=foreign).equations
    return equation


@pytest.mark.parametrize(
    ("text", "computed", "quoted", "unit", "verdict", "reading"),
    [
        ("2*24*8 = 384", "384", "384", "1", "ok", "as written"),
        ("`32 * 96 = 2072` bytes", "3072", "2072 bytes", "bytes", "wrong", "the other side in bytes"),
        ("16e9 / 8.1e11 = 19ms", "19.7531", "19ms", "ms", "truncated", "the other side in base units"),
        ("44 days * 8960 / 171 = 1752 days", "2305.5", "1752 days", "days", "wrong", "as written"),
        ("242/63.0 = 3.5x", "3.84127", "3.5x", "x", "wrong", "as written"),
        ("3.3e24 / 1.52e25 = 21.7%", "21.7105", "21.7%", "%", "ok", "as written"),
        ("98,304 = 32 * 3072", "98304", "98,304", "1", "ok", "as written"),
        ("$24 / 8 = $3 per hour", "3", "$3 per hour", "$/hour", "ok", "in $, what it is counted by left aside"),
        ("128 * 1024 = 128K", "128", "128K", "K", "ok", "K as 1024"),
        ("512 * 1024 bytes = 512 KB", "512", "512 KB", "KB", "ok", "prefixes of bytes as powers of 1024"),
        ("7B * 2 = 14 GB", "14", "14 GB", "GB", "ok", "the other side in base units"),
        ("4 * 18 * 400 / 8 = 3.6TB/s", "3.6", "3.6TB/s", "TB/s", "ok", "the other side in thousandths of TB/s"),
        ("60 * 24 = 1 day", "1", "1 day", "day", "ok", "the other side in minutes"),
        ("6.3e24 / 4.59e14 = 435 years", "435.232", "435 years", "years", "ok", "the other side in base units"),
        ("4*a*b / (4*b) = a", "4*a*b / (4*b)", "a", "1", "ok", "symbols: equal for all values"),
        ("x = 4*a*b / (2*c*b) = a/c", "4*a*b / (2*c*b)", "a/c", "1", "wrong", "symbols: off by a factor of 2"),
    ],
)
def test_values_units_and_readings(
    text: str, computed: str, quoted: str, unit: str, verdict: str, reading: str
) -> None:
    found = only(text)
    assert (found.computed, found.quoted, found.unit) == (computed, quoted, unit)
    assert (found.verdict, found.reading) == (verdict, reading)


def test_line_and_column_are_those_of_the_first_character() -> None:
    found = only("# Costs\n\nA page on costs.\nSo **3 * 4 = 13**, they say.\n")
    assert (found.path, found.line, found.column) == ("notes.md", 4, 6)
    assert found.text == "3 * 4 = 13"


def test_columns_count_characters_not_bytes() -> None:
    assert only("Größe — 3 * 4 = 12").column == 9


def test_equations_come_in_the_order_of_the_text() -> None:
    equations = scan_text("3*4 = 12 and 5*5 = 25\n\n6*6 = 36", "a.md").equations
    assert [equation.text for equation in equations] == ["3*4 = 12", "5*5 = 25", "6*6 = 36"]
    assert [(equation.line, equation.column) for equation in equations] == [(1, 1), (1, 14), (3, 1)]


def test_a_chain_is_one_equation_with_its_worst_verdict() -> None:
    found = only("N = 2 * 3 * 4 = 6 * 4 = 25")
    assert (found.text, found.verdict, found.computed, found.quoted) == ("2 * 3 * 4 = 6 * 4 = 25", "wrong", "24", "25")


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("7 / 2*2 = 1.75", "read as (7 / 2)*2; right as 7 / (2*2): write the parentheses"),
        ("100 + 60 / 2 = 80", "read as 100 + (60 / 2); right as (100 + 60) / 2: write the parentheses"),
        ("640 / 8 * 4 = 20", "read as (640 / 8) * 4; right as 640 / (8 * 4): write the parentheses"),
    ],
)
def test_an_ambiguous_equation_says_which_parentheses_to_add(text: str, advice: str) -> None:
    found = only(text)
    assert (found.verdict, found.advice) == ("ambiguous", advice)


def test_markup_is_kept_out_of_the_quoted_text() -> None:
    found = only("$2 \\cdot 80 \\cdot 8 \\cdot 128 \\cdot 2 = 320\\,\\text{KiB}$")
    assert found.quoted == "320 KiB"
    assert found.text == "2 \\cdot 80 \\cdot 8 \\cdot 128 \\cdot 2 = 320\\,\\text{KiB}"


def test_a_document_of_ones_own_means_what_the_contract_says_by_its_prefixes() -> None:
    assert only("4096 * 4096 * 2 = 32 MB").verdict == "ok"
    assert only("4096 * 4096 * 2 = 32 MB", foreign=False).verdict == "wrong"
    assert only("4096 * 4096 * 2 = 32 MiB", foreign=False).verdict == "ok"


@pytest.mark.parametrize(
    ("path", "text", "verdicts"),
    [
        ("a.html", "<p>3 &times; 4 = 12</p>", ["ok"]),
        ("a.tex", "% 3*4 = 13\n$3 \\times 4 = 12$", ["ok"]),
        ("a.txt", "3 * 4 = 12", ["ok"]),
        ("page", "<!doctype html><p>3 &times; 4 = 12<script>3*4=13</script>", ["ok"]),
        ("paper", "\\documentclass{article} % 3*4 = 13\n$3 \\cdot 4 = 12$", ["ok"]),
        ("a.md", "```python\nn = 3 * 4  # 3 * 4 = 13\n```", ["wrong"]),
        ("a.html", "<pre>a = 3\n4 * 5 = 20\n</pre>", ["ok"]),
    ],
)
def test_the_kind_of_a_document_is_told_from_its_name_or_its_beginning(
    path: str, text: str, verdicts: list[str]
) -> None:
    assert [equation.verdict for equation in scan_text(text, path).equations] == verdicts


def test_counts() -> None:
    result = scan_text("3*4 = 12, 3*4 = 13, 7/2*2 = 1.75 and 2/3 = 0.66", "a.md")
    said = {verdict.value: count for verdict, count in result.counts.items() if count}
    assert said == {"ok": 1, "truncated": 1, "ambiguous": 1, "wrong": 1}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("2 * 30 = short of 80", "ok"),
        ("2 * 50 = more than 80", "ok"),
        ("round(5/2) = 3", "ok"),
        ("round(-5/2) = -3", "ok"),
    ],
)
def test_bounds_of_two_words_are_read_and_ties_are_rounded_away_from_zero(text: str, verdict: str) -> None:
    assert only(text).verdict.value == verdict
