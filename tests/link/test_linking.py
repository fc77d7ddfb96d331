"""Names and links: what each stands for, and where a reader is told what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TinyBase
from evaluate.texts import base_of

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.faults import Blocked, nearest, round_trip
from flopkb.base.link import Computation, FigureTarget, FormulaRef, SymbolAtom, ValueAtom
from flopkb.base.link.names import left_out

BODY = (
    "symbols:\n  a: {meaning: one, domain: {integer: [1, 9]}}\n  b: {meaning: other, value: 2}\n"
    'formulas:\n  twice: {expr: 2*a, unit: "1"}\n  more: {expr: twice + b, unit: "1"}\n'
    "points:\n  here: {a: 3}\n  there: {a: 4, model: llm}\n"
    "figures:\n  six: {formula: twice, at: here}\n"
)


def test_names_of_an_expression_are_symbols_formulas_and_values(base: TinyBase) -> None:
    base.formula("f", BODY.replace("twice + b", "twice + b*gpu.memory_capacity / accelerator.memory_capacity"))
    kb = base.evaluate().kb
    body = kb.formulas[FormulaRef("f", "more")].body
    assert body is not None
    assert {str(name): target for name, target in body.targets.items()} == {
        "twice": FormulaRef("f", "twice"),
        "b": SymbolAtom("f", "b"),
        "gpu.memory_capacity": ValueAtom("gpu", "memory_capacity"),
        "accelerator.memory_capacity": ValueAtom("accelerator", "memory_capacity"),
    }


def test_the_leaves_of_a_formula_are_followed_through_formulas() -> None:
    kb = base_of(f=BODY).kb
    assert set(kb.leaves(FormulaRef("f", "more"))) == {SymbolAtom("f", "a"), SymbolAtom("f", "b")}


def test_a_link_to_a_name_is_the_figure_and_with_inputs_a_computation(base: TinyBase) -> None:
    base.formula(
        "f", f"{BODY}derivation: |\n  [6](fig:six), [6](fig:f.six), [6](fig:twice?here), [10](fig:twice?a=5).\n"
    )
    targets = [result.quote.target for result in base.evaluate().quotes["f"]]
    assert targets[:2] == [FigureTarget("f", "six")] * 2
    assert all(isinstance(target, Computation) and target.formula == FormulaRef("f", "twice") for target in targets[2:])
    assert [target.bindings[0].values[0].text for target in targets[2:] if isinstance(target, Computation)] == [
        "3",
        "5",
    ]


def test_a_point_is_looked_up_where_the_formula_is_then_where_the_link_is(base: TinyBase) -> None:
    """Of a point of the own record only roles reach the other record's formula."""
    base.formula("f", BODY)
    base.formula(
        "g",
        'symbols:\n  n: {meaning: one}\nformulas:\n  id: {expr: n, unit: "1"}\n'
        "points:\n  mine: {model: llm, kv_dtype: bf16, n: 9}\n"
        "derivation: |\n  [6](fig:f.twice?here), [160 bytes](fig:cache.size?mine&L=10), [9](fig:id?mine).\n",
    )
    assert [line for line in base.lines() if "g.yaml" in line] == []


@pytest.mark.parametrize(
    ("link", "column", "words"),
    [
        ("fig:f.sixx", 13, "no figure or formula f.sixx; did you mean six?"),
        ("fig:ff.six", 11, "names ff, which is no record of the base"),
        ("fig:f.twice?hree", 19, "f has no point hree; did you mean here?"),
        ("fig:f.twice?aa=3", 19, "f has no input aa; did you mean a?"),
        ("fig:f.twice?a=3&model=lm", 29, "model names lm"),
        ("in:f.six.b", 16, "f.six has no input b"),
        ("in:f.seven.a", 12, "f has no point or figure seven"),
        ("fact:gpu.memory_band", 16, "gpu records no memory_band; did you mean memory_bandwidth?"),
        ("fact:gpu.memory_bandwidth@paper", 33, "gpu records no memory_bandwidth by paper"),
        ("fig:", 10, "names nothing"),
    ],
)
def test_a_faulty_link_is_told_at_the_word_that_is_wrong(link: str, column: int, words: str, base: TinyBase) -> None:
    """In line 18, ``  [6](`` ends in column 6: the link begins in column 7."""
    base.formula("f", f"{BODY}derivation: |\n  [6]({link}), [4](fig:twice?a=2), [6](fig:six).\n")
    found = [d for d in base.check().diagnostics if d.rule != "unused-value" and d.rule != "unused-definition"]
    assert [(d.location.line, d.location.column) for d in found] == [(18, column)], found
    assert words in found[0].message


def test_a_claim_that_is_not_made_is_told_at_its_name(base: TinyBase) -> None:
    base.formula(
        "f", f"{BODY}derivation: |\n  It [holds](claim:f.no), and so is [6](fig:six) with [4](fig:twice?a=2).\n"
    )
    assert [line for line in base.lines() if "unused" not in line] == [
        "records/formulas/f.yaml:18:22: error: unknown-claim: there is no claim f.no; add it under claims:"
    ]


def test_a_document_names_the_record_and_may_cite_what_it_likes(base: TinyBase) -> None:
    from flopkb.base.pipeline import evaluated_base

    base.formula("f", f"{BODY}derivation: |\n  [6](fig:six).\n")
    page = base.folder / "page.md"
    page.write_text("# Title\n\n[6](fig:f.six), [6](fig:six), [7](fig:f.six) [@someone_else].\n", encoding="utf-8")
    evaluation = evaluated_base(base.records, base.folder, [page])
    from flopkb.checking.check import check

    found = [
        (d.location.line, d.location.column, d.rule)
        for d in check(evaluation).diagnostics
        if d.location.path == "page.md"
    ]
    assert found == [(3, 21, "bad-link"), (3, 32, "figure-mismatch")]


def test_an_entry_that_was_left_out_blocks_and_is_not_unknown(base: TinyBase) -> None:
    base.formula("f", BODY.replace("six: {formula", "six: {fromula"))
    evaluation = base.evaluate()
    record = evaluation.kb.records["f"]
    assert left_out(record, "figures.six") and not left_out(record, "figures.seven")
    base.formula("g", 'formulas:\n  one: {expr: f.more, unit: "1"}\nderivation: |\n  [6](fig:f.six).\n')
    quotes = [result.quote for result in base.evaluate().quotes["g"]]
    assert isinstance(quotes[0].target, Blocked)


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("memory_bandwith", ["memory_bandwidth", "memory_capacity"], "memory_bandwidth"),
        ("expression", ["expr", "unit"], "expr"),
        ("e", ["expr", "unit"], None),
        ("gap", [], None),
        ("units", ["unit", "united"], "unit"),
    ],
)
def test_the_nearest_word_is_what_was_meant(word: str, known: list[str], meant: str | None) -> None:
    assert nearest(word, known) == meant


def test_a_cycle_reads_the_same_wherever_it_is_entered() -> None:
    assert round_trip(("b", "c", "a")) == round_trip(("c", "a", "b")) == ("a", "b", "c", "a")


def test_the_place_of_a_quote_is_that_of_its_first_character(base: TinyBase) -> None:
    base.formula("f", f"{BODY}derivation: |\n  It is\n  **[6](fig:six)**.\n")
    (quote,) = (result.quote for result in base.evaluate().quotes["f"])
    assert quote.location == Location("records/formulas/f.yaml", 19, 6)
    source = Path(base.records / "formulas" / "f.yaml").read_text(encoding="utf-8").splitlines()
    assert source[18][5] == "6"
