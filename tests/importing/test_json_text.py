"""JSON as a tree: the values that Python reads, exact, with places; what is refused, at its place."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.base.document import Document, Mapping, Sequence, plain
from flopkb.base.loading.json_text import load_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(-1e9, 1e9).map(lambda x: round(x, 6))
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def read(text: str) -> Document:
    found = load_json(text, "config.json")
    assert isinstance(found, Document), found
    return found


def fault(text: str) -> str:
    found = load_json(text, "config.json")
    assert isinstance(found, list)
    (one,) = found
    return f"{one.location.line}:{one.location.column}: {one.message}"


@given(st.dictionaries(st.text(), VALUES, max_size=5), st.sampled_from([None, 1, "\t"]), st.booleans())
def test_it_reads_what_python_reads(data: dict[str, object], indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    assert plain(read(text).root) == json.loads(text, parse_float=Fraction)


def test_every_node_has_its_place() -> None:
    root = read('{"a": 1,\n  "b": [2.50, {"c": "x"}]}').root
    listed = root.get("b")
    assert isinstance(listed, Sequence)
    inner = listed.items[1]
    assert isinstance(inner, Mapping)
    places = [root, root.key("a"), root.get("a"), listed, listed.items[0], inner, inner.get("c")]
    assert [(node.location.line, node.location.column) for node in places if node is not None] == [
        (1, 1), (1, 2), (1, 7), (2, 8), (2, 9), (2, 15), (2, 21),
    ]  # fmt: skip


def test_what_is_no_number_elsewhere_is_a_word() -> None:
    assert plain(read('{"a": [Infinity, -Infinity, NaN]}').root) == {"a": ["Infinity", "-Infinity", "NaN"]}


def test_comments_and_a_byte_order_mark_are_passed_over() -> None:
    assert plain(read('\ufeff// one\n{"a": /* two\n */ 1} // three').root) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: the file is empty: it must hold an object, `{...}`"),
        ("[1]", "1:1: the top level is no object: it must be `{...}`"),
        ('{"a": 1, "b": 2,\n "a": 3}', "2:2: the key `a` stands twice: remove one of them"),
        ('{"a": 1,}', "1:9: a key in double quotes belongs here"),
        ("{'a': 1}", "1:2: a key in double quotes belongs here"),
        ('{"a" 1}', "1:6: `:` belongs behind a key"),
        ('{"a": 1 "b": 2}', "1:9: `,` belongs before the next one, or `}` at the end"),
        ('{"a": [1 2]}', "1:10: `,` belongs before the next one, or `]` at the end"),
        ('{"a": True}', "1:7: `True` is no JSON: a value belongs here"),
        ('{"a": 01}', "1:7: '0' is no JSON: a value belongs here"),
        ('{"a": "b', "1:7: a string that does not end, or holds a control character or an unknown escape"),
        ('{"a": ', "1:7: the end of the file is no JSON: a value belongs here"),
        ('{"a": 1} {', "1:10: something stands after the end of the object: remove it"),
        ('{"a": ' + "[" * 70, "1:70: nested more than 64 deep: no configuration needs that"),
    ],
)
def test_what_is_refused(text: str, expected: str) -> None:
    assert fault(text) == expected


def test_a_number_out_of_range_is_refused() -> None:
    assert fault('{"a": 1e999}').startswith("1:7: `1e999` is out of range")
