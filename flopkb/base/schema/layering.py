"""The layers of a model's record: its parts, their types and fields, and how often each occurs.

The closed list of types, each with the fields that it must and may have, stands in ``model.schema.json``.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from functools import cache

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.base.layers import PARTS, LayerGroup, LayerPart, Layers, count_path
from flopkb.base.model import Basis, Fact, Kind
from flopkb.base.quantities import MODEL
from flopkb.base.schema.files import kind_schema
from flopkb.base.schema.sections import entries, mappings, references, scalar, scalars

FLAT: MappingType[str, str] = {"mixer": "attention", "feed_forward": "feed_forward"}
"""The key by which a model whose layers are alike says the type of its one part; the fields stand beside it."""


@dataclass(frozen=True, slots=True)
class LayerType:
    """A type of mixer or of feed-forward block, with the fields that it must and may have."""

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    words: MappingType[str, tuple[str, ...]]
    """The words that each field takes that is no amount; none where it names another thing (``reuses``, a dtype)."""

    @property
    def fields(self) -> frozenset[str]:
        """All that such a part may say."""
        return frozenset((*self.required, *self.optional))


@cache
def layer_types(role: str) -> MappingType[str, LayerType]:
    """The types that can fill ``mixer`` or ``feed_forward``, by name."""
    branches = kind_schema(Kind.MODEL)["properties"][PARTS[role]]["additionalProperties"]["oneOf"]
    found: dict[str, LayerType] = {}
    for branch in branches:
        fields = {name: part for name, part in branch["properties"].items() if name != "type"}
        required = tuple(name for name in branch["required"] if name != "type")
        words = {name: tuple(part.get("enum", ())) for name, part in fields.items() if name not in MODEL}
        (name,) = branch["properties"]["type"]["enum"]
        found[name] = LayerType(name, required, tuple(field for field in fields if field not in required), words)
    return found


@cache
def word_fields(role: str) -> MappingType[str, tuple[str, ...]]:
    """The fields of a role that are no amounts, each with the words that it takes (none where it names something)."""
    found: dict[str, tuple[str, ...]] = {"type": tuple(layer_types(role))}
    for each in layer_types(role).values():
        found.update(each.words)
    return found


@cache
def part_fields(role: str) -> frozenset[str]:
    """All that can be asked of a part that fills a role."""
    types = layer_types(role).values()
    return frozenset({"type"}).union(*(each.fields for each in types))


def part_mappings(root: Mapping) -> Iterator[tuple[str, Scalar, Mapping]]:
    """The parts that a model describes under names, each with the section that it stands in."""
    for section in PARTS.values():
        yield from ((section, key, node) for key, node in entries(root.get(section)))


def layers(root: Mapping) -> Layers | None:
    """The layers of a model, as far as it says any."""
    parts = {role: {part.name: part for part in _parts(root, role)} for role in PARTS}
    groups = tuple(_groups(root.get("layers")))
    said = any(root.get(key) is not None for key in (*PARTS.values(), *FLAT.values(), "layers"))
    return Layers(parts["mixer"], parts["feed_forward"], groups) if said else None


def _parts(root: Mapping, role: str) -> Iterator[LayerPart]:
    section = PARTS[role]
    if isinstance(root.get(section), Mapping):
        for key, node in entries(root.get(section)):
            kind = scalar(node, "type")
            if kind is not None:
                yield LayerPart(key.text, key, kind, f"{section}.{key.text}.", _words(node, role))
        return
    said, where = scalar(root, FLAT[role]), root.key(FLAT[role])
    if said is not None and where is not None:
        yield LayerPart(said.text, where, said, "", _words(root, role))


def _words(node: Mapping, role: str) -> dict[str, Scalar]:
    found = ((name, scalar(node, name)) for name in word_fields(role) if name != "type")
    return {name: value for name, value in found if value is not None}


def _groups(node: Node | None) -> Iterator[LayerGroup]:
    for item in mappings(node):
        repeat = scalar(item, "repeat")
        times = repeat.value if repeat is not None and isinstance(repeat.value, int) else 1
        for each in mappings(item.get("layers")) if repeat is not None else (item,):
            count = scalar(each, "count")
            number = count.value if count is not None and isinstance(count.value, int) else 0
            yield LayerGroup(each.location, times * number, _named(each, "mixers"), _named(each, "feed_forwards"))


def count_facts(found: Layers, root: Mapping) -> Iterator[Fact]:
    """How often each part of a model occurs, as recorded values; their places are those of its first layers."""
    sources = references(root.get("config_source"), Kind.SOURCE, "config_source")
    for role in PARTS:
        for name, count in found.counts(role).items():
            if count is not None and name in found.parts(role):
                where = _first_place(found, role, name)
                path, value = count_path(role, name), Scalar(where, count, str(count))
                yield Fact(path, where, value, Basis.RECORDED, "layer", sources, basis_at=where)


def _first_place(found: Layers, role: str, name: str) -> Location:
    for group in found.groups:
        names = group.mixers if role == "mixer" else group.feed_forwards
        if names is None or any(each.text == name for each in names):
            return group.location
    return found.parts(role)[name].key.location


def _named(node: Mapping, section: str) -> tuple[Scalar, ...] | None:
    found = node.get(section)
    return scalars(found) if isinstance(found, Sequence) else None
