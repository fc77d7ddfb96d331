"""Records with everything in them followed and computed: the whole resolved base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from string import ascii_lowercase

from flopkb.base.claims import Claims, claims_of, tested_mark
from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Node, Scalar, Sequence
from flopkb.base.evaluate import Evaluation
from flopkb.base.link import Computation, KnowledgeBase
from flopkb.base.model import Claim, HardwareRow, Kind, Record, Symbol
from flopkb.checking.api import Base
from flopkb.publishing.export.resolved import (
    KINDS,
    Placing,
    ResolvedBase,
    ResolvedClaim,
    ResolvedCorrection,
    ResolvedFigure,
    ResolvedRecord,
    ResolvedRow,
    pairs,
    targets_of,
    text,
    text_at,
)
from flopkb.publishing.export.resolved.values import (
    computation_key,
    resolved_facts,
    resolved_figure,
    resolved_quote,
    resolved_table,
    resolved_value,
)
from flopkb.publishing.provenance import base_version

_UNREAD = ("yaml", "file", "schema")


def resolve(base: Base, root: str = "", only: str = "") -> ResolvedBase:
    """The base, resolved. ``root`` is its folder as the paths of its records name it; ``only`` one record of it."""
    evaluation, placing = base.evaluation, Placing(root)
    ordered = sorted(
        (record for record in base.records.values() if only in ("", record.id)),
        key=lambda record: (KINDS.index(record.kind), record.id),
    )
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
    return ResolvedRecord(
        id=record.id,
        kind=record.kind,
        name=record.name,
        status=record.status,
        aliases=tuple(alias.text for alias in record.aliases),
        confidence=text_at(root, "confidence"),
        updated=text_at(root, "updated"),
        file=placing.file(record.path),
        sources=targets_of(record.sources),
        fields=other_fields(record),
        symbols=tuple(record.symbols.values()),
        shared=tuple(shared_symbols(record, base.kb)),
        groups=tuple(record.groups.values()),
        domains=tuple(record.domains.values()),
        formulas=tuple(record.formulas.values()),
        points=tuple((point.name, pairs(point.bindings)) for point in record.points.values()),
        figures=tuple(resolved_figure(name, record, base, placing) for name in record.figures),
        claims=tuple(resolved_claims(record, claims, placing)),
        facts=tuple(resolved_facts(record, base.kb, placing)),
        rows=tuple(resolved_row(row, index, record, base, placing) for index, row in enumerate(record.rows)),
        products=targets_of(record.products),
        corrections=tuple(resolved_corrections(record, claims, placing)),
        history=tuple(history(root)),
        prose=tuple(p for p in passages if not p.prose.field.endswith(".table")),
        quotes=tuple(
            resolved_quote(result, placing, tested_mark(result.quote.target, base))
            for result in base.quotes.get(record.id, ())
        ),
        tables=tuple(resolved_table(table) for table in base.tables.get(record.id, ())),
        citations=tuple(dict.fromkeys(cited.id for p in passages for cited in p.reading.citations)),
        record=record,
    )


def shared_symbols(record: Record, kb: KnowledgeBase) -> Iterator[tuple[str, Symbol]]:
    """The symbols of vocabularies that the formulas of a record use, with their holders; narrowed as the record says."""
    for atom in kb.symbols_used(record):
        symbol = kb.scope.declared(atom)
        if symbol is not None and atom.record != record.id:
            narrowing = record.domains.get(atom.name)
            yield atom.record, replace(symbol, domain=narrowing.domain) if narrowing is not None else symbol


_PLACED = (
    "id kind name aliases status confidence updated sources symbols groups domains formulas points figures claims peak_flops "
    "hardware_parameters affected_by_hardware corrections history suppress disputed"
)
_OWN_PLACE = frozenset(_PLACED.split())


def other_fields(record: Record) -> Mapping[str, Node]:
    """The fields that are no prose and have no place of their own: vendor, developer, title, locator, ..."""
    shown = {*_OWN_PLACE, *record.facts, *(prose.field for prose in record.prose)}
    return {key.text: node for key, node in record.document.root if key.text not in shown}


def resolved_row(row: HardwareRow, index: int, record: Record, base: Evaluation, placing: Placing) -> ResolvedRow:
    """A hardware row, its effect as the sentence of the record and its figures by their keys."""
    magnitude = tuple(qualified(name.text, record) for name in row.magnitude)
    return ResolvedRow(row, record.id, index, sentence_of(row, record, base), magnitude, placing.place(row.location))


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


Pairs = tuple[tuple[str, str], ...]


def resolved_claims(record: Record, claims: Claims, placing: Placing) -> Iterator[ResolvedClaim]:
    """The claims of a record."""
    notes = claim_notes(record)
    for claim in record.claims.values():
        verdict, note = claims.told(record.id, claim.name), notes.get(claim.name, "")
        where = placing.place(claim.location)
        yield ResolvedClaim(claim, statement(claim), conditions(claim), verdict, where, note)


def claim_notes(record: Record) -> Mapping[str, str]:
    """The notes of the claims, by the claims' ids."""
    node = record.document.root.get("claims")
    items = node.items if isinstance(node, Sequence) else ()
    return {text_at(item, "id"): text_at(item, "note") for item in items}


def statement(claim: Claim) -> str:
    """What is claimed, in words; formulas and expressions are as written."""
    terms = [term.text for term, _ in claim.terms]
    subject = text(claim.formula)
    options = {key.text: value.text for key, value in claim.options}
    relation = claim.relation.text
    if relation in ("at_most", "at_least"):
        return f"{terms[0]} {'<=' if relation == 'at_most' else '>='} {terms[1]}"
    if relation == "exists":
        return f"somewhere {terms[0]}"
    if relation == "equals":
        return f"{subject} == {terms[0]}"
    if relation == "tends_to":
        ends = ", ".join(f"{key.text} goes to {value.text}" for key, value in claim.limits)
        return f"{subject} tends to {terms[0]} as {ends}"
    if relation == "crosses":
        at = f" at {options['at']}" if "at" in options else ""
        return f"{subject} crosses {terms[0]} once as {options.get('in', '')} grows{at}"
    return f"{subject} {worded(relation)} {listed(powers(claim))}"


def worded(relation: str) -> str:
    """The relations on symbols, in words."""
    return {
        "independent_of": "does not depend on",
        "proportional_to": "is proportional to",
        "increasing_in": "grows with",
        "decreasing_in": "falls with",
    }.get(relation, relation.replace("_", " "))


def powers(claim: Claim) -> list[str]:
    """The symbols, each with its exponent where it is not one."""
    return [
        term.text if exponent is None or exponent.text == "1" else f"{term.text}^{exponent.text}"
        for term, exponent in claim.terms
    ]


def listed(names: list[str]) -> str:
    """``B, L and d_h``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def conditions(claim: Claim) -> str:
    """What narrows it, in words."""
    parts = [f"given {assigned(pairs(claim.given))}"] if claim.given else []
    parts += [f"where {' and '.join(condition.text for condition in claim.where)}"] if claim.where else []
    parts += [f"over {assigned(pairs(claim.over), ' in ')}"] if claim.over else []
    return "; ".join(parts)


def assigned(bound: Pairs, sign: str = " = ") -> str:
    """Names and values on one line, as ``b_kv = 2, B = 1``."""
    return ", ".join(f"{name}{sign}{value}" for name, value in bound)


def resolved_corrections(record: Record, claims: Claims, placing: Placing) -> Iterator[ResolvedCorrection]:
    """The corrections of a record, in the order of the file."""
    node = record.document.root.get("corrections")
    items = [item for item in node.items if isinstance(item, MappingNode)] if isinstance(node, Sequence) else []
    for index, correction in enumerate(record.corrections):
        item = items[index]
        verdicts, place = claims.correction(record, index), placing.place(correction.location)
        yield ResolvedCorrection(correction, index, text_at(item, "date"), text_at(item, "note"), verdicts, place)


def citation_labels(records: Iterable[Record]) -> dict[str, str]:
    """A label for each source, no two the same: works of the same authors and year get letters in the order of ids."""
    plain = {record.id: label(record) for record in records if record.kind is Kind.SOURCE}
    shared = Counter(plain.values())
    letters: dict[str, Iterator[str]] = {}
    return {
        id: f"{text}{next(letters.setdefault(text, suffixes()))}" if shared[text] > 1 else text
        for id, text in sorted(plain.items())
    }


def suffixes() -> Iterator[str]:
    """``a``, ``b``, ... and on for ever."""
    yield from ascii_lowercase
    yield from (f"-{number}" for number in range(len(ascii_lowercase) + 1, 10**9))


def label(source: Record) -> str:
    """``Liu et al. 2024``, or the name of the record."""
    node = source.document.root.get("authors")
    names = [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
    if not names:
        return source.name
    families = [name.partition(",")[0].strip() for name in names]
    who = (
        families[0]
        if len(families) == 1
        else f"{families[0]} and {families[1]}"
        if len(families) == 2
        else f"{families[0]} et al."
    )
    return f"{who} {text_at(source.document.root, 'year')}".strip()
