"""How a line of Markdown begins: indentation, list markers, fences, headings, HTML blocks, table rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

BULLET = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t]|$)")
FOOTNOTE = re.compile(r"\[\^[^\s\[\]]+\]:")
FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
HEADING = re.compile(r"#{1,6}(?=[ \t]|$)")
HEADING_END = re.compile(r"(?:^|[ \t])#+[ \t]*$")
RULE = re.compile(r"(?:(?:\*[ \t]*){3,}+|(?:-[ \t]*){3,}+|(?:_[ \t]*){3,}+)$")
UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
COLUMNS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*$")
_INDENT = re.compile(r"[ \t]*")
_PIPE = re.compile(r"(?<!\\)\|")

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
_ATTRIBUTE = r"""\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+"""
OPEN_TAG = rf"<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?>"
CLOSE_TAG = r"</[A-Za-z][A-Za-z0-9-]*+\s*+>"
_RAW_TAGS = "script|pre|style|textarea"
_HTML = (
    (re.compile(rf"<(?:{_RAW_TAGS})(?=\s|>|$)", re.I), re.compile(rf"</(?:{_RAW_TAGS})>", re.I)),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_BLOCK_TAGS})(?=\s|/?>|$)", re.I), None),
)
_LONE_TAG = re.compile(rf"(?:{OPEN_TAG}|{CLOSE_TAG})[ \t]*$")


class Cursor:
    """A place in a line: ``pos`` in the text, ``column`` with tabs counted to the next multiple of four."""

    __slots__ = ("column", "end", "pos", "start", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = self.pos = start
        self.end = end
        self.column = 0

    def indent(self) -> tuple[int, int]:
        """Where the content begins, and how many columns from here that is."""
        match = _INDENT.match(self.text, self.pos, self.end)
        at = match.end() if match else self.pos
        if "\t" not in self.text[self.pos : at]:
            return at, at - self.pos
        column = self.column
        for char in self.text[self.pos : at]:
            column += 4 - column % 4 if char == "\t" else 1
        return at, column - self.column

    def skip(self, columns: int) -> None:
        """Consume white space, ``columns`` wide; a tab may be consumed in part."""
        while columns > 0 and self.pos < self.end:
            width = 4 - self.column % 4 if self.text[self.pos] == "\t" else 1
            if width <= columns:
                self.pos += 1
            self.column += min(width, columns)
            columns -= width

    def pass_marker(self, stop: int) -> None:
        """Consume the characters up to ``stop``, none of them a tab."""
        self.column += stop - self.pos
        self.pos = stop


@dataclass(frozen=True, slots=True)
class HtmlStart:
    """An HTML block begins; ``end`` is what closes it, None for a blank line."""

    end: re.Pattern[str] | None


def html_start(text: str, at: int, end: int, *, interrupting: bool) -> HtmlStart | None:
    """Whether an HTML block begins at ``at``; a lone inline tag does not interrupt a paragraph."""
    if not text.startswith("<", at):
        return None
    for opening, closing in _HTML:
        if opening.match(text, at, end):
            return HtmlStart(closing)
    return HtmlStart(None) if not interrupting and _LONE_TAG.match(text, at, end) else None


def is_columns(text: str, at: int, end: int) -> bool:
    """Whether the line is the second one of a table."""
    return text[at] in "|:-" and text[at : at + 2] not in ("- ", "-\t") and COLUMNS.match(text, at, end) is not None


def cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The cells of a table row, without the white space around them; ``\\|`` does not end a cell."""
    spans, at = [], start
    for pipe in _PIPE.finditer(text, start, end):
        spans.append((at, pipe.start()))
        at = pipe.end()
    spans.append((at, end))
    trimmed = [_trim(text, *span) for span in spans]
    first = 1 if trimmed[0][0] == trimmed[0][1] else 0
    last = len(trimmed) - 1 if len(trimmed) > first and trimmed[-1][0] == trimmed[-1][1] else len(trimmed)
    return trimmed[first:last]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    left = len(part) - len(part.lstrip(" \t\r\n"))
    return start + left, start + max(left, len(part.rstrip(" \t\r\n")))


def content(text: str, start: int, end: int) -> tuple[int, int]:
    """``start:end`` without white space at its ends."""
    return _trim(text, start, end)


def heading(text: str, at: int, end: int) -> tuple[int, int] | None:
    """The text of an ATX heading that begins at ``at``, without its marks."""
    match = HEADING.match(text, at, end)
    if match is None:
        return None
    start, stop = _trim(text, match.end(), end)
    tail = text[start:stop]
    closing = HEADING_END.search(tail) if tail.endswith("#") else None
    return _trim(text, start, start + closing.start()) if closing else (start, stop)
