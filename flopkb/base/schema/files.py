"""The JSON Schema files: where they are, each kind's schema with its references filled in, and faults of their own.

A misspelt keyword of JSON Schema is silently ignored, so it is looked for here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from flopkb.base.faults import did_you_mean
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


DOCUMENT = "document"
"""The schema of what documents declare."""


def schema_names() -> tuple[str, ...]:
    """The names of all schema files, without ``.schema.json``."""
    return ("common", DOCUMENT, *(kind.value for kind in Kind))


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
    return filled_schema(kind.value)


@cache
def filled_schema(name: str) -> SchemaPart:
    """The schema in a file, without references."""
    return filled(name, {name: schema_file(name) for name in schema_names()})


def filled(name: str, files: Mapping[str, SchemaPart]) -> SchemaPart:
    """The schema in file ``name`` with every ``$ref`` replaced by its target, under the annotations beside it.

    Raises :class:`SchemaError` for a reference that leads nowhere, out of ``files``, or in a circle.
    """
    part = _References(files, {}).fill(files[name], name, ())
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
class _References:
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


_BELOW = frozenset({"items", "additionalProperties", "propertyNames", "not"})
_NAMED_BELOW = frozenset({"properties", "$defs", "dependentSchemas"})
_LISTED_BELOW = frozenset({"oneOf"})
_ANNOTATIONS = frozenset({"$schema", "title", "description", "examples", "contentMediaType", "errorMessage", "wanted"})
_ASSERTIONS = frozenset(
    {
        *("type", "enum", "const", "pattern", "format", "minLength", "maxLength", "minItems", "maxItems"),
        *("uniqueItems", "minimum", "maximum", "exclusiveMinimum", "minProperties", "required", "dependentRequired"),
    }
)
KEYWORDS = _BELOW | _NAMED_BELOW | _LISTED_BELOW | _ANNOTATIONS | _ASSERTIONS | {"$ref"}
"""The keywords that the schemas use: those of JSON Schema, and two of what to write where a value has the wrong form.

Language servers show ``errorMessage`` for every fault of a value; for a mapping they would show it in place of their
own words on unknown and missing keys, so there it is ``wanted``, which is flopkb's own.
"""

_PATTERN_END = "$(?!\\n)"
"""How an anchored pattern ends: ``$`` alone would let a newline follow."""


def check_schemas(files: Mapping[str, SchemaPart] | None = None) -> list[str]:
    """What is wrong with the schema files, one sentence each; nothing is, in a release."""
    files = files or {name: schema_file(name) for name in schema_names()}
    problems: list[str] = []
    used: set[tuple[str, str]] = set()
    for name, content in files.items():
        for path, part in subschemas(content):
            where = f"{name}.schema.json#{path}"
            problems += [f"{where}: {problem}" for problem in _part_problems(part, path)]
            if "$ref" in part:
                problems += [f"{where}: {problem}" for problem in _reference_problems(part, name, files, used)]
    for name, content in files.items():
        unused = [definition for definition in content.get("$defs", {}) if (name, definition) not in used]
        problems += [f"{name}.schema.json#/$defs/{definition}: nothing refers to it" for definition in unused]
    return problems or _circles(files)


def subschemas(part: Any, path: str = "") -> Iterator[tuple[str, SchemaPart]]:
    """Every schema in a schema, with its JSON pointer."""
    if not isinstance(part, dict):
        return
    yield path, part
    for key, value in part.items():
        if key in _BELOW:
            yield from subschemas(value, f"{path}/{key}")
        elif key in _NAMED_BELOW and isinstance(value, dict):
            for name, below in value.items():
                yield from subschemas(below, f"{path}/{key}/{name}")
        elif key in _LISTED_BELOW and isinstance(value, list):
            for index, below in enumerate(value):
                yield from subschemas(below, f"{path}/{key}/{index}")


def _part_problems(part: SchemaPart, path: str) -> Iterator[str]:
    for key in part:
        if key not in KEYWORDS:
            yield f"`{key}` is no keyword{did_you_mean(key, KEYWORDS)}"
    if "pattern" in part:
        yield from _pattern_problems(part["pattern"])
    properties = part.get("properties", {})
    if properties and part.get("additionalProperties") is not False and "/dependentSchemas/" not in path:
        yield "a mapping with known keys lacks `additionalProperties: false`"
    for name in (*part.get("required", ()), *part.get("dependentRequired", {})):
        if properties and name not in properties:
            yield f"`{name}` is required but is no property{did_you_mean(name, properties)}"


def _pattern_problems(pattern: str) -> Iterator[str]:
    """A pattern from end to end must not let a newline follow; one that looks for a sign anywhere has no ends."""
    try:
        re.compile(pattern)
    except re.error as error:
        yield f"the pattern does not compile: {error}"
        return
    if ("$" in pattern or pattern.startswith("^")) and not pattern.endswith(_PATTERN_END):
        yield f"the pattern does not end with `{_PATTERN_END}`, so that a newline or more may follow"


def _reference_problems(
    part: SchemaPart, name: str, files: Mapping[str, SchemaPart], used: set[tuple[str, str]]
) -> Iterator[str]:
    """A reference must lead somewhere, and what stands beside it must mean the same to every reader of the schema."""
    try:
        target, definition = resolve(part["$ref"], name, files)
    except SchemaError as error:
        yield str(error)
        return
    used.add((target, definition))
    there = files[target]["$defs"][definition]
    beside = set(part) - _ANNOTATIONS - {"$ref"}
    for key in sorted(beside & set(there) | beside & (_BELOW | _NAMED_BELOW)):
        yield f"`{key}` beside `$ref` is read differently by different programs: put it into the definition"


def _circles(files: Mapping[str, SchemaPart]) -> list[str]:
    try:
        for name in schema_names()[1:]:
            filled(name, files)
    except SchemaError as error:
        return [str(error)]
    return []
