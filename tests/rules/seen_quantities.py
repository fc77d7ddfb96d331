"""Documents of one sentence over a small base, all checked at once: which of them have findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.loading import LoadedBase, load_base
from flopkb.base.pipeline import PageText, evaluated
from flopkb.checking.check import check

RECORD = """id: q
kind: formula
name: Numbers to quote
status: draft
updated: 2026-01-05
symbols:
  a: {meaning: a, unit: "1", domain: {integer: [1, 4096]}}
  k: {meaning: k, unit: "1", domain: {integer: [1, 4096]}}
  w: {meaning: power, unit: W, value: 700 W}
points:
  p: {a: 64, k: 8}
formulas:
  f: {expr: 64/8, unit: "1"}
  ai: {expr: a/k, unit: "1"}
  g: {expr: 30*100, unit: "1"}
  ratio: {expr: 29537/100, unit: "1"}
  half: {expr: 1/2, unit: "1"}
  pow: {expr: w, unit: W}
  mem: {expr: gpu.memory_capacity, unit: byte}
"""
TARGETS = {
    "f": "fig:q.f",
    "g": "fig:q.g",
    "ratio": "fig:q.ratio",
    "half": "fig:q.half",
    "pow": "fig:q.pow",
    "mem": "fact:gpu.memory_capacity",
    "sixteen": "fig:q.ai?p&a=128",
}
"""What ``[8](f)`` and the like stand for in the sentences."""
HEAD = "<!-- flopkb: every number is linked -->\n\n"


def load(folder: Path) -> LoadedBase:
    """The neutral base (a copy of it in ``folder``) with the record."""
    (folder / "records/formulas/q.yaml").write_text(RECORD, encoding="utf-8")
    return load_base(folder / "records", folder)


def linked(sentence: str) -> str:
    """The sentence with the targets written out."""
    return re.sub(r"\]\((\w+)\)", lambda m: f"]({TARGETS.get(m[1], m[1])})", sentence)


def findings(sentences: Sequence[str], loaded: LoadedBase) -> list[list[Diagnostic]]:
    """What is found in each sentence, as a document of its own in which every number must be linked."""
    texts = [PageText(Path(f"{at}.md"), f"{at}.md", HEAD + linked(text) + "\n") for at, text in enumerate(sentences)]
    result = check(evaluated(loaded, texts))
    assert not result.crashes, result.crashes
    found: dict[str, list[Diagnostic]] = {text.path: [] for text in texts}
    for diagnostic in result.diagnostics:
        if diagnostic.location.path in found:
            found[diagnostic.location.path].append(diagnostic)
    return list(found.values())


def told(found: Iterable[Diagnostic]) -> list[str]:
    """The findings in a few words, for a failing test."""
    return [f"{diagnostic.rule}: {diagnostic.message}" for diagnostic in found]
