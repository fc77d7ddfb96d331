"""What stands behind a document: the version of the base, and the sources that a value rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from flopkb import __version__
from flopkb.arithmetic.formula import FormulaError, names, parse
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Value
from flopkb.base.model import Fact, Kind, Record
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
    """The version of a base: its digest is of the sources of all records in the order of their ids."""
    hashed, updated = sha256(), ""
    for id in sorted(base.records):
        record = base.records[id]
        hashed.update(f"{id}\0{record.document.source}\0".encode())
        node = record.document.root.get("updated")
        updated = max(updated, node.text if isinstance(node, Scalar) else "")
    return BaseVersion(__version__, len(base.records), updated or "never", hashed.hexdigest()[:12])


def sources_of(value: Value, base: Base) -> Iterator[str]:
    """The source records of the recorded values that a computed value moves with."""
    seen: dict[str, None] = {}
    for atom in sorted(value.facts()):
        record = base.records[atom.record]
        if record.kind is Kind.DTYPE:  # how wide a number format is, is its definition
            continue
        for id in sources_of_fact(record.facts[atom.path], record):
            seen[id] = None
    return iter(seen)


def sources_of_fact(recorded: Fact, record: Record, depth: int = 0) -> Iterator[str]:
    """The source records of a recorded value; of a derived one those of what it is derived from."""
    own = [reference.target.text for reference in recorded.sources]
    yield from own
    if own or recorded.formula is None or depth > 4:
        return
    try:
        read = names(parse(recorded.formula.text))
    except FormulaError:
        return
    for name in read:
        other = record.facts.get(str(name))
        if other is not None and other is not recorded:
            yield from sources_of_fact(other, record, depth + 1)


def unique(ids: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order."""
    return tuple(dict.fromkeys(ids))
