"""The objects that the document API gives to templates (frozen), and what its calls are given, checked.

A template only prints objects. What they become is decided when the whole document is known: numbers of equations, of
citations, of notes. What is checked are labels, texts, captions, the words that readers see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flopkb.arithmetic.prose import read_prose
from flopkb.publishing.pages.inlines import Math, QuotedNumber, Words
from flopkb.publishing.render.template_text import Bad
from flopkb.publishing.render.values import Form

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


@dataclass(frozen=True, slots=True)
class Column:
    """A column: a formula, or a recorded value of the record that the row names."""

    head: str
    fig: str
    fact: str
    form: Form
    inputs: Mapping[str, object] = field(default_factory=dict)
    unfit: str = ""
    """What a cell says where the formula does not apply, in place of its own words."""


MOST_INPUTS = 20_000
"""So many entries of lists are looked at: a list may hold another list many times over."""


def qualifier(about: bool | str) -> str:
    """``about=True`` is the word itself."""
    if about is True:
        return "about"
    return about if isinstance(about, str) else ""


def short(value: object) -> str:
    """A value in a message."""
    return value[:40] if isinstance(value, str) else "this"


def checked_label(label: object, kind: str | None) -> None:
    """Raise :class:`Bad` where a label is not ``kind:name``; without a ``kind`` any will do, but there must be a label."""
    if label is None and kind is not None:
        return
    text = label if isinstance(label, str) else ""
    prefix, colon, name = text.partition(":")
    wanted = kind or ", ".join(PREFIXES)
    if (
        prefix not in PREFIXES
        or not colon
        or not name.replace("-", "").replace("_", "").isalnum()
        or not name.isascii()
        or len(name) > 60
    ):
        raise Bad(f"write a label as kind:name, with the kind {wanted}")
    if kind is not None and prefix != kind:
        raise Bad(f"the label {text} begins with {prefix}:, here it is {kind}:")


def text_of(value: object, what: str) -> str:
    """A short text of the template; a text over several lines becomes one paragraph."""
    if not isinstance(value, str):
        raise Bad(f"{what} is a text in quotes")
    return value


def plot_words(options: Mapping[str, object]) -> Iterator[object]:
    """The texts of a plot that readers see."""
    yield options.get("title", "")
    at = options.get("at")
    if isinstance(at, Mapping):
        yield from at
    elif isinstance(at, (list, tuple)):
        yield from (pair[0] for pair in at if isinstance(pair, (list, tuple)) and pair)


def own_words(value: object, what: str) -> None:
    """Raise where a text that does not go through the document's own prose holds a typed number."""
    bare = read_prose(text_of(value, what)).bare
    if bare:
        raise Bad(
            f"{bare[0].text} is typed in {what}: name the input in braces, as in 'batch of {{b}}'", rule="bare-number"
        )


def caption_of(caption: object, caller: Any) -> str:
    """The caption: the text given, or that of the call block."""
    if caller is None:
        return text_of(caption, "caption")
    if caption:
        raise Bad("give the caption once: as an argument or as the text of the block")
    return caller()  # type: ignore[no-any-return]


def body(caller: Any) -> str:
    """The text of a call block."""
    if caller is None:
        raise Bad("write it around its text: {% call … %} text {% endcall %}")
    return caller()  # type: ignore[no-any-return]


def numbers_in(*inputs: object) -> Iterator[Fraction]:
    """The numbers among what a call gives to figures as inputs, in lists, mappings and columns too."""
    left, queue = MOST_INPUTS, list(inputs)
    while queue and left:
        left -= 1
        item = queue.pop()
        if isinstance(item, Mapping):
            queue += list(item.values())[:left]
        elif isinstance(item, (list, tuple)):
            queue += item[:left]
        elif isinstance(item, Column):
            queue += list(item.inputs.values())
        elif isinstance(item, (int, float)) and not isinstance(item, bool):
            yield Fraction(str(item))
