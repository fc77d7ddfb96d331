"""Comments that silence an equation."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.text import Markup, scan_text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Markup.MARKDOWN, "3 * 4 = 13 <!-- flopkb: ignore a joke -->"),
        (Markup.MARKDOWN, "<!-- flopkb: ignore a joke -->\n3 * 4 = 13"),
        (Markup.MARKDOWN, "<!--flopkb:ignore--> 3 * 4 = 13"),
        (Markup.HTML, "<p>3 &times; 4 = 13</p> <!-- flopkb: ignore as the source has it -->"),
        (Markup.LATEX, "$3 \\times 4 = 13$ % flopkb: ignore as the source has it"),
        (Markup.LATEX, "% flopkb: ignore\n$3 \\times 4 = 13$"),
        (Markup.PLAIN, "3 * 4 = 13  # flopkb: ignore"),
        (Markup.PLAIN, "// flopkb: ignore a joke\n// 3 * 4 = 13"),
    ],
)
def test_an_equation_beside_the_comment_is_silenced(kind: Markup, text: str) -> None:
    result = scan_text(text, "a", kind)
    assert result.equations == ()
    assert [equation.verdict for equation in result.suppressed] == ["wrong"]
    assert result.diagnostics == ()


def test_only_its_own_line_is_silenced() -> None:
    result = scan_text("3 * 4 = 13 <!-- flopkb: ignore x -->\n\n5 * 5 = 26\n", "a.md")
    assert [equation.text for equation in result.equations] == ["5 * 5 = 26"]


def test_an_example_in_a_code_block_need_not_silence_anything() -> None:
    assert scan_text("```markdown\n<!-- flopkb: ignore x -->\n```\n", "a.md").diagnostics == ()
    assert scan_text("```\n3 * 4 = 13 <!-- flopkb: ignore x -->\n```\n", "a.md").equations == ()


def test_an_unused_suppression_is_reported_at_its_place() -> None:
    result = scan_text("Nothing to see.\n  <!-- flopkb: ignore x -->\n\n3 * 4 = 12\n", "a.md")
    (found,) = result.diagnostics
    assert str(found.location) == "a.md:2:3"
    assert found.rule == "unused-suppression"


def test_a_comment_that_is_only_shown_is_none() -> None:
    text = "Write `<!-- flopkb: ignore why -->` beside it: 3 * 4 = 13"
    result = scan_text(text, "a.md")
    assert [equation.verdict for equation in result.equations] == ["wrong"]
    assert result.diagnostics == ()
