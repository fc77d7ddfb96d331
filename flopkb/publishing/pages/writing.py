"""What the writers share: the way through the tree. A format says only how a node looks in it; else it is plain text.

The last part is the format that adds least: plain text, as a terminal shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from flopkb.publishing.pages.blocks import (
    Block,
    BlockGroup,
    BlockQuote,
    Captioned,
    DisplayMath,
    Divider,
    FieldProse,
    Fields,
    Folded,
    Heading,
    Items,
    Lines,
    ListOf,
    Paragraph,
    PlainTable,
    RecordTable,
    References,
    RowCell,
    Stated,
    TableRow,
    Verbatim,
)
from flopkb.publishing.pages.inlines import (
    Aside,
    Badge,
    Break,
    CitationGroup,
    Code,
    Day,
    Flow,
    FormulaMath,
    Inline,
    Jump,
    Math,
    NoteMark,
    OnlyIn,
    QuotedNumber,
    Remark,
    SiteLink,
    Styled,
    WebLink,
    Words,
    Written,
    grouped_citations,
)

CAPTIONS = {"tab": "Table", "fig": "Figure", "lst": "Listing"}
"""What a caption calls the thing that it stands with."""


class BlockWriter:
    """Writes blocks and inlines in one format; ``gap`` stands between blocks."""

    form = ""
    gap = "\n\n"
    divider = "---"
    hard_break = soft_break = "\n"
    brackets = ("[", "]")
    """Around a group of citations."""

    def shows(self, forms: str) -> bool:
        """Whether what is for some formats alone is for this one."""
        return not forms or self.form in forms.split()

    def blocks(self, blocks: Iterable[Block]) -> str:
        """Blocks one after the other; what is empty in this format falls away."""
        return self.gap.join(filter(None, map(self.block, blocks)))

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
            case RecordTable():
                return self.data_table(block)
            case Items():
                return self.items(block)
            case Fields():
                return self.fields(block)
            case Folded():
                return self.folded(block)
            case BlockGroup():
                return self.group(block) if self.shows(block.form) else ""
            case FieldProse():
                return self.prose(block)
            case Lines():
                return "\n".join(block.lines)
        assert_never(block)

    def inlines(self, children: Flow) -> str:
        """Running text."""
        if children is None:
            return ""
        if isinstance(children, str):
            return self.wording(children)
        if isinstance(children, Iterable):
            return "".join(map(self.inlines, children))
        return self.inline(children)

    def inline(self, child: Inline) -> str:
        """One inline."""
        match child:
            case Words():
                return self.words(child.text)
            case QuotedNumber():
                return self.number(child)
            case Code():
                return self.code(child)
            case Math():
                return self.math(child.tex)
            case Styled():
                return self.styled(child)
            case WebLink():
                return self.web_link(child.href, self.inlines(child.children))
            case Jump():
                return self.jump(child)
            case CitationGroup():
                return self.citations(child)
            case NoteMark():
                return self.note_mark(child)
            case Break():
                return self.hard_break if child.hard else self.soft_break
            case Written():
                return self.written(child.text)
            case Aside():
                return self.aside(child)
            case Day():
                return self.day(child)
            case Badge():
                return self.badge(child)
            case SiteLink():
                return self.site_link(child)
            case Remark():
                return self.remark(child)
            case FormulaMath():
                return self.formula_math(child)
            case OnlyIn():
                return self.inlines(child.children) if self.shows(child.form) else ""
        assert_never(child)

    # -- blocks, as plain text ----------------------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        return self.inlines(block.children)

    def paragraph(self, block: Paragraph) -> str:
        return self.inlines(block.children)

    def quote(self, inner: str) -> str:
        return inner

    def listed(self, block: ListOf) -> str:
        return self.gap.join(map(self.blocks, block.items))

    def verbatim(self, block: Verbatim) -> str:
        return block.text

    def table(self, block: PlainTable) -> str:
        return "\n".join("  ".join(map(self.inlines, row)) for row in (block.head, *block.rows))

    def display(self, block: DisplayMath) -> str:
        return self.math(block.tex)

    def captioned(self, block: Captioned) -> str:
        return self.inlines(block.caption)

    def stated(self, block: Stated) -> str:
        return self.blocks(block.blocks)

    def references(self, block: References) -> str:
        return self.gap.join(self.inlines(entry.children) for entry in block.entries)

    def data_table(self, block: RecordTable) -> str:
        return "\n".join("  ".join(self.inlines(cell.children) for cell in cells) for _, cells in self.rows(block))

    def rows(self, block: RecordTable) -> Iterable[tuple[TableRow, list[RowCell]]]:
        """The rows that this format shows, with their cells in it."""
        for row in (row for group in block.groups for row in group if self.shows(row.forms)):
            yield row, self.cells(row, block)

    def cells(self, row: TableRow, block: RecordTable) -> list[RowCell]:
        """The cells of a row that this format shows."""
        whole = len(row.cells) != len(block.heads)
        shown = [cell for index, cell in enumerate(row.cells) if whole or self.shows(block.heads[index].forms)]
        return [cell if isinstance(cell, RowCell) else RowCell(cell) for cell in shown]

    def items(self, block: Items) -> str:
        return "\n".join(map(self.inlines, block.lines))

    def fields(self, block: Fields) -> str:
        return "\n".join(f"{name}: {self.inlines(told)}" for name, told in block.pairs)

    def folded(self, block: Folded) -> str:
        return self.blocks((Paragraph(block.summary), *block.blocks))

    def group(self, block: BlockGroup) -> str:
        return self.blocks(block.blocks)

    def prose(self, block: FieldProse) -> str:
        return ""

    # -- inlines, as plain text ---------------------------------------------------------------------------------------
    def words(self, text: str) -> str:
        """A text of a record."""
        return text

    def wording(self, text: str) -> str:
        """A text of the page itself."""
        return self.words(text)

    def written(self, text: str) -> str:
        return self.words(text)

    def number(self, child: QuotedNumber) -> str:
        return self.words(child.text)

    def code(self, child: Code) -> str:
        return self.words(child.text)

    def math(self, tex: str) -> str:
        return self.words(tex)

    def styled(self, child: Styled) -> str:
        return self.inlines(child.children)

    def web_link(self, href: str, inner: str) -> str:
        return inner

    def jump(self, child: Jump) -> str:
        return self.inlines(child.children)

    def citations(self, child: CitationGroup) -> str:
        """A group of citations, runs of numbers drawn together."""
        runs = (run[:1] + run[-1:] if len(run) > 1 else run for run in grouped_citations(child))
        opening, closing = self.brackets
        return f"{opening}{', '.join('–'.join(self.source(*item) for item in run) for run in runs)}{closing}"

    def source(self, id: str, number: int, at: str) -> str:
        return str(number)

    def note_mark(self, child: NoteMark) -> str:
        return ""

    def aside(self, child: Aside) -> str:
        return self.inlines(child.children)

    def day(self, child: Day) -> str:
        return self.words(child.text)

    def badge(self, child: Badge) -> str:
        return self.wording(child.word)

    def site_link(self, child: SiteLink) -> str:
        return self.inlines(child.children)

    def remark(self, child: Remark) -> str:
        return self.words(" ".join(child.text.split()))

    def formula_math(self, child: FormulaMath) -> str:
        return self.words(child.ref)


class TextWriter(BlockWriter):
    """Writes what a terminal shows."""

    form = "text"
    gap = "\n"
    hard_break = soft_break = " "

    def data_table(self, block: RecordTable) -> str:
        """A table without its head."""
        return "\n".join(columns([self.inlines(cell.children) for cell in cells] for _, cells in self.rows(block)))

    def citations(self, child: CitationGroup) -> str:
        return f"[{', '.join(str(number) for _, number, _ in child.numbers)}]"


def plain(children: Flow) -> str:
    """The characters of running text."""
    return TextWriter().inlines(children)


def columns(rows: Iterable[list[str]]) -> Iterator[str]:
    """Rows in columns, each as wide as its widest cell (the last is free, and so is a row of one cell)."""
    found = list(rows)
    full = [row for row in found if len(row) > 1]
    widths = [max(len(row[i]) for row in full) for i in range(len(full[0]) - 1)] if full else []
    for row in found:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()
