"""Pieces that several kinds of record are built from: scalars, lists, bindings, references."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.base.model import Binding, Kind, Reference


def scalar(node: Mapping, key: str) -> Scalar | None:
    """The scalar under ``key``, or None."""
    value = node.get(key)
    return value if isinstance(value, Scalar) else None


def required(node: Mapping, key: str) -> Scalar:
    """The scalar under a key that the schema requires."""
    value = node.get(key)
    assert isinstance(value, Scalar), key
    return value


def scalars(node: Node | None) -> tuple[Scalar, ...]:
    """One scalar or a list of them, as a tuple."""
    if isinstance(node, Scalar):
        return (node,)
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(item for item in items if isinstance(item, Scalar))


def mappings(node: Node | None) -> Iterator[Mapping]:
    """The mappings of a list."""
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Mapping):
            yield item


def entries(node: Node | None) -> Iterator[tuple[Scalar, Mapping]]:
    """The entries of a mapping of mappings."""
    for key, value in node.entries if isinstance(node, Mapping) else ():
        if isinstance(value, Mapping):
            yield key, value


def scalar_entries(node: Node | None) -> tuple[tuple[Scalar, Scalar], ...]:
    """The entries of a mapping of scalars."""
    pairs = node.entries if isinstance(node, Mapping) else ()
    return tuple((key, value) for key, value in pairs if isinstance(value, Scalar))


def bindings(node: Node | None) -> tuple[Binding, ...]:
    """The inputs that a mapping gives."""
    pairs = node.entries if isinstance(node, Mapping) else ()
    return tuple(Binding(key, scalars(value), isinstance(value, Sequence)) for key, value in pairs)


def references(node: Node | None, kind: Kind, what: str) -> tuple[Reference, ...]:
    """One id or a list of ids of records of ``kind``."""
    return tuple(Reference(target, frozenset({kind}), what) for target in scalars(node))


def flag(node: Mapping, key: str, default: bool) -> bool:
    """A true or false field."""
    value = scalar(node, key)
    return value.value is True if value is not None else default
