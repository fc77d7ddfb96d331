"""Markdown: a page a record, an index of each kind, and one of all, to be read where Markdown is shown as pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from flopkb.base.model import Kind
from flopkb.publishing.export.markdown.pages import SUFFIX, record_page
from flopkb.publishing.export.markdown.text import code, escaped
from flopkb.publishing.export.resolved import KINDS, ResolvedBase, ResolvedRecord, scalars_of
from flopkb.publishing.pages.lookups import TITLES, Lookups


def markdown_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the folder, by their paths in it."""
    look = Lookups.of(base)
    pages = {f"{r.kind.folder}/{r.id}{SUFFIX}": record_page(r, look) for r in base.records.values()}
    pages |= {f"{kind.folder}{SUFFIX}": "\n".join(kind_index(base, kind)) + "\n" for kind in KINDS}
    pages[f"index{SUFFIX}"] = "\n".join(index(base)) + "\n"
    return {path: text.encode("utf-8", "replace") for path, text in pages.items()}


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table, or nothing where it has no rows."""
    found = list(rows)
    if found:
        yield from ("", "| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads))
        yield from ("| " + " | ".join(row) + " |" for row in found)


def index(base: ResolvedBase) -> Iterator[str]:
    """What there is."""
    version = base.version
    yield from (
        "# flopkb",
        "",
        "What LLM inference costs, with every number computed from the records that state it.",
        "",
    )
    yield f"{version.records} records, last updated {version.updated}, version {code(version.digest)}."
    counts = ((f"[{TITLES[kind]}]({kind.folder}{SUFFIX})", str(len(base.of_kind(kind)))) for kind in KINDS)
    yield from table(("Kind", "Records"), counts)
    for kind in KINDS:
        records = base.of_kind(kind)
        if records and kind is not Kind.SOURCE:
            yield from ("", f"## {TITLES[kind]}", "")
            yield from (f"- [{escaped(r.name)}]({r.kind.folder}/{r.id}{SUFFIX})" for r in records)


def kind_index(base: ResolvedBase, kind: Kind) -> Iterator[str]:
    """The records of a kind."""
    yield f"# {TITLES[kind]}"
    heads, fields = COLUMNS[kind]
    rows = (
        (f"[{escaped(r.name)}]({kind.folder}/{r.id}{SUFFIX})", code(r.id), r.status.value, *cells(r, fields))
        for r in base.of_kind(kind)
    )
    yield from table(("Record", "Id", "Status", *heads), rows)
    yield from ("", f"[Index](index{SUFFIX})")


COLUMNS: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Kind.WORKLOAD_CLASS: (("Bound by",), ("bound_by",)),
    Kind.FORMULA: ((), ()),
    Kind.ACCELERATOR: (
        ("Vendor", "Memory", "Bandwidth", "Capacity", "bf16, dense"),
        ("vendor", "memory_type", "memory_bandwidth", "memory_capacity", "peak_flops.bf16"),
    ),
    Kind.MODEL: (
        ("Developer", "Layers", "Query heads", "KV heads", "Head width"),
        ("developer", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim"),
    ),
    Kind.DTYPE: (("Bits", "Bytes", "With scales"), ("bits", "bytes", "bytes_with_scales")),
    Kind.SOURCE: (("Kind", "Title", "Year"), ("source_kind", "title", "year")),
}


def cells(record: ResolvedRecord, fields: tuple[str, ...]) -> Iterator[str]:
    """Fields and recorded values as they are written."""
    written = {fact.path: fact.written or fact.absent.replace("_", " ") for fact in record.facts}
    for name in fields:
        yield escaped(written[name] if name in written else "; ".join(scalars_of(record.fields.get(name))))
