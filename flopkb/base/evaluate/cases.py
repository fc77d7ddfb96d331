"""Which case of a formula holds: exactly one may."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import (
    Among,
    Compare,
    Condition,
    Expr,
    Flag,
    Test,
    compares,
    holding,
    names,
    to_text,
    walk,
)
from flopkb.arithmetic.prover import ValueSet
from flopkb.base.document import Scalar
from flopkb.base.evaluate.asked import Known, Unbound
from flopkb.base.faults import MissingInput, NotCovered, SeveralCases, Stopped
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.frames import ROOT, Frame
from flopkb.base.link.targets import FormulaRef, LinkedCondition, LinkedExpr, LinkedFormula, SymbolAtom, Target


class Deciding(Protocol):
    """What a condition asks of the inputs."""

    @property
    def kb(self) -> KnowledgeBase: ...
    @property
    def place(self) -> tuple[Location, str, int]: ...
    @property
    def deciders(self) -> set[SymbolAtom]: ...
    def narrowed(self, target: Target, frame: Frame) -> Target: ...
    def put_in(self, body: LinkedExpr, frame: Frame) -> LinkedExpr: ...
    def role(self, name: str) -> Scalar | None: ...
    def word(self, atom: SymbolAtom) -> str | Unbound: ...
    def number(self, body: LinkedExpr) -> Fraction | Unbound: ...
    def decided(self, op: str, left: LinkedExpr, right: LinkedExpr) -> bool | None: ...


def chosen(linked: LinkedFormula, ref: FormulaRef, env: Deciding) -> LinkedExpr:
    """The expression of the case that holds in the frame of ``ref``; raises :class:`Stopped` unless there is just one."""
    first = linked.cases[0]
    if first.when is None:
        return first.body
    frame = ref.frame or ROOT
    found = [case for case in linked.cases if case.when is not None and holds_in(case.when, frame, env)]
    if len(found) == 1:
        return found[0].body
    where, record, length = env.place
    if not found:
        about, covered = situation(linked, frame, env), coverers(linked, frame, env)
        raise Stopped(NotCovered(where, record, length, formula=str(ref.plain), about=about, covered=covered))
    texts = tuple(case.when.source.text for case in found if case.when is not None)
    raise Stopped(SeveralCases(where, record, length, formula=str(ref.plain), conditions=texts))


def holds_in(when: LinkedCondition, frame: Frame, env: Deciding) -> bool:
    """Whether a condition is true in a frame; raises :class:`Stopped` where an input is missing that decides it."""

    def test(part: Test) -> bool:
        if isinstance(part, Among):
            return word_of(part, when, frame, env) in part.words
        sides = (part.left, part.right) if isinstance(part, Compare) else (part.value,)
        bodies = [put_side(side, when, frame, env) for side in sides]
        env.deciders.update(atom for body in bodies for atom in body.targets.values() if isinstance(atom, SymbolAtom))
        numbers = [env.number(body) for body in bodies]
        missing = next((number for number in numbers if isinstance(number, Unbound)), None)
        if missing is None:
            values = [number for number in numbers if not isinstance(number, Unbound)]
            return compares(part.op, *values) if isinstance(part, Compare) else bool(values[0])
        told = env.decided(part.op, *bodies) if isinstance(part, Compare) else None
        if told is None:
            raise Stopped(MissingInput(*env.place, formula=f"the case `{when.source.text}`", names=missing.names))
        return told

    return holding(when.condition, test)


def implied(op: str, number: Fraction, domains: Sequence[ValueSet], known: Iterable[Known]) -> bool | None:
    """Whether ``x op number`` is settled by the domains of ``x`` and by what is known of it."""
    lows = [(domain.low, False) for domain in domains]
    highs = [(domain.high, False) for domain in domains]
    for each in known:
        if each.op in (">", ">=", "=="):
            lows.append((each.number, each.op == ">"))
        if each.op in ("<", "<=", "=="):
            highs.append((each.number, each.op == "<"))
    low = max(lows, default=None)
    high = min(highs, key=lambda end: (end[0], not end[1]), default=None)
    above = low is not None and (low[0] > number or (low[0] == number and low[1]))
    below = high is not None and (high[0] < number or (high[0] == number and high[1]))
    least = low is not None and low[0] >= number
    most = high is not None and high[0] <= number
    settled: dict[str, tuple[bool, bool]] = {
        ">": (above, most),
        ">=": (least, below),
        "<": (below, least),
        "<=": (most, above),
        "==": (least and most and not above and not below, above or below),
        "!=": (above or below, least and most and not above and not below),
    }
    yes, no = settled[op]
    return True if yes else False if no else None


def put_side(side: Expr, when: LinkedCondition | LinkedExpr, frame: Frame, env: Deciding) -> LinkedExpr:
    """One side of a comparison in plain arithmetic."""
    levels = when.levels if isinstance(when, LinkedExpr) else {}
    return env.put_in(
        LinkedExpr(when.record, when.source, side, {name: when.targets[name] for name in names(side)}, levels), frame
    )


def word_of(part: Among, when: LinkedCondition, frame: Frame, env: Deciding) -> str:
    """The word that the symbol of a test stands for; raises :class:`Stopped`."""
    atom = env.narrowed(when.targets[part.symbol], frame)
    assert isinstance(atom, SymbolAtom), "linking has seen to that"
    env.deciders.add(atom)
    word = env.word(atom)
    if isinstance(word, Unbound):
        raise Stopped(MissingInput(*env.place, formula=f"the case `{when.source.text}`", names=word.names))
    return word


def tests_of(linked: LinkedFormula) -> Iterator[tuple[Test, LinkedCondition]]:
    """Every part of every condition of a formula."""
    for case in linked.cases:
        for node in walk(case.when.condition) if case.when is not None else ():
            if case.when is not None and isinstance(node, Compare | Among | Flag):
                yield node, case.when


def situation(linked: LinkedFormula, frame: Frame, env: Deciding) -> str:
    """What the conditions turn on, as it is here: ``mixer_type mamba``."""
    found: dict[str, None] = {}
    for test, when in tests_of(linked):
        if isinstance(test, Among):
            found[f"{test.symbol} {word_of(test, when, frame, env)}"] = None
    for test, when in tests_of(linked):
        if not isinstance(test, Among):
            found[f"not {to_text(test)}" if not holds_in_part(test, when, frame, env) else to_text(test)] = None
    model = env.role("model")
    part = ".".join(name for name in (model.text if model else "", frame.mixer, frame.feed_forward) if name)
    return ", ".join(list(found)[:3]) + (f" ({part})" if part else "")


def holds_in_part(test: Condition, when: LinkedCondition, frame: Frame, env: Deciding) -> bool:
    """Whether one test of a condition is true."""
    return holds_in(LinkedCondition(when.record, when.source, test, when.targets), frame, env)


def coverers(linked: LinkedFormula, frame: Frame, env: Deciding) -> tuple[str, ...]:
    """The other formulas that have a case for the type at hand, those of the same name first."""
    words = [
        (when.targets[test.symbol], word_of(test, when, frame, env))
        for test, when in tests_of(linked)
        if isinstance(test, Among)
    ]
    found = [
        other
        for other in env.kb.formulas.values()
        if other.ref != linked.ref
        and any(
            (when.targets[test.symbol], word) in words
            for test, when in tests_of(other)
            if isinstance(test, Among)
            for word in test.words
        )
    ]
    found.sort(key=lambda other: (other.ref.name != linked.ref.name, other.ref.record != linked.ref.record))
    return tuple(str(other.ref) for other in found[:2])
