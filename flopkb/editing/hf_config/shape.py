"""What an import gives before it is written: the parts of each layer, each number with where it comes from (a leaf)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

Vectors = tuple[tuple[int, int], ...]
"""Weights that are no matrices: how many of each width."""


@dataclass(frozen=True, slots=True)
class ConfigQuantity:
    """A whole number of a model.

    ``key`` is how the config calls it, ``formula`` how it follows from other fields where the config leaves it out, and
    ``default`` the class whose default it is; one of the three is given.
    """

    value: int
    key: str = field(default="", compare=False)
    formula: str = field(default="", compare=False)
    default: str = field(default="", compare=False)


FieldValue = ConfigQuantity | bool | str
"""What a field of a part holds."""

Fields = tuple[tuple[str, FieldValue], ...]
"""Fields in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class LayerPart:
    """A mixer or a feed-forward: its type, its fields, its vectors, for experts those of one of them.

    ``reuses`` is the mixer whose cache it reads, ``apart`` what keeps parts apart that are alike otherwise.
    """

    type: str
    fields: Fields
    vectors: Vectors = ()
    expert_vectors: Vectors = ()
    reuses: LayerPart | None = None
    apart: str = ""

    def with_fields(self, *more: tuple[str, FieldValue | None]) -> LayerPart:
        """The part with further fields; those that are None or false are left out."""
        return replace(self, fields=self.fields + tuple(fields_of(more)))

    def with_vectors(self, *more: tuple[int, int]) -> LayerPart:
        """The part with further vectors."""
        return replace(self, vectors=joined(self.vectors, more))


@dataclass(frozen=True, slots=True)
class LayerShape:
    """A layer: its mixers and its feed-forwards, side by side or none."""

    mixers: tuple[LayerPart, ...]
    feed_forwards: tuple[LayerPart, ...]


@dataclass(frozen=True, slots=True)
class ModelShape:
    """A model: the fields of the whole, its layers in order, its vectors outside of them, remarks for its notes."""

    fields: Fields
    layers: tuple[LayerShape, ...]
    vectors: Vectors = ()
    remarks: tuple[str, ...] = ()


def fields_of(given: Iterable[tuple[str, FieldValue | None]]) -> Iterable[tuple[str, FieldValue]]:
    """Those that are there."""
    return ((name, value) for name, value in given if value is not None and value is not False)


def joined(*groups: Iterable[tuple[int, int]]) -> Vectors:
    """Vectors of one width together, in the order in which they first come; none of width or number 0."""
    found: dict[int, int] = {}
    for times, width in (vector for group in groups for vector in group):
        if times and width:
            found[width] = found.get(width, 0) + times
    return tuple((times, width) for width, times in found.items())


def arithmetic(vectors: Vectors) -> str:
    """Vectors as they are written: ``2*4096 + 128``."""
    return " + ".join(str(times * width) if 1 in (times, width) else f"{times}*{width}" for times, width in vectors)
