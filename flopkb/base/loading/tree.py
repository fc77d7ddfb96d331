"""From the events of a YAML parser to our own tree of nodes (the only import of ruamel.yaml).

libyaml gives the events; where it is missing, ruamel.yaml's own parser does, with the same result. Nothing is composed
by either: aliases, tags and duplicate keys are refused here, each at its place, and cost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity, on_one_line
from flopkb.base.document import Mapping, Node, Scalar, Segment, Sequence, Style
from flopkb.base.loading.scalars import NumberError, plain_value, segments_of
from flopkb.base.loading.wording import explain, problem_of

RULE = "yaml"
"""The rule under which everything about the YAML of a file is reported."""

DEEPEST = 64
"""Collections may be nested this deep; the top level counts as the first."""

_STYLES = {"'": Style.SINGLE, '"': Style.DOUBLE, "|": Style.LITERAL, ">": Style.FOLDED}
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\u2028\u2029\ud800-\udfff\t]|\r(?!\n)")
_ESCAPED = re.compile(_UNREADABLE.pattern.replace("\t]", "]"))
_BEHIND_COLON = re.compile(r"[\s,{\[]*[\"']?\s*:")
_BEHIND_DASH = re.compile(r"[\s:]*-(?=\s|$)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_NAMED = {
    "\t": "a tab: write spaces (in double quotes, `\\t` stands for a tab)",
    "\x00": "a NUL character: this is not a text file, or it is damaged",
    "\r": "a carriage return on its own: end lines with a newline",
    "\ufeff": "a byte order mark inside the file: remove it",
    "\x85": "a next-line character: end lines with a plain newline",
    "\u2028": "a line separator (U+2028): end lines with a plain newline",
    "\u2029": "a paragraph separator (U+2029): end lines with a plain newline",
}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a source text stands: the file, and the position of its first character (lines and columns from 1).

    ``indent`` is how many columns every further line is shifted by (a block inside prose).
    """

    path: str
    line: int = 1
    column: int = 1
    indent: int = 0

    def position(self, line: int, column: int) -> tuple[int, int]:
        """The reported position of a line and a column that count from 0."""
        return self.line + line, column + (self.column if line == 0 else self.indent + 1)

    def at(self, line: int, column: int) -> Location:
        """The same as a location."""
        return Location(self.path, *self.position(line, column))

    def segment(self, offset: int, line: int, column: int) -> Segment:
        """A segment from positions that count from 0."""
        return Segment(offset, *self.position(line, column))


Parser = Callable[[str], Iterator[Any]]


def libyaml_events(text: str) -> Iterator[Any]:
    """Events from the C library; raises ImportError on first use where it is not built."""
    from ruamel.yaml import cyaml

    parser: Any = cyaml.CParser(text)  # type: ignore[attr-defined]
    while parser.check_event():
        yield parser.get_event()


def python_events(text: str) -> Iterator[Any]:
    """Events from the parser that is written in Python: slower, the same tree."""
    from ruamel.yaml import YAML

    yield from YAML(typ="safe", pure=True).parse(text)


@cache
def default_parser() -> Parser:
    """libyaml where it is built."""
    try:
        import ruamel.yaml.cyaml  # noqa: F401
    except ImportError:
        return python_events
    return libyaml_events


def compose(source: str, origin: Origin, parser: Parser | None = None) -> tuple[Node | None, list[Diagnostic]]:
    """The tree of ``source`` (None for an empty one) and what was refused in it; a refused tree may be partial."""
    text = source.removeprefix("\ufeff")
    lines = text.split("\n")
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    found = [_character(match, text, origin) for match in _UNREADABLE.finditer(text)]
    if found:
        return None, found[:1]
    builder = _Builder(lines, origin)
    builder.read((parser or default_parser())(text))
    return builder.root, builder.found


def _character(match: re.Match[str], text: str, origin: Origin) -> Diagnostic:
    start = text.rfind("\n", 0, match.start()) + 1
    where = origin.at(text.count("\n", 0, match.start()), match.start() - start)
    return Diagnostic(where, Severity.ERROR, RULE, _character_name(match[0][0]))


def _character_name(character: str) -> str:
    return _NAMED.get(character, f"the control character U+{ord(character):04X}: remove it")


class _Stop(Exception):
    """Raised to leave the event loop after a refusal that makes the rest meaningless."""


@dataclass(slots=True)
class _Open:
    """A collection that is being read: ``key`` is the key that waits for its value."""

    location: Location
    mapping: bool
    flow: bool
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    key: Scalar | None = None
    seen: dict[str, Scalar] = field(default_factory=dict)

    def close(self) -> Node:
        if self.mapping:
            return Mapping(self.location, tuple(self.entries))
        return Sequence(self.location, tuple(self.items))


class _Builder:
    """Reads events into nodes; ``found`` collects what is refused, ``root`` is the finished tree."""

    def __init__(self, lines: list[str], origin: Origin) -> None:
        self.lines = lines
        self.origin = origin
        self.found: list[Diagnostic] = []
        self.root: Node | None = None
        self.stack: list[_Open] = []
        self.documents = 0
        self.line = self.column = 0  # the end of the last event, for empty values
        self.handlers: dict[str, Callable[[Any], None]] = {
            "ScalarEvent": self.scalar,
            "MappingStartEvent": self.open,
            "SequenceStartEvent": self.open,
            "MappingEndEvent": self.close,
            "SequenceEndEvent": self.close,
            "AliasEvent": self.alias,
            "DocumentStartEvent": self.document,
        }

    def read(self, events: Iterator[Any]) -> None:
        """Runs through all events; a parser's own error becomes one sentence at its place."""
        handlers = self.handlers
        try:
            for event in events:
                handler = handlers.get(type(event).__name__)
                if handler is not None:
                    handler(event)
        except _Stop:
            pass
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                raise
            (line, column), message = explain(problem, self.lines)
            self.refuse(line, column, message)

    def refuse(self, line: int, column: int, message: str, length: int = 1) -> None:
        """Notes a refusal at a position that counts from 0."""
        self.refuse_at(self.origin.at(line, column), message, length)

    def refuse_at(self, where: Location, message: str, length: int) -> None:
        """Notes a refusal at a reported position."""
        self.found.append(Diagnostic(where, Severity.ERROR, RULE, message, length=length))

    def document(self, event: Any) -> None:
        """One document a file; no directives."""
        self.documents += 1
        if self.documents > 1:
            mark = event.start_mark
            message = "a second document begins here: keep one record a file, without `---`"
            self.refuse(mark.line, mark.column, message, 3)
            raise _Stop
        if event.version or event.tags:
            number = next((n for n, line in enumerate(self.lines) if line.startswith("%")), 0)
            self.refuse(number, 0, "a YAML directive: remove this line", len(self.lines[number]))

    def scalar(self, event: Any) -> None:
        """A leaf: its value by YAML 1.2, its text as written, and where each character stands."""
        start, end = event.start_mark, event.end_mark
        self.properties(event)
        style = _STYLES.get(event.style or "", Style.PLAIN)
        text: str = event.value
        line, column = start.line, start.column
        if style is Style.DOUBLE and (escaped := _ESCAPED.search(text)):
            self.refuse(line, column, _character_name(escaped[0][0]))
        if style is Style.PLAIN:
            if not text:
                line, column = self.empty_place(line, column)
                place: tuple[Segment, ...] = (self.origin.segment(0, line, column),)
            elif end.line == line:
                place = (self.origin.segment(0, line, column),)
            else:
                place = self.segments(event, style)
            node = Scalar(self.origin.at(line, column), self.value(text, line, column), text, style, place)
        else:
            node = Scalar(self.origin.at(line, column), text, text, style, self.segments(event, style))
        self.add(node, line, column)
        self.line, self.column = end.line, end.column

    def segments(self, event: Any, style: Style) -> tuple[Segment, ...]:
        start, end = event.start_mark, event.end_mark
        ends = (start.line, start.column), (end.line, end.column)
        return segments_of(self.lines, style, *ends, event.value, self.origin.segment)

    def value(self, text: str, line: int, column: int) -> Any:
        """The value of a plain scalar; a flow collection's text with ``:`` or ``?`` is read differently by parsers."""
        if self.stack and self.stack[-1].flow and (":" in text or "?" in text):
            message = f"put `{on_one_line(text, 40)}` in quotes: `:` and `?` have a meaning inside [ ] and {{ }}"
            self.refuse(line, column, message, len(text))
            return text
        try:
            return plain_value(text)
        except NumberError as error:
            self.refuse(line, column, str(error), len(text))
            return None

    def empty_place(self, line: int, column: int) -> tuple[int, int]:
        """Parsers differ in where an empty value stands: ours is behind the `:` or `-` that announces it.

        In ``{a: one, two}`` nothing announces it: ``two`` is read as a key, but was meant to belong to the text.
        """
        top = self.stack[-1] if self.stack else None
        if top is not None and top.mapping and top.key is None:
            return line, column
        announced = _BEHIND_COLON if top is None or top.mapping else _BEHIND_DASH
        for number in range(self.line, min(line + 1, len(self.lines))):
            match = announced.match(self.lines[number], self.column if number == self.line else 0)
            if match and (number, match.end()) <= (line, column):
                return number, match.end()
        if top is not None and top.flow and top.key is not None:
            key = top.key
            message = f"`{on_one_line(key.text, 40)}` has no `:` behind it: a text with a comma goes in quotes"
            self.refuse_at(key.location, message, len(key.text))
        return line, column

    def properties(self, event: Any) -> None:
        """Anchors and tags are refused."""
        mark = event.start_mark
        if event.anchor is not None:
            message = (
                f"`&{on_one_line(event.anchor, 40)}` is an anchor: remove it, and write values out (or quote the text)"
            )
            self.refuse(mark.line, mark.column, message, len(event.anchor) + 1)
        elif event.tag is not None:
            self.refuse(mark.line, mark.column, "a tag (`!…`): remove it, or quote the text if it begins with `!`")

    def alias(self, event: Any) -> None:
        """Aliases are refused; a null stands in for the value so that the rest is still read."""
        mark, name = event.start_mark, event.anchor
        message = (
            f"`*{on_one_line(name, 40)}` is an alias: write the value out (text that begins with `*` goes in quotes)"
        )
        self.refuse(mark.line, mark.column, message, len(name) + 1)
        self.line, self.column = event.end_mark.line, event.end_mark.column
        self.add(Scalar(self.origin.at(mark.line, mark.column), None, f"*{name}"), mark.line, mark.column)

    def open(self, event: Any) -> None:
        """A mapping or a list begins."""
        mark = event.start_mark
        self.properties(event)
        top = self.stack[-1] if self.stack else None
        if top is not None and top.mapping and top.key is None:
            self.refuse(mark.line, mark.column, "a list or mapping as a key: a key is one word, such as `name:`")
            raise _Stop
        if len(self.stack) >= DEEPEST:
            self.refuse(mark.line, mark.column, f"nested more than {DEEPEST} levels deep: flatten it")
            raise _Stop
        mapping = type(event).__name__ == "MappingStartEvent"
        self.stack.append(_Open(self.origin.at(mark.line, mark.column), mapping, bool(event.flow_style)))
        if event.flow_style:
            self.line, self.column = event.end_mark.line, event.end_mark.column

    def close(self, event: Any) -> None:
        """The innermost collection ends."""
        done = self.stack.pop()
        if done.flow:
            self.line, self.column = event.end_mark.line, event.end_mark.column
        self.add(done.close(), 0, 0)

    def add(self, node: Node, line: int, column: int) -> None:
        """Puts a finished node where it belongs: as the root, an item, a key or a key's value."""
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if not top.mapping:
            top.items.append(node)
        elif top.key is not None:
            top.entries.append((top.key, node))
            top.key = None
        else:
            assert isinstance(node, Scalar)
            top.key = node
            self.check_key(node, top, line, column)

    def between(self, line: int, column: int) -> str:
        """What stands between the last scalar or bracket and a place, without comments and blanks."""
        if line >= len(self.lines):
            return ""
        rows = [*self.lines[self.line : line], self.lines[line][:column]]
        rows[0] = rows[0][self.column :]
        return "".join(_COMMENT.sub("", row) for row in rows).rstrip()

    def check_key(self, key: Scalar, top: _Open, line: int, column: int) -> None:
        """No merge keys, no empty keys, and no key twice, however it is written."""
        first = top.seen.setdefault(key.text, key)
        if first is not key:
            alike = "" if first.style is key.style else " (quotes make no difference)"
            message = f"key `{on_one_line(key.text, 40)}` is given twice, first on line {first.location.line}{alike}: keep one"
            self.refuse(line, column, message, len(key.text))
        elif key.style is Style.PLAIN and key.text == "<<":
            self.refuse(line, column, "`<<` merges another mapping: write the keys out", 2)
        elif self.between(line, column).endswith("?"):
            self.refuse(line, column, "a key behind `? `: write it as `key: value`", len(key.text))
        elif not key.text:
            self.refuse(line, column, "a key is missing before the `:`: write one")
