"""Brackets around the whole quantity that a reader sees, where the value of the link is all of it."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers import RunningQuantity
from flopkb.arithmetic.prose import read_plain
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Passage
from flopkb.base.model import Subject
from flopkb.base.writing import Edit
from flopkb.checking.rules.partial_quantity import RULE, PartialQuote, partial_quotes


def bracket_edits(
    result: QuoteResult, passage: Passage, subject: Subject, base: Evaluation, reported: set[tuple[str, Location]]
) -> Iterator[Edit]:
    """The edit that widens a link to its whole quantity, where that is reported, holds, and no markup is in the way."""
    for part in partial_quotes(subject, base):
        if part.result is result and part.holds and (RULE.id, result.location) in reported:
            edit = widened(part, passage)
            if edit is not None:
                yield edit


def widened(part: PartialQuote, passage: Passage) -> Edit | None:
    """The link with its brackets moved, or None where the text of the quantity does not stand as it is read."""
    link, whole, scalar = part.result.quote.link, part.whole, passage.scalar
    if not isinstance(whole, RunningQuantity):
        return None
    start, end = passage.reading.rendered.span(whole.start, whole.stop)
    start, end = min(start, link.start), max(end, link.end)
    text = scalar.text
    before, behind, inner = text[start : link.start], text[link.end : end], text[link.start + 1 : link.text_end]
    if read_plain(f"{before}{inner}{behind}") != whole.text or text[link.text_end : link.text_end + 2] != "](":
        return None
    new = f"[{before}{inner}{behind}{text[link.text_end : link.end]}"
    return Edit(scalar, start, end, new, f"{link.text} -> {whole.text}", part.result.location)
