"""Which base a document was rendered from: the package's version and a digest of all records."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from flopkb import __version__
from flopkb.base.document import Scalar
from flopkb.checking.api import Base


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """``digest`` changes with every character of a record, and with nothing else."""

    package: str
    records: int
    updated: str
    digest: str

    def __str__(self) -> str:
        return (
            f"flopkb {self.package}, base of {self.records} records, last updated {self.updated}, digest {self.digest}"
        )


def base_version(base: Base) -> BaseVersion:
    """The version of a base."""
    hashed, updated = sha256(), ""
    for id in sorted(base.records):
        record = base.records[id]
        hashed.update(f"{id}\0{record.document.source}\0".encode())
        node = record.document.root.get("updated")
        updated = max(updated, node.text if isinstance(node, Scalar) else "")
    return BaseVersion(__version__, len(base.records), updated or "never", hashed.hexdigest()[:12])
