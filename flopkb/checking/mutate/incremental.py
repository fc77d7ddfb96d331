"""What the checks find when one record changes: only what the change can affect is linked, evaluated and checked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import ClaimVerdict
from flopkb.base.document import Document
from flopkb.base.evaluate import Evaluation, recomputed, share, with_record, with_strays, with_usage
from flopkb.base.evaluate.usage import Share
from flopkb.base.loading import load_text
from flopkb.base.model import Record
from flopkb.base.schema import read_records
from flopkb.checking.check import CheckResult, check, diagnostic, draft_paths
from flopkb.checking.findings import RecordRule, Rule, SuppressionRule
from flopkb.checking.mutate.readers import Change, Readers, Stale
from flopkb.checking.rules import RULES


@dataclass(slots=True)
class Incremental:
    """A checked base, what reads each place of it, and what each record uses."""

    base: Evaluation
    known: Counter[tuple[str, str, str]]
    """The findings of the base as it is, which a change is not blamed for."""
    readers: Readers
    shares: Mapping[str, Share] = field(repr=False)

    @classmethod
    def of(cls, base: Evaluation, result: CheckResult) -> Incremental:
        """Prepare a base that has been checked."""
        known = Counter(identity(found) for found in result.diagnostics)
        return cls(base, known, Readers.of(base), {holder: share(base, holder) for holder in base.quotes})

    def first_finding(self, record: Record, source: str) -> str | None:
        """The rule that first finds something new when ``record`` has ``source``, or None."""
        loaded = load_text(source, record.path)
        if not isinstance(loaded, Document):
            return loaded[0].rule
        records, _, diagnostics = read_records([loaded])
        if diagnostics or not records:
            return diagnostics[0].rule if diagnostics else "schema"
        for found in self.findings(record, records[0]):
            return found.rule
        return None

    def needless_suppression(self, record: Record, source: str) -> str | None:
        """The rule that objects to the suppressions of ``record`` when it has ``source``, or None."""
        loaded = load_text(source, record.path)
        records, _, diagnostics = read_records([loaded]) if isinstance(loaded, Document) else ((), None, loaded)
        if diagnostics or not records:
            return diagnostics[0].rule if diagnostics else "schema"
        base, _ = self.evaluated(record, records[0])
        result = check(base, [rule for rule in RULES if isinstance(rule, RecordRule | SuppressionRule)])
        left = Counter(self.known)
        return next((found.rule for found in result.diagnostics if not seen(found, left)), None)

    def verdict_at(self, record: Record, source: str, line: int) -> ClaimVerdict | None:
        """How the claim that a line of ``source`` belongs to ends."""
        loaded = load_text(source, record.path)
        records, _, _ = read_records([loaded]) if isinstance(loaded, Document) else ((), None, None)
        for changed in records:
            begun = [c for c in changed.claims.values() if c.location.line <= line]
            if begun:
                base, _ = self.evaluated(record, changed)
                return claims_of(base).claim(changed.id, max(begun, key=lambda c: c.location.line).name)
        return None

    def findings(self, before: Record, after: Record) -> Iterator[Diagnostic]:
        """What is found with ``after`` in the place of ``before``, and was not before; cheap rules first."""
        base, stale = self.evaluated(before, after)
        for found in chain(_in_turn(base, after.id, stale), [self._unused(base, after.id, stale)]):
            left = Counter(self.known)
            yield from (each for each in found if not seen(each, left))

    def _unused(self, base: Evaluation, id: str, stale: Stale) -> Iterator[Diagnostic]:
        """What of the changed record nothing uses any more."""
        shares = {**self.shares, **{holder: share(base, holder) for holder in (id, *stale.by_holder)}}
        yield from found_in(with_usage(base, shares.values()), [id], UNUSED)

    def evaluated(self, before: Record, after: Record) -> tuple[Evaluation, Stale]:
        """The base with the change, each part found anew when it is looked at; and what the change can have touched."""
        id, change = after.id, Change.between(before, after)
        stale = self.readers.stale(change, self.base)
        touched = {ref for ref, read in self.readers.formulas.items() if not read.isdisjoint(change.places)}
        changed = with_record(self.base, after, touched)
        quoting: dict[str, set[int] | None] = {**stale.by_holder, id: None}
        new = recomputed(changed, stale.figures, quoting)
        claims_of(new).carry(
            claims_of(self.base), stale.claims, stale.holders if not change.places else {*stale.holders, id}
        )
        return new, stale


def _in_turn(base: Evaluation, id: str, stale: Stale) -> Iterator[Iterator[Diagnostic]]:
    """What is found in the changed record and in what reads it, those first that read little; claims at the end."""
    holders = tuple(dict.fromkeys([id, *stale.by_holder]))
    for holder in holders:
        yield found_in(base, [holder], CHEAP)
    led, others = with_strays(base, holders)
    yield found_in(led, others, CHEAP)
    yield found_in(base, dict.fromkeys([*holders, *(holder for holder, _ in sorted(stale.claims))]), DEAR)


def found_in(base: Evaluation, holders: Iterable[str], rules: Iterable[Rule]) -> Iterator[Diagnostic]:
    """The findings of the rules on some records."""
    subjects = [base.kb.records[id] for id in holders if id in base.kb.records]
    drafts = draft_paths(base)
    for rule in rules:
        if isinstance(rule, RecordRule):
            for record in subjects:
                for finding in rule.run(record, base):
                    yield diagnostic(rule, finding, drafts)


DEAR = tuple(rule for rule in RULES if rule.id.startswith(("claim-", "cost-", "failed-correction")))
"""The rules that decide claims: what is cheap may catch the mutant first."""
CHEAP = tuple(rule for rule in RULES if rule not in DEAR)
UNUSED = tuple(rule for rule in RULES if rule.id.startswith("unused-"))


def identity(found: Diagnostic) -> tuple[str, str, str]:
    """What makes a finding the same one."""
    return (found.rule, str(found.location), found.message)


def seen(found: Diagnostic, left: Counter[tuple[str, str, str]]) -> bool:
    """Whether the finding was there before (each as often as it was)."""
    key = identity(found)
    left[key] -= 1
    return left[key] >= 0
