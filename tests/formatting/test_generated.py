"""Five hundred records in layouts that nobody would choose: each keeps its meaning, and has one usual form."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from conftest import REPOSITORY, TinyBase

from flopkb.base.document import Document
from flopkb.base.evaluate import Value
from flopkb.base.loading import load_text
from flopkb.editing.fmt import formatted

from .generated import record
from .meaning import resolved

pytestmark = pytest.mark.slow

RECORDS = 500
BATCH = 50


@pytest.mark.parametrize("first", range(0, RECORDS, BATCH))
def test_meaning_and_idempotence(first: int, base: TinyBase) -> None:
    changed = 0
    for seed in range(first, first + BATCH):
        path, source = record(Random(seed))
        file = base.write(path, source)
        file.write_bytes(source.encode())
        before = resolved(base.evaluate())
        found = formatted(read(source, path))
        assert not found.left, (seed, found.left)
        file.write_bytes(found.source.encode())
        assert resolved(base.evaluate()) == before, seed
        assert formatted(read(found.source, path)).source == found.source, seed
        changed += found.source != source
        file.unlink()
    assert changed > BATCH // 2


def read(source: str, path: str) -> Document:
    document = load_text(source, path)
    assert isinstance(document, Document), document
    return document


def test_the_generated_records_say_something(base: TinyBase) -> None:
    """Figures have values and quotes are judged: otherwise equal meanings would be equal emptiness."""
    figures = quotes = facts = 0
    for seed in range(60):
        path, source = record(Random(seed))
        file = base.write(path, source.replace("\r\n", "\n"))
        found = base.evaluate()
        figures += sum(1 for key, value in found.figures.items() if key[0] == "made" and isinstance(value, Value))
        quotes += sum(1 for quote in found.quotes.get("made", ()) if quote.judgement is not None)
        facts += len(found.kb.records["made"].facts)
        file.unlink()
    assert min(figures, quotes, facts) > 30


RECORDS_OF_THE_BASE = sorted((REPOSITORY / "records").rglob("*.yaml"))


@pytest.mark.parametrize("file", RECORDS_OF_THE_BASE, ids=lambda file: file.stem)
def test_a_shuffled_record_of_the_base_comes_back_byte_by_byte(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    modeline, *fields = re.split(r"^(?=\w)", source, flags=re.MULTILINE)
    Random(file.stem).shuffle(fields)
    found = formatted(read("".join([modeline, *fields]), file.name))
    assert (found.source, found.left) == (source, "")
