"""Formulas turned around: the input at which they reach a value, exactly, and the reason where they never do."""

from __future__ import annotations

import json
from fractions import Fraction as F

import pytest
from click.testing import CliRunner, Result
from conftest import TinyBase
from hypothesis import given
from hypothesis import strategies as st

import flopkb
from flopkb.arithmetic.formula import Rational, normal_form, parse
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.greatest import Bound, Outcome
from flopkb.arithmetic.prover.stretches import Stretch, root, stretch
from flopkb.base.faults import BadInput, MissingInput, UnitMismatch, UnknownInput, UnreadInput
from flopkb.commands.main import main


def form_of(text: str) -> Rational:
    return normal_form(parse(text), lambda name: Rational.atom(str(name)))


# Where one comparison holds, against looking at every value.

NUMBER = st.integers(1, 30)
FORMS = st.sampled_from(
    ["{a}*x + {b}", "{a}/x + {b}", "max({a}*x, {b})", "{a} - {b}/x", "min({a}, {b}*x)", "{a}*x/({b} + x)", "1 - x/{a}"]
)


@given(FORMS, NUMBER, NUMBER, st.integers(-5, 400), st.sampled_from(["<=", "<"]), st.integers(1, 90))
def test_a_stretch_is_where_it_holds(form: str, a: int, b: int, limit: int, op: str, last: int) -> None:
    excess = form_of(form.format(a=a, b=b)) - limit
    held = [x for x in range(1, last + 1) if (value := excess.evaluate({"x": F(x)})) < 0 or (op == "<=" and not value)]
    found = stretch(Bound(op, excess), "x", ValueSet(F(1), F(last)).on_grid(F(1)))
    if not held:
        assert found is Outcome.NOWHERE
    else:
        assert isinstance(found, Stretch)
        assert [F(x) for x in held] == [F(x) for x in range(1, last + 1) if found.low <= x <= found.high]
        assert (found.starts, found.ends) == (held[0] > 1, held[-1] < last)


@given(NUMBER, NUMBER, st.integers(1, 10**6))
def test_a_linear_branch_has_an_exact_root(a: int, b: int, value: int) -> None:
    """max(a*x, b) reaches any value above b at value/a."""
    found = root(form_of(f"max({a}*x, {b})") - (b + value), "x", ValueSet(F(1, 10**9), F(10**9)))
    assert found == F(b + value, a)


# Questions to a base.

BASE = (
    "symbols:\n"
    "  B: {meaning: batch, unit: sequence, domain: {integer: [1, 4096]}}\n"
    "  L: {meaning: context, unit: token, domain: {integer: [1, 1000000]}}\n"
    "  rate: {meaning: bandwidth, unit: byte/s, from: accelerator.memory_bandwidth,"
    " domain: {rational: [1, 1000000000000000]}}\n"
    "  memory: {meaning: memory, unit: byte, from: accelerator.memory_capacity}\n"
    "  start: {meaning: what is read always, unit: byte, value: 1 GB}\n"
    "  item: {meaning: what a token takes, unit: byte/token, value: 100 kB/token}\n"
    "  least: {meaning: least time, unit: s, value: 1 ms}\n"
    "formulas:\n"
    "  bytes: {expr: start + item*B*L, unit: byte}\n"
    "  time: {expr: bytes / rate, unit: s, requires: [{that: bytes <= memory, else: it does not fit}]}\n"
    "  free: {expr: bytes / rate, unit: s}\n"
    '  each: {expr: "max(free, least) / B", unit: s/sequence}\n'
    '  waves: {expr: "L - 900*floor(L/1000)", unit: token}\n'
    "  kept: {expr: item*L, unit: byte/sequence, assumes: [{that: L <= 1000, else: longer than tried}]}\n"
    "  twice: {expr: 2*kept, unit: byte/sequence}\n"
)
GPU = {"accelerator": "gpu"}  # 1 TB/s and 80 GB


@pytest.fixture
def turned(base: TinyBase) -> TinyBase:
    base.formula("turned", BASE)
    return base


def found(base: TinyBase, statement: str, name: str, **inputs: str) -> object:
    return flopkb.load(base.records).solve(statement, name, **inputs)


def ask(base: TinyBase, *words: str) -> Result:
    return CliRunner().invoke(main, ["solve", *words, "--records", str(base.records)])


def rate_of(base: TinyBase) -> F:
    return flopkb.load(base.records).fact("gpu.memory_bandwidth").bases[0]


def test_the_last_context_within_a_time(turned: TinyBase) -> None:
    """At rate R a time of 2 ms is R/500 bytes, of which 10**9 are there from the first; a token is 100,000."""
    rate = rate_of(turned)
    answer = flopkb.load(turned.records).solve("turned.free <= 2 ms", "L", B="1", **GPU)
    meets = (rate / 500 - 10**9) / 10**5
    assert answer.value == meets // 1
    assert answer.exact == (meets if meets.denominator > 1 else None)


def test_an_input_of_any_number_is_exact(turned: TinyBase) -> None:
    """(10**9 + 10**5 * 3 * 1000) bytes in 7 ms, whatever the part records."""
    answer = flopkb.load(turned.records).solve("turned.free = 7 ms", "rate", B="3", L="1000", **GPU)
    assert answer.value == F(13 * 10**8) / F(7, 1000) and not answer.rounded


def test_what_it_requires_stops_it(turned: TinyBase) -> None:
    """80 GB hold (80*10**9 - 10**9) / 10**5 tokens, and a time of ten minutes would hold more."""
    answer = flopkb.load(turned.records).solve("turned.time <= 600 s", "L", B="1", **GPU)
    assert (answer.value, answer.words) == (790000, "beyond it it does not fit")


def test_one_that_holds_throughout_says_so(turned: TinyBase) -> None:
    done = ask(turned, "turned.free <= 600 s", "for", "L", "B=1", "accelerator=gpu")
    assert done.exit_code == 0
    assert done.stdout.startswith("no limit up to 1,000,000 token: at L = 1,000,000 token turned.free is ")


def test_what_an_inner_formula_assumes_is_said(turned: TinyBase) -> None:
    """Twice 10**5 bytes a token are 10**9 at 5000 tokens."""
    short, long = (flopkb.load(turned.records).solve(f"turned.twice <= {most}", "L") for most in ("0.1 GB", "1 GB"))
    assert (short.value, short.assumes) == (500, ())
    assert (long.value, long.assumes) == (5000, ("longer than tried (L is 5000 token, not at most 1000)",))


def test_a_symbol_alone_may_be_a_side_and_reads_its_role(turned: TinyBase) -> None:
    """80 GB hold 79*10**9 / 10**5 tokens."""
    done = ask(turned, "turned.bytes <= memory", "for", "L", "B=1", "accelerator=gpu")
    assert done.stdout.startswith("L = 790,000 token\n"), done.output


def test_a_role_that_neither_side_reads_is_refused(turned: TinyBase) -> None:
    done = ask(turned, "turned.bytes <= 2 GB", "for", "L", "B=1", "accelerator=gpu")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "does not read accelerator" in done.stderr


def test_never_and_why(turned: TinyBase) -> None:
    done = ask(turned, "turned.bytes <= 1 GB", "for", "L", "B=1")
    assert done.exit_code == 1 and not done.stdout
    assert done.stderr.startswith("flopkb: never: at L = 1 token turned.bytes is 1")
    done = ask(turned, "turned.bytes = 1 TB", "for", "B", "L=1", "--format", "json")
    told = json.loads(done.stdout)
    assert done.exit_code == 1 and told["reason"].startswith("never: at B = 1 sequence turned.bytes is 1")
    done = ask(turned, "turned.bytes = 4 GB", "for", "rate", "L=1", "B=1")
    assert done.exit_code == 1 and "rate does not move it" in done.stderr


def test_of_whole_numbers_the_first_at_or_past_it(turned: TinyBase) -> None:
    """10**9 + 10**5*1000*B reaches 1.25 GB at B = 2.5."""
    done = ask(turned, "turned.bytes", "=", "1.25 GB", "for", "B", "L=1000", "--format", "json")
    told = json.loads(done.stdout)
    assert (told["name"], told["value"], told["unit"], told["meets_at"]) == ("B", "3", "sequence", "5/2")
    assert told["words"] == "the first at or past it"


def test_two_formulas_meet(turned: TinyBase) -> None:
    """10**9 + 10**8*B is 3*10**9 at B = 20."""
    answer = flopkb.load(turned.records).solve("turned.bytes = 3*start", "B", L="1000")
    assert answer.value == 20


def test_several_values_make_a_table(turned: TinyBase) -> None:
    done = ask(turned, "turned.bytes = 2 GB for B", "L=1000,2000", "--format", "csv")
    rows = [line.split(",")[:3] for line in done.stdout.splitlines()]
    assert rows == [["L", "value", "unit"], ["1000", "10", "sequence"], ["2000", "5", "sequence"]]


@pytest.mark.parametrize(
    ("statement", "name", "inputs", "fault", "part"),
    [
        ("turned.bytes = 3 s", "B", {"L": "1"}, UnitMismatch, "3 s"),
        ("turned.bytes = 3 GB", "Q", {"L": "1"}, UnknownInput, "no symbol Q"),
        ("turned.bytes = 3 GB", "B", {}, MissingInput, "L"),
        ("turned.bytes = 3 GB", "B", {"L": "1", "B": "2"}, BadInput, "leave out B=2"),
        ("turned.bytes = 3 GB", "B", {"L": "1", "rate": "2"}, UnreadInput, "rate"),
        ("turned.waves <= 500", "L", {}, BadInput, "may hold, fail and hold again"),
        ("turned.bytes 3 GB", "B", {"L": "1"}, object, "is no statement"),
        ("3 GB = 4 GB", "B", {}, object, "names no formula"),
    ],
)
def test_what_cannot_be_asked(
    turned: TinyBase, statement: str, name: str, inputs: dict[str, str], fault: type, part: str
) -> None:
    with pytest.raises(flopkb.FlopkbError) as caught:
        found(turned, statement, name, **inputs)
    assert isinstance(caught.value.fault, fault)
    assert part in str(caught.value)


def test_without_for_the_usage_is_told(turned: TinyBase) -> None:
    done = ask(turned, "turned.bytes = 3 GB", "B")
    assert done.exit_code == 2 and "write FORMULA = VALUE for NAME" in done.stderr
