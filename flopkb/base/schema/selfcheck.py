"""Faults of the schemas themselves: a misspelt keyword of JSON Schema is silently ignored, so it is looked for here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flopkb.base.faults import did_you_mean
from flopkb.base.model import Kind
from flopkb.base.schema.files import SchemaError, SchemaPart, filled, resolve, schema_file, schema_names

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
        for path, part in parts(content):
            where = f"{name}.schema.json#{path}"
            problems += [f"{where}: {problem}" for problem in _part_problems(part, path)]
            if "$ref" in part:
                problems += [f"{where}: {problem}" for problem in _reference_problems(part, name, files, used)]
    for name, content in files.items():
        unused = [definition for definition in content.get("$defs", {}) if (name, definition) not in used]
        problems += [f"{name}.schema.json#/$defs/{definition}: nothing refers to it" for definition in unused]
    return problems or _circles(files)


def parts(part: Any, path: str = "") -> Iterator[tuple[str, SchemaPart]]:
    """Every schema in a schema, with its JSON pointer."""
    if not isinstance(part, dict):
        return
    yield path, part
    for key, value in part.items():
        if key in _BELOW:
            yield from parts(value, f"{path}/{key}")
        elif key in _NAMED_BELOW and isinstance(value, dict):
            for name, below in value.items():
                yield from parts(below, f"{path}/{key}/{name}")
        elif key in _LISTED_BELOW and isinstance(value, list):
            for index, below in enumerate(value):
                yield from parts(below, f"{path}/{key}/{index}")


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
        for kind in Kind:
            filled(kind.value, files)
    except SchemaError as error:
        return [str(error)]
    return []
