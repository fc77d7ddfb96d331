"""Small spaces and random expressions over them, for property tests that look at every point."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from flopkb.arithmetic.formula import Compare, Rational, denominators, normal_form, parse, parse_condition, to_text
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.space import Condition, Divisor, FreeSymbol, Space, Term

PROPERTY = settings(
    deadline=None,
    database=None,
    derandomize=True,
    max_examples=400,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
AXES = {"a": range(0, 4), "b": range(1, 5), "c": range(-2, 3)}
"""Three symbols: from zero, above zero, and on both sides of it."""


def axis(name: str) -> FreeSymbol:
    """A symbol over its few whole numbers."""
    values = AXES[name]
    return FreeSymbol(name, ValueSet(Fraction(values[0]), Fraction(values[-1]), Fraction(1)))


def form(text: str) -> Rational:
    """The form of an expression in the symbols."""
    return normal_form(parse(text), lambda name: Rational.atom(str(name)))


def term(text: str) -> Term:
    """An expression with what it divides by."""
    divisors = []
    for divisor in denominators(parse(text)):
        under = normal_form(divisor, lambda name: Rational.atom(str(name)))
        if under.constant() in (None, 0):
            divisors.append(Divisor(text, to_text(divisor), under))
    return Term(text, form(text), tuple(divisors))


def condition(text: str) -> Condition:
    """A comparison of two expressions."""
    part: Compare = parse_condition(text)
    left, right = term(to_text(part.left)), term(to_text(part.right))
    return Condition(part.op, left.form - right.form, "", (*left.divisors, *right.divisors))


def space(*where: str) -> Space:
    """The three symbols, narrowed by conditions."""
    return Space(tuple(map(axis, AXES)), tuple(map(condition, where)))


_leaf = st.sampled_from([*AXES, *AXES, "1", "2", "3", "0.5"])


def _larger(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.builds(lambda x, op, y: f"({x} {op} {y})", smaller, st.sampled_from("++-**/"), smaller)
    power = st.builds(lambda x, n: f"({x})**{n}", smaller, st.sampled_from([2, 2, 3]))
    call = st.builds(lambda f, x, y: f"{f}({x}, {y})", st.sampled_from(["min", "max"]), smaller, smaller)
    whole = st.builds(lambda f, x: f"{f}({x})", st.sampled_from(["floor", "ceil"]), smaller)
    return st.one_of(binary, binary, binary, power, call, whole)


expressions = st.recursive(_leaf, _larger, max_leaves=6)
_operators = st.sampled_from(["<=", ">=", "<", ">", "==", "!="])
_comparison = st.builds(lambda x, op, y: f"{x} {op} {y}", expressions, _operators, expressions)
conditions = st.lists(_comparison, max_size=2)
