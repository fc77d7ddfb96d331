"""The header of a template: a YAML block with the title and what the document declares about itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.prose import read_prose
from flopkb.base.document import Mapping as Node
from flopkb.base.document import Node as AnyNode
from flopkb.base.document import Scalar, Sequence
from flopkb.base.faults import did_you_mean
from flopkb.base.loading import parse_fragment
from flopkb.publishing.pages.mathematics import unreadable
from flopkb.publishing.render.template_text import STRAY, TemplateFault

KEYS = ("title", "subtitle", "authors", "date", "language", "description", "sources", "notation", "citation_style")
_HEADER = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
_TEX_DIGITS = re.compile(r"(?<![_^{])(?<!\\mathrm\{)[0-9]")


@dataclass(frozen=True, slots=True)
class Header:
    """What a template says about its document. ``sources``, where given, must be just those that are cited."""

    title: str = ""
    subtitle: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    language: str = "en"
    description: str = ""
    citation_style: str = ""
    notation: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sources: Mapping[str, int] | None = None
    """Each declared source with the offset at which it stands."""
    end: int = 0
    """Where the body of the template begins."""
    offsets: Mapping[str, int] = field(default_factory=dict)
    """Where the values of the keys stand."""


def read_header(source: str, offset: Callable[[Location], int]) -> Header:
    """The header at the beginning of a template, if it has one; ``offset`` turns a place into an offset."""
    stray = STRAY.search(source)
    if stray is not None:
        raise TemplateFault(
            f"the character U+{ord(stray[0]):04X} is not read in templates: leave it out", stray.start()
        )
    found = _HEADER.match(source)
    if found is None:
        return Header()
    root = parse_fragment(found[1], "", 2, 1) if found[1].strip() else []
    if isinstance(root, list):
        fault = root[0] if root else None
        raise TemplateFault(fault.message if fault else "the header is empty", offset(fault.location) if fault else 0)
    if not isinstance(root, Node):
        raise TemplateFault("the header is a mapping: write title: and other keys below each other", 4)
    return _HeaderReader(root, offset).header(found.end())


class _HeaderReader:
    """Reads one header."""

    def __init__(self, root: Node, offset: Callable[[Location], int]) -> None:
        self.root = root
        self.offset = offset

    def header(self, end: int) -> Header:
        for key, _ in self.root:
            if key.text not in KEYS:
                hint = did_you_mean(key.text, KEYS) or f"; a header has {', '.join(KEYS)}"
                raise TemplateFault(f"a header has no key {key.text}{hint}", self.offset(key.location))
        date, language = self.text("date"), self.text("language") or "en"
        if date and not _DATE.fullmatch(date):
            raise TemplateFault("write the date as 2026-11-29", self.at("date"))
        if not _LANGUAGE.fullmatch(language):
            raise TemplateFault("write the language as en or en-GB", self.at("language"))
        return Header(
            self.prose("title"),
            self.prose("subtitle"),
            tuple(text for text, _ in self.texts("authors")),
            date,
            language,
            self.prose("description"),
            self.text("citation_style"),
            self.notation(),
            self.sources(),
            end,
            {key.text: self.offset(value.location) for key, value in self.root},
        )

    def at(self, key: str) -> int:
        node = self.root.get(key)
        return self.offset(node.location) if node is not None else 0

    def text(self, key: str) -> str:
        node = self.root.get(key)
        if node is None:
            return ""
        if not isinstance(node, Scalar):
            raise TemplateFault(f"{key}: takes one text", self.offset(node.location))
        return " ".join(node.text.split())

    def prose(self, key: str) -> str:
        """A text that readers see: without typed numbers."""
        text = self.text(key)
        bare = read_prose(text).bare
        if bare:
            raise TemplateFault(f"{bare[0].text} is typed; leave numbers out of the {key}", self.at(key), "bare-number")
        return text

    def texts(self, key: str) -> list[tuple[str, int]]:
        node = self.root.get(key)
        if node is None:
            return []
        items = node.items if isinstance(node, Sequence) else (node,)
        found = [(item.text, self.offset(item.location)) for item in items if isinstance(item, Scalar)]
        if len(found) != len(items):
            raise TemplateFault(f"{key}: takes a list of texts", self.offset(node.location))
        return found

    def sources(self) -> Mapping[str, int] | None:
        return dict(self.texts("sources")) if self.root.get("sources") is not None else None

    def mapping(self, node: AnyNode) -> Node:
        if not isinstance(node, Node):
            raise TemplateFault(
                "notation: takes a mapping, notation: {record: {name: TeX}}", self.offset(node.location)
            )
        return node

    def notation(self) -> dict[str, dict[str, str]]:
        node = self.root.get("notation")
        found: dict[str, dict[str, str]] = {}
        if node is None:
            return found
        for record, names in self.mapping(node):
            for name, tex in self.mapping(names):
                if not isinstance(tex, Scalar) or len(tex.text) > 200 or _TEX_DIGITS.search(tex.text):
                    raise TemplateFault("a symbol is a short piece of TeX without numbers", self.offset(tex.location))
                fault = unreadable(tex.text)
                if fault:
                    raise TemplateFault(f"this symbol cannot be read ({fault})", self.offset(tex.location))
                found.setdefault(record.text, {})[name.text] = tex.text
        return found
