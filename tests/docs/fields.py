"""The lists of fields in docs/record_format.md, from the schemas: between `<!-- fields: WHAT -->` and `<!-- end -->`."""

from __future__ import annotations

import re

from flopkb.base.model import Kind
from flopkb.base.schema.files import SchemaPart, kind_schema
from flopkb.base.schema.wording import hint

SHARED = {
    *("id", "kind", "name", "aliases", "status", "confidence", "updated", "sources", "notes", "history", "suppress"),
    *("renamed_to", "superseded_by"),
}
"""What every kind has."""

_LIST = re.compile(r"(<!-- fields: (.*?) -->\n).*?(?=<!-- end -->)", re.DOTALL)


def part(what: str) -> SchemaPart:
    """The part of a schema at a way such as `accelerator peak_flops *`: a kind, then keys; `*` is any entry."""
    kind, *way = what.split()
    found = kind_schema(Kind(kind))
    for step in way:
        found = found["properties"][step] if step != "*" else found.get("additionalProperties") or found["items"]
    return found


def field_list(what: str) -> str:
    """One line for each field: its name, whether it must be there, what it is."""
    shared = what == "every kind"
    schema = part("source" if shared else what)
    top = shared or " " not in what
    required = schema.get("required", ())
    lines = []
    for name, below in schema["properties"].items():
        if not top or (name in SHARED) == shared:
            marked = " (required)" if name in required else ""
            words = "what kind of record this is" if name == "kind" else hint(below)
            lines.append(f"- `{name}`{marked}: {words}\n")
    return "".join(lines)


def with_lists(text: str) -> str:
    """A document with every list as the schemas have it."""
    return _LIST.sub(lambda match: f"{match[1]}{field_list(match[2])}", text)
