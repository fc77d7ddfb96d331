"""Records from text or from the valid fixtures, for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

from flopkb.base.document import Document
from flopkb.base.loading import load_text
from flopkb.base.model import Record
from flopkb.base.schema import read_records, validate

VALID = Path(__file__).parent / "fixtures" / "valid"


def document(source: str, path: str = "a.yaml") -> Document:
    """The document in ``source``, which must be readable."""
    result = load_text(source, path)
    assert isinstance(result, Document), result
    return result


def valid(name: str) -> Document:
    """The document of a valid fixture."""
    return document((VALID / f"{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml")


def build(document: Document) -> Record | None:
    """The record in a document, or None where none could be built."""
    records, _, _ = read_records([document])
    return records[0] if records else None


def record(name: str) -> Record:
    """The record of a valid fixture."""
    found = build(valid(name))
    assert found is not None
    return found


def found(source: str) -> list[str]:
    """What the schema finds in ``source``, as ``line:column: message``."""
    return [f"{d.location.line}:{d.location.column}: {d.message}" for d in validate(document(source))]


def of_kind(kind: str, body: str) -> str:
    """A smallest record of a kind, with more lines below (from line 6 on, or later where the kind asks for more)."""
    more = {
        "accelerator": "vendor: V\n",
        "model": "developer: D\n",
        "formula": "",
        "workload_class": "bound_by: memory\n",
        "dtype": "bits: 8\nbytes: 1\n",
        "source": "",
    }[kind]
    return f"id: a\nkind: {kind}\nname: A\nstatus: draft\nupdated: 2026-11-29\n{more}{body}"
