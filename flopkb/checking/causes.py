"""One cause of many findings: what they name and is not there, or the value or formula that the wrong numbers rest on.

A number is wrong because of what it is computed from. Where nearly all quotes that move with a value are wrong, it is
that value which changed: they are told below it, so that nobody mends them one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

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


Atom = FactAtom | FormulaRef

Resting = tuple[Location, frozenset[Atom]]
"""Where a quote stands, and the recorded values that it moves with and the formulas on the way to it."""


def resting(base: Evaluation, holders: Iterable[str]) -> list[Resting]:
    """What each quote of some records and documents rests on."""
    return [(result.location, rests_on(result)) for holder in holders for result in base.quotes[holder]]


def worth_a_cause(found: Iterable[Diagnostic]) -> bool:
    """Whether there are so many findings about quotes, or about what is missing, that several may have one cause."""
    return sum(1 for each in found if each.quoted or each.missing) >= LEAST


Rest = tuple[str, str, str, int]
"""Whether what quotes rest on is a value or a formula, its record, its name, and how many rest on it."""


def rests_in(base: Evaluation, holder: str) -> tuple[Rest, ...]:
    """How many quotes of a record or document rest on what."""
    counted = Counter(atom for _, atoms in resting(base, [holder]) for atom in atoms)
    rests = [
        ("value", atom.record, atom.path, n) if isinstance(atom, FactAtom) else ("formula", atom.record, atom.name, n)
        for atom, n in counted.items()
    ]
    return tuple(sorted(rests))


def causes(
    quotes: Sequence[Resting],
    base: Evaluation,
    found: Sequence[Diagnostic],
    others: Iterable[Iterable[Rest]] = (),
) -> list[Cause]:
    """The causes of several findings each, the one with the most first; a finding has at most one.

    ``quotes`` are those in which something may be wrong, ``others`` how many right ones rest on what.
    """
    of_place = dict(quotes)
    left = {each: of_place[each.location] for each in found if each.quoted and each.location in of_place}
    total = Counter(atom for _, atoms in quotes for atom in atoms)
    for what, record, name, count in (rest for rests in others for rest in rests):
        total[FactAtom(record, name) if what == "value" else FormulaRef(record, name)] += count
    causes_ = list(absences(base, found))
    while len(left) >= LEAST:
        wrong = Counter(atom for atoms in left.values() for atom in atoms)
        likely = [a for a, n in wrong.items() if n >= LEAST and n >= _SHARE * total[a]]
        if not likely:
            break
        atom = max(likely, key=lambda a: (wrong[a], wrong[a] / total[a], isinstance(a, FactAtom), str(a)))
        own = tuple(each for each, atoms in left.items() if atom in atoms)
        causes_.append(Cause(*told(atom, base), own))
        left = {each: atoms for each, atoms in left.items() if atom not in atoms}
    return causes_


def absences(base: Evaluation, found: Sequence[Diagnostic]) -> Iterator[Cause]:
    """What many findings name and no record has: a formula that was deleted, a record that was renamed."""
    lacking: dict[str, list[Diagnostic]] = {}
    for each in found:
        if each.missing:
            lacking.setdefault(each.missing, []).append(each)
    for name, own in sorted(lacking.items(), key=lambda item: -len(item[1])):
        if len(own) >= LEAST:
            record = base.kb.records.get(name.partition(".")[0])
            where = record.id_at.location if record is not None else own[0].location
            yield Cause(f"{name}, which is not there: restore it, or name what took its place", where, tuple(own))


def rests_on(result: QuoteResult) -> frozenset[Atom]:
    """The recorded values that a quote moves with, and the formulas on the way to it."""
    if isinstance(result.quote.target, FactTarget):
        return frozenset({FactAtom(result.quote.target.record, result.quote.target.path)})
    if result.value is None:
        return frozenset()
    return result.value.facts() | frozenset(_formulas(result))


def _formulas(result: QuoteResult) -> Iterator[FormulaRef]:
    assert result.value is not None
    for case in result.value.cases:
        yield from (ref.plain for side in case.sides for ref in side.formulas)


def told(atom: Atom, base: Evaluation) -> tuple[str, Location]:
    """How a cause is told, and where it stands."""
    if isinstance(atom, FormulaRef):
        formula = base.kb.formulas[atom].formula
        return f"{atom} = {formula.text}", formula.key.location
    fact = base.kb.scope.records[atom.record].facts[atom.path]
    return f"{atom} = {fact.value.text if fact.value is not None else fact.absent}", fact.location
