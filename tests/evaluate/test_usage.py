"""What is used: by what values move with, and what cannot be told because something faulty may use it."""

from __future__ import annotations

import pytest
from conftest import TinyBase


def rules(base: TinyBase) -> list[str]:
    return [f"{d.location.path.rsplit('/', 1)[1]}:{d.location.line} {d.rule}" for d in base.check().diagnostics]


OTHER = (
    "id: other\nkind: accelerator\nname: Another\nstatus: verified\nupdated: 2026-01-05\nvendor: Maker\n"
    "memory_bandwidth: {value: 1000 GB/s, basis: recorded, source: sheet, as_printed: 1000 GB/s}\n"
    "memory_capacity: {value: 10 GB, basis: recorded, source: sheet, as_printed: 10 GB}\n"
)
SIX = 'formulas:\n  six: {expr: 2*3, unit: "1"}\n'


def test_a_value_is_used_by_a_figure_that_moves_with_it(base: TinyBase) -> None:
    base.write("accelerators/other.yaml", OTHER)
    base.formula(
        "f", f"{SIX}derivation: |\n  [0.16 ns](fig:cache.time?model=llm&kv_dtype=bf16&L=10&accelerator=other).\n"
    )
    assert rules(base) == ["other.yaml:8 unused-value"]


def test_a_value_that_only_one_branch_reads_is_used(base: TinyBase) -> None:
    """The larger of the two wins, but the other could."""
    base.write("accelerators/other.yaml", OTHER)
    base.formula(
        "f",
        'formulas:\n  most: {expr: "max(other.memory_capacity, 2*other.memory_capacity)", unit: byte}\n'
        "  rate: {expr: other.memory_bandwidth, unit: byte/s}\n"
        "derivation: |\n  [20 GB](fig:most), [1 TB/s](fig:rate).\n",
    )
    assert rules(base) == []


def test_a_formula_alone_uses_nothing(base: TinyBase) -> None:
    """A formula is a way to compute; only what is computed or quoted needs the values."""
    base.write("accelerators/other.yaml", OTHER)
    base.formula("f", "formulas:\n  both: {expr: other.memory_capacity / other.memory_bandwidth, unit: s}\n")
    assert rules(base) == ["other.yaml:7 unused-value", "other.yaml:8 unused-value"]


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("formulas:\n  x: {expr: 2*, unit: byte}\nnotes: |\n  [1](fact:other.memory_capacity\n", False),
        ("name: [the part other\n", True),
        ("name: [no part at all\n", False),
    ],
)
def test_what_an_unreadable_file_mentions_is_not_called_unused(text: str, silent: bool, base: TinyBase) -> None:
    base.write("accelerators/other.yaml", OTHER)
    base.formula("f", text)
    found = [line for line in rules(base) if "unused-value" in line]
    assert found == ([] if silent else ["other.yaml:7 unused-value", "other.yaml:8 unused-value"])


def test_what_a_part_left_out_of_a_record_mentions_is_not_called_unused(base: TinyBase) -> None:
    base.write("accelerators/other.yaml", OTHER)
    base.formula(
        "f",
        f"{SIX}figures:\n  it: {{fromula: cache.ridge, with: {{accelerator: other, dtype: bf16}}}}\n",
    )
    assert rules(base) == ["f.yaml:9 schema"]


def test_elsewhere_in_such_a_base_what_is_unused_is_told(base: TinyBase) -> None:
    base.write("accelerators/other.yaml", OTHER)
    base.formula("f", f"symbols:\n  idle: {{meaning: nothing}}\n{SIX}colour: red\n")
    assert rules(base) == [
        "other.yaml:7 unused-value",
        "other.yaml:8 unused-value",
        "f.yaml:7 unused-definition",
        "f.yaml:10 schema",
    ]


def test_a_source_that_is_only_meant_is_not_called_unused(base: TinyBase) -> None:
    base.write(
        "sources/paper.yaml",
        "id: paper\nkind: source\nname: P\nstatus: verified\nupdated: 2026-01-05\nsource_kind: paper\ntitle: P\n"
        'authors: ["Doe, J."]\nyear: 2025\nlocator:\n  arxiv: "2501.00001"\n',
    )
    base.formula("f", f"sources: [papr]\n{SIX}")
    assert rules(base) == ["f.yaml:6 unknown-reference"]
