"""The objects that the document API gives to templates (a leaf of this package, frozen).

A template only prints them. What they become is decided when the whole document is known: numbers of equations, of
citations, of notes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flopkb.publishing.pages.inlines import Math, QuotedNumber, Words

PREFIXES = {
    "eq": "Equation",
    "tab": "Table",
    "fig": "Figure",
    "lst": "Listing",
    "prop": "Proposition",
    "sec": "Section",
    "note": "note",
}
"""The kinds of labels: what stands before the colon, and what a cross-reference says."""


@dataclass(frozen=True, slots=True)
class CiteThing:
    """A citation of source records, each with a locator (or an empty one)."""

    ids: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RefThing:
    """A cross-reference. ``form`` is ``name`` (Table 1), ``number`` (1) or ``text`` (what is shown then)."""

    label: str
    form: str = "name"
    text: str = ""


@dataclass(frozen=True, slots=True)
class EquationThing:
    """A displayed formula of the base, numbered if it has a label."""

    tex: str
    label: str | None


@dataclass(frozen=True, slots=True)
class ListingThing:
    """A listing made from a formula; ``slots`` are caption texts."""

    code: str
    label: str
    slots: tuple[str, ...]
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table made from the base."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class TableThing:
    """A table made from the base; ``slots`` are the caption, then the head of each column, then labels of rows.

    A body cell is a :class:`Cell` or the number of a slot.
    """

    rows: tuple[tuple[Cell | int, ...], ...]
    heads: tuple[int | str, ...]
    aligns: tuple[str, ...]
    label: str
    slots: tuple[str, ...]
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlotThing:
    """A plot; ``slots`` are caption texts."""

    chart: Any = field(repr=False)
    label: str
    slots: tuple[str, ...]
    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatedThing:
    """A proposition or proof around text of the template."""

    kind: str
    label: str | None
    slots: tuple[str, ...]
    body: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class CaptionedThing:
    """A caption and label around a Markdown table of the template."""

    label: str
    slots: tuple[str, ...]
    body: str


@dataclass(frozen=True, slots=True)
class ReferencesThing:
    """Where the list of references stands."""


@dataclass(frozen=True, slots=True)
class ValuesThing:
    """Where the values behind the document stand."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a container in the text of the document."""

    thing: Any


@dataclass(frozen=True, slots=True)
class Slot:
    """The end of one slot of a container and the beginning of the next."""


@dataclass(frozen=True, slots=True)
class Closing:
    """The end of a container."""


Inlines = (QuotedNumber, Words, Math, CiteThing, RefThing)
Blocks = (EquationThing, ReferencesThing, ValuesThing)
Containers = (ListingThing, TableThing, PlotThing, StatedThing, CaptionedThing)
