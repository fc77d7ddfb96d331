"""Which files of a base a question needs, and which of their sections: the records that it names, and what these read.

Decided from the texts alone, which takes a tenth of the time of reading all of them. A record that a formula reads is
mentioned by its id, in a formula or in the question; who asks may call it by a name. Where a question ends without a value
the whole base is read, so that every message is that of the whole base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from flopkb.base.document import folded

_SOURCE = re.compile(r"""^kind:[ \t]*["']?source\b""", re.MULTILINE)
_KIND = re.compile(r"^kind:[ \t]*[\"']?[a-z]", re.MULTILINE)
_SHARED = re.compile(r"""^kind:[ \t]*["']?vocabulary\b""", re.MULTILINE)
_ID = re.compile(r"^id:[ \t]*([A-Za-z_]\w*)", re.MULTILINE)
_NAMES = re.compile(r"^(?:id|name|aliases):(.*(?:\n[ \t-].*)*)", re.MULTILINE)
_SECTION = re.compile(r"^([A-Za-z_]+):", re.MULTILINE)
_ENTRY = re.compile(r"^  ([A-Za-z_]\w*):", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BETWEEN = re.compile(r"""[\[\],"'\n]|^\s*-\s""", re.MULTILINE)

_TELLING = frozenset(
    {
        *("claims", "corrections", "hardware_parameters", "affected_by_hardware", "history", "suppress"),
        *("derivation", "assumptions", "arithmetic_intensity", "implications", "notes"),
    }
)
"""Sections from which no value is computed."""


def needed(texts: Mapping[str, str], question: Iterable[str]) -> dict[str, str]:
    """Of ``texts``, by the stems of their files, those that a question in some words needs.

    A text of no kind, which may be anything, is one of them. What it does not read of them is blank there, so that what
    is left stands in the lines of the file.
    """
    question = list(question)
    words = {word for part in question for word in _WORD.findall(part)}
    asked = {folded(word) for word in (*question, *words)} - {""}
    stems = {id: stem for stem, text in texts.items() for id in (*_ID.findall(text), stem)}
    found = {
        stem: RecordText(text, asked)
        for stem, text in texts.items()
        if _SHARED.search(text) or not _KIND.search(text) or asked & {folded(name) for name in (stem, *_names(text))}
    }
    grown = True
    while grown:
        before = len(words)
        for record in found.values():
            words |= record.words(words)
        more = {stem for word in words if (stem := stems.get(word)) and stem not in found}
        found |= {stem: RecordText(texts[stem], asked) for stem in more if not _SOURCE.search(texts[stem])}
        grown = len(words) > before
    return {stem: record.text(words) for stem, record in found.items()}


class RecordText:
    """The text of a record, cut into sections, and into their entries where a question may read some and not others."""

    def __init__(self, text: str, asked: set[str]) -> None:
        self.parts = [part for section in _cut(_SECTION, text) for part in self._parts(*section)]
        figures = " ".join(t for section, entry, t in self.parts if section == "figures" and folded(entry) in asked)
        self.asked = asked | {folded(word) for word in _WORD.findall(figures)}  # they stand at points

    def _parts(self, name: str, text: str) -> Iterator[tuple[str, str, str]]:
        """Section, entry and text of each part."""
        entries = _cut(_ENTRY, text) if name in ("figures", "points", "formulas", "symbols") else []
        yield from ((name, entry, part) for entry, part in entries or [("", text)])

    def words(self, known: set[str]) -> set[str]:
        """The words of the parts that are read where some words are known."""
        return {word for part in self.parts if self._read(part, known) for word in _WORD.findall(part[2])}

    def text(self, known: set[str]) -> str:
        """The text with empty lines in place of the parts that are not read, and of sections without an entry."""
        kept = {section for section, entry, text in self.parts if entry and self._read((section, entry, text), known)}
        whole = {section for section, entry, _ in self.parts if entry}
        return "".join(
            part[2] if self._read(part, known) and part[0] not in whole - kept else "\n" * part[2].count("\n")
            for part in self.parts
        )

    def _read(self, part: tuple[str, str, str], known: set[str]) -> bool:
        section, entry, _ = part
        if section in ("figures", "points"):
            return not entry or folded(entry) in self.asked
        return section not in _TELLING and (not entry or entry in known)


def _cut(pattern: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """A text cut where a pattern matches: what stands before under no name, each part under its own; nothing without one."""
    starts = list(pattern.finditer(text))
    if not starts:
        return []
    ends = [*(match.start() for match in starts[1:]), len(text)]
    parts = [(match[1], text[match.start() : end]) for match, end in zip(starts, ends, strict=True)]
    return [("", text[: starts[0].start()]), *parts]


def _names(text: str) -> set[str]:
    """The names in the lines of a record that say them."""
    return {part.strip() for match in _NAMES.finditer(text) for part in _BETWEEN.split(match[1])} - {""}
