"""Whether the layers of a model fit each other: names, counts, and the fields that a type must have."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.base.document import Mapping, Scalar
from flopkb.base.faults import BadLayers, Fault, listed, nearest
from flopkb.base.layers import PARTS, LayerGroup, LayerPart, Layers
from flopkb.base.model import Record
from flopkb.base.schema.layering import FLAT, layer_types


def layer_faults(record: Record) -> Iterator[Fault]:
    """What is wrong with the layers of a model (nothing where a part of them is faulty: that is reported there)."""
    if record.layers is None or unreadable(record):
        return
    for role in PARTS:
        yield from _part_faults(record, record.layers, role)
    yield from _count_faults(record, record.layers)
    for part in record.layers.mixers.values():
        yield from _reuse_faults(part, record, record.layers)


def unreadable(record: Record) -> bool:
    """Whether a part of what the record says of its layers was left out for its own fault."""
    sections = (*PARTS.values(), *FLAT.values(), "layers", "num_hidden_layers")
    return any(path.partition(".")[0] in sections for path in record.dropped)


def _at(node: Scalar, record: Record, reason: str) -> BadLayers:
    return BadLayers(*node.whole(record.id), reason=reason)


def _key(record: Record, name: str) -> Scalar:
    found = record.document.root.key(name)
    return found if found is not None else record.id_at


def _part_faults(record: Record, layers: Layers, role: str) -> Iterator[Fault]:
    section, root = PARTS[role], record.document.root
    parts, described = layers.parts(role), isinstance(root.get(section), Mapping)
    if described and root.get(FLAT[role]) is not None:
        reason = f"{FLAT[role]} says what every layer has, and {section} describes them by name: keep one of the two"
        yield _at(_key(record, FLAT[role]), record, reason)
    if not described:
        for part in parts.values():
            required = [f for f in layer_types(role)[part.type.text].required if f not in record.dropped]
            missing = [f for f in required if not _has(record, part, f)]  # what is faulty is reported where it stands
            if missing:
                yield _at(part.type, record, f"{part.type.text} needs {listed(missing)}: add what the config states")
    elif not layers.groups:
        yield _at(_key(record, section), record, f"{section} are described and stand in no layer: add layers:")
        return
    used: set[str] = set()
    for group in layers.groups:
        names = _names(group, role)
        used.update(parts if names is None else (name.text for name in names))
        yield from _group_faults(group, record, layers, role)
    for part in parts.values() if described else ():
        if part.name not in used:
            yield _at(part.key, record, f"{part.name} stands in no layer: name it under layers:, or leave it out")


def _names(group: LayerGroup, role: str) -> tuple[Scalar, ...] | None:
    return group.mixers if role == "mixer" else group.feed_forwards


def _has(record: Record, part: LayerPart, field: str) -> bool:
    return part.prefix + field in record.facts or field in part.words


def _group_faults(group: LayerGroup, record: Record, layers: Layers, role: str) -> Iterator[Fault]:
    section, parts, names = PARTS[role], layers.parts(role), _names(group, role)
    if names is None and isinstance(record.document.root.get(section), Mapping):
        reason = f"these layers do not say their {section}: write {section}: with names, or [] for none"
        yield BadLayers(group.location, record.id, reason=reason)
    for name in names or ():
        if name.text not in parts:
            meant = nearest(name.text, parts)
            hint = f"did you mean {meant}?" if meant else f"describe it under {section}:"
            yield _at(name, record, f"{name.text} is none of {section}; {hint}")


def _count_faults(record: Record, layers: Layers) -> Iterator[Fault]:
    if not layers.groups:
        return
    total, fact = sum(group.count for group in layers.groups), record.facts.get("num_hidden_layers")
    if fact is None or fact.value is None:
        yield _at(
            _key(record, "layers"), record, f"the counts add up to {total}: add num_hidden_layers from the config"
        )
    elif isinstance(fact.value.value, int | Fraction) and fact.value.value != total:
        reason = f"the counts add up to {total}, and num_hidden_layers is {fact.value.text}: correct one of them"
        yield _at(_key(record, "layers"), record, reason)


def _reuse_faults(part: LayerPart, record: Record, layers: Layers) -> Iterator[Fault]:
    reused = part.words.get("reuses")
    if reused is None:
        return
    other = layers.mixers.get(reused.text)
    if other is None or other is part:
        meant = nearest(reused.text, (name for name in layers.mixers if name != part.name))
        hint = f"did you mean {meant}?" if meant else "name the mixer whose cache it reads"
        yield _at(reused, record, f"{reused.text} is no other mixer of this model; {hint}")
    elif "reuses" in other.words:
        yield _at(reused, record, f"{reused.text} keeps no cache of its own: name the mixer that does")
