"""Random formulas for the property tests, and the shorthands that the tests of this folder share."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from flopkb.arithmetic.formula import Binary, Call, Expr, Name, Number, Rational, Unary, normal_form, parse

SYMBOLS = ("a", "b", "c", "d")
PROPERTY = settings(deadline=None, database=None, derandomize=True, max_examples=200)


def atom(name: Name) -> Rational:
    """Each name as an unknown of its own."""
    return Rational.atom(str(name))


def form(text: str) -> Rational:
    """The normal form of a text whose names are all unknown."""
    return normal_form(parse(text), atom)


literals = st.one_of(
    st.integers(0, 12).map(lambda n: Number(Fraction(n))),
    st.sampled_from(["0.5", "0.125", "3.35", "989.4e12", "1e-3"]).map(lambda text: Number(Fraction(text))),
)
symbols = st.sampled_from(SYMBOLS).map(lambda name: Name((name,)))


def _larger(smaller: st.SearchStrategy[Expr], calls: bool) -> st.SearchStrategy[Expr]:
    kinds: list[st.SearchStrategy[Expr]] = [
        st.builds(Binary, st.sampled_from("+-*/"), smaller, smaller),
        st.builds(lambda base, n: Binary("**", base, Number(Fraction(n))), smaller, st.integers(-2, 3)),
        st.builds(Unary, st.just("-"), smaller),
    ]
    if calls:
        kinds.append(
            st.builds(lambda func, x, y: Call(func, (x, y)), st.sampled_from(["min", "max"]), smaller, smaller)
        )
        kinds.append(st.builds(lambda func, x: Call(func, (x,)), st.sampled_from(["ceil", "floor"]), smaller))
    return st.one_of(kinds)


expressions = st.recursive(literals | symbols, lambda smaller: _larger(smaller, calls=True), max_leaves=8)
smooth = st.recursive(literals | symbols, lambda smaller: _larger(smaller, calls=False), max_leaves=8)
values = st.one_of(st.integers(-4, 9).map(Fraction), st.fractions(-3, 3, max_denominator=7))
points = st.fixed_dictionaries(dict.fromkeys(SYMBOLS, values))
