"""What the writers share: the way through the tree. A format says only how each node looks in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import assert_never

from flopkb.publishing.pages.blocks import (
    Block,
    BlockQuote,
    Break,
    Captioned,
    CitationGroup,
    Code,
    Details,
    DisplayMath,
    Divider,
    Heading,
    Inline,
    Jump,
    ListOf,
    Math,
    NoteMark,
    Paragraph,
    PlainTable,
    QuotedNumber,
    References,
    Stated,
    Styled,
    Verbatim,
    WebLink,
    Words,
    grouped_citations,
)

CAPTIONS = {"tab": "Table", "fig": "Figure", "lst": "Listing"}
"""What a caption calls the thing that it stands with."""


class BlockWriter(ABC):
    """Writes blocks and inlines in one format; ``gap`` stands between blocks."""

    gap = "\n\n"
    divider = ""
    hard_break = ""
    brackets = ("[", "]")
    """Around a group of citations."""

    def blocks(self, blocks: Iterable[Block]) -> str:
        """Blocks one after the other."""
        return self.gap.join(map(self.block, blocks))

    def block(self, block: Block) -> str:
        """One block."""
        match block:
            case Heading():
                return self.heading(block)
            case Paragraph():
                return self.paragraph(block)
            case BlockQuote():
                return self.quote(self.blocks(block.blocks))
            case ListOf():
                return self.listed(block)
            case Verbatim():
                return self.verbatim(block)
            case Divider():
                return self.divider
            case PlainTable():
                return self.table(block)
            case DisplayMath():
                return self.display(block)
            case Captioned():
                return self.captioned(block)
            case Stated():
                return self.stated(block)
            case References():
                return self.references(block)
            case Details():
                return self.details(block)
        assert_never(block)

    def inlines(self, children: Iterable[Inline]) -> str:
        """Running text."""
        return "".join(map(self.inline, children))

    def inline(self, child: Inline) -> str:
        """One inline."""
        match child:
            case Words():
                return self.words(child.text)
            case QuotedNumber():
                return self.number(child)
            case Code():
                return self.code(child.text)
            case Math():
                return self.math(child.tex)
            case Styled():
                return self.styled(child.style, self.inlines(child.children))
            case WebLink():
                return self.web_link(child.href, self.inlines(child.children))
            case Jump():
                return self.jump(child)
            case CitationGroup():
                return self.citations(child)
            case NoteMark():
                return self.note_mark(child)
            case Break():
                return self.hard_break if child.hard else "\n"
        assert_never(child)

    def paragraph(self, block: Paragraph) -> str:
        """A paragraph: its text, where blank lines part paragraphs."""
        return self.inlines(block.children)

    def number(self, child: QuotedNumber) -> str:
        """A number of the base: its text, where nothing can be told of it."""
        return self.words(child.text)

    def citations(self, child: CitationGroup) -> str:
        """A group of citations, runs of numbers drawn together."""
        runs = (run[:1] + run[-1:] if len(run) > 1 else run for run in grouped_citations(child))
        opening, closing = self.brackets
        return f"{opening}{', '.join('–'.join(self.source(*item) for item in run) for run in runs)}{closing}"

    @abstractmethod
    def heading(self, block: Heading) -> str: ...
    @abstractmethod
    def quote(self, inner: str) -> str: ...
    @abstractmethod
    def listed(self, block: ListOf) -> str: ...
    @abstractmethod
    def verbatim(self, block: Verbatim) -> str: ...
    @abstractmethod
    def table(self, block: PlainTable) -> str: ...
    @abstractmethod
    def display(self, block: DisplayMath) -> str: ...
    @abstractmethod
    def captioned(self, block: Captioned) -> str: ...
    @abstractmethod
    def stated(self, block: Stated) -> str: ...
    @abstractmethod
    def references(self, block: References) -> str: ...
    @abstractmethod
    def details(self, block: Details) -> str: ...
    @abstractmethod
    def words(self, text: str) -> str: ...
    @abstractmethod
    def code(self, text: str) -> str: ...
    @abstractmethod
    def math(self, tex: str) -> str: ...
    @abstractmethod
    def styled(self, style: str, inner: str) -> str: ...
    @abstractmethod
    def web_link(self, href: str, inner: str) -> str: ...
    @abstractmethod
    def jump(self, child: Jump) -> str: ...
    @abstractmethod
    def source(self, id: str, number: int, at: str) -> str: ...
    @abstractmethod
    def note_mark(self, child: NoteMark) -> str: ...
