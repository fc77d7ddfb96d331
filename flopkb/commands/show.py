"""``flopkb show``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from flopkb.base.document import Scalar
from flopkb.base.model import Record
from flopkb.checking.api import Base
from flopkb.commands import FORMAT, RECORDS, Outcome, answered, completing, json_text, open_base, record_named, unread


@click.command("show")
@click.argument("id", metavar="ID", shell_complete=completing("ids"))
@FORMAT
@RECORDS
@answered
def command(id: str, form: str, records: Path | None) -> Outcome:
    """Show a record for a person: its prose, its values, its figures with what they are now.

    ID may also be a name or an alias, in any case: h100, Llama-3-8B. With --format json the record stands alone on
    standard output, as flopkb export json has it.
    """
    base = open_base(records)
    record = record_named(id, base)
    if form == "json":
        return Outcome(as_json(record, base), error=unread(base))
    return Outcome("\n".join(page(record, base)) + "\n", error=unread(base))


def as_json(record: Record, base: Base) -> str:
    """The record as the export of the base has it."""
    from flopkb.publishing.export import record_columns
    from flopkb.publishing.export.resolved.records import resolve

    return json_text(record_columns.RECORD.json(resolve(base, only=record.id).records[record.id]))


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
