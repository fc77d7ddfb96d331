"""Link destinations, titles and reference definitions, as CommonMark reads them, by their places in the source."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MAX_PARENTHESES = 32
_CHUNK = re.compile(r"[^\x01-\x20\x7f\\()]+|\\[!-/:-@\[-`{-~]|\\|[()]")
_ANGLED = re.compile(r"<((?:[^<>\n\r\\]|\\.)*+)>")
_TITLE = re.compile(r'"((?:[^"\\]|\\.)*+)"|\'((?:[^\'\\]|\\.)*+)\'|\(((?:[^()\\]|\\.)*+)\)', re.DOTALL)
_WHITE = re.compile(r"[ \t\r\n]*")
_BLANK = re.compile(r"[ \t]*(?:\r\n?|\n|$)")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){1,999}+)\]:", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a link leads: the spans of the target (without angle brackets) and of the title, if there is one."""

    start: int
    end: int
    title: tuple[int, int] | None = None

    def moved(self, by: int) -> Destination:
        """The same destination in a text in which everything stands ``by`` characters later."""
        title = (self.title[0] + by, self.title[1] + by) if self.title else None
        return Destination(self.start + by, self.end + by, title)


def inline_destination(text: str, at: int, end: int) -> tuple[Destination, int] | None:
    """Read ``(target "title")`` from the parenthesis at ``at``; also the offset behind it."""
    at = _skip(text, at + 1, end)
    found = _target(text, at, end)
    target, at = found if found else ((at, at), at)
    after = _skip(text, at, end)
    title = _TITLE.match(text, after, end) if after > at else None
    if title:
        after = _skip(text, title.end(), end)
    if not text.startswith(")", after, end):
        return None
    return Destination(*target, title.span(title.lastindex or 0) if title else None), after + 1


def definition(text: str, at: int, end: int) -> tuple[str, Destination, int] | None:
    """Read ``[label]: target "title"`` from ``at``: the label, where it leads, and where the next line begins."""
    label = _LABEL.match(text, at, end)
    if label is None or not label[1].strip() or label[1].startswith("^"):
        return None
    start = _skip(text, label.end(), end)
    found = _target(text, start, end)
    if found is None:
        return None
    target, after = found
    title_at = _skip(text, after, end)
    title = _TITLE.match(text, title_at, end) if title_at > after else None
    closing = _BLANK.match(text, title.end(), end) if title else None
    if title and closing:
        return normal_label(label[1]), Destination(*target, title.span(title.lastindex or 0)), closing.end()
    closing = _BLANK.match(text, after, end)
    return (normal_label(label[1]), Destination(*target), closing.end()) if closing else None


def normal_label(label: str) -> str:
    """Labels match whatever their case and white space."""
    return " ".join(label.split()).casefold()


def _skip(text: str, at: int, end: int) -> int:
    match = _WHITE.match(text, at, end)
    return match.end() if match else at


def _target(text: str, at: int, end: int) -> tuple[tuple[int, int], int] | None:
    """The span of a target at ``at`` and the offset behind it; None where there is none."""
    if text.startswith("<", at, end):
        angled = _ANGLED.match(text, at, end)
        return (angled.span(1), angled.end()) if angled else None
    depth, start = 0, at
    while chunk := _CHUNK.match(text, at, end):
        if chunk[0] == ")":
            if not depth:
                break
            depth -= 1
        elif chunk[0] == "(":
            depth += 1
            if depth > _MAX_PARENTHESES:
                return None
        at = chunk.end()
    return ((start, at), at) if at > start and not depth else None
