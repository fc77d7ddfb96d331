"""Spans, root isolation and limits on their own, each against a count by hand or over every value."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.spaces import PROPERTY, form
from flopkb.arithmetic.prover import ValueSet, common_multiple
from flopkb.arithmetic.prover.limits import Finite, Infinite, limit
from flopkb.arithmetic.prover.shrink import sign_changes, smallest

pytestmark = pytest.mark.slow

F = Fraction
small = st.fractions(-6, 6, max_denominator=4)
steps = st.sampled_from([None, F(1), F(1, 2), F(2), F(3)])


@st.composite
def spans(draw):
    low, high = sorted((draw(small), draw(small)))
    if draw(st.booleans()):
        values = tuple(sorted(set(draw(st.lists(small, min_size=1, max_size=4)))))
        return ValueSet(values[0], values[-1], None, values)
    span, step = ValueSet(low, high), draw(steps)
    return span if step is None else span.on_grid(step)


PROBES = [F(n, 12) for n in range(-80, 81)]


class TestSpans:
    @PROPERTY
    @given(spans(), small, small, st.booleans())
    def test_narrowing_keeps_exactly_what_lies_between(self, span, low, high, open_):
        narrowed = span.narrowed(low, high, open_=open_)
        for value in PROBES:
            between = low < value < high if open_ else low <= value <= high
            # An interval that is already open at an end stays so.
            assert (not narrowed.empty and narrowed.holds(value)) == (span.holds(value) and between), value

    @PROPERTY
    @given(spans(), spans())
    def test_the_meeting_holds_what_both_hold(self, one, other):
        both = one.meet(other)
        for value in PROBES:
            assert (not both.empty and both.holds(value)) == (one.holds(value) and other.holds(value)), value

    @PROPERTY
    @given(spans(), small, st.integers(0, 2**30))
    def test_what_is_taken_from_a_span_is_in_it(self, span, value, seed):
        if not span.empty:
            assert span.holds(span.nearest(value))
            assert all(span.holds(point) for point in span.boundary_points())
            assert span.holds(span.drawn(Random(seed)))

    def test_the_ends_of_an_open_interval_are_left_out(self):
        span = ValueSet(F(0), F(1)).narrowed(low=F(0), high=F(1), open_=True)
        assert not span.holds(F(0)) and not span.holds(F(1)) and span.holds(F(1, 2))
        assert span.holds(span.nearest(F(-5))) and span.holds(span.nearest(F(5)))
        assert ValueSet(F(0), F(0)).narrowed(high=F(0), open_=True).empty

    @pytest.mark.parametrize(("one", "other", "both"), [(4, 6, 12), (F(1, 2), F(1, 3), 1), (F(3, 2), 2, 6)])
    def test_common_multiples(self, one, other, both):
        assert common_multiple(F(one), F(other)) == both

    def test_how_many_values(self):
        assert ValueSet(F(1), F(10), F(3)).on_grid(F(3)).finite == 3  # 3, 6, 9
        assert ValueSet(F(1), F(2)).finite is None
        assert ValueSet(F(1), F(1)).finite == 1


class TestRoots:
    @PROPERTY
    @given(st.lists(st.integers(-9, 9), min_size=1, max_size=4), st.sampled_from([1, -2, 3]), st.integers(1, 3))
    def test_every_change_of_sign_is_next_to_a_root_that_is_found(self, roots, lead, scale):
        # lead * product of (scale*x - root)
        polynomial = (F(lead),)
        for root in roots:
            shifted = (F(0), *(scale * c for c in polynomial))
            polynomial = tuple(a - root * b for a, b in zip(shifted, (*polynomial, F(0)), strict=True))
        found = set(sign_changes(polynomial, -12, 12))
        for root in roots:
            assert F(root, scale).__floor__() in found or F(root, scale) - 1 in found

    def test_no_roots(self):
        assert list(sign_changes((F(1), F(0), F(1)), -100, 100)) == []
        assert list(sign_changes((F(5),), -100, 100)) == []
        assert list(sign_changes((), -100, 100)) == []

    def test_the_smallest_of_a_million_values_is_found_without_looking_at_all_of_them(self):
        looked = []

        def fails(value):
            looked.append(value)
            return (value - 424242) * (value - 777777) < 0

        polynomial = (F(424242 * 777777), F(-424242 - 777777), F(1))
        found = smallest(fails, F(700000), ValueSet(F(1), F(1000000), F(1)), F(1), [polynomial])
        assert found == 424243
        assert len(looked) < 50

    def test_a_rational_gets_the_fewest_digits(self):
        found = smallest(lambda v: F(21, 10) < v < F(29, 10), F(22431, 10000), ValueSet(F(0), F(9)), F(1), None)
        assert found == F(5, 2)


class TestLimits:
    @pytest.mark.parametrize(
        ("text", "ends", "expected"),
        [
            ("(3*a + b)/(2*a + 1)", {"a": None}, "3/2"),
            ("a*b/(a + b)", {"a": None}, "b"),
            ("b/a", {"a": None}, "0"),
            ("a + b", {"a": F(2)}, "2 + b"),
            ("(a**2 - 1)/(a - 1)", {"a": F(1)}, "2"),
            ("a*b/(2*a*b + a + b)", {"a": None, "b": None}, "1/2"),
        ],
    )
    def test_finite(self, text, ends, expected):
        found = limit(form(text), ends)
        assert isinstance(found, Finite) and found.form == form(expected)

    def test_infinite(self):
        assert isinstance(limit(form("a**2/(a + b)"), {"a": None}), Infinite)
        assert isinstance(limit(form("b/a"), {"a": F(0)}), Infinite)

    def test_a_ratio_that_depends_on_the_way_has_none(self):
        assert limit(form("a/b"), {"a": None, "b": None}) is None
        assert limit(form("max(a, b)"), {"a": None}) is None
