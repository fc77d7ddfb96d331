"""Search for counterexamples, and for smaller ones, with Hypothesis: the only module that imports it.

Imported when a claim is refuted or a search is thorough. Every run draws the same examples, keeps none, and takes as
long as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, find, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
from hypothesis.errors import NoSuchExample, Unsatisfiable

from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.space import FreeSymbol, Point, Space

_DENOMINATORS = (1, 2, 10, 1000)


def search(
    space: Space, fails: Callable[[Point], bool], examples: int, below: Mapping[Hashable, Fraction] | None = None
) -> Point | None:
    """A point of the space for which ``fails``, shrunk; with ``below`` none of its values above those given."""

    def refutes(point: Point | None) -> bool:
        return point is not None and space.admits(point) and fails(point)

    quiet = settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=examples,
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    try:
        with nothing_stored():
            return find(points(space, below or {}), refutes, settings=quiet)
    except (NoSuchExample, Unsatisfiable):
        return None


@contextmanager
def nothing_stored() -> Iterator[None]:
    """Hypothesis notes the constants of the modules that it meets in a folder: here, where there can be none."""
    before = storage_directory(intent_to_write=False).home_directory
    set_hypothesis_home_dir(Path(__file__) / "nowhere")
    try:
        yield
    finally:
        set_hypothesis_home_dir(before)


def points(space: Space, below: Mapping[Hashable, Fraction]) -> st.SearchStrategy[Point | None]:
    """Points of a space, symbol by symbol, each within what the ones before it leave; None where that is nothing."""

    @st.composite
    def draw_point(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Point | None:
        point: Point = {}
        for symbol in space.symbols:
            domain = space.feasible(symbol, point).narrowed(high=below.get(symbol.atom))
            if domain.empty:
                return None
            point[symbol.atom] = draw(values(symbol, domain))
        return point

    return draw_point()


def values(symbol: FreeSymbol, domain: ValueSet) -> st.SearchStrategy[Fraction]:
    """The values of a domain, shrinking towards the smallest."""
    if domain.values:
        return st.sampled_from(sorted(domain.values, key=abs))
    if domain.step is not None:
        step = domain.step
        first = max(-(-domain.low // step), min(0, domain.high // step))
        upward = st.integers(0, int(domain.high / step - first)).map(lambda n: (first + n) * step)
        downward = int(first - domain.low / step)
        return upward if not downward else upward | st.integers(0, downward).map(lambda n: (first - n) * step)
    return st.sampled_from(_DENOMINATORS).flatmap(lambda under: _fractions(symbol, domain, under))


def _fractions(symbol: FreeSymbol, domain: ValueSet, under: int) -> st.SearchStrategy[Fraction]:
    step = symbol.scale / under
    low, high = int(-(-domain.low // step)), int(domain.high // step)
    if low > high:
        return st.just(domain.nearest(domain.low))
    return st.integers(0, high - low).map(lambda n: domain.nearest((low + n) * step))
