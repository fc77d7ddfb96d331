"""What formulas over layers are written in: sums, formulas at inputs, ``has``, powers, and the conditions of cases."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.formula import (
    Among,
    BadExponent,
    Binary,
    Compare,
    Condition,
    DimensionError,
    Expr,
    Flag,
    FormulaError,
    Has,
    Joined,
    Name,
    Number,
    Opaque,
    Opposite,
    Rational,
    Rebound,
    Sum,
    TooLargeError,
    ZeroDenominator,
    dimension,
    evaluate,
    holding,
    names,
    normal_form,
    parse,
    parse_case,
    parse_conditions,
    parse_formula,
    to_text,
)
from flopkb.arithmetic.units import ONE, Unit, parse_unit

from .expressions import PROPERTY, atom, expressions, form, symbols

A, B, L = Name(("a",)), Name(("b",)), Name(("L",))
TWICE = Binary("*", Number(Fraction(2)), L)


def test_sums_calls_and_has_are_nodes_of_their_own() -> None:
    assert parse_formula("sum(model.mixers, a)") == Sum(Name(("model", "mixers")), A)
    assert parse_formula("kv_cache.size(L=2*L)") == Rebound(Name(("kv_cache", "size")), (("L", TWICE),))
    assert parse_formula("size(L=2*L, B=b)") == Rebound(Name(("size",)), (("L", TWICE), ("B", B)))
    assert parse_formula("1 - has(a)") == Binary("-", Number(Fraction(1)), Has(A))
    assert parse_formula("a**(b - 1)") == Binary("**", A, Binary("-", B, Number(Fraction(1))))


CONDITIONS: list[tuple[str, Condition]] = [
    ("mixer_type == mamba", Compare("==", Name(("mixer_type",)), Name(("mamba",)))),
    ("a in kept", Among(A, "kept")),
    ("a in [b, L]", Among(A, "", ("b", "L"))),
    ("a in kept and not b", Joined("and", (Among(A, "kept"), Opposite(Flag(B))))),
    ("has(a) or has(b)", Joined("or", (Flag(Has(A)), Flag(Has(B))))),
    (
        "not (a or b) and L > 1",
        Joined("and", (Opposite(Joined("or", (Flag(A), Flag(B)))), parse_conditions("L > 1")[0])),
    ),
]


@pytest.mark.parametrize(("text", "tree"), CONDITIONS, ids=[text for text, _ in CONDITIONS])
def test_conditions_are_read_as_written(text: str, tree: Condition) -> None:
    assert parse_case(text) == tree
    assert parse_case(to_text(tree)) == tree


def test_names_are_all_that_is_looked_up() -> None:
    assert [str(name) for name in names(parse_formula("a.f(L=2*b) + sum(model.mixers, has(r)*d)"))] == [
        "a.f",
        "b",
        "r",
        "d",
    ]
    assert [str(name) for name in names(parse_case("t in g and has(r) and d > 1"))] == ["t", "r", "d"]


REFUSED = [
    ("sum(model.mixers, sum(model.mixers, a))", 18, "side by side"),
    ("sum(a, b)", 0, "write sum(model.mixers, layer_size)"),
    ("sum(model.mixers)", 0, "write sum(model.mixers, layer_size)"),
    ("has(2)", 0, "write has(r_q)"),
    ("has(a, b)", 0, "write has(r_q)"),
    ("sum", 0, "is a function"),
    ("size(2*L)", 0, "takes inputs by name"),
    ("size(a, L=2)", 9, "write == to compare"),
    ("size(L=1, L=2)", 12, "given twice"),
    ("max(a=1, b=2)", 0, "is not a function"),
    ("(L=2)", 2, "write == to compare"),
    ("size(L=(b=2))", 9, "write == to compare"),
    ("a in b", 2, "only the condition of a case"),
    ("a or b", 2, "`and` alone"),
    ("size(L=)", 7, "missing between `=` and `)`"),
]


@pytest.mark.parametrize(("text", "offset", "words"), REFUSED, ids=[case[0] for case in REFUSED])
def test_what_no_formula_is(text: str, offset: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text)
    assert words in str(caught.value)
    assert caught.value.offset == offset
    assert len(str(caught.value)) < 300


NO_CASES = [
    ("a in 3", 5, "a list of words"),
    ("a in []", 6, "missing"),
    ("a in [2]", 5, "a list of words"),
    ("2*a in kept", 0, "a symbol stands before `in`"),
    ("a not in kept", 2, "before a condition"),
    ("a in (b, c)", 7, "a comma only separates"),
    ("a + b", 0, "compares two values"),
    ("1 < a < 2", 8, "two sides"),
    ("not", 0, "ends behind"),
    ("a and and b", 6, "missing between"),
]


@pytest.mark.parametrize(("text", "offset", "words"), NO_CASES, ids=[case[0] for case in NO_CASES])
def test_what_no_condition_is(text: str, offset: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_case(text)
    assert words in str(caught.value)
    assert caught.value.offset == offset


@pytest.mark.parametrize("text", ["sum(model.mixers, a)", "f(L=2)", "has(a)"])
def test_plain_arithmetic_looks_nothing_up(text: str) -> None:
    with pytest.raises(FormulaError):
        parse(text)


def whole(name: Name) -> Fraction:
    """a is 3, b is 4, everything else 2."""
    return Fraction({"a": 3, "b": 4}.get(name.parts[0], 2))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a**b", Fraction(81)),
        ("a**-b", Fraction(1, 81)),
        ("(a/b)**c", Fraction(9, 16)),
        ("8*(1 - (1 - c/8)**b)", 8 * (1 - Fraction(3, 4) ** 4)),
        ("(-1)**65535", Fraction(-1)),
        ("0**0", Fraction(1)),
    ],
)
def test_powers_have_exact_values(text: str, value: Fraction) -> None:
    assert evaluate(parse(text), whole) == value
    assert normal_form(parse(text), lambda name: Rational.of(whole(name))) == value


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("a**(b/8)", BadExponent, "is 0.5: it must be a whole number"),
        ("a**(10**6)", BadExponent, "to 65536"),
        ("10**10**10", BadExponent, "to 65536"),
        ("a**60000", TooLargeError, "an exponent of at most 13,000 of this base"),
        ("(1 - 1/a**400)**6000", TooLargeError, "an exponent of at most 1,578 of this base"),
        ("(a - 3)**-b", ZeroDenominator, "a - 3"),
    ],
)
def test_powers_that_have_none(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        evaluate(parse(text), whole)


def test_a_power_with_an_unknown_exponent_is_no_polynomial() -> None:
    assert form("a**n/a**n").constant() == 1
    assert form("a**n") != form("n**a")
    assert form("(a + a)**n") == form("(2*a)**n")
    assert form("a**n").depends_on("a") and form("a**n").depends_on("n")
    assert form("a**n").substitute({"n": 2}) == form("a**2")
    assert form("1**n") == form("1")
    assert isinstance(next(iter(form("a**17").opaques())), Opaque)
    assert form("a**17").evaluate({"a": 2}) == 2**17


UNITS = {"m": parse_unit("byte"), "t": parse_unit("s")}


def unit(name: Name) -> Unit:
    """m is in bytes, t in seconds, everything else a plain number."""
    return UNITS.get(name.parts[0], ONE)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("sum(model.mixers, m + 0)", "byte"), ("m(a=t)", "byte"), ("has(m)*t", "s"), ("a**b", "1"), ("m**2", "byte**2")],
)
def test_units_of_what_is_looked_up(text: str, wanted: str) -> None:
    assert dimension(parse_formula(text), unit).dimension == parse_unit(wanted).dimension


@pytest.mark.parametrize("text", ["m**a", "a**m", "sum(model.mixers, m + t)", "has(a) + t"])
def test_units_that_do_not_fit(text: str) -> None:
    with pytest.raises(DimensionError):
        dimension(parse_formula(text), unit)


def test_conditions_compare_like_with_like() -> None:
    assert dimension(parse_case("m > 0 and not m < 2*m or a"), unit) == ONE
    with pytest.raises(DimensionError):
        dimension(parse_case("a and not m < t"), unit)


words = st.sampled_from(["gated", "plain", "mamba"])
looked_up = st.recursive(
    expressions,
    lambda smaller: st.one_of(
        st.builds(
            Rebound,
            symbols,
            st.lists(st.tuples(words, smaller), min_size=1, max_size=2, unique_by=lambda p: p[0]).map(tuple),
        ),
        st.builds(Binary, st.sampled_from("+-*/"), smaller, smaller),
        st.builds(lambda base, n: Binary("**", base, n), smaller, symbols),
        symbols.map(Has),
    ),
    max_leaves=4,
) | st.builds(Sum, st.just(Name(("model", "mixers"))), expressions)
tests = st.one_of(
    st.builds(Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), expressions, expressions),
    st.builds(lambda s, g: Among(s, g), symbols, words),
    st.builds(lambda s, w: Among(s, "", tuple(w)), symbols, st.lists(words, min_size=1, max_size=3)),
    st.builds(Flag, symbols | symbols.map(Has)),
)
conditions = st.recursive(
    tests,
    lambda smaller: st.one_of(
        smaller.map(Opposite),
        st.builds(
            lambda op, parts: Joined(op, tuple(parts)),
            st.sampled_from(["and", "or"]),
            st.lists(smaller, min_size=2, max_size=3),
        ),
    ),
    max_leaves=5,
)


@PROPERTY
@given(looked_up)
def test_text_of_a_formula_parses_to_an_equal_tree(expr: Expr) -> None:
    assert parse_formula(to_text(expr)) == expr


@PROPERTY
@given(conditions)
def test_text_of_a_condition_parses_to_an_equal_tree(condition: Condition) -> None:
    assert parse_case(to_text(condition)) == condition


@PROPERTY
@given(conditions, st.randoms(use_true_random=False))
def test_conditions_hold_as_in_python(condition: Condition, chance: object) -> None:
    answers: dict[Condition, bool] = {}

    def test(part: Condition) -> bool:
        return answers.setdefault(part, len(to_text(part)) % 2 == 0)

    def python(part: Condition) -> bool:
        if isinstance(part, Joined):
            found = [python(each) for each in part.parts]
            return all(found) if part.op == "and" else any(found)
        return not python(part.part) if isinstance(part, Opposite) else test(part)

    assert holding(condition, test) == python(condition)


@PROPERTY
@given(st.text("ab1.+-*/(),[]=<> andornotinhassum", max_size=24))
def test_any_text_has_a_tree_or_a_located_fault(text: str) -> None:
    for read in (parse_formula, parse_case):
        try:
            read(text)
        except FormulaError as error:
            assert 0 <= error.offset <= len(text)
            assert error.length >= 1


def test_atoms_are_those_of_the_tests_beside() -> None:
    assert form("a") == atom(A)
