"""The layers of a model, as its record says them (a leaf)."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from types import MappingProxyType

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Scalar

PARTS: MappingType[str, str] = MappingProxyType({"mixer": "mixers", "feed_forward": "feed_forwards"})
"""The roles that a part of a model fills, each with the section of the model that describes such parts."""


@dataclass(frozen=True, slots=True)
class LayerPart:
    """A mixer or a feed-forward block of a model: its type, and where its fields are.

    ``prefix`` stands before the name of a field in the path of a fact: ``mixers.full.``, or nothing where the model says
    them beside its own. ``words`` are the fields that are no amounts: ``experts``, ``reuses``, ``state_dtype``.
    """

    name: str
    key: Scalar
    type: Scalar
    prefix: str = ""
    words: MappingType[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """``count`` equal layers that follow each other (or, in a pattern, all that it repeats): the names of what they hold.

    None stands for the one part that the model says beside its own fields.
    """

    location: Location
    count: int
    mixers: tuple[Scalar, ...] | None
    feed_forwards: tuple[Scalar, ...] | None


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of a model; ``mixers`` and ``feed_forwards`` are described once each, by name.

    ``groups`` are empty where every layer is alike: all have the one part of each role that is said.
    """

    mixers: MappingType[str, LayerPart]
    feed_forwards: MappingType[str, LayerPart]
    groups: tuple[LayerGroup, ...] = ()

    def parts(self, role: str) -> MappingType[str, LayerPart]:
        """The parts that can fill ``mixer`` or ``feed_forward``."""
        return self.mixers if role == "mixer" else self.feed_forwards

    def counts(self, role: str) -> dict[str, int | None]:
        """How often each part occurs, in the order of the layers; None for one that every layer has, side by side with none."""
        parts = self.parts(role)
        named = [(group.count, group.mixers if role == "mixer" else group.feed_forwards) for group in self.groups]
        if all(names is None for _, names in named):
            return dict.fromkeys(parts)
        found: dict[str, int | None] = {}
        for count, names in named:
            for name in parts if names is None else (each.text for each in names):
                found[name] = (found.get(name) or 0) + count
        return found


def count_path(role: str, name: str) -> str:
    """Where a record says how often a part occurs: no field that anyone writes, but the sum of the counts of layers."""
    return f"{PARTS[role]}.{name}.count"


def is_count(path: str) -> bool:
    """Whether a path is that of such a sum."""
    return path.partition(".")[0] in PARTS.values() and path.endswith(".count")
