"""Derived values of a model that call the formulas of the base."""

from __future__ import annotations

import pytest

from flopkb.base.faults import Cycle, Fault
from flopkb.checking.api import Base, FlopkbError

from .stacks import FLAT, WINDOWS, asked, base_of

TOTAL = 3 * (12000 + 3 * 100 * 50)


def fact(body: str, path: str = "num_parameters") -> object:
    """What a derived value of the model with equal layers comes to, or why not."""
    base = base_of({"flat": FLAT + body, "windows": WINDOWS})
    try:
        return Base(base).fact(f"flat.{path}").value
    except FlopkbError as error:
        return error.fault


def derived(formula: str, path: str = "num_parameters") -> str:
    """A field with a derivation."""
    return f"{path}: {{value: 81000, basis: derived, formula: '{formula}'}}\n"


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("weights.total", TOTAL),
        ("weights.total - hidden_size", TOTAL - 100),
        ("2*weights.total(F=2*F)", 2 * 3 * (12000 + 3 * 100 * 100)),
    ],
)
def test_a_formula_is_asked_of_the_model_itself(formula: str, value: int) -> None:
    assert fact(derived(formula)) == value


def test_one_derivation_may_use_another() -> None:
    body = derived("weights.total") + derived("num_parameters/3", "num_active_parameters")
    assert fact(body, "num_active_parameters") == TOTAL / 3


def test_formulas_read_derived_values() -> None:
    reads = """
id: reads
kind: formula
name: Reads a derived value
status: verified
updated: 2026-01-05
formulas:
  f: {expr: model.num_parameters + 1, unit: parameter}
"""
    base = base_of({"flat": FLAT + derived("weights.total")}, reads)
    assert asked(base, "reads.f", model="flat") == TOTAL + 1


FAULTS = {
    "an unknown formula": ("weights.totl", "did you mean weights.total?"),
    "a missing input": ("cache.kept", "missing input L"),
    "another unit": ("cache.size", "is in byte"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_with_a_derivation(name: str) -> None:
    formula, words = FAULTS[name]
    found = fact(derived(formula))
    assert isinstance(found, Fault)
    assert words in str(found)


def test_a_derivation_that_reads_itself() -> None:
    reads = """
id: reads
kind: formula
name: Reads a derived value
status: verified
updated: 2026-01-05
symbols:
  n: {meaning: parameters, from: model.num_parameters}
formulas:
  f: {expr: n + 1, unit: parameter}
"""
    base = base_of({"flat": FLAT + derived("reads.f")}, reads)
    with pytest.raises(FlopkbError) as caught:
        Base(base).fact("flat.num_parameters")
    assert isinstance(caught.value.fault, Cycle)
    assert isinstance(asked(base, "reads.f", model="flat"), Fault)
