"""Running text before it has a format: the inlines of documents, and those of the pages of records (a leaf, frozen).

What builders of pages hand over is a :data:`Flow`: a plain ``str`` in it is the page's own wording, :class:`Words` are
texts of records.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.units import Unit


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
class SitePlace:
    """An anchor on the page of a record (the top of the page where it is empty)."""

    record: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Characters. A literal of a document has the ``reason`` why its number is no figure."""

    text: str
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Styled:
    """``em``, ``strong`` or ``del``; on pages also the names of other elements, with the ``role`` that they play."""

    style: str
    children: Flow
    role: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """A code span."""

    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Math:
    """Mathematics in TeX."""

    tex: str


@dataclass(frozen=True, slots=True)
class QuotedNumber:
    """A quantity of the base as it is written, with what is told of it (``title``) to who points at it.

    In a document it keeps its ``name`` and its exact ``values``, in base units of ``unit``, for the rules on prose.
    """

    text: str
    title: str
    name: str = field(default="", compare=False)
    values: tuple[Fraction, ...] = field(default=(), compare=False)
    unit: Unit | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class WebLink:
    """A link out of the document (``href``)."""

    href: str
    children: Flow


@dataclass(frozen=True, slots=True)
class Jump:
    """A link within the document: to a labelled thing, a note or a reference."""

    target: Labelled
    children: Flow


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


@dataclass(frozen=True, slots=True)
class Written:
    """An amount, a unit or an id as a record writes it."""

    text: str


@dataclass(frozen=True, slots=True)
class Aside:
    """What is said in small print."""

    children: Flow


@dataclass(frozen=True, slots=True)
class Day:
    """A date."""

    text: str


@dataclass(frozen=True, slots=True)
class Badge:
    """A mark that tells at a glance how something stands: a ``sign`` and a ``word``; ``title`` says what that means.

    Neither colour nor eyesight is needed for it; ``bare`` shows the sign alone.
    """

    role: str
    sign: str
    word: str
    title: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A link to a place on the page of a record (its text alone where there is no such page)."""

    place: SitePlace
    children: Flow
    role: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """A short field of a record, which is prose where its schema says so: a note, a reason.

    ``path`` is the field; without it the prose that reads so is looked for. ``anchors`` are for where it is at home.
    """

    text: str
    record: str
    path: str = ""
    anchors: bool = True


@dataclass(frozen=True, slots=True)
class FormulaMath:
    """A formula of a record (``record.name``), or with ``symbol`` one of its symbols, as mathematics."""

    ref: str
    symbol: bool = False
    display: bool = False


@dataclass(frozen=True, slots=True)
class OnlyIn:
    """What one format says and others do not."""

    form: str
    children: Flow


Inline = (
    Words
    | Styled
    | Code
    | Math
    | QuotedNumber
    | WebLink
    | Jump
    | CitationGroup
    | NoteMark
    | Break
    | Written
    | Aside
    | Day
    | Badge
    | SiteLink
    | Remark
    | FormulaMath
    | OnlyIn
)
Flow = str | Inline | None | Iterable["Flow"]


def grouped_citations(cited: CitationGroup) -> tuple[tuple[tuple[str, int, str], ...], ...]:
    """The citations of a group in order; three or more numbers in a row without a place are one run."""
    found: list[list[tuple[str, int, str]]] = []
    for item in sorted(dict.fromkeys(cited.numbers), key=lambda n: n[1]):
        follows = bool(found) and found[-1][-1][1] + 1 == item[1] and not item[2] and not found[-1][-1][2]
        found[-1].append(item) if follows else found.append([item])
    return tuple(part for run in found for part in ([tuple(run)] if len(run) > 2 else [(item,) for item in run]))
