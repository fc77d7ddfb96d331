"""``flopkb show``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from flopkb.base.document import Scalar
from flopkb.base.faults import did_you_mean
from flopkb.base.model import Record
from flopkb.checking.api import Base
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, open_base, unread


@click.command("show")
@click.argument("id", metavar="ID")
@RECORDS
@answered
def command(id: str, records: Path | None) -> Outcome:
    """Show a record for a person: its prose, its values, its figures with what they are now."""
    base = open_base(records)
    record = base.records.get(id)
    if record is None:
        broken = (
            " (a record of that name could not be read: run flopkb check)"
            if id in base.evaluation.kb.scope.broken
            else ""
        )
        raise UsageFault(f"there is no record {id}{broken}{did_you_mean(id, base.records)}")
    return Outcome("\n".join(page(record, base)) + "\n", error=unread(base))


def page(record: Record, base: Base) -> Iterator[str]:
    """The lines of the page: head, then what is said, recorded and computed."""
    from flopkb.publishing.export.resolved.records import resolve
    from flopkb.publishing.pages.lookups import Lookups
    from flopkb.publishing.pages.record import RecordPage, parts_in
    from flopkb.publishing.pages.terminal import RecordText

    yield record.name
    yield f"{record.id} · {record.kind.value} · {record.status.value} · {record.path}"
    yield from head(record)
    look, writer = Lookups.of(resolve(base, only=record.id)), RecordText(base)
    for part in parts_in("text", RecordPage(look, look.base.records[record.id])):
        body = writer.blocks(block for block in part.blocks if block is not None)
        if body:
            yield from ("", part.title.upper())
            yield from (f"  {line}" if line else "" for line in body.split("\n"))


def head(record: Record) -> Iterator[str]:
    """The scalar fields of the record that are no prose."""
    shown = {"id", "kind", "name", "status", *(p.field for p in record.prose), *record.facts}
    for key, node in record.document.root:
        if isinstance(node, Scalar) and key.text not in shown:
            yield f"{key.text.replace('_', ' ')}: {node.text}"
