"""What a schema finds: one message a fault, at its place, saying what to do."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.base.document import Document, Mapping, Node, Scalar, Sequence, Style
from flopkb.base.schema import read_records, validate

from .reading import VALID, build, document, found, of_kind, valid

NAMES = sorted(path.stem for path in VALID.glob("*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_right_record_has_no_finding(name: str) -> None:
    assert validate(valid(name)) == []
    assert build(valid(name)) is not None


class TestNumbersAndWords:
    def test_numbers_with_exponents_are_numbers_everywhere(self) -> None:
        source = of_kind("model", "num_parameters: 1e9\nnum_experts: {value: 989.4e12, basis: unverified}\n")
        assert found(source) == []

    def test_a_quoted_number_names_field_and_line(self) -> None:
        source = of_kind("model", "num_hidden_layers: '32'\n")
        message = "`num_hidden_layers` is a number in quotes: remove the quotes around `32`"
        assert found(source) == [f"7:20: {message}"]

    def test_a_plain_word_is_not_said_to_be_in_quotes(self) -> None:
        wanted = "write a whole number, or a mapping with `value` and `basis`"
        assert found(of_kind("model", "num_hidden_layers: many\n")) == [
            f"7:20: `num_hidden_layers` is `many`: {wanted}"
        ]

    def test_an_empty_value(self) -> None:
        """It says what the field is, not what its form is: whoever left it blank did not get the form wrong."""
        message = "`num_hidden_layers` is empty: fill in number of transformer layers, such as `32`"
        assert found(of_kind("model", "num_hidden_layers:\n")) == [f"7:19: {message}"]

    @pytest.mark.parametrize("word", ["no", "on", "off", "NO", "2026-11-29", "yes"])
    def test_words_stay_words(self, word: str) -> None:
        assert found(of_kind("accelerator", f"memory_type: {word}\n")) == []

    @pytest.mark.parametrize(
        "date", ["2024-99-99", "2023-02-29", "2024-1-1", "20240101", "2024-W01-1", "2024-01-01T00:00"]
    )
    def test_a_date_is_a_day_of_the_calendar(self, date: str) -> None:
        source = of_kind("model", "").replace("2026-11-29", f"'{date}'")
        assert found(source) == [f"5:10: `updated` is `{date}`: write a day of the calendar as YYYY-MM-DD"]

    def test_a_leap_day(self) -> None:
        assert found(of_kind("model", "").replace("2026-11-29", "2024-02-29")) == []

    @pytest.mark.parametrize("body", ["name: |\n  A\n", "superseded_by: |\n  abc\n", "config_source: >\n  abc\n"])
    def test_no_pattern_lets_a_newline_follow(self, body: str) -> None:
        source = of_kind("model", body).replace("name: A\n", "" if body.startswith("name") else "name: A\n")
        field = body.split(":")[0]
        assert len(found(source)) == 1
        assert f"`{field}` ends with a newline: write it on one line, without `|`" in found(source)[0]


class TestKeys:
    def test_an_unknown_key_says_which_was_meant(self) -> None:
        source = of_kind("accelerator", "memory_bandwith: {value: 1 GB/s, basis: unverified}\n")
        assert found(source) == ["7:1: unknown key `memory_bandwith`; did you mean `memory_bandwidth`?"]

    def test_a_misspelt_required_key_is_one_fault(self) -> None:
        source = of_kind("model", "").replace("status:", "staus:")
        assert found(source) == ["4:1: unknown key `staus`; did you mean `status`?"]

    def test_a_key_like_none_shows_the_keys_there_are(self) -> None:
        source = of_kind("dtype", "zzz: 1\n")
        (message,) = found(source)
        assert message.startswith("8:1: unknown key `zzz`: remove it, or use one of id, kind, name,")

    def test_the_key_meant_is_one_that_is_not_there_yet(self) -> None:
        source = of_kind("formula", "formulas:\n  x: {expr: n, unit: byte, unitt: byte, writen: [X]}\n")
        assert found(source) == [
            "7:28: unknown key `unitt` in `formulas.x`; did you mean `unit`?",
            "7:41: unknown key `writen` in `formulas.x`; did you mean `written`?",
        ]

    def test_a_missing_key_points_at_its_parent(self) -> None:
        source = of_kind("formula", "formulas:\n  x:\n    unit: byte\n")
        message = "`formulas.x` needs one of expr, cases, greatest: add one"
        assert found(source) == [f"7:3: {message}"]

    def test_a_number_as_a_key_is_an_unknown_key(self) -> None:
        assert found(of_kind("dtype", "16: 1\n"))[0].startswith("8:1: unknown key `16`")

    def test_the_kind_decides_and_comes_first(self) -> None:
        known = "workload_class, formula, vocabulary, accelerator, interconnect, model, dtype, source"
        assert found("id: a\nnonsense: 1\n") == [f"1:1: missing key `kind`: add one of {known}"]
        assert found("id: a\nkind: [model]\n") == [f"2:7: `kind` is a list: write one of {known}"]
        assert found("id: a\nkind: modle\n") == ["2:7: `kind` is `modle`; did you mean `model`?"]


CLAIM = "formulas:\n  x: {expr: n, unit: byte}\nclaims:\n  - id: c\n"


class TestClaims:
    """A typo in one variant gives one message about that variant."""

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            (
                "    formula: x\n    independant_of: [n]\n",
                "unknown key `independant_of` in `claims.c`; did you mean `independent_of`?",
            ),
            ("    at_mots: [x, 2]\n", "unknown key `at_mots` in `claims.c`; did you mean `at_most`?"),
            (
                "    formula: x\n    tends_to: 2\n    ass: {n: 0}\n",
                "unknown key `ass` in `claims.c`; did you mean `as`?",
            ),
            ("    formla: x\n    equals: 2\n", "unknown key `formla` in `claims.c`; did you mean `formula`?"),
            (
                "    at_most: [x]\n",
                "`claims.c.at_most` has 1 entry: write the two sides, such as `[ai, roofline.ridge]`",
            ),
            (
                "    at_most: x <= 2\n",
                "`claims.c.at_most` is `x <= 2`: write the two sides, such as `[ai, roofline.ridge]`",
            ),
            (
                "    formula: x\n    tends_to: 2\n    as: {n: infinite}\n",
                "`claims.c.as.n` is `infinite`: write a number or `infinity`",
            ),
            (
                "    formula: x\n    equals: 2\n    at_most: [x, 2]\n",
                "`at_most` beside `equals` in `claims.c`: keep one of them",
            ),
        ],
    )
    def test_one_message(self, body: str, expected: str) -> None:
        messages = [line.split(": ", 1)[1] for line in found(of_kind("formula", CLAIM + body))]
        assert messages == [expected]


class TestManyFaults:
    def test_each_is_reported_in_the_order_of_the_file(self) -> None:
        source = of_kind("accelerator", "tdp: 700\nconfidence: 2\nboost: 1\naliases: [A, A]\n").replace("draft", "drat")
        assert [line.split(":")[0] for line in found(source)] == ["4", "7", "8", "9", "10"]

    def test_no_message_is_long_and_none_dumps_the_record(self) -> None:
        figures = "".join(f"  figure_number_{n}: {{formula: x, wiht: {{n: {n}}}}}\n" for n in range(200))
        long_names = f"  {'n' * 300}: {{formula: x}}\n  f: {{formula: {'y' * 500}, {'k' * 400}: 1}}\n"
        source = of_kind("formula", f"formulas:\n  x: {{expr: n, unit: byte}}\nfigures:\n{figures}{long_names}")
        diagnostics = validate(document(source))
        assert len(diagnostics) == 203  # one a figure, a name that is too long, a formula that is, an unknown key
        assert all(len(d.message) < 300 for d in diagnostics)

    def test_one_fault_of_the_same_value_is_reported_once(self) -> None:
        assert len(found(of_kind("model", f"superseded_by: '{'A' * 200}'\n"))) == 1  # too long, and of the wrong form

    def test_what_a_dispute_is_about_must_be_there(self) -> None:
        source = of_kind("model", "disputed:\n  head_dim: [{value: 64, source: card}]\n")
        message = "`disputed.head_dim` disputes nothing: add `head_dim` with the value that stands, or remove this"
        assert found(source) == [f"8:3: {message}"]


def test_no_socket_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    documents = [valid(name) for name in NAMES]
    assert read_records(documents)[2] == []


class TestReadRecords:
    def test_a_broken_record_hides_no_other(self) -> None:
        broken = document(
            "id: b-c\nkind: model\nname: B\nstatus: draft\nupdated: 2026-11-29\ndeveloper: D\n", "x/b.yaml"
        )
        records, names, diagnostics = read_records([valid("everything_dtype"), broken, valid("smallest")])
        assert [record.id for record in records] == ["everything_dtype", "smallest"]
        assert names == {"b-c", "b"}
        assert [d.location.path for d in diagnostics] == ["x/b.yaml"]

    @pytest.mark.parametrize("line", ["id: a", "kind: model", "status: draft"])
    def test_without_id_kind_or_status_there_is_no_record(self, line: str) -> None:
        source = of_kind("model", "").replace(line + "\n", "")
        records, names, diagnostics = read_records([document(source)])
        assert (records, len(diagnostics)) == ([], 1)
        assert "a" in names

    @pytest.mark.parametrize("body", ["zzz: 1\n", "confidence: 2\n", "updated: never\n", "name: [A]\n"])
    def test_with_any_other_fault_there_is(self, body: str) -> None:
        source = of_kind("model", "")
        key = body.split(":")[0]
        source = "".join(line for line in source.splitlines(True) if not line.startswith(key + ":")) + body
        record = build(document(source))
        assert record is not None and record.id == "a"
        assert record.dropped == {key}


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3000),
    st.fractions(),
    st.sampled_from(["", "a", "A b", "x <= 1", "1", "|\n"]),
)


def scalar(value: object, at: Node) -> Scalar:
    return Scalar(at.location, value, "" if value is None else str(value), Style.PLAIN)  # type: ignore[arg-type]


@st.composite
def damaged(draw: st.DrawFn) -> Document:
    """A right record in which a few nodes were replaced, removed, renamed or doubled."""
    original = valid(draw(st.sampled_from(NAMES)))
    root: Node = original.root
    for _ in range(draw(st.integers(1, 3))):
        root = _damage(root, draw)
    assert isinstance(root, Mapping)
    return Document(original.path, original.source, root)


def _damage(node: Node, draw: st.DrawFn, depth: int = 0) -> Node:
    children = len(node.entries) if isinstance(node, Mapping) else len(node.items) if isinstance(node, Sequence) else 0
    if not children or (depth and draw(st.integers(0, 3)) == 0):
        new = scalar(draw(VALUES), node)
        nodes: list[Node] = [new, Sequence(node.location, (new, new)), Mapping(node.location, ((new, new),))]
        return draw(st.sampled_from(nodes))
    at = draw(st.integers(0, children - 1))
    how = draw(st.sampled_from(["below", "below", "below", "remove", "rename"]))
    if isinstance(node, Mapping):
        entries = list(node.entries)
        key, value = entries.pop(at)
        if how == "rename":
            key = scalar(draw(st.sampled_from(["zzz", key.text + "x", key.text[1:]])), key)
        if how != "remove" and key.text not in [k.text for k, _ in entries]:
            entries.insert(at, (key, _damage(value, draw, depth + 1) if how == "below" else value))
        return Mapping(node.location, tuple(entries))
    assert isinstance(node, Sequence)
    items = list(node.items)
    item = items.pop(at)
    if how == "below":
        items.insert(at, _damage(item, draw, depth + 1))
    return Sequence(node.location, tuple(items))


@given(damaged())
def test_no_damage_is_too_much(broken: Document) -> None:
    lines = broken.source.split("\n")
    for diagnostic in validate(broken):
        assert 0 < len(diagnostic.message) < 300 and "\n" not in diagnostic.message
        assert 1 <= diagnostic.location.line <= len(lines)
    record = build(broken)
    if record is not None:
        assert all(prose.scalar.text for prose in record.prose)
