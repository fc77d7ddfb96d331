"""Claims on tiny records, decided; and a check of counterexamples by hand, without the engine."""

from __future__ import annotations

from fractions import Fraction

from conftest import TinyBase

from flopkb.base.claims import Checker, Effort
from flopkb.base.claims.verdicts import ClaimVerdict, Refuted

SYMBOLS = """
symbols:
  x: {meaning: a number, domain: {integer: [1, 1000]}}
  v: {meaning: another, domain: {integer: [1, 1000]}}
  z: {meaning: from zero on, domain: {integer: [0, 1000]}}
  big: {meaning: a large range, domain: {integer: [1, 1000000]}}
  r: {meaning: a ratio, domain: {rational: [1/10, 10]}}
  c: {meaning: one of three, domain: {one_of: [1, 2, 4]}}
  p: {meaning: heads, domain: {integer: [1, 64]}}
  q: {meaning: a multiple of heads, domain: {integer: [1, 256], multiple_of: p}}
  free: {meaning: without a domain}
"""


def record(base: TinyBase, claims: str, formulas: str = "f: {expr: x, unit: '1'}", symbols: str = SYMBOLS) -> TinyBase:
    """A record ``t`` with claims; each formula and each claim on a line of its own."""
    lines = ["formulas:", *(f"  {line}" for line in formulas.splitlines())]
    lines += ["claims:", *(f"  - {line}" for line in claims.splitlines())]
    base.formula("t", symbols.lstrip("\n") + "\n".join(lines) + "\n")
    return base


def verdict(
    base: TinyBase,
    claim: str,
    expr: str = "x",
    effort: Effort | None = None,
    symbols: str = SYMBOLS,
    unit: str = "1",
) -> ClaimVerdict:
    """How one claim ends; ``expr`` is the formula ``f`` of the record."""
    record(base, f"{{id: it, {claim}}}", f'f: {{expr: "{expr}", unit: "{unit}"}}', symbols)
    return decided(base, effort)["it"]


def decided(base: TinyBase, effort: Effort | None = None, id: str = "t") -> dict[str, ClaimVerdict]:
    """How every claim of a record ends."""
    evaluation = base.evaluate()
    checker = Checker(evaluation.kb, evaluation.evaluator.forms, effort or Effort())
    holder = evaluation.kb.records[id]
    return {name: checker.claim(claim, holder) for name, claim in holder.claims.items()}


def example(found: ClaimVerdict) -> dict[str, Fraction | str]:
    """The counterexample: numbers of symbols, ids of roles."""
    assert isinstance(found, Refuted), found
    return {each.name: each.text if each.value is None else each.value for each in found.counterexample}


def sides(found: ClaimVerdict) -> tuple[Fraction, Fraction]:
    """The exact values of both sides."""
    assert isinstance(found, Refuted) and found.left is not None and found.right is not None, found
    return found.left.value, found.right.value
