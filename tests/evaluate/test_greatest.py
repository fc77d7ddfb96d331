"""Greatest values: searched exactly where a condition holds up to a value and not beyond, and refused elsewhere."""

from __future__ import annotations

import json
from fractions import Fraction as F

import pytest
from click.testing import CliRunner
from conftest import TinyBase
from hypothesis import given
from hypothesis import strategies as st

import flopkb
from flopkb.arithmetic.formula import Rational, normal_form, parse
from flopkb.arithmetic.prover import ValueSet, listed
from flopkb.arithmetic.prover.greatest import Bound, Outcome, greatest, plainly_rises
from flopkb.base.faults import BadInput, NoLimit, NotApplicable, UnreadInput
from flopkb.commands.main import main

# The search, against looking at every value.

WHOLE = st.integers(1, 40)


@st.composite
def growing(draw: st.DrawFn, depth: int = 3) -> str:
    """Expressions in ``x`` that never fall: sums, products, quotients by a number, rounding, least and greatest."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.one_of(st.just("x"), WHOLE.map(str)))
    left, right = draw(growing(depth=depth - 1)), draw(growing(depth=depth - 1))
    form = draw(
        st.sampled_from(
            ["{a} + {b}", "({a})*({b})", "min({a}, {b})", "max({a}, {b})", "floor(({a})/{k})", "ceil(({a})/{k})"]
        )
    )
    return form.format(a=left, b=right, k=draw(WHOLE))


def form_of(text: str) -> Rational:
    return normal_form(parse(text), lambda name: Rational.atom(str(name)))


@given(growing(), st.integers(-5, 2000), st.sampled_from(["<=", "<"]), st.integers(1, 200))
def test_the_greatest_is_the_greatest(text: str, limit: int, op: str, last: int) -> None:
    form = form_of(text) - limit
    holding = [x for x in range(1, last + 1) if (v := form.evaluate({"x": F(x)})) < 0 or (v == 0 and op == "<=")]
    wanted = Outcome.EVERYWHERE if len(holding) == last else holding[-1] if holding else Outcome.NOWHERE
    domain = ValueSet(F(1), F(last)).on_grid(F(1))
    assert greatest([Bound(op, form)], "x", domain) == wanted
    assert plainly_rises(form, domain)


@given(growing(), growing(), st.integers(1, 60))
def test_what_is_found_by_looking_holds_up_to_it_and_not_beyond(one: str, other: str, last: int) -> None:
    form = form_of(f"({one}) - ({other})")
    held = [form.evaluate({"x": F(x)}) <= 0 for x in range(1, last + 1)]
    found = greatest([Bound("<=", form)], "x", ValueSet(F(1), F(last)).on_grid(F(1)))
    if isinstance(found, F):
        assert all(held[: int(found)]) and not any(held[int(found) :])
    elif found is Outcome.NOWHERE:
        assert not any(held)
    elif found is Outcome.EVERYWHERE:
        assert held[-1]
    else:
        assert any(held) and held != sorted(held, reverse=True)


def test_a_large_domain_is_not_looked_through() -> None:
    """10**12 values: bisection asks for forty of them."""
    form = form_of("floor(x/3)*7 + min(x, 1000) - 10**9")
    domain = ValueSet(F(1), F(10**12)).on_grid(F(1))
    found = greatest([Bound("<=", form)], "x", domain)
    assert isinstance(found, F)
    assert form.evaluate({"x": found}) <= 0 < form.evaluate({"x": found + 1})


def test_a_list_of_values_is_searched_too() -> None:
    assert greatest([Bound("<=", form_of("x - 5"))], "x", listed([F(1), F(4), F(8)])) == 4


def test_one_that_may_hold_again_is_no_greatest() -> None:
    domain = ValueSet(F(1), F(10**6)).on_grid(F(1))
    assert greatest([Bound("<=", form_of("x - 900*floor(x/1000) - 500"))], "x", domain) is Outcome.UNKNOWN


# Formulas.

BASE = (
    "symbols:\n"
    "  L: {meaning: context, unit: token, domain: {integer: [1, 1000000]}}\n"
    "  window: {meaning: window, unit: token, domain: {integer: [1, 1000000]}}\n"
    "  each: {meaning: bytes of a token, unit: byte/token, domain: {integer: [1, 1000000000]}}\n"
    "  weights: {meaning: weights, unit: byte, domain: {integer: [1, 1000000000000]}}\n"
    "  memory: {meaning: memory, unit: byte, from: accelerator.memory_capacity}\n"
    "  trained: {meaning: longest, unit: token, from: model.max_position_embeddings}\n"
    "formulas:\n"
    '  kept: {expr: "min(L, window)", unit: token, assumes: [{that: L <= trained, else: trained context exceeded}]}\n'
    "  footprint: {expr: weights + each*(L + kept), unit: byte}\n"
    "  windowed: {expr: weights + each*kept, unit: byte}\n"
    "  longest: {greatest: L, such_that: footprint <= memory, unit: token}\n"
    "  endless: {greatest: L, such_that: windowed <= memory, unit: token}\n"
)
GIVEN = {"window": "10", "each": "1000", "weights": "70000000000", "accelerator": "gpu"}  # 80 GB: 10**7 tokens' worth


@pytest.fixture
def room(base: TinyBase) -> TinyBase:
    base.formula("room", BASE)
    return base


def found(base: TinyBase, formula: str, **changed: str) -> flopkb.FigureValue:
    return flopkb.load(base.records).evaluate(formula, **{**GIVEN, **changed})


def refused(base: TinyBase, formula: str, **changed: str) -> object:
    with pytest.raises(flopkb.FlopkbError) as caught:
        found(base, formula, **changed)
    return caught.value.fault


def test_the_longest_that_fits(room: TinyBase) -> None:
    """10 GB for tokens of 100,000 bytes, 10 of them twice: 100,000 - 10."""
    assert found(room, "room.longest", each="100000").value == 99990


def test_where_it_holds_throughout_there_is_no_limit(room: TinyBase) -> None:
    fault = refused(room, "room.endless")
    assert isinstance(fault, NoLimit)
    assert str(fault) == "room.endless has no limit up to 1000000 token: windowed <= memory at every L"


def test_where_it_holds_nowhere_it_is_not_applicable(room: TinyBase) -> None:
    fault = refused(room, "room.longest", weights="80000000000")
    assert isinstance(fault, NotApplicable) and not isinstance(fault, NoLimit)
    assert fault.told == (
        "footprint <= memory does not hold even at L = 1 token: footprint is 80.000002 GB and memory 80 GB"
    )


def test_the_words_for_nowhere(base: TinyBase) -> None:
    base.formula(
        "room", BASE.replace("such_that: footprint <= memory,", "such_that: footprint <= memory, else: too big,")
    )
    fault = refused(base, "room.longest", weights="80000000000")
    assert isinstance(fault, NotApplicable)
    assert (fault.words, fault.detail) == (
        "too big",
        "even at L = 1 token footprint is 80.000002 GB and memory 80 GB",
    )


def test_the_symbol_is_nobody_s_to_bind(room: TinyBase) -> None:
    fault = refused(room, "room.longest", L="5", each="100000")
    assert isinstance(fault, UnreadInput) and fault.name == "L"


def test_what_is_assumed_is_assumed_of_the_answer(room: TinyBase) -> None:
    model = (room.records / "models" / "llm.yaml").read_text()
    room.write("models/llm.yaml", model.replace("head_dim: 100\n", "head_dim: 100\nmax_position_embeddings: 99990\n"))
    assert found(room, "room.longest", each="100000", model="llm").assumes == ()
    (line,) = found(room, "room.longest", each="50000", model="llm").assumes
    assert line == "trained context exceeded (L is 199990 token, not at most trained, which is 99990 token)"


def test_one_that_comes_and_goes_is_refused(room: TinyBase) -> None:
    odd = 'odd: {expr: "weights + each*(L - 900*floor(L/1000))", unit: byte}\n'
    room.formula("room", f"{BASE}  {odd}  last: {{greatest: L, such_that: odd <= memory, unit: token}}\n")
    fault = refused(room, "room.last", each="20000000")
    assert isinstance(fault, BadInput) and "may hold, fail and hold again as L grows" in str(fault)


def test_no_expression_and_no_claim_names_it(room: TinyBase) -> None:
    room.formula(
        "other",
        "formulas:\n  twice: {expr: 2*room.longest, unit: token}\nclaims:\n  - {id: a, at_least: [room.longest, 0]}\n",
    )
    lines = [line for line in room.lines() if "other" in line]
    why = "longest is found by search, so no expression can name it: ask for it in a figure, a link or a table"
    assert [line.split(": ", 3)[2] for line in lines] == ["formula-syntax", "claim-invalid"]
    assert all(why in line for line in lines)


def test_figures_ratios_and_tables_of_it(room: TinyBase) -> None:
    room.formula(
        "other",
        'formulas:\n  one: {expr: 1, unit: "1"}\n'
        "figures:\n"
        "  it: {formula: room.longest, with: {window: 10, each: 100000, weights: 70 GB, accelerator: gpu}}\n"
        "  more: {formula: room.longest, with: {window: 10, each: 100000, weights: 70 GB, accelerator: gpu},"
        " over: {each: 200000}}\n"
        "derivation: |\n  [99,990](fig:it), [2.0002](fig:more), [1](fig:one).\n\n"
        "  ```flopkb-table\n  formula: room.longest\n"
        "  with: {window: 10, weights: 70 GB, accelerator: gpu}\n  rows: {each: [100000, 100, 200]}\n  ```\n",
    )
    assert [line for line in room.lines() if "other" in line] == []
    (table,) = room.evaluate().tables["other"]
    cells = [cell for row in table.cells for cell in row]
    assert cells[0].value == 99990  # type: ignore[union-attr]
    assert isinstance(cells[1], NoLimit) and isinstance(cells[2], NoLimit)


def test_eval_says_what_it_was_searched_with(room: TinyBase) -> None:
    inputs = [f"{name}={value}" for name, value in {**GIVEN, "each": "100000"}.items()]
    done = CliRunner().invoke(main, ["eval", "room.longest", *inputs, "--verbose", "--records", str(room.records)])
    assert done.stdout.splitlines()[0] == "99,990 token"
    assert any(
        line.strip().startswith("memory = accelerator.memory_capacity = 80 GB") for line in done.stdout.splitlines()
    )
    done = CliRunner().invoke(
        main, ["eval", "room.endless", *inputs, "--format", "json", "--records", str(room.records)]
    )
    told = {"value": None, "text": "no limit up to 1000000 token: windowed <= memory at every L", "assumes": []}
    assert (done.exit_code, json.loads(done.stdout)) == (0, told)
    done = CliRunner().invoke(main, ["eval", "room.endless", *inputs, "--records", str(room.records)])
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, told["text"])
