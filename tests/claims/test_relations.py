"""Each relation with a claim that is true, one that is false with its known counterexample, and near misses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TinyBase

from claims.claiming import example, sides, verdict
from flopkb.base.claims.verdicts import Invalid, Proved, Refuted

F = Fraction

PROVED = [
    ("equal after multiplying out", "formula: f, equals: x**2 + 2*x*v + v**2", "(x + v)**2"),
    ("equal where the larger is known", "formula: f, equals: x, where: x >= v", "max(x, v)"),
    ("equal both ways round", "formula: f, equals: x*v", "max(x, v)*min(x, v)"),
    ("cancels", "formula: f, independent_of: [x]", "x*v / (x*c)"),
    ("one of them never read", "formula: f, independent_of: [x, c]", "v*c/c"),
    ("settled by the condition", "formula: f, independent_of: [v], where: x >= v", "max(x, v)"),
    ("in proportion", "formula: f, proportional_to: [x, v]", "3*x*v / c"),
    ("inversely, and squared", "formula: f, proportional_to: {c: -1, x: 2}", "3*x**2*v / c"),
    ("grows towards a limit", "formula: f, increasing_in: [x]", "x / (x + v)"),
    ("grows with a multiple", "formula: f, increasing_in: [q]", "q*x / p"),
    ("falls", "formula: f, decreasing_in: [v]", "x / (x + v)"),
    ("grows along a list", "formula: f, increasing_in: [c]", "x - v / c"),
    ("grows on both sides of a max", "formula: f, increasing_in: [x]", "max(3*x, x + v)"),
    ("never over", "at_most: [x, x*v]", "x"),
    ("a multiple is no smaller", "at_most: [p, q]", "x"),
    ("bounded by the condition", "at_most: [q/p, 8], where: q <= 8*p", "x"),
    ("at the very end", "at_most: [x*c, 4000]", "x"),
    ("rounded down", "at_most: [floor(x/v), x/v]", "x"),
    ("no less than one below", "at_least: [floor(x/v) + 1, x/v]", "x"),
    ("rounded up", "at_least: [ceil(x/v), x/v]", "x"),
    ("the smaller of two", "at_most: ['min(x, v)', x]", "x"),
    ("between its parts", "at_least: ['(x + z)/(v + c)', 'min(x/v, z/c)']", "x"),
    ("with something given", "formula: f, equals: 4*v, given: {x: 2}", "x**2*v"),
    ("with an expression given", "formula: f, equals: 8, given: {q: 8*p}", "q/p"),
    ("with a list given", "at_most: [x, 3], given: {x: [1, 2, 3]}", "x"),
    ("tends to a ratio", "formula: f, tends_to: v/2, as: {x: infinity}", "(x*v + 7)/(2*x + c)"),
    ("tends to a value at zero", "formula: f, tends_to: v, as: {r: 0}", "v + r**2"),
    ("tends jointly", "formula: f, tends_to: 1/2, as: {x: infinity, v: infinity}", "x*v/(2*x*v + x + v)"),
    ("vanishes", "formula: f, tends_to: 0, as: {v: infinity}", "x/v**2"),
    ("crosses upward", "formula: f, crosses: v, in: x, at: v/2", "2*x"),
    ("crosses downward", "formula: f, crosses: v, in: r, at: 2/v", "2/r"),
    ("crosses somewhere", "formula: f, crosses: 500, in: x", "x + c"),
    ("exists at one end", "exists: x*v >= 1000000", "x"),
    ("exists with two conditions", "exists: x > 2*v and x < 3*v", "x"),
]

REFUTED = [
    # id, claim, formula, counterexample, left, right: all found by hand, each the only one that cannot be made smaller
    ("a cross term", "formula: f, equals: x**2 + v**2", "(x + v)**2", {"x": 1, "v": 1}, 4, 2),
    ("equal at one only", "formula: f, equals: x", "x**2", {"x": 2}, 4, 2),
    ("equal but for the last", "formula: f, equals: x", "min(x, 999)", {"x": 1000}, 999, 1000),
    ("over by one", "at_most: [x, v]", "x", {"x": 2, "v": 1}, 2, 1),
    ("fails at the end only", "at_most: [x, 999]", "x", {"x": 1000}, 1000, 999),
    ("fails at a listed value", "at_most: [x/x*c, 2]", "x", {"c": 4}, 4, 2),
    ("a multiple may be larger", "at_least: [p, q]", "x", {"p": 1, "q": 2}, 1, 2),
    ("too small a factor", "at_most: [q/p, 7], where: q <= 8*p", "x", {"p": 1, "q": 8}, 8, 7),
    ("rounding is not exact", "formula: f, equals: x/v", "floor(x/v)", {"x": 1, "v": 2}, 0, F(1, 2)),
    ("the ends are included", "at_least: [z, 1]", "x", {"z": 0}, 0, 1),
    ("another limit", "formula: f, tends_to: v/2, as: {x: infinity}", "x*v/(x + 1)", {"v": 1}, 1, F(1, 2)),
    ("rationals have simple examples", "at_most: [r, 3]", "x", {"r": 4}, 4, 3),
    ("only between whole numbers", "at_least: ['(r - 2)*(r - 3)', 0]", "x", {"r": F(5, 2)}, F(-1, 4), 0),
    ("with something given", "formula: f, equals: x*v, given: {x: 2}", "x**2*v", {"v": 1}, 4, 2),
]

PAIRS = [
    # id, claim, formula, the symbol that varies, its two values, the values of the formula there
    ("depends after all", "formula: f, independent_of: [x]", "x*v", "x", (1, 2), (1, 2)),
    ("depends in a corner", "formula: f, independent_of: [x]", "max(x, 999)", "x", (1, 1000), (999, 1000)),
    ("falls instead", "formula: f, increasing_in: [x]", "v/x", "x", (1, 2), (1, F(1, 2))),
    ("level is not growing", "formula: f, increasing_in: [c]", "max(c, 2)", "c", (1, 2), (2, 2)),
    ("rounded is not growing", "formula: f, increasing_in: [x]", "floor(x/2)", "x", (2, 3), (1, 1)),
    ("grows instead", "formula: f, decreasing_in: [x]", "x*v", "x", (1, 2), (1, 2)),
]


@pytest.mark.parametrize(("claim", "expr"), [case[1:] for case in PROVED], ids=[case[0] for case in PROVED])
def test_true_claims_are_proved(base: TinyBase, claim: str, expr: str) -> None:
    found = verdict(base, claim, expr)
    assert isinstance(found, Proved), found


@pytest.mark.parametrize(
    ("claim", "expr", "point", "left", "right"), [case[1:] for case in REFUTED], ids=[case[0] for case in REFUTED]
)
def test_false_claims_are_refuted_at_their_smallest(
    base: TinyBase, claim: str, expr: str, point: dict[str, int], left: int, right: int
) -> None:
    found = verdict(base, claim, expr)
    assert example(found) == point
    assert sides(found) == (left, right)


@pytest.mark.parametrize(
    ("claim", "expr", "symbol", "pair", "values"), [case[1:] for case in PAIRS], ids=[case[0] for case in PAIRS]
)
def test_claims_on_one_symbol_are_refuted_at_two_of_its_values(
    base: TinyBase, claim: str, expr: str, symbol: str, pair: tuple[int, int], values: tuple[int, int]
) -> None:
    found = verdict(base, claim, expr)
    assert example(found)[symbol] == pair[0]
    assert sides(found) == values
    assert isinstance(found, Refuted) and found.right is not None
    assert found.right.text == f"f at {symbol} = {pair[1]}"


def test_growth_that_turns_is_refuted_where_no_pair_is_smaller(base: TinyBase) -> None:
    # x*(1000 - x) grows up to 500: a pair x < x' refutes where x + x' >= 1000, with equality in the smallest.
    found = verdict(base, "formula: f, increasing_in: [x]", "x*(1000 - x)")
    assert isinstance(found, Refuted) and found.right is not None
    first, second = example(found)["x"], Fraction(found.right.text.split(" = ")[1])
    assert first + second == 1000 or (second == 1000 and first == 1)
    assert sides(found) == (first * (1000 - first), second * (1000 - second))


def test_what_is_not_in_proportion_tells_both_ratios(base: TinyBase) -> None:
    # (x**2 + 1)*v at x = 1 and 2: 2y and 5y, where a square gives four times as much.
    found = verdict(base, "formula: f, proportional_to: {x: 2}", "(x**2 + 1)*v")
    assert example(found)["x"] == 1
    assert sides(found) == (Fraction(5, 2), 4)


def test_a_missing_power_is_seen(base: TinyBase) -> None:
    found = verdict(base, "formula: f, proportional_to: {c: -2}", "x/c")
    assert sides(found) == (Fraction(1, 2), Fraction(1, 4))


class TestCrossing:
    """``crosses`` with its ``in`` and ``at``."""

    def test_in_the_wrong_place(self, base: TinyBase) -> None:
        # 2x reaches v at v/2, not at v.
        found = verdict(base, "formula: f, crosses: v, in: x, at: v", "2*x")
        assert example(found) == {"v": 1}
        assert sides(found) == (2, 1)

    def test_touches_without_crossing(self, base: TinyBase) -> None:
        # (x - 7)**2 is 0 at 7 and above it on both sides.
        found = verdict(base, "formula: f, crosses: 0, in: x, at: 7", "(x - 7)**2")
        assert isinstance(found, Refuted)

    def test_crosses_twice(self, base: TinyBase) -> None:
        found = verdict(base, "formula: f, crosses: 0, in: x", "(x - 7)*(x - 20)")
        assert isinstance(found, Refuted)

    def test_only_for_some_of_the_other_symbols(self, base: TinyBase) -> None:
        # x + v passes 500 where v < 500 only.
        found = verdict(base, "formula: f, crosses: 500, in: x", "x + v")
        assert example(found)["v"] >= 499

    def test_never_within_the_domain(self, base: TinyBase) -> None:
        found = verdict(base, "formula: f, crosses: 5000, in: x, at: 5000", "x")
        assert isinstance(found, Refuted)
        assert "above" in found.reason

    def test_crosses_early_in_the_domain(self, base: TinyBase) -> None:
        assert isinstance(verdict(base, "formula: f, crosses: 0, in: x", "x - 3"), Proved)

    def test_passed_at_the_last_value_alone(self, base: TinyBase) -> None:
        assert isinstance(verdict(base, "formula: f, crosses: 999.5, in: x", "x"), Proved)

    def test_not_reached_within_the_domain(self, base: TinyBase) -> None:
        found = verdict(base, "formula: f, crosses: 2000000, in: x", "x*v")
        assert str(found) == "at v = 1: f at x = 1000 is 1000, not more than 2000000"

    def test_crosses_three_times(self, base: TinyBase) -> None:
        found = verdict(base, "formula: f, crosses: 0, in: x", "(x - 10)*(x - 20)*(x - 30)")
        assert str(found) == "at x = 10: f at x = 20 is 0, not still more than 0"

    def test_what_is_told_says_where(self, base: TinyBase) -> None:
        found = verdict(base, "formula: f, crosses: 5000, in: x, at: 5001/v", "x*v")
        assert str(found) == "whatever the inputs: f at x = 5001/v is 5001, not equal to 5000"


class TestExistence:
    """``exists``: a witness or none."""

    def test_the_witness_is_small(self, base: TinyBase) -> None:
        found = verdict(base, "exists: x*v > 6", "x")
        assert isinstance(found, Proved)
        values = {each.name: each.value for each in found.witness}
        assert values["x"] * values["v"] > 6
        assert (values["x"] - 1) * values["v"] <= 6 and values["x"] * (values["v"] - 1) <= 6

    def test_nowhere(self, base: TinyBase) -> None:
        found = verdict(base, "exists: x*v > 1000000", "x")
        assert isinstance(found, Refuted)
        assert "nowhere" in found.reason and found.counterexample == ()

    def test_nowhere_within_the_condition(self, base: TinyBase) -> None:
        found = verdict(base, "exists: q > 8*p, where: q <= 8*p", "x")
        assert isinstance(found, Refuted)

    def test_no_witness_is_no_proof_that_there_is_none(self, base: TinyBase) -> None:
        claim = "exists: x**3 == v**3 + 30301 + floor(x/x) - 1"  # at 101 and 100
        found = verdict(base, claim, "x")
        assert isinstance(found, Invalid)
        assert "no witness was found" in found.reason
        assert isinstance(verdict(base, claim + ", given: {x: 101, v: 100}", "x"), Proved)

    def test_a_single_point_is_found_by_the_solver(self, base: TinyBase) -> None:
        found = verdict(base, "exists: (big - 123456)**2 + (x - 77)**2 <= 0", "x")
        assert isinstance(found, Proved)
        assert {each.name: each.value for each in found.witness} == {"big": 123456, "x": 77}


def test_a_limit_through_a_max_is_followed_and_not_proved(base: TinyBase) -> None:
    from flopkb.base.claims import verdicts

    assert isinstance(verdict(base, "formula: f, tends_to: v, as: {x: infinity}", "max(v, c/x)"), verdicts.Tested)
    assert isinstance(verdict(base, "formula: f, tends_to: 2*v, as: {x: infinity}", "max(v, c/x)"), Refuted)


def test_without_a_limit(base: TinyBase) -> None:
    found = verdict(base, "formula: f, tends_to: v, as: {x: infinity}", "x*v")
    assert isinstance(found, Refuted)
    assert found.reason == "at v = 1: f less v grows without bound"


def test_every_case_of_a_list_counts(base: TinyBase) -> None:
    found = verdict(base, "at_most: [x, 2], given: {x: [1, 2, 3]}", "x")
    assert isinstance(found, Refuted)
    assert sides(found) == (3, 2)
