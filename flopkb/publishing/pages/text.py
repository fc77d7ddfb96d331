"""Plain text: what a terminal shows, and the characters of running text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flopkb.publishing.pages.blocks import RecordTable
from flopkb.publishing.pages.inlines import CitationGroup, Flow
from flopkb.publishing.pages.writing import BlockWriter


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
    """Rows in columns, each as wide as its widest cell (the last is free)."""
    found = list(rows)
    widths = [max(len(row[i]) for row in found) for i in range(len(found[0]) - 1)] if found else []
    for row in found:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()
