"""Bases to export: one whose texts are all hostile, the shipped one, and what is asked of any."""

from __future__ import annotations

from pathlib import Path

from conftest import TinyBase

from flopkb.base.loading import shown_path
from flopkb.checking.api import Base, load
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.resolved.records import resolve

SCRIPT = "<script>alert('x')</script>"
NAME = f"{SCRIPT} =cmd() \\input{{/etc/passwd}} \"double\" 'single' | bar & co"
"""A name that means something in every format; it stands on one line, as names do."""

NOTES = f"""\
First line with {SCRIPT} and `code <b>` and "quotes" | pipes.

=cmd()|'/c calc'!A0 and \\input{{/etc/passwd}} and %TEX $x<y$ and \\write18{{ls}}.

<img src=x onerror=alert(1)>

[click](javascript:alert(2)) [web](https://example.org/?a=1&b=2 "a <b> title") ![p](https://example.org/p.png)

[ref]: javascript:alert(3)

[go][ref] and <https://example.org/auto> and &lt;i&gt;.
"""


def quoted(text: str) -> str:
    """A text as a YAML scalar in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


SOURCE = """\
id: evil
kind: source
name: NAME
aliases: ['=cmd()', '+1', '-2+3', '@SUM(A1)']
status: draft
updated: 2026-01-05
source_kind: paper
title: NAME
authors: [NAME, 'O{Brien}, "Q"']
year: 2025
published_in: NAME
publisher: NAME
volume: '5%'
pages: 3-5
locator: {url: 'https://example.org/a%20b?x={y}&z="', path: NAME}
finding: NOTES
history:
  - {date: 2026-01-05, change: NAME}
"""
PART = """\
id: evil_gpu
kind: accelerator
name: NAME
status: draft
updated: 2026-01-05
vendor: NAME
memory_type: '-1+1'
memory_bandwidth:
  value: 1000 GB/s
  basis: recorded
  source: evil
  as_printed: NAME
  preferred: NAME
  disputed: [{value: 900 GB/s, source: sheet, note: NAME}]
memory_capacity: {value: -5 GB, basis: recorded, source: evil, as_printed: -5 GB}
notes: NOTES
"""
CLASS = """\
id: evil_class
kind: workload_class
name: NAME
status: draft
updated: 2026-01-05
bound_by: memory
sources: [evil]
symbols:
  q: {meaning: NAME, domain: {integer: [1, 9]}}
formulas:
  f: {expr: q/7 - 1, unit: "1"}
figures:
  five: {formula: f, with: {q: 5}}
claims:
  - {id: grows, formula: f, increasing_in: [q], note: NAME}
hardware_parameters:
  - parameter: memory_bandwidth
    effect: "=cmd() moves it …"
    basis: measured
    method: NAME
    device: NAME
    date: 2026-01-05
corrections:
  - {date: 2026-01-05, stated: f == 1, counterexample: {q: 5}, now: f == q/7 - 1, note: NOTES}
implications: |
  =cmd() moves it by [-0.29](fig:five), <script>alert('x')</script>.
notes: NOTES
"""


def hostile(base: TinyBase) -> ResolvedBase:
    """The neutral base with texts in it that no format may take for more than texts."""
    texts = {"sources/evil": SOURCE, "accelerators/evil_gpu": PART, "workload_classes/evil_class": CLASS}
    for path, text in texts.items():
        base.write(f"{path}.yaml", text.replace("NAME", quoted(NAME)).replace("NOTES", quoted(NOTES)))
    made = resolved(load(base.records), base.records)
    assert not made.unread, made.base.evaluation.diagnostics
    return made


def resolved(base: Base, records: Path) -> ResolvedBase:
    """A base, resolved; files are named below its folder."""
    return resolve(base, shown_path(records, Path.cwd()))
