"""One cause of many findings: the recorded value, or the formula, on which the wrong numbers rest and the right ones do not.

A number is wrong because of what it is computed from. Where nearly all quotes that move with a value are wrong, it is
that value which changed: they are told below it, so that nobody mends them one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from flopkb.arithmetic.diagnostics import Diagnostic, Location
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.evaluate.facts import FactAtom
from flopkb.base.link import FactTarget
from flopkb.base.link.targets import FormulaRef

LEAST = 5
"""So many findings are worth a cause of their own."""

_SHARE = 0.7
"""Of the quotes that rest on a cause at least this part is wrong: some are rounded so far that they hold."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A recorded value or a formula, where it stands, and the findings that follow from it."""

    title: str
    location: Location
    findings: tuple[Diagnostic, ...]

    def __str__(self) -> str:
        fixable = sum(1 for found in self.findings if found.replacement is not None)
        cure = "; if that is right, flopkb fix writes them anew" if fixable else ""
        return f"{len(self.findings)} findings follow from {self.title} ({self.location}){cure}"


def causes(base: Evaluation, found: Sequence[Diagnostic]) -> list[Cause]:
    """The causes of several findings each, the one with the most first; a finding has at most one."""
    quotes = [result for results in base.quotes.values() for result in results]
    rests = cache(rests_on)
    of_place = {result.location: result for result in quotes}
    left = {each: of_place[each.location] for each in found if each.quoted and each.location in of_place}
    total = Counter(atom for result in quotes for atom in rests(_Held(result)))
    causes_ = []
    while len(left) >= LEAST:
        wrong = Counter(atom for result in left.values() for atom in rests(_Held(result)))
        likely = [a for a, n in wrong.items() if n >= LEAST and n >= _SHARE * total[a]]
        if not likely:
            break
        atom = max(likely, key=lambda a: (wrong[a], wrong[a] / total[a], isinstance(a, FactAtom), str(a)))
        own = tuple(each for each, result in left.items() if atom in rests(_Held(result)))
        causes_.append(Cause(*told(atom, base), own))
        left = {each: result for each, result in left.items() if each not in own}
    return causes_


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """A quote, which is itself and no other that reads the same."""

    result: QuoteResult

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.result is self.result

    def __hash__(self) -> int:
        return id(self.result)


def rests_on(held: _Held) -> frozenset[FactAtom | FormulaRef]:
    """The recorded values that a quote moves with, and the formulas on the way to it."""
    result = held.result
    if isinstance(result.quote.target, FactTarget):
        return frozenset({FactAtom(result.quote.target.record, result.quote.target.path)})
    if result.value is None:
        return frozenset()
    return result.value.facts() | frozenset(_formulas(result))


def _formulas(result: QuoteResult) -> Iterator[FormulaRef]:
    assert result.value is not None
    for case in result.value.cases:
        yield from (ref.plain for side in case.sides for ref in side.formulas)


def told(atom: FactAtom | FormulaRef, base: Evaluation) -> tuple[str, Location]:
    """How a cause is told, and where it stands."""
    if isinstance(atom, FormulaRef):
        formula = base.kb.formulas[atom].formula
        return f"{atom} = {formula.text}", formula.key.location
    fact = base.kb.scope.records[atom.record].facts[atom.path]
    return f"{atom} = {fact.value.text if fact.value is not None else fact.absent}", fact.location
