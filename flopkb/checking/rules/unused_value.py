"""A recorded value or an input that no figure and no quote depends on.

Nothing would notice if such a value rotted. Quote it (``fact:``, ``in:``), compute a figure from it, or leave it
out. What cancels in a figure is not depended on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.usage import Usage
from flopkb.base.layers import PARTS, is_count
from flopkb.base.link import Computation
from flopkb.base.model import Binding, Fact, Kind, Record
from flopkb.base.quantities import MODEL, QuantityForm, quantity_of
from flopkb.base.schema.layering import layer_types
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every value of the record that nothing depends on."""
    usage = base.usage
    for fact in record.facts.values():
        if not shapes_a_model(fact, record):
            yield from _fact(fact, record, usage)
    for owner, bindings in owners(record, usage):
        for binding in unused(bindings, usage):
            message = f"nothing depends on {owner}.{binding.name}; quote it, or leave it out where it cancels"
            yield at(binding.key, message)
    for result in base.quotes.get(record.id, ()):
        asked = result.quote.target
        if isinstance(asked, Computation) and result.value is not None:
            for binding in unused(asked.bindings, usage):
                yield at(binding.key, f"{asked.title} does not depend on {binding.name} here; leave it out of the link")


SHAPE = frozenset({"num_hidden_layers", "hidden_size", "vocab_size", "input_vocab_size", "max_position_embeddings"})
"""What a model that says its layers says of the whole: what any formula over them may ask for."""


def shapes_a_model(fact: Fact, record: Record) -> bool:
    """Whether a value is part of a model's shape, of which a record says all: of the whole, or of a part of its layers.

    What is no number is none that rots.
    """
    if is_count(fact.path):
        return True
    quantity = MODEL.get(quantity_of(fact.path)) if record.kind is Kind.MODEL else None
    if quantity is None or quantity.form is not QuantityForm.NUMBER:
        return quantity is not None
    layers = record.layers
    if layers is not None and fact.path in SHAPE:
        return True
    parts = [(role, part) for role in PARTS for part in layers.parts(role).values()] if layers is not None else []
    return any(
        fact.path == part.prefix + quantity.name and quantity.name in layer_types(role)[part.type.text].fields
        for role, part in parts
    )


def unused(bindings: Iterable[Binding], usage: Usage) -> Iterator[Binding]:
    """The inputs that no value moves with."""
    return (binding for binding in bindings if binding.key.location not in usage.bindings)


def _fact(fact: Fact, record: Record, usage: Usage) -> Iterator[Finding]:
    if fact.value is not None and not fact.is_flag and (record.id, fact.path) not in usage.facts:
        yield at(
            fact.value, f"no figure or quote depends on {record.id}.{fact.path}; quote it with fact: or leave it out"
        )
    for other in fact.disputed:
        source = other.sources[0].target.text if other.sources else ""
        if other.value is not None and (record.id, fact.path, source) not in usage.disputed:
            yield at(
                other.value,
                f"no quote states what {source} says of {record.id}.{fact.path}; quote it with fact:...@{source}",
            )


def owners(record: Record, usage: Usage) -> Iterator[tuple[str, tuple[Binding, ...]]]:
    """The points and figures of a record with their inputs; of one that is unused itself its inputs are not told."""
    points = (point for point in record.points.values() if (record.id, point.name) in usage.points)
    yield from ((point.name, point.bindings) for point in points)
    figures = (figure for figure in record.figures.values() if (record.id, figure.name) in usage.figures)
    yield from ((figure.name, (*figure.with_, *figure.over)) for figure in figures)


RULE = RecordRule(id="unused-value", doc=__doc__, run=check)
