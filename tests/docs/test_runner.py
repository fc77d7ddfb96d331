"""The runner of examples itself: what it takes for a command, and what it takes for the same output."""

from __future__ import annotations

import pytest

from .examples import Command, commands, matches
from .rewrite import current


def test_a_session_is_commands_with_what_they_print() -> None:
    session = "$ one\nprinted\n  more\n$ two \\\n  goes on\n$ three\nlast\n"
    assert list(commands(session)) == [
        Command("one", "printed\n  more\n"),
        Command("two \\\n  goes on", ""),
        Command("three", "last\n"),
    ]


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("a\nb\n", "a\nb\n"),
        ("a\n...\n", "a\nb\nc\n"),
        ("...\nc\n", "a\nb\nc\n"),
        ("a\n  ...\nc\n", "a\nc\n"),
        ("a\n", "a  \n\n"),
        (
            "3 records, 5 figures recomputed, 0 findings in 9.9 s\n",
            "4 records, 50 figures recomputed, 0 findings in 0.1 s\n",
        ),
    ],
)
def test_the_same_output(said: str, printed: str) -> None:
    assert matches(said, printed)


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("", "a\n"),
        ("a\n", ""),
        ("a\n", "a\nb\n"),
        ("a\n...\n", "b\na\n"),
        ("a.c\n", "abc\n"),
        ("x ... y\n", "x z y\n"),
        ("3 records, 0 findings in 9.9 s\n", "3 records, 1 finding in 9.9 s\n"),
        ("4 figures recomputed\n", "5 figures recomputed\n"),
    ],
)
def test_another_output(said: str, printed: str) -> None:
    assert not matches(said, printed)


@pytest.mark.parametrize(
    ("said", "printed", "now"),
    [
        ("old\n", "new\nlines\n", "new\nlines\n"),
        ("a.yaml:3:1: x is wrong\n...\n", "first\na.yaml:4:1: x is wrong\nlast\n", "a.yaml:4:1: x is wrong\n...\n"),
        ("", "anything\n", ""),
        ("a\n...\n", "a\nb\n", "a\n...\n"),
    ],
)
def test_bringing_an_output_up_to_date(said: str, printed: str, now: str) -> None:
    assert current(Command("c", said), printed) == now
