"""What stands near a number: names of records, figures that are linked, words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from flopkb.arithmetic.prose import BareNumber, Target
from flopkb.base.candidates.matching import Context
from flopkb.base.candidates.values import words_of
from flopkb.base.link import Passage
from flopkb.base.model import Record


def context_of(bare: BareNumber, passage: Passage, records: Mapping[str, Record]) -> Context:
    """The context of a bare number in its passage."""
    reading = passage.reading
    start, end = reading.sentence_at(bare.plain_start)
    sentence = reading.plain[start:end]
    linked = [link.parsed for link in reading.links if start <= link.plain_start < end]
    names = named_in(sentence, records) | mentioned(t for t in linked if isinstance(t, Target))
    return Context(names, named_in(reading.plain, records), words_of(sentence))


def mentioned(targets: Iterable[Target]) -> frozenset[str]:
    """The records, figures and points that link targets name."""
    found: set[str] = set()
    for target in targets:
        found.add(target.name.partition(".")[0])
        found.update(name for name in (target.record, *(i.value for i in target.inputs)) if name)
        found.update(name for name, _ in target.points)
    return frozenset(found)


def named_in(text: str, records: Mapping[str, Record]) -> frozenset[str]:
    """The records whose id, name or alias a text holds."""
    lower = f" {_spaced(text)} "
    return frozenset(id for id, record in records.items() if any(f" {name} " in lower for name in _names(record)))


def _names(record: Record) -> tuple[str, ...]:
    return tuple(_spaced(name) for name in (record.id, record.name, *(alias.text for alias in record.aliases)))


@lru_cache(maxsize=4096)
def _spaced(text: str) -> str:
    """The words of a text in lower case with single spaces, so that ``Llama-3-8B's`` holds ``llama 3 8b``."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
