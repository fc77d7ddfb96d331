"""Markdown: a page a record, an index of each kind, and one of all, to be read where Markdown is shown as pages.

Prose stays as its author wrote it, character for character, but for the targets of its links, its citations, and what
a renderer might take for HTML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from flopkb.arithmetic.prose.parts import BlockKind, MarkupPiece, PieceKind
from flopkb.base.link import Passage
from flopkb.base.model import Kind
from flopkb.base.tables import tables_in
from flopkb.publishing.export.anchors import address, destination
from flopkb.publishing.export.columns import texts
from flopkb.publishing.export.resolved import KINDS, ResolvedBase, ResolvedQuote, ResolvedRecord, scalars_of
from flopkb.publishing.export.tex import visible
from flopkb.publishing.pages.blocks import ColumnHead, FieldProse, Items, RecordTable, TableRow
from flopkb.publishing.pages.formulas import SHAPE
from flopkb.publishing.pages.inlines import Code, Remark, SiteLink, SitePlace, Words
from flopkb.publishing.pages.lookups import TITLES, Lookups
from flopkb.publishing.pages.markdown import MarkdownWriter, code_span
from flopkb.publishing.pages.record import RecordPage, parts_in


def markdown_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the folder, by their paths in it."""
    look = Lookups.of(base)
    pages = {f"{r.kind.folder}/{r.id}{SUFFIX}": record_page(r, look) for r in base.records.values()}
    pages |= {f"{kind.folder}{SUFFIX}": "\n".join(kind_index(base, kind)) + "\n" for kind in KINDS}
    pages[f"index{SUFFIX}"] = "\n".join(index(base)) + "\n"
    return {path: text.encode("utf-8", "replace") for path, text in pages.items()}


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table, or nothing where it has no rows."""
    found = list(rows)
    if found:
        yield from ("", "| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads))
        yield from ("| " + " | ".join(row) + " |" for row in found)


def index(base: ResolvedBase) -> Iterator[str]:
    """What there is."""
    version = base.version
    yield from (
        "# flopkb",
        "",
        "What LLM inference costs, with every number computed from the records that state it.",
        "",
    )
    yield f"{version.records} records, last updated {version.updated}, version {code(version.digest)}."
    counts = ((f"[{TITLES[kind]}]({kind.folder}{SUFFIX})", str(len(base.of_kind(kind)))) for kind in KINDS)
    yield from table(("Kind", "Records"), counts)
    for kind in KINDS:
        records = base.of_kind(kind)
        if records and kind is not Kind.SOURCE:
            yield from ("", f"## {TITLES[kind]}", "")
            yield from (f"- [{escaped(r.name)}]({r.kind.folder}/{r.id}{SUFFIX})" for r in records)


def kind_index(base: ResolvedBase, kind: Kind) -> Iterator[str]:
    """The records of a kind."""
    yield f"# {TITLES[kind]}"
    heads, fields = COLUMNS[kind]
    rows = (
        (f"[{escaped(r.name)}]({kind.folder}/{r.id}{SUFFIX})", code(r.id), r.status.value, *cells(r, fields))
        for r in base.of_kind(kind)
    )
    yield from table(("Record", "Id", "Status", *heads), rows)
    yield from ("", f"[Index](index{SUFFIX})")


COLUMNS: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Kind.WORKLOAD_CLASS: (("Bound by",), ("bound_by",)),
    Kind.FORMULA: ((), ()),
    Kind.VOCABULARY: ((), ()),
    Kind.ACCELERATOR: (
        ("Vendor", "Memory", "Bandwidth", "Capacity", "bf16, dense"),
        ("vendor", "memory_type", "memory_bandwidth", "memory_capacity", "peak_flops.bf16"),
    ),
    Kind.INTERCONNECT: (("Vendor", "Bandwidth", "Links"), ("vendor", "bandwidth", "link_count")),
    Kind.MODEL: (
        ("Developer", "Layers", "Query heads", "KV heads", "Head width"),
        ("developer", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim"),
    ),
    Kind.DTYPE: (("Bits", "Bytes", "Group"), ("bits", "bytes", "group_size")),
    Kind.SOURCE: (("Kind", "Title", "Year"), ("source_kind", "title", "year")),
}


def cells(record: ResolvedRecord, fields: tuple[str, ...]) -> Iterator[str]:
    """Fields and recorded values as they are written."""
    written = {fact.path: fact.written or fact.absent.replace("_", " ") for fact in record.facts}
    for name in fields:
        yield escaped(written[name] if name in written else "; ".join(scalars_of(record.fields.get(name))))


SUFFIX = ".md"
BELOW = 3
"""The level of an author's highest heading: a record is a heading of the first, a field of the second."""


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
    fields = [pair for name, node in record.fields.items() if name not in SHAPE for pair in texts(node, name)]
    rows = [[TableRow((Words(path), Words(text)))] for path, text in fields]
    blocks.append(writer.block(RecordTable((ColumnHead("Field"), ColumnHead("Value")), rows, "Fields")))
    for part in parts_in("markdown", RecordPage(look, record)):
        body = writer.blocks(block for block in part.blocks if block is not None)
        blocks += [f"## {part.title}", body] if body else []
    folder = record.kind.folder
    blocks.append(f"[Index](../index{SUFFIX}) · [{escaped(folder)}](../{folder}{SUFFIX})")
    return "\n\n".join(filter(None, blocks)) + "\n"


_MARKUP = re.compile(r"[\\`*_\[\]<>|~$]|&(?=[#A-Za-z])")
_LINE_START = re.compile(r"^(?:#{1,6}(?=\s|$)|[+-](?=\s|$)|[0-9]+(?=[.)](?:\s|$))|=+$|-+$)")
_ADDRESS = re.compile(r"\]\(\s*(<[^<>\n]*>?|[^\s)]*)")
_PUNCTUATION = re.compile(r"\\([!-/:-@\[-`{-~])")
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\ufeff]")
_WEB = frozenset({"http", "https", "mailto"})
_VERBATIM = frozenset({PieceKind.CODE, PieceKind.URL})
_MATH = frozenset({PieceKind.MATH, PieceKind.DISPLAY})

Edit = tuple[int, int, str]
Leads = Callable[[ResolvedQuote], str | None]
"""The address that a quote leads to, or None."""


def escaped(text: str) -> str:
    """A text that is no Markdown, on one line, as Markdown that shows it."""
    line = _MARKUP.sub(lambda match: "\\" + match[0], " ".join(visible(text).split()))
    begun = _LINE_START.match(line)
    if begun is None:
        return line
    return f"{begun[0]}\\{line[begun.end() :]}" if begun[0].isdigit() else f"\\{line}"


def code(text: str) -> str:
    """A text as a code span; a bar within it is escaped, as tables ask."""
    line = " ".join(visible(text).split())
    return code_span(line) if line else ""


def prose(
    passage: Passage, quotes: dict[int, ResolvedQuote], base: ResolvedBase, leads: Leads, cite: Callable[[str], str]
) -> str:
    """A passage with its links led elsewhere; ``quotes`` are by the offset at which their link begins."""
    edits = [*link_edits(passage, quotes, leads), *citation_edits(passage, cite)]
    edits += heading_edits(passage.scalar.text)
    edits += [
        (start, end, captions(table, base, leads, cite, passage))
        for start, end, table in tables_in(passage, base.base.evaluation)
    ]
    taken = [(start, end) for start, end, _ in edits]
    edits += [edit for edit in safety_edits(passage.scalar.text) if not any(a <= edit[0] < b for a, b in taken)]
    return visible(applied(passage.scalar.text, edits))


def applied(text: str, edits: list[Edit]) -> str:
    """The text with its edits."""
    parts, at = [], 0
    for start, end, instead in sorted(edits):
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])


def link_edits(passage: Passage, quotes: dict[int, ResolvedQuote], leads: Leads) -> Iterator[Edit]:
    """Links of flopkb: with the address on the site, or (where there is none) their text alone."""
    text = passage.scalar.text
    for link in passage.reading.links:
        if text[link.start] != "[":
            yield link.start, link.end, escaped(link.text)
            continue
        close = text.index("]", link.text_end)
        inner = applied(text[link.start + 1 : close], list(safety_edits(text[link.start + 1 : close])))
        quote = quotes.get(link.start)
        address = leads(quote) if quote is not None else None
        mark = quote.mark if quote is not None else ""
        yield link.start, link.end, (inner if address is None else f"[{inner}]({address})") + mark


def heading_edits(text: str) -> Iterator[Edit]:
    """Headings of the author below that of their field, which is one of the second level."""
    from flopkb.arithmetic.prose.markdown import parser

    tokens = [
        token
        for token in parser(html=False).parse(text)
        if token.type == "heading_open" and token.markup.startswith("#")
    ]
    top = min((int(token.tag[1]) for token in tokens), default=1)
    lines = [0, *(found.end() for found in re.finditer("\n", text))]
    for token in tokens:
        start = text.index("#", lines[(token.map or [0])[0]])
        yield start, start + len(token.markup), "#" * min(int(token.tag[1]) - top + BELOW, 6)


def citation_edits(passage: Passage, cite: Callable[[str], str]) -> Iterator[Edit]:
    """``[@a; @b]`` as ``([A 2024](...); [B 2023](...))``."""
    text = passage.scalar.text
    groups: set[tuple[int, int]] = set()
    for cited in passage.reading.citations:
        groups.add((text.rindex("[", 0, cited.start), text.index("]", cited.end)))
        at = cited.start - (2 if text[cited.start - 2] == "-" else 1)
        yield at, cited.end, cite(cited.id)
    for start, end in groups:
        yield start, start + 1, "("
        yield end, end + 1, ")"


def captions(table: str, base: ResolvedBase, leads: Leads, cite: Callable[[str], str], passage: Passage) -> str:
    """A table with the links in its caption led elsewhere."""
    for other in base.base.evaluation.passages(passage.holder):
        if other.prose.field == f"{passage.prose.field}.table" and other.scalar.text.strip() in table:
            quotes = quotes_by_place(base, other)
            table = table.replace(other.scalar.text.strip(), prose(other, quotes, base, leads, cite).strip())
    return table


def quotes_by_place(base: ResolvedBase, passage: Passage) -> dict[int, ResolvedQuote]:
    """The quotes of a passage, by the offset at which their link begins."""
    resolved = base.records[passage.holder].quotes
    results = base.base.evaluation.quotes.get(passage.holder, ())
    own = {id(quote) for quote in passage.quotes}
    return {r.quote.link.start: q for r, q in zip(results, resolved, strict=True) if id(r.quote) in own}


def safety_edits(text: str) -> Iterator[Edit]:
    """What keeps HTML from being HTML and odd addresses from being links."""
    from flopkb.arithmetic.prose.markdown import read_markdown

    blocks = read_markdown(text)
    for block in blocks.prose:
        if block.kind is BlockKind.HTML:
            yield from less_than(text, block.start, block.end)
            continue
        at = block.start
        for piece in block.inlines.pieces:
            yield from less_than(text, at, piece.start)
            yield from piece_edits(text, piece)
            at = max(at, piece.end)
        yield from less_than(text, at, block.end)
    for definition in blocks.definitions.values():
        if bad_address(text[definition.start : definition.end]):
            bracket = text.rfind("[", 0, definition.start)
            yield bracket, bracket, "\\"
            yield from less_than(text, bracket, definition.end)


def piece_edits(text: str, piece: MarkupPiece) -> Iterator[Edit]:
    """What is done to a piece of markup."""
    if piece.kind in _VERBATIM:
        return
    if piece.kind in _MATH:
        for match in re.finditer("<", text[piece.start : piece.end]):
            yield piece.start + match.start(), piece.start + match.end(), r"\lt "
    elif piece.kind is PieceKind.CLOSE:
        address = _ADDRESS.match(text, piece.start, piece.end)
        if address is not None and bad_address(address[1]):
            yield piece.start, piece.start, "\\"
            yield from less_than(text, piece.start, piece.end)  # what stood in angle brackets would be a link by itself
    else:
        yield from less_than(text, piece.start, piece.end)


def less_than(text: str, start: int, end: int) -> Iterator[Edit]:
    """A backslash before each ``<``, unless there is one."""
    for match in re.finditer("<", text[start:end]):
        at = start + match.start()
        before = text[:at]
        if (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            yield at, at, "\\"


def bad_address(address: str) -> bool:
    """Whether an address has a scheme that is none of the web's, however it is written.

    Escapes and entities are resolved as Markdown does, and what browsers leave out of a scheme is left out.
    """
    plain = _UNSEEN.sub("", html.unescape(_PUNCTUATION.sub(r"\1", address))).strip("<>")
    scheme, colon, _ = plain.partition(":")
    return bool(colon) and not set(scheme) & set("/?#") and scheme.lower() not in _WEB
