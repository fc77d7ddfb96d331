"""Documents as Markdown: read back, they say the same; what GitHub needs is there."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from flopkb.publishing.pages.markdown import code_span, escaped, markdown

from .bases import document, shipped


def test_links_within_the_text_lead_to_anchors() -> None:
    text = markdown(shipped("decode_is_memory_bound"), "d")
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
    targets = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert targets and targets <= anchors


def test_notes_are_marked_and_written() -> None:
    text = markdown(shipped("decode_is_memory_bound"), "d")
    marks, notes = set(re.findall(r"\[\^(\w+)\](?!:)", text)), set(re.findall(r"^\[\^(\w+)\]:", text, re.MULTILINE))
    assert marks == notes == {"gqa", "cache"}


def test_equations_are_numbered_and_mathematics_is_safe_from_markdown() -> None:
    text = markdown(shipped("decode_is_memory_bound"), "d")
    assert re.findall(r"\\tag\{(\d)\}", text) == ["1", "2", "3", "4"]
    assert "$`n_{kv}`$" in text


def test_text_is_read_back_as_it_was() -> None:
    hostile = r"a*b*c _d_ `e` [f](g) <h> | ~~i~~ # $j$ \k"
    rendered = MarkdownIt().enable(["table", "strikethrough"]).render(escaped(hostile))
    assert re.sub(r"<.*?>", "", rendered).strip().replace("&lt;", "<").replace("&gt;", ">") == hostile
    assert MarkdownIt().render(escaped("1. a\n- b")).count("<li>") == 0
    assert "<code>a`b</code>" in MarkdownIt().render(code_span("a`b"))


def test_a_table_is_a_table_with_its_alignment() -> None:
    made = document("| a | b |\n|:--|--:|\n| x | {{ fig('kv_cache.one_4k') }} |\n")
    assert "| a | b |\n| --- | ---: |\n| x | 2&nbsp;GiB |" in markdown(made, "d")
