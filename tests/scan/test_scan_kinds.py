"""Kinds of documents: what is read of each, where it stands, and how an equation is silenced there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flopkb.arithmetic.text import SOURCES, Markup, scan_text

NOTEBOOK = json.dumps(
    {
        "cells": [
            {
                "cell_type": "markdown",
                "metadata": {},
                "source": ["So $3 \\times 4 = 13$\n", "and 5\u00d75 =\n", "26 it is.\n"],
            },
            {
                "cell_type": "code",
                "metadata": {},
                "outputs": [
                    {"output_type": "stream", "text": ["6 * 6 = 37\n"]},
                    {"data": {"text/plain": ["7 * 7 = 50"], "image/png": "8 * 8 = 65"}},
                ],
                "source": ["x = 1  # 9 * 9 =\n", "80\n", "# 2 * 2 = 5"],
            },
        ],
        "metadata": {"note": "3 * 3 = 10"},
        "nbformat": 4,
    },
    indent=1,
    ensure_ascii=True,
)


def kind_of(path: str) -> Markup | None:
    return Markup.SOURCE if Path(path).suffix in SOURCES else None


def wrong(path: str, text: str) -> list[tuple[int, str]]:
    return [(e.line, e.text) for e in scan_text(text, path, kind_of(path)).equations if e.verdict == "wrong"]


def test_of_a_notebook_cells_and_texts_of_outputs_are_read_each_for_itself() -> None:
    starts = ("3 \\times 4", "5 ×5", "6 * 6", "7 * 7", "9 * 9", "2 * 2")
    places = ("3 \\\\times", "5\\u00d7", "6 * 6", "7 * 7", "9 * 9", "2 * 2")
    found = wrong("a.ipynb", NOTEBOOK)
    assert len(found) == len(starts)
    lines = NOTEBOOK.split("\n")
    for (line, text), start, place in zip(found, starts, places, strict=True):
        assert text.startswith(start) and place in lines[line - 1]


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2]", '{"cells": "3 * 4 = 13"}', '{"cells": [{"source": 3 * 4 = 13', "3 * 4 = 13"]
)
def test_what_is_no_notebook_gives_nothing_or_what_can_be_read(text: str) -> None:
    assert scan_text(text, "a.ipynb").equations == ()


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.rst", "So 3 * 4\n= 13 here.\n", [1]),
        ("a.rst", "So::\n\n    a = 5\n    3 * 4 = 13\n\nthen 2 * 2 = 5\n", [4, 6]),
        ("a.rst", ".. math::\n\n   3 \\times 4\n   = 13\n", [3]),
        ("a.rst", ".. a comment: 3 * 4 = 13\n", []),
        ("a.rst", ":math:`3 \\times 4 = 13`", [1]),
        ("a.adoc", "// 3 * 4 = 13\n\nSo 3 * 4 = 13.\n\n----\nx = 5\n4 * 4 = 17\n----\n", [3, 7]),
        ("a.typ", "// 3 * 4 = 13\n$3 times 4 = 13$\n", [2]),
        ("a.md", "```{math}\n3 \\times 4\n= 13\n```\n", [2]),
        ("a.mdx", "import X from 'y'\n\n<X a={3} />\n\n3 × 4 = 13\n", [5]),
        ("a.qmd", "```{r}\nx <- 3 # 3 * 4 = 13\n```\n", [2]),
        ("run.log", "12:00:01 step 10/100 loss = 2.3\n12:00:02 3 * 4 = 13\n", [2]),
        ("a.py", 'x = "3 * 4 = 13"\n# 3 * 4 = 13\ndef f():\n    """It is 5 * 5 = 26."""\n', [2, 4]),
        ("a.c", 'char *s = "3 * 4 = 13"; /* 3 * 4 = 13\n 5 * 5 = 26 */ int y; // 6 * 6 = 37\n', [1, 2, 2]),
    ],
)
def test_each_kind_is_read_in_its_own_way(path: str, text: str, lines: list[int]) -> None:
    assert [line for line, _ in wrong(path, text)] == lines


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.mdx", "{/* flopkb: ignore a joke */}\n3 * 4 = 13"),
        ("a.md", "% flopkb: ignore a joke\n3 * 4 = 13"),
        ("a.rst", ".. flopkb: ignore a joke\n3 * 4 = 13"),
        ("a.adoc", "// flopkb: ignore a joke\n3 * 4 = 13"),
        ("a.typ", "3 * 4 = 13 // flopkb: ignore a joke"),
        ("a.py", "# flopkb: ignore a joke\n# 3 * 4 = 13\n"),
        ("a.js", "/* flopkb: ignore a joke */\n// 3 * 4 = 13\n"),
        ("a.log", "3 * 4 = 13  # flopkb: ignore a joke"),
        ("a.ipynb", '{"cells": [{"cell_type": "code", "source": [\n"# flopkb: ignore a joke\\n",\n"# 3 * 4 = 13"]}]}'),
    ],
)
def test_a_comment_silences_in_every_kind(path: str, text: str) -> None:
    result = scan_text(text, path, kind_of(path))
    assert result.equations == ()
    assert [equation.verdict for equation in result.suppressed] == ["wrong"]
    assert result.diagnostics == ()
