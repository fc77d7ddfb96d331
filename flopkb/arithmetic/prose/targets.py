"""What a link in prose points at: the text behind ``fig:``, ``in:``, ``fact:``, ``lit:`` or ``claim:``, taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from flopkb.arithmetic.prose.plain import Builder, Mapped

SCHEMES = ("fig", "in", "fact", "lit", "claim")
"""The schemes of links that flopkb reads."""

LITERAL_REASONS = ("ordinal", "year", "version", "name", "example", "quotation", "coefficient", "superseded")
"""Why a number may be no figure: the closed list behind ``lit:``."""

_LONG = ("figure", "facts", "figs", "input", "inputs", "literal", "literals", "claims")
_WEB = frozenset(["http", "https", "ftp", "file", "mailto", "tel", "data", "doi", "urn", "git", "ssh", "arxiv", "fax"])
_OTHER_SCHEME = re.compile(r"([A-Za-z]{2,9}):(?=\w)(?!//)")
_SCHEME = re.compile(rf"({'|'.join(SCHEMES)}):")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_SHAPES = {
    "fig": (1, 2, "fig:name or fig:record.name"),
    "in": (2, 3, "in:figure.input or in:record.figure.input"),
    "fact": (1, 9, "fact:record.value"),
    "lit": (1, 1, "lit:reason"),
    "claim": (1, 2, "claim:name or claim:record.name"),
}


@dataclass(frozen=True, slots=True)
class Input:
    """``key=value`` in the query of a figure: ``value`` is decoded, the offsets are those of key and value."""

    key: str
    value: str
    offset: int
    value_offset: int


@dataclass(frozen=True, slots=True)
class Target:
    """A target taken apart; nothing is looked up. All offsets are into the text that holds the link.

    ``record`` is None where the link leaves it out. ``name`` is the figure, claim or formula, ``figure.input`` of an
    ``in:``, the dotted path of a ``fact:``. ``points`` are the bare names of the query, ``inputs`` its bindings.
    ``at_source`` is the source behind ``@``; ``reason`` that of a ``lit:``.
    """

    scheme: str
    record: str | None
    name: str
    offset: int
    inputs: tuple[Input, ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    at_source: str | None = None
    source_offset: int = 0
    reason: str = ""

    @property
    def dotted(self) -> str:
        """Record and name as written."""
        return f"{self.record}.{self.name}" if self.record is not None else self.name


@dataclass(frozen=True, slots=True)
class TargetError:
    """A target that cannot be read: what is wrong (to follow the target in a sentence), and where."""

    scheme: str
    reason: str
    offset: int


class _TargetFault(Exception):
    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


def scheme_of(text: str, start: int, end: int) -> str | None:
    """The scheme of the destination at ``start``, if it is one of flopkb's, or one of them misspelt (``FACT``, ``figs``)."""
    match = _SCHEME.match(text, start, end)
    if match:
        return match[1]
    other = _OTHER_SCHEME.match(text, start, end)
    return other[1] if other and is_misspelt(other[1]) else None


@lru_cache(maxsize=256)
def is_misspelt(scheme: str) -> bool:
    """Whether a scheme was probably meant to be one of flopkb's."""
    lower = scheme.lower()
    if lower in _WEB:
        return False
    return lower in (*SCHEMES, *_LONG) or bool(get_close_matches(lower, [*SCHEMES[2:], *_LONG], n=1, cutoff=0.75))


def parse_target(target: str, start: int = 0) -> Target | TargetError:
    """Take ``scheme:...`` apart; ``start`` is where it stands in the text that holds it.

    Backslash escapes and entities of Markdown are resolved, and ``%20`` is a space.
    """
    plain = _unescape(target)
    scheme, _, _ = plain.text.partition(":")
    try:
        return _Parser(plain, scheme, start).parse()
    except _TargetFault as bad:
        return TargetError(scheme, bad.reason, start + plain.at(bad.offset))


def _unescape(target: str) -> Mapped:
    """The target without Markdown's escapes."""
    builder, at = Builder(), 0
    for match in _ESCAPE.finditer(target):
        builder.verbatim(target, at, match.start())
        builder.rendered(match[1] or entity(match[0]) or match[0], *match.span())
        at = match.end()
    builder.verbatim(target, at, len(target))
    return builder.build()


def entity(written: str) -> str | None:
    """The characters that ``&name;`` or ``&#number;`` stands for; None if nothing does."""
    if written.startswith("&#"):
        digits = written[2:-1]
        code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
        return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd"
    from html.entities import html5  # a large table, needed only by texts with entities

    return html5.get(written[1:])


class _Parser:
    """Splits the unescaped target; offsets are into it until they are handed out."""

    def __init__(self, plain: Mapped, scheme: str, start: int) -> None:
        self.plain = plain
        self.text = plain.text
        self.scheme = scheme
        self.start = start

    def place(self, offset: int) -> int:
        return self.start + self.plain.at(offset)

    def parse(self) -> Target:
        if self.scheme not in SCHEMES:
            raise _TargetFault(f"does not begin with one of {', '.join(s + ':' for s in SCHEMES)}", 0)
        begin = len(self.scheme) + 1
        question = self.text.find("?", begin)
        stop = question if question >= 0 else len(self.text)
        if question >= 0 and self.scheme != "fig":
            raise _TargetFault("takes no inputs: only fig: does", question)
        at = self.text.find("@", begin, stop)
        if at >= 0 and self.scheme != "fact":
            raise _TargetFault("names a source: only fact: does", at)
        source = self.source(at, stop) if at >= 0 else None
        parts = self.parts(begin, at if at >= 0 else stop)
        inputs, points = self.query(question + 1) if question >= 0 else ((), ())
        record, name = self.named(parts)
        reason = self.reason(name, begin) if self.scheme == "lit" else ""
        where = self.place(at + 1) if at >= 0 else 0
        return Target(self.scheme, record, name, self.place(begin), inputs, points, source, where, reason)

    def parts(self, start: int, stop: int) -> list[str]:
        """The dotted names before the query."""
        least, most, form = _SHAPES[self.scheme]
        if start == stop:
            raise _TargetFault(f"names nothing: write {form}", max(0, start - 1))
        names, at = [], start
        for name in self.text[start:stop].split("."):
            self.check_name(name, at)
            names.append(name)
            at += len(name) + 1
        if not least <= len(names) <= most:
            raise _TargetFault(f"has {len(names)} {'name' if len(names) == 1 else 'names'}: write {form}", start)
        return names

    def named(self, parts: list[str]) -> tuple[str | None, str]:
        """Record and name: the record is the first of more names than the scheme needs."""
        own = 2 if self.scheme == "in" else 1
        if len(parts) > own:
            return parts[0], ".".join(parts[1:])
        return None, ".".join(parts)

    def check_name(self, name: str, at: int) -> None:
        match = _NAME.match(name)
        if match is None:
            reason = "has an empty name" if not name else f"has `{name[:20]}` where a name belongs"
            raise _TargetFault(reason + self.declared(name[:1].isdigit()), at)
        if match.end() < len(name):
            other = name[match.end()]
            raise _TargetFault(f"has `{other}` in a name" + self.declared(other in '["'), at + match.end())

    def declared(self, is_step: bool) -> str:
        """Where a step of a path into a file belongs, which no link can hold."""
        way = "name the value under data:, as x: {file: FILE, at: 'runs[0].ms'}, and link fact:x"
        return f": a link takes plain keys alone; {way}" if is_step and self.scheme == "fact" else ""

    def source(self, at: int, stop: int) -> str:
        name = self.text[at + 1 : stop]
        if not name:
            raise _TargetFault("names no source after `@`", at)
        self.check_name(name, at + 1)
        return name

    def reason(self, name: str, at: int) -> str:
        if name not in LITERAL_REASONS:
            raise _TargetFault(f"gives no known reason: write one of {', '.join(LITERAL_REASONS)}", at)
        return name

    def query(self, at: int) -> tuple[tuple[Input, ...], tuple[tuple[str, int], ...]]:
        """``point&key=value``: bare names are points."""
        inputs: list[Input] = []
        points: list[tuple[str, int]] = []
        seen: set[str] = set()
        for item in self.text[at:].split("&"):
            key, equals, value = item.partition("=")
            self.check_name(key, at)
            if key in seen:
                raise _TargetFault(f"gives `{key}` twice", at)
            seen.add(key)
            if equals:
                value_at = at + len(key) + 1
                inputs.append(Input(key, self.value(value, value_at), self.place(at), self.place(value_at)))
            else:
                points.append((key, self.place(at)))
            at += len(item) + 1
        return tuple(inputs), tuple(points)

    def value(self, value: str, at: int) -> str:
        decoded = _percent_decoded(value).strip()
        if not decoded:
            raise _TargetFault("has an input without a value", at)
        return decoded


def _percent_decoded(value: str) -> str:
    """``%20`` is a space; a ``%`` without two hexadecimal digits (as in ``25%``) stays."""
    if "%" not in value:
        return value
    data = bytearray()
    at = 0
    for match in _PERCENT.finditer(value):
        data += value[at : match.start()].encode("utf-8", "surrogatepass")
        data.append(int(match[1], 16))
        at = match.end()
    data += value[at:].encode("utf-8", "surrogatepass")
    return data.decode("utf-8", "replace")
