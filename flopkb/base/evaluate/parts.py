"""The parts of a model that fill the roles ``mixer`` and ``feed_forward``: which one, how often, and what it records."""

from __future__ import annotations

from collections.abc import Mapping

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Scalar
from flopkb.base.faults import Blocked, Fault, Unavailable, listed, nearest
from flopkb.base.layers import PARTS, LayerPart, count_path
from flopkb.base.link.frames import Frame
from flopkb.base.link.layering import layer_faults, unreadable
from flopkb.base.model import Fact, Record
from flopkb.base.quantities import quantity_of
from flopkb.base.schema.layering import FLAT, part_fields

Place = tuple[Location, str, int]


def parts_of(record: Record, role: str, place: Place) -> Mapping[str, LayerPart] | Fault:
    """The parts of a model that can fill a role, or why it says none (what is unsaid is refused)."""
    where, asker, length = place
    if unreadable(record) or any(True for _ in layer_faults(record)):
        return Blocked(where, asker, cause=f"the layers of {record.id} are faulty")
    layers = record.layers
    parts = layers.parts(role) if layers is not None else {}
    if not parts and not (layers is not None and layers.groups and _none(record, role)):
        what = "what mixes tokens in its layers" if role == "mixer" else "the feed-forward blocks of its layers"
        reason = f"{record.id} does not say {what}: add {FLAT[role]}: or {PARTS[role]}: with layers:"
        return Unavailable(where, asker, length, holder=record.id, reason=reason)
    return parts


def _none(record: Record, role: str) -> bool:
    """Whether every group of layers says ``[]`` for a role."""
    assert record.layers is not None
    named = (group.mixers if role == "mixer" else group.feed_forwards for group in record.layers.groups)
    return all(names == () for names in named)


def part_of(record: Record, role: str, frame: Frame, bound: Scalar | None, place: Place) -> LayerPart | Fault:
    """The part of a model that fills a role: that of the frame, the one that is bound, or the only one there is."""
    where, asker, length = place
    parts = parts_of(record, role, place)
    if isinstance(parts, Fault):
        return parts
    name = frame.part(role) or (bound.text if bound is not None else "")
    words = "mixer" if role == "mixer" else "feed-forward block"
    if name in parts:
        return parts[name]
    if name:
        at = bound.location if bound is not None and not frame.part(role) else where
        meant = nearest(name, parts)
        hint = f"did you mean {meant}?" if meant else f"it has {listed(parts)}"
        return Unavailable(at, asker, len(name), holder=record.id, reason=f"{record.id} has no {words} {name}; {hint}")
    if len(parts) == 1:
        return next(iter(parts.values()))
    has = f"{record.id} has the {words}s {listed(parts)}" if parts else f"no layer of {record.id} has a {words}"
    choice = (role, next(iter(parts))) if parts else None
    return Unavailable(where, asker, length, holder=record.id, reason=has, choice=choice)


def counts_of(record: Record, role: str) -> dict[str, str]:
    """The paths of how often each part of a model occurs, in the order of its layers."""
    assert record.layers is not None
    found = record.layers.counts(role)
    return {name: "num_hidden_layers" if count is None else count_path(role, name) for name, count in found.items()}


def shared_fact(record: Record, path: str, place: Place) -> tuple[str, Fact] | Fault | None:
    """A field of layers, asked of the model: what its parts agree in; a fault that lists them where they do not.

    None where the model says no parts, or the field is none of theirs.
    """
    if record.layers is None or path in record.facts or quantity_of(path) != path:
        return None
    for role in PARTS:
        parts = record.layers.parts(role)
        if path not in part_fields(role) or not any(part.prefix + path in record.facts for part in parts.values()):
            continue
        found = {name: record.facts.get(part.prefix + path) for name, part in parts.items()}
        texts = {fact.value.text if fact is not None and fact.value is not None else None for fact in found.values()}
        first = next(fact for fact in found.values() if fact is not None)
        if len(texts) == 1:
            return first.path, first
        where, asker, length = place
        shown = ", ".join(
            f"{name} {fact.value.text if fact is not None and fact.value is not None else 'none'}"
            for name, fact in found.items()
        )
        reason = f"the {PARTS[role]} of {record.id} differ in {path} ({shown})"
        return Unavailable(where, asker, length, holder=record.id, reason=reason, choice=(role, next(iter(found))))
    return None


def is_recorded(record: Record, part: LayerPart, field: str) -> bool:
    """Whether a part says a field."""
    fact = record.facts.get(part.prefix + field)
    return (fact is not None and fact.value is not None) or field in part.words or field == "type"
