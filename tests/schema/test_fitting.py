"""The quick answer to whether a record fits its schema is jsonschema's, whatever the record."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.base.document import plain
from flopkb.base.schema.files import KEYWORDS, filled_schema
from flopkb.base.schema.fitting import ASSERTIONS, fits
from flopkb.base.schema.validate import compiled, kind_of

from .reading import VALID, valid

RECORDS = [valid(path.stem) for path in sorted(VALID.glob("*.yaml"))]
ODD: list[Any] = [None, True, 0, 1, -1, Fraction(1, 3), "", "x", "32", "2024-99-99", [], ["x", "x"], [1, True], {}]


def agreed(value: object, schema: Any) -> bool:
    """What both say."""
    said = fits(value, schema)
    assert said == (not list(compiled(schema).iter_errors(value)))
    return said


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, Any]:
    """A right record in which one value is left out or is another, or stands under another key."""
    record = draw(st.sampled_from(RECORDS))
    whole: Any = plain(record.root)
    node: Any = whole
    while True:
        key = draw(st.sampled_from(list(node) if isinstance(node, dict) else range(len(node))))
        below = node[key]
        if isinstance(below, (dict, list)) and below and draw(st.booleans()):
            node = below
            continue
        if isinstance(node, dict) and draw(st.booleans()):
            node[draw(st.sampled_from([*node, "unknown", "value"]))] = node.pop(key)
        else:
            node[key] = draw(st.sampled_from(ODD))
        kind = kind_of(record)
        assert kind is not None
        return kind.value, whole


def test_right_records_fit() -> None:
    for record in RECORDS:
        kind = kind_of(record)
        assert kind is not None and agreed(plain(record.root), filled_schema(kind.value))


@given(slips())
def test_both_say_the_same_of_any_slip(slip: tuple[str, Any]) -> None:
    kind, record = slip
    agreed(record, filled_schema(kind))


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"type": "integer"}, [1], [True, Fraction(1, 2), "1"]),
        ({"type": ["number", "null"]}, [1, Fraction(1, 2), None], [False, "1"]),
        ({"enum": [1, "a"]}, [1, "a"], [True, "b"]),
        ({"const": True}, [True], [1]),
        ({"uniqueItems": True}, [[1, True], ["a"]], [["a", "a"]]),
        ({"oneOf": [{"type": "string"}, {"maxLength": 2}]}, ["abc"], ["ab"]),
        ({"not": {"required": ["a"]}}, [{}], [{"a": 1}]),
        ({"properties": {"a": False}}, [{"b": 1}], [{"a": 1}]),
        ({"properties": {"a": True}, "additionalProperties": False}, [{"a": 1}, 5], [{"b": 1}]),
        ({"dependentRequired": {"a": ["b"]}}, [{}, {"a": 1, "b": 1}], [{"a": 1}]),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, [{}, {"a": 1, "b": 1}], [{"a": 1}]),
        ({"propertyNames": {"pattern": "^a$"}}, [{"a": 1}], [{"b": 1}]),
        ({"exclusiveMinimum": 0, "maximum": 2}, [1, 2, "x"], [0, 3]),
        ({"minimum": 0, "minLength": 1, "minItems": 1, "minProperties": 1, "maxItems": 1}, [0, "a", [1]], [-1, "", []]),
        ({"format": "date"}, ["2024-02-29", 3], ["2023-02-29"]),
        ({"items": {"type": "string"}}, [["a"], "a"], [[1]]),
    ],
)
def test_each_keyword(schema: Any, right: list[Any], wrong: list[Any]) -> None:
    assert all(agreed(value, schema) for value in right)
    assert not any(agreed(value, schema) for value in wrong)


def test_every_keyword_that_asserts_is_known() -> None:
    notes = {
        "$schema",
        "$defs",
        "$ref",
        "title",
        "description",
        "examples",
        "contentMediaType",
        "errorMessage",
        "wanted",
    }
    assert KEYWORDS - notes == set(ASSERTIONS)
