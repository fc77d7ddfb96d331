"""Broken YAML: one plain sentence, where the repair is made, from either parser."""

from __future__ import annotations

import pytest

from flopkb.base.loading.tree import Origin, compose, libyaml_events, python_events

INDENT = "the indentation does not match the lines above, where `key: value` is expected"

BROKEN = {
    "a colon in text": (
        "a: b: c\n",
        (1, 5, "`: ` in unquoted text: put the whole text in quotes, or indent it right"),
    ),
    "a link at the start": (
        "a: [295x](fig:gap) below\n",
        (1, 10, "text that begins with `[` is read as a list: put the whole text in quotes"),
    ),
    "a brace at the start": (
        "a: {x: 1} and more\n",
        (1, 11, "text that begins with `{` is read as a mapping: put the whole text in quotes"),
    ),
    "text behind quotes": (
        'a: "b" c\n',
        (1, 8, "text after the closing quote: put the whole text in one pair of quotes"),
    ),
    "an open bracket": (
        "a: [1\nb: 2\n",
        (2, 2, "`[` from line 1 needs a `,` or its `]` here (quote text that has brackets)"),
    ),
    "a bracket open to the end": ("a: [b,\n  c\n\n", (2, 4, "`[` from line 1 is never closed: add its `]`")),
    "an open quote": ('a: 1\nb: "c\nd: e\n', (2, 4, "this quote is never closed: add the closing one")),
    "a line without a key": (
        "a: b\nc\nd: 3\n",
        (2, 1, "expected `key: value`; text that goes on from the line above is indented"),
    ),
    "an at sign": ("a: @b\n", (1, 4, "text that begins with `@` must be in quotes")),
    "a backtick": ("a: `b` c\n", (1, 4, "text that begins with ``` must be in quotes")),
    "a per cent sign": ("a: %b\n", (1, 4, "text that begins with `%` must be in quotes")),
    "an unknown escape": (
        'a: "b\\qc"\n',
        (1, None, "an unknown escape after `\\`: double it (`\\\\`), or use single quotes"),
    ),
    "a list on the key's line": (
        "a: - b\n",
        (1, 4, "a list cannot begin on the line of its key: put each `- ` on its own line"),
    ),
    "a key among items": ("a:\n  - b\n c: 1\n", (3, 2, INDENT)),
    "text behind the record": (
        "{a: 1}\nb\n",
        (2, 1, "text after the end of the record: remove it, or check the indentation"),
    ),
    "a colon without a key": ("a:\n  b: 1\n  : c\n", (3, 3, "a key is missing before the `:`: write one")),
    "a missing item": (
        "a: [b, , c]\n",
        (1, 8, "a value is missing before this `,`: write it, or quote text that has brackets"),
    ),
}


@pytest.mark.parametrize("parser", [libyaml_events, python_events], ids=["libyaml", "python"])
@pytest.mark.parametrize("case", BROKEN)
def test_sentence(case: str, parser: object) -> None:
    source, (line, column, message) = BROKEN[case]
    _, found = compose(source, Origin("a.yaml"), parser)  # type: ignore[arg-type]
    first = found[0]
    assert (first.location.line, first.message) == (line, message)
    assert column is None or first.location.column == column  # the parsers differ by one at an escape


@pytest.mark.parametrize(
    ("source", "column"), [("a: *bold* text\n", 4), ("a: [http://x.org]\n", 9), ("a: |x\n b\n", 5), ("a: !<b c\n", 4)]
)
def test_other_syntax_errors_are_on_their_line(source: str, column: int) -> None:
    _, found = compose(source, Origin("a.yaml"), libyaml_events)
    assert [(d.location.line, d.location.column) for d in found] == [(1, column)]
    assert "while scanning" not in found[0].message and "expected alphabetic" not in found[0].message
