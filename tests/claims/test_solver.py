"""What signs and points cannot decide: the solver, its absence, and a thorough search."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from claims.claiming import example, record, sides, verdict
from flopkb.base.claims import Effort, verdicts
from flopkb.base.claims.verdicts import Proved, Refuted

HOLE = "at_least: [(big - 123457)**2, 1]"
"""False at one of a million points, far from every boundary."""

TRUE = "at_least: ['big**2 + x**2', 2*big*x]"
"""A square is not negative: no sum of positive terms shows it."""


@pytest.fixture
def without_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which the solver is not installed."""
    monkeypatch.setitem(sys.modules, "z3", None)
    monkeypatch.setattr("flopkb.arithmetic.prover.solver.find_spec", lambda name: None)


def test_the_solver_finds_a_single_interior_point(base: TinyBase) -> None:
    found = verdict(base, HOLE)
    assert example(found) == {"big": 123457}
    assert sides(found) == (0, 1)


def test_without_the_solver_it_is_tested_and_never_proved(base: TinyBase, without_solver: None) -> None:
    found = verdict(base, HOLE)
    assert isinstance(found, verdicts.Tested)
    assert "no solver" in found.why


def test_a_broken_solver_is_as_good_as_none(base: TinyBase, tmp_path: Path) -> None:
    record(base, f"{{id: hole, {HOLE}}}")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "z3.py").write_text("raise ImportError('libz3 is not there')\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "broken"), str(REPOSITORY)])}
    command = [sys.executable, "-m", "flopkb", "check", "--records", str(base.records)]
    run = subprocess.run(command, capture_output=True, text=True, env=env)
    assert "1 tested" in run.stdout and "crash" not in run.stdout + run.stderr


def test_a_hole_in_several_dimensions(base: TinyBase) -> None:
    found = verdict(base, "at_least: [(big - 4711)**2 + (x - 37)**2 + (v - 11)**2, 1]")
    assert example(found) == {"x": 37, "v": 11, "big": 4711}


def test_the_neighbours_of_the_hole_are_no_refutation(base: TinyBase) -> None:
    found = verdict(base, "at_least: [(2*big - 246915)**2, 1]")  # zero half way between two whole numbers
    assert isinstance(found, Proved)


def test_what_only_the_solver_proves(base: TinyBase) -> None:
    found = verdict(base, TRUE)
    assert isinstance(found, Proved)
    assert "solver" in found.method


def test_what_only_the_solver_proves_is_tested_without_it(base: TinyBase, without_solver: None) -> None:
    found = verdict(base, TRUE)
    assert isinstance(found, verdicts.Tested)
    assert found.points > 10


def test_what_the_solver_gives_up_on_is_tested(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flopkb.arithmetic.prover.solver.RESOURCES", 1)
    found = verdict(base, TRUE)
    assert isinstance(found, verdicts.Tested)
    assert "does not know" in found.why


def test_a_model_of_the_solver_counts_only_where_it_refutes_exactly(
    base: TinyBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flopkb.arithmetic.prover import solver

    def wrong(space: object, op: str, form: object, resources: int) -> object:
        return solver.Witness({symbol.atom: symbol.domain.low for symbol in space.symbols})  # type: ignore[attr-defined]

    monkeypatch.setattr(solver, "solve", wrong)
    assert isinstance(verdict(base, TRUE), verdicts.Tested)


def test_a_divisor_that_only_the_solver_can_rule_out(base: TinyBase) -> None:
    found = verdict(base, "at_most: ['x/(big**2 - big*x + x**2)', x]")
    assert isinstance(found, Proved)


def test_the_solver_through_max_and_floor(base: TinyBase) -> None:
    found = verdict(base, "at_least: ['(max(big, x) - 2*min(big, x) - 77)**2 + (floor(x/2) - 40)**2', 1]")
    assert isinstance(found, Refuted)
    x, big = example(found)["x"], example(found)["big"]
    assert max(big, x) - 2 * min(big, x) == 77 and x // 2 == 40


def test_a_thorough_search_looks_further(base: TinyBase, without_solver: None) -> None:
    claim = "at_least: ['(big - 40000)*(big - 60000) + 99000000', 0]"  # negative from 49000 to 51000
    usual, thorough = verdict(base, claim), verdict(base, claim, effort=Effort(thorough=True))
    assert isinstance(usual, verdicts.Tested | Refuted)
    assert isinstance(thorough, Refuted)
    assert sides(thorough)[0] < 0


def test_nothing_is_imported_that_is_not_needed(base: TinyBase) -> None:
    import subprocess

    from claims.claiming import record

    record(base, "{id: it, formula: f, equals: x*v}", 'f: {expr: "x*v", unit: "1"}')
    code = (
        "import sys; from pathlib import Path;"
        "from flopkb.base.pipeline import evaluated_base; from flopkb.checking.check import check;"
        f"base = evaluated_base(Path({str(base.records)!r}), Path({str(base.folder)!r}));"
        "check(base); from flopkb.base.claims import claims_of; assert claims_of(base).counts()['proved'] == 1;"
        "print('z3' in sys.modules, 'hypothesis' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
