"""Sides of equations are read in Python's notation and in LaTeX, with every number at its place."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flopkb.arithmetic.formula import Name, Rational, normal_form
from flopkb.arithmetic.text.strict import EquationSide, read_equation

KNOWN = frozenset(["a", "b", "m", "n", "B", "L", "n_q", "n_kv", "d_h", "AI", "bytes", "alpha"])


def sides(text: str) -> list[EquationSide]:
    """All sides of an equation of one group."""
    (group,) = read_equation(text, KNOWN).groups
    return list(group)


def form(side: EquationSide) -> Rational:
    """What a side is, over its names."""
    assert side.expr is not None, side.fault

    def value(name: Name) -> Rational:
        if not name.parts[0].startswith("#"):
            return Rational.atom(str(name))
        return Rational.of(side.numbers[int(name.parts[0][1:])].reading.value)

    return normal_form(side.expr, value)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2mnb", "2*m*n*b"),
        ("2 m n b", "2*m*n*b"),
        (r"\frac{2mnb}{2mn + 2b(m+n)}", "2*m*n*b / (2*m*n + 2*b*(m + n))"),
        (r"\dfrac{a}{b} \cdot m", "a/b*m"),
        (r"a / 2mn", "a / (2*m*n)"),
        ("a / 2*m*n", "a*m*n/2"),
        (r"n_{kv} \times n_q", "n_kv*n_q"),
        (r"n_{\text{kv}}d_h", "n_kv*d_h"),
        (r"n_\mathrm{kv}", "n_kv"),
        ("4Ld_hn_q", "4*L*d_h*n_q"),
        (r"\mathrm{AI}\,\alpha^2", "AI*alpha*alpha"),
        ("m² − n⁻¹", "m*m - 1/n"),
        ("m**2/n**-1", "m*m*n"),
        (r"\left( a + b \right) m", "(a + b)*m"),
        ("3(a+b)(a-b)", "3*a*a - 3*b*b"),
        ("-a + 2", "2 - a"),
        ("max(a, b)*2", "2*max(b, a)"),
        (r"\lceil m/n \rceil", "ceil(m/n)"),
        ("⌊m/n⌋", "floor(m/n)"),
        ("2 × 10⁹ × a", "2e9*a"),
        ("1,979 * a", "1979*a"),
        ("131{,}072 a", "131072*a"),
    ],
)
def test_notations(written: str, plain: str) -> None:
    (one,), (other,) = sides(written), sides(plain)
    assert form(one) == form(other)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("AI = a/b = m", ["AI", "a/b", "m"]),
        ("AI := a ≈ b", ["AI", "a", "b"]),
        (r"AI \approx a \equiv b", ["AI", "a", "b"]),
        ("a == b,", ["a", "b"]),
        ("&= a / b.", ["a / b"]),
    ],
)
def test_sides_are_told_apart(text: str, parts: list[str]) -> None:
    assert [side.text for side in sides(text)] == parts


@pytest.mark.parametrize("relation", ["<=", "≤", r"\le", r"\leq", "<", r"\gg", "=>", r"\to", "→"])
def test_an_inequality_or_an_arrow_begins_a_new_group(relation: str) -> None:
    groups = read_equation(f"a = b {relation} m = n", KNOWN).groups
    assert [[side.text for side in group] for group in groups] == [["a", "b"], ["m", "n"]]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("2*32 + 4", [("2", "None"), ("32", "None"), ("4", "None")]),
        ("989.5 TFLOP/s / 3350 GB/s", [("989.5 TFLOP/s", "TFLOP/s"), ("3350 GB/s", "GB/s")]),
        (r"4 \cdot 320\,\text{KiB/token}", [("4", "None"), (r"320\,\text{KiB/token}", "KiB/token")]),
        ("4 bytes * 2B", [("4 bytes", "bytes"), ("2", "None")]),  # B is a symbol here, bytes no more than a formula
        ("2^3 * 8192²", [("2", "None"), ("8192", "None")]),
    ],
)
def test_numbers_have_their_units_and_places(text: str, numbers: list[tuple[str, str]]) -> None:
    (side,) = sides(text)
    assert [(n.text, str(n.reading.unit)) for n in side.numbers] == numbers
    assert all(text[n.start : n.end] == n.text for n in side.numbers)


@pytest.mark.parametrize("text", ["512 KiB/token", "~4.9 ms", "about 295x", "21.7%", "$49.24", r"320\,\text{KiB}"])
def test_a_lone_number_is_read_as_a_quote(text: str) -> None:
    (side,) = sides(text)
    assert side.quoted is not None and len(side.numbers) == 1


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a*unknown", 2),
        ("a +", 3),
        ("a b )", 4),
        ("(a", 2),
        ("a | b", 2),
        ("sqrt(a)", 0),
        ("a^99", 1),
        (r"a + \mathrm{}", 4),
    ],
)
def test_what_cannot_be_read_says_where(text: str, offset: int) -> None:
    (side,) = sides(text)
    assert side.expr is None and side.fault is not None and side.fault.offset == offset


@pytest.mark.parametrize("text", ["(" * 5000, "a" * 100000, "((" * 30 + "a" + "))" * 30, "2^" * 900, r"\frac{" * 400])
def test_hostile_texts_are_refused_at_once(text: str) -> None:
    for group in read_equation(text, KNOWN).groups:
        assert all(side.expr is None for side in group)


LEAVES = st.one_of(st.integers(1, 99).map(str), st.sampled_from(["m", "n", "n_kv", "alpha"]))


def combined(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    """The same expression in both notations: (Python, LaTeX)."""
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: (f"({p[0][0]} + {p[1][0]})", f"\\left({p[0][1]} + {p[1][1]}\\right)")),
        pair.map(lambda p: (f"({p[0][0]} - {p[1][0]})", f"({p[0][1]} − {p[1][1]})")),
        pair.map(lambda p: (f"{p[0][0]}*{p[1][0]}", f"{p[0][1]} \\cdot {p[1][1]}")),
        pair.map(lambda p: (f"({p[0][0]})/({p[1][0]} + m*m + 1)", f"\\frac{{{p[0][1]}}}{{{p[1][1]} + m^2 + 1}}")),
    )


def latex(name: str) -> str:
    """A leaf as LaTeX writes it."""
    return {"n_kv": "n_{\\text{kv}}", "alpha": "\\alpha"}.get(name, name)


@settings(max_examples=150, deadline=None)
@given(st.recursive(LEAVES.map(lambda leaf: (leaf, latex(leaf))), combined, max_leaves=12))
def test_both_notations_say_the_same(pair: tuple[str, str]) -> None:
    (one,), (other,) = sides(pair[0]), sides(pair[1])
    assert form(one) == form(other)
    point = {name: Fraction(index + 2, 3) for index, name in enumerate(("m", "n", "n_kv", "alpha"))}
    python = eval(pair[0], {}, dict(point.items()))
    assert form(one).evaluate(point) == python
