"""Whether a value fits a JSON Schema, yes or no: what jsonschema says, for the keywords that our schemas have.

Nearly every record fits. What is wrong with one that does not, jsonschema tells (``validate.py``): it takes 0.1 s to be
imported and four times as long a record. A test holds the two to the same answer.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from flopkb.base.schema.files import SchemaPart


def fits(value: object, schema: SchemaPart | bool) -> bool:
    """Whether a value of plain Python data (numbers are int or Fraction) fits a schema without references."""
    if isinstance(schema, bool):
        return schema
    return all(ASSERTIONS[key](value, told, schema) for key, told in schema.items() if key in ASSERTIONS)


def is_date(value: object) -> bool:
    """Whether a text is a day as ISO 8601 writes it; raises ValueError where it is none."""
    return not isinstance(value, str) or bool(datetime.date.fromisoformat(value))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[object], bool]] = MappingProxyType(
    {
        "object": lambda value: isinstance(value, dict),
        "array": lambda value: isinstance(value, list),
        "string": lambda value: isinstance(value, str),
        "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
        "number": _is_number,
        "boolean": lambda value: isinstance(value, bool),
        "null": lambda value: value is None,
    }
)


def _same(one: object, two: object) -> bool:
    """Equality of JSON, where true is no 1."""
    return one == two and isinstance(one, bool) == isinstance(two, bool)


def _type(value: object, told: Any, _: SchemaPart) -> bool:
    return any(_TYPES[name](value) for name in ([told] if isinstance(told, str) else told))


def _properties(value: object, told: Any, _: SchemaPart) -> bool:
    return not isinstance(value, dict) or all(fits(below, told[key]) for key, below in value.items() if key in told)


def _additional(value: object, told: Any, schema: SchemaPart) -> bool:
    known = schema.get("properties", {})
    return not isinstance(value, dict) or all(fits(below, told) for key, below in value.items() if key not in known)


def _names(value: object, told: Any, _: SchemaPart) -> bool:
    return not isinstance(value, dict) or all(fits(key, told) for key in value)


def _company(value: object, told: Any, _: SchemaPart) -> bool:
    return not isinstance(value, dict) or all(name in value for key in told if key in value for name in told[key])


def _company_schemas(value: object, told: Any, _: SchemaPart) -> bool:
    return not isinstance(value, dict) or all(fits(value, told[key]) for key in told if key in value)


def _is_of_format(value: object, told: Any, _: SchemaPart) -> bool:
    if told != "date":
        return True
    try:
        return is_date(value)
    except ValueError:
        return False


def _unique(value: object, told: Any, _: SchemaPart) -> bool:
    if not told or not isinstance(value, list):
        return True
    if all(isinstance(item, str) for item in value):
        return len(set(value)) == len(value)
    return not any(_same(one, two) for at, one in enumerate(value) for two in value[:at])


ASSERTIONS: Mapping[str, Callable[[object, Any, SchemaPart], bool]] = MappingProxyType(
    {
        "type": _type,
        "properties": _properties,
        "additionalProperties": _additional,
        "propertyNames": _names,
        "dependentRequired": _company,
        "dependentSchemas": _company_schemas,
        "format": _is_of_format,
        "uniqueItems": _unique,
        "required": lambda v, told, _: not isinstance(v, dict) or all(name in v for name in told),
        "items": lambda v, told, _: not isinstance(v, list) or all(fits(item, told) for item in v),
        "enum": lambda v, told, _: any(_same(v, each) for each in told),
        "const": lambda v, told, _: _same(v, told),
        "pattern": lambda v, told, _: not isinstance(v, str) or re.search(told, v) is not None,
        "minLength": lambda v, told, _: not isinstance(v, str) or len(v) >= told,
        "maxLength": lambda v, told, _: not isinstance(v, str) or len(v) <= told,
        "minItems": lambda v, told, _: not isinstance(v, list) or len(v) >= told,
        "maxItems": lambda v, told, _: not isinstance(v, list) or len(v) <= told,
        "minProperties": lambda v, told, _: not isinstance(v, dict) or len(v) >= told,
        "minimum": lambda v, told, _: not _is_number(v) or v >= told,
        "maximum": lambda v, told, _: not _is_number(v) or v <= told,
        "exclusiveMinimum": lambda v, told, _: not _is_number(v) or v > told,
        "oneOf": lambda v, told, _: sum(fits(v, each) for each in told) == 1,
        "not": lambda v, told, _: not fits(v, told),
    }
)
"""Every keyword that asserts something, with what it asserts."""
