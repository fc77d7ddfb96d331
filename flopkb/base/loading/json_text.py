"""JSON as people keep it to the same tree as YAML: exact numbers, a position for every node, faults at their place.

What Python's ``json`` reads is read (a bare ``Infinity`` or ``NaN`` among it, as text); comments are passed over. A key that
stands twice is refused: readers differ in which of the two counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity, shortened
from flopkb.base.document import Document, Mapping, Node, Plain, Scalar, Sequence, Style
from flopkb.base.loading.scalars import NumberError, plain_value

RULE = "json"
"""The rule under which everything about the JSON of a file is reported."""

DEEPEST = 64
"""Objects and lists may be nested this deep; the top level counts as the first."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w.])", re.ASCII)
_WORD = re.compile(r"-?[A-Za-z_]\w*")
_WORDS: dict[str, Plain] = {"true": True, "false": False, "null": None}
_NOT_FINITE = frozenset({"Infinity", "-Infinity", "NaN"})
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def load_json(source: str, path: str) -> Document | list[Diagnostic]:
    """The document in ``source``, whose top level is an object, or what makes it unreadable."""
    reader = _JsonReader(source.removeprefix("\ufeff"), path)
    try:
        root = reader.whole()
    except _Unreadable as fault:
        return [fault.diagnostic]
    return Document(path, source, root)


class _Unreadable(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(slots=True)
class _JsonReader:
    """Reads a text from ``at`` on; ``line`` and ``start`` are those of the line that holds it."""

    text: str
    path: str
    at: int = 0
    line: int = 1
    start: int = 0
    depth: int = 0

    def whole(self) -> Mapping:
        self._blank()
        if self.at == len(self.text):
            raise self._fault("the file is empty: it must hold an object, `{...}`")
        where = self._here()
        root = self._node()
        self._blank()
        if self.at < len(self.text):
            raise self._fault("something stands after the end of the object: remove it")
        if not isinstance(root, Mapping):
            raise _Unreadable(_diagnostic(where, "the top level is no object: it must be `{...}`"))
        return root

    def _node(self) -> Node:
        character = self.text[self.at : self.at + 1]
        if character in ("{", "["):
            self.depth += 1
            if self.depth > DEEPEST:
                raise self._fault(f"nested more than {DEEPEST} deep: no configuration needs that")
            node = self._object() if character == "{" else self._list()
            self.depth -= 1
            return node
        return self._string() if character == '"' else self._bare()

    def _object(self) -> Mapping:
        where, entries, seen = self._here(), list[tuple[Scalar, Node]](), set[str]()
        for _ in self._members("}"):
            if not self.text.startswith('"', self.at):
                raise self._fault("a key in double quotes belongs here")
            key = self._string()
            if key.text in seen:
                message = f"the key `{shortened(key.text, 60)}` stands twice: remove one of them"
                raise _Unreadable(_diagnostic(key.location, message))
            seen.add(key.text)
            self._expect(":", "behind a key")
            entries.append((key, self._node()))
        return Mapping(where, tuple(entries))

    def _list(self) -> Sequence:
        where = self._here()
        return Sequence(where, tuple(self._node() for _ in self._members("]")))

    def _members(self, end: str) -> Iterator[None]:
        """One turn for each member of an object or a list, the reader at its first character."""
        self._move(self.at + 1)
        self._blank()
        first = True
        while not self.text.startswith(end, self.at):
            if not first:
                self._expect(",", f"before the next one, or `{end}` at the end")
            yield
            self._blank()
            first = False
        self._move(self.at + 1)

    def _string(self) -> Scalar:
        where, match = self._here(), _STRING.match(self.text, self.at)
        if match is None:
            raise self._fault("a string that does not end, or holds a control character or an unknown escape")
        self._move(match.end())
        text = _unescaped(match[0][1:-1])
        return Scalar(where, text, text, Style.DOUBLE)

    def _bare(self) -> Scalar:
        where = self._here()
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            try:
                value = plain_value(number[0])
            except NumberError as error:
                raise self._fault(str(error)) from error
            self._move(number.end())
            return Scalar(where, value, number[0])
        word = _WORD.match(self.text, self.at)
        text = word[0] if word else ""
        if text not in _WORDS and text not in _NOT_FINITE:
            found = f"`{shortened(text, 40)}`" if text else self._character()
            raise self._fault(f"{found} is no JSON: a value belongs here")
        self._move(self.at + len(text))
        return Scalar(where, _WORDS.get(text, text) if text in _WORDS else text, text)

    def _character(self) -> str:
        return f"{self.text[self.at]!r}" if self.at < len(self.text) else "the end of the file"

    def _expect(self, sign: str, place: str) -> None:
        self._blank()
        if not self.text.startswith(sign, self.at):
            raise self._fault(f"`{sign}` belongs {place}")
        self._move(self.at + 1)
        self._blank()

    def _blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        if match is not None:
            self._move(match.end())

    def _move(self, to: int) -> None:
        lines = self.text.count("\n", self.at, to)
        if lines:
            self.line += lines
            self.start = self.text.rfind("\n", 0, to) + 1
        self.at = to

    def _here(self) -> Location:
        return Location(self.path, self.line, self.at - self.start + 1)

    def _fault(self, message: str) -> _Unreadable:
        return _Unreadable(_diagnostic(self._here(), message))


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    joined = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "u" else _ESCAPED.get(m[1], m[1]), text)
    return joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _diagnostic(where: Location, message: str) -> Diagnostic:
    return Diagnostic(where, Severity.ERROR, RULE, message)
