"""What the checks find when one record changes: only what the change can affect is linked, evaluated and checked again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import ClaimVerdict
from flopkb.base.document import Document, plain
from flopkb.base.evaluate import Evaluation, recomputed, with_record, with_usage
from flopkb.base.faults import Fault
from flopkb.base.link import (
    Computation,
    FactTarget,
    FigureTarget,
    FormulaRef,
    InputTarget,
    KnowledgeBase,
    Quote,
)
from flopkb.base.loading import load_text
from flopkb.base.model import ROLES, Record
from flopkb.base.schema import read_records
from flopkb.checking.check import CheckResult, check, diagnostic, draft_paths
from flopkb.checking.findings import RecordRule, Rule, SuppressionRule
from flopkb.checking.rules import RULES

_WORD = re.compile(r"[a-z][a-z0-9_]*")
Key = tuple[str, str]
"""A record and the name of a figure."""


@dataclass(slots=True)
class Incremental:
    """A checked base, and for each record what reads it."""

    base: Evaluation
    known: Counter[tuple[str, str, str]]
    """The findings of the base as it is, which a change is not blamed for."""
    figure_readers: Mapping[str, frozenset[Key]] = field(repr=False)
    quote_readers: Mapping[str, frozenset[tuple[str, int]]] = field(repr=False)
    claim_readers: Mapping[str, frozenset[str]] = field(repr=False)
    """For each record, those of which a claim or a correction can read it."""

    @classmethod
    def of(cls, base: Evaluation, result: CheckResult) -> Incremental:
        """Prepare a base that has been checked."""
        figures: defaultdict[str, set[Key]] = defaultdict(set)
        for key, computation in base.kb.figures.items():
            for id in read_by(computation, base.kb):
                figures[id].add(key)
        quotes: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
        for holder, results in base.quotes.items():
            for index, found in enumerate(results):
                for id in quote_reads(found.quote, base.kb):
                    quotes[id].add((holder, index))
        known = Counter(identity(found) for found in result.diagnostics)
        frozen_figures = {id: frozenset(keys) for id, keys in figures.items()}
        frozen_quotes = {id: frozenset(keys) for id, keys in quotes.items()}
        return cls(base, known, frozen_figures, frozen_quotes, claim_readers(base))

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
        base, holders = self.evaluated(before, after)
        left = Counter(self.known)
        fresh = (found for found in found_in(base, holders, IN_ORDER) if not seen(found, left))
        yield from fresh
        used = with_usage(base)
        yield from (found for found in found_in(used, [after.id], UNUSED) if not seen(found, Counter(self.known)))

    def evaluated(self, before: Record, after: Record) -> tuple[Evaluation, list[str]]:
        """The base with the change, and the records whose findings it may have changed."""
        id = after.id
        changed = with_record(self.base, after, same_formulas=formula_texts(before) == formula_texts(after))
        stale = self.figure_readers.get(id, frozenset())
        affected: defaultdict[str, set[int]] = defaultdict(set)
        for holder, index in self.quote_readers.get(id, ()):
            affected[holder].add(index)
        quoting: dict[str, set[int] | None] = {**affected, id: None}
        holders = dict.fromkeys([id, *affected, *(holder for holder, _ in stale), *self.claim_readers.get(id, ())])
        figures = [key for key in changed.kb.figures if key in stale or key[0] == id]
        base = recomputed(changed, figures, quoting, holders)
        carry_claims(self.base, base, before, after, self.claim_readers)
        return base, list(holders)


def claim_readers(base: Evaluation) -> dict[str, frozenset[str]]:
    """For each record, the records of which a claim or a correction may read it: by formulas, by names, by roles."""
    readers: defaultdict[str, set[str]] = defaultdict(set)
    for holder in base.kb.records.values():
        if holder.claims or holder.corrections or holder.rows:
            for id in claim_reads(holder, base.kb):
                readers[id].add(holder.id)
    return {id: frozenset(holders) for id, holders in readers.items()}


def claim_reads(holder: Record, kb: KnowledgeBase) -> set[str]:
    """The records that claims and corrections of ``holder`` may read: every id in its text, and what its formulas reach."""
    words = set(_WORD.findall(holder.document.source))
    ids = {id for id in kb.records if id in words}
    refs = [ref for ref in kb.formulas if ref.record == holder.id or ref.record in ids]
    return ids.union(*(formula_records(ref, kb) for ref in refs)) & kb.records.keys() if refs else ids


def carry_claims(
    old: Evaluation, new: Evaluation, before: Record, after: Record, readers: Mapping[str, frozenset[str]]
) -> None:
    """Keep the verdicts that the change cannot touch: all of them where only prose changed."""
    mine = readers.get(after.id, frozenset()) | {after.id}
    claims_of(new).carry(claims_of(old), frozenset() if logic(before) == logic(after) else mine)


def logic(record: Record) -> tuple[object, ...]:
    """What a claim can depend on in a record: everything but its prose."""
    prose = {item.field for item in record.prose}
    return tuple(plain(value) for key, value in record.document.root if key.text not in prose)


def found_in(base: Evaluation, holders: Iterable[str], rules: Iterable[Rule]) -> Iterator[Diagnostic]:
    """The findings of the rules on some records."""
    subjects = [base.kb.records[id] for id in holders if id in base.kb.records]
    drafts = draft_paths(base)
    for rule in rules:
        if isinstance(rule, RecordRule):
            for record in subjects:
                for finding in rule.run(record, base):
                    yield diagnostic(rule, finding, drafts)


LAST = ("claim-", "cost-", "failed-correction")
IN_ORDER = tuple(sorted(RULES, key=lambda rule: rule.id.startswith(LAST)))
"""The rules, those that decide claims at the end: what is cheap may catch the mutant first."""
UNUSED = tuple(rule for rule in RULES if rule.id.startswith("unused-"))


def formula_texts(record: Record) -> list[tuple[str, str]]:
    """The formulas of a record as written."""
    return [(name, formula.text) for name, formula in record.formulas.items()]


def identity(found: Diagnostic) -> tuple[str, str, str]:
    """What makes a finding the same one."""
    return (found.rule, str(found.location), found.message)


def seen(found: Diagnostic, left: Counter[tuple[str, str, str]]) -> bool:
    """Whether the finding was there before (each as often as it was)."""
    key = identity(found)
    left[key] -= 1
    return left[key] >= 0


def quote_reads(quote: Quote, kb: KnowledgeBase) -> frozenset[str]:
    """The records that a quote's value comes from."""
    target = quote.target
    if isinstance(target, FigureTarget):
        return read_by(kb.figures[(target.record, target.name)], kb)
    if isinstance(target, Computation):
        return read_by(target, kb)
    if isinstance(target, FactTarget):
        return frozenset({target.record})
    if isinstance(target, InputTarget):
        return frozenset({target.record})
    return frozenset()


def read_by(computation: Computation | Fault, kb: KnowledgeBase) -> frozenset[str]:
    """The records that a computation reads: its formulas', those in roles, those named in expressions."""
    if isinstance(computation, Fault):
        return frozenset()
    ids = {computation.record} | formula_records(computation.formula, kb)
    for binding in (*computation.bindings, *computation.over):
        for value in binding.values:
            ids.add(value.text if binding.name in ROLES else value.text.partition(".")[0])
    return frozenset(id for id in ids if id in kb.records)


def formula_records(ref: FormulaRef, kb: KnowledgeBase) -> set[str]:
    """The records whose formulas or values a formula reaches."""
    found, queue, seen_refs = set(), [ref], set()
    while queue:
        at = queue.pop()
        linked = kb.formulas.get(at)
        if at in seen_refs or linked is None:
            continue
        seen_refs.add(at)
        found.add(at.record)
        for target in linked.targets:
            if isinstance(target, FormulaRef):
                queue.append(target)
            else:
                found.add(getattr(target, "record", "") or getattr(target, "holder", ""))
    return found
