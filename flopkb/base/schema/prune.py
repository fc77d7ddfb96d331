"""Leaving out what is faulty, so that the rest of a record is still checked."""

from __future__ import annotations

from collections.abc import Collection

from flopkb.base.document import Mapping, Node, Sequence

Path = tuple[str | int, ...]
"""Keys and list positions from the top of a record down."""

ESSENTIAL = frozenset({"id", "kind", "status"})
"""Without these there is no record."""

_ENTRIES = frozenset(
    {
        *("symbols", "formulas", "points", "figures", "claims", "hardware_parameters", "corrections", "history"),
        *("suppress", "peak_flops", "aliases", "sources", "affected_by_hardware"),
    }
)
"""Sections whose entries stand on their own: a fault in one leaves the others."""


def entry_of(path: Path) -> Path:
    """The smallest part around ``path`` that can be left out: an entry of a section, or a whole field."""
    if len(path) >= 3 and path[1] == "disputed":
        return path[:3]
    if path and path[0] == "disputed":
        return path[:3]
    return path[:2] if path and path[0] in _ENTRIES else path[:1]


def without(root: Mapping, dropped: Collection[Path]) -> Mapping:
    """The tree without the nodes at the dropped paths."""
    if not dropped:
        return root
    pruned = _without(root, (), frozenset(dropped))
    assert isinstance(pruned, Mapping)
    return pruned


def _without(node: Node, path: Path, dropped: frozenset[Path]) -> Node:
    if isinstance(node, Mapping):
        kept = [(key, value, (*path, key.text)) for key, value in node.entries]
        return Mapping(node.location, tuple((k, _without(v, p, dropped)) for k, v, p in kept if p not in dropped))
    if isinstance(node, Sequence):
        items = [(item, (*path, index)) for index, item in enumerate(node.items)]
        return Sequence(node.location, tuple(_without(item, p, dropped) for item, p in items if p not in dropped))
    return node


def node_at(root: Node, path: Path) -> Node:
    """The node at ``path``, which must exist."""
    for step in path:
        match root:
            case Mapping():
                found = root.get(str(step))
            case Sequence():
                found = root.items[int(step)]
            case _:
                found = None
        if found is None:
            raise KeyError(path)
        root = found
    return root
