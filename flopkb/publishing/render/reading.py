"""The text that a template gives, as Markdown, parsed to the tree of the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from flopkb.arithmetic.prose.markdown import Token, parser
from flopkb.arithmetic.prose.parts import CitedSource
from flopkb.base.faults import did_you_mean
from flopkb.publishing.pages.blocks import (
    Block,
    BlockQuote,
    DisplayMath,
    Divider,
    Heading,
    ListOf,
    Paragraph,
    PlainTable,
    Verbatim,
)
from flopkb.publishing.pages.inlines import Break, Code, Inline, Math, Styled, WebLink, Words
from flopkb.publishing.pages.mathematics import unreadable
from flopkb.publishing.render.assembly import Assembly
from flopkb.publishing.render.objects import Blocks, Closing, Containers, Opening, Slot
from flopkb.publishing.render.template_text import MARK, OBJECT, TemplateFault, index_of

_LABEL = re.compile(r"\s*\{((?:eq|sec):[A-Za-z0-9_-]+)\}\s*$")
_STYLES = {"em": "em", "strong": "strong", "s": "del"}
_SAFE = re.compile(r"(?:https?|mailto):|[#./\w][^:]*$")
_LONGEST_MATH = 2000
_BLANK = re.compile(r"\n[ \t]*\n")
# A parser of Markdown may need time in proportion to the square of how many of these a paragraph has.
_CROWDS = (
    ("[", 1000),
    ("*", 3000),
    ("_", 6000),
    ("`", 3000),
    ("~", 3000),
    ("<", 3000),
    ("$", 2000),
    ("(", 20000),
    (">", 20000),
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text as Markdown: its tokens, and the labels of its notes (-1: nothing refers to it)."""

    tokens: Sequence[Token]
    notes: dict[str, int]


def parsed(text: str, at: Callable[[int], int]) -> Parsed:
    """Parse a text, unless a paragraph of it is made to take long."""
    start = 0
    for paragraph in _BLANK.split(text):
        for mark, most in _CROWDS:
            if paragraph.count(mark) > most:
                where = text.find(paragraph, start)
                raise TemplateFault(f"a paragraph with more than {most:,} of `{mark}`", at(max(where, 0)), "markdown")
        start += len(paragraph)
    env: dict[str, Any] = {}
    tokens = parser(normal_addresses=True).parse(text, env)
    return Parsed(tokens, env.get("footnotes", {}).get("refs", {}))


@dataclass(slots=True)
class _Level:
    """Blocks being collected, within an open container or not."""

    blocks: list[Block] = field(default_factory=list)
    opening: Opening | None = None
    offset: int = 0
    slots: list[list[Block]] = field(default_factory=list)


class DocumentReader:
    """Reads one text. ``assembly`` numbers things and knows what marks stand for; ``at`` finds a line's place."""

    def __init__(self, text: str, assembly: Assembly, at: Callable[[int], int], parsed: Parsed) -> None:
        self.text, self.assembly, self.at = text, assembly, at
        self.tokens = parsed.tokens
        self.starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self.line = 0

    def read(self) -> tuple[Block, ...]:
        """The blocks of the document; footnotes go to the assembly."""
        blocks = self.level(self.tokens)
        return tuple(blocks)

    def fault(self, reason: str, rule: str = "markdown") -> TemplateFault:
        """A fault in the block being read."""
        return TemplateFault(reason, self.at(self.starts[min(self.line, len(self.starts) - 1)]), rule)

    def level(self, tokens: Sequence[Token]) -> list[Block]:
        """Blocks side by side, with the containers that marks open and close among them."""
        stack = [_Level()]
        for block, thing, offset in self.blocks(tokens):
            if isinstance(thing, Opening):
                if len(stack) > 8:
                    raise TemplateFault("containers are nested too deeply", offset)
                stack.append(_Level(opening=thing, offset=offset))
            elif isinstance(thing, Slot):
                stack[-1].slots.append(stack[-1].blocks)
                stack[-1].blocks = []
            elif isinstance(thing, Closing):
                done = stack.pop()
                assert done.opening is not None
                done.slots.append(done.blocks)
                stack[-1].blocks += self.assembly.container(done.opening.thing, done.slots, done.offset)
            elif thing is not None:
                stack[-1].blocks += self.assembly.block(thing, offset)
            elif block is not None:
                stack[-1].blocks.append(block)
        if len(stack) > 1:
            raise TemplateFault(
                "a table, listing or plot stands at the margin, not in a list or quote", stack[-1].offset
            )
        return stack[0].blocks

    def blocks(self, tokens: Sequence[Token]) -> Iterator[tuple[Block | None, Any, int]]:
        """Each block; a paragraph that is one mark of a block gives the thing behind it."""
        for token, inner in enclosed(tokens):
            if token.map is not None:
                self.line = token.map[0]
            if token.type == "paragraph_open":
                yield from self.paragraph(inner[0])
            elif token.type == "footnote_block_open":
                self.footnotes(inner)
            else:
                block = self.other(token, inner)
                if block is not None:
                    yield block, None, 0

    def paragraph(self, inline: Token) -> Iterator[tuple[Block | None, Any, int]]:
        marks = list(MARK.finditer(inline.content))
        alone = MARK.sub("", inline.content).strip() == "" and marks
        things = [self.assembly.thing(index_of(m[0])) for m in marks]
        special = [isinstance(thing, (*Blocks, Opening, Slot, Closing)) for thing, _ in things]
        if alone and all(special):
            yield from ((None, thing, offset) for thing, offset in things)
            return
        if any(special):
            offset = things[special.index(True)][1]
            raise TemplateFault(
                "this stands alone, with an empty line before and after it, at the margin", offset, "markdown"
            )
        yield self.display(inline) or Paragraph(self.inlines(inline.children or [])), None, 0

    def display(self, inline: Token) -> Block | None:
        """Mathematics that is a paragraph of its own, with or without a label behind it."""
        children = [
            child for child in inline.children or [] if not (child.type == "text" and not child.content.strip())
        ]
        if not children or children[0].type != "math_inline_double" or len(children) > 2:
            return None
        label = _LABEL.match(children[1].content) if len(children) == 2 else None
        if len(children) == 2 and label is None:
            return None
        return self.formula(children[0].content, label[1] if label else None)

    def formula(self, tex: str, label: str | None) -> DisplayMath:
        offset = self.at(self.starts[self.line])
        target = self.assembly.target(label, offset) if label else None
        return DisplayMath(self.math(tex), target)

    def math(self, tex: str) -> str:
        """TeX with the things in it."""
        if len(tex) > _LONGEST_MATH:
            raise self.fault(f"a formula has at most {_LONGEST_MATH:,} characters")
        written = MARK.sub(lambda m: self.assembly.tex(index_of(m[0])), tex).strip()
        fault = unreadable(written)
        if fault:
            raise self.fault(f"this mathematics cannot be read ({fault})")
        return written

    def other(self, token: Token, inner: Sequence[Token]) -> Block | None:
        """A block that is no paragraph."""
        kind = token.type
        if kind == "heading_open":
            return self.heading(int(token.tag[1:]), inner[0])
        if kind in ("bullet_list_open", "ordered_list_open"):
            start = int(token.attrGet("start") or 1) if kind.startswith("ordered") else None
            return self.items(inner, start)
        if kind == "blockquote_open":
            return BlockQuote(tuple(self.level(inner)))
        if kind in ("fence", "code_block"):
            return Verbatim(self.verbatim(token.content), (token.info.split() or [""])[0])
        if kind == "hr":
            return Divider()
        if kind == "table_open":
            return self.grid(inner)
        if kind == "math_block":
            return self.formula(token.content, None)
        if kind == "html_block":
            raise self.fault("raw HTML is not rendered: write Markdown (a comment is {# … #})")
        raise self.fault(f"this block ({kind}) is not rendered")

    def heading(self, level: int, inline: Token) -> Heading:
        children = list(self.inlines(inline.children or []))
        label = _LABEL.search(children[-1].text) if children and isinstance(children[-1], Words) else None
        if label is not None and isinstance(children[-1], Words):
            children[-1] = Words(children[-1].text[: label.start()].rstrip())
        found = tuple(children)
        return self.assembly.heading(level, found, label[1] if label else None, self.at(self.starts[self.line]))

    def items(self, inner: Sequence[Token], start: int | None) -> ListOf:
        found, tight = [], True
        for _, own in enclosed(inner):
            tight = tight and not any(t.type == "paragraph_open" and not t.hidden for t in own)
            found.append(tuple(self.level(own)))
        return ListOf(tuple(found), start, tight)

    def grid(self, inner: Sequence[Token]) -> PlainTable:
        rows: list[list[tuple[Inline, ...]]] = []
        aligns: list[str] = []
        for token, following in zip(inner, [*inner[1:], None], strict=True):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open") and following is not None:
                if len(rows) == 1:
                    aligns.append(str(token.attrGet("style") or "").rpartition(":")[2])
                rows[-1].append(self.inlines(following.children or []))
        return PlainTable(tuple(rows[0]), tuple(tuple(row) for row in rows[1:]), tuple(aligns))

    def footnotes(self, tokens: Sequence[Token]) -> None:
        """The texts of the footnotes, handed to the assembly."""
        for token, inner in enclosed(tokens):
            label = str(token.meta.get("label", ""))
            self.assembly.holder = label
            self.assembly.note_text(label, tuple(self.level([t for t in inner if t.type != "footnote_anchor"])))
            self.assembly.holder = ""

    def verbatim(self, text: str) -> str:
        """Code with the things in it as plain text."""
        return MARK.sub(lambda m: self.assembly.plain(index_of(m[0])), text)

    # -- inlines ------------------------------------------------------------------------------------------------------
    def inlines(self, tokens: Sequence[Token]) -> tuple[Inline, ...]:
        """The inlines of a block."""
        found: list[Inline] = []
        for wordy, run in groupby(enclosed(tokens), lambda item: is_words(item[0])):
            if wordy:
                found += self.words("".join(token.content for token, _ in run))
            else:
                found += [made for token, inner in run for made in self.inline(token, inner)]
        return tuple(found)

    def inline(self, token: Token, inner: Sequence[Token]) -> list[Inline]:
        kind = token.type
        if kind in ("softbreak", "hardbreak"):
            return [Break(kind == "hardbreak")]
        if kind == "code_inline":
            return [Code(self.verbatim(token.content))]
        if kind in ("math_inline", "math_inline_double"):
            return [Math(self.math(token.content))]
        if kind.endswith("_open") and kind.removesuffix("_open") in _STYLES:
            return [Styled(_STYLES[kind.removesuffix("_open")], self.inlines(inner))]
        if kind == "link_open":
            return self.link(str(token.attrGet("href") or ""), inner)
        if kind == "footnote_ref":
            return [self.assembly.note_mark(str(token.meta.get("label", "")), self.at(self.starts[self.line]))]
        if kind == "citation":
            return [self.citation(token.meta["cited"])]
        if kind == "note":
            reason = f"there is no note {token.content}: write {token.content}: and its text"
            raise self.at_word(token.content, reason, "dangling-reference")
        if kind == "html_inline":
            raise self.fault("raw HTML is not rendered: write Markdown")
        if kind == "image":
            raise self.fault("pictures of other files are not rendered: a document is one file; use plot")
        raise self.fault(f"this ({kind}) is not rendered")

    def words(self, text: str) -> list[Inline]:
        """Text, with the things that marks in it stand for."""
        found: list[Inline] = []
        at = 0
        for m in MARK.finditer(text):
            if m.start() > at:
                found.append(Words(text[at : m.start()]))
            if m[0][0] == OBJECT:
                thing, offset = self.assembly.thing(index_of(m[0]))
                if isinstance(thing, (*Blocks, *Containers, Opening, Slot, Closing)):
                    raise TemplateFault("this stands alone in a paragraph, not in a line of text", offset, "markdown")
                found += self.assembly.inline(thing, offset)
            at = m.end()
        return [*found, Words(text[at:])] if at < len(text) else found

    def citation(self, cited: Sequence[CitedSource]) -> Inline:
        """``[@source]``."""
        for source in cited:
            if source.id not in self.assembly.sources:
                reason = f"{source.id} is no source of the base{did_you_mean(source.id, self.assembly.sources)}"
                raise self.at_word(source.id, reason, "missing-citation")
        return self.assembly.citation([(source.id, source.locator or "") for source in cited], 0)

    def at_word(self, word: str, reason: str, rule: str) -> TemplateFault:
        """A fault where ``word`` first stands in the block."""
        return TemplateFault(reason, self.at(max(self.text.find(word, self.starts[self.line]), 0)), rule)

    def link(self, href: str, inner: Sequence[Token]) -> list[Inline]:
        scheme = href.partition(":")[0]
        children = self.inlines(inner)
        if scheme in ("fig", "in", "fact", "lit", "claim"):
            mark = self.assembly.claim_mark(href) if scheme == "claim" else ""
            return [*children, Words(mark)] if mark else list(children)
        if not _SAFE.match(href) or MARK.search(href):
            raise self.fault("a link leads to an address (https:) or to a place in the document (#...)")
        return [WebLink(href, children)]


def is_words(token: Token) -> bool:
    """Whether a token is characters, as a citation with words before it is."""
    if token.type == "citation":
        return MARK.search(token.content) is not None or any(source.lead != "@" for source in token.meta["cited"])
    return token.type == "text"


def enclosed(tokens: Sequence[Token]) -> Iterator[tuple[Token, Sequence[Token]]]:
    """The tokens side by side, each with those between it and the token that closes it (none where it opens nothing)."""
    at = 0
    while at < len(tokens):
        depth, stop = int(tokens[at].nesting), at
        while depth > 0 and stop + 1 < len(tokens):
            stop += 1
            depth += tokens[stop].nesting
        yield tokens[at], tokens[at + 1 : stop]
        at = stop + 1
