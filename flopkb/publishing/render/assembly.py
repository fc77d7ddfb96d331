"""Numbers for everything that is numbered, and the blocks and inlines that the objects of a template become.

A text is read twice: the first reading finds out what there is, in which order; the second, made with what the first
has found, can say ``Table 1`` before Table 1 has come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flopkb.base.faults import did_you_mean
from flopkb.publishing.pages.blocks import (
    Block,
    Captioned,
    DisplayMath,
    Folded,
    Heading,
    Note,
    Paragraph,
    Picture,
    PlainTable,
    ReferenceEntry,
    References,
    Stated,
    Verbatim,
)
from flopkb.publishing.pages.inlines import (
    CitationGroup,
    Code,
    Flow,
    Inline,
    Jump,
    Labelled,
    Math,
    NoteMark,
    QuotedNumber,
    Words,
)
from flopkb.publishing.pages.writing import plain
from flopkb.publishing.render.objects import (
    PREFIXES,
    CaptionedThing,
    Cell,
    CiteThing,
    EquationThing,
    ListingThing,
    PlotThing,
    RefThing,
    StatedThing,
    TableThing,
    ValuesThing,
)
from flopkb.publishing.render.template_text import TemplateFault
from flopkb.publishing.render.values import tex_number


@dataclass(slots=True)
class Found:
    """What one reading has found: targets by label, headings, and the order of citations and notes."""

    targets: dict[str, Labelled] = field(default_factory=dict)
    titles: dict[str, tuple[Inline, ...]] = field(default_factory=dict)
    events: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {"": []})
    notes: dict[str, tuple[Block, ...]] = field(default_factory=dict)

    def citation_order(self) -> list[str]:
        """The cited sources by first citation, those in a note where its mark stands."""
        order: dict[str, None] = {}
        for kind, name in self.events[""]:
            names = [n for k, n in self.events.get(name, []) if k == "cite"] if kind == "note" else [name]
            order.update(dict.fromkeys(names))
        return list(order)

    def note_order(self) -> list[str]:
        """The notes by their first mark."""
        return list(dict.fromkeys(name for kind, name in self.events[""] if kind == "note"))


@dataclass(slots=True)
class Assembly:
    """``placed`` are the objects by the number in their mark; ``known`` is what an earlier reading found."""

    placed: Sequence[tuple[Any, int]]
    entries: Mapping[str, tuple[Inline, ...]]
    sources: frozenset[str]
    value_rows: Sequence[tuple[str, ...]] = ()
    known: Found | None = None
    claim_mark: Callable[[str], str] = lambda target: ""
    """What follows the words that are linked to a claim: that it is only tested."""
    found: Found = field(default_factory=Found)
    holder: str = ""
    marked: dict[str, None] = field(default_factory=dict)

    # -- lookups ------------------------------------------------------------------------------------------------------
    def thing(self, index: int) -> tuple[Any, int]:
        """The object behind a mark, with its place."""
        return self.placed[index]

    def tex(self, index: int) -> str:
        """An object within mathematics."""
        thing, offset = self.placed[index]
        if isinstance(thing, Math):
            return thing.tex
        if isinstance(thing, QuotedNumber):
            return tex_number(thing.text)
        if isinstance(thing, Words):
            return rf"\text{{{thing.text}}}" if not thing.text.isdigit() else thing.text
        raise TemplateFault("this has no place in mathematics", offset, "markdown")

    def plain(self, index: int) -> str:
        """An object within code."""
        thing, offset = self.placed[index]
        if isinstance(thing, (QuotedNumber, Words)):
            return thing.text
        raise TemplateFault("this has no place in code", offset, "markdown")

    def target(self, label: str, offset: int) -> Labelled:
        """A new labelled thing, numbered within its kind."""
        if label in self.found.targets:
            raise TemplateFault(f"the label {label} is given twice", offset, "label")
        kind = label.partition(":")[0]
        number = 1 + sum(1 for other in self.found.targets.values() if other.kind == kind)
        self.found.targets[label] = Labelled(label, number)
        return self.found.targets[label]

    # -- inlines ------------------------------------------------------------------------------------------------------
    def inline(self, thing: Any, offset: int) -> list[Inline]:
        """What an object becomes in a line of text."""
        if isinstance(thing, (QuotedNumber, Words, Math)):
            return [thing]
        if isinstance(thing, CiteThing):
            return [self.citation(thing.ids, offset)]
        assert isinstance(thing, RefThing)
        return [self.jump(thing, offset)]

    def citation(self, ids: Sequence[tuple[str, str]], offset: int) -> CitationGroup:
        """A group of citations."""
        order = self.known.citation_order() if self.known is not None else []
        for id, _ in ids:
            self.event("cite", id)
        return CitationGroup(tuple((id, order.index(id) + 1 if id in order else 0, at) for id, at in ids))

    def jump(self, thing: RefThing, offset: int) -> Jump:
        """A cross-reference."""
        targets = self.known.targets if self.known is not None else self.found.targets
        kind, name = thing.label.split(":", 1)
        if kind == "note":
            order = self.known.note_order() if self.known is not None else []
            if self.known is not None and name not in order:
                raise TemplateFault(f"there is no note {name}{did_you_mean(name, order)}", offset, "dangling-reference")
            target = Labelled(thing.label, order.index(name) + 1 if name in order else 0)
        elif thing.label in targets:
            target = targets[thing.label]
        elif self.known is None:
            target = Labelled(thing.label)
        else:
            reason = f"nothing has the label {thing.label}{did_you_mean(thing.label, targets)}"
            raise TemplateFault(reason, offset, "dangling-reference")
        return Jump(target, self.jump_text(thing, target))

    def jump_text(self, thing: RefThing, target: Labelled) -> tuple[Inline, ...]:
        if thing.form == "text":
            return (Words(thing.text),)
        if target.kind == "sec" and thing.form == "name":
            titles = self.known.titles if self.known is not None else {}
            return (Words("“"), *titles.get(thing.label, ()), Words("”"))
        number = str(target.number)
        return (Words(number if thing.form == "number" else f"{PREFIXES[target.kind]}\N{NO-BREAK SPACE}{number}"),)

    def event(self, kind: str, name: str) -> None:
        self.found.events.setdefault(self.holder, []).append((kind, name))

    # -- notes --------------------------------------------------------------------------------------------------------
    def note_mark(self, label: str, offset: int) -> NoteMark:
        """The mark of a note."""
        self.event("note", label)
        order = self.known.note_order() if self.known is not None else [label]
        first = label not in self.marked
        self.marked[label] = None
        return NoteMark(label, order.index(label) + 1 if label in order else 0, first)

    def note_text(self, label: str, blocks: tuple[Block, ...]) -> None:
        """The text of a note."""
        self.found.notes[label] = blocks

    def notes(self) -> tuple[Note, ...]:
        """The notes in order."""
        order = self.found.note_order()
        return tuple(Note(label, number, self.found.notes.get(label, ())) for number, label in enumerate(order, 1))

    # -- blocks -------------------------------------------------------------------------------------------------------
    def heading(self, level: int, children: tuple[Inline, ...], label: str | None, offset: int) -> Heading:
        """A heading, with an anchor made from its words or its label."""
        words = re.sub(r"[^a-z0-9]+", "-", plain(children).lower()).strip("-") or "section"
        anchor = words
        if label is not None:
            anchor = self.target(label, offset).anchor
            self.found.titles[label] = children
        taken = [name for kind, name in self.found.events.setdefault("headings", []) if kind == "anchor"]
        unique, count = anchor, 2
        while unique in taken:
            unique, count = f"{anchor}-{count}", count + 1
        self.found.events["headings"].append(("anchor", unique))
        return Heading(level, children, unique)

    def block(self, thing: Any, offset: int) -> list[Block]:
        """What an object that stands alone becomes."""
        if isinstance(thing, EquationThing):
            return [DisplayMath(thing.tex, self.target(thing.label, offset) if thing.label else None)]
        if isinstance(thing, ValuesThing):
            return self.values()
        order = self.known.citation_order() if self.known is not None else []
        if self.known is not None and not order:
            raise TemplateFault("the document cites nothing: leave references() out", offset, "unused-citation")
        entries = tuple(ReferenceEntry(id, number, self.entries.get(id, ())) for number, id in enumerate(order, 1))
        return [References(entries)]

    def values(self) -> list[Block]:
        """Every value that the document quotes."""
        rows = []
        for name, exact, told, contested, *sources in self.value_rows:
            cited: tuple[Inline, ...] = (self.citation([(id, "") for id in sources], 0),) if sources else ()
            doubt: tuple[Inline, ...] = (Words(f" Contested: {contested}."),) if contested else ()
            rows.append(((Code(name),), (Words(exact),), (*((Code(told),) if told else ()), *doubt), cited))
        head = (
            (Words("value"),),
            (Words("exact"),),
            (Words("from"),),
            (Words("sources"),),
        )
        return [
            Folded(
                Words("Values behind this document"),
                (PlainTable(head, tuple(rows), ("left", "right", "left", "left")),),
            )
        ]

    def container(self, thing: Any, slots: Sequence[Sequence[Block]], offset: int) -> list[Block]:
        """A container with the blocks in its slots."""
        if isinstance(thing, StatedThing):
            return [self.stated(thing, slots, offset)]
        inlines = [self.one_paragraph(slot, offset) for slot in slots[: len(thing.slots)]]
        target = self.target(thing.label, offset)
        if isinstance(thing, CaptionedThing):
            return [Captioned(target, self.one_grid(slots[-1], offset), inlines[0])]
        body: PlainTable | Verbatim | Picture
        if isinstance(thing, TableThing):
            body = self.grid(thing, inlines)
        elif isinstance(thing, ListingThing):
            body = Verbatim(thing.code, "python")
        else:
            assert isinstance(thing, PlotThing)
            body = Picture(thing.chart, target.anchor, thing.text)
        return [Captioned(target, body, (inlines[0], self.credit(thing.sources, offset)))]

    def credit(self, sources: Sequence[str], offset: int) -> tuple[Inline, ...]:
        """Where the values of a table or plot come from."""
        if not sources:
            return ()
        return (Words(" Values from "), self.citation([(id, "") for id in sources], offset), Words("."))

    def stated(self, thing: StatedThing, slots: Sequence[Sequence[Block]], offset: int) -> Stated:
        target = self.target(thing.label, offset) if thing.label else None
        title = self.one_paragraph(slots[0], offset) if thing.slots else ()
        note: tuple[Inline, ...] = (Words(f"Checked with the base: {thing.note}."),) if thing.note else ()
        return Stated(target, title, tuple(slots[-1]), note)

    def grid(self, thing: TableThing, slots: Sequence[Flow]) -> PlainTable:
        def cell(found: Cell | int | str) -> Flow:
            if isinstance(found, int):
                return slots[found]
            if isinstance(found, str):
                return (Words(found),)
            return (QuotedNumber(found.text, found.title),) if found.title else (Words(found.text),)

        return PlainTable(
            tuple(map(cell, thing.heads)), tuple(tuple(map(cell, row)) for row in thing.rows), thing.aligns
        )

    def one_paragraph(self, blocks: Sequence[Block], offset: int) -> Flow:
        """The inlines of a caption or head."""
        if not blocks:
            return ()
        if len(blocks) > 1 or not isinstance(blocks[0], Paragraph):
            raise TemplateFault("a caption, title or head is one paragraph", offset, "markdown")
        return blocks[0].children

    def one_grid(self, blocks: Sequence[Block], offset: int) -> PlainTable:
        if len(blocks) != 1 or not isinstance(blocks[0], PlainTable):
            raise TemplateFault("captioned holds one Markdown table", offset, "markdown")
        return blocks[0]
