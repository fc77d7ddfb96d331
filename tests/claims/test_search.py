"""Search and shrinking with Hypothesis: the same every time, within the domain, and without a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from claims.claiming import decided, record
from claims.spaces import axis, space
from flopkb.arithmetic.formula import Rational
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.search import search
from flopkb.arithmetic.prover.space import FreeSymbol, Space

pytestmark = pytest.mark.slow

F = Fraction


def wide(*names: str) -> Space:
    return Space(tuple(FreeSymbol(name, ValueSet(F(1), F(10**6), F(1))) for name in names))


def test_a_point_is_found_and_made_small() -> None:
    found = search(wide("a", "b"), lambda point: point["a"] + point["b"] > 1000, 500)
    assert found is not None
    assert found["a"] + found["b"] == 1001


def test_the_same_point_every_time() -> None:
    runs = [search(wide("a", "b"), lambda p: p["a"] * p["b"] > 10**7, 300) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2] is not None


def test_none_where_there_is_none() -> None:
    assert search(wide("a"), lambda point: False, 50) is None


def test_only_points_of_the_space() -> None:
    seen = []
    domain = space("a > c", "b >= a")
    search(domain, lambda point: seen.append(point) or False, 100)
    assert seen and all(domain.admits(point) for point in seen)


def test_below_a_point_that_is_known() -> None:
    seen = []
    search(wide("a", "b"), lambda p: seen.append(p) or False, 100, below={"a": F(5), "b": F(9)})
    assert seen and all(point["a"] <= 5 and point["b"] <= 9 for point in seen)


def test_multiples_lists_and_intervals() -> None:
    child = FreeSymbol("m", ValueSet(F(1), F(64), F(1)), parents=(Rational.atom("b"),))
    ratio, listed = (
        FreeSymbol("r", ValueSet(F(1, 10), F(10))),
        FreeSymbol("l", ValueSet(F(-1), F(4), None, (F(-1), F(2), F(4)))),
    )
    domain = Space((axis("b"), child, ratio, listed))
    seen = []
    search(domain, lambda point: seen.append(point) or False, 100)
    assert seen and all(point["m"] % point["b"] == 0 for point in seen)
    assert {point["l"] for point in seen} == {-1, 2, 4}


REFUTED = """{id: one, at_most: [x*v, 77]}
{id: two, formula: f, increasing_in: [x]}
{id: three, at_least: [(big - 123457)**2, 1]}
{id: four, exists: x*v > 7}"""


def test_verdicts_do_not_depend_on_the_hashes_of_a_run(base: TinyBase) -> None:
    record(base, REFUTED, 'f: {expr: "x*(900 - x) + v", unit: "1"}')
    code = (
        "from pathlib import Path; from flopkb.base.pipeline import evaluated_base; from flopkb.base.claims import claims_of;"
        f"base = evaluated_base(Path({str(base.records)!r}), Path({str(base.folder)!r}));"
        "[print(*item) for record in base.kb.records.values() for item in claims_of(base).of_record(record)]"
    )
    told = []
    for seed in ("0", "1", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(REPOSITORY)}
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        told.append(run.stdout)
    assert told[0] == told[1] == told[2]
    assert told[0].count("\n") == 4


@pytest.mark.parametrize("thorough", [[], ["--claims", "thorough"]])
def test_nothing_is_left_in_the_folder(base: TinyBase, thorough: list[str]) -> None:
    wide = "{id: five, at_most: [big, 3000]}"  # Hypothesis tries the constants of our own modules where many values are
    record(base, f"{REFUTED}\n{wide}", 'f: {expr: "x*(900 - x) + v", unit: "1"}')
    before = sorted(base.folder.rglob("*"))
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "flopkb", "check", *thorough]
    run = subprocess.run(command, capture_output=True, text=True, cwd=base.folder, env=env)
    assert run.returncode == 1 and run.stdout.count(": claim-refuted:") == 4
    assert sorted(base.folder.rglob("*")) == before


def test_the_modules_that_import_hypothesis_and_the_solver() -> None:
    import re

    package = REPOSITORY / "flopkb"
    for library, only in (("hypothesis", "arithmetic/prover/search.py"), ("z3", "arithmetic/prover/solver.py")):
        wanted = re.compile(rf"^\s*(import|from) {library}\b", re.MULTILINE)
        files = [path for path in sorted(package.rglob("*.py")) if wanted.search(path.read_text())]
        assert [str(path.relative_to(package)) for path in files] == [only]
        assert not Path(package / only).read_text().startswith(f"import {library}")


def test_decided_twice_is_the_same(base: TinyBase) -> None:
    record(base, REFUTED, 'f: {expr: "x*(900 - x) + v", unit: "1"}')
    assert decided(base) == decided(base)
