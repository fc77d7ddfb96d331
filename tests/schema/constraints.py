"""Every constraint that the schemas make, each with the name of the fixture that breaks it and nothing else.

``common/figure.required.formula`` is the required key ``formula`` of ``$defs/figure`` in ``common.schema.json``;
``source/locator.url.pattern`` is the pattern of the property ``url`` of the property ``locator``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flopkb.base.schema.files import SchemaPart, schema_file, schema_names, subschemas

SIMPLE = frozenset(
    {
        *("type", "enum", "const", "pattern", "format", "minLength", "maxLength", "minItems", "maxItems"),
        *("uniqueItems", "minimum", "maximum", "exclusiveMinimum", "minProperties"),
    }
)
SHORT = {"items": "item", "additionalProperties": "entry", "propertyNames": "key"}


@dataclass(frozen=True)
class Constraint:
    """One keyword of one schema, or one name in it (``detail``); ``path`` leads to the schema that holds it."""

    file: str
    path: tuple[str, ...]
    keyword: str
    detail: str = ""

    @property
    def name(self) -> str:
        """The name of its fixture, without suffix."""
        words = [SHORT.get(step, step) for step in self.path if step not in ("properties", "$defs")]
        return f"{self.file}/{'.'.join([*words, self.keyword, *([self.detail] if self.detail else [])])}"

    def removed(self, files: dict[str, Any]) -> dict[str, Any]:
        """The schema files without this constraint."""
        changed = {**files, self.file: copy.deepcopy(files[self.file])}
        part: Any = changed[self.file]
        for step in self.path:
            part = part[step]
        key, _, other = self.detail.partition("-")
        if self.keyword == "required":
            part["required"].remove(self.detail)
        elif self.keyword == "dependentRequired":
            part["dependentRequired"][key].remove(other)
        elif self.keyword == "dependentSchemas":
            del part["dependentSchemas"][key]["properties"][other]
        else:
            del part[self.keyword]
        return changed


def all_files() -> dict[str, Any]:
    """The schema files by name."""
    return {name: schema_file(name) for name in schema_names()}


def constraints() -> Iterator[Constraint]:
    """Every constraint of every schema file."""
    for file, content in all_files().items():
        for pointer, part in subschemas(content):
            path = tuple(pointer.split("/")[1:])
            if "oneOf" not in path and "dependentSchemas" not in path:
                yield from _of_part(file, path, part)


def _of_part(file: str, path: tuple[str, ...], part: SchemaPart) -> Iterator[Constraint]:
    for keyword, value in part.items():
        if (keyword in SIMPLE and not (keyword == "type" and not path)) or (
            keyword == "additionalProperties" and value is False
        ):
            yield Constraint(file, path, keyword)
        elif keyword == "required":
            yield from (Constraint(file, path, keyword, name) for name in value)
        elif keyword == "oneOf":
            details = ("type",) if "properties" in value[0] else ("none", "several")  # by its type, or by a key
            yield from (Constraint(file, path, keyword, detail) for detail in details)
        elif keyword == "dependentRequired":
            yield from (Constraint(file, path, keyword, f"{key}-{x}") for key, others in value.items() for x in others)
        elif keyword == "dependentSchemas":
            pairs = ((key, other) for key, below in value.items() for other in below["properties"])
            yield from (Constraint(file, path, keyword, f"{key}-{other}") for key, other in pairs)
