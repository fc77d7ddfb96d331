"""What a program fetches of the site: a JSON file for each record, its schema, and a list of them that a model can read."""

from __future__ import annotations

import json

from flopkb.publishing.export.data_tables import SCHEMA, export_schema, record_json
from flopkb.publishing.export.resolved import KINDS, ResolvedBase
from flopkb.publishing.pages.lookups import TITLES

ABOUT = """\
# flopkb: what LLM inference costs

> A knowledge base whose numbers are recomputed: accelerators, models and number formats with recorded values and their sources,
> formulas for compute, memory and time, and workload classes whose prose quotes computed figures.

Each record is one JSON file, described by `#/$defs/record` of the [schema](data/{schema}). Exact values are numerator and
denominator as texts, with a decimal beside them; recorded values say basis, source and printed form, and what other sources
state. Formulas are texts; `assets/program.js` holds them as trees with all recorded values in base units.
Base {digest}, last updated {updated}.
"""


def program_files(base: ResolvedBase) -> dict[str, bytes]:
    """The files by their paths."""
    files = {f"data/{record.id}.json": record_json(record).encode() for record in base.records.values()}
    schema = json.dumps(export_schema(), ensure_ascii=False, separators=(",", ":")) + "\n"
    return files | {f"data/{SCHEMA}": schema.encode(), "llms.txt": listing(base).encode()}


def listing(base: ResolvedBase) -> str:
    """The list, by kind."""
    parts = [ABOUT.format(schema=SCHEMA, digest=base.version.digest, updated=base.version.updated)]
    for kind in KINDS:
        records = base.of_kind(kind)
        lines = "".join(f"- [{' '.join(record.name.split())}](data/{record.id}.json)\n" for record in records)
        parts += [f"## {TITLES[kind]}\n\n{lines}"] if records else []
    return "\n".join(parts)
