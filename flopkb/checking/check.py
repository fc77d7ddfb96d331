"""Runs the rules over an evaluated base and turns what they find into diagnostics."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity, on_one_line
from flopkb.base.claims import claims_of
from flopkb.base.document import extent
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Status
from flopkb.checking.findings import BaseRule, Finding, PageRule, RecordRule, Rule, SuppressionRule
from flopkb.checking.rules import RULES, unique_id

MAX_MESSAGE = 300
_OF_TWINS = frozenset([unique_id.RULE.id])
"""The rules that look at records whose id another holds."""


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule that failed on a record: a fault of flopkb itself, not of the record."""

    rule: str
    subject: str
    error: str

    def __str__(self) -> str:
        return f"rule {self.rule} failed on {self.subject}: {self.error}; this is a fault of flopkb, please report it"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The findings, sorted, and the rules that crashed."""

    diagnostics: tuple[Diagnostic, ...]
    crashes: tuple[Crash, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(1 for found in self.diagnostics if found.severity is Severity.ERROR)

    @property
    def exit_code(self) -> int:
        """0 clean or warnings only, 1 findings, 3 a crash of flopkb."""
        return 3 if self.crashes else 1 if self.errors else 0


def check(base: Evaluation, rules: Sequence[Rule] = RULES) -> CheckResult:
    """Every rule on every record; a crash in one rule on one record leaves the rest running."""
    return concluded(base, rules, *found_in(base, rules))


def found_in(base: Evaluation, rules: Sequence[Rule], part: Part | None = None) -> tuple[list[Diagnostic], list[Crash]]:
    """What the rules find in the base, or in a part of it, and those that crashed; suppressions are not looked at."""
    found: list[Diagnostic] = []
    crashes: list[Crash] = []
    drafts = draft_paths(base)
    for rule in rules:
        for subject, run in runs(rule, base, part or Part(tuple(base.kb.records))):
            try:
                found.extend(diagnostic(rule, finding, drafts) for finding in run())
            except Exception as error:  # it is reported with its rule and record; the other rules still run
                crashes.append(crash(rule, subject, error))
    return found, crashes


def concluded(
    base: Evaluation, rules: Sequence[Rule], found: Iterable[Diagnostic], crashes: Iterable[Crash]
) -> CheckResult:
    """The result of what was found: sorted, without what is suppressed."""
    place = {name: number for number, name in enumerate((*(rule.id for rule in rules), *base.kb.records))}
    crashed = sorted(crashes, key=lambda crash: (place[crash.rule], place.get(crash.subject, len(place))))
    silent = {rule.id for rule in RULES} - decided(base, rules) | {crash.rule for crash in crashed}
    kept, failed = without_suppressed(
        found, base, [rule for rule in rules if isinstance(rule, SuppressionRule)], silent
    )
    unique = {item.sort_key: item for item in kept}
    return CheckResult(tuple(unique[key] for key in sorted(unique)), (*crashed, *failed))


def crash(rule: Rule, subject: str, error: Exception) -> Crash:
    """The report of a rule that failed."""
    return Crash(rule.id, subject, f"{type(error).__name__}: {error}")


def decided(base: Evaluation, rules: Iterable[Rule]) -> set[str]:
    """The rules that find all that they are made for: those on claims do not where claims are skipped."""
    skipped = claims_of(base).skipped
    return {rule.id for rule in rules if not (rule.claims and skipped)}


def without_suppressed(
    found: Iterable[Diagnostic], base: Evaluation, after: Iterable[SuppressionRule], silent: Collection[str]
) -> tuple[list[Diagnostic], list[Crash]]:
    """The findings that no record suppresses, and what the rules on suppressions say; ``silent`` ones found nothing."""
    records = [record for record in (*base.kb.records.values(), *base.kb.twins) if record.suppressions]
    hiding = {(record.path, s.rule.text): list[Extent]() for record in records for s in record.suppressions}
    for record in records:
        for s in record.suppressions:
            place = extent(record.document.root, s.at.text) if s.at is not None and s.is_reasoned else None
            hiding[record.path, s.rule.text] += [place] if place is not None else []
    kept, used, drafts, crashes = [], set(), draft_paths(base), list[Crash]()
    for item in found:
        key = (item.location.path, item.rule)
        if any(within(item.location, place) for place in hiding.get(key, ())):
            used.add(key)
        else:
            kept.append(item)
    names = {rule.id for rule in RULES}
    for rule in after:
        for record in records:
            suppressed = {name for path, name in used if path == record.path}.union(silent)
            try:
                kept.extend(diagnostic(rule, finding, drafts) for finding in rule.run(record, suppressed, names))
            except Exception as error:
                crashes.append(crash(rule, record.id, error))
    return kept, crashes


Extent = tuple[Location, Location | None]
"""Where a field begins, and where the next one does."""


def within(location: Location, place: Extent) -> bool:
    """Whether a finding stands in a field."""
    (start, end), here = place, (location.line, location.column)
    return (start.line, start.column) <= here and (end is None or here < (end.line, end.column))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a base to be checked: some of its records, and with ``rest`` the base as a whole and all documents."""

    records: tuple[str, ...]
    rest: bool = True


def runs(rule: Rule, base: Evaluation, part: Part) -> Iterator[tuple[str, Callable[[], Iterable[Finding]]]]:
    """What a rule looks at, by name: the base as a whole, or each record and (rules on prose) each document."""
    if isinstance(rule, BaseRule) and part.rest:
        yield "the base", partial(rule.run, base)
    elif isinstance(rule, RecordRule):
        # What else is wrong with a record whose id is another's shows once it is renamed.
        twins = base.kb.twins if rule.id in _OF_TWINS and part.rest else ()
        for record in (*(base.kb.records[id] for id in part.records), *twins):
            yield record.id, partial(rule.run, record, base)
        for id in base.kb.documents if rule.declares and part.rest else ():
            yield id, partial(rule.run, base.kb.scope.records[id], base)
    if isinstance(rule, PageRule) and part.rest:
        for page in base.pages:
            yield page.id, partial(rule.run, page, base)


def draft_paths(base: Evaluation) -> frozenset[str]:
    """The files of drafts: what is an error in a verified record is a warning there."""
    records = (*base.kb.records.values(), *base.kb.twins)
    return frozenset(record.path for record in records if record.status is Status.DRAFT)


def diagnostic(rule: Rule, finding: Finding, drafts: Collection[str]) -> Diagnostic:
    """A finding as it is reported, with the severity that the status of its record gives it."""
    severity = Severity.WARNING if finding.location.path in drafts else finding.severity
    return Diagnostic(
        location=finding.location,
        severity=severity,
        rule=rule.id,
        message=shortened(finding.message),
        quoted=finding.quoted,
        computed=finding.computed,
        length=finding.length,
        replacement=finding.replacement,
        missing=finding.missing,
    )


def shortened(message: str) -> str:
    """One line of at most 300 characters; what to do, behind the last semicolon, stays whole where there is room."""
    line = " ".join(message.split())
    said, mark, cure = line.rpartition("; ")
    if len(line) < MAX_MESSAGE or not mark or len(cure) > MAX_MESSAGE // 2:
        return on_one_line(line, MAX_MESSAGE - 1)
    return on_one_line(said, MAX_MESSAGE - 1 - len(mark + cure)) + mark + cure


def narrowed(result: CheckResult, paths: Iterable[str]) -> CheckResult:
    """Only the findings in files at or below ``paths``."""
    wanted = tuple(paths)
    kept = tuple(d for d in result.diagnostics if any(under(d.location, path) for path in wanted))
    return replace(result, diagnostics=kept)


def under(location: Location, path: str) -> bool:
    """Whether a location lies in a file or folder (both paths are relative to one folder, or absolute)."""
    place, folder = os.path.abspath(location.path), os.path.abspath(path)
    return place == folder or place.startswith(os.path.join(folder, ""))
