"""Formulas and derived values that lead back to themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from flopkb.base.faults import Blocked, Cycle, Fault
from flopkb.base.link.targets import FormulaRef, LinkedFormula

Node = TypeVar("Node", bound=Hashable)

_TANGLE = 50
"""In what more formulas than these make up, in whatever ways, one cycle is told: looking for each takes too long."""


def without_cycles(formulas: Mapping[FormulaRef, LinkedFormula]) -> dict[FormulaRef, LinkedFormula]:
    """The formulas, those on a cycle stripped of their bodies; each cycle is reported once."""
    done = dict(formulas)
    reported: set[frozenset[FormulaRef]] = set()
    tangled = components(formulas, lambda named: uses(named, formulas))
    for ref in formulas:
        tangle = tangled[ref]
        linked = formulas[ref]
        if len(tangle) == 1 and ref not in uses(ref, formulas):
            continue
        where = linked.formula.cases[0].expr
        fault: Fault = Blocked(where.location, ref.record, cause="on a cycle")
        known = len(tangle) > _TANGLE and tangle in reported
        cycle = None if known else cycle_from(ref, lambda named: uses(named, formulas))
        members = tangle if len(tangle) > _TANGLE else frozenset(cycle or ())
        if cycle is not None and members not in reported:
            path = tuple(str(member) for member in (*cycle, cycle[0]))
            fault = Cycle(*where.whole(ref.record), path=path)
            reported.add(members)
        done[ref] = replace(linked, cases=(), faults=(*linked.faults, fault))
    return done


def components(nodes: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> dict[Node, frozenset[Node]]:
    """For each node all those that it leads to and that lead back to it, itself among them (Tarjan, without recursion)."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_: list[Node] = []
    found: dict[Node, frozenset[Node]] = {}
    for root in nodes:
        way: list[tuple[Node, Iterator[Node]]] = [] if root in number else [(root, iter(following(root)))]
        while way:
            node, rest = way[-1]
            if node not in number:
                number[node] = low[node] = len(number)
                open_.append(node)
            after = next(rest, None)
            if after is not None:
                if after not in number:
                    way.append((after, iter(following(after))))
                elif after not in found:
                    low[node] = min(low[node], number[after])
                continue
            way.pop()
            if way:
                low[way[-1][0]] = min(low[way[-1][0]], low[node])
            if low[node] == number[node]:
                members = frozenset(iter(open_.pop, node)) | {node}
                found.update(dict.fromkeys(members, members))
    return found


def cycle_from(start: Node, following: Callable[[Node], Iterable[Node]]) -> tuple[Node, ...] | None:
    """What is on the way from ``start`` back to itself, or None."""
    before: dict[Node, Node] = {}
    stack = [start]
    while stack:
        node = stack.pop()
        for after in following(node):
            if after == start:
                return _way(start, node, before)
            if after not in before:
                before[after] = node
                stack.append(after)
    return None


def _way(start: Node, end: Node, before: Mapping[Node, Node]) -> tuple[Node, ...]:
    """From ``start`` to ``end``, by what stands before each."""
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))


def uses(ref: FormulaRef, formulas: Mapping[FormulaRef, LinkedFormula]) -> Iterator[FormulaRef]:
    """The formulas that a formula names."""
    linked = formulas.get(ref)
    if linked is not None:
        yield from (target for target in linked.targets if isinstance(target, FormulaRef))
