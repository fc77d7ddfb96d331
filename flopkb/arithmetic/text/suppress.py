"""Comments that silence an equation: ``flopkb: ignore`` with a reason, in the comment syntax of the document."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.arithmetic.text.markup import Markup

_COMMENTS = {
    Markup.MARKDOWN: re.compile(r"<!--\s*flopkb:\s*ignore\b([^>]{0,200}?)-->"),
    Markup.HTML: re.compile(r"<!--\s*flopkb:\s*ignore\b([^>]{0,200}?)-->"),
    Markup.LATEX: re.compile(r"(?<!\\)%+[ \t]*flopkb:[ \t]*ignore\b([^\n]{0,200})"),
    Markup.PLAIN: re.compile(r"(?:#|//|;|--|/\*|<!--|%)[ \t]*flopkb:[ \t]*ignore\b([^\n]{0,200})"),
}


@dataclass(frozen=True, slots=True)
class SilencingComment:
    """A comment at ``start:end``; it covers the lines ``first`` to ``last``."""

    start: int
    end: int
    first: int
    last: int
    reason: str


def suppressions(text: str, markup: Markup, lines: LineAt) -> Iterator[SilencingComment]:
    """The suppressing comments of a document; one that stands alone on its line covers the next line as well."""
    if "flopkb:" not in text:
        return
    for match in _COMMENTS[markup].finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        stop = text.find("\n", match.end())
        stop = len(text) if stop < 0 else stop
        before, behind = text[begin : match.start()], text[match.end() : stop]
        if before.count("`") % 2:
            continue
        line = lines(match.start())
        alone = not before.strip(" \t>") and not behind.strip()
        yield SilencingComment(match.start(), match.end(), line, lines(match.end()) + alone, match[1].strip(" -*/"))


class LineAt:
    """Line numbers of offsets, counted from 1."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def __call__(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def column(self, offset: int) -> int:
        """The column of an offset, counted from 1."""
        return offset - self.starts[self(offset) - 1] + 1
