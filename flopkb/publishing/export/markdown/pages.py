"""The page of a record in Markdown."""

from __future__ import annotations

from flopkb.base.link import Passage
from flopkb.publishing.export.anchors import address, destination
from flopkb.publishing.export.columns import texts
from flopkb.publishing.export.markdown.text import code, escaped, prose, quotes_by_place
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedQuote, ResolvedRecord
from flopkb.publishing.pages.blocks import ColumnHead, FieldProse, Items, RecordTable, TableRow
from flopkb.publishing.pages.inlines import Code, Remark, SiteLink, SitePlace, Words
from flopkb.publishing.pages.lookups import Lookups
from flopkb.publishing.pages.markdown import MarkdownWriter
from flopkb.publishing.pages.record import RecordPage, parts_in

SUFFIX = ".md"


class RecordMarkdown(MarkdownWriter):
    """Writes what stands on the page of a record; links are relative to its folder."""

    def __init__(self, base: ResolvedBase, here: str) -> None:
        self.base, self.here = base, here

    def data_table(self, block: RecordTable) -> str:
        """A table, or nothing where it has no rows; its anchors stand in the first cells."""
        heads = [head.title for head in block.heads if self.shows(head.forms)]
        anchored = self.shows(block.anchors)
        rows = []
        for row, cells in self.rows(block):
            anchor = f'<a id="{row.anchor}"></a>' if row.anchor and anchored else ""
            rows.append(f"| {anchor}{' | '.join(self.inlines(cell.children) for cell in cells)} |")
        top = f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}"
        return "\n".join((top, *rows)) if rows else ""

    def items(self, block: Items) -> str:
        return "\n".join(f"- {self.inlines(line)}" for line in block.lines)

    def prose(self, block: FieldProse) -> str:
        part = self.base.records[block.record].passage(block.path)
        if part is None:
            return ""
        return self.passage(part) if block.role else f"\n{self.passage(part)}\n"

    def passage(self, part: Passage) -> str:
        """A field of prose, its links led to the pages of the folder."""
        return prose(part, quotes_by_place(self.base, part), self.base, self.leads, self.cite).strip("\n")

    # -- inlines ------------------------------------------------------------------------------------------------------
    def words(self, text: str) -> str:
        return escaped(text)

    def wording(self, text: str) -> str:
        return text

    def written(self, text: str) -> str:
        return code(text)

    def code(self, child: Code) -> str:
        return code(child.text)

    def site_link(self, child: SiteLink) -> str:
        text = self.inlines(child.children)
        return f"[{text}]({self.address(child.place)})" if child.place.record in self.base.records else text

    def remark(self, child: Remark) -> str:
        """A short field on one line."""
        found = self.base.records[child.record].prose
        part = next(
            (p for p in found if (p.prose.field == child.path if child.path else p.scalar.text == child.text)), None
        )
        if part is None:
            return escaped(child.text)
        return " ".join(self.passage(part).split()).replace("|", "\\|")

    # -- links --------------------------------------------------------------------------------------------------------
    def address(self, place: SitePlace) -> str:
        """A place on the page of a record, from here."""
        return address(place, self.base, self.here, "../", SUFFIX)

    def leads(self, quote: ResolvedQuote) -> str | None:
        """Where a link in prose leads."""
        place = destination(quote, self.base)
        return self.address(place) if place is not None and place.record in self.base.records else None

    def cite(self, id: str) -> str:
        """A citation."""
        return self.site_link(SiteLink(SitePlace(id), Words(self.base.label(id))))


def record_page(record: ResolvedRecord, look: Lookups) -> str:
    """The whole page."""
    writer = RecordMarkdown(look.base, record.id)
    told = [code(record.id), record.kind.value.replace("_", " "), record.status.value]
    told += [f"confidence {escaped(record.confidence)}"] if record.confidence else []
    told += [f"updated {escaped(record.updated)}"] if record.updated else []
    blocks = [f"# {escaped(record.name)}", " · ".join(told)]
    if record.aliases:
        blocks.append(f"Also called {', '.join(map(escaped, record.aliases))}.")
    fields = [pair for name, node in record.fields.items() for pair in texts(node, name)]
    rows = [[TableRow((Words(path), Words(text)))] for path, text in fields]
    blocks.append(writer.block(RecordTable((ColumnHead("Field"), ColumnHead("Value")), rows, "Fields")))
    for part in parts_in("markdown", RecordPage(look, record)):
        body = writer.blocks(block for block in part.blocks if block is not None)
        blocks += [f"## {part.title}", body] if body else []
    folder = record.kind.folder
    blocks.append(f"[Index](../index{SUFFIX}) · [{escaped(folder)}](../{folder}{SUFFIX})")
    return "\n\n".join(filter(None, blocks)) + "\n"
