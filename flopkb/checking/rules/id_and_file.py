"""A record's id is not the stem of its file, or the file is not in the folder of its kind.

One record a file, named after its id, in the folder of its kind: so that a reader who knows the id knows the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """The id against the file's name, the kind against its folder."""
    path = PurePath(record.path)
    if path.stem != record.id:
        yield at(record.id_at, f"the id is {record.id}, but the file is {path.name}; rename one of them")
    folder = folder_of(record.path)
    if folder != record.kind.folder:
        yield Finding(
            record.kind_at,
            f"a record of kind {record.kind.value} belongs in {record.kind.folder}/, not in {folder}/",
            length=len(record.kind.value),
        )


def folder_of(path: str) -> str:
    """The name of the folder of a file, also where the path as reported begins in it."""
    folder = PurePath(path).parent.name
    return PurePath(os.path.abspath(path)).parent.name if folder in ("", "..") else folder


RULE = RecordRule(id="id-and-file", doc=__doc__, run=check)
