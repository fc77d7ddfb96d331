"""Reading a formula: what is accepted, and where and how everything else is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flopkb.arithmetic.formula import (
    Binary,
    Call,
    Compare,
    FormulaError,
    Name,
    Number,
    Unary,
    parse,
    parse_condition,
    parse_conditions,
    walk,
)

from .expressions import PROPERTY

A, B = Name(("a",)), Name(("b",))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("989.4e12", Fraction(989_400_000_000_000)),
        ("3.350", Fraction(67, 20)),
        ("2E3", Fraction(2000)),
        ("1e-3", Fraction(1, 1000)),
        ("0", Fraction(0)),
    ],
)
def test_a_number_is_what_is_written(text: str, value: Fraction) -> None:
    assert parse(text) == Number(value)


def test_names_have_one_or_two_parts_and_an_index() -> None:
    assert parse("B") == Name(("B",))
    assert parse("roofline.ridge") == Name(("roofline", "ridge"))
    assert parse("accelerator.peak_flops[dtype]") == Name(("accelerator", "peak_flops"), ("dtype",))
    assert parse("peak_flops[bf16]") == Name(("peak_flops",), ("bf16",))


def test_operators_bind_as_in_arithmetic() -> None:
    assert parse("-a**2") == Unary("-", Binary("**", A, Number(Fraction(2))))
    assert parse("a/b*a") == Binary("*", Binary("/", A, B), A)
    assert parse("a - b - a") == Binary("-", Binary("-", A, B), A)
    assert parse("a + b*a") == Binary("+", A, Binary("*", B, A))
    assert parse("+a") == A
    assert parse("a**(-2)") == parse("a**-2") == Binary("**", A, Number(Fraction(-2)))


def test_calls() -> None:
    assert parse("max(0, a, b)") == Call("max", (Number(Fraction(0)), A, B))
    assert parse("ceil(a / b)") == Call("ceil", (Binary("/", A, B),))


def test_every_node_knows_its_characters() -> None:
    text = "\n 2*a +\tmin(b, roofline.ridge[a])"
    pieces = [text[node.offset : node.offset + node.length] for node in walk(parse(text))]
    tail = "min(b, roofline.ridge[a])"
    assert pieces == [f"2*a +\t{tail}", "2*a", "2", "a", tail, "b", "roofline.ridge[a]"]


def test_places_do_not_count_in_equality() -> None:
    assert parse("a+b") == parse(" a  + b ")
    assert hash(parse("a+b")) == hash(parse(" a  + b "))


REFUSED = [
    # text, offset, length, words of the message
    ("", 0, 1, "is empty"),
    ("   ", 0, 3, "is empty"),
    ("2^3", 1, 1, "write ** for a power"),
    ("2 × 3", 2, 1, "write * to multiply"),
    ("a − b", 2, 1, "write - for minus"),
    ("n²", 1, 1, "write **2"),
    ("µ*a", 0, 1, "ASCII letters"),
    ("٣*a", 0, 1, "ASCII letters"),
    ("a\N{NO-BREAK SPACE}+ b", 1, 1, "plain space"),
    ("a\x00", 1, 1, "U+0000"),
    ("50%", 2, 1, "write / 100"),
    ("'a'", 0, 1, "text in quotes"),
    ("a # b", 2, 1, "comments"),
    ("a[1:2]", 3, 1, "slices"),
    ("a // b", 2, 2, "floor(a / b)"),
    ("a = b", 2, 1, "write == to compare"),
    ("lambda", 0, 6, "needs another name"),
    ("a if b else c", 2, 2, "no branches"),
    ("class * 2", 0, 5, "reserved word"),
    ("a.class", 2, 5, "reserved word"),
    ("a and b", 2, 3, "joins conditions"),
    ("1_000", 0, 5, "without _"),
    ("0x10", 0, 4, "decimal digits"),
    ("007", 0, 3, "zeros in front"),
    ("00.5", 0, 4, "write it as"),
    (".5", 0, 2, "a 0 before the point"),
    ("5.", 0, 2, "leave out the point"),
    ("1.2.3", 0, 5, "write it as"),
    ("1e400", 0, 5, "out of range"),
    ("1e-400", 0, 6, "out of range"),
    ("1e99999999999", 0, 13, "out of range"),
    ("9" * 101, 0, 101, "100 digits"),
    ("1,5", 1, 1, "a point for decimals"),
    ("1,979 * a", 1, 1, "nothing for thousands"),
    ("max((a, b), a)", 6, 1, "only separates arguments"),
    ("512 KiB", 4, 3, "no units"),
    ("3350GB", 0, 6, "no units"),
    ("2x", 0, 2, "no units"),
    ("a b", 2, 1, "operator is missing between `a` and `b`"),
    ("2(a + b)", 1, 1, "operator is missing"),
    ("(a)(b)", 3, 1, "operator is missing"),
    ("a(b)", 0, 1, "is not a function"),
    ("ciel(a)", 0, 4, "did you mean ceil"),
    ("sum(a, b)", 0, 3, "min, max, ceil and floor"),
    ("MAX(a, b)", 0, 3, "did you mean max"),
    ("a.min(b)", 0, 8, "is not a function"),
    ("min", 0, 3, "is a function"),
    ("min(a)", 0, 6, "two arguments or more"),
    ("ceil(a, b)", 0, 10, "one argument, not 2"),
    ("min(a,)", 6, 1, "missing between `,` and `)`"),
    ("min(*a)", 4, 1, "missing between `(` and `*`"),
    ("()", 1, 1, "missing between"),
    ("a +", 2, 1, "ends behind `+`"),
    ("* a", 0, 1, "nothing on its left"),
    ("a * / b", 4, 1, "missing between `*` and `/`"),
    ("--a", 1, 1, "two signs"),
    ("(a + b", 0, 1, "never closed"),
    ("a)", 1, 1, "closes nothing"),
    ("(a]", 2, 1, "closes nothing"),
    ("a.b.c", 0, 5, "too deep"),
    ("a[b].c", 4, 1, "only a name has parts"),
    ("a[b][c]", 4, 1, "only one"),
    ("a[2]", 2, 1, "an index is a plain name"),
    ("a[b.c]", 2, 3, "an index is a plain name"),
    ("a < b", 0, 5, "a comparison is no value"),
    ("a + (b < 2)", 5, 5, "a comparison is no value"),
    ("a**0.5", 3, 3, "whole number"),
    ("a**65537", 3, 5, "from -65536 to 65536"),
    ("a**-65537", 3, 6, "from -65536 to 65536"),
]


@pytest.mark.parametrize(
    ("text", "offset", "length", "words"), REFUSED, ids=[case[0][:20] or "empty" for case in REFUSED]
)
def test_refused_at_its_place(text: str, offset: int, length: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert words in str(caught.value)
    assert (caught.value.offset, caught.value.length) == (offset, length)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "a - -b",
        "a * -b",
        "-(-a)",
        "( a )",
        "x**16",
        "2**64",
        "x**n",
        "x**-n",
        "x**65536",
        "x**-65536",
        "10**10**10",
        "2e3*e3",
        "min(a, (b + a)*2)",
    ],
)
def test_near_misses_are_accepted(text: str) -> None:
    parse(text)


@pytest.mark.parametrize(
    ("fits", "too_much"),
    [
        ("a" + "+a" * 64, "a" + "+a" * 65),
        ("-(" * 32 + "a" + ")" * 32, "-(" * 33 + "a" + ")" * 33),
        ("max(0," * 32 + "-a" + ")" * 32, "max(0," * 33 + "-a" + ")" * 33),
        ("9" * 50 + "." + "9" * 50, "9" * 50 + "." + "9" * 51),
        ("1e308", "1e309"),
        ("1e-308", "1e-309"),
        ("a" * 2000, "a" * 2001),
    ],
    ids=["operations", "signs", "calls", "digits", "large", "small", "text"],
)
def test_the_bounds_are_met_exactly(fits: str, too_much: str) -> None:
    parse(fits)
    with pytest.raises(FormulaError):
        parse(too_much)


def test_signs_and_comparisons_count_as_operations() -> None:
    chain = "a" + "+a" * 63
    parse(f"-({chain})")
    parse_condition(f"{chain} < a")
    for text in (f"-({chain}+a)", f"-(+({chain}))"):
        with pytest.raises(FormulaError, match="operations hang together"):
            parse(text)
    with pytest.raises(FormulaError, match="operations hang together"):
        parse_condition(f"a < {chain}+a")


HOSTILE = [
    "9" * 1_000_000,
    "(" * 2000,
    "(" * 900 + "a" + ")" * 900,
    "-" * 2000,
    "- " * 900 + "a",
    "a" + "+a" * 999,
    "a" + "**2" * 600,
    "a." * 900 + "a",
    "a" + "[a]" * 600,
    "min(" * 400,
    "__import__('os').system('true')",
    "[x for x in ().__class__.__bases__]",
    "(lambda: 0)()",
    "a := 1",
    "f'{a}'",
    "0" * 2000,
    "1e" + "9" * 1900,
    "\\\n" * 900,
    "\ud800",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert len(str(caught.value)) < 300


@PROPERTY
@given(st.text(max_size=40) | st.text("ab1.e+-*/(),[]<>= and", max_size=20))
def test_any_text_parses_or_has_a_located_fault(text: str) -> None:
    for read in (parse, parse_conditions):
        try:
            read(text)
        except FormulaError as error:
            assert 0 <= error.offset <= len(text)
            assert error.length >= 1


def test_a_condition_compares_two_values() -> None:
    assert parse_condition("a <= 64*b") == Compare("<=", A, Binary("*", Number(Fraction(64)), B))
    for op in ("==", "!=", "<", "<=", ">", ">="):
        assert parse_condition(f"a {op} b") == Compare(op, A, B)


def test_conditions_are_joined_by_and() -> None:
    joined = parse_conditions("a < b and (b > 2) and a != 1")
    assert [condition.op for condition in joined] == ["<", ">", "!="]
    assert parse_conditions("a < b") == (parse_condition("a < b"),)


@pytest.mark.parametrize(
    ("text", "offset", "words"),
    [
        ("a", 0, "compares two values"),
        ("a and b < 1", 0, "compares two values"),
        ("1 < a < 5", 8, "write a < b and b < c"),
        ("a < b or b < a", 6, "`and` alone"),
        ("not a < b", 0, "opposite comparison"),
        ("(a < b) + 1 == 2", 1, "a comparison is no value"),
        ("a < (b < 1 and b > 2)", 5, "a comparison is no value"),
        ("a = 1", 2, "write == to compare"),
        ("a <= 2^3", 6, "write ** for a power"),
        ("a <", 2, "ends behind"),
        ("a < b and", 6, "ends behind"),
        ("a ≤ b", 2, "write <="),
    ],
)
def test_what_is_no_condition(text: str, offset: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_conditions(text)
    assert words in str(caught.value)
    assert caught.value.offset == offset


def test_one_condition_is_not_two() -> None:
    with pytest.raises(FormulaError, match="one condition belongs here") as caught:
        parse_condition("a < b and b < a")
    assert caught.value.offset == 10
