"""Corrections to verdicts: does each counterexample refute what was stated, did it hold where it is said to, and what holds now.

``given`` applies to all three; a counterexample beats it. The sides of a comparison are compared as numbers in base
units: an earlier statement may well have mixed its dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING
from zlib import crc32

from flopkb.claims.decide import decide
from flopkb.claims.reading import Undecidable
from flopkb.claims.statement import Statement
from flopkb.claims.telling import together, told
from flopkb.diagnostics import Location
from flopkb.document import Scalar
from flopkb.formula import compares
from flopkb.model import Binding, Correction, Record
from flopkb.verdicts import CorrectionVerdicts, Invalid, Proved, Refuted, Side, Verdict

if TYPE_CHECKING:
    from flopkb.claims.checker import Checker


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
        stated = self.correction.stated
        found: list[Verdict] = []
        for setting in self.checker.settings(self.record, place, bindings, ()):
            comparisons = [(part, setting.reader.sides(part, body)) for part, body in setting.reader.comparisons(stated)]
            for case in setting.cases([side for _, sides in comparisons for side in sides]):
                values = []
                for part, sides in comparisons:
                    left, right = (case.term(side) for side in sides)
                    difference = (left.form - right.form).constant()
                    if difference is None:
                        names = sorted({str(atom) for side in (left, right) for atom in side.form.atoms()})
                        raise Undecidable(Invalid(f"this leaves {', '.join(names)} open; give them values too", place.location))
                    values.append((compares(part.op, difference, Fraction(0)), left, right))
                failed = next(((left, right) for holds, left, right in values if not holds), None)
                if failed is None:
                    found.append(Proved("evaluation"))
                else:
                    numbers = [side.form.constant() for side in failed]
                    sides = [Side(s.text, n) for s, n in zip(failed, numbers, strict=True) if n is not None]
                    found.append(Refuted(case.roles, sides[0], "", sides[1]) if len(sides) == 2 else Refuted((), reason="refuted"))
        # Of a list of values each must refute it.
        return next((verdict for verdict in found if not isinstance(verdict, Refuted)), found[0])

    def holding(self, comparison: Scalar, where: Sequence[Scalar]) -> Verdict:
        """How a comparison ends over the domain, where ``where`` holds."""
        return self.checker.guarded(lambda: self._holding(comparison, where), comparison)

    def _holding(self, comparison: Scalar, where: Sequence[Scalar]) -> Verdict:
        found: list[Verdict] = []
        for setting in self.checker.settings(self.record, comparison, self.correction.given, where):
            parts = [(part, setting.reader.sides(part, body)) for part, body in setting.reader.comparisons(comparison)]
            for case in setting.cases([side for _, sides in parts for side in sides]):
                for part, sides in parts:
                    left, right = (case.term(side) for side in sides)
                    outcome = decide(Statement(part.op, left, right, case.space), self.checker.effort, self.seed)
                    found.append(told(outcome, case.roles, case.space, comparison, where))
        return together(found)

    @property
    def seed(self) -> int:
        """A number that depends on nothing but the text."""
        return crc32(f"{self.record.id}:{self.correction.stated.text}".encode())


def merged(given: Sequence[Binding], over: Sequence[Binding]) -> tuple[Binding, ...]:
    """The bindings of ``given``, those of ``over`` in their place."""
    return tuple({binding.name: binding for binding in (*given, *over)}.values())

