"""Tables of figures: computed and checked as figures are, rendered as Markdown."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TinyBase
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import amount_text, digits_text, grouped, judge, read
from flopkb.arithmetic.units import parse_unit
from flopkb.base.tables import markdown_table
from flopkb.checking.api import Base
from flopkb.publishing.pages.terminal import plain_markdown

RECORD = """symbols:
  L: {meaning: context, unit: token, domain: {integer: [1, 100000]}}
  B: {meaning: sequences, domain: {integer: [0, 1000]}}
  b: {meaning: bytes of a token, unit: byte, value: 512 KiB}
formulas:
  size: {expr: b*L*B, unit: byte}
  share: {expr: L / B, unit: "1"}
"""


def table(base: TinyBase, directive: str) -> str:
    """The Markdown of a prose field in which the table takes the place of the directive."""
    lines = "".join(f"  {line}\n" for line in ["```flopkb-table", *directive.split("\n"), "```"])
    base.formula("speed", f"{RECORD}derivation: |\n  Before.\n\n{lines}\n  After.\n")
    evaluation = base.evaluate()
    (passage,) = (p for p in evaluation.passages("speed") if p.prose.field == "derivation")
    return plain_markdown(passage, Base(evaluation))


def test_rows_and_columns(base: TinyBase) -> None:
    """2^19 bytes a token: 2,048 tokens are 1 GiB."""
    text = table(base, "formula: size\nrows: {L: [2048, 4096]}\ncolumns: {B: [1, 8]}\nunit: GiB")
    assert text == (
        "Before.\n\n| context | sequences = 1 | sequences = 8 |\n| --- | --- | --- |\n"
        "| 2,048 | 1 GiB | 8 GiB |\n| 4,096 | 2 GiB | 16 GiB |\n\nAfter.\n"
    )


def test_labels_units_digits_and_caption(base: TinyBase) -> None:
    text = table(
        base,
        "formula: share\nrows: {L: [1, 2]}\ncolumns: {B: [3]}\nunit: '%'\ndigits: 3\n"
        "labels: {L: length, B: over …, 2: two}\ncaption: A share.",
    )
    assert "| length | over 3 |\n| --- | --- |\n| 1 | 33.3% |\n| two | 66.7% |\n\nA share.\n" in text


def test_one_column_of_records(base: TinyBase) -> None:
    text = table(base, "formula: cache.ridge\nrows: {accelerator: [gpu]}\nwith: {dtype: bf16}")
    assert "| accelerator | ridge |\n| --- | --- |\n| A part | 200 flop/byte |" in text


def test_over_divides(base: TinyBase) -> None:
    text = table(base, "formula: size\nrows: {L: [2, 3]}\nover: {L: 1}\nunit: x")
    assert "| 2 | 2x |\n| 3 | 3x |" in text


def test_a_table_counts_and_uses_what_it_computes_from(base: TinyBase) -> None:
    before = base.evaluate().recomputed
    base.formula(
        "speed",
        RECORD
        + "derivation: |\n  ```flopkb-table\n  formula: size\n  rows: {L: [1, 2, 3]}\n  columns: {B: [4]}\n  ```\n",
    )
    assert base.evaluate().recomputed == before + 3
    assert base.lines() == []


@pytest.mark.parametrize(
    ("directive", "place", "rule"),
    [
        ("formula: sise\nrows: {L: [1]}", (17, 12), "unknown-figure"),
        ("formula: nowhere.size\nrows: {L: [1]}", (17, 12), "unknown-reference"),
        ("formula: size\nrows: {M: [1]}", (18, 10), "unknown-input"),
        ("formula: size\nrows: {L: [1]}", (17, 12), "missing-input"),
        ("formula: size\nwith: {B: 1}\nrows: {L: [1, 0]}", (19, 17), "outside-domain"),
        ("formula: size\nwith: {B: 1}\nrows: {L: [1, x]}", (19, 17), "unknown-name"),
        ("formula: share\nrows: {L: [1]}\ncolumns: {B: [1, 0]}", (18, 14), "zero-denominator"),
        ("formula: cache.ridge\nrows: {accelerator: [bf16]}\nwith: {dtype: bf16}", (18, 24), "wrong-kind"),
        ("formula: size\nat: nowhere\nrows: {L: [1]}", (18, 7), "unknown-input"),
        ("formula: size\nrows: {L: [1]}\nunit: KB", (19, 9), "bad-table"),
        ("formula: size\nrows: [1, 2]", (18, 9), "bad-table"),
        ("formula: size\nrows: {L: [[1]]}", (18, 13), "bad-table"),
        ("formula: size\nrows: {L: [1]}\ndigits: 99", (19, 11), "bad-table"),
        ("formula: size\nrows: {L: [1]}\nrows: {L: [2]}", (19, 3), "bad-table"),
        ("formula: size\nwith: {B: [1, 2]}\nrows: {L: [1]}", (18, 13), "bad-table"),
        ("just text", (17, 3), "bad-table"),
        ("", (16, 3), "bad-table"),
        ("formula: size\nwith: {B: 1}\nrows: {L: [1]}\ncaption: for 17 things", (20, 16), "bare-number"),
        (
            "formula: size\nwith: {B: 1}\nrows: {L: [1]}\ncaption: '[1 GiB](fig:size?L=1&B=1)'",
            (20, 14),
            "figure-mismatch",
        ),
    ],
)
def test_faults_stand_at_their_places(base: TinyBase, directive: str, place: tuple[int, int], rule: str) -> None:
    table(base, directive)
    found = base.check().diagnostics
    assert [(d.location.line, d.location.column, d.rule) for d in found] == [(*place, rule)], found


def test_each_fault_is_told_once(base: TinyBase) -> None:
    table(base, "formula: size\nrows: {L: [1, 2, 3]}")
    assert len(base.check().diagnostics) == 1


def test_a_cell_that_cannot_be_computed_says_so(base: TinyBase) -> None:
    assert "| 1 | not computed |" in table(base, "formula: size\nrows: {L: [1]}")


def test_a_table_in_a_document(base: TinyBase) -> None:
    from flopkb.base.loading import load_base
    from flopkb.base.pipeline import evaluated, read_texts

    page = base.folder / "page.md"
    lines = [
        "> - ```flopkb-table",
        "  formula: cache.size",
        "  rows: {L: [10]}",
        "  with: {n: 2, b: 2}",
        "  unit: B",
        "  ```",
    ]
    page.write_text("\n> ".join(lines) + "\n")
    texts, _ = read_texts([page], base.folder)
    evaluation = evaluated(load_base(base.records, base.folder), texts)
    (result,) = evaluation.tables["page.md"]
    assert "| 10 | 40 B |" in markdown_table(result, evaluation.kb)


VALUES = st.fractions(min_value=Fraction(1, 10**6), max_value=10**12)


@settings(max_examples=200, deadline=None)
@given(VALUES, st.integers(2, 9), st.sampled_from(["1", "%", "x", "GiB", "GB/s", "flop/byte", "ms"]))
def test_a_cell_is_a_right_quote_of_its_value(value: Fraction, digits: int, unit: str) -> None:
    text = amount_text(value, parse_unit(unit), digits)
    assert judge(read(text), [value], parse_unit(unit)).ok, text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(29537, 100), 4, "295.4"),
        (Fraction(29537, 100), 5, "295.37"),
        (Fraction(123456), 3, "123,456"),
        (Fraction(1, 3), 3, "0.333"),
        (Fraction(0), 3, "0"),
        (Fraction(-12345), 3, "-12,345"),
        (Fraction(2), 3, "2"),
    ],
)
def test_numbers(value: Fraction, digits: int, text: str) -> None:
    assert digits_text(value, digits) == text


@pytest.mark.parametrize(
    ("text", "shown"), [("999", "999"), ("1000", "1,000"), ("0.0001", "0.0001"), ("-1234.5", "-1,234.5")]
)
def test_grouping(text: str, shown: str) -> None:
    assert grouped(text) == shown


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 100000), min_size=1, max_size=4), st.lists(st.integers(1, 1000), min_size=1, max_size=3))
def test_cells_are_what_the_api_computes(base: TinyBase, contexts: list[int], batches: list[int]) -> None:
    axes = f"  rows: {{L: {contexts}}}\n  columns: {{B: {batches}}}\n"
    base.formula("speed", f"{RECORD}derivation: |\n  ```flopkb-table\n  formula: size\n{axes}  ```\n")
    evaluation = base.evaluate()
    (result,) = evaluation.tables["speed"]
    api = Base(evaluation)
    for length, cells in zip(contexts, result.cells, strict=True):
        for batch, cell in zip(batches, cells, strict=True):
            asked = api.evaluate("speed.size", L=length, B=batch).value
            assert cell.value == asked == 524288 * length * batch  # type: ignore[union-attr]
