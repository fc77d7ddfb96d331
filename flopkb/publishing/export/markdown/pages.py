"""The page of a record in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from flopkb.arithmetic.amounts import readable
from flopkb.arithmetic.units import parse_unit
from flopkb.publishing.export.anchors import (
    computation_anchor,
    destination,
    fact_anchor,
    fact_place,
    figure_anchor,
    page,
)
from flopkb.publishing.export.columns import texts, verdict_name
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.markdown.text import code, escaped, prose, quotes_by_place
from flopkb.publishing.export.resolved import (
    ResolvedBase,
    ResolvedFact,
    ResolvedFigure,
    ResolvedProse,
    ResolvedQuote,
    ResolvedRecord,
    ResolvedRow,
    scalars_of,
)

SUFFIX = ".md"


def anchor(name: str) -> str:
    """An anchor that links can lead to."""
    return f'<a id="{name}"></a>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table, or nothing where it has no rows."""
    found = list(rows)
    if found:
        yield from ("", "| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads))
        yield from ("| " + " | ".join(row) + " |" for row in found)


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A titled part, or nothing where it is empty."""
    found = list(lines)
    if found:
        yield from ("", f"## {title}")
        yield from ("",) if found[0] else ()
        yield from found


@dataclass(frozen=True, slots=True)
class Page:
    """One record's page; links are relative to its folder."""

    base: ResolvedBase
    record: ResolvedRecord

    def text(self) -> str:
        """The whole page."""
        return "\n".join(self.lines()) + "\n"

    def lines(self) -> Iterator[str]:
        record = self.record
        yield f"# {escaped(record.name)}"
        yield ""
        facts = [code(record.id), record.kind.value.replace("_", " "), record.status.value]
        facts += [f"confidence {escaped(record.confidence)}"] if record.confidence else []
        facts += [f"updated {escaped(record.updated)}"] if record.updated else []
        yield " · ".join(facts)
        if record.aliases:
            yield from ("", f"Also called {', '.join(map(escaped, record.aliases))}.")
        yield from table(("Field", "Value"), ((escaped(path), escaped(text)) for path, text in self.fields()))
        for part in record.prose:
            if "." not in part.field:
                yield from section(part.field.replace("_", " ").capitalize(), self.prose_lines(part))
        yield from section("Values", table(FACT_HEADS, self.fact_rows()))
        yield from section("Symbols", table(("Symbol", "Meaning", "Unit", "From", "Domain"), self.symbol_rows()))
        yield from section("Formulas", table(("Formula", "Expression", "Unit"), self.formula_rows()))
        yield from section("Operating points", table(("Point", "Inputs"), self.point_rows()))
        yield from section("Figures", table(FIGURE_HEADS, map(self.figure_row, record.figures)))
        yield from section("Computed in place", table(FIGURE_HEADS, map(self.figure_row, self.computations())))
        yield from section("Claims", table(("Claim", "Says", "Result"), self.claim_rows()))
        yield from section("Hardware", table(ROW_HEADS, map(self.hardware_row, record.rows)))
        yield from section("Affected products", self.linked_list(record.products))
        yield from section("Corrections", self.corrections())
        yield from section("Sources", self.linked_list(record.sources))
        yield from section("History", self.history())
        yield from ("", f"[Index](../index.md) · [{escaped(record.kind.folder)}](../{record.kind.folder}.md)")

    def fields(self) -> Iterator[tuple[str, str]]:
        """The plain fields, by dotted path."""
        for name, node in self.record.fields.items():
            yield from texts(node, name)

    # -- links --------------------------------------------------------------------------------------------------------
    def address(self, record: str, name: str = "") -> str:
        """A place on the page of a record, from here."""
        if record == self.record.id and name:
            return f"#{name}"
        suffix = f"#{name}" if name else ""
        return f"../{page(self.base, record, SUFFIX)}{suffix}"

    def to_record(self, id: str) -> str:
        """A link to a record, by its name."""
        found = self.base.records.get(id)
        return code(id) if found is None else f"[{escaped(found.name)}]({self.address(id)})"

    def leads(self, quote: ResolvedQuote) -> str | None:
        """Where a link in prose leads."""
        place = destination(quote, self.base)
        return (
            self.address(place.record, place.anchor)
            if place is not None and place.record in self.base.records
            else None
        )

    def cite(self, id: str) -> str:
        """A citation."""
        text = escaped(self.base.label(id))
        return f"[{text}]({self.address(id)})" if id in self.base.records else text

    def prose_lines(self, part: ResolvedProse) -> list[str]:
        """A field of prose."""
        quotes = quotes_by_place(self.base, part.passage)
        return prose(part.passage, quotes, self.base, self.leads, self.cite).strip("\n").split("\n")

    def prose_cell(self, field: str, plain: str) -> str:
        """A field of prose on one line."""
        part = self.record.passage(field)
        return (
            " ".join(" ".join(self.prose_lines(part)).split()).replace("|", "\\|")
            if part is not None
            else escaped(plain)
        )

    def remark(self, text: str) -> str:
        """A short field, which is prose where its schema says so, on one line."""
        field = next((part.field for part in self.record.prose if part.markdown == text), "")
        return self.prose_cell(field, text) if text else ""

    def linked_list(self, ids: Iterable[str]) -> Iterator[str]:
        """Records, a line each."""
        return (f"- {self.to_record(id)}" for id in ids)

    # -- parts --------------------------------------------------------------------------------------------------------
    def fact_rows(self) -> Iterator[tuple[str, ...]]:
        for fact in self.record.facts:
            yield self.fact_row(fact)
            yield from map(self.fact_row, fact.disputed)

    def fact_row(self, fact: ResolvedFact) -> tuple[str, ...]:
        source = fact.sources[0] if fact.disputes and fact.sources else ""
        lead = "*stated otherwise*" if fact.disputes else code(fact.path) + (" **contested**" if fact.disputed else "")
        value = code(fact.written) if fact.written is not None else escaped(fact.absent.replace("_", " "))
        basis = fact.basis.value + (f" from {code(fact.formula)}" if fact.formula else "")
        printed = (code(fact.as_printed) if fact.as_printed else "") + (
            f", read as {code(fact.reading)}" if fact.reading else ""
        )
        why = "; ".join(
            filter(
                None,
                (self.remark(fact.note), f"stands because {self.remark(fact.preferred)}" if fact.preferred else ""),
            )
        )
        sources = ", ".join(map(self.cite, fact.sources))
        return (f"{anchor(fact_anchor(fact.path, source))}{lead}", value, basis, sources, printed, why)

    def symbol_rows(self) -> Iterator[tuple[str, ...]]:
        for symbol in self.record.symbols:
            meaning = self.prose_cell(f"symbols.{symbol.name}.meaning", symbol.meaning)
            yield (
                code(symbol.name),
                meaning,
                code(symbol.unit),
                code(symbol.source or symbol.value),
                escaped(symbol.domain),
            )

    def formula_rows(self) -> Iterator[tuple[str, ...]]:
        for formula in self.record.formulas:
            yield (f"{anchor(f'formula-{formula.name}')}{code(formula.name)}", code(formula.expr), code(formula.unit))

    def point_rows(self) -> Iterator[tuple[str, ...]]:
        for name, inputs in self.record.points:
            yield (f"{anchor(f'point-{name}')}{code(name)}", assigned(inputs))

    def computations(self) -> Iterator[ResolvedFigure]:
        """The formulas with inputs that the prose of this record quotes."""
        keys = dict.fromkeys(quote.key for quote in self.record.quotes if quote.kind == "computation")
        return (self.base.computations[key] for key in keys)

    def figure_row(self, figure: ResolvedFigure) -> tuple[str, ...]:
        name = anchor(figure_anchor(figure.name) if figure.name else computation_anchor(figure.key)) + code(
            figure.name or figure.key
        )
        contested = " **contested**" if figure.contested else ""
        value = ", ".join(map(shown, figure.values)) or escaped(figure.fault)
        exact = ", ".join(code(value.fraction) for value in figure.values)
        inputs = assigned(figure.bindings) + (f", divided at {assigned(figure.over)}" if figure.over else "")
        return (name + contested, value, exact, f"{code(figure.formula)} = {code(figure.expr)}", inputs)

    def claim_rows(self) -> Iterator[tuple[str, ...]]:
        for claim in self.record.claims:
            says = code(claim.statement) + (f", {escaped(claim.conditions)}" if claim.conditions else "")
            result = (
                f"**{verdict_name(claim.verdict)}**: {escaped(str(claim.verdict))}" if claim.verdict is not None else ""
            )
            yield (f"{anchor(f'claim-{claim.id}')}{code(claim.id)}", says, result)

    def hardware_row(self, row: ResolvedRow) -> tuple[str, ...]:
        magnitude = ", ".join(map(self.figure_link, row.magnitude))
        parts = ", ".join(map(self.to_record, row.values_for))
        evidence = ", ".join([*map(self.cite, row.sources), *filter(None, (code(row.as_printed), escaped(row.method)))])
        costs = f"elasticity of {code(row.cost)}: {assigned(row.elasticity)}" if row.cost else ""
        behind = "; ".join(filter(None, (evidence, costs)))
        return (code(row.parameter), escaped(row.sentence), magnitude, f"**{row.basis.value}**", parts, behind)

    def figure_link(self, key: str) -> str:
        """A figure by its key."""
        record, _, name = key.partition(".")
        if not self.base.has(record, "figure", name):
            return code(key)
        return f"[{code(name)}]({self.address(record, figure_anchor(name))})"

    def corrections(self) -> Iterator[str]:
        for correction in self.record.corrections:
            given = f" at {assigned(correction.given)}" if correction.given else ""
            holds = f"; it holds when {code(correction.holds_when)}" if correction.holds_when else ""
            yield f"- {escaped(correction.date)}: stated {code(correction.stated)}{given}{holds}."
            yield from (f"  - Refuted by {assigned(bound)}." for bound in correction.counterexamples)
            now = code(correction.now or correction.now_claim)
            if self.base.has(self.record.id, "claim", correction.now_claim):
                now = f"[{now}](#claim-{correction.now_claim})"
            yield f"  - Now {now}."
            part = self.record.passage(f"corrections.{correction.index}.note")
            if part is not None:
                yield ""
                yield from (f"  {line}" if line else "" for line in self.prose_lines(part))
                yield ""

    def history(self) -> Iterator[str]:
        for index, (date, change) in enumerate(self.record.history):
            yield f"- {escaped(date)}: {self.prose_cell(f'history.{index}.change', change)}"

    def fact_link(self, key: str) -> str:
        """A recorded value by its key."""
        place = fact_place(key)
        return f"[{code(key)}]({self.address(place.record, place.anchor)})"


FACT_HEADS = ("Quantity", "Value", "Basis", "Source", "As printed", "Note")
FIGURE_HEADS = ("Figure", "Value", "Exact", "Formula", "Inputs")
ROW_HEADS = ("Parameter", "Effect", "Magnitude", "Basis", "Parts", "Behind it")


def assigned(pairs: Iterable[tuple[str, str]]) -> str:
    """Inputs as a list of code spans."""
    return ", ".join(code(f"{name} = {value}") for name, value in pairs)


def shown(value: Exact) -> str:
    """A computed value for a reader, with the prefix that makes it short."""
    return escaped(readable(value.base, parse_unit(value.unit)))


def field_text(record: ResolvedRecord, name: str) -> str:
    """A plain field, the items of a list separated by semicolons."""
    return "; ".join(scalars_of(record.fields.get(name)))
