"""The document between Markdown and its three formats: a tree of blocks and inlines (a leaf, frozen)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a cross-reference leads to: its label, and its number within its kind (0: none)."""

    label: str
    number: int = 0

    @property
    def kind(self) -> str:
        """``eq``, ``tab``, ``fig``, ``lst``, ``prop``, ``sec``, ``note`` or ``ref``."""
        return self.label.partition(":")[0]

    @property
    def anchor(self) -> str:
        """The id of the place in HTML."""
        return self.label.replace(":", "-")


@dataclass(frozen=True, slots=True)
class Words:
    """Characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Styled:
    """``em``, ``strong`` or ``del``."""

    style: str
    children: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A code span."""

    text: str


@dataclass(frozen=True, slots=True)
class Math:
    """Mathematics in TeX."""

    tex: str


@dataclass(frozen=True, slots=True)
class QuotedNumber:
    """A quantity of the base as it is written, with what is told of it where a reader asks."""

    text: str
    title: str


@dataclass(frozen=True, slots=True)
class WebLink:
    """A link out of the document (``href``)."""

    href: str
    children: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Jump:
    """A link within the document: to a labelled thing, a note or a reference."""

    target: Labelled
    children: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class CitationGroup:
    """A citation: the source records in its group with their numbers and places, as the style writes them."""

    numbers: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class NoteMark:
    """The mark of a footnote."""

    label: str
    number: int
    first: bool


@dataclass(frozen=True, slots=True)
class Break:
    """A line break."""

    hard: bool


Inline = Words | Styled | Code | Math | QuotedNumber | WebLink | Jump | CitationGroup | NoteMark | Break


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    level: int
    children: tuple[Inline, ...]
    anchor: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    children: tuple[Inline, ...]


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

    head: tuple[tuple[Inline, ...], ...]
    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
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
    caption: tuple[Inline, ...]


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
    title: tuple[Inline, ...]
    blocks: tuple[Block, ...]
    note: tuple[Inline, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """An entry of the list of references."""

    id: str
    number: int
    children: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class References:
    """The list of references."""

    entries: tuple[ReferenceEntry, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """What unfolds: the values behind a document."""

    title: str
    blocks: tuple[Block, ...]


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
    | Details
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

    title: tuple[Inline, ...]
    subtitle: tuple[Inline, ...]
    authors: tuple[str, ...]
    date: str
    language: str
    blocks: tuple[Block, ...]
    notes: tuple[Note, ...]
    version: str
    description: str = ""
    uses: tuple[str, ...] = field(default=())


def grouped_citations(cited: CitationGroup) -> tuple[tuple[tuple[str, int, str], ...], ...]:
    """The citations of a group in order; three or more numbers in a row without a place are one run."""
    found: list[list[tuple[str, int, str]]] = []
    for item in sorted(dict.fromkeys(cited.numbers), key=lambda n: n[1]):
        follows = bool(found) and found[-1][-1][1] + 1 == item[1] and not item[2] and not found[-1][-1][2]
        found[-1].append(item) if follows else found.append([item])
    return tuple(part for run in found for part in ([tuple(run)] if len(run) > 2 else [(item,) for item in run]))


def plain(children: tuple[Inline, ...]) -> str:
    """The characters of inlines."""
    parts = []
    for child in children:
        if isinstance(child, (Words, Code, QuotedNumber)):
            parts.append(child.text)
        elif isinstance(child, (Styled, WebLink, Jump)):
            parts.append(plain(child.children))
        elif isinstance(child, Math):
            parts.append(child.tex)
        elif isinstance(child, CitationGroup):
            parts.append("[" + ", ".join(str(number) for _, number, _ in child.numbers) + "]")
        elif isinstance(child, Break):
            parts.append(" ")
    return "".join(parts)
