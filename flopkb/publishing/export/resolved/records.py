"""Records with everything in them followed and computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flopkb.base.claims import claims_of
from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Node, Scalar, Sequence
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.inputs import domain_text
from flopkb.base.link import Computation, FormulaRef
from flopkb.base.model import HardwareRow, Kind, Record
from flopkb.checking.api import Base
from flopkb.publishing.export.resolved.citing import citation_labels
from flopkb.publishing.export.resolved.facts import resolved_facts, text, text_at
from flopkb.publishing.export.resolved.figures import computation_key, pairs, resolved_figure, resolved_value
from flopkb.publishing.export.resolved.model import (
    ResolvedBase,
    ResolvedFigure,
    ResolvedFormula,
    ResolvedProse,
    ResolvedRecord,
    ResolvedRow,
    ResolvedSymbol,
)
from flopkb.publishing.export.resolved.placing import Placing
from flopkb.publishing.export.resolved.quotes import resolved_quote
from flopkb.publishing.export.resolved.statements import resolved_claims, resolved_corrections
from flopkb.publishing.export.resolved.tables import resolved_table
from flopkb.publishing.versions import base_version

KINDS = (Kind.WORKLOAD_CLASS, Kind.FORMULA, Kind.ACCELERATOR, Kind.MODEL, Kind.DTYPE, Kind.SOURCE)
"""The order in which records are shown: what is said, what it rests on."""

_UNREAD = ("yaml", "file", "schema")


def resolve(base: Base, root: str = "") -> ResolvedBase:
    """The base, resolved. ``root`` is its folder as the paths of its records name it."""
    evaluation, placing = base.evaluation, Placing(root)
    ordered = sorted(base.records.values(), key=lambda record: (KINDS.index(record.kind), record.id))
    records = {record.id: resolved_record(record, evaluation, placing) for record in ordered}
    unread = sum(1 for found in evaluation.diagnostics if found.rule in _UNREAD)
    return ResolvedBase(
        base, records, computations(evaluation, ordered, placing), citation_labels(ordered), base_version(base), unread
    )


def computations(base: Evaluation, records: list[Record], placing: Placing) -> dict[str, ResolvedFigure]:
    """The formulas with inputs that the prose of records asks for, each once, by key."""
    found: dict[str, ResolvedFigure] = {}
    for record in records:
        for result in base.quotes.get(record.id, ()):
            if result.value is None or not isinstance(result.quote.target, Computation):
                continue
            key = computation_key(result.quote.target)
            if key not in found:
                holder = result.quote.target.formula.record
                found[key] = resolved_value(result.value, base, placing, key=key, record=holder)
    return found


def resolved_record(record: Record, base: Evaluation, placing: Placing) -> ResolvedRecord:
    """One record."""
    root, claims = record.document.root, claims_of(base)
    passages = base.passages(record.id)
    prose = tuple(
        ResolvedProse(p.prose.field, p.scalar.text, p, placing.place(p.scalar.location))
        for p in passages
        if not p.prose.field.endswith(".table")
    )
    return ResolvedRecord(
        id=record.id,
        kind=record.kind,
        name=record.name,
        status=record.status,
        aliases=tuple(alias.text for alias in record.aliases),
        confidence=text_at(root, "confidence"),
        updated=text_at(root, "updated"),
        file=placing.file(record.path),
        sources=tuple(reference.target.text for reference in record.sources),
        fields=other_fields(record),
        symbols=tuple(resolved_symbols(record)),
        formulas=tuple(resolved_formulas(record, base, placing)),
        points=tuple((point.name, pairs(point.bindings)) for point in record.points.values()),
        figures=tuple(resolved_figure(name, record, base, placing) for name in record.figures),
        claims=tuple(resolved_claims(record, claims, placing)),
        facts=tuple(resolved_facts(record, placing)),
        rows=tuple(resolved_row(row, index, record, base, placing) for index, row in enumerate(record.rows)),
        products=tuple(reference.target.text for reference in record.products),
        corrections=tuple(resolved_corrections(record, claims, placing)),
        history=tuple(history(root)),
        prose=prose,
        quotes=tuple(resolved_quote(result, placing) for result in base.quotes.get(record.id, ())),
        tables=tuple(resolved_table(table) for table in base.tables.get(record.id, ())),
        citations=tuple(dict.fromkeys(cited.id for p in passages for cited in p.reading.citations)),
        record=record,
    )


_OWN_PLACE = frozenset(
    {
        *(
            "id",
            "kind",
            "name",
            "aliases",
            "status",
            "confidence",
            "updated",
            "sources",
            "symbols",
            "formulas",
            "points",
        ),
        *("figures", "claims", "peak_flops", "hardware_parameters", "affected_by_hardware", "corrections", "history"),
        *("suppress", "disputed"),
    }
)


def other_fields(record: Record) -> Mapping[str, Node]:
    """The fields that are no prose and have no place of their own: vendor, developer, title, locator, ..."""
    shown = {*_OWN_PLACE, *record.facts, *(prose.field for prose in record.prose)}
    return {key.text: node for key, node in record.document.root if key.text not in shown}


def resolved_symbols(record: Record) -> Iterator[ResolvedSymbol]:
    """The symbols."""
    for symbol in record.symbols.values():
        domain = domain_text(symbol.domain) if symbol.domain is not None else ""
        unit = symbol.unit.text if symbol.unit is not None else "1"
        yield ResolvedSymbol(symbol.name, symbol.meaning.text, unit, text(symbol.source), text(symbol.value), domain)


def resolved_formulas(record: Record, base: Evaluation, placing: Placing) -> Iterator[ResolvedFormula]:
    """The formulas."""
    for formula in record.formulas.values():
        body = base.kb.formulas[FormulaRef(record.id, formula.name)].body
        written = tuple(name.text for name in formula.written)
        tree, where = body.expr if body is not None else None, placing.place(formula.key.location)
        yield ResolvedFormula(formula.name, formula.expr.text, formula.unit.text, written, tree, where)


def resolved_row(row: HardwareRow, index: int, record: Record, base: Evaluation, placing: Placing) -> ResolvedRow:
    """A hardware row."""
    return ResolvedRow(
        record=record.id,
        index=index,
        parameter=row.parameter.text,
        effect=row.effect.text,
        sentence=sentence_of(row, record, base),
        basis=row.basis,
        magnitude=tuple(qualified(name.text, record) for name in row.magnitude),
        values_for=tuple(reference.target.text for reference in row.values_for),
        sources=tuple(reference.target.text for reference in row.sources),
        as_printed=text(row.as_printed),
        method=text(row.method),
        device=text(row.device),
        date=text(row.date),
        demand=row.demand,
        moves=row.moves,
        cost=text(row.cost),
        elasticity=tuple((point.text, value.text) for point, value in row.elasticity),
        place=placing.place(row.location),
    )


def qualified(name: str, record: Record) -> str:
    """A figure's key, also where the record leaves its own id out."""
    return name if "." in name else f"{record.id}.{name}"


def sentence_of(row: HardwareRow, record: Record, base: Evaluation) -> str:
    """The words of the record that an effect stands for; the effect itself where they are not found."""
    for passage in base.passages(record.id):
        if "." not in passage.prose.field:
            found = passage.reading.find(row.effect.text)
            if len(found) == 1:
                return " ".join(passage.reading.plain[found[0].start : found[0].end].split())
    return " ".join(row.effect.text.split())


def history(root: MappingNode) -> Iterator[tuple[str, str]]:
    """Dates with what changed."""
    node = root.get("history")
    for item in node.items if isinstance(node, Sequence) else ():
        yield text_at(item, "date"), text_at(item, "change")


def scalars_of(node: Node | None) -> tuple[str, ...]:
    """One text or a list of them, as written."""
    items = node.items if isinstance(node, Sequence) else (node,)
    return tuple(item.text for item in items if isinstance(item, Scalar))
