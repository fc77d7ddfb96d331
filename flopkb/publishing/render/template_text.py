"""The Markdown that a template gives: marks stand in it for document objects, every character knows its place.

A mark is three characters of Unicode's private use area, so that no digit or letter of it is ever read as prose.
Beside it: the faults that stop a render, with their place in the template, and the rules of prose run on the text: no
number typed by hand, every link right.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.arithmetic.numbers import ReadError, read
from flopkb.arithmetic.prose.bare import HOLE
from flopkb.base.document import Scalar, Segment, Style
from flopkb.base.evaluate import Evaluation, with_page
from flopkb.base.link import Passage, link_page
from flopkb.base.model import Prose
from flopkb.checking.check import diagnostic
from flopkb.checking.findings import PageRule
from flopkb.checking.rules import RULES, bare_number

MOST_WRITTEN = 500_000
OBJECT, TEXT = "\ue000", "\ue001"
_FIRST, _BASE = 0xE100, 4096
MARK = re.compile("[\ue000\ue001][\ue100-\uf0ff][\ue100-\uf0ff]")
STRAY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]")
"""Characters that no text of a template may hold: a mark must not be forged."""

MOST = _BASE * _BASE


def mark(kind: str, index: int) -> str:
    """The mark of the object (or the text) with this number."""
    high, low = divmod(index, _BASE)
    return kind + chr(_FIRST + high) + chr(_FIRST + low)


def index_of(written: str) -> int:
    """The number behind a mark."""
    return (ord(written[1]) - _FIRST) * _BASE + ord(written[2]) - _FIRST


@dataclass(slots=True)
class WrittenPiece:
    """A stretch of the text that the template gives: where it stands in the template, and the text."""

    text: str
    offset: int


_NEAR = 4000
"""How far behind the beginning of a call its texts are looked for."""


@dataclass(slots=True)
class Expanded:
    """``text`` holds the marks of objects; ``places`` are (offset in the text, offset in the template, whether it
    runs on with the template)."""

    text: str
    places: list[tuple[int, int, bool]] = field(repr=False)

    def offset(self, at: int) -> int:
        """The place in the template of a character of the text."""
        index = bisect_right(self.places, at, key=lambda place: place[0]) - 1
        if index < 0:
            return 0
        start, offset, runs = self.places[index]
        return offset + (at - start if runs else 0)


def expand(marked: str, pieces: Sequence[WrittenPiece], template: str) -> Expanded:
    """The text with the marks of texts replaced by them; marks of objects stay.

    Raises :class:`TemplateFault` where it grows too long.
    """
    parts: list[str] = []
    places: list[tuple[int, int, bool]] = []
    at = 0
    for m in MARK.finditer(marked):
        if m[0][0] == TEXT:
            piece = pieces[index_of(m[0])]
            part, offset = piece.text, piece.offset
            runs = template.startswith(part, offset)
            words = part.strip()
            found = template.find(words, offset, offset + _NEAR + len(words)) if words and not runs else -1
            if found >= 0:  # a text given to a function, as a caption is: its words have a place of their own
                lead = part.index(words)
                places.append((at, offset, False))
                places.append((at + lead, found, True))
                places.append((at + lead + len(words), offset, False))
                parts.append(part)
                at += len(part)
                continue
        else:
            part, offset, runs = m[0], -1, False
        places.append((at, offset, runs))
        parts.append(part)
        at += len(part)
        if at > MOST_WRITTEN:
            raise TemplateFault(f"the template writes more than {MOST_WRITTEN:,} characters", 0)
    return Expanded("".join(parts), places)


def placed(expanded: Expanded, objects: Sequence[tuple[object, int]]) -> Expanded:
    """The same, with objects at their places."""
    found = []
    for start, offset, runs in expanded.places:
        if start >= len(expanded.text):
            continue
        own = offset if offset >= 0 else objects[index_of(expanded.text[start : start + 3])][1]
        found.append((start, own, runs))
    return Expanded(expanded.text, found)


def scalar(expanded: Expanded, template: str, path: str) -> Scalar:
    """The text as prose of a file: every character at the line and column of the template where it comes from."""
    lines = [0]
    for index, character in enumerate(template):
        if character == "\n":
            lines.append(index + 1)
    segments: list[Segment] = []
    ends = [place[0] for place in expanded.places[1:]] + [len(expanded.text)]
    for (start, offset, runs), end in zip(expanded.places, ends, strict=True):
        row = bisect_right(lines, offset) - 1
        column = offset - lines[row] + 1
        segments.append(Segment(start, row + 1, column))
        if not runs:
            segments.extend(Segment(at, row + 1, column) for at in range(start + 1, end))
        newline = expanded.text.find("\n", start, end)
        while newline >= 0 and runs:
            row += 1
            segments.append(Segment(newline + 1, row + 1, 1))
            newline = expanded.text.find("\n", newline + 1, end)
    return Scalar(Location(path, 1, 1), expanded.text, expanded.text, Style.LITERAL, tuple(segments))


@dataclass(frozen=True, slots=True)
class TemplateFault(Exception):
    """A fault of a template: ``offset`` counts characters of its text from 0, ``rule`` names the kind of fault."""

    reason: str
    offset: int
    rule: str = "template"

    def __str__(self) -> str:
        return self.reason


class Bad(Exception):
    """A function of the document API cannot do what it is asked; ``inside`` is where in its first text argument.

    ``argument`` is the number of the argument at fault (None: the call as a whole).
    """

    def __init__(self, reason: str, argument: int | None = None, inside: int = 0, rule: str = "template") -> None:
        super().__init__(reason)
        self.reason = reason
        self.argument = argument
        self.inside = inside
        self.rule = rule


def place(source: str, offset: int, path: str) -> Location:
    """The line and column (from 1) of a character of the template."""
    offset = max(0, min(offset, len(source)))
    line = source.count("\n", 0, offset) + 1
    return Location(path, line, offset - (source.rfind("\n", 0, offset) + 1) + 1)


_TYPED = re.compile(
    r"\b(Equations?|Eqs?\.|Tables?|Tab\.|Figures?|Figs?\.|Listings?|Propositions?|Sections?|Notes?)[ \u00a0]\(?([0-9]+)\b"
)
_LABELS = {"E": "eq", "T": "tab", "F": "fig", "L": "lst", "P": "prop", "S": "sec", "N": "note"}
_BELOW = re.compile(r"[_^]\s*(?:\{[^{}]*\}|\\?\w+)|\\(?:h|v)?space\*?\{[^{}]*\}")
_DIGITS = re.compile(r"[0-9][0-9.,]*")
_LEFT_OUT = ("bare-number", "bare-multiplier", "loose-bound")


def findings(text: Scalar, path: str, base: Evaluation) -> list[Diagnostic]:
    """Everything that is wrong with the prose, in its order."""
    source = MARK.sub(HOLE * 3, text.text)
    scalar = replace(text, text=source, value=source)
    passages = link_page(Prose("", scalar), path, base.kb)
    whole = with_page(base, passages, path)
    found = [
        diagnostic(rule, finding, ())
        for rule in RULES
        if isinstance(rule, PageRule) and rule.id not in _LEFT_OUT
        for finding in rule.run(whole.pages[0], whole)
    ]
    found += [d for passage in passages for d in typed_numbers(passage)]
    found += typed_references(scalar, path)
    errors = [d for d in found if d.severity is Severity.ERROR and d.location.path == path]
    return sorted({d.sort_key: d for d in errors}.values(), key=lambda d: d.sort_key)


def typed_numbers(passage: Passage) -> Iterator[Diagnostic]:
    """Numbers that stand in the template's own text, in prose, in mathematics and in code that reads as a quantity."""
    for bare in passage.reading.bare:
        if bare_number.is_number(bare) and not within_below(passage.scalar.text, bare.start):
            yield typed(passage.scalar.at(bare.start), bare.text)
    linked = [(link.start, link.end) for link in passage.reading.links]
    for equation in passage.reading.equations:
        if any(start <= equation.start < end for start, end in linked) or equation.kind.value == "fence":
            continue
        body = _BELOW.sub(lambda m: " " * len(m[0]), equation.text)
        for digits in _DIGITS.finditer(body):
            if digits.start() == 0 or not (body[digits.start() - 1].isalnum() or body[digits.start() - 1] in "_."):
                yield typed(passage.scalar.at(equation.start + digits.start()), digits[0])
                break
    for start, end in passage.reading.codes:
        text = passage.scalar.text[start:end]
        if not any(first <= start < last for first, last in linked) and is_quantity(text):
            yield typed(passage.scalar.at(start), text)


def within_below(text: str, at: int) -> bool:
    """Whether a number is a sub- or superscript in mathematics."""
    before = text[max(0, at - 12) : at]
    return bool(re.search(r"[_^]\{?[-+\w\\{ ]*$", before)) and "$" in text[max(0, at - 2000) : at]


def is_quantity(text: str) -> bool:
    """Whether a code span holds nothing but a number with its unit."""
    if not text[:1].isdigit():
        return False
    try:
        read(text)
    except ReadError:
        return False
    return True


def typed(where: Location, number: str) -> Diagnostic:
    message = (
        f"{number} is typed: nothing stands behind it; print it with fig, fact or inp, or as lit('{number}', reason)"
    )
    return Diagnostic(where, Severity.ERROR, "bare-number", message, quoted=number, length=len(number))


def typed_references(scalar: Scalar, path: str) -> Iterator[Diagnostic]:
    """``Table 1`` typed by hand."""
    for found in _TYPED.finditer(scalar.text):
        kind = _LABELS[found[1][0]]
        message = f"{found[0]} is typed: write {{{{ ref('{kind}:name') }}}}, which counts for itself"
        yield Diagnostic(scalar.at(found.start()), Severity.ERROR, "typed-reference", message, length=len(found[0]))
