"""Pages and documents before they have a format: one tree of blocks (a leaf, frozen)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flopkb.publishing.pages.inlines import Flow, Labelled


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    level: int
    children: Flow
    anchor: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    children: Flow
    role: str = ""


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """A block quote."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; ``start`` is None for bullets."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None
    tight: bool


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Code, verbatim."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Divider:
    """A rule between parts."""


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table's cells: ``aligns`` are ``left``, ``right``, ``center`` or empty."""

    head: tuple[Flow, ...]
    rows: tuple[tuple[Flow, ...], ...]
    aligns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DisplayMath:
    """Displayed mathematics, numbered where ``target`` is set."""

    tex: str
    target: Labelled | None = None


@dataclass(frozen=True, slots=True)
class Captioned:
    """A table, listing or figure with its number and caption."""

    target: Labelled
    body: PlainTable | Verbatim | Picture
    caption: Flow


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot: ``chart`` is drawn by the writer in the format that it needs, ``text`` says what it shows."""

    chart: Any
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A proposition (numbered) or a proof; ``note`` says how the base has checked it."""

    target: Labelled | None
    title: Flow
    blocks: tuple[Block, ...]
    note: Flow = ()


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """An entry of the list of references."""

    id: str
    number: int
    children: Flow


@dataclass(frozen=True, slots=True)
class References:
    """The list of references."""

    entries: tuple[ReferenceEntry, ...]


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """The head of a column, and the formats that show it (all, where ``forms`` is empty)."""

    title: str
    number: bool = False
    forms: str = ""


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell: ``key`` is what it is sorted by (its text, where it is None), ``number`` sets it to the right."""

    children: Flow
    key: str | None = None
    number: bool = False
    is_head: bool = False
    span: int | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with its anchor, and the formats that show it."""

    cells: Sequence[RowCell | Flow]
    anchor: str = ""
    role: str = ""
    forms: str = ""


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A table of records; each group of rows stays together when it is sorted.

    ``anchors`` are the formats in which links can lead to its rows.
    """

    heads: Sequence[ColumnHead]
    groups: Sequence[Sequence[TableRow]]
    caption: str
    role: str = ""
    sortable: bool = True
    anchors: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of lines."""

    lines: Sequence[Flow]
    role: str = ""
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Fields:
    """Names, each with what stands under it."""

    pairs: Sequence[tuple[str, Flow]]
    role: str = ""


@dataclass(frozen=True, slots=True)
class Folded:
    """What unfolds to more: a figure of a record, the values behind a document."""

    summary: Flow
    blocks: Sequence[Block]
    role: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class BlockGroup:
    """Blocks that belong together; with ``form`` they are for that format alone."""

    blocks: Iterable[Block]
    tag: str = "div"
    role: str = ""
    anchor: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class FieldProse:
    """A field of Markdown, as the record holds it."""

    record: str
    path: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines as a terminal shows them."""

    lines: Iterable[str]


Block = (
    Heading
    | Paragraph
    | BlockQuote
    | ListOf
    | Verbatim
    | Divider
    | PlainTable
    | DisplayMath
    | Captioned
    | Stated
    | References
    | RecordTable
    | Items
    | Fields
    | Folded
    | BlockGroup
    | FieldProse
    | Lines
)


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote with its text."""

    label: str
    number: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A whole document."""

    title: Flow
    subtitle: Flow
    authors: tuple[str, ...]
    date: str
    language: str
    blocks: tuple[Block, ...]
    notes: tuple[Note, ...]
    version: str
    description: str = ""
