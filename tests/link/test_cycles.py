"""Formulas that lead back to themselves, held against walking from each."""

from __future__ import annotations

from conftest import TinyBase
from hypothesis import given
from hypothesis import strategies as st

from flopkb.base.link.cycles import components, cycle_from

GRAPHS = st.dictionaries(st.integers(0, 6), st.lists(st.integers(0, 6), max_size=3), max_size=7)


def reached(start: int, graph: dict[int, list[int]]) -> set[int]:
    found, queue = set[int](), list(graph.get(start, ()))
    while queue:
        node = queue.pop()
        if node not in found:
            found.add(node)
            queue += graph.get(node, ())
    return found


@given(graph=GRAPHS)
def test_components_are_those_that_reach_each_other(graph: dict[int, list[int]]) -> None:
    found = components(range(7), lambda node: graph.get(node, ()))
    for node in range(7):
        assert found[node] == {node} | {other for other in reached(node, graph) if node in reached(other, graph)}


@given(graph=GRAPHS)
def test_a_cycle_is_a_way_back(graph: dict[int, list[int]]) -> None:
    for start in range(7):
        way = cycle_from(start, lambda node: graph.get(node, ()))
        assert (way is not None) == (start in reached(start, graph))
        if way is not None:
            assert way[0] == start and len(set(way)) == len(way)
            assert all(after in graph[node] for node, after in zip(way, (*way[1:], start), strict=True))


def chain(length: int, first: str) -> str:
    links = "".join(f'  f{n}: {{expr: f{n - 1} + 1, unit: "1"}}\n' for n in range(1, length))
    return f'formulas:\n  f0: {{expr: "{first}", unit: "1"}}\n{links}'


def test_a_long_cycle_is_one_finding(base: TinyBase) -> None:
    base.formula("ring", chain(200, "f199"))
    (line,) = [line for line in base.lines() if ": cycle: " in line]
    assert len(line) < 400


def test_two_cycles_of_one_tangle_are_two_findings(base: TinyBase) -> None:
    body = 'formulas:\n  a: {expr: b + c, unit: "1"}\n  b: {expr: a, unit: "1"}\n  c: {expr: a, unit: "1"}\n'
    base.formula("knot", body)
    assert len([line for line in base.lines() if ": cycle: " in line]) == 2
