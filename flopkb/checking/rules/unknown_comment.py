"""A comment for flopkb that it does not understand.

``<!-- flopkb: every number is linked -->`` asks for something, ``<!-- flopkb: ignore ... -->`` silences an equation, and a
comment with ``data:`` or ``figures:`` declares values, ``<!-- flopkb-table: ... -->`` fills the table below it. Misspelt, such
a comment would do nothing and say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule

_COMMENT = re.compile(r"<!--\s*([\w.-]{4,20})[ \t]*(:?)\s*(.*?)\s*-->", re.DOTALL)
_ASKED = ("every number is linked", "strict")
_OPENS = re.compile(r"ignore\b|[a-z_]+\s*:(?:\s|$)")
"""A reason behind ``ignore``, or the first key of a declaration."""


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every comment that was meant for flopkb and says nothing to it."""
    for passage in base.passages(subject.id):
        for comment in passage.reading.comments:
            match = _COMMENT.fullmatch(comment.text)
            if match is not None and is_misspelt(match[1], match[2] == ":", match[3]):
                yield Finding(
                    passage.scalar.at(comment.start),
                    f"{' '.join(comment.text.split())[:60]} says nothing to flopkb; write "
                    "<!-- flopkb: every number is linked -->, or flopkb: ignore and the reason",
                    length=comment.end - comment.start,
                )


def is_misspelt(name: str, colon: bool, asked: str) -> bool:
    """Whether a comment is meant for flopkb, by its name or by what it asks for, and is not as it must be."""
    known = asked.lower() in _ASKED or _OPENS.match(asked.lower()) is not None
    if name.lower() == "flopkb" and colon:
        return not known
    if name == "flopkb-table" and colon:  # read by base/row_tables.py, which says what is wrong in it
        return False
    if re.match(r"flopkb[-_.]\w", name.lower()):
        return True
    return alike(name.lower(), "flopkb") and (colon or known or any(alike(asked.lower(), asks) for asks in _ASKED))


def alike(text: str, other: str) -> bool:
    """Whether more than four fifths of two texts are the same."""
    blocks = SequenceMatcher(None, text, other, autojunk=False).get_matching_blocks()
    return 5 * sum(block.size for block in blocks) > 2 * (len(text) + len(other))


RULE = PageRule(id="unknown-comment", doc=__doc__, run=check)
