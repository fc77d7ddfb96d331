"""Markdown: prose character for character, links that lead to anchors, and nothing that a renderer could run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

import pytest
from conftest import TinyBase
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from export.bases import NAME, hostile, resolved
from flopkb.checking.api import load
from flopkb.publishing.export.markdown import applied, code, escaped, markdown_export, safety_edits
from flopkb.publishing.export.resolved import ResolvedBase

pytestmark = pytest.mark.slow

LINK = re.compile(r"\]\(([^()\s]+)\)")
COMMON = MarkdownIt("commonmark", {"html": True}).enable("table")


@pytest.fixture(scope="module")
def files(whole: ResolvedBase) -> dict[str, str]:
    return {name: data.decode("utf-8") for name, data in markdown_export(whole).items()}


def anchors(text: str) -> set[str]:
    return set(re.findall(r'<a id="([^"]+)"></a>', text))


def dead(files: Mapping[str, str]) -> list[str]:
    """Links within the folder that lead nowhere."""
    found = []
    for name, text in files.items():
        for address in LINK.findall(text):
            if ":" in address:
                continue
            path, _, anchor = address.partition("#")
            target = normpath(join(dirname(name), path)) if path else name
            if target not in files or (anchor and anchor not in anchors(files[target])):
                found.append(f"{name}: {address}")
    return found


def test_no_link_is_dead(files: dict[str, str]) -> None:
    assert dead(files) == []


def test_there_is_a_page_a_record_and_an_index_a_kind(files: dict[str, str], whole: ResolvedBase) -> None:
    assert len(files) == len(whole.records) + 9


def test_prose_stays_as_it_is_but_for_its_links(files: dict[str, str]) -> None:
    text = files["workload_classes/decode_attention.md"]
    assert "| multi-head, bf16 | [1](#fig-ai_mha) | [295x](#fig-gap_mha) |" in text
    assert r"$\mathrm{softmax}(Q K^{\top} / \sqrt{d_k})\,V$" in text
    assert "[`AI = 2*g`](#formula-ai)" in text
    assert "([Vaswani et al. 2017](../sources/attention_2017.md))" in text
    assert "[8.0 flop/byte](#fig-ai_llama_3_8b_int8)" in text


def test_a_figure_has_its_exact_value(files: dict[str, str]) -> None:
    row = next(line for line in files["workload_classes/decode_attention.md"].splitlines() if '"fig-gap_mha"' in line)
    assert "| 295.373 | `19790/67` | `decode_attention.gap` = `roofline.ridge / ai` |" in row


def tags(text: str) -> list[str]:
    """The HTML that a renderer would let through."""
    found = []
    for token in COMMON.parse(text):
        found += [token.content] if token.type == "html_block" else []
        found += [child.content for child in token.children or () if child.type == "html_inline"]
    return [tag for tag in found if not re.fullmatch(r'<a id="[\w.@-]+">|</a>', tag)]


def test_a_hostile_record_is_harmless_and_whole(base: TinyBase) -> None:
    files = {name: data.decode("utf-8") for name, data in markdown_export(hostile(base)).items()}
    assert {name: tags(text) for name, text in files.items() if tags(text)} == {}
    assert dead(files) == []
    for name, text in files.items():
        rendered = COMMON.render(text)
        assert "javascript:" not in "".join(re.findall(r'(?:href|src)="[^"]*"', rendered)), name
    assert rendered_text(files["sources/evil.md"]).startswith(NAME)
    prose = rendered_text(files["accelerators/evil_gpu.md"])
    for told in (
        "First line with <script>alert('x')</script> and code <b> and",
        "=cmd()|'/c calc'!A0 and \\input{/etc/passwd}",
        "<img src=x onerror=alert(1)>",
    ):
        assert told in prose, told
    row = next(line for line in files["accelerators/evil_gpu.md"].splitlines() if '"fact-memory_bandwidth"' in line)
    assert len(re.split(r"(?<!\\)\|", row)) == 8  # six cells, however many bars the texts hold


def rendered_text(markdown: str) -> str:
    """What a reader sees."""
    from html import unescape

    return " ".join(unescape(re.sub(r"<[^>]*>", "", COMMON.render(markdown))).split())


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_an_escaped_text_is_seen_as_it_is(text: str) -> None:
    shown = " ".join(text.split())
    seen = rendered_text(f"x {escaped(shown)}")
    assert seen == f"x {shown}".strip()


@given(st.text("a`| \\", max_size=30))
def test_a_code_span_holds_its_text(text: str) -> None:
    shown = " ".join(text.split())
    cell = f"| h |\n| --- |\n| {code(text)} |"
    assert rendered_text(cell) == f"h {shown}".strip()


@given(st.text("ab<>/!-?`\\*[]()$ \n:&=\"'", max_size=60))
def test_no_markdown_of_an_author_becomes_html(text: str) -> None:
    assert tags(applied(text, list(safety_edits(text)))) == []


@pytest.mark.parametrize(
    "address",
    [
        *(
            "javascript:x",
            "JavaScript:x",
            "java&#115;cript:x",
            "javascript&colon;x",
            "java\\script:x",
            "<javascript:x>",
        ),
        *(
            "&#x6A;avascript:x",
            "data:text/html,x",
            "DATA&#58;text/html,x",
            "vbscript:x",
            "java&Tab;script:x",
            "\\javascript:x",
        ),
        *("javascript\\:x", "&#1;javascript:x", "file:///etc/passwd", "x:y"),
    ],
)
def test_an_address_that_a_browser_would_run_is_no_link(address: str) -> None:
    for text in (f"see [this]({address}) there", f"see [this] there\n\n[this]: {address}\n"):
        rendered = MarkdownIt("commonmark", {"html": True})
        rendered.validateLink = lambda _: True  # other renderers look at no address
        assert "href" not in rendered.render(applied(text, safety_edits(text))), text


@pytest.mark.parametrize(
    "address", ["https://a.b/c:d", "mailto:a@b.c", "../x.md#a:b", "a/b:c", "?q=a:b", "#fig-x", "HTTP://a"]
)
def test_an_address_of_the_web_stays(address: str) -> None:
    text = f"see [this]({address}) there"
    assert applied(text, safety_edits(text)) == text


def test_a_backslash_before_a_backslash_hides_no_tag() -> None:
    text = "a \\\\<b> c"
    assert tags(applied(text, safety_edits(text))) == []


def test_headings_of_an_author_stand_below_that_of_their_field(base: TinyBase) -> None:
    base.workload("reading", "notes: |\n  # One\n\n  Words.\n\n  ### Two\n\n  - ## Three\n\n  Code: `# four`.\n")
    page = markdown_export(resolved(load(base.records), base.records))["workload_classes/reading.md"].decode("utf-8")
    notes = page.partition("## Notes\n")[2]
    assert [line for line in notes.split("\n") if "#" in line] == [
        "### One",
        "##### Two",
        "- #### Three",
        "Code: `# four`.",
    ]
