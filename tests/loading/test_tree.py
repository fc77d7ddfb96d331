"""Positions and refusals: every character of a scalar is where the file has it, whatever its style."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.document import Document, Mapping, Node, Scalar, Sequence, Style
from flopkb.base.loading import load_text, parse_fragment
from flopkb.base.loading.tree import DEEPEST, Origin, compose, libyaml_events, python_events

from .writing import document

PARSERS = pytest.mark.parametrize("parser", [libyaml_events, python_events], ids=["libyaml", "python"])


def leaves(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from leaves(item)
    else:
        for key, value in node.entries:
            yield key
            yield from leaves(value)


def loaded(source: str) -> Mapping:
    result = load_text(source, "a.yaml")
    assert isinstance(result, Document), result
    return result.root


def refusals(source: str) -> list[tuple[int, int, str]]:
    result = load_text(source, "a.yaml")
    assert isinstance(result, list), result
    return [(d.location.line, d.location.column, d.message) for d in result]


def assert_each_character_in_place(scalar: Scalar, source: str) -> None:
    """The file has each character at its place; only a break, a fold and an escape look different there."""
    lines = source.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    before = (0, 0)
    for offset, character in enumerate(scalar.text):
        where = scalar.at(offset)
        line = lines[where.line - 1]
        written = line[where.column - 1 : where.column]
        escaped = scalar.style is Style.DOUBLE and written == "\\"
        folded = character in " \n" and not line[where.column - 1 :].strip(" \\")
        assert written == character or escaped or folded, (offset, character, where, line)
        assert (where.line, where.column) > before or folded
        before = (where.line, where.column)


@given(document())
def test_each_character_is_at_its_place(source: str) -> None:
    for scalar in leaves(loaded(source)):
        assert_each_character_in_place(scalar, source)


@given(document())
def test_the_fallback_parser_gives_the_same_tree_and_places(source: str) -> None:
    fast, slow = (compose(source, Origin("a"), parser)[0] for parser in (libyaml_events, python_events))
    assert fast == slow
    assert fast is not None and slow is not None
    assert [scalar.segments for scalar in leaves(fast)] == [scalar.segments for scalar in leaves(slow)]


SOUP = st.lists(
    st.one_of(
        st.sampled_from(
            ["a: ", "b: ", "- ", "\n", "  ", "\n  ", "x", "1", "é", ": ", "[", "]", "{", "}", ", ", "'", '"']
        ),
        st.sampled_from(
            ["|", ">", "|2-\n", " # c", "&a ", "*a", "!t ", "? ", "---\n", "...", "%", "@", "\\", "\t", "\x00"]
        ),
    ),
    max_size=25,
).map("".join)


@given(SOUP)
def test_any_text_gives_a_tree_or_refusals_in_the_file(source: str) -> None:
    result = load_text(source, "a.yaml")
    if isinstance(result, Document):
        slow, found = compose(source, Origin("a.yaml"), python_events)
        assert (slow, found) == (result.root, [])
        return
    assert result
    for refusal in result:
        assert refusal.location.path == "a.yaml"
        assert 1 <= refusal.location.line <= source.count("\n") + 1
        assert 1 <= refusal.location.column <= len(source) + 1
        assert 0 < len(refusal.message) < 300 and "\n" not in refusal.message


class TestPlaces:
    """Places worked out by hand, one for each style."""

    def test_literal(self) -> None:
        #          1: k: |2-      2:    two spaces more   3: é x
        source = "k: |2-\n     héllo\n   é x\n"
        scalar = loaded(source).get("k")
        assert isinstance(scalar, Scalar) and scalar.style is Style.LITERAL
        assert scalar.text == "   héllo\n é x"
        assert (scalar.location.line, scalar.location.column) == (1, 4)
        assert [(scalar.at(i).line, scalar.at(i).column) for i in (0, 3, 8, 9, 10)] == [
            (2, 3), (2, 6), (2, 11), (3, 3), (3, 4),
        ]  # fmt: skip

    def test_folded(self) -> None:
        source = "k: >\n  one\n  two\n\n  three\n"
        scalar = loaded(source).get("k")
        assert isinstance(scalar, Scalar) and scalar.text == "one two\nthree\n"
        assert [(scalar.at(i).line, scalar.at(i).column) for i in (0, 3, 4, 8)] == [(2, 3), (2, 6), (3, 3), (5, 3)]

    def test_single_quotes(self) -> None:
        scalar = loaded("k: 'it''s 4x'\n").get("k")
        assert isinstance(scalar, Scalar) and scalar.text == "it's 4x"
        # k: 'it''s 4x'   i is column 5, the quote 7 (and 8), s 9, the 4 is 11
        assert [scalar.at(i).column for i in (0, 2, 3, 5)] == [5, 7, 9, 11]

    def test_double_quotes(self) -> None:
        scalar = loaded('k: "a\\u00e9b\\\n    c"\n').get("k")
        assert isinstance(scalar, Scalar) and scalar.text == "aébc"
        assert [(scalar.at(i).line, scalar.at(i).column) for i in range(4)] == [(1, 5), (1, 6), (1, 12), (2, 5)]

    def test_plain_over_lines(self) -> None:
        scalar = loaded("k: one\n  two\n\n   three\n").get("k")
        assert isinstance(scalar, Scalar) and scalar.text == "one two\nthree"
        assert [(scalar.at(i).line, scalar.at(i).column) for i in (0, 4, 8)] == [(1, 4), (2, 3), (4, 4)]

    def test_columns_count_characters_and_not_the_byte_order_mark(self) -> None:
        source = "\ufeffé😀: [ü, 12]\r\nb: 3\r\n"
        keys = [key for key, _ in loaded(source).entries]
        items = loaded(source).get("é😀")
        assert [(k.location.line, k.location.column) for k in keys] == [(1, 1), (2, 1)]
        assert isinstance(items, Sequence)
        assert [item.location.column for item in items] == [6, 9]

    @PARSERS
    def test_an_empty_value_is_behind_its_colon_or_dash(self, parser: object) -> None:
        root, _ = compose("a:\n\n# b: c\nd:\n  -\n  - {e: , f: 1}\n", Origin("a"), parser)  # type: ignore[arg-type]
        assert root is not None
        empty = [(s.location.line, s.location.column) for s in leaves(root) if not s.text]
        assert empty == [(1, 3), (5, 4), (6, 8)]


class TestFragments:
    def test_positions_are_those_of_the_file_around_it(self) -> None:
        node = parse_fragment("rows: [a]\ncolumns: b\n", "doc.md", 10, 5)
        assert isinstance(node, Mapping)
        assert [(k.location.line, k.location.column) for k, _ in node.entries] == [(10, 5), (11, 5)]
        assert str(node.location) == "doc.md:10:5"

    def test_lines_may_begin_elsewhere_than_the_first(self) -> None:
        node = parse_fragment("a: b\nc: |\n  d\n", "doc.md", 3, 9, indent=0)
        assert isinstance(node, Mapping)
        text = node.get("c")
        assert isinstance(text, Scalar)
        assert [str(key.location) for key, _ in node.entries] == ["doc.md:3:9", "doc.md:4:1"]
        assert str(text.at(0)) == "doc.md:5:3"

    def test_what_is_refused_in_a_file_is_refused_here(self) -> None:
        found = parse_fragment("a: 1\na: 2\n", "doc.md", 7, 3)
        assert isinstance(found, list)
        message = "key `a` is given twice, first on line 7: keep one"
        assert [(str(d.location), d.message) for d in found] == [("doc.md:8:3", message)]

    def test_an_empty_one_is_refused(self) -> None:
        found = parse_fragment("  \n", "doc.md", 7, 3)
        assert isinstance(found, list) and [str(d.location) for d in found] == ["doc.md:7:3"]


ALIAS = "is an alias: write the value out (text that begins with `*` goes in quotes)"
ANCHOR = "is an anchor: remove it, and write values out (or quote the text)"
TAG = "a tag (`!…`): remove it, or quote the text if it begins with `!`"
SECOND = "a second document begins here: keep one record a file, without `---`"

REFUSED = {
    "a duplicate key": ("a: 1\nb: 2\na: 3\n", [(3, 1, "key `a` is given twice, first on line 1: keep one")]),
    "a nested one": ("a:\n  - {b: 1, b: 2}\n", [(2, 12, "key `b` is given twice, first on line 2: keep one")]),
    "a number and its text": (
        "1: a\n'1': b\n",
        [(2, 1, "key `1` is given twice, first on line 1 (quotes make no difference): keep one")],
    ),
    "three of a kind": (
        "a: 1\na: 2\na: 3\n",
        [(n, 1, "key `a` is given twice, first on line 1: keep one") for n in (2, 3)],
    ),
    "an anchor and an alias": ("a: &x 1\nb: *x\n", [(1, 4, f"`&x` {ANCHOR}"), (2, 4, f"`*x` {ALIAS}")]),
    "an anchored list": ("a: &x\n  - b\n", [(1, 4, f"`&x` {ANCHOR}")]),
    "a tag": ("a: !!str 1\nb: !x {c: d}\n", [(1, 4, TAG), (2, 4, TAG)]),
    "a merge key": ("a:\n  <<: {b: 1}\n", [(2, 3, "`<<` merges another mapping: write the keys out")]),
    "a list as a key": ("? [a]\n: b\n", [(1, 3, "a list or mapping as a key: a key is one word, such as `name:`")]),
    "no key": ("a:\n  : b\n", [(2, 3, "a key is missing before the `:`: write one")]),
    "two documents": ("a: 1\n---\nb: 2\n", [(2, 1, SECOND)]),
    "a directive": ("%YAML 1.1\n---\na: 1\n", [(1, 1, "a YAML directive: remove this line")]),
    "a tab": ("a:\tb\n", [(1, 3, "a tab: write spaces (in double quotes, `\\t` stands for a tab)")]),
    "a NUL": ("a: b\nc: \x00\n", [(2, 4, "a NUL character: this is not a text file, or it is damaged")]),
    "a control character": ("a: \x07\n", [(1, 4, "the control character U+0007: remove it")]),
    "an escaped control character": ('a: "b\\e[31m"\n', [(1, 4, "the control character U+001B: remove it")]),
    "a line separator": ("a: b\u2028c\n", [(1, 5, "a line separator (U+2028): end lines with a plain newline")]),
    "a bare carriage return": ("a: b\rc: d\n", [(1, 5, "a carriage return on its own: end lines with a newline")]),
    "not a number": (
        "a: .nan\nb: [-.inf, .Inf]\n",
        [
            (line, column, f"`{text}` cannot be computed with: write a finite number, or leave the key out")
            for line, column, text in ((1, 4, ".nan"), (2, 5, "-.inf"), (2, 12, ".Inf"))
        ],
    ),
    "too large and too small": (
        "a: 1e400\nb: -1e309\nc: 1e-309\n",
        [
            (line, 4, f"`{text}` is out of range: a number lies between 1e-309 and 1e309 in size")
            for line, text in ((1, "1e400"), (2, "-1e309"), (3, "1e-309"))
        ],
    ),
    "nothing": ("", [(1, 1, "the file is empty: write a record, beginning with `id:`")]),
    "comments alone": ("# a\n", [(1, 1, "the file is empty: write a record, beginning with `id:`")]),
    "a list": ("# a\n- b\n", [(2, 1, "the top level is no mapping: write `key: value` lines, first `id:`")]),
    "a word": ("a\n", [(1, 1, "the top level is no mapping: write `key: value` lines, first `id:`")]),
    "a comma in a mapping": (
        "a: {change: first, to carry}\n",
        [(1, 20, "`to carry` has no `:` behind it: a text with a comma goes in quotes")],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    source, expected = REFUSED[case]
    assert refusals(source) == expected


@pytest.mark.parametrize("case", REFUSED)
def test_the_fallback_parser_refuses_the_same(case: str) -> None:
    source, _ = REFUSED[case]
    fast, slow = (compose(source, Origin("a"), parser)[1] for parser in (libyaml_events, python_events))
    assert fast == slow


def test_an_alias_bomb_is_refused_name_by_name_and_never_grows() -> None:
    levels = ["l0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    levels += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 8)]
    found = refusals("\n".join(levels) + "\n")
    assert len(found) == 8 + 7 * 9  # an anchor a line; nine aliases on each of the seven lines below the first


class TestNesting:
    @staticmethod
    def nested(levels: int) -> str:
        """A mapping, and lists inside it, ``levels`` collections in all."""
        return "a: " + "[" * (levels - 1) + "]" * (levels - 1) + "\n"

    def test_the_deepest_is_read(self) -> None:
        assert loaded(self.nested(DEEPEST))

    def test_one_more_is_refused_at_its_bracket(self) -> None:
        message = "nested more than 64 levels deep: flatten it"
        assert refusals(self.nested(DEEPEST + 1)) == [(1, len("a: ") + DEEPEST, message)]

    def test_a_megabyte_of_brackets_costs_nothing(self) -> None:
        assert len(refusals("a: " + "[" * 1_000_000)) == 1


def test_all_refusals_of_a_file_are_reported_together() -> None:
    result = load_text("a: &x 1\nb: .nan\na: !t 2\n", "a.yaml")
    assert isinstance(result, list)
    assert [(d.location.line, d.location.column) for d in result] == [(1, 4), (2, 4), (3, 1), (3, 4)]
    assert all(isinstance(d, Diagnostic) and d.rule == "yaml" for d in result)
