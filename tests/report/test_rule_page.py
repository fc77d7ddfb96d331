"""The pages of the rules are what the rules and their fixtures say."""

from __future__ import annotations

from pathlib import Path

import pytest

from flopkb.checking.rule_page import all_pages, fixtures_folder, rule_page
from flopkb.checking.rules import RULES

DOCUMENT = Path(__file__).parents[2] / "docs" / "rules.md"


def test_the_document_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == all_pages(fixtures_folder()), "run make docs"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_page_has_the_documentation_and_an_example_of_both_kinds(rule: object) -> None:
    page = rule_page(rule, fixtures_folder())  # type: ignore[arg-type]
    assert page.startswith(f"## {rule.id}\n")  # type: ignore[attr-defined]
    assert "\nFound (" in page and "\nFine (" in page
