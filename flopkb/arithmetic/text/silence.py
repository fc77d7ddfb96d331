"""Comments that silence an equation: ``flopkb: ignore`` with a reason, in the comment syntax of the document."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.arithmetic.text.pages import Markup

_ANY = re.compile(
    r"(?:<!--|\{/\*|/\*|(?<![:/])//|(?<!\\)%+|^[ \t]*\.\.|(?<![\w&])#|(?<![\w;])--|;)[ \t]*flopkb:[ \t]*ignore\b"
    r"((?:(?!-->|\*/\}?)[^\n]){0,200})(?:-->|\*/\}?)?",
    re.MULTILINE,
)
_SPOKEN = {
    Markup.MARKDOWN: ("<!--", "{/*", "%"),
    Markup.HTML: ("<!--",),
    Markup.LATEX: ("%",),
    Markup.RST: ("..",),
    Markup.ASCIIDOC: ("//",),
    Markup.TYPST: ("//", "/*"),
    Markup.NOTEBOOK: ("<!--", "#", "//", "%"),
}
"""How comments begin; in other kinds of documents in any way."""


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
    for match in _ANY.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        stop = text.find("\n", match.end())
        stop = len(text) if stop < 0 else stop
        before, behind = text[begin : match.start()], text[match.end() : stop]
        opening = match[0].lstrip()
        if before.count("`") % 2 or not opening.startswith(_SPOKEN.get(markup, ("",))):
            continue
        line = lines(match.start() + len(match[0]) - len(opening))
        quoted = markup is Markup.NOTEBOOK  # there a line stands in quotes
        alone = not before.strip(' \t>"' if quoted else " \t>") and not behind.strip(' \t",\\n' if quoted else None)
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
