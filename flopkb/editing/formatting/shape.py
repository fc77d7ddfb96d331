"""What the schema says of each node of a record: the order of its keys, whether it is a number or an amount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from flopkb.base.document import Document, Mapping, Node, Scalar
from flopkb.base.document import Sequence as ListNode
from flopkb.base.schema.files import SchemaPart, kind_schema, schema_file
from flopkb.base.schema.validate import kind_of

_LETTER_FOR_LETTER = "as_printed"
"""The key under which stands what a source prints: nothing in there is touched."""


@cache
def _amount_pattern() -> str:
    pattern: str = schema_file("common")["$defs"]["amount"]["pattern"]
    return pattern


def parts(document: Document) -> Iterator[tuple[Node, SchemaPart]]:
    """Every node that the schema of the record's kind knows, with its part of the schema, outer nodes first."""
    kind = kind_of(document)
    if kind is not None:
        yield from _below(document.root, kind_schema(kind))


def _below(node: Node, part: SchemaPart) -> Iterator[tuple[Node, SchemaPart]]:
    yield node, part
    if isinstance(node, ListNode):
        for item in node:
            yield from _below(item, part.get("items", {}))
    elif isinstance(node, Mapping):
        for key, value in node:
            if key.text != _LETTER_FOR_LETTER:
                yield from _below(value, part_of(part, key.text))


def part_of(part: SchemaPart, key: str) -> SchemaPart:
    """The part of the schema for the value under a key."""
    found = part.get("properties", {}).get(key) or part.get("additionalProperties") or {}
    return found if isinstance(found, dict) else {}


def ordered(keys: Sequence[str], part: SchemaPart) -> list[str]:
    """The keys in the order of the schema; as they are where it fixes none, or where one of them is unknown to it."""
    known = list(part.get("properties", ()))
    if not set(keys) <= set(known):
        return list(keys)
    return sorted(keys, key=known.index)


def is_amount(part: SchemaPart) -> bool:
    """Whether a text here is a number with its unit."""
    return bool(part.get("pattern") == _amount_pattern())


def is_prose(part: SchemaPart) -> bool:
    """Whether a text here is Markdown."""
    return part.get("contentMediaType") == "text/markdown"


def is_number(node: Node, part: SchemaPart) -> bool:
    """Whether a node is a number, where the schema allows one."""
    kinds = part.get("type", ())
    allowed = {kinds} if isinstance(kinds, str) else set(kinds)
    numeric = isinstance(node, Scalar) and not isinstance(node.value, (str, bool, type(None)))
    return numeric and bool(allowed & {"number", "integer"})
