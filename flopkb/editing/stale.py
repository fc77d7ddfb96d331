"""Stale quotes as edits: the recomputed value in the form of the old one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flopkb.arithmetic.numbers import Quoted, rewrite
from flopkb.arithmetic.prose import read_prose
from flopkb.arithmetic.prose.plain import occurrences
from flopkb.base.edits import Edit, narrowest
from flopkb.base.equations import equation_faults
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Passage
from flopkb.base.model import Subject


def stale_quotes(holder: str, base: Evaluation) -> Iterator[Edit]:
    """The edits that bring the numbers of a record or document up to date, those in its hardware rows too."""
    results = iter(base.quotes.get(holder, ()))
    for passage in base.passages(holder):
        for result in (next(results) for _ in passage.quotes):
            edit = quote_edit(result, passage)
            if edit is not None:
                yield edit
                yield from effect_edits(edit, passage, base)


def quote_edit(result: QuoteResult, passage: Passage) -> Edit | None:
    """The edit for one quote, or None where it stands, or where new digits alone would change what it says."""
    judgement, reading, link = result.judgement, result.reading, result.quote.link
    if judgement is None or judgement.ok or not isinstance(reading, Quoted) or result.unit is None:
        return None
    instead = rewrite(reading, result.values, result.unit)
    if instead is None or instead == link.text:
        return None
    return in_text(passage, link.plain_start, link.text, instead)


def stale_equations(subject: Subject, base: Evaluation) -> Iterator[Edit]:
    """The numbers of tied equations that are clear: results, and inputs that stayed behind."""
    for fault in equation_faults(subject, base):
        scalar = fault.passage.scalar
        if fault.instead is not None and scalar.text[fault.start : fault.end] == fault.quoted:
            edit = narrowest(scalar, fault.start, fault.end, fault.instead)
            yield replace(edit, note=f"{fault.quoted} -> {fault.instead}")


def in_text(passage: Passage, plain_start: int, old: str, new: str) -> Edit:
    """``old``, which stands at ``plain_start`` of what a reader sees, replaced by ``new`` as narrowly as may be."""
    head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    stop = len(old) - tail
    start, end = passage.reading.rendered.span(plain_start + head, plain_start + stop)
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
