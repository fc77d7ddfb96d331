"""Placeholders: texts that were meant to be replaced."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.prose import read_prose

from .marked import marked


@pytest.mark.parametrize(
    "source",
    [
        "«TODO»: write, «FIXME», «XXX», «TBD».",
        "«todo»: write",
        "holds «%s» of «%d», «%.2f» and «%(name)s»",
        "«{{ value }}» and «{{»x",
        "«{0}» and «{}» and «{% if x %}» and «${VAR}»",
        "«<placeholder>» and «<your number here>» and «<MODEL_NAME>»",
        "«Lorem ipsum» dolor",
        "# «TODO»",
        "| «TBD» |\n|---|",
        "[«TODO»](fig:g)",
        "**«TBD»**",
    ],
)
def test_found(source: str) -> None:
    text, spans = marked(source)
    assert [(left.start, left.end) for left in read_prose(text).placeholders] == spans


@pytest.mark.parametrize(
    "source",
    [
        "`TODO` and `%s` and `{{` and `{0}`",
        "```\nTODO\n```",
        "<!-- TODO -->",
        "TODOs of MXXX, a to do, todo list, XXXL, TBDs",
        "5% sparse, 10%, a 3 %drop, 100%s",
        "$x_{0}$ and $\\frac{{a}}{b}$",
        "<b>bold</b>, a < b > c, <https://a.b>",
        "the set {a, b}",
        "[a](todo:x)",
    ],
)
def test_not_found(source: str) -> None:
    assert read_prose(source).placeholders == ()
