"""The JSON Schema files: where they are, and each kind's schema with its references filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from flopkb.base.model import Kind

SchemaPart = Mapping[str, Any]
"""A JSON Schema, or a part of one."""

_REFERENCE = re.compile(r"(?:([a-z_]+)\.schema\.json)?#/\$defs/([A-Za-z0-9_]+)", re.ASCII)


class SchemaError(Exception):
    """A schema file is missing or faulty: the fault is flopkb's own, not a record's."""


@cache
def schema_directory() -> Path:
    """The folder with the schema files: inside an installed package, else beside the package in a checkout."""
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "data" / "schema", package.parent / "schema"):
        if (folder / "common.schema.json").is_file():
            return folder
    raise SchemaError(f"the schemas are missing: neither {package}/data/schema nor {package.parent}/schema has them")


def schema_names() -> tuple[str, ...]:
    """The names of all schema files, without ``.schema.json``."""
    return ("common", *(kind.value for kind in Kind))


@cache
def schema_file(name: str) -> SchemaPart:
    """The content of ``schema/<name>.schema.json``; raises :class:`SchemaError` where there is none."""
    path = schema_directory() / f"{name}.schema.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SchemaError(f"{path.name} cannot be read: {error}") from error
    if not isinstance(content, dict):
        raise SchemaError(f"{path.name} is not a JSON object")
    return content


@cache
def kind_schema(kind: Kind) -> SchemaPart:
    """The schema of a kind without references: each is replaced by what it points to."""
    return filled(kind.value, {name: schema_file(name) for name in schema_names()})


def filled(name: str, files: Mapping[str, SchemaPart]) -> SchemaPart:
    """The schema in file ``name`` with every ``$ref`` replaced by its target, under the annotations beside it.

    Raises :class:`SchemaError` for a reference that leads nowhere, out of ``files``, or in a circle.
    """
    part = _Filler(files, {}).fill(files[name], name, ())
    assert isinstance(part, dict)
    return part


def resolve(reference: object, name: str, files: Mapping[str, SchemaPart]) -> tuple[str, str]:
    """The file and the definition that a ``$ref`` in file ``name`` points to; nothing outside ``files`` is followed."""
    match = _REFERENCE.fullmatch(reference) if isinstance(reference, str) else None
    if match is None:
        forms = "`#/$defs/x` and `y.schema.json#/$defs/x` are followed"
        raise SchemaError(f"{name}.schema.json refers to `{reference}`: only {forms}")
    target = match[1] or name
    if match[2] not in files.get(target, {}).get("$defs", {}):
        raise SchemaError(f"{name}.schema.json refers to `{reference}`, which does not exist")
    return target, match[2]


@dataclass(frozen=True, slots=True)
class _Filler:
    files: Mapping[str, SchemaPart]
    done: dict[tuple[str, str], Any]

    def definition(self, name: str, definition: str, above: tuple[str, ...]) -> Any:
        key, label = (name, definition), f"{name}#{definition}"
        if label in above:
            raise SchemaError(f"{' -> '.join((*above, label))} refers to itself")
        if key not in self.done:
            self.done[key] = self.fill(self.files[name]["$defs"][definition], name, (*above, label))
        return self.done[key]

    def fill(self, part: Any, name: str, above: tuple[str, ...]) -> Any:
        if isinstance(part, list):
            return [self.fill(item, name, above) for item in part]
        if not isinstance(part, dict):
            return part
        kept = ((key, value) for key, value in part.items() if key not in ("$ref", "$defs"))
        own = {key: value if key in VERBATIM else self.fill(value, name, above) for key, value in kept}
        if "$ref" not in part:
            return own
        return {**self.definition(*resolve(part["$ref"], name, self.files), above), **own}


VERBATIM = frozenset({"examples", "enum", "const", "default"})
"""Keywords whose values are data: a key ``$ref`` in there means nothing."""
