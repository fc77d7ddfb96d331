"""docs/promise.md and docs/security.md: sentences, each with tests that are there and are run."""

from __future__ import annotations

import ast
import re

from conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "promise.md").read_text(encoding="utf-8")
SECURITY = (REPOSITORY / "docs" / "security.md").read_text(encoding="utf-8")
PROMISED, _, NOT_PROMISED = PAGE.partition("## What it does not promise")
SENTENCES = re.findall(r"^([0-9]+)\. (.*?)(?=^[0-9]+\. |\Z)", PROMISED, re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_there_are_ten_and_each_names_a_test() -> None:
    assert [int(number) for number, _ in SENTENCES] == list(range(1, 11))
    assert all(NAMED.search(text) and text.startswith("**") for _, text in SENTENCES)
    assert len(NOT_PROMISED.split("\n- **")) > 5


def test_each_promise_to_those_who_take_pull_requests_names_a_test() -> None:
    promised = SECURITY.partition("## What a pull request")[0]
    sentences = re.findall(r"^([0-9]+)\. (.*?)(?=^[0-9]+\. |\Z)", promised, re.MULTILINE | re.DOTALL)
    assert [int(number) for number, _ in sentences] == list(range(1, 10))
    assert all(NAMED.search(text) and text.startswith("**") for _, text in sentences)


def test_each_named_test_is_there_and_is_not_skipped() -> None:
    for file, name in NAMED.findall(PAGE + SECURITY):
        tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
        found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
        assert len(found) == 1, (file, name)
        marks = "".join(ast.unparse(mark) for mark in found[0].decorator_list)
        assert name.startswith("test_") and "skip" not in marks and "xfail" not in marks, (file, name)
