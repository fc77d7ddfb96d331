"""What is a link and what is code agrees with a CommonMark parser, on Markdown put together from awkward pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from flopkb.arithmetic.prose import EquationKind, read_prose

PIECES = [
    *["a", "b ", "word ", "295x", " é — “q”", ".", ", ", "!", "; ", "'", '"', "/", "=", "n_q", "2*3*4"],
    *["*", "**", "_", "__", "***", "`", "``", "` ", "[", "]", "(", ") ", "\\", "\\*", "\\[", "\\`", "\\\n"],
    *["](fig:gap)", "[x](fig:a.b)", "[ref]", "[ref][]", "[t][ref]", "![", "![i](u)", "](<fig:a b>)", "](fig:x 'ti')"],
    *["`a=b`", "``c=`d``", "**b**", "_e_", "<b>", "</b>", "<", "<http://a.b>", "<fig:x>", "&amp;", "&", "<!-- c -->"],
    *["\n", "\n\n", "\r\n", "  \n", "> ", ">", "- ", "* ", "+ ", "1. ", "2. ", "    ", "  ", "   ", "\t", "# ", "\n# "],
    *["\n***\n", "\n===\n", "```", "\n```\n", "\n~~~\n", "```py", "\n<div>\n", "|"],
    "\n\n| a | b |\n|---|---|\n| 1 | [2](fig:y) `e=1` \\| |\n\n",
    *["\n\n[ref]: fig:r.s\n\n", "\n\n[ref]: <fig:r> 'ti'\n\n"],
]
PARSER = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table"])
SCHEME = re.compile(r"(?:fig|in|fact|lit|claim):")


def collapsed(text: str) -> str:
    return re.sub(r"[ \t\r\n\f\v]+", " ", text).strip(" ")


def seen(tokens: list[Token]) -> str:
    """What a reader sees of inline tokens."""
    parts = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(seen(token.children or []))
        elif token.type != "html_inline":
            parts.append(token.content)
    return "".join(parts)


def link_end(tokens: list[Token], start: int) -> int:
    """Where the link closes that opens at ``start`` (links do not nest)."""
    return next(at for at in range(start, len(tokens)) if tokens[at].type == "link_close")


def links_of(tokens: list[Token]) -> list[tuple[str, str]]:
    """Text and target of each link of ours."""
    found = []
    for at, token in enumerate(tokens):
        if token.type == "image":
            found += links_of(token.children or [])
        if token.type == "link_open" and SCHEME.match(str(token.attrs["href"])):
            text = collapsed(seen(tokens[at + 1 : link_end(tokens, at)]))
            found.append((text, str(token.attrs["href"]).replace("%20", " ")))
    return found


def codes_of(tokens: list[Token]) -> list[str]:
    """The code spans that hold an equals sign, outside links of ours."""
    found, skip_to = [], 0
    for at, token in enumerate(tokens):
        if token.type == "image":
            found += codes_of(token.children or [])
        if token.type == "link_open" and SCHEME.match(str(token.attrs["href"])):
            skip_to = link_end(tokens, at)
        if token.type == "code_inline" and "=" in token.content and at >= skip_to:
            found.append(collapsed(token.content))
    return found


@settings(derandomize=True, deadline=None, max_examples=400, database=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_links_and_code_agree(pieces: list[str]) -> None:
    text = "".join(pieces)
    inline = [token.children or [] for token in PARSER.parse(text) if token.type == "inline"]
    reading = read_prose(text)
    assert [(link.text, link.target) for link in reading.links] == [
        found for part in inline for found in links_of(part)
    ]
    spans = [e.text for e in reading.equations if e.kind is EquationKind.CODE]
    # "==" may stand in a span (an unpaired heading line), "===" is no equation.
    expected = [code for part in inline for code in codes_of(part) if "===" not in code]
    assert [collapsed(text) for text in spans if "===" not in text] == [code for code in expected if is_equation(code)]


def is_equation(code: str) -> bool:
    ordered = re.search(r"[\w)]\s*(?:[<>]=?|!=)(?![<>|=-])\s*[\w(\\$.−]", code)
    return re.search(r"(?<![<>!:+/|-])==?(?![>=])", code) is not None or ordered is not None


@pytest.mark.parametrize(
    "text",
    [
        "*[a*](fig:x)*b*",
        "[a `](fig:x)` b](fig:y)",
        "[a <b c='](fig:x)'> d](fig:y)",
        "[a\\]b](fig:x)",
        "- a\n\n      [4](fig:x)\n",
        "- a\n\n  [4](fig:x)\n",
        "1.  a\n\n        [4](fig:x)\n",
        "> a\n    [4](fig:x)\n",
        "-\n\n  [4](fig:x)\n",
        "- - - [4](fig:x)\n* * *\n",
        "[a][b][c]\n\n[c]: fig:x\n",
        "[a]: fig:x\n[b]: fig:y 'z'\n[a] [b]\n",
        '[a]: fig:x "open\n\n[a]\n',
        "[a]:\n fig:x\n 'title\n over lines'\n\n[a]",
        "a\n- [4](fig:x)\n2. [5](fig:y)\n",
        "\ta\n\t- [4](fig:x)\n",
        "- a\n\t[4](fig:x)\n\n\t\t[5](fig:y)\n",
        "~~~\n[4](fig:x)\n~~~~ \n[5](fig:y)\n",
        "``` a`b\n[4](fig:x)\n```\n",
        "<pre>\n[4](fig:x)\n\n[5](fig:y)\n</pre>\n[6](fig:z)\n",
        "<!-- a\n\n[4](fig:x) -->\n[5](fig:y)\n",
        "<b>\n[4](fig:x)\n",
        "a <b>\n[4](fig:x)\n",
    ],
)
def test_corner_cases_agree(text: str) -> None:
    inline = [token.children or [] for token in PARSER.parse(text) if token.type == "inline"]
    expected = [found for part in inline for found in links_of(part)]
    assert [(link.text, link.target) for link in read_prose(text).links] == expected
