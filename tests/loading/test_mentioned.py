"""What of a base a question needs: the records that its words reach, and of these the entries."""

from __future__ import annotations

from flopkb.base.loading.mentioned import needed

FORMULAS = """\
id: cache
kind: formula
name: The cache
formulas:
  size: {expr: width*L}
  width: {expr: 2*n}
  other: {expr: unrelated.thing}
points:
  small: {model: tiny}
  large: {model: huge}
figures:
  kept: {formula: size, at: small}
  other: {formula: size, at: large}
claims:
  - id: mentions
    formula: unrelated.thing
notes: |
  A word on huge.
"""
TEXTS = {
    "cache": FORMULAS,
    "unrelated": "id: unrelated\nkind: formula\nformulas:\n  thing: {expr: 2}\n",
    "tiny": "id: tiny\nkind: model\nname: Tiny-1B\naliases: [The Tiny]\nconfig_source: paper\n",
    "huge": "id: huge\nkind: model\nname: Huge\n",
    "words": "id: words\nkind: vocabulary\nsymbols:\n  L: {meaning: context}\n  n: {else: m}\n  m: {}\n  z: {}\n",
    "paper": "id: paper\nkind: source\n",
}


def test_records_that_a_formula_reaches_and_no_more() -> None:
    assert set(needed(TEXTS, ["cache.size", "model", "the tiny"])) == {"cache", "words", "tiny"}


def test_entries_that_are_not_read_are_empty_lines() -> None:
    found = needed(TEXTS, ["cache.size"])
    lines = dict(enumerate(found["cache"].splitlines(), 1))
    assert {number: line for number, line in lines.items() if line} == {
        number: line for number, line in enumerate(FORMULAS.splitlines(), 1) if number <= 6
    }
    assert found["words"] == TEXTS["words"].replace("  z: {}\n", "\n")


def test_a_figure_brings_its_point_and_what_stands_there() -> None:
    found = needed(TEXTS, ["cache.kept"])
    assert set(found) == {"cache", "words", "tiny"}
    assert "small: {model: tiny}" in found["cache"] and "large" not in found["cache"]


def test_a_section_in_another_style_is_read_whole() -> None:
    odd = {**TEXTS, "cache": "id: cache\nkind: formula\nformulas: {size: {expr: 2}, other: {expr: huge.x}}\n"}
    assert set(needed(odd, ["cache.size"])) == {"cache", "words", "huge"}


def test_a_record_whose_file_has_another_name() -> None:
    assert set(needed({"file": TEXTS["tiny"]}, ["tiny"])) == {"file"}
    reached = {"cache": "id: cache\nkind: formula\nformulas:\n  a: {expr: tiny.x}\n", "file": TEXTS["tiny"]}
    assert set(needed(reached, ["cache.a"])) == {"cache", "file"}
