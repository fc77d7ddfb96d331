"""What would take for ever, or more memory than there is, is refused at once, where it stands."""

from __future__ import annotations

import time

import pytest

from flopkb.checking.check import check

from .texts import base_of


def chain(step: str, count: int, first: str = "a + 1") -> str:
    """Formulas of which each is made from the one before: ``step`` with ``f`` in it."""
    later = "".join(f'  f{n}: {{expr: "{step.replace("f", f"f{n - 1}")}", unit: "1"}}\n' for n in range(1, count + 1))
    return (
        f'symbols:\n  a: {{meaning: a number}}\nformulas:\n  f0: {{expr: {first}, unit: "1"}}\n{later}'
        f"derivation: |\n  [1](fig:f{count}?a=2)\n"
    )


def many_symbols(expr: str, with_: str = "") -> str:
    symbols = "".join(f"  a{n}: {{meaning: a number}}\n" for n in range(40))
    figure = f"figures:\n  it: {{formula: f, with: {{{with_}}}}}\n" if with_ else ""
    quote = "it" if with_ else "f"
    return (
        f'symbols:\n{symbols}formulas:\n  f: {{expr: "{expr}", unit: "1"}}\n{figure}derivation: |\n  [1](fig:{quote})\n'
    )


REFUSED = {
    "a number to a power of a power": (chain("f**16", 8, "10 + 0"), "whole numbers of more than"),
    "squares of squares": (chain("f*f + a", 40), "split the formula"),
    "a maximum of maxima": (chain("max(f, f*2)", 40), "split the formula"),
    "a product of sums": (many_symbols("*".join(f"(a{n} + a{n + 1})" for n in range(39))), "more than 300 terms"),
    "lists of lists": (
        many_symbols("a0", ", ".join(f"a{n}: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]" for n in range(9))),
        "make 1000000000 cases, and 1000 are the most",
    ),
    "inputs that are powers of inputs": (
        many_symbols("a0", ", ".join([*(f'a{n}: "a{n + 1}**16"' for n in range(9)), "a9: 10"])),
        "split the formula",
    ),
    "an input near the largest number": (many_symbols("a0**16", "a0: 1e300"), "whole numbers of more than"),
    "brackets in brackets": (many_symbols("(" * 900 + "1" + ")" * 900), "brackets are open"),
    "a number with a thousand digits": (many_symbols("1" * 1000), "a number of more than 100 digits"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_at_once_in_one_sentence(name: str) -> None:
    body, words = REFUSED[name]
    began = time.monotonic()
    result = check(base_of(f=body))
    assert time.monotonic() - began < 3
    assert not result.crashes
    told = [found for found in result.diagnostics if words in found.message]
    assert told and all(len(found.message) < 300 for found in result.diagnostics)


COMPUTED = {
    "four hundred formulas in a row": (chain("f + 1", 400), "403"),
    "sixty continued fractions": (chain("1/(1 + 1/(f + a))", 60), "0.732051"),
    "sixty roundings": (chain("ceil(f/3 + a)", 60), "3"),
    "a large batch among many experts": (many_symbols("512*(1 - (1 - 10/512)**a0)", "a0: 65536"), "512"),
    "the smallest numbers": (many_symbols("a0**-3", "a0: 1e100"), "1e-300"),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_it_is_computed_all_the_same(name: str) -> None:
    """Each is quoted as 1, so that the finding shows what was computed."""
    body, computed = COMPUTED[name]
    (found,) = (d for d in check(base_of(f=body)).diagnostics if d.rule.startswith("figure"))
    assert found.computed == computed
