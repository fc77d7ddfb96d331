"""A list item or a heading was folded into the paragraph above it.

Where a text is rewrapped, or a line is indented too far, ``- Next item`` and ``## Next heading`` become words in the middle
of a sentence, and the list or the section is gone from the page. Put the item or the heading on a line of its own, a heading
with an empty line before it. A dash between words is no such mark; one behind the end of a sentence, or at the beginning of
a line, is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.arithmetic.prose import ProseReading
from flopkb.arithmetic.prose.spans import Spans
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule

_MARK = re.compile(r"(?<=[ ])(?P<mark>[-*+•]|#{1,6}|\d{1,2}[.)])[ ]?(?=(?P<next>\S))")
_SENTENCE = re.compile(r"[.!?:][\"'”’)\]]*[ ]$")
_LISTED = re.compile(r";[ ]$")


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every mark of an item or a heading that stands within a paragraph."""
    for passage in base.passages(subject.id):
        for start, mark in _marks(passage.reading):
            what = "heading" if mark[0] == "#" else "list item"
            yield Finding(
                passage.scalar.at(start),
                f"`{mark}` within a paragraph begins no {what}; put the {what} on a line of its own",
                quoted=mark,
                length=len(mark),
            )


def _marks(reading: ProseReading) -> Iterator[tuple[int, str]]:
    """The places of folded marks in the source, with the marks."""
    plain, codes = reading.plain, Spans(reading.codes)
    for found in _MARK.finditer(plain):
        start, mark = reading.source_at(found.start("mark")), found["mark"]
        line = reading.text[reading.text.rfind("\n", 0, start) + 1 : start]
        written = reading.text.startswith(mark, start) and not line.endswith("\\")
        if not written or codes.hold(start):
            continue
        before, spaced = plain[max(0, found.start() - 8) : found.start()], found.end() > found.end("mark")
        if _folded(before, mark, found["next"], spaced, not line.strip(" \t>")):
            yield start, mark


def _folded(before: str, mark: str, following: str, spaced: bool, begins_line: bool) -> bool:
    """Whether a mark, with the plain text before it and the character behind it, was meant to begin a block."""
    if mark[0] == "#":
        return (len(mark) > 1 and (spaced or following.isalpha())) or (spaced and _SENTENCE.search(before) is not None)
    if not spaced:
        return False
    opens = following.isupper() or following in "[`("
    if mark[0].isdigit():
        return opens and _SENTENCE.search(before) is not None
    return begins_line or _LISTED.search(before) is not None or (opens and _SENTENCE.search(before) is not None)


RULE = PageRule(id="folded-item", doc=__doc__, run=check)
