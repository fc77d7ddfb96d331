"""The lists of fields in docs/record_format.md, from the schemas: between `<!-- fields: WHAT -->` and `<!-- end -->`."""

from __future__ import annotations

import re

from flopkb.base.layers import PARTS
from flopkb.base.model import Kind
from flopkb.base.schema.files import SchemaPart, kind_schema
from flopkb.base.schema.layering import layer_types
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


_TYPES = re.compile(r"(<!-- types: (.*?) -->\n).*?(?=<!-- end -->)", re.DOTALL)


def type_list(role: str) -> str:
    """One line for each type that can fill a role: what it is, the fields that it must have, in parentheses those it may."""
    words = {
        branch["properties"]["type"]["enum"][0]: branch["description"]
        for branch in kind_schema(Kind.MODEL)["properties"][PARTS[role]]["additionalProperties"]["oneOf"]
    }
    return "".join(
        f"- `{name}`: {words[name][0].lower()}{words[name][1:-1]}; {', '.join(f'`{f}`' for f in each.required)}"
        f" ({', '.join(f'`{f}`' for f in each.optional)})\n"
        for name, each in layer_types(role).items()
    )


def with_lists(text: str) -> str:
    """A document with every list as the schemas have it."""
    text = _TYPES.sub(lambda match: f"{match[1]}{type_list(match[2])}", text)
    return _LIST.sub(lambda match: f"{match[1]}{field_list(match[2])}", text)
