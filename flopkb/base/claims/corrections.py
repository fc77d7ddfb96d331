"""Corrections to verdicts: each counterexample against what was stated, what was stated where it held, what holds now.

``given`` applies to all three; a counterexample beats it. The sides of a comparison are compared as numbers in base
units: an earlier statement may well have mixed its dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING
from zlib import crc32

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import compares
from flopkb.base.claims.decide import decide
from flopkb.base.claims.reading import Term, Undecidable
from flopkb.base.claims.setting import Setting
from flopkb.base.claims.statement import Statement
from flopkb.base.claims.telling import together, told
from flopkb.base.document import Scalar
from flopkb.base.model import Binding, Correction, Record
from flopkb.base.verdicts import CorrectionVerdicts, Invalid, Proved, Refuted, Verdict

if TYPE_CHECKING:
    from flopkb.base.claims.checker import Checker


@dataclass(slots=True)
class CorrectionWork:
    """The work on one correction."""

    checker: Checker
    correction: Correction
    record: Record

    def verdicts(self, *, thoroughly: bool = True) -> CorrectionVerdicts:
        """Every part of the correction; not ``thoroughly``: the counterexamples alone."""
        correction = self.correction
        refuting = tuple(self.refuting(where, bindings) for where, bindings in correction.counterexamples)
        if not thoroughly:
            return CorrectionVerdicts(refuting)
        held = None
        if correction.holds_when is not None:
            held = self.holding(correction.stated, (correction.holds_when,))
        now = self.holding(correction.now, ()) if correction.now is not None else None
        return CorrectionVerdicts(refuting, held, now)

    def refuting(self, where: Location, bindings: tuple[Binding, ...]) -> Verdict:
        """Whether a counterexample refutes what was stated: then it is ``Refuted``, else it is told why not."""
        place = Scalar(where, "", "")
        return self.checker.guarded(lambda: self._refuting(place, merged(self.correction.given, bindings)), place)

    def _refuting(self, place: Scalar, bindings: Sequence[Binding]) -> Verdict:
        found = []
        for setting in self.checker.settings(self.record, place, bindings, ()):
            parts = list(sides_of(self.correction.stated, setting))
            for case in setting.cases([side for _, *sides in parts for side in sides]):
                found.append(failing([(op, case.term(one), case.term(other)) for op, one, other in parts], place))
        # Of a list of values each must refute it.
        return next((verdict for verdict in found if not isinstance(verdict, Refuted)), found[0])

    def holding(self, comparison: Scalar, where: Sequence[Scalar]) -> Verdict:
        """How a comparison ends over the domain, where ``where`` holds."""
        return self.checker.guarded(lambda: self._holding(comparison, where), comparison)

    def _holding(self, comparison: Scalar, where: Sequence[Scalar]) -> Verdict:
        found: list[Verdict] = []
        for setting in self.checker.settings(self.record, comparison, self.correction.given, where):
            parts = list(sides_of(comparison, setting))
            for case in setting.cases([side for _, *sides in parts for side in sides]):
                for op, one, other in parts:
                    statement = Statement(op, case.term(one), case.term(other), case.space)
                    outcome = decide(statement, self.checker.effort, self.seed)
                    found.append(told(outcome, case.roles, case.space, comparison, where))
        return together(found)

    @property
    def seed(self) -> int:
        """A number that depends on nothing but the text."""
        return crc32(f"{self.record.id}:{self.correction.stated.text}".encode())


def sides_of(comparison: Scalar, setting: Setting) -> Iterator[tuple[str, Term, Term]]:
    """The comparisons of a text: the operator and both sides of each."""
    for part, body in setting.reader.comparisons(comparison):
        yield (part.op, *setting.reader.sides(part, body))


def failing(parts: Sequence[tuple[str, Term, Term]], place: Scalar) -> Verdict:
    """``Refuted`` by the first of the comparisons that fails, all their inputs being given; else they hold."""
    for op, one, other in parts:
        for divisor in (*one.divisors, *other.divisors):
            if divisor.form.constant() == 0:
                reason = f"{divisor.title} divides by {divisor.text}, which is zero here; give other inputs"
                raise Undecidable(Invalid(reason, place.location))
        difference = (one.form - other.form).constant()
        if difference is None:
            names = sorted({str(atom) for side in (one, other) for atom in side.form.atoms()})
            raise Undecidable(Invalid(f"this leaves {', '.join(names)} open; give a value for each", place.location))
        if not compares(op, difference, Fraction(0)):
            return Refuted((), reason=f"{one.text} and {other.text} differ by {difference}")
    return Proved("evaluation")


def merged(given: Sequence[Binding], over: Sequence[Binding]) -> tuple[Binding, ...]:
    """The bindings of ``given``, those of ``over`` in their place."""
    return tuple({binding.name: binding for binding in (*given, *over)}.values())
