"""Claims and corrections of a base: what records state of their formulas, decided over the declared domains.

In: an evaluated base. Out: a verdict on each claim when it is first asked for, and once: proved, tested, refuted, or
why it cannot be decided. The deciding itself is :mod:`flopkb.arithmetic.prover`; here claims are read into statements
over forms, and what came out is told in the record's own symbols.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace

from flopkb.arithmetic.prover.decide import Effort
from flopkb.base.claims.checker import Checker, CorrectionWork
from flopkb.base.claims.general import general_note
from flopkb.base.claims.verdicts import ENDINGS, ClaimVerdict, CorrectionVerdicts, Proved, Tested
from flopkb.base.evaluate import Evaluation
from flopkb.base.link.targets import ClaimTarget
from flopkb.base.model import Record

__all__ = ["Checker", "Claims", "Effort", "claims_of", "tested_mark", "use_effort"]


@dataclass(slots=True)
class Claims:
    """Verdicts on demand; ``skipped`` where claims are not to be decided at all."""

    base: Evaluation
    checker: Checker
    skipped: bool = False
    _claims: dict[tuple[str, str], ClaimVerdict] = field(default_factory=dict)
    _corrections: dict[tuple[str, int], CorrectionVerdicts] = field(default_factory=dict)

    def claim(self, record: str, name: str) -> ClaimVerdict | None:
        """How a claim ends; None where claims are skipped, or there is no such claim."""
        if self.skipped or record not in self.base.kb.scope.records:
            return None
        key = (record, name)
        if key not in self._claims:
            holder = self.base.kb.scope.records[record]
            if name not in holder.claims:
                return None
            self._claims[key] = self.checker.claim(holder.claims[name], holder)
        return self._claims[key]

    def told(self, record: str, name: str) -> ClaimVerdict | None:
        """The verdict as a reader is to see it: with the note that the claim says nothing of the records it names."""
        verdict = self.claim(record, name)
        if not isinstance(verdict, Proved | Tested):
            return verdict
        holder = self.base.kb.records[record]
        note = general_note(self.checker, holder.claims[name], holder)
        return replace(verdict, note="; ".join(filter(None, (verdict.note, note))))

    def of_record(self, record: Record) -> Iterator[tuple[str, ClaimVerdict]]:
        """The claims of a record with their verdicts (none of one whose id another record has)."""
        if self.base.kb.scope.records.get(record.id) is record:
            for name in record.claims:
                verdict = self.claim(record.id, name)
                if verdict is not None:
                    yield name, verdict

    def correction(self, record: Record, place: int) -> CorrectionVerdicts:
        """How a correction ends; where claims are skipped, its counterexamples alone."""
        key = (record.id, place)
        if key not in self._corrections:
            work = CorrectionWork(self.checker, record.corrections[place], record)
            self._corrections[key] = work.verdicts(thoroughly=not self.skipped)
        return self._corrections[key]

    def carry(self, other: Claims, claims: Container[tuple[str, str]], corrections: Container[str]) -> None:
        """Take over the verdicts of another state of the base, except on some claims, and on the corrections of some records."""
        self.skipped = other.skipped
        self._claims.update((key, verdict) for key, verdict in other._claims.items() if key not in claims)
        self._corrections.update((key, found) for key, found in other._corrections.items() if key[0] not in corrections)

    def counts(self) -> dict[str, int]:
        """How many of the claims decided so far ended in which way (nothing where they are skipped)."""
        return counted_endings(self.endings().values()) if not self.skipped else {}

    def endings(self) -> dict[tuple[str, str], str]:
        """How each of the claims decided so far ended, by record and name."""
        words = {kind: kind.word for kind in ENDINGS}
        return {name: words[type(verdict)] for name, verdict in self._claims.items() if type(verdict) in words}


def counted_endings(endings: Iterable[str]) -> dict[str, int]:
    """How many claims ended in which way, given how each did."""
    counts = Counter(endings)
    return {kind.word: counts[kind.word] for kind in ENDINGS}


def claims_of(base: Evaluation) -> Claims:
    """The claims of a base, decided with the effort that was set, or the usual one."""
    found = base.shared.get(Claims)
    return found if isinstance(found, Claims) else use_effort(base, Effort())


def tested_mark(target: object, base: Evaluation) -> str:
    """What follows the words of a link to a claim that is only tested; empty for everything else."""
    found = claims_of(base).claim(target.record, target.name) if isinstance(target, ClaimTarget) else None
    return f" ({found.word})" if isinstance(found, Tested) else ""


def use_effort(base: Evaluation, effort: Effort, *, skip: bool = False) -> Claims:
    """Sets what is spent on each claim of a base, and forgets the verdicts that it had.

    With ``skip`` no claim is decided, and of corrections the counterexamples alone.
    """
    claims = Claims(base, Checker(base.kb, base.evaluator.forms, effort), skip)
    base.shared[Claims] = claims
    return claims
