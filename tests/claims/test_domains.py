"""Domains that make a claim no claim, each located and told at once; and what narrows a domain."""

from __future__ import annotations

import time

import pytest
from conftest import TinyBase

from claims.claiming import SYMBOLS, decided, example, record, sides, verdict
from flopkb.base.claims.verdicts import ClaimVerdict, Invalid, Proved, Refuted

WIDTH = "  width: {meaning: bytes, unit: byte, from: kv_dtype.bytes, domain: {one_of: [1, 2, 4]}}\n"


def reason(found: ClaimVerdict) -> str:
    assert isinstance(found, Invalid), found
    assert found.location.line > 0
    return found.reason


FAULTS = [
    ("no domain", "at_most: [x, free]", "x", "free has no domain"),
    ("no domain of what cancels in a quotient", "formula: f, equals: x", "x*free/free", "free has no domain"),
    ("a quotient that cancels", "formula: f, equals: 1", "z/z", "divides by z, which is zero at z = 0"),
    ("a zero at the boundary", "at_most: ['x/z', 1000]", "x", "zero at z = 0"),
    ("a zero inside", "at_most: ['1/(x - v)', 1000]", "x", "divides by x - v"),
    ("a zero between boundaries", "at_least: ['1/(big - 4711)**2', 0]", "x", "zero at big = 4711"),
    ("a zero of a negative power", "at_least: ['z**-2', 0]", "x", "zero at z = 0"),
    ("a zero in a condition", "at_most: [x, 1000], where: 'x/z > 1'", "x", "zero at"),
    ("a zero at what is given", "formula: f, equals: 1, given: {x: 5}", "(x - 5)/(x - 5)", "zero"),
    ("contradicting conditions", "at_most: [x, v], where: [x > v, x < v]", "x", "satisfies the conditions"),
    ("a condition outside the domain", "at_most: [x, v], where: x < 1", "x", "satisfies the conditions"),
    ("an unknown symbol", "formula: f, independent_of: [w]", "x", "no symbol w"),
    ("a misspelt symbol", "formula: f, independent_of: [bigg]", "x", "did you mean big?"),
    ("an unknown name in a side", "at_most: [w, x]", "x", "w is no symbol"),
    ("an unknown formula", "formula: g, equals: x", "x", "g is no symbol"),
    ("an unknown role", "at_most: [x, v], over: {modell: [llm]}", "x", "no input modell; did you mean model?"),
    ("a role without an order", "formula: f, increasing_in: [dtype]", "x", "has no order"),
    ("a symbol that is given", "formula: f, increasing_in: [x], given: {x: 3}", "x", "x is given"),
    ("given outside the domain", "at_most: [x, v], given: {x: 1001}", "x", "outside its domain"),
    ("given between the values", "at_most: [c, v], given: {c: 3}", "x", "outside its domain"),
    ("no multiple", "at_most: [q, v], given: {q: 9, p: 4}", "x", "not a multiple"),
    ("a part that is not named", "at_most: [accelerator.memory_bandwidth, x]", "x", "which accelerator"),
    ("too large a power", "at_most: [x, 10**10**10]", "x", "exponent"),
    ("too large a product", "at_least: [(x + v + z + c + p + q + big)**16*(x + v)**16, 0]", "x", "split"),
    ("no sense in the expression", "at_most: [x, v +]", "x", "ends behind"),
]


@pytest.mark.parametrize(("claim", "expr", "words"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_what_is_no_claim_is_told_at_its_place_and_at_once(base: TinyBase, claim: str, expr: str, words: str) -> None:
    began = time.process_time()
    assert words in reason(verdict(base, claim, expr))
    assert time.process_time() - began < 2


def test_the_same_large_power_in_a_formula(base: TinyBase) -> None:
    record(base, "{id: it, formula: f, equals: x}", 'f: {expr: "10**10**10", unit: "1"}')
    found = decided(base)["it"]
    assert isinstance(found, Invalid) and found.blocked  # the formula is reported at its own place
    assert any("t.yaml:1" in line and "formula-syntax" in line for line in base.lines())


@pytest.mark.parametrize(
    ("domain", "words"),
    [
        ("{integer: [5, 1]}", "is empty"),
        ("{rational: [2, 1]}", "is empty"),
        ("{integer: [1, 5], multiple_of: 7}", "is empty"),
        ("{integer: [1, 5], multiple_of: other}", "is no symbol"),
    ],
)
def test_an_empty_domain_is_told_where_it_is_declared(base: TinyBase, domain: str, words: str) -> None:
    symbols = f"\nsymbols:\n  x: {{meaning: a number, domain: {domain}}}\n"
    found = verdict(base, "at_most: [x, 3]", symbols=symbols)
    assert words in reason(found)
    assert isinstance(found, Invalid) and found.location.line == 7


def test_multiples_in_a_circle(base: TinyBase) -> None:
    symbols = (
        "\nsymbols:\n  x: {meaning: a number, domain: {integer: [1, 9], multiple_of: v}}\n"
        "  v: {meaning: a number, domain: {integer: [1, 9], multiple_of: x}}\n"
    )
    assert "circle" in reason(verdict(base, "at_most: [x, v]", symbols=symbols))


def test_a_zero_that_a_condition_excludes_is_no_fault(base: TinyBase) -> None:
    assert isinstance(verdict(base, "at_least: ['x/z', 0], where: z >= 1"), Proved)
    assert isinstance(verdict(base, "at_least: ['1/(x - v)', 0], where: x > v"), Proved)


def test_an_earlier_condition_guards_a_later_one(base: TinyBase) -> None:
    assert isinstance(verdict(base, "at_most: [x, 1000], where: [z > 0, x/z > 1]"), Proved)
    assert isinstance(verdict(base, "at_most: [x, 1000], where: [x/z > 1, z > 0]"), Invalid)


def test_multiples_are_respected(base: TinyBase) -> None:
    # Of all q and p only those with q a multiple of p count: q/p is never between 1 and 2.
    found = verdict(base, "at_least: ['(q/p - 1)*(q/p - 2)', 0]")
    assert not isinstance(found, Refuted)


def test_a_multiple_of_a_number(base: TinyBase) -> None:
    symbols = "\nsymbols:\n  x: {meaning: a number, domain: {integer: [1, 100], multiple_of: 8}}\n"
    assert example(verdict(base, "at_least: [x, 9]", symbols=symbols)) == {"x": 8}


def test_units_of_symbols_count(base: TinyBase) -> None:
    symbols = "\nsymbols:\n  s: {meaning: a size, unit: KiB, domain: {integer: [1, 8]}}\n"
    record(base, "{id: it, at_most: [s, f], given: {}}", 'f: {expr: "s*1", unit: "byte"}', symbols)
    found = verdict(base, "at_most: [s, 4096]", symbols=symbols)
    assert example(found) == {"s": 5}
    assert sides(found) == (5 * 1024, 4096)
    assert isinstance(found, Refuted) and found.counterexample[0].text == "5 KiB"


class TestRoles:
    """Claims over named parts, models and formats, and formulas of other records."""

    def test_each_choice_is_a_case(self, base: TinyBase) -> None:
        # 400 TFLOP/s over 2000 GB/s is a ridge of 200 flop/byte.
        roles = "over: {accelerator: [gpu], dtype: [bf16]}"
        assert isinstance(verdict(base, f"at_most: [cache.ridge, 200], {roles}"), Proved)
        found = verdict(base, f"at_most: [cache.ridge, 199], {roles}")
        assert sides(found) == (200, 199)
        assert example(found) == {"accelerator": "gpu", "dtype": "bf16"}

    def test_a_part_without_the_value(self, base: TinyBase) -> None:
        row = "  bf16: {dtype: bf16, sparsity: dense, value: 400 TFLOP/s, basis: recorded, source: sheet, as_printed: "
        absent = "  bf16: {dtype: bf16, absent: not_published, source: sheet}"
        base.change("accelerators/gpu.yaml", {f"{row}400 teraFLOPS}}": absent})
        found = verdict(base, "at_most: [cache.ridge, 200], over: {accelerator: [gpu], dtype: [bf16]}")
        assert "no bf16 peak of gpu is published" in reason(found)

    def test_symbols_of_another_record_keep_their_domain(self, base: TinyBase) -> None:
        found = verdict(base, "at_most: [cache.size, 100]")
        assert set(example(found)) == {"cache.L", "cache.n", "cache.b"} or set(example(found)) == {"L", "n", "b"}
        assert sides(found)[0] > 100

    def test_what_a_role_leaves_open_is_one_unknown(self, base: TinyBase) -> None:
        symbols = SYMBOLS + "  heads: {meaning: heads, from: model.num_key_value_heads, domain: {integer: [1, 64]}}\n"
        found = verdict(base, "formula: f, equals: 'cache.size/(cache.size/heads)'", "heads", symbols=symbols)
        assert isinstance(found, Proved)

    def test_a_recorded_value_outside_its_domain(self, base: TinyBase) -> None:
        symbols = SYMBOLS + "  heads: {meaning: heads, from: model.num_key_value_heads, domain: {integer: [1, 4]}}\n"
        found = verdict(base, "at_most: [heads, 4], over: {model: [llm]}", symbols=symbols)
        assert "heads = 8 of llm is outside its domain" in reason(found)

    def test_independent_of_a_role(self, base: TinyBase) -> None:
        symbols = SYMBOLS + WIDTH
        claim = "formula: f, independent_of: [kv_dtype]"
        assert isinstance(verdict(base, claim, "x*width/width", symbols=symbols), Proved)
        assert isinstance(verdict(base, claim, "x*width", symbols=symbols, unit="byte"), Refuted)

    def test_independent_of_which_record_fills_a_role(self, base: TinyBase) -> None:
        base.write(
            "dtypes/fp8.yaml",
            (base.records / "dtypes/bf16.yaml")
            .read_text()
            .replace("bf16", "fp8")
            .replace("BF16", "FP8")
            .replace("16", "8")
            .replace("2 byte", "1 byte"),
        )
        symbols = SYMBOLS + WIDTH
        over = "over: {kv_dtype: [bf16, fp8]}"
        claim = f"formula: f, independent_of: [kv_dtype], {over}"
        assert isinstance(verdict(base, claim, "x*width/width", symbols=symbols), Proved)
        found = verdict(base, claim, "x*width", symbols=symbols, unit="byte")
        assert sides(found) == (2, 1)
        assert isinstance(found, Refuted) and found.left is not None and found.left.text == "f at kv_dtype = bf16"
