"""Inequalities that no link ties: between numbers they are decided, in records and in documents."""

from __future__ import annotations

import pytest
from conftest import TinyBase

from flopkb.base.pipeline import evaluated_base
from flopkb.checking.check import check

DECIDED = [
    ("`9 < 64/8`", False),
    ("`9 > 64/8`", True),
    ("`8 <= 64/8 <= 1`", False),
    ("`8 <= 64/8 < 2**4`", True),
    ("`3 GB < 4 GiB`", True),
    ("`3 GB > 4 GiB`", False),
    ("`5 GB < 4 s`", False),
    (r"$8 \le 64/8 \le 1$", False),
    (r"$64/8 \neq 8$", False),
    ("`a < b > c`", True),  # no numbers: nothing is said
    ("`List<int>`", True),
    ("`2 -> 1`", True),
    ("`x > 3`", True),  # a condition
    ("`L=128k B=1`", True),  # two assignments, and no 128 kB
    ("`eval size L>=2k B<=1`", True),
    ("`1 KiB > 2 KiB x=3`", False),
]


@pytest.mark.parametrize(("text", "holds"), DECIDED)
def test_in_documents(base: TinyBase, text: str, holds: bool) -> None:
    page = base.folder / "page.md"
    page.write_text(f"It is {text} here.\n\n```\n{text.strip('`$')}\n```\n", encoding="utf-8")
    result = check(evaluated_base(base.records, base.folder, [page]))
    found = [d.rule for d in result.diagnostics]
    assert found == ([] if holds else ["equation-mismatch"] * 2)


@pytest.mark.parametrize(("text", "holds"), [case for case in DECIDED if case[0].startswith("`")])
def test_in_records(base: TinyBase, text: str, holds: bool) -> None:
    base.formula("speed", f"formulas:\n  f: {{expr: 64/8, unit: '1'}}\nderivation: |\n  It is {text} here.\n")
    found = [d.rule for d in base.check().diagnostics]
    assert ("equation-mismatch" in found) is not holds


def test_an_inequality_in_symbols_with_a_number_is_to_be_tied(base: TinyBase) -> None:
    body = "symbols:\n  q: {meaning: q, domain: {integer: [1, 9]}}\nformulas:\n  f: {expr: 64/q, unit: '1'}\n"
    base.formula("speed", body + "derivation: |\n  It is `f <= 64` here.\n")
    assert [d.rule for d in base.check().diagnostics] == ["untied-equation"]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("7B * 2 bytes = 13.04 GiB", True),
        ("7B * 2 bytes = 14 GiB", False),
        ("16 GB * 2 = 32 ms", False),
        ("8 * 80 GB = 640 TB", False),
        ("80 GB / 3.35 TB/s = 23.9 ms", True),
        ("80 GB / 3.35 TB/s = 23.9 GB", False),
    ],
)
def test_units_balance_in_an_equation_of_a_record(base: TinyBase, text: str, right: bool) -> None:
    base.formula("speed", f"formulas:\n  f: {{expr: 64/8, unit: '1'}}\nderivation: |\n  It is `{text}` here.\n")
    assert ("equation-mismatch" in [d.rule for d in base.check().diagnostics]) is not right


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("`f = 2*q*3 = 6*q`", "derivation-mismatch"),  # the scanner proves its last relation; f is 64/q
        ("`f = 2*32/q = 64/q`", "untied-equation"),
    ],
)
def test_a_relation_beside_one_that_is_read_is_no_read_one(base: TinyBase, text: str, rule: str) -> None:
    body = "symbols:\n  q: {meaning: q, domain: {integer: [1, 9]}}\nformulas:\n  f: {expr: 64/q, unit: '1'}\n"
    base.formula("speed", body + f"derivation: |\n  It is {text} here.\n")
    assert [d.rule for d in base.check().diagnostics] == [rule]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("`f > 64`", ["derivation-mismatch"]),  # q runs from 1 to 9: f is 64 at most
        (r"$f \lt \frac{f}{2}$", ["derivation-mismatch"]),
        ("`f != 2*f/2`", ["derivation-mismatch"]),
        ("`q < f`", []),  # where q is 1; a condition
        ("`q < other`", []),
    ],
)
def test_a_bound_in_symbols_that_holds_nowhere_is_wrong_without_a_link_too(
    base: TinyBase, text: str, rules: list[str]
) -> None:
    body = "symbols:\n  q: {meaning: q, domain: {integer: [1, 9]}}\nformulas:\n  f: {expr: 64/q, unit: '1'}\n"
    base.formula("speed", body + f"derivation: |\n  It is {text} here.\n")
    assert [d.rule for d in base.check().diagnostics if d.rule != "bare-number"] == rules


def test_an_amount_given_to_a_name_in_code_is_to_be_tied(base: TinyBase) -> None:
    base.formula(
        "speed",
        "formulas:\n  f: {expr: 64/8, unit: '1'}\nfigures:\n  eight: {formula: f}\nderivation: |\n"
        "  It is `x = 81 GB` here,\n  `n = 3` there, `gpu.memory_capacity = 80 GB` and `eight = 8`,\n  not `eight = 9` ([8](fig:eight)).\n",
    )
    found = [(d.rule, d.location.line) for d in base.check().diagnostics]
    assert found == [("untied-equation", 11), ("equation-mismatch", 13)]
