"""How inputs reach a formula: what beats what, what flows where, and what an editor may write as an input."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from conftest import TinyBase

import flopkb
from flopkb.base.faults import (
    BadDimension,
    BadInput,
    Cycle,
    DividesByZero,
    MissingInput,
    OutsideDomain,
    UnitMismatch,
    UnknownInput,
    UnknownName,
)

from .texts import base_of, fault, figure

SYMBOLS = (
    "symbols:\n"
    "  a: {meaning: one, domain: {integer: [0, 1000]}}\n"
    "  b: {meaning: other, domain: {integer: [0, 1000]}}\n"
    "  k: {meaning: constant, value: 7}\n"
    "  size: {meaning: bytes, unit: GB}\n"
)
FORMULAS = (
    "formulas:\n"
    '  sum: {expr: a + b, unit: "1"}\n'
    '  ratio: {expr: a / b, unit: "1"}\n'
    '  scaled: {expr: a*k, unit: "1"}\n'
    "  held: {expr: size, unit: byte}\n"
    '  most: {expr: "max(a, b)", unit: "1"}\n'
    '  even: {expr: "max(a, b) / max(a, b)", unit: "1"}\n'
    '  pole: {expr: (a - 1)*b / (a - 1), unit: "1"}\n'
)


def with_figures(figures: str, points: str = "") -> str:
    return f"{SYMBOLS}{FORMULAS}{points}figures:\n{figures}"


# What an editor may write, and what it is worth.

WORTH: dict[str, tuple[str, tuple[F | int, ...]]] = {
    "a number": ("{formula: sum, with: {a: 2, b: 3}}", (5,)),
    "a number in quotes": ('{formula: sum, with: {a: "2", b: 3}}', (5,)),
    "a decimal that is whole": ("{formula: sum, with: {a: 2.0, b: 3}}", (5,)),
    "an exponent": ("{formula: sum, with: {a: 1e2, b: 3}}", (103,)),
    "a binary suffix": ("{formula: held, with: {size: 2 GiB}}", (2**31,)),
    "a bare number in the symbol's unit": ("{formula: held, with: {size: 2}}", (2 * 10**9,)),
    "another prefix": ("{formula: held, with: {size: 2000 MB}}", (2 * 10**9,)),
    "an expression in numbers in the symbol's unit": ("{formula: held, with: {size: 4/2}}", (2 * 10**9,)),
    "an expression in a symbol": ("{formula: sum, with: {a: 8*b, b: 3}}", (27,)),
    "the symbol that the other one is": ("{formula: ratio, with: {a: b}}", (1,)),
    "a multiple of it": ("{formula: ratio, with: {a: 8*b}}", (8,)),
    "a list": ("{formula: sum, with: {a: [1, 2], b: 3}}", (4, 5)),
    "two lists": ("{formula: sum, with: {a: [1, 2], b: [10, 20]}}", (11, 21, 12, 22)),
    "a list of expressions": ("{formula: ratio, with: {a: [b, 8*b]}}", (1, 8)),
    "a constant bound anew": ("{formula: scaled, with: {a: 2, k: 10}}", (20,)),
    "a constant as it is": ("{formula: scaled, with: {a: 2}}", (14,)),
    "the same opaque part twice": ("{formula: even}", (1,)),
    "a pole where it cancels": ("{formula: pole, with: {b: 3}}", (3,)),
    "an expression with a function": ('{formula: sum, with: {a: "max(2, b)", b: 3}}', (6,)),
}


@pytest.mark.parametrize("name", WORTH)
def test_an_input_is_worth(name: str) -> None:
    figure_text, values = WORTH[name]
    assert figure(base_of(f=with_figures(f"  it: {figure_text}\n")), "it").values == values


def test_what_is_bound_beats_the_point_and_the_point_beats_the_source(base: TinyBase) -> None:
    base.formula(
        "f",
        "symbols:\n  n: {meaning: heads, from: model.num_key_value_heads}\n"
        'formulas:\n  heads: {expr: n, unit: "1"}\n'
        "points:\n  plain: {model: llm}\n  own: {n: 5}\n"
        "figures:\n"
        "  source: {formula: heads, at: plain}\n"
        "  point: {formula: heads, at: own}\n"
        "  bound: {formula: heads, at: own, with: {n: 3}}\n"
        "derivation: |\n  [8](fig:source), [5](fig:point), [3](fig:bound), [2](fig:heads?own&n=2).\n",
    )
    assert base.lines() == []


def test_only_roles_flow_into_another_records_formula(base: TinyBase) -> None:
    """L is the layers here and the context there: the point's L must not reach cache.size."""
    base.formula(
        "f",
        "symbols:\n  L: {meaning: layers, domain: {integer: [1, 9]}}\n"
        'formulas:\n  twice: {expr: 2*L, unit: "1"}\n'
        "points:\n  here: {model: llm, kv_dtype: bf16, L: 7}\n"
        "figures:\n  layers: {formula: twice, at: here}\n  size: {formula: cache.size, at: here}\n"
        "derivation: |\n  [14](fig:layers), [112 bytes](fig:size), [112 bytes](fig:cache.size?here).\n",
    )
    assert [line.split(": error: ")[1] for line in base.lines()] == [
        "missing-input: missing input L: cache.size depends on it; bind it under with:, at: or in the link",
        "missing-input: missing input L: cache.size depends on it; bind it under with:, at: or in the link",
    ]


def test_roles_flow_on_through_formulas_of_formulas(base: TinyBase) -> None:
    """f.total names cache.time, which names cache.size: model, kv_dtype and accelerator reach the innermost."""
    base.formula(
        "f",
        "symbols:\n  other: {meaning: other work, unit: s, value: 0 s}\n"
        "formulas:\n  total: {expr: cache.time + other, unit: s}\n"
        "figures:\n  it: {formula: total, with: {model: llm, kv_dtype: bf16, accelerator: gpu}}\n"
        "derivation: |\n  [1 s](fig:it).\n",
    )
    (line,) = base.lines()
    assert "missing input cache.L: f.total depends on it" in line


FAULTS: dict[str, tuple[str, type, str]] = {
    "a suffix with two meanings": ("{formula: sum, with: {a: 2k, b: 3}}", BadInput, "2000, or 2048"),
    "a unit that is none": ("{formula: held, with: {size: 2 KB}}", BadInput, "kB (1000 bytes) or KiB (1024 bytes)"),
    "another dimension": (
        "{formula: held, with: {size: 2 s}}",
        UnitMismatch,
        "size is declared in GB, but this is in s",
    ),
    "a unit for a plain number": ("{formula: sum, with: {a: 2 GB, b: 3}}", UnitMismatch, "a is declared in 1"),
    "an expression of another dimension": ("{formula: held, with: {size: 2*a, a: 3}}", BadDimension, "is in 1"),
    "an unknown name": ("{formula: sum, with: {a: 2*c, b: 3}}", UnknownName, "c is no symbol"),
    "an unknown input": ("{formula: sum, with: {a: 2, b: 3, c: 4}}", UnknownInput, "f has no input c"),
    "an unknown point": ("{formula: sum, at: nowhere}", UnknownInput, "f has no point nowhere"),
    "nothing": ("{formula: sum, with: {a: 2}}", MissingInput, "missing input b"),
    "what an expression needs": ("{formula: scaled, with: {a: 2*b}}", MissingInput, "missing input b"),
    "its own name, without which it is nothing": ("{formula: scaled, with: {a: 2*a}}", MissingInput, "missing input a"),
    "each other": ("{formula: sum, with: {a: 2*b, b: a/2}}", Cycle, "a -> b -> a"),
    "a value outside the domain": ("{formula: sum, with: {a: 1001, b: 3}}", OutsideDomain, "a = 1001"),
    "a fraction for an integer": ("{formula: sum, with: {a: 1/2, b: 3}}", OutsideDomain, "a = 0.5"),
    "a negative": ("{formula: sum, with: {a: -1, b: 3}}", OutsideDomain, "a = -1"),
    "an expression outside the domain": ("{formula: sum, with: {a: 500*b, b: 3}}", OutsideDomain, "a = 1500"),
    "one value of a list": ("{formula: sum, with: {a: [1, 1001], b: 3}}", OutsideDomain, "a = 1001"),
    "a zero in a denominator": ("{formula: ratio, with: {a: 1, b: 0}}", DividesByZero, "divides by b"),
    "a zero over a zero": ("{formula: ratio, with: {a: 0, b: 0}}", DividesByZero, "divides by b"),
    "a number divided by zero": ("{formula: sum, with: {a: 1/0, b: 3}}", BadInput, "zero"),
    "a tower of powers": ("{formula: sum, with: {a: 9**9**9, b: 3}}", object, "whole number"),
    "a date": ("{formula: sum, with: {a: 2026-01-05, b: 3}}", object, ""),
    "an empty text": ('{formula: sum, with: {a: " ", b: 3}}', object, ""),
    "a call": ('{formula: sum, with: {a: "__import__(1)", b: 3}}', object, "not a function"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_input_is_a_fault_with_its_place(name: str) -> None:
    figure_text, kind, words = FAULTS[name]
    found = fault(base_of(f=with_figures(f"  it: {figure_text}\n")), "it")
    assert isinstance(found, kind), found
    assert words in str(found)
    assert found.location.path == "records/formulas/f.yaml" and found.location.line == 20
    assert found.record == "f"


def test_of_a_ratio_only_what_does_not_cancel_is_needed() -> None:
    base = base_of(
        f=with_figures(
            "  halved: {formula: scaled, with: {a: 10}, over: {a: 20}}\n"
            "  swapped: {formula: ratio, with: {a: 6}, over: {a: 3}}\n"
            "  anew: {formula: ratio, with: {a: b}, over: {a: 4*b}}\n"
            "  set: {formula: sum, with: {a: [1, 3], b: 0}, over: {a: [2, 4]}}\n"
            "  needs: {formula: sum, with: {a: 1}, over: {a: 2}}\n"
        )
    )
    assert figure(base, "halved").values == (F(1, 2),)
    assert figure(base, "swapped").values == (2,)
    assert figure(base, "anew").values == (F(1, 4),)
    assert figure(base, "set").values == (F(1, 2), F(1, 4), F(3, 2), F(3, 4))
    assert str(fault(base, "needs")).startswith("missing input b")


def test_a_ratio_has_no_unit(base: TinyBase) -> None:
    base.formula(
        "f",
        'formulas:\n  six: {expr: 2*3, unit: "1"}\n'
        "figures:\n  more: {formula: cache.size, with: {model: llm, kv_dtype: bf16, L: 20}, over: {L: 10}}\n"
        "derivation: |\n  [2x](fig:more), not [2 bytes](fig:more).\n",
    )
    (line,) = base.lines()
    assert "unit-mismatch: 2 bytes has the wrong unit" in line


def test_a_domain_counts_in_the_symbols_unit() -> None:
    symbols = "symbols:\n  room: {meaning: memory, unit: GB, domain: {rational: [1, 80]}}\n"
    figures = "figures:\n  fits: {formula: held, with: {room: 80 GB}}\n  not: {formula: held, with: {room: 80 GiB}}\n"
    base = base_of(f=f"{symbols}formulas:\n  held: {{expr: room, unit: GiB}}\n{figures}")
    assert figure(base, "fits").value == 80 * 10**9
    assert str(fault(base, "not")).startswith("room = 85.89934592 is outside its domain (rationals from 1 to 80)")


def test_a_domain_may_be_a_multiple_of_another_symbol_however_that_is_bound(base: TinyBase) -> None:
    def lines(figure_text: str) -> list[str]:
        base.formula(
            "f",
            "symbols:\n"
            "  q: {meaning: queries, from: model.num_attention_heads, domain: {integer: [1, 64], multiple_of: kv}}\n"
            "  kv: {meaning: KV heads, from: model.num_key_value_heads, domain: {integer: [1, 64]}}\n"
            'formulas:\n  group: {expr: q / kv, unit: "1"}\n'
            f"figures:\n  it: {figure_text}\n"
            "derivation: |\n  [4](fig:it).\n",
        )
        return [line.split(": error: ")[1] for line in base.lines()]

    assert lines("{formula: group, with: {model: llm}}") == []
    assert lines("{formula: group, with: {q: 4*kv}}") == []
    assert lines("{formula: group, with: {q: 12, kv: 3}}") == []
    assert lines("{formula: group, with: {model: llm, q: 36, kv: 9}}") == [
        "unused-value: nothing depends on it.model; quote it, or leave it out where it cancels"
    ]
    (line,) = lines("{formula: group, with: {model: llm, kv: 7}}")
    assert line.startswith("outside-domain: q = 32 is outside its domain (integers from 1 to 64, multiples of kv)")


def test_a_list_of_records_makes_a_set(base: TinyBase) -> None:
    base.write(
        "models/big.yaml",
        (base.records / "models" / "llm.yaml")
        .read_text(encoding="utf-8")
        .replace("llm", "big")
        .replace("A model", "Another")
        .replace("heads: 8", "heads: 16")
        .replace("[8]", "[16]"),
    )
    loaded = flopkb.load(base.records)
    sizes = loaded.evaluate("cache.size", model="llm,big", kv_dtype="bf16", L=10)
    assert sizes.values == (160, 320)
    assert sizes.computed is not None
    assert [case.choice for case in sizes.computed.cases] == [(("model", "llm"),), (("model", "big"),)]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("in:own.n", "5"),
        ("in:figure.n", "3"),
        ("in:figure.m", "12"),
        ("in:figure.k", "2"),
        ("in:f.figure.n", "3"),
    ],
)
def test_an_input_can_be_quoted_wherever_it_is_bound(target: str, text: str, base: TinyBase) -> None:
    """``m`` is bound to an expression in ``n``, ``k`` by the point of the figure."""
    body = (
        "symbols:\n  n: {meaning: one}\n  m: {meaning: two}\n  k: {meaning: three}\n"
        'formulas:\n  all: {expr: n + m + k, unit: "1"}\n'
        "points:\n  own: {n: 5, k: 2}\n"
        "figures:\n  figure: {formula: all, with: {n: 3, m: 4*n}, at: own}\n"
        "derivation: |\n  [17](fig:figure), [5](in:own.n), [2](in:own.k).\n  {quote}\n"
    )
    base.formula("f", body.replace("{quote}", f"[{text}]({target})"))
    assert base.lines() == []
    base.formula("f", body.replace("{quote}", f"[99]({target})"))
    (line,) = base.lines()
    assert line.startswith("records/formulas/f.yaml:18:4: error: figure-mismatch: 99 is wrong:")


def test_the_input_that_a_quote_names_may_be_a_set(base: TinyBase) -> None:
    base.formula(
        "f",
        "symbols:\n  n: {meaning: one}\n"
        'formulas:\n  twice: {expr: 2*n, unit: "1"}\n'
        "figures:\n  both: {formula: twice, with: {n: [2, 4]}}\n"
        "derivation: |\n  [4-8](fig:both) at [2-4](in:both.n).\n",
    )
    assert base.lines() == []


def test_of_several_faults_it_is_always_the_same_that_is_told() -> None:
    figures = "  it: {formula: sum, with: {a: 2k, b: 3k}}\n"
    places = {str(fault(base_of(f=with_figures(figures)), "it").location) for _ in range(5)}
    assert places == {"records/formulas/f.yaml:20:32"}
