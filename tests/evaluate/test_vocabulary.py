"""Symbols of a vocabulary: declared once, the same in every record, so that they flow; what narrows them."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from conftest import TinyBase
from hypothesis import given
from hypothesis import strategies as st

import flopkb
from flopkb.arithmetic.prover import NOTHING, ValueSet, listed
from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import Proved
from flopkb.base.faults import MissingInput, OutsideDomain, UnreadInput

WORDS = (
    "id: words\nkind: vocabulary\nname: Words\nstatus: verified\nupdated: 2026-01-05\nsymbols:\n"
    "  B: {meaning: sequences, unit: sequence, domain: {integer: [1, 64]}}\n"
    "  heads: {meaning: heads, from: model.num_key_value_heads, domain: {integer: [1, 64]}}\n"
    "  wide: {meaning: width of a key, from: model.head_dim, domain: {integer: [1, 1024]}}\n"
    "  wide_v: {meaning: width of a value, from: model.v_head_dim, else: wide, domain: {integer: [1, 1024]}}\n"
    "  most: {meaning: memory, unit: byte, from: [accelerator.l2_cache_size, accelerator.memory_capacity]}\n"
)
INNER = (
    "symbols:\n  own: {meaning: rows, domain: {integer: [1, 9]}}\n"
    'formulas:\n  rows: {expr: B*own, unit: "1"}\n  width: {expr: B*(wide + wide_v), unit: "1"}\n'
)
OUTER = (
    'formulas:\n  twice: {expr: 2*inner.width, unit: "1"}\n  all: {expr: 2*inner.rows, unit: "1"}\n'
    "  room: {expr: most/B, unit: byte}\n"
)


@pytest.fixture
def words(base: TinyBase) -> TinyBase:
    """A base with a vocabulary, a record whose formulas use it, and one that asks that record's formulas."""
    base.write("vocabularies/words.yaml", WORDS)
    base.formula("inner", INNER)
    base.formula("outer", OUTER)
    return base


def asked(base: TinyBase, formula: str, **inputs: str | int) -> F:
    return flopkb.load(base.records).evaluate(formula, **inputs).value


def refused(base: TinyBase, formula: str, **inputs: str | int) -> object:
    with pytest.raises(flopkb.FlopkbError) as caught:
        asked(base, formula, **inputs)
    return caught.value.fault


def test_what_is_bound_reaches_the_formulas_of_other_records(words: TinyBase) -> None:
    """2*B*(wide + wide_v) = 2*3*(100 + 20)."""
    assert asked(words, "outer.twice", B=3, wide=100, wide_v=20) == 720


def test_a_role_gives_it_in_every_record(words: TinyBase) -> None:
    """The model of the neutral base has heads of 100, and values as wide as keys."""
    assert asked(words, "outer.twice", B=3, model="llm") == 2 * 3 * (100 + 100)


def test_a_symbol_of_another_record_s_own_does_not_flow(words: TinyBase) -> None:
    assert asked(words, "inner.rows", B=3, own=2) == 6
    fault = refused(words, "outer.all", B=3)
    assert isinstance(fault, MissingInput) and fault.names == ("inner.own",)
    assert "add" not in str(fault) and "inner.FORMULA(own=...)" in str(fault)


def test_a_missing_one_is_named_as_it_is_given(words: TinyBase) -> None:
    fault = refused(words, "outer.twice", wide=1, wide_v=1)
    assert isinstance(fault, MissingInput) and fault.names == ("B",)


def test_one_that_the_formula_does_not_read_is_refused(words: TinyBase) -> None:
    fault = refused(words, "outer.twice", B=3, wide=1, wide_v=1, heads=2)
    assert isinstance(fault, UnreadInput) and (fault.name, fault.formula) == ("heads", "outer.twice")


def test_the_definition_stands_where_the_record_has_no_such_field(words: TinyBase) -> None:
    assert asked(words, "inner.width", B=1, model="llm") == 200
    assert asked(words, "inner.width", B=1, model="llm", wide=7) == 14
    assert asked(words, "inner.width", B=1, model="llm", wide_v=7) == 107
    words.change("models/llm.yaml", {"head_dim: 100\n": "head_dim: 100\nv_head_dim: 60\n"})
    assert asked(words, "inner.width", B=1, model="llm") == 160


def test_the_definition_is_no_default_where_no_record_is_asked(words: TinyBase) -> None:
    fault = refused(words, "inner.width", B=1, wide=7)
    assert isinstance(fault, MissingInput) and fault.names == ("model",)


def test_of_several_sources_the_first_that_is_recorded_counts(words: TinyBase) -> None:
    assert asked(words, "outer.room", B=2, accelerator="gpu") == 40 * 10**9
    part = (words.records / "accelerators" / "gpu.yaml").read_text()
    words.write("accelerators/gpu.yaml", part + "l2_cache_size: {value: 2 MB, basis: unverified}\n")
    assert asked(words, "outer.room", B=2, accelerator="gpu") == 10**6


def test_points_and_figures_carry_it_into_other_records(words: TinyBase) -> None:
    words.formula(
        "third",
        "points:\n  here: {B: 3, wide: 100, wide_v: 20}\n"
        "figures:\n  it: {formula: outer.twice, at: here}\n  ratio: {formula: outer.twice, at: here, over: {B: 1}}\n"
        'formulas:\n  one: {expr: 1, unit: "1"}\n'
        "derivation: |\n  [720](fig:it), [3](fig:ratio), [720](fig:outer.twice?here), [3](in:here.B).\n",
    )
    assert [line for line in words.lines() if "third" in line] == []


def test_claims_are_about_it_in_every_record(words: TinyBase) -> None:
    words.formula(
        "third",
        'formulas:\n  one: {expr: outer.twice/B, unit: "1"}\n'
        "claims:\n"
        "  - {id: grows, formula: outer.twice, proportional_to: [B]}\n"
        "  - {id: fixed, formula: one, independent_of: [B]}\n"
        "  - {id: bounded, at_most: [outer.twice, 8192], domains: {B: {one_of: [1, 2]}}}\n"
        "  - {id: given, at_most: [outer.twice, 4096], given: {B: 1}}\n",
    )
    base = words.evaluate()
    verdicts = dict(claims_of(base).of_record(base.kb.records["third"]))
    assert [name for name, verdict in verdicts.items() if not isinstance(verdict, Proved)] == []


def test_the_domain_of_a_record_holds_for_its_formulas_wherever_they_are_asked(words: TinyBase) -> None:
    words.formula("inner", "domains:\n  wide: {integer: [1, 128]}\n" + INNER)
    assert asked(words, "outer.twice", B=1, wide=128, wide_v=1) == 258
    fault = refused(words, "outer.twice", B=1, wide=129, wide_v=1)
    assert isinstance(fault, OutsideDomain) and fault.domain == "integers from 1 to 128 in inner"


@pytest.mark.parametrize("hide", ["kind: vocabulary\n  bad", "kind: vocabulary\nkind: vocabulary"])
def test_a_vocabulary_that_cannot_be_read_is_the_only_one_to_blame(words: TinyBase, hide: str) -> None:
    words.write("vocabularies/words.yaml", WORDS.replace("kind: vocabulary", hide))
    rules = {
        found.rule for found in words.check().diagnostics if found.location.path != "records/vocabularies/words.yaml"
    }
    assert rules <= {"claim-invalid", "unused-definition"}, words.lines()


def test_a_word_that_cannot_be_read_is_the_only_one_to_blame(words: TinyBase) -> None:
    words.change("vocabularies/words.yaml", {"B: {meaning": "B: {meening"})
    assert [line.split(" ")[2] for line in words.lines()] == ["schema:", "unused-definition:"][:1]


NUMBERS = st.integers(-8, 8).map(lambda halves: F(halves, 2))


@st.composite
def value_sets(draw: st.DrawFn) -> ValueSet:
    """Lists, ranges and grids."""
    if draw(st.booleans()):
        return listed(sorted(draw(st.sets(NUMBERS, max_size=6))))
    low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
    found = ValueSet(low, high)
    step = draw(st.sampled_from([None, F(1), F(1, 2), F(2), F(3, 2)]))
    return found if step is None else found.on_grid(step)


def members(values: ValueSet) -> set[F]:
    """Every quarter between -4 and 4 that is in the set: enough to tell these sets apart."""
    return {F(k, 4) for k in range(-16, 17) if not values.empty and values.holds(F(k, 4))}


@given(value_sets(), value_sets())
def test_a_set_is_within_another_where_all_its_values_are(narrow: ValueSet, wide: ValueSet) -> None:
    assert narrow.within(wide) == (members(narrow) <= members(wide))
    assert NOTHING.within(wide) and narrow.within(narrow)
    assert narrow.meet(wide).within(narrow) and narrow.meet(wide).within(wide)
