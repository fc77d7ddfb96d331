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

from flopkb.base.claims.space import Axis, Point, Space
from flopkb.base.claims.spans import Span

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
        for axis in space.axes:
            span = space.feasible(axis, point).narrowed(high=below.get(axis.atom))
            if span.empty:
                return None
            point[axis.atom] = draw(values(axis, span))
        return point

    return draw_point()


def values(axis: Axis, span: Span) -> st.SearchStrategy[Fraction]:
    """The values of a span, shrinking towards the smallest."""
    if span.values:
        return st.sampled_from(sorted(span.values, key=abs))
    if span.step is not None:
        step = span.step
        first = max(-(-span.low // step), min(0, span.high // step))
        upward = st.integers(0, int(span.high / step - first)).map(lambda n: (first + n) * step)
        downward = int(first - span.low / step)
        return upward if not downward else upward | st.integers(0, downward).map(lambda n: (first - n) * step)
    return st.sampled_from(_DENOMINATORS).flatmap(lambda under: _fractions(axis, span, under))


def _fractions(axis: Axis, span: Span, under: int) -> st.SearchStrategy[Fraction]:
    step = axis.scale / under
    low, high = int(-(-span.low // step)), int(span.high // step)
    if low > high:
        return st.just(span.nearest(span.low))
    return st.integers(0, high - low).map(lambda n: span.nearest((low + n) * step))
