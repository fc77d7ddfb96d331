"""``flopkb list``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.base.faults import did_you_mean
from flopkb.base.model import Kind, Record
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, open_base, unread


@click.command("list")
@click.argument("kind", metavar="KIND")
@click.option(
    "--where", "conditions", multiple=True, metavar="FIELD=VALUE", help="Only records whose field is (or holds) VALUE."
)
@RECORDS
@answered
def command(kind: str, conditions: tuple[str, ...], records: Path | None) -> Outcome:
    """List the records of a kind: workload_class, formula, vocabulary, accelerator, interconnect, model, dtype, source."""
    wanted = kind_named(kind)
    pairs = [condition(text) for text in conditions]
    base = open_base(records)
    chosen = [r for r in base.records.values() if r.kind is wanted]
    found = [r for r in chosen if all(matches(r, field, value) for field, value in pairs)]
    for field, _ in pairs:
        if chosen and not any(at_path(r.document.root, field) for r in chosen):
            known = sorted({key.text for r in chosen for key, _ in r.document.root})
            raise UsageFault(f"no {wanted.value} has a field {field}{did_you_mean(field.split('.')[0], known)}")
    return Outcome("".join(f"{line}\n" for line in rows(found)), error=unread(base))


def kind_named(text: str) -> Kind:
    """The kind, also where it is written as its folder."""
    for kind in Kind:
        if text in (kind.value, kind.folder):
            return kind
    known = [kind.value for kind in Kind]
    raise UsageFault(f"there is no kind {text}{did_you_mean(text, known)}; the kinds are {', '.join(known)}")


def condition(text: str) -> tuple[str, str]:
    """``field=value``."""
    field, equals, value = text.partition("=")
    if not equals or not field:
        raise UsageFault(f"{text!r} is no condition; write FIELD=VALUE, as status=verified")
    return field, value


def matches(record: Record, path: str, value: str) -> bool:
    """Whether the field is the value, or a list or mapping that holds it."""
    return any(value in texts(node) for node in at_path(record.document.root, path))


def at_path(node: Node, path: str) -> list[Node]:
    """The nodes at a dotted path; a list on the way stands for each of its items."""
    nodes: list[Node] = [node]
    for key in path.split("."):
        items = [item for n in nodes for item in (n.items if isinstance(n, Sequence) else (n,))]
        nodes = [found for n in items if isinstance(n, Mapping) and (found := n.get(key)) is not None]
    return nodes


def texts(node: Node) -> Iterator[str]:
    """What a node holds, as texts to compare with."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Sequence):
        yield from (text for item in node.items for text in texts(item))
    else:
        for key, value in node:
            yield key.text
            if key.text == "value":
                yield from texts(value)


def rows(records: list[Record]) -> Iterator[str]:
    """Id, status and name in columns."""
    width = max((len(r.id) for r in records), default=0)
    yield from (f"{r.id:<{width}}  {r.status.value:<10}  {r.name}" for r in sorted(records, key=lambda r: r.id))
