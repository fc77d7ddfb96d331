"""``flopkb list``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from flopkb.arithmetic.numbers import column_texts
from flopkb.base.document import Mapping, Node, Scalar
from flopkb.base.document import Sequence as NodeSequence
from flopkb.base.faults import did_you_mean
from flopkb.base.link.aliases import called
from flopkb.base.model import Kind, Record
from flopkb.base.schema.layering import FLAT
from flopkb.checking.api import Base
from flopkb.checking.asking.conditions import Condition, Quantity, Term, condition, term
from flopkb.checking.asking.filtering import SECTIONS, ValueOf, in_order, views
from flopkb.checking.asking.question import QuestionFault
from flopkb.checking.text_report import aligned, counted
from flopkb.commands import (
    FORMAT,
    RECORDS,
    Outcome,
    UsageFault,
    answered,
    completing,
    json_text,
    open_for_values,
    unread,
)

_FIELD = re.compile(r"\s*([\w.]+)\s*=\s*([^=<>(].*)", re.DOTALL)


@click.command("list")
@click.argument("kind", metavar="KIND", shell_complete=completing("kinds"))
@click.option(
    "--where",
    "conditions",
    multiple=True,
    metavar="CONDITION",
    help="Only records whose field is (or holds) a value, as status=verified, or of which a comparison holds, as "
    "'memory_capacity >= 80 GB' or 'roofline.ridge(dtype=bf16) < 100'; of a model in any part of its layers, as "
    "type=latent_attention.",
)
@click.option("--sort", metavar="NAME", help="Sort by a recorded value or a formula; -NAME: largest first.")
@FORMAT
@RECORDS
@answered
def command(kind: str, conditions: tuple[str, ...], sort: str | None, form: str, records: Path | None) -> Outcome:
    """List the records of a kind: workload_class, formula, vocabulary, accelerator, interconnect, model, dtype, source."""
    wanted = kind_named(kind)
    base = open_for_values(records)
    chosen = sorted((r for r in base.records.values() if r.kind is wanted), key=lambda record: record.id)
    try:
        listing = listed_records(chosen, conditions, sort, base, wanted)
    except QuestionFault as fault:
        raise UsageFault(str(fault)) from fault
    if form == "json":
        return Outcome(json_text([told(entry) for entry in listing.entries]), error=unread(base))
    text = "".join(f"{line}\n" for line in rows(listing))
    notes = (unread(base), *(f"flopkb: {note}" for note in listing.notes))
    return Outcome(text, error="\n".join(note for note in notes if note))


@dataclass(frozen=True, slots=True)
class Entry:
    """A record with the values that it was chosen or sorted by."""

    record: Record
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The records that are left, and what could not be compared."""

    entries: tuple[Entry, ...]
    notes: tuple[str, ...]


def listed_records(
    chosen: Sequence[Record], conditions: Sequence[str], sort: str | None, base: Base, kind: Kind
) -> Listing:
    """The records of which every condition holds, in order; raises :class:`QuestionFault`."""
    fields = [match.groups() for text in conditions if (match := _FIELD.fullmatch(text))]
    compared = [condition(text) for text in conditions if not _FIELD.fullmatch(text)]
    for field, _ in fields:
        known_field(field, chosen, kind)
    shown = list(dict.fromkeys([*(each.left for each in compared), *([term(sort.removeprefix("-"))] if sort else [])]))
    for each in shown:
        known_term(each, chosen, kind, base)
    found = [r for r in chosen if all(matches(r, field, value, base) for field, value in fields)]
    values = [(record, best(list(views(record, base)), compared, shown)) for record in found]
    verdicts = [(item, [each.holds(item[1]) for each in compared]) for item in values]
    kept = in_order([item for item, held in verdicts if all(held)], sort)
    columns = [[(str(each), text) for text in texts([value_of(each) for _, value_of in kept])] for each in shown]
    entries = tuple(Entry(record, tuple(values[place] for values in columns)) for place, (record, _) in enumerate(kept))
    return Listing(entries, tuple(unknown(compared, [held for _, held in verdicts])))


def best(found: Sequence[ValueOf], compared: Sequence[Condition], shown: Sequence[Term]) -> ValueOf:
    """The view of a record of which every comparison holds, else the first that says most of what is asked."""

    def said(view: ValueOf) -> tuple[bool, int]:
        known = sum(view(each) is not None for each in shown)
        return all(each.holds(view) for each in compared), known

    return max(found, key=said)


def texts(column: Sequence[Quantity | None]) -> Iterator[str]:
    """What was compared, for people: the values of a column in one unit."""
    known = [each for each in column if each is not None]
    written = iter(column_texts([each.base for each in known], known[0].unit) if known else ())
    yield from (next(written) if each is not None else "no value" for each in column)


def unknown(compared: Sequence[Condition], held: Sequence[Sequence[bool | None]]) -> Iterator[str]:
    """What could not be compared, counted."""
    for place, each in enumerate(compared):
        count = sum(1 for verdicts in held if verdicts[place] is None)
        if count:
            yield f"{counted(count, 'record')} left out: no value for {each.left}"


def known_field(field: str, chosen: Sequence[Record], kind: Kind) -> None:
    """Raise where no record of the kind has a field."""
    if chosen and not any(at_path(r.document.root, field) for r in chosen):
        known = sorted({key.text for r in chosen for key, _ in r.document.root})
        raise UsageFault(f"no {kind.value} has a field {field}{did_you_mean(field.split('.')[0], known)}")


def known_term(wanted: Term, chosen: Sequence[Record], kind: Kind, base: Base) -> None:
    """Raise where a term names neither a recorded value nor a formula."""
    if wanted.called or called(wanted.name.partition(".")[0], base.evaluation.kb.scope):
        return
    paths = [path for record in chosen for path in record.facts]
    facts = {*paths, *(path.split(".")[-1] for path in paths if path.split(".")[0] in SECTIONS)}
    if wanted.name not in facts:
        hint = did_you_mean(wanted.name, facts)
        raise UsageFault(f"no {kind.value} records a value {wanted.name}{hint or '; a formula is named RECORD.NAME'}")


def kind_named(text: str) -> Kind:
    """The kind, also where it is written as its folder."""
    for kind in Kind:
        if text in (kind.value, kind.folder):
            return kind
    known = [kind.value for kind in Kind]
    raise UsageFault(f"there is no kind {text}{did_you_mean(text, known)}; the kinds are {', '.join(known)}")


def matches(record: Record, path: str, value: str, base: Base) -> bool:
    """Whether the field is the value, or a list or mapping that holds it; a record may be named by its alias."""
    ids = called(value, base.evaluation.kb.scope)
    return any(text == value or text in ids for node in at_path(record.document.root, path) for text in held(node))


def at_path(node: Node, path: str) -> list[Node]:
    """The nodes at a dotted path, in a model or in any part of its layers; a list on the way stands for its items.

    The type of layers that are all alike stands under ``attention`` and ``feed_forward``.
    """
    starts = [node, *parts(node)]
    return [found for each in ((path, *FLAT.values()) if path == "type" else (path,)) for found in below(starts, each)]


def below(nodes: list[Node], path: str) -> list[Node]:
    """The nodes at a path from any of some."""
    for key in path.split("."):
        items = [item for n in nodes for item in (n.items if isinstance(n, NodeSequence) else (n,))]
        nodes = [found for n in items if isinstance(n, Mapping) and (found := n.get(key)) is not None]
    return nodes


def parts(node: Node) -> Iterator[Node]:
    """The parts of the layers of a model, as they are described."""
    for section in sorted(SECTIONS):
        found = node.get(section) if isinstance(node, Mapping) else None
        yield from (part for _, part in found) if isinstance(found, Mapping) else ()


def held(node: Node) -> Iterator[str]:
    """What a node holds, as texts to compare with."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, NodeSequence):
        yield from (text for item in node.items for text in held(item))
    else:
        for key, value in node:
            yield key.text
            if key.text == "value":
                yield from held(value)


def rows(listing: Listing) -> Iterator[str]:
    """Id, status, what was compared, and name in columns."""
    heads = [name for name, _ in listing.entries[0].values] if listing.entries else []
    lines = [(e.record.id, e.record.status.value, *(t for _, t in e.values), e.record.name) for e in listing.entries]
    if heads:
        lines.insert(0, ("id", "status", *heads, "name"))
    yield from aligned(lines) if lines else ()


def told(entry: Entry) -> dict[str, object]:
    """A record for programs."""
    record = entry.record
    told: dict[str, object] = {"id": record.id, "kind": record.kind.value, "name": record.name}
    told |= {"aliases": [alias.text for alias in record.aliases], "status": record.status.value, "path": record.path}
    return {**told, "values": dict(entry.values)} if entry.values else told
