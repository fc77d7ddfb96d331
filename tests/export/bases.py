"""Bases to export: one whose texts are all hostile, the shipped one, and what is asked of any."""

from __future__ import annotations

from pathlib import Path

from conftest import REPOSITORY, TinyBase
from flopkb.api import Base, load
from flopkb.export.resolved import ResolvedBase, resolve
from flopkb.loading import shown_path

SCRIPT = "<script>alert('x')</script>"
NAME = f"{SCRIPT} =cmd() \\input{{/etc/passwd}} \"double\" 'single' | bar & co"
"""A name that means something in every format; it stands on one line, as names do."""

NOTES = f"""\
First line with {SCRIPT} and `code <b>` and "quotes" | pipes.

=cmd()|'/c calc'!A0 and \\input{{/etc/passwd}} and %TEX $x<y$ and \\write18{{ls}}.

<img src=x onerror=alert(1)>

[click](javascript:alert(2)) [web](https://example.org/?a=1&b=2 "a <b> title") ![p](https://example.org/p.png)

[ref]: javascript:alert(3)

[go][ref] and <https://example.org/auto> and &lt;i&gt; and \x7f.
"""
MARKS = ("=cmd()", "\\input{/etc/passwd}", "alert(")


def quoted(text: str) -> str:
    """A text as a YAML scalar in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\x7f", "\\x7f") + '"'


def hostile(base: TinyBase) -> ResolvedBase:
    """The neutral base with texts in it that no format may take for more than texts."""
    name, notes = quoted(NAME), quoted(NOTES)
    base.write(
        "sources/evil.yaml",
        f"id: evil\nkind: source\nname: {name}\naliases: ['=cmd()', '+1', '-2+3', '@SUM(A1)']\nstatus: draft\n"
        f"updated: 2026-01-05\nsource_kind: paper\ntitle: {name}\nauthors: [{name}, 'O{{Brien}}, \"Q\"']\nyear: 2025\n"
        f"published_in: {name}\npublisher: {name}\nvolume: '5%'\npages: 3-5\nlocator: {{url: 'https://example.org/a%20b?x={{y}}&z=\"', path: {name}}}\n"
        f"finding: {notes}\nhistory:\n  - {{date: 2026-01-05, change: {name}}}\n",
    )
    base.write(
        "accelerators/evil_gpu.yaml",
        f"id: evil_gpu\nkind: accelerator\nname: {name}\nstatus: draft\nupdated: 2026-01-05\nvendor: {name}\n"
        f"memory_type: '-1+1'\nmemory_bandwidth:\n  value: 1000 GB/s\n  basis: recorded\n  source: evil\n  as_printed: {name}\n"
        f"  preferred: {name}\n  disputed: [{{value: 900 GB/s, source: sheet, note: {name}}}]\n"
        "memory_capacity: {value: -5 GB, basis: recorded, source: evil}\n"
        f"notes: {notes}\n",
    )
    base.write(
        "workload_classes/evil_class.yaml",
        f"id: evil_class\nkind: workload_class\nname: {name}\nstatus: draft\nupdated: 2026-01-05\nbound_by: memory\n"
        f"sources: [evil]\nsymbols:\n  q: {{meaning: {name}, domain: {{integer: [1, 9]}}}}\n"
        'formulas:\n  f: {expr: q/7 - 1, unit: "1"}\nfigures:\n  five: {formula: f, with: {q: 5}}\n'
        f"claims:\n  - {{id: grows, formula: f, increasing_in: [q], note: {name}}}\n"
        "hardware_parameters:\n"
        f"  - {{parameter: memory_bandwidth, effect: {quoted('=cmd() moves it …')}, basis: measured, method: {name}, device: {name}, date: 2026-01-05}}\n"
        f"corrections:\n  - {{date: 2026-01-05, stated: f == 1, counterexample: {{q: 5}}, now: f == q/7 - 1, note: {notes}}}\n"
        f"implications: |\n  =cmd() moves it by [-0.29](fig:five), {SCRIPT}.\nnotes: {notes}\n",
    )
    return resolved(load(base.records), base.records)


def shipped() -> Base:
    """The base of this repository."""
    return load(REPOSITORY / "records")


def resolved(base: Base, records: Path) -> ResolvedBase:
    """A base, resolved; files are named below its folder."""
    return resolve(base, shown_path(records, Path.cwd()))
