"""Random statements: what is proved holds at every point, what is refuted fails there and nowhere smaller."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from claims.spaces import AXES, PROPERTY, conditions, expressions, form, space, term
from flopkb.arithmetic.formula import TooLargeError, ZeroDenominator, compares
from flopkb.arithmetic.prover.decide import Decision, Effort, Fails, Holds, NoPoint, Passed, Statement, ZeroDivisor
from flopkb.arithmetic.prover.signs import Prover
from flopkb.arithmetic.prover.space import DividedByZero, Space

pytestmark = pytest.mark.slow

OPS = st.sampled_from(["<=", ">=", "<", ">", "==", "!="])


def grid(space: Space):
    """Every point of a small space that its conditions admit."""
    for values in product(*(AXES[name] for name in space.atoms)):
        point = {name: Fraction(value) for name, value in zip(space.atoms, values, strict=True)}
        try:
            if space.admits(point):
                yield point
        except (DividedByZero, ZeroDenominator):
            continue


@PROPERTY
@given(expressions, OPS, conditions)
def test_what_signs_prove_holds_at_every_point(expr: str, op: str, where: list[str]) -> None:
    try:
        difference, domain = form(expr), space(*where)
    except (ZeroDenominator, TooLargeError):
        assume(False)
    if not Prover(domain).proves(op, difference):
        return
    for point in grid(domain):
        try:
            value = difference.evaluate(point)
        except ZeroDenominator:
            continue
        assert compares(op, value, Fraction(0)), (expr, op, where, point)


@PROPERTY
@given(expressions, expressions, OPS, conditions, st.booleans())
def test_verdicts_agree_with_every_point(left: str, right: str, op: str, where: list[str], solver: bool) -> None:
    try:
        statement = Statement(op, term(left), term(right), space(*where))
        # Without Hypothesis inside Hypothesis: its own part of the work is to begin from something smaller.
        with patch("flopkb.arithmetic.prover.search.search", lambda *args, **kwargs: None):
            outcome = Decision(statement.relevant(), Effort(use_solver=solver), 0).outcome()
    except (ZeroDenominator, TooLargeError):
        assume(False)
    points = list(grid(statement.space))
    if isinstance(outcome, Holds):
        assert points and all(statement.holds(point) for point in points), (left, op, right, where)
    elif isinstance(outcome, Fails):
        assert outcome.statement.refuted_by(outcome.point)
        assert compares(op, outcome.left, outcome.right) is False
        for name in outcome.point:
            for smaller in AXES[name]:
                if abs(smaller) < abs(outcome.point[name]):
                    moved = {**outcome.point, name: Fraction(smaller)}
                    assert not _refutes(outcome.statement, moved), (left, op, right, where, outcome.point, moved)
    elif isinstance(outcome, ZeroDivisor):
        assert not outcome.divisor.form.evaluate(outcome.point)
    elif isinstance(outcome, NoPoint):
        assert not points
    else:
        assert isinstance(outcome, Passed)
        assert all(_passes(statement, point) for point in points)


def _refutes(statement: Statement, point: dict) -> bool:
    try:
        return statement.refuted_by(point)
    except (DividedByZero, ZeroDenominator):
        return False


def _passes(statement: Statement, point: dict) -> bool:
    try:
        return statement.holds(point)
    except DividedByZero:
        return True


@PROPERTY
@given(st.lists(expressions, min_size=2, max_size=4))
def test_random_identities_are_proved(parts: list[str]) -> None:
    # A product multiplied out term by term is the product: (a + b)*c*... written in two ways.
    try:
        first, *others = parts
        rest = "*".join(f"({part})" for part in others)
        product_, expanded = term(f"(({first}) + 1)*{rest}"), term(f"({first})*{rest} + {rest}")
        outcome = Decision(Statement("==", product_, expanded, space()).relevant(), Effort(), 0).outcome()
    except (ZeroDenominator, TooLargeError):
        assume(False)
    assert isinstance(outcome, Holds | ZeroDivisor), (parts, outcome)
