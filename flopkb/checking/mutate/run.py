"""Runs mutants over a checked base, on both cores, with the same result from run to run."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.formula import FormulaError, Rational, normal_form, parse
from flopkb.arithmetic.numbers import ReadError, judge, read
from flopkb.base.claims.verdicts import Proved
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import Stopped
from flopkb.base.link import FactTarget
from flopkb.base.model import Record
from flopkb.checking.check import check
from flopkb.checking.mutate.incremental import Incremental
from flopkb.checking.mutate.layers import case_mutants, layer_mutants
from flopkb.checking.mutate.mutants import Mutant, MutantGroup, claim_mutants, formula_mutants, quote_mutants
from flopkb.checking.mutate.sentences import sentence_mutants, suppression_mutants


@dataclass(frozen=True, slots=True)
class MutantResult:
    """What became of a mutant: the rule that caught it, why it does not count, or neither (it survived)."""

    mutant: Mutant
    rule: str | None
    apart: str | None = None

    @property
    def survived(self) -> bool:
        """Whether nothing noticed."""
        return self.rule is None and self.apart is None


@dataclass(frozen=True, slots=True)
class Score:
    """How many of a group's mutants were caught, of those that count."""

    group: MutantGroup
    caught: int
    counted: int
    apart: int

    @property
    def value(self) -> Fraction:
        """The share that was caught; one where there was nothing to catch."""
        return Fraction(self.caught, self.counted) if self.counted else Fraction(1)


def all_mutants(base: Evaluation) -> list[Mutant]:
    """Every mutant of the base, in the order of the files."""
    found: list[Mutant] = []
    for record in base.kb.records.values():
        found += quote_mutants(record, base)
        found += formula_mutants(record, base)
        found += case_mutants(record, base)
        found += layer_mutants(record)
        found += claim_mutants(record, base)
        found += sentence_mutants(record, base)
        found += suppression_mutants(record)
    unique = {(m.location, m.before, m.after): m for m in found}
    return sorted(unique.values(), key=lambda m: (m.location, m.group.value, m.after))


def sampled(mutants: Sequence[Mutant], number: int | None, seed: int) -> list[Mutant]:
    """``number`` of the mutants, chosen by ``seed``, in their order (all of them without a number)."""
    if number is None or number >= len(mutants):
        return list(mutants)
    chosen = sorted(random.Random(seed).sample(range(len(mutants)), number))
    return [mutants[index] for index in chosen]


_shared: Incremental | None = None


def run(base: Evaluation, mutants: Sequence[Mutant], workers: int) -> list[MutantResult]:
    """The outcome of each mutant, in their order; the workers share the base that was checked before they split."""
    global _shared
    _shared = Incremental.of(base, check(base))
    try:
        if workers < 2 or len(mutants) < 2 or "fork" not in multiprocessing.get_all_start_methods():
            return [outcome(mutant) for mutant in mutants]
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            return pool.map(outcome, mutants, chunksize=max(1, len(mutants) // (workers * 8)))
    finally:
        _shared = None


def outcome(mutant: Mutant) -> MutantResult:
    """What becomes of one mutant."""
    assert _shared is not None
    base = _shared.base
    record = base.kb.records[mutant.record]
    source = replaced(record.document.source, mutant)
    hides = mutant.group is MutantGroup.SUPPRESSIONS
    rule = _shared.needless_suppression(record, source) if hides else _shared.first_finding(record, source)
    if rule is not None:
        return MutantResult(mutant, rule)
    if mutant.group is MutantGroup.CLAIMS:
        return MutantResult(mutant, None, true_as_well(mutant, record))
    return MutantResult(mutant, None, says_the_same(mutant, record, base))


def true_as_well(mutant: Mutant, record: Record) -> str | None:
    """A claim on other symbols, or at another value, that is proved: a true statement, which no check could object to."""
    assert _shared is not None
    if not mutant.what.startswith(("symbol ", "given value")):
        return None
    verdict = _shared.verdict_at(record, replaced(record.document.source, mutant), mutant.location.line)
    return "the changed claim is proved as well" if isinstance(verdict, Proved) else None


def replaced(source: str, mutant: Mutant) -> str:
    """The text of the file with the mutant in place."""
    lines = source.split("\n")
    row, column = mutant.location.line - 1, mutant.location.column - 1
    line = lines[row]
    if not line.startswith(mutant.before, column):
        raise ValueError(f"{mutant} does not stand in the file")
    lines[row] = line[:column] + mutant.after + line[column + len(mutant.before) :]
    return "\n".join(lines)


def scores(outcomes: Iterable[MutantResult]) -> tuple[Score, ...]:
    """The score of each group that has mutants."""
    found = list(outcomes)
    made = []
    for group in MutantGroup:
        mine = [o for o in found if o.mutant.group is group]
        apart = sum(1 for o in mine if o.apart is not None)
        caught = sum(1 for o in mine if o.rule is not None)
        if mine:
            made.append(Score(group, caught, len(mine) - apart, apart))
    return tuple(made)


def says_the_same(mutant: Mutant, record: Record, base: Evaluation) -> str | None:
    """Why the mutant is no fault, or None where it is one that was missed."""
    if mutant.group is MutantGroup.FORMULAS:
        return same_formula(mutant, record, base)
    if mutant.group is MutantGroup.QUOTES or mutant.what == "qualifier":
        return same_number(mutant, record, base)
    return None


def same_number(mutant: Mutant, record: Record, base: Evaluation) -> str | None:
    """A quote that is still right as written, or a value whose every quote still is."""
    for result in base.quotes.get(record.id, ()):
        if result.location == mutant.location and result.unit is not None:
            try:
                judged = judge(read(mutant.after), result.values, result.unit)
            except ReadError:
                return None
            return "still right by the rounding rule" if judged.ok else None
    for fact in record.facts.values():
        for stated in (fact, *fact.disputed):
            if stated.value is not None and stated.value.at(0) == mutant.location:
                return quoted_still(record, fact.path, base)
    return None


def quoted_still(record: Record, path: str, base: Evaluation) -> str | None:
    """A value that is quoted, by quotes that all still round to what they say."""
    for results in base.quotes.values():
        for result in results:
            target = result.quote.target
            if isinstance(target, FactTarget) and (target.record, target.path) == (record.id, path):
                return "every quote of it is still right by the rounding rule"
    return None


def same_formula(mutant: Mutant, record: Record, base: Evaluation) -> str | None:
    """A formula with the same normal form."""
    for text in (case.expr for formula in record.formulas.values() for case in formula.cases):
        end = text.at(len(text.text))
        if text.at(0) <= mutant.location <= end:
            offset = mutant.location.column - text.at(0).column
            changed = text.text[:offset] + mutant.after + text.text[offset + len(mutant.before) :]
            return "the same normal form" if equal_forms(text.text, changed) else None
    return None


def equal_forms(written: str, changed: str) -> bool:
    """Whether the changed text is the same function of the same symbols."""

    def resolve(name: object) -> Rational:
        return Rational.atom(str(name))

    try:
        return normal_form(parse(written), resolve) == normal_form(parse(changed), resolve)
    except (FormulaError, ArithmeticError, Stopped):
        return False
