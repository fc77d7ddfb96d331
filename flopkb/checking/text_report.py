"""Findings for a person: the line that a compiler would print, the line of the file, a caret, and a sum at the end."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from flopkb.arithmetic.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from flopkb.checking.causes import Cause
    from flopkb.checking.check import CheckResult  # the command line loads this module, not the rules

_RED, _YELLOW, _CYAN, _BOLD, _GREEN = "31", "33", "36", "1", "32"
_MARGIN = 4
_MANY = 5
"""So many findings are counted by rule."""
_UNREAD = "file"
"""The rule of what is wrong with a whole file, of which no line is to be seen: it may be a link to somebody else's."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Colour, where the output is a terminal that wants it; ``width`` is that of the terminal (0: unlimited)."""

    colour: bool = False
    width: int = 0

    def paint(self, text: str, *codes: str) -> str:
        """``text`` in a colour, or as it is."""
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.colour and text else text


@dataclass(frozen=True, slots=True)
class Counts:
    """What the last line sums up."""

    records: int
    recomputed: int
    documents: int = 0
    seconds: float | None = None
    notes: tuple[str, ...] = ()
    claims: Mapping[str, int] = field(default_factory=dict)
    """How many claims ended in which way (``proved``, ``tested``, ``refuted``, ``invalid``)."""


def text_report(
    result: CheckResult,
    counts: Counts,
    source: Callable[[str], str | None],
    style: TextStyle,
    causes: Sequence[Cause] = (),
) -> str:
    """The whole report; ``source`` gives a file's text by its reported path. What has a cause stands below it, in lines."""
    told = {found for cause in causes for found in cause.findings}
    rest = (found for found in result.diagnostics if found not in told)
    parts = [part for found in rest for part in finding_lines(found, source, style)]
    parts += [line for cause in causes for line in ("", *cause_lines(cause, style))]
    parts += [style.paint(f"crash: {crash}", _RED) for crash in result.crashes]
    if parts:
        parts.append("")
    parts += by_rule(result.diagnostics)
    parts.append(summary(result, counts, style))
    return "\n".join(parts) + "\n"


def cause_lines(cause: Cause, style: TextStyle) -> Iterator[str]:
    """A cause, then a line for each finding that follows from it."""
    yield style.paint(printable(str(cause)), _BOLD)
    yield from (headline(found, style) for found in cause.findings)


def by_rule(found: Sequence[Diagnostic]) -> Iterator[str]:
    """How many findings there are of each rule, and what ``flopkb fix`` would do; nothing where there are few."""
    if len(found) < _MANY:
        return
    numbers = Counter(each.rule for each in found).most_common()
    fixable = sum(1 for each in found if each.replacement is not None)
    cure = f"; flopkb fix rewrites {fixable} of them" if fixable else ""
    yield ", ".join(f"{rule} {number}" for rule, number in numbers) + cure


def headline(found: Diagnostic, style: TextStyle) -> str:
    """The line of a finding that a compiler would print."""
    colour = _RED if found.severity is Severity.ERROR else _YELLOW
    where = style.paint(printable(str(found.location)), _BOLD)
    return f"{where}: {style.paint(found.severity.value, colour)}: {found.rule}: {printable(found.message)}"


def finding_lines(found: Diagnostic, source: Callable[[str], str | None], style: TextStyle) -> Iterator[str]:
    """A finding: its line, then the offending line of the file with a caret under the fault."""
    colour = _RED if found.severity is Severity.ERROR else _YELLOW
    yield headline(found, style)
    text = source(found.location.path) if found.rule != _UNREAD else None
    line = line_of(text, found.location.line) if text is not None else None
    if line is not None:
        yield from excerpt(line, found, style, colour)


def line_of(text: str, number: int) -> str | None:
    """A line of a file, without its end, or None where there is no such line."""
    lines = _lines(text)
    return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else None


@lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    """Split once for all findings of a file: a megabyte may have as many findings as lines."""
    return text.split("\n")


def excerpt(line: str, found: Diagnostic, style: TextStyle, colour: str) -> Iterator[str]:
    """The line of the file, cut to the terminal around the fault, and the caret."""
    start = found.location.column - 1
    length = max(1, min(found.length, len(line) - start))
    room = (style.width or 120) - _MARGIN
    left = max(0, min(start - room // 2, start + length - room)) if len(line) > room else 0
    shown = printable(line[left : left + room])
    indent = columns(printable(line[left:start]))
    under = max(1, columns(printable(line[start : start + min(length, room)])))
    yield " " * _MARGIN + shown
    yield " " * (_MARGIN + indent) + style.paint("^" * min(under, room), colour)


def printable(text: str) -> str:
    """Text safe for a terminal: white space of any kind as a space, control characters as a replacement mark."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if c.isspace() else c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def aligned(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows in columns, two blanks apart."""
    lines = list(rows)
    widths = [max(columns(line[place]) for line in lines) for place in range(len(lines[0]))]
    for line in lines:
        padded = (cell + " " * (width - columns(cell)) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip()


def columns(text: str) -> int:
    """How many columns a terminal gives the text."""
    if text.isascii():
        return len(text)
    wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
    return len(text) + wide - sum(1 for c in text if unicodedata.combining(c))


def summary(result: CheckResult, counts: Counts, style: TextStyle) -> str:
    """``28 records, 214 figures recomputed, 0 findings in 0.4 s``."""
    errors, warnings = result.errors, len(result.diagnostics) - result.errors
    parts = [counted(counts.records, "record")] if counts.records or not counts.documents else []
    if counts.documents:
        parts.append(counted(counts.documents, "document"))
    parts.append(f"{counted(counts.recomputed, 'figure')} recomputed")
    parts.extend(counts.notes)
    found = counted(errors, "finding") + (f" and {counted(warnings, 'warning')}" if warnings else "")
    took = f" in {counts.seconds:.1f} s" if counts.seconds is not None else ""
    parts.append(style.paint(found, _RED if errors else _GREEN) + took)
    return ", ".join(parts)


def counted(number: int, noun: str) -> str:
    """``1 record``, ``2 records``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
