"""The document API: what a template may call. Everything here takes plain values and gives an object to print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flopkb.arithmetic.numbers import ReadError, decimal_text, grouped, read
from flopkb.arithmetic.prose import LITERAL_REASONS, misnamed
from flopkb.arithmetic.units import parse_unit
from flopkb.base.faults import did_you_mean
from flopkb.base.model import Kind
from flopkb.checking.api import Base
from flopkb.publishing.pages.inlines import QuotedNumber, Words
from flopkb.publishing.pages.mathematics import Notation
from flopkb.publishing.render import asking, formal, grids
from flopkb.publishing.render.asking import Answer
from flopkb.publishing.render.header import Header
from flopkb.publishing.render.objects import (
    Blocks,
    CaptionedThing,
    CiteThing,
    Closing,
    Column,
    Containers,
    Inlines,
    Opening,
    PlotThing,
    ReferencesThing,
    RefThing,
    Slot,
    StatedThing,
    ValuesThing,
    body,
    caption_of,
    checked_label,
    numbers_in,
    own_words,
    plot_words,
    qualifier,
    short,
    text_of,
)
from flopkb.publishing.render.template_text import OBJECT, Bad, mark
from flopkb.publishing.render.values import NBSP, Form, counted, written

_NAMES = (
    "fig fact inp given lit name cite ref formula equation derivation worked symbol claim listing table column plot "
    "proposition proof captioned references values records version"
)
MOST_OBJECTS = 20_000
MOST_PLOTS = 40


@dataclass(slots=True)
class Api:
    """One document in the making: ``placed`` are the objects printed, by the number in their mark, with their place."""

    base: Base
    header: Header
    placed: list[tuple[Any, int]] = field(default_factory=list)
    made: list[tuple[Any, int]] = field(default_factory=list)
    rows: dict[tuple[str, ...], None] = field(default_factory=dict)
    site: Callable[[], int] = lambda: 0
    plots: int = 0
    charts: dict[str, Any] = field(default_factory=dict)
    """The plots that were made, by what was asked: a template may ask for one in a loop."""
    told: list[tuple[Fraction, int]] = field(default_factory=list)
    inputs: set[Fraction] = field(default_factory=set)

    @property
    def notation(self) -> Notation:
        """How symbols are written in this document."""
        return Notation(self.base.evaluation.kb, self.header.notation)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The names that a template may use."""
        return {name: getattr(self, name) for name in _NAMES.split()}

    def place(self, value: Any, offset: int) -> str | None:
        """The text of an object of the document API, as marks; None for anything else."""
        if isinstance(value, Inlines):
            return self.mark(value, offset)
        if isinstance(value, Blocks):
            return f"\n\n{self.mark(value, offset)}\n\n"
        if isinstance(value, Containers):
            slots = [*value.slots, *([value.body] if isinstance(value, (StatedThing, CaptionedThing)) else [])]
            parts = [self.mark(Opening(value), offset)]
            for index, slot in enumerate(slots):
                parts += [self.mark(Slot(), offset)] if index else []
                parts.append(slot)
            parts.append(self.mark(Closing(), offset))
            return "\n\n" + "\n\n".join(parts) + "\n\n"
        return None

    def mark(self, thing: Any, offset: int) -> str:
        if len(self.placed) >= MOST_OBJECTS:
            raise Bad(f"the document prints more than {MOST_OBJECTS:,} things")
        self.placed.append((thing, offset))
        return mark(OBJECT, len(self.placed) - 1)

    def noted(self, thing: Any) -> Any:
        """An object that must be printed somewhere."""
        self.made.append((thing, self.site()))
        return thing

    def fig(
        self,
        target: str,
        unit: str | None = None,
        *,
        digits: int | None = None,
        decimals: int | None = None,
        about: bool | str = False,
        bound: str = "",
        bare: bool = False,
        words: bool = False,
        **inputs: object,
    ) -> QuotedNumber:
        """A figure, or a formula with inputs, in the digits and unit that the writer wants."""
        self.inputs.update(numbers_in(inputs))
        form = Form(digits, decimals, unit, qualifier(about), bound, bare, words)
        return self.number(asking.figure(self.base, target, inputs), form)

    def fact(
        self,
        target: str,
        unit: str | None = None,
        *,
        digits: int | None = None,
        decimals: int | None = None,
        about: bool | str = False,
        bare: bool = False,
    ) -> QuotedNumber:
        """A recorded value; every digit of it unless fewer are asked for."""
        form = Form(digits, decimals, unit, qualifier(about), "", bare)
        return self.number(asking.fact(self.base, target), form, exact=True)

    def inp(self, target: str, unit: str | None = None, *, bare: bool = False) -> QuotedNumber:
        """An input of a point or figure."""
        return self.number(asking.input_value(self.base, target), Form(unit=unit, bare=bare), exact=True)

    def given(self, value: int | float, unit: str = "") -> QuotedNumber:
        """An input that this document gives to its figures; one that no figure takes stops the render."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Bad("given takes a number that figures of this document have as an input", 0)
        exact, measured = Fraction(str(value)), text_of(unit, "unit")
        self.told.append((exact, self.site()))
        text = grouped(decimal_text(exact, exponent=False)) + (f"{NBSP}{counted(unit, exact)}" if measured else "")
        declared = parse_unit(unit or "1")
        return QuotedNumber(text, "an input that this document gives", "given", (exact * declared.scale,), declared)

    def number(self, answer: Answer, form: Form, *, exact: bool = False) -> QuotedNumber:
        text = written(answer.values, answer.unit, form.checked(), exact=exact)
        row = (answer.name, answer.exact, answer.told.partition(": ")[2], answer.contested, *answer.sources)
        if answer.told and not answer.told.startswith("input "):
            self.rows.setdefault(row)
        title = f"{answer.told} = {answer.exact}" + (f" (contested: {answer.contested})" if answer.contested else "")
        return QuotedNumber(text, title, answer.name, answer.values, answer.unit)

    def lit(self, text: str, reason: str) -> Words:
        """A number that is no figure, with the reason why."""
        if reason not in LITERAL_REASONS:
            raise Bad(f"{short(reason)} is no reason: write one of {', '.join(LITERAL_REASONS)}", 1)
        if not isinstance(text, str) or len(text) > 100:
            raise Bad("lit takes a short text in quotes", 0)
        try:
            read(text)
        except ReadError:
            raise Bad(f"{short(text)} holds no number: write it as plain text", 0) from None
        why = misnamed(text, reason)
        if why:
            raise Bad(why, 0, rule="literal-reason")
        return Words(text, reason)

    def name(self, id: str, *, short: bool = False) -> Words:
        """The name of a record; ``short`` its first alias."""
        record = self.base.records.get(id) if isinstance(id, str) else None
        if record is None:
            raise Bad(
                f"there is no record {id if isinstance(id, str) else ''}{did_you_mean(str(id), self.base.records)}"[
                    :200
                ],
                0,
            )
        return Words(record.aliases[0].text if short and record.aliases else record.name)

    def cite(self, *ids: str, at: str = "") -> CiteThing:
        """A citation of one or more sources; ``at`` is the place within the last."""
        if not ids:
            raise Bad("cite takes the id of a source")
        for number, id in enumerate(ids):
            self.source(id, number)
        locators = [""] * (len(ids) - 1) + [at]
        return self.noted(CiteThing(tuple(zip(ids, locators, strict=True))))  # type: ignore[no-any-return]

    def source(self, id: object, argument: int) -> None:
        """Raise where ``id`` is no source record."""
        record = self.base.records.get(id) if isinstance(id, str) else None
        if record is None or record.kind is not Kind.SOURCE:
            known = [r.id for r in self.base.records.values() if r.kind is Kind.SOURCE]
            shown = id if isinstance(id, str) else "this"
            what = "no source of the base" if record is None else f"a {record.kind.value}, no source"
            raise Bad(f"{shown} is {what}{did_you_mean(str(shown), known)}", argument, rule="missing-citation")

    def ref(self, label: str, text: str = "", *, number: bool = False) -> RefThing:
        """A cross-reference: ``Table 1``, with ``number`` only its number, or a text of the writer's."""
        checked_label(label, None)
        return self.noted(RefThing(label, "text" if text else "number" if number else "name", text))  # type: ignore[no-any-return]

    def references(self) -> ReferencesThing:
        """The list of references."""
        return ReferencesThing()

    def values(self) -> ValuesThing:
        """A table of every value that the document quotes, with formula, inputs and sources."""
        return ValuesThing()

    def formula(self, target: str, *, side: str = "both", expand: bool = False) -> Any:
        """A formula as inline mathematics."""
        return formal.formula(self.base, self.notation, target, side, expand)

    def equation(
        self,
        target: str,
        label: str | None = None,
        *,
        expand: bool = False,
        written: str = "",
        unit: bool = False,
        **inputs: object,
    ) -> Any:
        """A formula displayed, numbered if it has a label; ``written`` is an equal form in the writer's own order.

        With a model or a type of layer its case is chosen and its sums are written out.
        """
        checked_label(label, "eq")
        return self.noted(formal.equation(self.base, self.notation, target, label, expand, written, unit, inputs))

    def derivation(
        self, target: str, text: str, label: str | None = None, *, inline: bool = False, **inputs: object
    ) -> Any:
        """A chain of equal sides (or <=), each step of which is proved."""
        checked_label(label, "eq")
        self.inputs.update(numbers_in(inputs))
        return self.noted(formal.derivation(self.base, self.notation, target, text, label, inline, inputs))

    def worked(
        self,
        target: str,
        unit: str | None = None,
        label: str | None = None,
        *,
        digits: int | None = None,
        display: bool = False,
        **inputs: object,
    ) -> Any:
        """A formula with its inputs put in as numbers, and the result."""
        checked_label(label, "eq")
        self.inputs.update(numbers_in(inputs))
        return self.noted(
            formal.worked(self.base, self.notation, target, Form(digits, unit=unit).checked(), label, display, inputs)
        )

    def symbol(self, target: str) -> Any:
        """A symbol or formula name of a record, as the document writes it."""
        return formal.symbol(self.base, self.notation, target)

    def claim(self, target: str) -> Any:
        """What a claim of the base states, as mathematics; the claim is checked."""
        return formal.claim_stated(self.base, self.notation, target)

    def listing(
        self,
        target: str,
        label: str,
        caption: str = "",
        *,
        function: str = "",
        unit: str | None = None,
        names: Mapping[str, str] | None = None,
        defaults: object = (),
        caller: Any = None,
        **inputs: object,
    ) -> Any:
        """A formula as a Python function, with a call and its result."""
        checked_label(label, "lst")
        self.inputs.update(numbers_in(inputs))
        made = formal.listing(
            self.base, target, label, caption_of(caption, caller), function, unit, names or {}, defaults, inputs
        )
        return self.noted(made)

    def column(
        self,
        head: str = "",
        fig: str = "",
        fact: str = "",
        unit: str | None = None,
        *,
        digits: int | None = None,
        decimals: int | None = None,
        about: bool | str = False,
        bare: bool | None = None,
        unfit: str = "",
        **inputs: object,
    ) -> Column:
        """A column of a table: a formula (with inputs), or a recorded value of the row's record."""
        bare = unit is not None if bare is None else bare
        form = Form(digits, decimals, unit, qualifier(about), "", bare).checked()
        own_words(unfit, "unfit")
        return Column(text_of(head, "head"), fig, fact, form, dict(inputs), unfit)

    def table(
        self,
        target: str = "",
        rows: object = None,
        columns: object = None,
        label: str = "",
        caption: str = "",
        *,
        unit: str | None = None,
        digits: int | None = None,
        decimals: int | None = None,
        bare: bool = False,
        heads: Mapping[str, str] | None = None,
        sort: str = "",
        sources: bool = True,
        caller: Any = None,
        **inputs: object,
    ) -> Any:
        """A table of figures over inputs, or with columns of different formulas and facts."""
        checked_label(label, "tab")
        self.inputs.update(numbers_in(rows, columns, inputs))
        form = Form(digits, decimals, unit, bare=bare).checked()
        asked = grids.Asked(target, rows, columns, form, heads or {}, inputs, text_of(sort, "sort"))
        for told in (heads or {}).values():
            own_words(told, "heads")
        return self.noted(grids.table(self.base, asked, label, caption_of(caption, caller), sources))

    def plot(
        self, kind: str, label: str, caption: str = "", *, sources: bool = True, caller: Any = None, **options: object
    ) -> Any:
        """A plot."""
        from flopkb.publishing import plot

        checked_label(label, "fig")
        self.inputs.update(numbers_in(options))
        for words in plot_words(options):
            own_words(words, "a plot")
        self.plots += 1
        if self.plots > MOST_PLOTS:
            raise Bad(f"a document holds at most {MOST_PLOTS} plots")
        try:
            asked = repr((kind, options))
            chart = self.charts[asked] = self.charts.get(asked) or plot.make(kind, self.base, options)
        except plot.PlotFault as fault:
            raise Bad(str(fault)) from None
        return self.noted(
            PlotThing(chart, label, (caption_of(caption, caller),), chart.text, chart.sources if sources else ())
        )

    def proposition(self, label: str, title: str = "", *, claims: object = (), caller: Any = None) -> Any:
        """A numbered proposition around text; the claims of the base that it rests on are checked."""
        checked_label(label, "prop")
        note = formal.claims_checked(self.base, claims)
        return self.noted(StatedThing("proposition", label, (text_of(title, "title"),), body(caller), note))

    def proof(self, *, caller: Any = None) -> Any:
        """A proof around text."""
        return self.noted(StatedThing("proof", None, (), body(caller)))

    def captioned(self, label: str, caption: str = "", *, caller: Any = None) -> Any:
        """A caption and label for the Markdown table that the block holds."""
        checked_label(label, "tab")
        return self.noted(CaptionedThing(label, (text_of(caption, "caption"),), body(caller)))

    def records(self, kind: str) -> list[str]:
        """The ids of the records of a kind, in order."""
        kinds = [k.value for k in Kind]
        if kind not in kinds:
            raise Bad(f"there is no kind {short(kind)}{did_you_mean(str(kind), kinds)}", 0)
        return sorted(record.id for record in self.base.records.values() if record.kind.value == kind)

    def version(self) -> Words:
        """The version of the base."""
        from flopkb.publishing.provenance import base_version

        return Words(str(base_version(self.base)))
