"""The names of parts: a record may call a mixer otherwise than an import would, and keeps its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as MappingType

from flopkb.base.document import Document, Mapping, Node, Scalar, Sequence
from flopkb.base.loading import load_text

_PARTS = ("mixers", "feed_forwards")
_Layers = tuple[tuple[str, ...], ...]


def renamed(record: Document, wanted: Document) -> Document:
    """The wanted record with the names that the record has for its parts, where the layers tell which is which."""
    names: dict[str, str] = {}
    for key in _PARTS:
        names |= _names(_layers(record.root, key), _layers(wanted.root, key))
    names = {new: old for new, old in names.items() if new != old}
    if not names:
        return wanted
    lines = [_with_names(line, names) for line in wanted.source.split("\n")]
    found = load_text("\n".join(lines), wanted.path)
    return found if isinstance(found, Document) else wanted


_LIST = re.compile(r"(?<=mixers: \[)[^\]]*|(?<=feed_forwards: \[)[^\]]*")
_KEY = re.compile(r"(?<=^  )\w+(?=:$)")
_REUSES = re.compile(r"(?<=    reuses: )\w+")


def _with_names(line: str, names: MappingType[str, str]) -> str:
    line = _LIST.sub(lambda found: ", ".join(names.get(name, name) for name in found[0].split(", ")), line)
    return _REUSES.sub(
        lambda found: names.get(found[0], found[0]), _KEY.sub(lambda found: names.get(found[0], found[0]), line)
    )


def _names(old: _Layers, new: _Layers) -> dict[str, str]:
    """What each part of the new layers is called in the old ones; nothing where that is not one to one."""
    found: dict[str, str] = {}
    if [len(layer) for layer in old] != [len(layer) for layer in new]:
        return {}
    for before, after in zip(old, new, strict=True):
        for one, other in zip(before, after, strict=True):
            if found.setdefault(other, one) != one:
                return {}
    return found if len(set(found.values())) == len(found) else {}


def _layers(root: Mapping, key: str) -> _Layers:
    """The names of the parts of each layer, in order."""
    layers = root.get("layers")
    return tuple(_each(layers, key)) if isinstance(layers, Sequence) else ()


def _each(layers: Sequence, key: str) -> Iterator[tuple[str, ...]]:
    for entry in layers:
        if not isinstance(entry, Mapping):
            continue
        inner = entry.get("layers")
        if isinstance(inner, Sequence):
            yield from tuple(_each(inner, key)) * _number(entry.get("repeat"))
        else:
            names = entry.get(key)
            listed = names.items if isinstance(names, Sequence) else ()
            yield from (tuple(name.text for name in listed if isinstance(name, Scalar)),) * _number(entry.get("count"))


def _number(node: Node | None) -> int:
    value = node.value if isinstance(node, Scalar) else None
    return min(value, 1000) if isinstance(value, int) and not isinstance(value, bool) else 0
