"""Recorded values, with what disputes them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.base.evaluate.facts import fact_value
from flopkb.base.model import Fact, Record
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved.model import ResolvedFact
from flopkb.publishing.export.resolved.placing import Placing


def resolved_facts(record: Record, placing: Placing) -> Iterator[ResolvedFact]:
    """Every recorded value of a record, in the order of the file."""
    for fact in record.facts.values():
        others = tuple(
            resolved_fact(other, record, placing, disputes=True, note=note)
            for other, note in zip(fact.disputed, notes_of(fact, record), strict=True)
        )
        yield resolved_fact(
            fact, record, placing, disputed=others, note=text_at(record.document.root, f"{fact.path}.note")
        )


def resolved_fact(
    fact: Fact,
    record: Record,
    placing: Placing,
    *,
    disputed: tuple[ResolvedFact, ...] = (),
    disputes: bool = False,
    note: str = "",
) -> ResolvedFact:
    """One stated value."""
    value = fact_value(fact, record)
    sources = tuple(reference.target.text for reference in fact.sources)
    key = f"{record.id}.{fact.path}"
    return ResolvedFact(
        key=f"{key}@{sources[0]}" if disputes and sources else key,
        record=record.id,
        path=fact.path,
        quantity=fact.path.split(".")[0],
        unit=fact.unit,
        written=fact.value.text if fact.value is not None else None,
        value=Exact.of_base(value, fact.unit) if isinstance(value, Fraction) else None,
        basis=fact.basis,
        sources=sources,
        as_printed=text(fact.as_printed),
        reading=text(fact.reading),
        formula=text(fact.formula),
        absent=fact.absent or "",
        dtype=fact.dtype.target.text if fact.dtype is not None else "",
        sparsity=fact.sparsity or "",
        accumulate=fact.accumulate or "",
        method=text(fact.method),
        device=text(fact.device),
        date=text(fact.date),
        note=note,
        preferred=preferred(fact, record),
        disputes=disputes,
        disputed=disputed,
        place=placing.place(fact.location),
        fault="" if isinstance(value, Fraction) or fact.value is None else str(value),
    )


def preferred(fact: Fact, record: Record) -> str:
    """Why this value stands; a model's config.json needs no reason of its own."""
    if fact.preferred is None:
        return ""
    config = record.document.root.get("config_source")
    if isinstance(config, Scalar) and fact.preferred.location == config.location:
        return f"what the configuration states ({config.text}) is preferred to what others say of it"
    return fact.preferred.text


def notes_of(fact: Fact, record: Record) -> list[str]:
    """The notes of the disputed values, in the order of the fact: its own list, then the record's."""
    lists = [
        node_at(record.document.root, f"{fact.path}.disputed"),
        node_at(record.document.root, f"disputed.{fact.path}"),
    ]
    notes = {
        item.location: text_at(item, "note")
        for found in lists
        if isinstance(found, Sequence)
        for item in found.items
        if isinstance(item, Mapping)
    }
    return [notes.get(other.location, "") for other in fact.disputed]


def node_at(node: Node | None, path: str) -> Node | None:
    """The node at a dotted path of keys, or None."""
    for key in path.split("."):
        if not isinstance(node, Mapping):
            return None
        node = node.get(key)
    return node


def text_at(node: Node, path: str) -> str:
    """The text at a dotted path, or nothing."""
    found = node_at(node, path)
    return found.text if isinstance(found, Scalar) else ""


def text(scalar: Scalar | None) -> str:
    """The text as written, or nothing."""
    return scalar.text if scalar is not None else ""
