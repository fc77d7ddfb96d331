"""The examples of docs/writing_documents.md: each renders in every format."""

from __future__ import annotations

import re

import pytest

from flopkb.publishing.pages.html import html
from flopkb.publishing.pages.latex import latex
from flopkb.publishing.pages.markdown import markdown

from .bases import DOCS, document, own_base

pytestmark = pytest.mark.slow

GUIDE = (DOCS / "writing_documents.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```jinja\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_each_example_renders(number: int) -> None:
    made = document(EXAMPLES[number])
    assert len(html(made)) > 1000 and latex(made, "d") and markdown(made, "d")


def test_the_calls_in_the_tables_work() -> None:
    calls = re.findall(r"^\| `((?:fig|fact|inp|lit|name)\(.*?\))` \|", GUIDE, re.MULTILINE)
    assert len(calls) >= 6
    assert document("\n\n".join(f"{{{{ {call} }}}}" for call in calls)).blocks


def test_every_function_is_in_the_guide() -> None:
    from flopkb.publishing.render.api import Api
    from flopkb.publishing.render.header import KEYS, Header

    for name in Api(own_base(), Header()).functions():
        assert f"{name}(" in GUIDE or f"`{name}`" in GUIDE or name in ("records", "version"), name
    for key in KEYS:
        assert f"`{key}`" in GUIDE, key
