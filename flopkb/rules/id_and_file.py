"""A record's id is not the stem of its file, or the file is not in the folder of its kind.

One record a file, named after its id, in the folder of its kind: so that a reader who knows the id knows the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from flopkb.evaluate import Evaluation
from flopkb.findings import Finding, at
from flopkb.model import Record

ID = "id-and-file"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """The id against the file's name, the kind against its folder."""
    path = PurePath(record.path)
    if path.stem != record.id:
        yield at(record.id_at, f"the id is {record.id}, but the file is {path.name}; rename one of them")
    if path.parent.name != record.kind.folder:
        yield Finding(
            record.kind_at,
            f"a record of kind {record.kind.value} belongs in {record.kind.folder}/, not in {path.parent.name}/",
            length=len(record.kind.value),
        )
