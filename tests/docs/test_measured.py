"""README and docs quote counts and measurements from a file, and the counts in it are those of today."""

from __future__ import annotations

import json

from conftest import REPOSITORY, line_of

from benchmarks.measured import counts
from flopkb.base.pipeline import evaluated_base
from flopkb.checking.check import check
from flopkb.checking.rules import RULES

QUOTING = ("README.md", "docs/mutation.md", "docs/readme_numbers.md")


def test_the_documents_say_what_the_file_holds() -> None:
    base = evaluated_base(REPOSITORY / "records", REPOSITORY, [REPOSITORY / name for name in QUOTING])
    found = check(base, [rule for rule in RULES if not rule.claims]).diagnostics
    assert [line_of(each) for each in found] == []
    linked = {name: len(base.quotes[name]) for name in QUOTING}
    assert linked["README.md"] >= 5 and linked["docs/mutation.md"] >= 10 and linked["docs/readme_numbers.md"] >= 4


def test_the_counts_are_those_of_the_base() -> None:
    held = json.loads((REPOSITORY / "docs" / "measured.json").read_text(encoding="utf-8"))
    assert held["base"] == counts(), "run make docs"
