"""Bringing a base and documents up to date, in memory, as often as one change moves another: stale quotes as edits, with
the recomputed value in the form of the old one.

Only what is reported is mended, so nothing that is suppressed. After the edits of a round everything is read and checked
again: what they touched must hold and fewer findings must be left, or they are withdrawn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.arithmetic.numbers import Quoted, Verdict, rewrite
from flopkb.arithmetic.prose import read_prose
from flopkb.arithmetic.prose.plain import occurrences
from flopkb.base.equations import EquationFault, equation_faults
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Passage
from flopkb.base.model import Subject
from flopkb.base.row_tables import row_tables
from flopkb.base.writing import Edit, common_ends, narrowest
from flopkb.checking.check import check
from flopkb.checking.rules import RULES
from flopkb.checking.rules.of_verdicts import FIGURE_MISMATCH, FIGURE_TRUNCATED
from flopkb.checking.rules.partial_quantity import partial_quotes
from flopkb.checking.rules.reading_mismatch import RULE as READING_MISMATCH
from flopkb.checking.rules.row_table import RULE as ROW_TABLE
from flopkb.editing.brackets import bracket_edits
from flopkb.editing.files import Files

_ROUNDS = 8
"""A change of a quote moves nothing else, so one round does; more are for quotes that lie within one another."""
_LEADS_BY_ITS_TEXT = re.compile(r"[*_`]*\](?!\(|\[[^\]])")
"""What follows the text of ``[13]`` or ``[13][]``, which names a definition."""
_CHEAP = tuple(rule for rule in RULES if not rule.claims)
"""Digits in prose can change no claim."""
_MENDED = {Verdict.WRONG: FIGURE_MISMATCH.id, Verdict.TRUNCATED: FIGURE_TRUNCATED.id}


@dataclass(frozen=True, slots=True)
class Repair:
    """The edits that bring the link at ``place`` among those of ``holder`` up to date: all of them are made, or none.

    Below zero are tables that rows of a data file fill: -1 is the first.
    """

    holder: str
    place: int
    edits: tuple[Edit, ...]

    @property
    def key(self) -> tuple[str, int]:
        """Which link it mends."""
        return self.holder, self.place


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing did: the files ``before`` and ``after``, the ``base`` in the latter, the ``edits`` between them.

    ``withdrawn`` are repairs that were tried and did not leave what they touched true.
    """

    before: Files
    after: Files
    base: Evaluation = field(repr=False)
    edits: tuple[Edit, ...] = ()
    withdrawn: tuple[Repair, ...] = ()

    def changed(self) -> dict[str, tuple[str, str]]:
        """The old and the new source of each file that changed, by its reported path."""
        old, new = self.before.sources(), self.after.sources()
        return {path: (old[path], new[path]) for path in sorted(old) if old[path] != new[path]}


@dataclass(frozen=True, slots=True)
class Checked:
    """Files with what is found in them."""

    files: Files
    base: Evaluation = field(repr=False)
    found: tuple[Diagnostic, ...]

    @classmethod
    def of(cls, files: Files) -> Checked:
        """The files, evaluated and checked."""
        base = files.evaluated()
        return cls(files, base, check(base, _CHEAP).diagnostics)

    def improved_by(self, other: Checked) -> bool:
        """Whether ``other`` has fewer findings, and no error that is new."""
        fresh = Counter(errors(other.found)) - Counter(errors(self.found))
        return len(other.found) < len(self.found) and not fresh


def errors(found: Iterable[Diagnostic]) -> Iterator[tuple[str, int, str]]:
    """The errors by line and rule: columns move when digits are added, a reading's line when the last quote is mended."""
    for d in found:
        if d.severity is Severity.ERROR:
            yield d.location.path, 0 if d.rule == READING_MISMATCH.id else d.location.line, d.rule


def fixed(files: Files, wanted: Callable[[str], bool]) -> Fixed:
    """The files with every stale quote rewritten in those that are wanted, by their reported paths."""
    now = Checked.of(files)
    made: list[Edit] = []
    refused: dict[tuple[str, int], Repair] = {}
    for _ in range(_ROUNDS):
        tried = [r for r in repairs(now) if r.key not in refused and all(wanted(edit.path) for edit in r.edits)]
        now, kept = mended(now, tried)
        made += (edit for repair in kept for edit in repair.edits)
        done = {repair.key for repair in kept}
        refused.update((repair.key, repair) for repair in tried if repair.key not in done)
        if not kept:
            break
    return Fixed(files, now.files, now.base, tuple(made), tuple(refused.values()))


def mended(before: Checked, tried: Sequence[Repair]) -> tuple[Checked, list[Repair]]:
    """The files with as many of the repairs as hold: all of them, else those of ever smaller parts, in their order."""
    now, done = before, list[Repair]()
    waiting = [list(tried)] if tried else []
    while waiting:
        group, *waiting = waiting
        after, held = attempted(before, [*done, *group])
        if len(held) == len(done) + len(group) and now.improved_by(after):
            now, done = after, held
        elif len(group) > 1:
            good = [repair for repair in group if repair in held]
            half = len(group) // 2
            parts = [good, [r for r in group if r not in good]] if 0 < len(good) < len(group) else []
            waiting = [*(parts or (group[:half], group[half:])), *waiting]
    return now, done


def attempted(before: Checked, tried: Sequence[Repair]) -> tuple[Checked, list[Repair]]:
    """The files with the repairs, and those of them that hold there."""
    files, made = before.files.edited(edit for repair in tried for edit in repair.edits)
    after = Checked.of(files)
    whole = [repair for repair in tried if all(edit in made for edit in repair.edits)]
    return after, [r for r in whole if is_there(r, before.base, after.base) and holds(r, after.base)]


def is_there(repair: Repair, before: Evaluation, after: Evaluation) -> bool:
    """Whether what was mended still is the link that it was: the text of ``[13]`` is what it leads by."""
    if repair.place < 0:
        return True
    held = after.quotes.get(repair.holder, ())
    old = before.quotes[repair.holder][repair.place].quote.link.target
    return repair.place < len(held) and held[repair.place].quote.link.target == old


def holds(repair: Repair, base: Evaluation) -> bool:
    """Whether what was mended says what is true, read again."""
    if repair.place < 0:
        return not row_tables(repair.holder, base)[-1 - repair.place].faults
    result = base.quotes[repair.holder][repair.place]
    if not result.quote.is_math:
        subject = subject_of(repair.holder, base)
        parts = partial_quotes(subject, base) if subject is not None else ()
        return result.judgement is not None and result.judgement.ok and all(part.result is not result for part in parts)
    return not any(True for _ in faults_in(result, repair.holder, base))


def faults_in(result: QuoteResult, holder: str, base: Evaluation) -> Iterator[EquationFault]:
    """What is wrong with the equation in a link."""
    link, scalar = result.quote.link, result.quote.scalar
    subject = subject_of(holder, base)
    for fault in equation_faults(subject, base) if subject is not None else ():
        if fault.passage.scalar is scalar and link.start <= fault.start < link.end:
            yield fault


def subject_of(holder: str, base: Evaluation) -> Subject | None:
    """The record or document that holds prose."""
    return base.kb.records.get(holder) or next((page for page in base.pages if page.id == holder), None)


def repairs(now: Checked) -> list[Repair]:
    """What would mend the findings on numbers of links, in the order of the files."""
    base, reported = now.base, {(d.rule, d.location) for d in now.found}
    subjects: list[Subject] = [*base.kb.records.values(), *base.pages]
    made = (repair for subject in subjects for repair in repairs_of(subject.id, base, reported))
    return sorted(made, key=lambda repair: (repair.edits[0].location, repair.edits[0].end))


def repairs_of(holder: str, base: Evaluation, reported: set[tuple[str, Location]]) -> Iterator[Repair]:
    """The repairs of the links of a record or document, those in its hardware rows too."""
    results, subject = base.quotes.get(holder, ()), subject_of(holder, base)
    place = 0
    for passage in base.passages(holder):
        for _ in passage.quotes:
            edits = list(link_edits(results[place], passage, base, reported))
            if edits:
                yield Repair(holder, place, (*edits, *(e for edit in edits for e in effect_edits(edit, passage, base))))
            elif subject is not None and (
                moved := tuple(bracket_edits(results[place], passage, subject, base, reported))
            ):
                yield Repair(holder, place, moved)
            place += 1
    for number, table in enumerate(row_tables(holder, base) if holder not in base.kb.records else ()):
        found = [f for f in table.faults if f.edit is not None and (ROW_TABLE.id, f.location) in reported]
        if found:
            yield Repair(holder, -1 - number, tuple(replace(f.edit, finding=f.location) for f in found if f.edit))


def link_edits(
    result: QuoteResult, passage: Passage, base: Evaluation, reported: set[tuple[str, Location]]
) -> Iterator[Edit]:
    """The edits of one link: its number, or the numbers of its equation that are clear; only what is reported."""
    judgement = result.judgement
    if not result.quote.is_math:
        edit = quote_edit(result, passage)
        if edit is not None and judgement and (_MENDED.get(judgement.verdict, ""), result.location) in reported:
            yield replace(edit, finding=result.location)
        return
    for fault in faults_in(result, passage.holder, base):
        scalar = fault.passage.scalar
        stands = fault.instead is not None and scalar.text[fault.start : fault.end] == fault.quoted
        if stands and fault.instead is not None and (fault.rule, fault.location) in reported:
            edit = narrowest(scalar, fault.start, fault.end, fault.instead)
            yield replace(edit, note=f"{fault.quoted} -> {fault.instead}", finding=fault.location)


def quote_edit(result: QuoteResult, passage: Passage) -> Edit | None:
    """The edit for one quote, or None where it stands, or where new digits alone would change what it says."""
    judgement, reading, link = result.judgement, result.reading, result.quote.link
    if judgement is None or judgement.ok or not isinstance(reading, Quoted) or result.unit is None:
        return None
    if _LEADS_BY_ITS_TEXT.match(passage.scalar.text, link.text_end) or result.scale:
        return None
    instead = rewrite(reading, result.values, result.unit)
    if instead is None or instead == link.text:
        return None
    return in_text(passage, link.plain_start, link.text, instead)


def in_text(passage: Passage, plain_start: int, old: str, new: str) -> Edit:
    """``old``, which stands at ``plain_start`` of what a reader sees, replaced by ``new`` as narrowly as may be."""
    head, tail = common_ends(old, new)
    start, end = passage.reading.rendered.span(plain_start + head, plain_start + len(old) - tail)
    return Edit(passage.scalar, start, end, new[head : len(new) - tail], f"{old} -> {new}")


def effect_edits(edit: Edit, passage: Passage, base: Evaluation) -> Iterator[Edit]:
    """The same change in the effects of hardware rows, which repeat the record's words."""
    record = base.kb.records.get(passage.holder)
    rows = record.rows if record is not None else ()
    rendered = passage.reading.rendered
    for row in rows:
        words = read_prose(row.effect.text.rstrip().removesuffix("…").removesuffix("...")).rendered
        for at in occurrences(passage.reading.plain, words.text):
            inside = [i for i in range(len(words.text)) if edit.start <= rendered.at(at + i) < edit.end]
            if inside:
                start, end = words.span(inside[0], inside[-1] + 1)
                yield narrowest(row.effect, start, end, edit.text)
