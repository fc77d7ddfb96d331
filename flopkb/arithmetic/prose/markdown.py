"""The one reader of Markdown: markdown-it-py, with rules of our own for what it does not know, and places in the source.

Checks read stretches of prose with the place of everything (:func:`read_markdown`); documents and pages take the tokens of
:func:`parser`, so that what is checked is what is shown. Rules of our own are citations, and mathematics in dollars where a
price is a price.
"""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt, rules_block
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from flopkb.arithmetic.prose.inlines import InlineState, PlacedInlines
from flopkb.arithmetic.prose.layout import Layout, noted_by
from flopkb.arithmetic.prose.parts import CitedSource, MarkdownText

__all__ = ["Token", "parser", "read_markdown"]

_CITED = re.compile(r"\[([^\[\]`]{1,600})\](?![(\[])")
_CITATION = re.compile(r"\s*(?:(?:see|see also|e\.g\.,?|cf\.)\s+)?-?@(\w+(?:[:.-]\w+)*)\s*(,[^;]*)?")
_NOTE = re.compile(r"\[\^([^\s\[\]]+)\]")
_RAW_HTML = re.compile(r"<(script|style|pre|textarea)(?=[\s>])", re.IGNORECASE)
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_ENDS = ["paragraph", "reference", "blockquote"]

_DEEPEST = 38
"""Quotations and lists are read in each other so far (by CommonMark without end, which would take recursion)."""


@cache
def parser(*, html: bool = True, any_address: bool = False, normal_addresses: bool = False) -> MarkdownIt:
    """CommonMark with tables, strikethrough, footnotes, mathematics and citations.

    Without ``html`` tags are text. Links lead to ``any_address``, or else to none that a browser would run; addresses
    stay as they are written unless they are to be normal.
    """
    made = MarkdownIt("commonmark", {"html": html, "maxNesting": _DEEPEST + 2}).enable(["table", "strikethrough"])
    made.inline = PlacedInlines(made.inline)
    made.use(footnote_plugin, inline=False)
    if not normal_addresses:
        setattr(made, "normalizeLink", lambda address: address)  # noqa: B010
    if any_address:
        setattr(made, "validateLink", lambda address: True)  # noqa: B010
    for name, rule, ends in (
        ("table", rules_block.table, _ENDS[:2]),
        ("code", rules_block.code, []),
        ("fence", rules_block.fence, [*_ENDS, "list"]),
        ("reference", rules_block.reference, []),
        ("html_block", rules_block.html_block, _ENDS),
        ("heading", rules_block.heading, _ENDS),
        ("paragraph", _paragraph, []),
    ):
        made.block.ruler.at(name, noted_by(rule), {"alt": ends})
    made.block.ruler.disable("lheading")
    made.block.ruler.before("table", "deep", noted_by(_deep), {"alt": []})
    made.inline.ruler.before("escape", "math_inline", _mathematics)
    made.inline.ruler.before("link", "citation", _citation)
    made.inline.ruler.before("link", "note", _lone_note)
    made.core.ruler.after("inline", "displays", _displays)
    return made


@cache
def _html_parser() -> MarkdownIt:
    """What is read within HTML blocks, in which Markdown means nothing."""
    made = MarkdownIt("zero", {"html": True})
    made.inline = PlacedInlines(made.inline)
    made.inline.ruler.enableOnly(["html_inline", "entity"])
    made.inline.ruler.before("html_inline", "raw", _raw)
    return made


def read_markdown(text: str, *, front_matter: bool = False) -> MarkdownText:
    """Read ``text``, all places being offsets into it; with ``front_matter`` a YAML header at its beginning is no prose.

    Any text is Markdown, so that nothing is raised.
    """
    layout = Layout(text, front_matter=front_matter)
    parser(any_address=True).parse(layout.normal, {"layout": layout})
    return layout.finish(_html_parser())


def _deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """What is nested too deep is text, marks and all: without this rule it would be left out, and its numbers with it."""
    return state.level >= _DEEPEST and _paragraph(state, start, end, silent)


def _paragraph(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """A paragraph, or a heading with a line below it; within ``$$ ... $$`` nothing is block structure."""
    ends = state.md.block.ruler.getRules("paragraph")
    parent, state.parentType = state.parentType, "paragraph"
    display, level, line = _opens_display(state, start), 0, start + 1
    while line < state.lineMax and not state.isEmpty(line):
        if display and state.sCount[line] >= state.blkIndent:
            display = "$$" not in _line(state, line)
        elif state.sCount[line] - state.blkIndent <= 3:
            if state.sCount[line] >= state.blkIndent and _UNDERLINE.match(_line(state, line)):
                level = 1 if _line(state, line)[0] == "=" else 2
                break
            if state.sCount[line] >= 0 and any(rule(state, line, state.lineMax, True) for rule in ends):
                break
            display = _opens_display(state, line)
        line += 1
    state.parentType = parent
    content = state.getLines(start, line, state.blkIndent, False).strip(" \t\n")
    state.line = line + 1 if level else line
    kind, tag = ("heading", f"h{level}") if level else ("paragraph", "p")
    state.push(f"{kind}_open", tag, 1).map = [start, state.line]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = content, [start, line], []
    state.push(f"{kind}_close", tag, -1)
    return True


def _displays(state: StateCore) -> None:
    """A paragraph that is displayed mathematics alone is a block of its own kind."""
    tokens, at = state.tokens, 0
    while at + 2 < len(tokens):
        children = tokens[at + 1].children or []
        if tokens[at].type == "paragraph_open" and [child.type for child in children] == ["math_inline_double"]:
            block = Token("math_block", "math", 0, content=children[0].content, map=tokens[at].map, block=True)
            block.level = tokens[at].level
            tokens[at : at + 3] = [block]
        at += 1


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _opens_display(state: StateBlock, line: int) -> bool:
    text = _line(state, line)
    return text.startswith("$$") and "$$" not in text[2:]


def _mathematics(state: StateInline, silent: bool) -> bool:
    """``$x$`` (no white space within the dollars, no digit behind them: prices are prices) or ``$$x$$``."""
    start = state.pos
    if state.src[start] != "$":
        return False
    width = 2 if state.src.startswith("$$", start, state.posMax) else 1
    begin = start + width
    assert isinstance(state, InlineState)
    stop = state.src.find("$$", begin, state.posMax) if width == 2 else state.next_dollar(start)
    if stop < 0:
        if width == 2:  # neither of the two begins mathematics
            state.append_pending("" if silent else "$$")
            state.pos = begin
            return True
        return False
    if not silent:
        token = state.push("math_inline_double" if width == 2 else "math_inline", "math", 0)
        token.content, token.markup = state.src[begin:stop], "$" * width
    state.pos = stop + width
    return True


def _opens(state: StateInline) -> bool:
    """Whether a bracket opens here that is not that of an image."""
    return state.src[state.pos] == "[" and not (state.pos and state.src[state.pos - 1] == "!")


def _citation(state: StateInline, silent: bool) -> bool:
    """``[@a; @b]``, also with words before and a locator behind a comma: a token with a :class:`CitedSource` for each."""
    start = state.pos
    if silent or not _opens(state) or state.src.find("@", start + 1, min(start + 15, state.posMax)) < 0:
        return False
    group = _CITED.match(state.src, start, state.posMax)
    if group is None:
        return False
    cited, at = [], group.start(1)
    for part in group[1].split(";"):
        match = _CITATION.fullmatch(state.src, at, at + len(part))
        if match is None:
            return False
        lead, place = state.src[at : match.start(1)].strip(), None if match[2] is None else match[2][1:].strip()
        cited.append(CitedSource(match[1], match.start(1) - start, match.end(1) - start, lead, place))
        at += len(part) + 1
    token = state.push("citation", "", 0)
    token.content = group[0]
    token.meta = {"cited": cited}
    state.pos = group.end()
    return True


def _lone_note(state: StateInline, silent: bool) -> bool:
    """The mark of a footnote that has no text."""
    note = None if silent or not _opens(state) else _NOTE.match(state.src, state.pos, state.posMax)
    if note is None or f":{note[1]}" in state.env.get("footnotes", {}).get("refs", {}):
        return False
    state.push("note", "", 0).content = note[0]
    state.pos = note.end()
    return True


def _raw(state: StateInline, silent: bool) -> bool:
    """A script or the like in an HTML block, up to its end."""
    skipped = _RAW_HTML.match(state.src, state.pos)
    if skipped is None:
        return False
    closing = re.compile(f"</{skipped[1]}>", re.IGNORECASE).search(state.src, skipped.end())
    state.push("raw", "", 0)
    state.pos = closing.end() if closing else state.posMax
    return True
