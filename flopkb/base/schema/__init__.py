"""Documents to records: the second stage. It judges the shape of a record, not whether what it says is true.

findings, records = validate(document), build(document)
records, broken, diagnostics = read_records(base.documents)
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.document import Document, Scalar
from flopkb.base.model import Record
from flopkb.base.schema.build import record_of
from flopkb.base.schema.files import SchemaError, check_schemas, schema_directory
from flopkb.base.schema.validate import ESSENTIAL, SchemaFinding, findings, kind_of

__all__ = ["SchemaError", "build", "check_schemas", "read_records", "schema_directory", "validate"]


def validate(document: Document) -> list[Diagnostic]:
    """Everything that the schema of the document's kind finds, in the order of the file."""
    return [finding.diagnostic for finding in findings(document)]


def build(document: Document) -> Record | None:
    """The record without its faulty parts; None where the fault is in its id, its kind or its status."""
    return _build(document, findings(document))


def _build(document: Document, found: Iterable[SchemaFinding]) -> Record | None:
    dropped = {finding.dropped for finding in found if finding.dropped is not None}
    kind = kind_of(document)
    if kind is None or any(path[0] in ESSENTIAL for path in dropped):
        return None
    return record_of(document, kind, dropped)


def read_records(documents: Iterable[Document]) -> tuple[list[Record], frozenset[str], list[Diagnostic]]:
    """All records that could be built, the ids of those that could not, and what was found, in the order given.

    An id that cannot be read is taken from the file's name, so that references to it are not reported as unknown.
    """
    records: list[Record] = []
    broken: set[str] = set()
    diagnostics: list[Diagnostic] = []
    for document in documents:
        found = findings(document)
        diagnostics.extend(finding.diagnostic for finding in found)
        record = _build(document, found)
        if record is not None:
            records.append(record)
        else:
            broken.update(_names(document))
    return records, frozenset(broken), diagnostics


def _names(document: Document) -> set[str]:
    written = document.root.get("id")
    return {PurePosixPath(document.path).stem} | ({written.text} if isinstance(written, Scalar) else set())
